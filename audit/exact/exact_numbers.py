"""What the exact auditors do with exact numbers and with enclosures alike.

A mass is `Exact` (a rational, an `ExpSum` or an `ExpRatio`: sign and equality are decided) or a
`Ball` (known up to an interval: a comparison may stay open). Results are exact where all arguments
are.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import overload

from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, Balls, endpoints
from proofs_check.exponential import Exact, ExpRatio, ExpSum

BITS = 192
"""Working precision of balls where no other is asked for."""

SPARE_BITS = 16
"""That rounding may take of a logarithm's working precision."""

Mass = Exact | Ball
"""An exact number, or an enclosure of one."""


def sign(value: Exact) -> int:
    """Return -1, 0 or 1; always decided."""
    if isinstance(value, ExpSum | ExpRatio):
        return value.sign()
    return (value > 0) - (value < 0)


def as_ball(value: Mass, bits: int = BITS) -> Ball:
    """Enclose a mass; a ball stays as it is."""
    if isinstance(value, Ball):
        return value
    if isinstance(value, ExpSum | ExpRatio):
        return value.ball(bits)
    return Balls(bits).rational(Fraction(value))


def log_ball(value: Exact, bits: int = BITS) -> Ball:
    """Enclose the natural logarithm of a positive number; that of c e^x is taken as x + ln c.

    Sums that nearly cancel are enclosed at as many bits as it takes.

    Raises InvalidArgument if the number is not positive.
    """
    if sign(value) < 1:
        msg = f"a logarithm needs a positive number, got {value!r}"
        raise InvalidArgument(msg)
    if isinstance(value, ExpRatio):
        return log_ball(value.numerator, bits) - log_ball(value.denominator, bits)
    if isinstance(value, ExpSum) and len(value.terms) == 1:
        ((x, r),) = value.terms
        return log_ball(r, bits) + x
    enough, wanted = bits, max(bits - SPARE_BITS, 1)
    while True:  # until the number is positive for certain, and known to a relative 2^-wanted
        ball = as_ball(value, enough)
        lower, upper = endpoints(ball)
        if lower > 0 and (upper - lower) * 2**wanted <= lower:
            return Balls(bits).log(ball)
        enough *= 2


def simplest(value: Exact) -> Exact:
    """Return a plain rational as a Fraction, a quotient by one exponential as a sum."""
    if isinstance(value, ExpRatio):
        if len(value.denominator.terms) > 1:
            return value
        value = value.numerator * _inverse_term(value.denominator)
    if isinstance(value, ExpSum) and all(not x for x, _ in value.terms):
        return sum((r for _, r in value.terms), start=Fraction(0))
    return value


def inverse(value: Exact) -> Exact:
    """Return 1 / value: a rational or a single exponential keeps its kind.

    Raises InvalidArgument if a sum or quotient of exponentials is 0. Raises ZeroDivisionError if a
    rational is 0.
    """
    if isinstance(value, ExpSum):
        if len(value.terms) == 1:
            return _inverse_term(value)
        return ExpRatio(ExpSum.rational(1), value)
    return 1 / value if isinstance(value, ExpRatio) else 1 / Fraction(value)


def _inverse_term(value: ExpSum) -> ExpSum:
    ((x, r),) = value.terms
    return ExpSum.exp(-x, 1 / r)


@overload
def add_up(values: Iterable[Exact]) -> Exact: ...
@overload
def add_up(values: Iterable[Mass]) -> Mass: ...
def add_up(values: Iterable[Mass]) -> Mass:
    """Sum of masses."""
    terms: dict[Fraction, Fraction] = {}
    numerators: dict[ExpSum, ExpSum] = {}
    balls: list[Ball] = []
    for value in values:
        if isinstance(value, Ball):
            balls.append(value)
        elif isinstance(value, ExpRatio):
            over = value.denominator
            numerators[over] = numerators.get(over, ExpSum({})) + value.numerator
        else:
            parts = value.terms if isinstance(value, ExpSum) else ((Fraction(0), Fraction(value)),)
            for x, r in parts:
                terms[x] = terms.get(x, Fraction(0)) + r
    total: Exact = ExpSum(terms)
    for over, numerator in numerators.items():
        total = ExpRatio(numerator, over) + total
    exact = simplest(total)
    return sum(balls, start=as_ball(exact, max(b.bits for b in balls))) if balls else exact


@overload
def multiply(x: Exact, y: Exact) -> Exact: ...
@overload
def multiply(x: Mass, y: Mass) -> Mass: ...
def multiply(x: Mass, y: Mass) -> Mass:
    """Return x * y."""
    if isinstance(x, Ball) or isinstance(y, Ball):
        bits = max(z.bits for z in (x, y) if isinstance(z, Ball))
        return as_ball(x, bits) * as_ball(y, bits)
    return x * y


@overload
def quotient(mass: Exact, divisor: Exact) -> Exact: ...
@overload
def quotient(mass: Mass, divisor: Exact) -> Mass: ...
def quotient(mass: Mass, divisor: Exact) -> Mass:
    """Return mass / divisor."""
    if isinstance(mass, Ball):
        return mass / as_ball(divisor, mass.bits)
    return simplest(mass * inverse(divisor))


@overload
def subtract(x: Exact, y: Exact) -> Exact: ...
@overload
def subtract(x: Mass, y: Mass) -> Mass: ...
def subtract(x: Mass, y: Mass) -> Mass:
    """Return x - y."""
    if isinstance(x, Ball) or isinstance(y, Ball):
        bits = max(z.bits for z in (x, y) if isinstance(z, Ball))
        return as_ball(x, bits) - as_ball(y, bits)
    return x - y
