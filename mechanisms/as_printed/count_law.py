"""The exact law of the counts of two parts of n records with geometric noise.

A count a in 0, ..., n plus noise of pmf (1 - b) / (1 + b) b^|k|, b = e^-epsilon, is told as 0 or
less, as 1, ..., n - 1, or as n or more; times 1 + b these have the masses

    b^a,    (1 - b) b^|k - a|,    b^(n - a).

Lumped tails hide nothing: two counts in 0, ..., n have one ratio on either tail.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, final

__all__ = ["NoisyCounts"]

Counts: TypeAlias = tuple[int, int]
Terms: TypeAlias = tuple[tuple[Fraction, Fraction], ...]


@final
@dataclass(frozen=True, slots=True)
class NoisyCounts:
    """Law of two noisy counts, as weights of points."""

    rate: Fraction
    """The epsilon of either count's noise."""
    most: int
    """At least 1 and at least each count; from here on outcomes are one."""
    counts: Counts
    """Without noise."""

    @property
    def epsilon(self) -> Fraction:
        """Unit of the losses: a term (factor, loss) is factor b^loss."""
        return 2 * self.rate

    @property
    def points(self) -> tuple[tuple[str, str], ...]:
        """What is told of both counts, in words."""
        inner = (str(told) for told in range(1, self.most))
        words = ("0 or less", *inner, f"{self.most} or more")
        return tuple((first, second) for first in words for second in words)

    @property
    def weights(self) -> tuple[Terms, ...]:
        """Terms (factor, loss) of the weight of each point; weights add up to (1 + b)^2."""
        first, second = (
            [self._one(count, told) for told in range(self.most + 1)] for count in self.counts
        )
        return tuple(
            tuple((r * s, Fraction(x + y)) for r, x in one for s, y in other)
            for one in first
            for other in second
        )

    def _one(self, count: int, told: int) -> list[tuple[Fraction, int]]:
        """Terms of one count."""
        away = abs(told - count)
        if told in (0, self.most):
            return [(Fraction(1), away)]
        return [(Fraction(1), away), (Fraction(-1), away + 1)]
