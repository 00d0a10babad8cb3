"""A private median on a public grid under personalized privacy: one stage of PDP, Algorithm 6.

User i's record survives with probability p_i = min(1, (e^eps_i - 1) / (e^tau - 1)), and the median
of the survivors (`mechanisms.personalized.quantile.find_quantile`) spends tau / 4, the share of
this stage. So it costs user i at most ln(1 + p_i (e^(tau/4) - 1)) <= eps_i (PDP-T10). With the
printed rates it costs more than the budget (PDP-CX3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, Relation
from mechanisms.composition import Composition, Survivors
from mechanisms.laws import FLOATS
from mechanisms.personalized.budgets import (
    BudgetsArgument,
    check_budgets,
    personal_claim,
)
from mechanisms.personalized.diffusion.mixture import MixedLaw, mixed_law
from mechanisms.personalized.diffusion.rates import Rates, RightRates
from mechanisms.personalized.public_tau import STAGES, check_tau
from mechanisms.personalized.quantile.draw import ClampedRank, draw_places, median_step
from mechanisms.personalized.quantile.law import centered_law
from mechanisms.personalized.quantile.point_grid import PointGrid, check_grid
from mechanisms.personalized.quantile.utility import median_claim
from mechanisms.personalized.sparse.pairs import chunks
from mechanisms.personalized.users import user_records
from mechanisms.records import records_within
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import Number, check_size

__all__ = ["DiffusedQuantile", "draw_diffused", "held_places"]


@final
@dataclass(frozen=True, slots=True)
class DiffusedQuantile:
    """A point of a grid near the median of the records that survive.

    Parameters
    ----------
    budgets : sequence of int, float, str or Fraction
        Public, one epsilon for each user, in the order of the records.
    tau : int, float, str or Fraction, optional
        Public, from 1e-9 to 1e9: four times what the median spends on the survivors. Default the
        budget that maximizes tau times the expected number of survivors; 1 if all budgets are 0.
    low, high : int, float, str or Fraction
        Public; records outside are left out, like the placeholder (NaN).
    step : int, float, str or Fraction
        Public, greater than 0, in the unit of the data; at most 2^32 steps from low to high.

    Claims
    ------
    Personalized, swap: budgets, also for a record that becomes the placeholder.

    References
    ----------
    .. [1] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithms 2 and 6, Theorem 10 (PDP-A2, PDP-A6, PDP-T10, PDP-CX3).
    """

    budgets: tuple[Fraction, ...]
    tau: Fraction
    low: Fraction
    high: Fraction
    step: Fraction
    rates: RightRates = field(repr=False, compare=False)
    order: ClassVar[Order] = Order.FIXED
    placeholder: ClassVar[bool] = True
    """NaN is a record that is missing."""

    def __init__(
        self,
        budgets: BudgetsArgument = ("1/10",),
        tau: Number | None = None,
        low: Number = 0,
        high: Number = 1000,
        step: Number = 1,
    ) -> None:
        object.__setattr__(self, "budgets", check_budgets(budgets))
        exact_tau = check_tau(tau, self.budgets) or Fraction(1)
        object.__setattr__(self, "tau", exact_tau)
        grid = check_grid(low, high, step)
        object.__setattr__(self, "low", grid.low)
        object.__setattr__(self, "high", grid.high)
        object.__setattr__(self, "step", grid.step)
        object.__setattr__(self, "rates", RightRates(self.budgets, exact_tau))

    @property
    def count(self) -> int:
        """Number of users."""
        return len(self.budgets)

    @property
    def claim(self) -> PrivacyClaim:
        """The budget of each user."""
        return personal_claim(self.budgets, "Theorem 10 with Algorithm 2")

    @property
    def grid(self) -> PointGrid:
        """The points that may be released."""
        return PointGrid(self.low, self.high, self.step)

    def private_steps(self) -> Composition:
        """State the scores of the points, on the survivors."""
        median = median_step("the median of the survivors", self.tau / STAGES)
        step = Survivors(self.budgets, self.tau, median)
        return Composition(Relation.SWAP, step, self.count, "PDP-T10")

    def exact_law(self, data: Any) -> MixedLaw:
        """State the output law on `data`, array_like of shape (n,), for up to 12 users."""
        places = self.grid.places(user_records(data, self.count))
        epsilon = self.tau / STAGES

        def law(left: Sequence[int | None]) -> Any:
            return centered_law(epsilon, self.grid, [x for x in left if x is not None])

        return mixed_law(self.rates, held_places(places), law)

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State how rarely the release on `data` is farther from the median of the survivors."""
        values = records_within(data, self.low, self.high, self.count)
        if values is None or not any(self.budgets):
            return ()
        chances = np.array([self.rates.mass(user, FLOATS) for user in range(self.count)])
        item = "Lemma 7 with 2 for its 4, and Theorem 7 for the survivors (ours)"
        epsilon = float(self.tau / STAGES)
        return median_claim(self.grid.places(values), chances, self.grid, epsilon, item)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): one record for each user, in the unit of the bounds; NaN is the
        placeholder. Returns shape (size,): points of the grid, in the unit of the data.
        """
        size = check_size(size)
        places = self.grid.places(user_records(data, self.count))
        epsilon = float(self.tau / STAGES)
        return self.grid.points(
            draw_diffused(places, self.rates, self.grid.last, epsilon, size, rng=rng)
        )


def held_places(places: NDArray[np.float64]) -> list[int | None]:
    """Places as integers, and None where a record is left out."""
    return [int(place) if place < np.inf else None for place in places.tolist()]


def draw_diffused(
    places: NDArray[np.float64],
    rates: Rates,
    last: int,
    epsilon: float,
    size: int,
    *,
    rng: np.random.Generator,
    rank: ClampedRank | None = None,
) -> NDArray[np.float64]:
    """Draw the quantile of those records that survive, shape (size,).

    `places`, shape (n,): integers from 0 to `last`, and inf where there is no record. `rates`:
    survival probabilities. `last`: last place of the grid. `epsilon`: what the quantile spends on
    the survivors. `rank`: a public rank; without it the score is centered on the survivors.
    """
    parts = []
    for draws in chunks(size, places.size):
        left = np.where(rates.draw(draws, rng=rng), places, np.inf)
        first, end = np.zeros(draws), np.full(draws, float(last))
        parts.append(draw_places(left, first, end, epsilon, rng=rng, rank=rank))
    return np.concatenate(parts)
