"""The mean of bounded records of PDP, Algorithm 3, with what is wrong in print.

With the budgets sorted, eps_1 <= .. <= eps_n, the print sets x_1 = eps_1 and

    x_{k+1} = min(eps_{k+1}, (sum_{i <= k} eps_i^2 + 8) / sum_{i <= k} eps_i)

with the given budgets in both sums (erratum PDP-E-30). Every x_i is at most eps_i, so that this is
private; but it does not minimize (sum x_i^2 + 8) / (sum x_i)^2, as `saturation` does. Record i then
gets the weight x_i / sum x, though the records were not sorted with the budgets (PDP-E-03): the
record of a small budget can get the weight of a large one, and its promise is broken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.as_printed.slips import ALL, check_slips
from mechanisms.claims import Order, PrivacyClaim
from mechanisms.personalized.adpm import centers_and_scales, check_noise
from mechanisms.personalized.budgets import (
    BudgetsArgument,
    as_floats,
    check_budgets,
    personal_claim,
)
from mechanisms.personalized.noisy_sum import add_laplace
from mechanisms.personalized.saturation import NOISE, slow_saturate
from mechanisms.personalized.users import user_records
from mechanisms.validation import Number, check_bounds, check_size
from mechanisms.weighted_query import WeightedQuery

__all__ = ["PrintedADPM", "raw_recursion"]

SLIPS = ("E-03", "E-30")
"""Errata of this form."""


@final
@dataclass(frozen=True, slots=True)
class PrintedADPM:
    """Algorithm 3 with weights that may belong to other records.

    Parameters
    ----------
    budgets, low, high
        As in `mechanisms.personalized.adpm.ADPM`.
    slip : str
        "all", or of "E-03" (weights in the order of the sorted budgets) and "E-30" (the printed
        recursion) those that are kept, joined by commas.

    Claims
    ------
    Personalized, swap: the budgets, as printed. False with E-03, unless each record's weight keeps
    its budget by chance; true with E-30 alone.

    References
    ----------
    .. [1] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 3 (PDP-A3; errata PDP-E-03, PDP-E-30; counterexample PDP-CX6).
    """

    budgets: tuple[Fraction, ...]
    low: Fraction
    high: Fraction
    slip: str
    order: ClassVar[Order] = Order.FIXED

    def __init__(
        self,
        budgets: BudgetsArgument = ("1", "1/10"),
        low: Number = 0,
        high: Number = 1,
        slip: str = ALL,
    ) -> None:
        object.__setattr__(self, "budgets", check_budgets(budgets))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        check_slips(slip, SLIPS)
        object.__setattr__(self, "slip", slip)
        check_noise(self.budgets, exact_high - exact_low)

    @property
    def count(self) -> int:
        """Number of records."""
        return len(self.budgets)

    @property
    def claim(self) -> PrivacyClaim:
        """What the print promises: the budget of each record, for that record replaced."""
        return personal_claim(self.budgets, "Algorithm 3 (errata PDP-E-03, PDP-E-30)")

    @property
    def losses(self) -> tuple[Fraction, ...]:
        """What a change of each record costs: the number that its weight is proportional to."""
        slips = check_slips(self.slip, SLIPS)
        recursion = raw_recursion if "E-30" in slips else _saturated
        places = sorted(range(self.count), key=lambda place: self.budgets[place])
        found = recursion([self.budgets[place] for place in places])
        if "E-03" in slips:
            return tuple(found)
        by_place = dict(zip(places, found, strict=True))
        return tuple(by_place[place] for place in range(self.count))

    @property
    def counterexample(self) -> tuple[list[float], list[float]] | None:
        """Data that differ in the record whose loss is farthest above its budget, if one is."""
        above = [loss - budget for loss, budget in zip(self.losses, self.budgets, strict=True)]
        if self.low == self.high or max(above) <= 0:
            return None
        data = [float(self.low)] * self.count
        neighbor = list(data)
        neighbor[above.index(max(above))] = float(self.high)
        return data, neighbor

    def weighted_query(self) -> WeightedQuery:
        """State the release exactly; without a positive budget it is the midpoint, and no query."""
        losses = self.losses
        total = sum(losses)
        if not total:
            return WeightedQuery(losses, self.low, self.high, Fraction(0))
        weights = tuple(loss / total for loss in losses)
        return WeightedQuery(weights, self.low, self.high, (self.high - self.low) / total)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (count,): records, in the unit of the bounds. Returns shape (size,): in the
        unit of the data; the midpoint if all budgets are 0 or low = high.
        """
        size = check_size(size)
        values = user_records(data, self.count)
        low, high = np.array([float(self.low)]), np.array([float(self.high)])
        center, scale = centers_and_scales(values, low, high, as_floats(self.losses))
        return add_laplace(np.repeat(center, size), scale, rng=rng)


def raw_recursion(budgets: Sequence[Fraction]) -> list[Fraction]:
    """Return the printed x_i for ascending budgets; zeros, of which print says nothing, stay 0."""
    found: list[Fraction] = []
    total, squares = Fraction(0), Fraction(NOISE)
    for budget in budgets:
        found.append(min(budget, squares / total) if total else budget)
        total, squares = total + budget, squares + budget**2
    return found


def _saturated(budgets: Sequence[Fraction]) -> list[Fraction]:
    return list(slow_saturate(budgets).saturated)
