"""A mean of real numbers without public bounds, under personalized privacy (PDP, Algorithm 7).

Each budget is halved. One half finds a range (`mechanisms.personalized.range.interval`) with
failure probability beta / 6. The other half weighs the records, clipped to that range of width h:

    sum w_i clip(x_i) + Lap(h / A),   w_i = eps'_i / A,   A = sum eps'_i,

where eps' are the saturated halves (`mechanisms.personalized.saturation`). The range is private and
h follows from it, so user i's total is at most eps_i / 2 + min(eps_i / 2, tau) <= eps_i. A
placeholder counts as the center of the range (the print's padding counts as 0, PDP-E-32). Sum and
noise are taken around the center, which is added last: it may be far larger than the noise, so that
sums of the records themselves would be rounded more coarsely than the noise hides.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, Relation
from mechanisms.composition import Composition, InTurn, LaplaceStep
from mechanisms.personalized.adpm import check_noise, draw_weighted
from mechanisms.personalized.budgets import (
    BudgetsArgument,
    as_floats,
    check_budgets,
    halves,
    personal_claim,
)
from mechanisms.personalized.diffusion.rates import RightRates
from mechanisms.personalized.public_tau import SHARES, check_tau
from mechanisms.personalized.range.gaussian_mean import error_claims, mean_error
from mechanisms.personalized.range.interval import RECORD_RANGE
from mechanisms.personalized.range.stages import CONSTANT, Stages, draw_stages, stages_step
from mechanisms.personalized.saturation import Saturation, saturate, slow_saturate
from mechanisms.personalized.sparse.pairs import chunks
from mechanisms.personalized.sparse.radius import check_beta
from mechanisms.personalized.users import user_records
from mechanisms.utility_claims import RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_choice, check_size

__all__ = ["MEAN_RELEASES", "PersonalizedMean", "draw_means", "released_mean"]

MEAN_RELEASES = ("mean", "all")
"""What may be released: the mean, or what all stages found as well."""


@final
@dataclass(frozen=True, slots=True)
class PersonalizedMean:
    """A weighted mean of records clipped to a private range.

    Parameters
    ----------
    budgets : sequence of int, float, str or Fraction
        One epsilon for each user, in the order of the records; public, from 0 to 1e9.
    beta : int, float, str or Fraction
        Probability of failure, greater than 0 and less than 1; at least 1e-100.
    tau : int, float, str or Fraction, optional
        What the stages of the range spend on the survivors; public, from 1e-9 to 1e9. Default the
        half of a budget that maximizes tau times the expected number of survivors.
    release : {"mean", "all"}
        The mean, or all of b, R1, m, R2 and the mean.

    Claims
    ------
    Personalized, swap: budgets, also for a record that becomes the placeholder, and for all that
    the stages find.

    References
    ----------
    .. [1] Dong and Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 7 and Theorem 11 (PDP-A7, PDP-T2, PDP-T11).
    """

    budgets: tuple[Fraction, ...]
    beta: Fraction
    tau: Fraction
    release: str
    rates: RightRates | None = field(repr=False, compare=False)
    saturation: Saturation = field(repr=False, compare=False)
    order: ClassVar[Order] = Order.FIXED
    record_range: ClassVar[tuple[Fraction, Fraction]] = RECORD_RANGE
    """Between which numbers records are tried."""
    placeholder: ClassVar[bool] = True
    """NaN stands for a missing record."""

    def __init__(
        self,
        budgets: BudgetsArgument = ("1/2", 1, 1),
        beta: Number = "1/10",
        tau: Number | None = None,
        release: str = "mean",
    ) -> None:
        exact = check_budgets(budgets)
        half = halves(exact)
        object.__setattr__(self, "budgets", exact)
        object.__setattr__(self, "beta", check_beta(beta))
        object.__setattr__(self, "tau", check_tau(tau, half))
        object.__setattr__(self, "release", check_choice(release, "release", MEAN_RELEASES))
        object.__setattr__(self, "rates", RightRates(half, self.tau) if any(half) else None)
        check_noise(half, Fraction(1), "1")
        object.__setattr__(self, "saturation", saturate(as_floats(half)))

    @property
    def claim(self) -> PrivacyClaim:
        """Each user's budget for its record replaced, also from or to the placeholder."""
        return personal_claim(self.budgets, "Algorithm 7 with the repaired Algorithm 6")

    def private_steps(self) -> Composition:
        """State the range, and the weighted sum of the records clipped to it."""
        half = halves(self.budgets)
        if not any(half):
            return Composition(Relation.SWAP, CONSTANT, self.count, "PDP-T11")
        # In units of the noise, whatever the range is: w_i h / (h / A) is the saturated half.
        moves = slow_saturate(half).saturated
        mean = LaplaceStep("the weighted sum of the clipped records", moves, Fraction(1))
        steps = InTurn((stages_step(half, self.tau), mean))
        return Composition(Relation.SWAP, steps, self.count, "PDP-T11")

    @property
    def count(self) -> int:
        """Public number of users."""
        return len(self.budgets)

    @property
    def estimate_column(self) -> int | None:
        """Of all that the stages find the last number, which is the mean."""
        return 4 if self.release == "all" else None

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State how rarely the mean of Gaussian records is farther off than its bound."""
        if not law.normal or count != self.count or self.rates is None:
            return ()
        half, sigma = halves(self.budgets), math.sqrt(law.variance)
        bound = mean_error(half, self.tau, self.beta, law.mean, sigma)
        return error_claims(law, bound, self.beta, "Theorem 11, with constants (ours)")

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent means.

        `data`, shape (n,): one record for each user; what is no finite number is the placeholder.
        Returns shape (size,) or, with release="all", (size, 5): in the unit of the data, always
        finite: the means; or b, R1, m, R2 and the mean. Zeros if all budgets are 0.
        """
        size = check_size(size)
        values = user_records(data, self.count)
        if self.rates is None:
            return released_mean(Stages.constant(size), np.zeros(size), self.release)
        rates, beta = self.rates, self.beta / SHARES

        def ranges(draws: int) -> Stages:
            return draw_stages(values, rates, self.tau, beta, draws, rng=rng)

        found = draw_means(values, size, ranges, self.saturation.saturated, rng=rng)
        return released_mean(*found, self.release)


def draw_means(
    values: NDArray[np.float64],
    size: int,
    ranges: Callable[[int], Stages],
    spent: NDArray[np.float64],
    *,
    rng: np.random.Generator,
) -> tuple[Stages, NDArray[np.float64]]:
    """Draw ranges and the means of the records clipped to them.

    `values`, shape (n,): records in the order of the users: finite, or NaN for the placeholder.
    `ranges`: draws so many ranges. `spent`, shape (n,): what the mean spends on each record,
    proportional to its weight.
    """
    parts, means = [], []
    for draws in chunks(size, values.size):
        found = ranges(draws)
        parts.append(found)
        low, high = -found.second_radius, found.second_radius
        moved = values - found.center[:, np.newaxis]
        mean = found.center + draw_weighted(moved, low, high, spent, rng=rng)
        means.append(mean + 0.0)
    return Stages.joined(parts), np.concatenate(means)


def released_mean(stages: Stages, means: NDArray[np.float64], release: str) -> NDArray[np.float64]:
    """Return what is released, one of `MEAN_RELEASES`."""
    if release == "all":
        return np.column_stack((stages.table, means))
    return means
