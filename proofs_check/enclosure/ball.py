"""Ball arithmetic.

A `Ball` is an interval with exact dyadic ends that certainly contains the number it stands for.
`Balls` is an `Arithmetic` (`mechanisms.protocols`), so a formula written over that protocol runs
on floats and on balls. Comparisons are decided or refused, never guessed: `<` raises `Undecided`
where the balls overlap.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from flint import acb, arb, ctx, fmpz

from mechanisms.errors import InvalidArgument, TouchstoneError
from proofs_check.rational import printed_interval, root_interval

__all__ = [
    "Ball",
    "Balls",
    "Undecided",
    "agrees_with_print",
    "certainly_less",
    "contains",
    "endpoints",
]


LONGEST = 2**22
"""Bits of a fraction: a power of e deep in a tail would need 10^12, and all the memory."""

SMALLEST = Fraction(1, 2**LONGEST)
"""A number below it counts as one that is not known to be 0."""


class Undecided(TouchstoneError, ArithmeticError):
    """The balls are too wide to decide; more bits of precision may help."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Ball:
    """A number known up to an interval; made by `Balls`.

    The four operations take balls, integers and Fractions (exact), never floats; powers are
    integral. Operations run at the larger precision of the two balls.

    Parameters
    ----------
    value : flint.arb
        Midpoint and radius, finite.
    bits : int
        Working precision.
    """

    value: arb
    bits: int

    def __add__(self, other: Ball | Fraction | int) -> Ball:
        return _apply(operator.add, self, other)

    def __radd__(self, other: Fraction | int) -> Ball:
        return _apply(lambda x, y: y + x, self, other)

    def __sub__(self, other: Ball | Fraction | int) -> Ball:
        return _apply(operator.sub, self, other)

    def __rsub__(self, other: Fraction | int) -> Ball:
        return _apply(lambda x, y: y - x, self, other)

    def __mul__(self, other: Ball | Fraction | int) -> Ball:
        return _apply(operator.mul, self, other)

    def __rmul__(self, other: Fraction | int) -> Ball:
        return _apply(lambda x, y: y * x, self, other)

    def __truediv__(self, other: Ball | Fraction | int) -> Ball:
        return _apply(operator.truediv, self, other)

    def __rtruediv__(self, other: Fraction | int) -> Ball:
        return _apply(lambda x, y: y / x, self, other)

    def __pow__(self, exponent: int) -> Ball:
        return _at(self.bits, lambda: self.value ** fmpz(exponent))

    def __neg__(self) -> Ball:
        return _at(self.bits, lambda: -self.value)

    def __abs__(self) -> Ball:
        return _at(self.bits, lambda: abs(self.value))

    def __lt__(self, other: Ball | Fraction | int) -> bool:
        return _decided(self, other)

    def __gt__(self, other: Ball | Fraction | int) -> bool:
        return _decided(other, self)

    def __repr__(self) -> str:
        return f"Ball({self.value.str(20)})"


@final
@dataclass(frozen=True, slots=True)
class Balls:
    """Ball arithmetic as an `Arithmetic`, at a working precision.

    Parameters
    ----------
    bits : int
        At least 2; 53 is the precision of a double.
    """

    bits: int = 128

    def __post_init__(self) -> None:
        if self.bits < 2:
            msg = f"bits must be at least 2, got bits={self.bits!r}"
            raise InvalidArgument(msg)

    def rational(self, value: Fraction) -> Ball:
        """Enclose an exact rational."""
        return _at(self.bits, lambda: _exact(value))

    def between(self, lower: Fraction, upper: Fraction) -> Ball:
        """Return a ball that contains the interval [lower, upper]."""
        if lower > upper:
            msg = f"lower must be at most upper, got lower={lower!r}, upper={upper!r}"
            raise InvalidArgument(msg)
        return _at(self.bits, lambda: _exact(lower).union(_exact(upper)))

    def pi(self) -> Ball:
        """Return the circle constant."""
        return _at(self.bits, arb.pi)

    def exp(self, x: Ball) -> Ball:
        """Return e^x."""
        return _at(self.bits, x.value.exp)

    def log(self, x: Ball) -> Ball:
        """Return the natural logarithm; the ball must be positive."""
        return _at(self.bits, x.value.log)

    def sqrt(self, x: Ball) -> Ball:
        """Return the square root; the ball must not reach below 0."""
        return _at(self.bits, x.value.sqrt)

    def erfc(self, x: Ball) -> Ball:
        """Return the complementary error function."""
        return _at(self.bits, x.value.erfc)

    def sinc(self, x: Ball) -> Ball:
        """Return sin x / x, and 1 at 0."""
        return _at(self.bits, x.value.sinc)

    def mean_exp(self, x: Ball) -> Ball:
        """Return (e^x - 1) / x, and 1 at 0: the mean of e^(s x) over 0 < s < 1."""
        lower, upper = endpoints(x)  # it increases with x
        return self.between(
            endpoints(_at(self.bits, lambda: _mean_exp(_exact(lower))))[0],
            endpoints(_at(self.bits, lambda: _mean_exp(_exact(upper))))[1],
        )

    def power(self, x: Ball, exponent: Ball | Fraction) -> Ball:
        """Return x^exponent; the ball must be positive."""
        return self.exp(self.log(x) * exponent)

    def gamma(self, x: Ball) -> Ball:
        """Return the gamma function."""
        return _at(self.bits, x.value.gamma)

    def lambert_w(self, x: Ball, branch: int = 0) -> Ball:
        """Return the solution w of w e^w = x, on branch 0 (w > -1) or -1 (w < -1)."""
        return _at(self.bits, lambda: x.value.lambertw(branch))

    def exponential_integral(self, order: int, x: Ball) -> Ball:
        """Return E_order(x), the integral of e^(-x t) / t^order over t > 1 (real part)."""
        return _at(self.bits, lambda: acb(x.value).expint(acb(order)).real)

    def root(self, x: Ball, degree: int) -> Ball:
        """Return the positive root of a ball that does not reach below 0, by exact integers."""
        lower, upper = endpoints(x)
        if lower < 0:
            msg = f"cannot decide whether the radicand {x!r} is at least 0"
            raise Undecided(msg)
        least, _ = root_interval(lower, degree, self.bits)
        _, largest = root_interval(upper, degree, self.bits)
        return self.between(least, largest)


