"""Jets as an `Arithmetic`: a formula written over that protocol encloses values and slopes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

from audit.exact.jets.jet import Jet, Ranging, divided, scaled
from audit.exact.jets.points import Point
from audit.exact.jets.positive import Positive
from proofs_check.enclosure import Ball, Balls

__all__ = ["JetArithmetic"]


@final
@dataclass(frozen=True, slots=True)
class JetArithmetic:
    """Jets as an `Arithmetic`, at the working precision of some balls.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from audit.exact.jets.arithmetic import JetArithmetic
    >>> from audit.exact.jets.points import points
    >>> from proofs_check.enclosure import Ball, Balls
    >>> box = ((Fraction(-1), Fraction(1)),)
    >>> numbers = JetArithmetic(Balls(64))
    >>> (x,) = points(box, box, numbers)
    >>> numbers.rational(numbers.exp(-x)).slopes[0] < 0
    True
    """

    numbers: Balls
    """Arithmetic of the values and slopes."""

    def ranging(self, point: Point) -> Jet:
        """Return value and slopes of an affine function over its box; a constant at one place."""
        lower, upper = point.range()
        if point.fixed:
            return Jet(self.numbers.rational(lower))
        slopes = tuple(_enclosed(self.numbers, c) for c in point.coefficients)
        return Jet(self.numbers.between(lower, upper), slopes)

    def rational(self, value: Fraction | Jet | Ranging) -> Jet:
        """Convert an exact number, or an exact point that ranges over a cell."""
        if isinstance(value, Jet):
            return value
        if isinstance(value, Fraction | int):
            return Jet(_enclosed(self.numbers, value))
        return value.number()

    def between(self, lower: Fraction | Jet | Ranging, upper: Fraction | Jet | Ranging) -> Jet:
        """Stand for an unknown function between two; nothing is known of its derivative."""
        low, high = self.rational(lower), self.rational(upper)
        unit = self.numbers.between(Fraction(0), Fraction(1))
        return Jet(low.value + (high.value - low.value) * unit, None)

    def pi(self) -> Jet:
        """Return the circle constant."""
        return Jet(self.numbers.pi())

    def exp(self, x: Jet | Ranging | Fraction) -> Positive:
        """Return e^x."""
        return Positive(self.rational(x))

    def log(self, x: Jet | Ranging | Fraction) -> Jet:
        """Return the natural logarithm; the values must be certainly positive."""
        if isinstance(x, Positive):
            return x.log
        u = self.rational(x)
        return Jet(self.numbers.log(u.value), divided(u.slopes, u.value))

    def sqrt(self, x: Jet | Ranging | Fraction) -> Any:
        """Return the square root; the values must be certainly positive."""
        if isinstance(x, Positive):
            return Positive(x.log / 2)
        u = self.rational(x)
        root = self.numbers.sqrt(u.value)
        return Jet(root, divided(u.slopes, root * 2))

    def erfc(self, x: Jet | Ranging | Fraction) -> Jet:
        """Return the complementary error function; its derivative is -2 e^(-x^2) / sqrt(pi)."""
        u = self.rational(x)
        value = self.numbers.erfc(u.value)
        if u.slopes == ():
            return Jet(value)
        bell = self.numbers.exp(-(u.value * u.value)) / self.numbers.sqrt(self.numbers.pi())
        return Jet(value, scaled(u.slopes, bell * -2))


@lru_cache(maxsize=4096)
def _enclosed(numbers: Balls, value: Fraction | int) -> Ball:
    """Enclose a constant of a formula: the same ones return on every cell."""
    return numbers.rational(Fraction(value))
