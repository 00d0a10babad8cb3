"""The mean at the least budget: everyone is protected as the most careful one asks.

With m = min eps_i and n records, (1 / n) sum_i clip(x_i, low, high) + Lap((high - low) / (n m)):
the trivial comparator of personalized privacy. For independent records of one mean the mean square
is at most (high - low)^2 (n + 8 / m^2) / (4 n^2). A budget of 0 leaves the midpoint.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim
from mechanisms.noise.parameters import check_scale
from mechanisms.personalized.baselines.weighted_release import WeightedRelease
from mechanisms.personalized.budgets import BudgetsArgument, check_budgets, personal_claim
from mechanisms.utility_claims import RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_bounds, check_size
from mechanisms.weighted_query import WeightedQuery

__all__ = ["LeastBudgetMean"]

ITEM = "comparator: everyone at the least budget"


@final
@dataclass(frozen=True, slots=True)
class LeastBudgetMean:
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
        if exact_high > exact_low and (least := min(self.budgets)):
            check_scale((exact_high - exact_low) / least, "(high - low) / least budget")

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
        least = min(self.budgets)
        if not least:
            zeros = (least,) * self.count
            return WeightedRelease(zeros, (), self.low, self.high, ITEM)
        weights = (Fraction(1, self.count),) * self.count
        scale = (self.high - self.low) / (self.count * least)
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
        unit of the data; the midpoint if a budget is 0.
        """
        return self.release.draw(data, check_size(size), rng=rng)
