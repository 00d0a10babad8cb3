"""A mean of bounded records under personalized privacy (PDP, Algorithm 3, repaired).

With the saturated budgets e_i = min(eps_i, tau) of `saturation` and their sum A, the release is

    sum_i (e_i / A) clip(x_i, low, high) + Lap((high - low) / A).

Replacing record i moves the sum by at most (high - low) e_i / A, which costs e_i <= eps_i. If the
records are independent with one mean, the mean squared error is at most

    (high - low)^2 (sum e_i^2 + 8) / (4 A^2) = (high - low)^2 tau / (4 A),

and the saturated budgets make this smallest. The print sorts the budgets without the records
(erratum PDP-E-03) and uses another recursion (PDP-E-30).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, Source
from mechanisms.noise.parameters import check_scale
from mechanisms.personalized.budgets import (
    BudgetsArgument,
    as_floats,
    check_budgets,
    personal_claim,
)
from mechanisms.personalized.noisy_sum import add_laplace, clipped_sums
from mechanisms.personalized.saturation import saturate, slow_saturate
from mechanisms.personalized.users import user_records
from mechanisms.personalized.utility import law_claims, mean_claims
from mechanisms.records import records_within
from mechanisms.utility_claims import Quantity, RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_bounds, check_size
from mechanisms.weighted_query import WeightedQuery

__all__ = ["ADPM", "centers_and_scales", "check_noise", "draw_weighted"]


ITEM = "Algorithm 3 with the smallest k"


@final
@dataclass(frozen=True, slots=True)
class ADPM:
    """The mean of one record for each budget, weighted by what the budgets allow.

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
    .. [1] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 3 with the smallest k (PDP-A3; errata PDP-E-03, PDP-E-30), after
       Chaudhuri, Miagkov, Courtade, "Mean estimation under heterogeneous privacy demands".
    """

    budgets: tuple[Fraction, ...]
    low: Fraction
    high: Fraction
    order: ClassVar[Order] = Order.FIXED

    def __init__(
        self,
        budgets: BudgetsArgument = ("1/10", "1/2", "1"),
        low: Number = 0,
        high: Number = 1,
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

    def weighted_query(self) -> WeightedQuery:
        """State the release exactly; without a positive budget it is the midpoint, and no query."""
        found = slow_saturate(self.budgets)
        if not found.total:
            return WeightedQuery(found.saturated, self.low, self.high, Fraction(0))
        weights = tuple(budget / found.total for budget in found.saturated)
        return WeightedQuery(weights, self.low, self.high, (self.high - self.low) / found.total)

    def mse_upper(self) -> float:
        """Bound the mean squared error for independent records of one mean in [low, high].

        Fair coins on low and high attain it.
        """
        found, width = saturate(as_floats(self.budgets)), float(self.high - self.low)
        return width**2 / 4 * (found.threshold / found.total if found.total else 1)

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State the error on `data` about their mean: the weights move it, the noise spreads it."""
        values = records_within(data, self.low, self.high, self.count)
        weights, scale = self._weights_and_scale()
        if values is None:
            return ()
        moved = math.fsum(weights * values) - math.fsum(values) / values.size
        return mean_claims(moved, scale, ITEM)

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State the error for records of a law in the bounds, and its bound for all such laws."""
        weights, scale = self._weights_and_scale()
        if count != self.count:
            return ()
        exact = law_claims(law, weights, scale, ITEM, low=self.low, high=self.high)
        worst = UtilityClaim(Quantity.MSE, self.mse_upper(), Source("PDP", ITEM))
        return (*exact, worst) if exact else ()

    def _weights_and_scale(self) -> tuple[NDArray[np.float64], float]:
        """Return the weights of the records, and the scale of the noise; zeros without budgets."""
        found, width = saturate(as_floats(self.budgets)), float(self.high - self.low)
        if not found.total:
            return found.saturated, 0.0
        return found.saturated / found.total, width / found.total

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (count,): records, in the unit of the bounds. Returns shape (size,): in the
        unit of the data; the midpoint if all budgets are 0 or low = high.
        """
        size = check_size(size)
        values = user_records(data, self.count)
        low, high = np.array([float(self.low)]), np.array([float(self.high)])
        spent = saturate(as_floats(self.budgets)).saturated
        center, scale = centers_and_scales(values, low, high, spent)
        return add_laplace(np.repeat(center, size), scale, rng=rng)


def draw_weighted(
    values: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    spent: NDArray[np.float64],
    *,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draw one release for each of several intervals.

    `values`, shape (n,) or (draws, n): records in the order of the budgets; NaN is the placeholder
    and counts as the midpoint. `low`, `high`, shape (draws,): intervals, low <= high; public or
    released before. `spent`, shape (n,): what each record spends, proportional to its weight: the
    saturated budgets. Returns shape (draws,): where nothing is spent the midpoints; the point of an
    interval without width.
    """
    return add_laplace(*centers_and_scales(values, low, high, spent), rng=rng)


def centers_and_scales(
    values: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    spent: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return means with weights proportional to `spent`, and noise scales, shape (draws,) each."""
    total = float(spent.sum())
    if not total:
        return low / 2 + high / 2, np.zeros_like(low)
    centers = clipped_sums(values, spent / total, low, high)
    with np.errstate(over="ignore"):
        return np.where(low < high, centers, low), (high - low) / total


def check_noise(budgets: Sequence[Fraction], width: Fraction, words: str = "(high - low)") -> None:
    """Check that the scale of the noise is from 1e-75 to 1e75, or that there is none."""
    if width and any(budgets):
        # Where all budgets are too small for a double none is saturated.
        total = Fraction(saturate(as_floats(budgets)).total) or sum(budgets)
        check_scale(width / total, f"{words} / (sum of the saturated budgets)")
