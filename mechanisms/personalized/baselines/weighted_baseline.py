"""What the baselines that weigh every record share: arguments, claims, draws and errors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim
from mechanisms.personalized.baselines.weighted_release import WeightedRelease
from mechanisms.personalized.budgets import BudgetsArgument, check_budgets, personal_claim
from mechanisms.utility_claims import RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_bounds, check_size

__all__ = ["WeightedBaseline"]


@dataclass(frozen=True, slots=True, init=False)
class WeightedBaseline(ABC):
    """A mean of one record for each budget: `item` says after whom, `release` how weighted."""

    budgets: tuple[Fraction, ...]
    low: Fraction
    high: Fraction
    order: ClassVar[Order] = Order.FIXED
    item: ClassVar[str]

    def __init__(
        self, budgets: BudgetsArgument = ("1/10", "1/2", "1"), low: Number = 0, high: Number = 1
    ) -> None:
        object.__setattr__(self, "budgets", check_budgets(budgets))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        self._check_noise(exact_high - exact_low)

    @abstractmethod
    def _check_noise(self, width: Fraction) -> None:
        """Refuse noise that is too small or too large for a double."""

    @property
    @abstractmethod
    def release(self) -> WeightedRelease:
        """Weights and noise."""

    @property
    def count(self) -> int:
        """Number of records."""
        return len(self.budgets)

    @property
    def claim(self) -> PrivacyClaim:
        """The budget of each record, for that record replaced."""
        return personal_claim(self.budgets, self.item)

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State the error on `data` about their mean."""
        return self.release.claims(data)

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State the error for records of a law in the bounds."""
        return self.release.claims_under(law, count)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (count,): records, in the unit of the bounds. Returns shape (size,): in the
        unit of the data; the midpoint where no record has a weight.
        """
        return self.release.draw(data, check_size(size), rng=rng)

    def _made(self, weights: tuple[Fraction, ...], scales: tuple[Fraction, ...]) -> WeightedRelease:
        return WeightedRelease(weights, scales, self.low, self.high, self.item)
