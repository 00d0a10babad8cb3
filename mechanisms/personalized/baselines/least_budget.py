"""The mean at the least budget: everyone is protected as the most careful one asks.

With m = min eps_i and n records, (1 / n) sum_i clip(x_i, low, high) + Lap((high - low) / (n m)):
the trivial comparator of personalized privacy. For independent records of one mean the mean square
is at most (high - low)^2 (n + 8 / m^2) / (4 n^2). A budget of 0 leaves the midpoint.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from mechanisms.noise.parameters import check_scale
from mechanisms.personalized.baselines.weighted_baseline import WeightedBaseline
from mechanisms.personalized.baselines.weighted_release import WeightedRelease
from mechanisms.weighted_query import WeightedQuery

__all__ = ["LeastBudgetMean"]


@final
@dataclass(frozen=True, slots=True, init=False)
class LeastBudgetMean(WeightedBaseline):
    """The mean of all records, with noise for the least of the budgets.

    Parameters
    ----------
    budgets : sequence of int, float, str or Fraction
        Public, one epsilon for each record, in the order of the records.
    low, high : int, float, str or Fraction
        Public bounds; records outside are clipped, a missing record is the midpoint.

    Claims
    ------
    Personalized, swap: the budgets.

    References
    ----------
    .. [1] PDP-L4: Laplace noise hides a move of its scale with loss 1.
    """

    item: ClassVar[str] = "comparator: everyone at the least budget"

    def _check_noise(self, width: Fraction) -> None:
        if width and (least := min(self.budgets)):
            check_scale(width / least, "(high - low) / least budget")

    @property
    def release(self) -> WeightedRelease:
        """Weights and noise."""
        least = min(self.budgets)
        if not least:
            zeros = (least,) * self.count
            return self._made(zeros, ())
        weights = (Fraction(1, self.count),) * self.count
        scale = (self.high - self.low) / (self.count * least)
        return self._made(weights, (scale,))

    def weighted_query(self) -> WeightedQuery:
        """State the release exactly."""
        return self.release.query
