"""The mean of PDP as Algorithm 7 runs it with the printed Algorithms 3 to 6.

Half of each budget goes to the printed range (`mechanisms.as_printed.range`), whose rates break the
promise (PDP-E-01, PDP-E-02), half to the weighted mean (`mechanisms.as_printed.adpm`), where the
print sorts the budgets without the records (PDP-E-03) and has another recursion (PDP-E-30). With
negatives dropped (PDP-E-10) a mean of -50 standard deviations is off by about 50 of them, and
half radii (PDP-E-11) cost about 10 at 50. The sound form is `mechanisms.personalized.range.mean`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.as_printed import adpm, range_stages
from mechanisms.as_printed.range_stages import (
    PrintedStages,
    check_printed_tau,
    far_and_near,
    printed_stages,
)
from mechanisms.as_printed.rates import check_rate_slips
from mechanisms.claims import Order, PrivacyClaim
from mechanisms.personalized.budgets import (
    BudgetsArgument,
    as_floats,
    check_budgets,
    halves,
    personal_claim,
)
from mechanisms.personalized.public_tau import SHARES
from mechanisms.personalized.range.interval import RECORD_RANGE
from mechanisms.personalized.range.mean import MEAN_RELEASES, draw_means, released_mean
from mechanisms.personalized.range.stages import Stages
from mechanisms.personalized.saturation import saturate
from mechanisms.personalized.sparse.radius import check_beta
from mechanisms.personalized.users import user_records
from mechanisms.validation import Number, check_choice, check_size

__all__ = ["SLIPS", "PrintedMean"]

SLIPS = ("E-03", "E-30", *range_stages.SLIPS)
"""Errata of the mean besides the rates: those of the weights, and those of the range."""


@final
@dataclass(frozen=True, slots=True)
class PrintedMean:
    """Algorithm 7 with some of the errata of Algorithms 3 to 6.

    Parameters
    ----------
    budgets, beta, release
        As in `mechanisms.personalized.range.mean.PersonalizedMean`.
    slip : str
        "all", or some of E-01, E-02, E-03, E-08, E-10, E-11, E-12, E-13, E-30, joined by commas;
        the others are repaired. E-01 and E-02 exclude each other; "all" holds E-01.
    tau : "saturation", int, float, str or Fraction, optional
        What the stages of the range spend on the survivors: the saturation threshold of the halved
        budgets, or a public number from 1e-9 to 1e9. Default the threshold with E-01 or E-02, else
        as in the sound form.

    Claims
    ------
    Personalized, swap: budgets, as printed. False with E-01 or E-02 where the printed range is
    (`mechanisms.as_printed.range`), with E-08, and with E-03 unless each record's weight keeps its
    budget by chance; true with the others alone.

    References
    ----------
    .. [1] Dong and Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 7 and Theorem 11 (PDP-A7, PDP-T11, PDP-CX1, PDP-CX6).
    """

    budgets: tuple[Fraction, ...]
    beta: Fraction
    slip: str
    tau: Fraction
    release: str
    stages: PrintedStages | None = field(repr=False, compare=False)
    spent: NDArray[np.float64] = field(repr=False, compare=False)
    order: ClassVar[Order] = Order.FIXED
    record_range: ClassVar[tuple[Fraction, Fraction]] = RECORD_RANGE
    """Between which numbers records are tried."""
    placeholder: ClassVar[bool] = True
    """NaN stands for a missing record; with E-10 it is the same as 0."""

    def __init__(
        self,
        budgets: BudgetsArgument = ("1/10",),
        beta: Number = "9/10",
        slip: str = "all",
        tau: Number | None = None,
        release: str = "mean",
    ) -> None:
        exact, slips = check_budgets(budgets), check_rate_slips(slip, SLIPS)
        half = halves(exact)
        object.__setattr__(self, "budgets", exact)
        object.__setattr__(self, "beta", check_beta(beta))
        object.__setattr__(self, "slip", slip)
        object.__setattr__(self, "tau", check_printed_tau(tau, half, slips))
        object.__setattr__(self, "release", check_choice(release, "release", MEAN_RELEASES))
        stages = printed_stages(half, self.tau, self.beta / SHARES, slips)
        object.__setattr__(self, "stages", stages)
        object.__setattr__(self, "spent", _spent(half, slips))

    @property
    def slips(self) -> frozenset[str]:
        """The errata that are in."""
        return check_rate_slips(self.slip, SLIPS)

    @property
    def claim(self) -> PrivacyClaim:
        """What the print promises."""
        return personal_claim(
            self.budgets, "Algorithm 7 and Theorem 11 (errata PDP-E-01, PDP-E-03)"
        )

    @property
    def count(self) -> int:
        """Public number of users."""
        return len(self.budgets)

    @property
    def counterexample(self) -> tuple[list[float], list[float]] | None:
        """The records 1001.3 and 1 of one user, if the center of the range is released.

        Its loss alone is then larger than the whole budget.
        """
        if self.release != "all":
            return None
        half = halves(self.budgets)
        return far_and_near(half, self.tau, self.beta / SHARES, self.slips, parts=2)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent means.

        `data`, shape (n,): one record for each user; what is no finite number is the placeholder.
        Returns shape (size,) or, with release="all", (size, 5): in the unit of the data, always
        finite: the means; or b, R1, m, R2 and the mean. Zeros if all budgets are 0.
        """
        size = check_size(size)
        values = user_records(data, self.count)
        if self.stages is None:
            return released_mean(Stages.constant(size), np.zeros(size), self.release)
        if "E-10" in self.slips:
            values = np.where(np.isnan(values), 0.0, values)
        stages = self.stages

        def ranges(draws: int) -> Stages:
            return stages.draw(values, draws, rng=rng)

        found = draw_means(values, size, ranges, self.spent, rng=rng)
        return released_mean(*found, self.release)


def _spent(half: tuple[Fraction, ...], slips: frozenset[str]) -> NDArray[np.float64]:
    """What the weighted mean spends on each record, proportional to its weight."""
    kept = slips.intersection(adpm.SLIPS)
    if not kept:
        return saturate(as_floats(half)).saturated
    return as_floats(adpm.PrintedADPM(half, slip=",".join(sorted(kept))).losses)
