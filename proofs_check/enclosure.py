"""Ball arithmetic: the only door to python-flint.

A `Ball` is an interval with exact dyadic ends that certainly contains the number it stands for.
`Balls` is an `Arithmetic` (`mechanisms.protocols`), so a formula written over that protocol runs
on floats and on balls. Comparisons are decided or refused, never guessed: `<` raises `Undecided`
where the balls overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from flint import arb, ctx, fmpz

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
    "largest_root",
]


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
        return _apply(lambda x, y: x + y, self, other)

    def __radd__(self, other: Fraction | int) -> Ball:
        return _apply(lambda x, y: y + x, self, other)

    def __sub__(self, other: Ball | Fraction | int) -> Ball:
        return _apply(lambda x, y: x - y, self, other)

    def __rsub__(self, other: Fraction | int) -> Ball:
        return _apply(lambda x, y: y - x, self, other)

    def __mul__(self, other: Ball | Fraction | int) -> Ball:
        return _apply(lambda x, y: x * y, self, other)

    def __rmul__(self, other: Fraction | int) -> Ball:
        return _apply(lambda x, y: y * x, self, other)

    def __truediv__(self, other: Ball | Fraction | int) -> Ball:
        return _apply(lambda x, y: x / y, self, other)

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
    """Ends of the ball, exactly: lower, upper."""
    middle, radius = (_dyadic(part) for part in (x.value.mid(), x.value.rad()))
    return middle - radius, middle + radius


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


def largest_root(
    coefficients: Sequence[Ball], lower: Fraction, upper: Fraction, *, bits: int
) -> tuple[Fraction, Fraction]:
    """Enclose the largest real root of a polynomial, by a sign change and a Taylor shift.

    At the lower end found the polynomial is certainly negative; at the upper end all its Taylor
    coefficients are certainly positive, so it has no root from there on.

    Parameters
    ----------
    coefficients : sequence of Ball
        Of falling powers, the leading one positive.
    lower, upper : Fraction
        Where the search by bisection begins: below and above the largest root.
    bits : int
        The interval found is at most 2^-bits wide.

    Returns
    -------
    lower, upper : Fraction
        The largest root lies strictly between.

    Raises
    ------
    Undecided
        If the signs cannot be certified this closely: the coefficients are too wide, the search
        began on the wrong side, or the polynomial is not increasing and convex from its largest
        root on.
    """
    lo, hi = lower, upper
    while hi - lo > Fraction(1, 2 ** (bits + 1)):
        middle = (lo + hi) / 2
        if all(c.value > 0 for c in _taylor(coefficients, middle)):
            hi = middle
        else:
            lo = middle
    lo -= hi - lo  # the root may be `lo` itself, where no sign is certain
    at_lower = next(_taylor(coefficients, lo))
    if not at_lower.value < 0 or not all(c.value > 0 for c in _taylor(coefficients, hi)):
        msg = f"no largest root is certain in [{lower}, {upper}] to {bits} bits"
        raise Undecided(msg)
    return lo, hi


def _taylor(coefficients: Sequence[Ball], x: Fraction) -> Iterator[Ball]:
    """Coefficients of p(x + t) in rising powers of t, one by one; the first is p(x) (Horner)."""
    shifted = list(coefficients)
    point = Balls(shifted[0].bits).rational(x)
    for last in range(len(shifted) - 1, -1, -1):
        for k in range(1, last + 1):
            shifted[k] = shifted[k] + shifted[k - 1] * point
        yield shifted[last]


def _decided(x: Ball | Fraction | int, y: Ball | Fraction | int) -> bool:
    answer = certainly_less(x, y)
    if answer is None:
        msg = f"cannot decide whether {x!r} < {y!r}"
        raise Undecided(msg)
    return answer


def _apply(operation: Callable[[arb, arb], arb], x: Ball, y: Ball | Fraction | int) -> Ball:
    if isinstance(y, Ball):
        other = y.value
        return _at(max(x.bits, y.bits), lambda: operation(x.value, other))
    if isinstance(y, bool) or not isinstance(y, int | Fraction):
        kind = type(y).__name__
        msg = f"a ball combines with balls, integers and Fractions, got {y!r} (type {kind})"
        raise TypeError(msg)
    exact = Fraction(y)
    return _at(x.bits, lambda: operation(x.value, _exact(exact)))


def _at(bits: int, compute: Callable[[], arb]) -> Ball:
    """Run a computation at a precision; flint's own is global state and is restored."""
    with ctx.workprec(bits):
        value = compute()
    if not value.is_finite():
        msg = "the result is not certainly a finite number (a ball reaches a singularity)"
        raise Undecided(msg)
    return Ball(value, bits)


def _exact(value: Fraction) -> arb:
    return arb(fmpz(value.numerator)) / arb(fmpz(value.denominator))


def _dyadic(number: arb) -> Fraction:
    mantissa, exponent = (int(part) for part in number.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent
