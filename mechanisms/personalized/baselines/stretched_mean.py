"""The stretched mean: records weighted by their budgets, and noise for the sum of all.

After Alaggan, Gambs and Kermarrec 2015 (heterogeneous differential privacy by stretching); a
reconstruction, constants ours. With S = sum eps_i,

    sum_i (eps_i / S) clip(x_i, low, high) + Lap((high - low) / S):

each record is stretched by its budget, so user i loses eps_i exactly. It is `pdp.adpm` without
saturation: a large budget may draw all weight to few records. For independent records of one mean
the mean square is at most (high - low)^2 (sum eps_i^2 + 8) / (4 S^2).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, final

from mechanisms.personalized.adpm import check_noise
from mechanisms.personalized.baselines.weighted_baseline import WeightedBaseline
from mechanisms.personalized.baselines.weighted_release import WeightedRelease
from mechanisms.weighted_query import WeightedQuery

__all__ = ["StretchedMean"]


@final
@dataclass(frozen=True, slots=True, init=False)
class StretchedMean(WeightedBaseline):
    """The mean of one record for each budget, weighted by the budgets themselves.

    Parameters
    ----------
    budgets : sequence of int, float, str or Fraction
        Public, one epsilon for each record, in the order of the records; 0 leaves a record out.
    low, high : int, float, str or Fraction
        Public bounds; records outside are clipped, a missing record is the midpoint.

    Claims
    ------
    Personalized, swap: the budgets.

    References
    ----------
    .. [1] Alaggan, Gambs, Kermarrec, "Heterogeneous differential privacy", 2015: the technique.
    .. [2] PDP-L4: Laplace noise hides a move of its scale with loss 1.
    """

    item: ClassVar[str] = "comparator: stretching, after Alaggan, Gambs and Kermarrec 2015"

    def _check_noise(self, width: Fraction) -> None:
        check_noise(self.budgets, width)

    @property
    def release(self) -> WeightedRelease:
        """Weights and noise."""
        total = sum(self.budgets, Fraction(0))
        if not total:
            return self._made(self.budgets, ())
        weights = tuple(budget / total for budget in self.budgets)
        scale = (self.high - self.low) / total
        return self._made(weights, (scale,))

    def weighted_query(self) -> WeightedQuery:
        """State the release exactly."""
        return self.release.query
