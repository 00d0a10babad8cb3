"""What a closed form runs over: exact parameters with rigorous enclosures, or symbols.

Every closed form of the ledger has one calling convention: the arguments of the formula by
position, in the order of the statement, then `*, numbers`, the functions to use: one of these, or
`Balls`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, final

from proofs_check import symbolic
from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints

__all__ = ["ENCLOSED", "SYMBOLIC", "EnclosedFunctions", "Symbolic"]


@final
class EnclosedFunctions:
    """Functions of integers, Fractions and balls, with rigorous values.

    Parameters
    ----------
    bits : int
        Working precision.
    """

    def __init__(self, bits: int = 192) -> None:
        self.numbers = Balls(bits)

    def ball(self, x: Any) -> Ball:
        """Enclose a number."""
        return x if isinstance(x, Ball) else self.numbers.rational(Fraction(x))

    def pi(self) -> Ball:
        """Return the circle constant."""
        return self.numbers.pi()

    def exp(self, x: Any) -> Ball:
        """Return e^x."""
        return self.numbers.exp(self.ball(x))

    def log(self, x: Any) -> Ball:
        """Return the natural logarithm."""
        return self.numbers.log(self.ball(x))

    def sqrt(self, x: Any) -> Ball:
        """Return the square root."""
        return self.numbers.sqrt(self.ball(x))

    def erfc(self, x: Any) -> Ball:
        """Return the complementary error function."""
        return self.numbers.erfc(self.ball(x))

    def gamma(self, x: Any) -> Ball:
        """Return the gamma function."""
        return self.numbers.gamma(self.ball(x))

    def sinh(self, x: Any) -> Ball:
        """Return (e^x - e^-x) / 2."""
        return (self.exp(x) - self.exp(-x)) / 2

    def power(self, x: Any, exponent: Any) -> Any:
        """Return x^exponent of x > 0, or of x = 0 (exactly) with a positive exponent."""
        if not isinstance(x, Ball) and x == 0:
            return Fraction(0)
        return self.numbers.power(self.ball(x), exponent)

    def largest(self, x: Any, y: Any) -> Any:
        """Return the larger one, which must be certain unless they are equal."""
        if certainly_less(x, y) is None:
            lower = max(endpoints(self.ball(z))[0] for z in (x, y))
            upper = max(endpoints(self.ball(z))[1] for z in (x, y))
            return self.numbers.between(lower, upper)
        return y if certainly_less(x, y) else x

    def smallest(self, x: Any, y: Any) -> Any:
        """Return the smaller one."""
        return -self.largest(-x, -y)


@final
class Symbolic:
    """The same functions, of symbols."""

    def pi(self) -> Any:
        """Return the circle constant."""
        return symbolic.pi

    def exp(self, x: Any) -> Any:
        """Return e^x."""
        return symbolic.exp(x)

    def log(self, x: Any) -> Any:
        """Return the natural logarithm."""
        return symbolic.log(x)

    def sqrt(self, x: Any) -> Any:
        """Return the square root."""
        return symbolic.sqrt(x)

    def erfc(self, x: Any) -> Any:
        """Return the complementary error function."""
        return symbolic.erfc(x)

    def gamma(self, x: Any) -> Any:
        """Return the gamma function."""
        return symbolic.gamma(x)

    def sinh(self, x: Any) -> Any:
        """Return (e^x - e^-x) / 2."""
        return (symbolic.exp(x) - symbolic.exp(-x)) / 2

    def power(self, x: Any, exponent: Any) -> Any:
        """Return x^exponent."""
        return self.number(x) ** self.number(exponent)

    def number(self, x: Any) -> Any:
        """Convert a Fraction."""
        return symbolic.Rational(x.numerator, x.denominator) if isinstance(x, Fraction) else x

    def largest(self, x: Any, y: Any) -> Any:
        """Return the larger one."""
        return symbolic.Max(x, y)

    def smallest(self, x: Any, y: Any) -> Any:
        """Return the smaller one."""
        return symbolic.Min(x, y)


ENCLOSED = EnclosedFunctions()
"""Functions of numbers, as balls."""
SYMBOLIC = Symbolic()
"""Functions of symbols."""
