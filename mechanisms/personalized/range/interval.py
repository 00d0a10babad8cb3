"""A range that holds nearly all records, under personalized privacy (PDP, Algorithm 6, repaired).

User i's record survives with probability

    p_i = min(1, (e^eps_i - 1) / (e^tau - 1)),

and four stages (`mechanisms.personalized.range.stages`) run on the survivors with a public tau. The
range is [m - R2, m + R2]. The stages cost tau on the survivors, so the range costs user i at most
eps_i (PDP-T10), whatever tau is. The print has other rates, eps_i / tau (PDP-E-01, with which the
promise is false) or eps_i / (2 tau) (PDP-E-02), and drops what is not positive (PDP-E-10).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, Relation
from mechanisms.composition import Composition
from mechanisms.personalized.budgets import BudgetsArgument, check_budgets, personal_claim
from mechanisms.personalized.diffusion.rates import RightRates
from mechanisms.personalized.public_tau import check_tau
from mechanisms.personalized.range.gaussian_range import (
    range_claims,
    range_share,
    range_stage,
    reach,
)
from mechanisms.personalized.range.stages import Stages, draw_stages, stages_step
from mechanisms.personalized.sparse.radius import check_beta
from mechanisms.personalized.users import user_records
from mechanisms.utility_claims import RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_choice, check_size

__all__ = ["RANGE_RELEASES", "RECORD_RANGE", "PersonalizedRange", "released_range"]

RANGE_RELEASES = ("range", "center", "all")
"""What may be released: both ends, the center, or what all stages found."""

RECORD_RANGE = (Fraction(-1000), Fraction(1000))
"""Between which records are tried: the range has no bounds, radii double up to far beyond."""


@final
@dataclass(frozen=True, slots=True)
class PersonalizedRange:
    """A range found by four private stages on records that survived.

    Parameters
    ----------
    budgets : sequence of int, float, str or Fraction
        One epsilon for each user, in the order of the records; public, from 0 to 1e9.
    beta : int, float, str or Fraction
        Probability of failure, greater than 0 and less than 1; at least 1e-100.
    tau : int, float, str or Fraction, optional
        What the stages spend on the survivors; public, from 1e-9 to 1e9. Default the budget that
        maximizes tau times the expected number of survivors.
    release : {"range", "center", "all"}
        Both ends m - R2 and m + R2, or m alone, or all of b, R1, m and R2.

    Claims
    ------
    Personalized, swap: budgets, also for a record that becomes the placeholder.

    References
    ----------
    .. [1] Dong and Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 6 and Theorem 10 (PDP-A6, PDP-T10, PDP-E-01, PDP-E-02, PDP-E-10,
       PDP-E-13).
    """

    budgets: tuple[Fraction, ...]
    beta: Fraction
    tau: Fraction
    release: str
    rates: RightRates | None = field(repr=False, compare=False)
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
        release: str = "range",
    ) -> None:
        exact = check_budgets(budgets)
        object.__setattr__(self, "budgets", exact)
        object.__setattr__(self, "beta", check_beta(beta))
        object.__setattr__(self, "tau", check_tau(tau, exact))
        object.__setattr__(self, "release", check_choice(release, "release", RANGE_RELEASES))
        object.__setattr__(self, "rates", RightRates(exact, self.tau) if any(exact) else None)

    @property
    def claim(self) -> PrivacyClaim:
        """Each user's budget for its record replaced, also from or to the placeholder."""
        return personal_claim(self.budgets, "Algorithm 6, repaired, and Theorem 10")

    def private_steps(self) -> Composition:
        """State the four stages on the survivors."""
        step = stages_step(self.budgets, self.tau)
        return Composition(Relation.SWAP, step, self.count, "PDP-A6p")

    @property
    def count(self) -> int:
        """Public number of users."""
        return len(self.budgets)

    @property
    def estimate_column(self) -> int | None:
        """Of both ends the low one; of all that the stages find the center."""
        return {"range": 0, "center": None, "all": 2}[self.release]

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State how far the range, or its center, is off on Gaussian records."""
        if not law.normal or count != self.count or self.rates is None:
            return ()
        stage = range_stage(self.budgets, self.tau, self.beta, range_share(self.beta))
        found = reach(stage, law.mean, math.sqrt(law.variance))
        return () if found is None else range_claims(law, found, self.release, self.beta)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent ranges.

        `data`, shape (n,): one record for each user; what is no finite number is the placeholder.
        Returns shape (size, 2), (size,) or (size, 4): in the unit of the data: low and high; with
        release="center" the centers; with release="all" b, R1, m and R2. Zeros if all budgets are
        0.
        """
        size = check_size(size)
        values = user_records(data, self.count)
        if self.rates is None:
            return released_range(Stages.constant(size), self.release)
        stages = draw_stages(values, self.rates, self.tau, self.beta, size, rng=rng)
        return released_range(stages, self.release)


def released_range(stages: Stages, release: str) -> NDArray[np.float64]:
    """Return what of the stages is released, one of `RANGE_RELEASES`."""
    if release == "all":
        return stages.table
    if release == "center":
        return stages.center
    return np.column_stack((stages.low, stages.high))
