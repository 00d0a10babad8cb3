"""A rank offset + (2 / epsilon) log C, as Algorithm 3 of SUB prints it, in exact terms.

With C rational, e^(epsilon rank / 2) is C times the exponential of a rational, so that levels of
the exponential mechanism stay exact although the rank is not a rational number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import final

__all__ = ["RULES", "LogRank", "from_above"]

RULES = ("nearest integer", "ceiling", "interval")
"""How a rank that is not an integer is read: the distance to the nearest integer rank of a window,
the next integer above in its place, or the distance to the interval of ranks. A rank r from above
is n - r from below, and the next integer above is n - floor(r): `from_above` turns the rule."""

_DIGITS = 60
_MARGIN = 20  # of these for the digits before the point, and for 2 / epsilon <= 2 10^9


def from_above(rule: str) -> str:
    """Rule for a rank counted from above that is the given one for the rank from below."""
    return "floor" if rule == "ceiling" else rule


@final
@dataclass(frozen=True, slots=True)
class LogRank:
    """The rank offset + (2 / epsilon) log C."""

    epsilon: Fraction
    """Privacy parameter."""
    offset: Fraction
    """Rational part."""
    argument: Fraction = Fraction(1)
    """C, greater than 0; 1 for a rational rank."""

    @property
    def value(self) -> Fraction:
        """The rank if C = 1, otherwise to an absolute error below 10^-40."""
        return self._value(_DIGITS)

    def floor(self) -> int:
        """Return the largest integer that is not larger; always decided."""
        return self._floor(1)

    def ceiling(self) -> int:
        """Return the smallest integer that is not smaller; always decided."""
        floor = self.floor()
        return floor if self.offset == floor and self.argument == 1 else floor + 1

    def nearest(self) -> int:
        """Return the nearest integer, the smaller one of two; always decided."""
        if self.argument == 1:
            return math.ceil(self.offset - Fraction(1, 2))
        return self.floor() + self._floor(2) % 2

    def level(self, lo: int, hi: int, rule: str) -> tuple[Fraction, Fraction]:
        """Distance of the rank from the ranks lo..hi of a window, by one of the `RULES` or "floor".

        Returns `loss`, `factor`: the weight e^(-epsilon distance / 2) is factor e^(-epsilon loss /
        2).
        """
        floor = self.floor()
        if rule in ("ceiling", "floor"):
            whole = self.ceiling() if rule == "ceiling" else floor
            return Fraction(max(0, lo - whole, whole - hi)), Fraction(1)
        if lo > floor:
            return self._above(lo)
        if hi <= floor:
            return self._below(hi)
        if rule == "interval":
            return Fraction(0), Fraction(1)
        nearest = self.nearest()
        return self._below(nearest) if nearest == floor else self._above(nearest)

    def least(self, rule: str) -> Fraction:
        """Smallest distance that a rank can have from a window, as a number."""
        return abs(self.value - self.nearest()) if rule == "nearest integer" else Fraction(0)

    def read(self, rule: str) -> Fraction:
        """Return the rank that distances are measured from, as a number."""
        whole = {"ceiling": self.ceiling, "floor": self.floor}.get(rule)
        return self.value if whole is None else Fraction(whole())

    def _above(self, integer: int) -> tuple[Fraction, Fraction]:
        """Level of the distance integer - rank."""
        return integer - self.offset, self.argument

    def _below(self, integer: int) -> tuple[Fraction, Fraction]:
        """Level of the distance rank - integer."""
        return self.offset - integer, 1 / self.argument

    def _value(self, digits: int) -> Fraction:
        """Value with an error below 10^(_MARGIN - digits)."""
        if self.argument == 1:
            return self.offset
        return self.offset + 2 / self.epsilon * _logarithm(self.argument, digits)

    def _floor(self, factor: int) -> int:
        """Floor of factor * rank: log C is transcendental, so some precision decides."""
        digits = _DIGITS
        while True:
            value = factor * self._value(digits)
            apart = abs(value - round(value)) > Fraction(10) ** (_MARGIN + 1 - digits)
            if self.argument == 1 or apart:
                return math.floor(value)
            digits *= 2


@lru_cache(maxsize=256)
def _logarithm(argument: Fraction, digits: int) -> Fraction:
    """Logarithm to about `digits` digits; each window of a law asks for the same one."""
    with localcontext() as context:
        context.prec = digits
        top, bottom = Decimal(argument.numerator), Decimal(argument.denominator)
        return Fraction(top.ln() - bottom.ln())
