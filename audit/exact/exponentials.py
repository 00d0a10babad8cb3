"""Sums and quotients of exponentials as an `Arithmetic`: what decides where balls touch.

A law whose masses are written with rationals and exponentials of rationals alone is evaluated
exactly, so that an outcome that just keeps the claim is known to keep it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn, final

from proofs_check.exponential import Exact, ExpSum

__all__ = ["Exponentials", "NotExponential"]


class NotExponential(ArithmeticError):
    """A number is no quotient of sums of exponentials of rationals."""


@final
@dataclass(frozen=True, slots=True)
class Exponentials:
    """Exact numbers: quotients of rational multiples of e^(rational)."""

    def rational(self, value: Fraction) -> Exact:
        """Return it."""
        return ExpSum.rational(Fraction(value))

    def exp(self, x: Any) -> Exact:
        """Return the exponential of a rational.

        Raises NotExponential if x is not rational.
        """
        if isinstance(x, ExpSum) and all(exponent == 0 for exponent, _ in x.terms):
            return ExpSum.exp(sum((value for _, value in x.terms), Fraction(0)))
        if isinstance(x, Fraction | int):
            return ExpSum.exp(Fraction(x))
        msg = f"the exponential of {x!r} is no quotient of sums of exponentials of rationals"
        raise NotExponential(msg)

    def log(self, x: Any) -> NoReturn:
        """Raise: logarithms are not in the field."""
        self._outside("logarithm", x)

    def sqrt(self, x: Any) -> NoReturn:
        """Raise: roots are not in the field."""
        self._outside("square root", x)

    def erfc(self, x: Any) -> NoReturn:
        """Raise: error functions are not in the field."""
        self._outside("complementary error function", x)

    def _outside(self, name: str, x: Any) -> NoReturn:
        msg = f"the {name} of {x!r} is no quotient of sums of exponentials of rationals"
        raise NotExponential(msg)
