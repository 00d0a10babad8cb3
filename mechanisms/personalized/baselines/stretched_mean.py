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
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim
from mechanisms.personalized.adpm import check_noise
from mechanisms.personalized.baselines.weighted_release import WeightedRelease
from mechanisms.personalized.budgets import BudgetsArgument, check_budgets, personal_claim
from mechanisms.utility_claims import RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_bounds, check_size
from mechanisms.weighted_query import WeightedQuery

__all__ = ["StretchedMean"]

ITEM = "comparator: stretching, after Alaggan, Gambs and Kermarrec 2015"


@final
@dataclass(frozen=True, slots=True)
class StretchedMean:
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

    budgets: tuple[Fraction, ...]
    low: Fraction
    high: Fraction
    order: ClassVar[Order] = Order.FIXED

    def __init__(
        self, budgets: BudgetsArgument = ("1/10", "1/2", "1"), low: Number = 0, high: Number = 1
    ) -> None:
        object.__setattr__(self, "budgets", check_budgets(budgets))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        check_noise(self.budgets, exact_high - exact_low)

    @property
    def count(self) -> int:
        """Number of records."""
        return len(self.budgets)

    @property
    def claim(self) -> PrivacyClaim:
        """The budget of each record, for that record replaced."""
        return personal_claim(self.budgets, ITEM)

    @property
    def release(self) -> WeightedRelease:
        """Weights and noise."""
        total = sum(self.budgets, Fraction(0))
        if not total:
            return WeightedRelease(self.budgets, (), self.low, self.high, ITEM)
        weights = tuple(budget / total for budget in self.budgets)
        scale = (self.high - self.low) / total
        return WeightedRelease(weights, (scale,), self.low, self.high, ITEM)

    def weighted_query(self) -> WeightedQuery:
        """State the release exactly."""
        return self.release.query

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State the error on `data` about their mean."""
        return self.release.claims(data)

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State the error for records of a law in the bounds."""
        return self.release.claims_under(law, count)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (count,): records, in the unit of the bounds. Returns shape (size,): in the
        unit of the data; the midpoint if all budgets are 0.
        """
        return self.release.draw(data, check_size(size), rng=rng)
