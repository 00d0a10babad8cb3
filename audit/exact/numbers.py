"""What the exact auditors do with exact numbers and with enclosures alike.

A mass is `Exact` (a rational, an `ExpSum` or an `ExpRatio`: sign and equality are decided) or a
`Ball` (known up to an interval: a comparison may stay open).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from proofs_check.enclosure import Ball, Balls
from proofs_check.exponential import Exact, ExpRatio, ExpSum

__all__ = [
    "BITS",
    "Mass",
    "add_up",
    "as_ball",
    "inverse",
    "multiply",
    "sign",
    "simplest",
]

BITS = 192
"""Working precision of balls where no other is asked for."""

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


def inverse(value: Exact) -> Exact:
    """Return 1 / value: a rational or a single exponential keeps its kind.

    Raises
    ------
    InvalidArgument
        If a quotient of exponentials is 0.
    ZeroDivisionError
        If a rational is 0.
    """
    if isinstance(value, ExpSum):
        if len(value.terms) == 1:
            ((x, r),) = value.terms
            return ExpSum.exp(-x, 1 / r)
        return ExpRatio(ExpSum.rational(1), value)
    return 1 / value if isinstance(value, ExpRatio) else 1 / Fraction(value)


def add_up(values: Iterable[Mass], bits: int = BITS) -> Mass:
    """Sum of masses: exact if all are, else a ball."""
    terms: dict[Fraction, Fraction] = {}
    quotients: dict[ExpSum, ExpSum] = {}
    balls: list[Ball] = []
    for value in values:
        if isinstance(value, Ball):
            balls.append(value)
        elif isinstance(value, ExpRatio):
            over = value.denominator
            quotients[over] = quotients.get(over, ExpSum({})) + value.numerator
        else:
            parts = value.terms if isinstance(value, ExpSum) else ((Fraction(0), Fraction(value)),)
            for x, r in parts:
                terms[x] = terms.get(x, Fraction(0)) + r
    total: Exact = ExpSum(terms)
    for over, numerator in quotients.items():
        total = ExpRatio(numerator, over) + total
    total = simplest(total)
    if not balls:
        return total
    return sum(balls, start=as_ball(total, bits))


def simplest(value: Exact) -> Exact:
    """Return a sum that is a plain rational as a Fraction, anything else as it is."""
    if isinstance(value, ExpSum) and all(not x for x, _ in value.terms):
        return sum((r for _, r in value.terms), start=Fraction(0))
    return value


def multiply(mass: Mass, factor: Exact) -> Mass:
    """Return mass * factor: exact if the mass is."""
    return mass * as_ball(factor, mass.bits) if isinstance(mass, Ball) else mass * factor
