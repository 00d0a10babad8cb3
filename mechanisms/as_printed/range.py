"""The range of PDP as Algorithm 6 prints it.

Errata PDP-E-01 and PDP-E-02. The stages spend tau on the survivors, and by Theorem 10 user i then
loses ln(1 + p_i (e^tau - 1)). The print has p_i = eps_i / tau (Algorithm 6) or eps_i / (2 tau)
(equation (7)), far above (e^eps_i - 1) / (e^tau - 1) where tau is large; the printed tau is
eps + 8 / eps for one user. At eps = 0.1 that user's record 1001.3 in place of 1 makes a center in
(1000.3, 1001.3] e^7.5 times as likely (PDP-CX1). The slips that cost accuracy stand in
`mechanisms.as_printed.range_stages`; the sound form is `mechanisms.personalized.range.interval`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.as_printed.center_law import CenterLaw, center_law
from mechanisms.as_printed.range_stages import (
    SLIPS,
    PrintedStages,
    check_printed_tau,
    far_and_near,
    printed_stages,
)
from mechanisms.as_printed.rates import check_rate_slips
from mechanisms.claims import Order, PrivacyClaim
from mechanisms.personalized.budgets import BudgetsArgument, check_budgets, personal_claim
from mechanisms.personalized.range.interval import RANGE_RELEASES, RECORD_RANGE, released_range
from mechanisms.personalized.range.stages import Stages
from mechanisms.personalized.sparse.radius import check_beta
from mechanisms.personalized.users import user_records
from mechanisms.validation import Number, check_choice, check_size

__all__ = ["PrintedRange"]


@final
@dataclass(frozen=True, slots=True)
class PrintedRange:
    """Algorithm 6 with some of its errata.

    Parameters
    ----------
    budgets, beta, release
        As in `mechanisms.personalized.range.interval.PersonalizedRange`.
    slip : str
        "all", or some of E-01, E-02, E-08, E-10, E-11, E-12, E-13, joined by commas; the others are
        repaired. E-01 and E-02 exclude each other; "all" holds E-01.
    tau : "saturation", int, float, str or Fraction, optional
        What the stages spend on the survivors: the saturation threshold of the budgets, or a
        public number from 1e-9 to 1e9. Default the threshold with E-01 or E-02, else as in the
        sound form.

    Claims
    ------
    Personalized, swap: budgets, as printed. False with E-08, and for one user with E-01 at budgets
    up to 1/2 and with E-02 up to 2/5 (PDP-CX1). In general Theorem 10 grants more loss than the
    budget with E-01 for every budget below tau, and with E-02 if tau is above 1.2564. True with the
    others alone.

    References
    ----------
    .. [1] Dong and Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 6 and equation (7) (PDP-A6, PDP-CX1, PDP-E-01, PDP-E-02, PDP-E-08,
       PDP-E-10, PDP-E-11, PDP-E-12, PDP-E-13).
    """

    budgets: tuple[Fraction, ...]
    beta: Fraction
    slip: str
    tau: Fraction
    release: str
    stages: PrintedStages | None = field(repr=False, compare=False)
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
        release: str = "range",
    ) -> None:
        exact, slips = check_budgets(budgets), check_rate_slips(slip, SLIPS)
        object.__setattr__(self, "budgets", exact)
        object.__setattr__(self, "beta", check_beta(beta))
        object.__setattr__(self, "slip", slip)
        object.__setattr__(self, "tau", check_printed_tau(tau, exact, slips))
        object.__setattr__(self, "release", check_choice(release, "release", RANGE_RELEASES))
        object.__setattr__(self, "stages", printed_stages(exact, self.tau, self.beta, slips))

    @property
    def slips(self) -> frozenset[str]:
        """The errata that are in."""
        return check_rate_slips(self.slip, SLIPS)

    @property
    def claim(self) -> PrivacyClaim:
        """What the print promises."""
        return personal_claim(self.budgets, "Algorithm 6 and Lemma 17 (errata PDP-E-01, PDP-E-02)")

    @property
    def count(self) -> int:
        """Public number of users."""
        return len(self.budgets)

    @property
    def counterexample(self) -> tuple[list[float], list[float]] | None:
        """The records 1001.3 and 1 of one user with a budget from 1/1000 to 1/2 (2/5 with E-02)."""
        return far_and_near(self.budgets, self.tau, self.beta, self.slips)

    def exact_law(self, data: Any) -> CenterLaw:
        """State the law of whether the center lies in (1000.3, 1001.3], for one user.

        `data`, shape (1,): the record. Raises InvalidArgument if there is more than one user.
        """
        rates = None if self.stages is None else self.stages.rates
        values = user_records(data, self.count)
        return center_law(values, rates, self.tau, self.beta, slips=self.slips)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent ranges.

        `data`, shape (n,): one record for each user; what is no finite number is the placeholder.
        Returns shape (size, 2), (size,) or (size, 4): in the unit of the data: low and high; with
        release="center" the centers; with release="all" b, R1, m and R2. Zeros if all budgets are
        0.
        """
        size = check_size(size)
        values = user_records(data, self.count)
        if self.stages is None:
            return released_range(Stages.constant(size), self.release)
        return released_range(self.stages.draw(values, size, rng=rng), self.release)