def endpoints(x: Ball) -> tuple[Fraction, Fraction]:
    """Ends of the ball: lower, upper; exactly, but for what is below `SMALLEST` in size.

    Raises `Undecided` if it reaches beyond `1 / SMALLEST`.
    """
    (middle, at, more), (radius, other, rest) = (
        _dyadic(part) for part in (x.value.mid(), x.value.rad())
    )
    last = min(at, other)
    middle, radius = middle << (at - last), radius << (other - last)
    lower, upper = _shifted(middle - radius, last), _shifted(middle + radius, last)
    if more or rest:
        spare = (more + rest) * SMALLEST
        return lower - spare, upper + spare
    return lower, upper


def certainly_less(x: Ball | Fraction | int, y: Ball | Fraction | int) -> bool | None:
    """Whether x < y: True or False where certain, None where the balls cannot tell."""
    bits = max((z.bits for z in (x, y) if isinstance(z, Ball)), default=53)
    with ctx.workprec(bits):
        a, b = (z.value if isinstance(z, Ball) else _exact(Fraction(z)) for z in (x, y))
        if a < b:
            return True
        return False if a >= b else None


def contains(ball: Ball, number: Fraction) -> bool:
    """Whether an exact rational lies in the ball."""
    lower, upper = endpoints(ball)
    return lower <= number <= upper


def agrees_with_print(ball: Ball, text: str) -> bool | None:
    """Whether a printed decimal is the number to its last digit.

    True where the whole ball lies in the interval that the print stands for, False where it lies
    outside, None where it crosses an end of it.
    """
    (lower, upper), (least, largest) = endpoints(ball), printed_interval(text)
    if least <= lower and upper <= largest:
        return True
    return False if upper < least or largest < lower else None


def _decided(x: Ball | Fraction | int, y: Ball | Fraction | int) -> bool:
    answer = certainly_less(x, y)
    if answer is None:
        msg = f"cannot decide whether {x!r} < {y!r}"
        raise Undecided(msg)
    return answer


def _apply(operation: Callable[[arb, arb], arb], x: Ball, y: Ball | Fraction | int) -> Ball:
    if isinstance(y, Ball):
        return _at(max(x.bits, y.bits), operation, x.value, y.value)
    if isinstance(y, bool) or not isinstance(y, int | Fraction):
        kind = type(y).__name__
        msg = f"a ball combines with balls, integers and Fractions, got {y!r} (type {kind})"
        raise TypeError(msg)
    return _at(x.bits, lambda: operation(x.value, _exact(y)))


def _at(bits: int, compute: Callable[..., arb], *values: arb) -> Ball:
    """Run a computation at a precision; flint's own is global state and is restored."""
    before = ctx.prec  # by hand: this runs for every operation, and a context takes longer
    try:
        ctx.prec = bits
        value = compute(*values)
    finally:
        ctx.prec = before
    if not value.is_finite():
        msg = "the result is not certainly a finite number (a ball reaches a singularity)"
        raise Undecided(msg)
    return Ball(value, bits)


def _mean_exp(x: arb) -> arb:
    return (x / 2).exp() * acb(0, x / 2).sinc().real


def _exact(value: Fraction | int) -> arb:
    return arb(fmpz(value.numerator)) / arb(fmpz(value.denominator))


def _dyadic(number: arb) -> tuple[int, int, bool]:
    """Integers m and n of a number m 2^n, and whether it is only nearly that.

    A tiny one is 0, since as a fraction it is long.
    """
    mantissa, exponent = (int(part) for part in number.man_exp())
    size = exponent + mantissa.bit_length()
    if mantissa and size < -LONGEST:
        return 0, 0, True
    if size > LONGEST:
        msg = f"a number of 2^{size} is too large to be written as a fraction"
        raise Undecided(msg)
    return mantissa, exponent, False


def _shifted(number: int, places: int) -> Fraction:
    """A number times a power of 2."""
    return Fraction(number << places) if places >= 0 else Fraction(number, 1 << -places)
