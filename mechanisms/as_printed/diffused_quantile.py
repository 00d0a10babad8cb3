"""The median stage of Algorithm 6 of PDP with errata; those that are not named are repaired.

    E-01  record i survives with probability min(1, eps_i / tau), as Algorithm 6 says
    E-02  record i survives with half of that, as equation (7) says
    E-10  only records above 0 take part, so that 0 is the placeholder
    E-13  the public rank A / (2 tau), A = sum min(eps_i, tau), in place of the survivors' middle

In print tau is the saturation threshold, (eps^2 + 8) / eps for one user. With one record N on the
grid 0, ..., N, against none, the release N has the ratio

    1 - p + p (N + 1) / (1 + N e^(-tau/8)),

whose logarithm at eps = 0.1 and N = 1000 is 0.786 at the rate of Algorithm 6, and 0.468 at that of
equation (7) (PDP-CX3). Centered on the survivors the loss is that with tau / 16: smaller, and for
Algorithm 6 above the budget still.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.as_printed.rates import check_rate_slips, printed_rates
from mechanisms.claims import Order, PrivacyClaim
from mechanisms.laws import FLOATS
from mechanisms.personalized.budgets import (
    BudgetsArgument,
    check_budgets,
    personal_claim,
)
from mechanisms.personalized.diffusion.mixture import MixedLaw, mixed_law
from mechanisms.personalized.diffusion.rates import RationalRates, RightRates
from mechanisms.personalized.public_tau import STAGES, check_tau
from mechanisms.personalized.quantile.diffused_quantile import draw_diffused, held_places
from mechanisms.personalized.quantile.draw import ClampedRank
from mechanisms.personalized.quantile.law import centered_law, ranked_law
from mechanisms.personalized.quantile.point_grid import PointGrid, check_grid
from mechanisms.personalized.saturation import slow_saturate
from mechanisms.personalized.users import user_records
from mechanisms.validation import Number, check_fraction, check_size

__all__ = ["PrintedDiffusedQuantile"]

OTHER_SLIPS = ("E-10", "E-13")

TOLERANCE = 1e-9
"""Of a loss in doubles."""


@final
@dataclass(frozen=True, slots=True)
class PrintedDiffusedQuantile:
    """A point of a grid near the median of the records that survive, as printed.

    Parameters
    ----------
    budgets : sequence of int, float, str or Fraction
        Public, one epsilon for each user, in the order of the records.
    tau : int, float, str or Fraction, optional
        Public, from 1e-9 to 1e9; default the saturation threshold, and 1 if all budgets are 0.
    low, high : int, float, str or Fraction
        Public; records outside are left out.
    step : int, float, str or Fraction
        Public, greater than 0, in the unit of the data.
    beta : int, float, str or Fraction
        Failure probability of Algorithm 6, between 0 and 1; the stage has a quarter of it.
    slip : str
        "all", which is Algorithm 6, or some of "E-01", "E-02", "E-10", "E-13", joined by commas;
        not both of the first two.

    Claims
    ------
    Personalized, swap: budgets, as printed. False with "all", "E-01" or "E-02, E-13".

    References
    ----------
    .. [1] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 6, line of FindQuantile (PDP-E-01, PDP-E-02, PDP-E-13, PDP-CX3).
    """

    budgets: tuple[Fraction, ...]
    tau: Fraction
    low: Fraction
    high: Fraction
    step: Fraction
    beta: Fraction
    slip: str
    slips: frozenset[str] = field(repr=False, compare=False)
    rates: RightRates | RationalRates = field(repr=False, compare=False)
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
        beta: Number = "1/10",
        slip: str = "all",
    ) -> None:
        object.__setattr__(self, "budgets", check_budgets(budgets))
        if tau is None:
            tau = slow_saturate(self.budgets).threshold or 1
        exact_tau = check_tau(tau, self.budgets)
        object.__setattr__(self, "tau", exact_tau)
        grid = check_grid(low, high, step)
        object.__setattr__(self, "low", grid.low)
        object.__setattr__(self, "high", grid.high)
        object.__setattr__(self, "step", grid.step)
        object.__setattr__(self, "beta", check_fraction(beta, "beta", above=0, below=1))
        object.__setattr__(self, "slip", slip)
        object.__setattr__(self, "slips", check_rate_slips(slip, OTHER_SLIPS))
        rates = printed_rates(self.budgets, exact_tau, self.slips)
        object.__setattr__(self, "rates", rates)

    @property
    def count(self) -> int:
        """Number of users."""
        return len(self.budgets)

    @property
    def claim(self) -> PrivacyClaim:
        """The budget of each user, as printed."""
        return personal_claim(self.budgets, "Algorithm 6 (errata PDP-E-01, PDP-E-02)")

    @property
    def counterexample(self) -> tuple[list[float], list[float]] | None:
        """The largest record of the only user against none, where that loses more than its budget.

        With E-10 the record 0 is none, if the grid has it.
        """
        last, kept = self.grid.last, self.rates.mass(0, FLOATS)
        steps = 8 if "E-13" in self.slips else 16  # the other points lose 1 or 1/2
        ratio = (last + 1) / (1 + last * np.exp(-float(self.tau) / steps))
        loss = float(np.log1p(kept * (ratio - 1)))
        largest = self.grid.point(last)
        counted = largest > 0 or "E-10" not in self.slips
        if self.count > 1 or not counted or loss <= float(self.budgets[0]) + TOLERANCE:
            return None
        nothing = 0.0 if "E-10" in self.slips and self.low <= 0 else np.nan
        return [float(largest)], [nothing]

    @property
    def grid(self) -> PointGrid:
        """The points that may be released."""
        return PointGrid(self.low, self.high, self.step)

    @property
    def rank(self) -> ClampedRank | None:
        """The public rank of the median, with E-13."""
        if "E-13" not in self.slips:
            return None
        spent = sum(min(budget, self.tau) for budget in self.budgets)
        return ClampedRank(float(spent / (2 * self.tau)), float(self.beta / STAGES))

    def exact_law(self, data: Any) -> MixedLaw:
        """State the output law on `data`, array_like of shape (n,), for up to 12 users."""
        epsilon, rank = self.tau / STAGES, self.rank

        def law(left: Sequence[int | None]) -> Any:
            places = [x for x in left if x is not None]
            if rank is None:
                return centered_law(epsilon, self.grid, places)
            return ranked_law(epsilon, self.grid, places, rank)

        return mixed_law(self.rates, held_places(self._places(data)), law)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases, shape (size,); data, rng and errors as of the sound form."""
        size = check_size(size)
        places, epsilon = self._places(data), float(self.tau / STAGES)
        drawn = draw_diffused(
            places, self.rates, self.grid.last, epsilon, size, rng=rng, rank=self.rank
        )
        return self.grid.points(drawn)

    def _places(self, data: Any) -> NDArray[np.float64]:
        """Places of the records that take part; inf where there is none."""
        places = self.grid.places(user_records(data, self.count))
        if "E-10" in self.slips:
            places[places <= float(-self.low // self.step)] = np.inf
        return places
