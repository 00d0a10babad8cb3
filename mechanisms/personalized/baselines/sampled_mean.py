"""The sampled mean: records survive as often as their budgets allow.

After Jorgensen, Yu and Cormode 2015 (the sample mechanism); a reconstruction, constants ours. For a
public level tau record i survives with probability p_i = min(1, (e^eps_i - 1) / (e^tau - 1)), and
with P = sum p_i and the midpoint m of the bounds

    m + (1 / P) (sum over the survivors of (clip(x_i) - m) + Lap((high - low) / tau))

is released. A record that is replaced moves the sum by at most high - low, one that goes or comes
by half of it, so the sum is tau-private on the survivors and user i loses at most min(eps_i, tau)
(PDP-T10). The divisor is public, so that the sum of no survivors has no hole. On a data set, with
d_i = clip(x_i) - m, the error has the mean sum p_i d_i / P less that of the data, and the variance
(sum p_i (1 - p_i) d_i^2 + 2 (high - low)^2 / tau^2) / P^2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, Relation, Source
from mechanisms.composition import Composition, LaplaceStep, Survivors
from mechanisms.laws import FLOATS
from mechanisms.noise.parameters import check_scale
from mechanisms.personalized.budgets import BudgetsArgument, check_budgets, personal_claim
from mechanisms.personalized.diffusion.rates import RightRates
from mechanisms.personalized.public_tau import LEAST_TAU
from mechanisms.personalized.sparse.pairs import chunks
from mechanisms.personalized.users import user_records
from mechanisms.records import records_within
from mechanisms.utility_claims import Quantity, RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_bounds, check_fraction, check_size

__all__ = ["SampledMean"]

ITEM = "comparator: sampling, after Jorgensen, Yu and Cormode 2015"
LARGEST_TAU = Fraction(10**9)


@final
@dataclass(frozen=True, slots=True)
class SampledMean:
    """The mean of the records that survive, with noise for one public level.

    Parameters
    ----------
    budgets : sequence of int, float, str or Fraction
        Public, one epsilon for each record, in the order of the records.
    low, high : int, float, str or Fraction
        Public bounds, `low < high`; records outside are clipped, a missing record never survives.
    tau : int, float, str or Fraction, optional
        Public level, from 1e-9 to 1e9. Default the largest budget, 1 if all are 0.

    Claims
    ------
    Personalized, swap: the budgets, also for a record that becomes the placeholder.

    References
    ----------
    .. [1] Jorgensen, Yu, Cormode, "Conservative or liberal? Personalized differential privacy",
       ICDE 2015: the technique.
    .. [2] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Theorem 10 (PDP-T10).
    """

    budgets: tuple[Fraction, ...]
    low: Fraction
    high: Fraction
    tau: Fraction
    rates: RightRates = field(repr=False, compare=False)
    order: ClassVar[Order] = Order.FIXED
    placeholder: ClassVar[bool] = True
    """NaN is a record that is missing."""

    def __init__(
        self,
        budgets: BudgetsArgument = ("1/10", "1/2", "1"),
        low: Number = 0,
        high: Number = 1,
        tau: Number | None = None,
    ) -> None:
        exact = check_budgets(budgets)
        level = max(exact) or Fraction(1) if tau is None else tau
        object.__setattr__(self, "budgets", exact)
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        found = check_fraction(level, "tau", at_least=LEAST_TAU, at_most=LARGEST_TAU)
        object.__setattr__(self, "tau", found)
        object.__setattr__(self, "rates", RightRates(exact, found))
        if self.scale:
            check_scale(self.scale, "(high - low) / tau")

    @property
    def count(self) -> int:
        """Number of records."""
        return len(self.budgets)

    @property
    def scale(self) -> Fraction:
        """Scale of the noise of the sum."""
        return (self.high - self.low) / self.tau

    @property
    def claim(self) -> PrivacyClaim:
        """The budget of each record, for that record replaced."""
        return personal_claim(self.budgets, ITEM)

    def private_steps(self) -> Composition:
        """State the noisy sum of the survivors."""
        move = self.high - self.low
        scale = self.scale or Fraction(1)
        noisy = LaplaceStep("the sum of the surviving records", (move,), scale)
        step = Survivors(self.budgets, self.tau, noisy)
        return Composition(Relation.SWAP, step, self.count, "PDP-T10")

    @property
    def chances(self) -> NDArray[np.float64]:
        """Survival probabilities, shape (count,)."""
        return np.array([self.rates.mass(user, FLOATS) for user in range(self.count)])

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State bias and error on `data` about their mean."""
        values = records_within(data, self.low, self.high, self.count)
        chances, scale = self.chances, float(self.scale)
        total = math.fsum(chances)
        if values is None or not total or not scale:
            return ()
        middle = float((self.low + self.high) / 2)
        off = values - middle
        bias = math.fsum(chances * off) / total - math.fsum(off) / values.size
        return self._claims(bias, math.fsum(chances * (1 - chances) * off**2) / total**2)

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State that there is no bias for records of a law in the bounds, and the error."""
        ends = float(self.low), float(self.high)
        beyond = law.expectation(lambda x: max(ends[0] - x, x - ends[1], 0.0), ends)
        chances = self.chances
        total = math.fsum(chances)
        if count != self.count or beyond > 0 or not total or not self.scale:
            return ()
        second = law.variance + (law.mean - float((self.low + self.high) / 2)) ** 2
        squares = math.fsum(chances**2)
        first = (law.mean - float((self.low + self.high) / 2)) ** 2
        # Var of B_i d_i for a coin B_i and an independent d_i: p E d^2 - p^2 (E d)^2
        return self._claims(0.0, (total * second - squares * first) / total**2)

    def _claims(self, bias: float, spread: float) -> tuple[UtilityClaim, ...]:
        source = Source("PDP", ITEM)
        noise = 2 * (float(self.scale) / math.fsum(self.chances)) ** 2
        return (
            UtilityClaim(Quantity.BIAS, abs(bias), source),
            UtilityClaim(Quantity.MSE, bias**2 + spread + noise, source, exactly=True),
        )

    def mse_upper(self) -> float:
        """Largest mean square for independent records of one mean in [low, high].

        p E d^2 - p^2 (E d)^2 is at most p width^2 / 4, as for fair coins on the two ends.
        """
        chances, width = self.chances, float(self.high - self.low)
        total = math.fsum(chances)
        if not total:
            return width**2 / 4
        return (width**2 / 4 * total + 2 * float(self.scale) ** 2) / total**2

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (count,): records, in the unit of the bounds; NaN is the placeholder. Returns
        shape (size,): in the unit of the data, not clipped; the midpoint if all budgets are 0.
        """
        size = check_size(size)
        values = user_records(data, self.count)
        middle = float((self.low + self.high) / 2)
        total = math.fsum(self.chances)
        if not total:
            return np.full(size, middle)
        off = np.nan_to_num(np.clip(values, float(self.low), float(self.high)) - middle)
        parts = []
        for draws in chunks(size, values.size):
            sums = self.rates.draw(draws, rng=rng) @ off
            parts.append(sums + rng.laplace(scale=float(self.scale), size=draws))
        return middle + np.concatenate(parts) / total + 0.0
