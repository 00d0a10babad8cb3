"""Diffused answers at the survival rates that are printed (PDP, Algorithm 6 and equation (7)).

With one user, eps = 1 and tau = 9 a 1 is 901 times as likely on the record 1 as on 0 at the rate
eps / tau of Algorithm 6 (erratum PDP-E-01), and 451 times at eps / (2 tau) of equation (7)
(PDP-E-02), where e was promised (PDP-CX2). The sound form is
`mechanisms.personalized.diffusion.answers.DiffusedAnswers`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.as_printed.rates import check_rate_slips, printed_rates
from mechanisms.claims import Order, PrivacyClaim
from mechanisms.laws import FLOATS
from mechanisms.personalized.budgets import (
    LARGEST,
    BudgetsArgument,
    check_budgets,
    personal_claim,
)
from mechanisms.personalized.diffusion.answer_law import AnswerLaw
from mechanisms.personalized.diffusion.answers import BOUNDARY, draw_answers
from mechanisms.personalized.diffusion.rates import RationalRates, RightRates
from mechanisms.personalized.users import user_records
from mechanisms.validation import Number, check_fraction, check_size

__all__ = ["PrintedDiffusedAnswers"]

TOLERANCE = 1e-9
"""Of a loss in doubles."""


@final
@dataclass(frozen=True, slots=True)
class PrintedDiffusedAnswers:
    """A bit for each user, from a record that survives at a printed rate.

    Parameters
    ----------
    budgets : sequence of int, float, str or Fraction
        Public, one epsilon for each user, in the order of the records.
    tau : int, float, str or Fraction
        Public; how private the answers are to the survivors, greater than 0.
    slip : {"all", "E-01", "E-02"}
        The rate of Algorithm 6 ("all" too), or that of equation (7).

    Claims
    ------
    Personalized, swap: budgets, as printed. False: a user with a budget below tau loses
    ln(1 + p (e^tau - 1)), more than the budget at either rate once tau is large.

    References
    ----------
    .. [1] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 6, equation (7) (PDP-E-01, PDP-E-02, PDP-E7, PDP-CX2).
    """

    budgets: tuple[Fraction, ...]
    tau: Fraction
    slip: str
    rates: RightRates | RationalRates = field(repr=False, compare=False)
    order: ClassVar[Order] = Order.FIXED
    record_range: ClassVar[tuple[Fraction, Fraction]] = (Fraction(0), Fraction(1))
    """Records 0 and 1 lie on either side of 1/2."""
    placeholder: ClassVar[bool] = True
    """NaN is a record that is missing."""

    def __init__(self, budgets: BudgetsArgument = (1,), tau: Number = 9, slip: str = "all") -> None:
        object.__setattr__(self, "budgets", check_budgets(budgets))
        object.__setattr__(self, "tau", check_fraction(tau, "tau", above=0, at_most=LARGEST))
        slips = check_rate_slips(slip)
        object.__setattr__(self, "slip", slip)
        object.__setattr__(self, "rates", printed_rates(self.budgets, self.tau, slips))

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
        """Record 1 against 0 of a user who loses more than its budget; the others have 0."""
        for user, budget in enumerate(self.budgets):
            if _loss(self.rates.mass(user, FLOATS), self.tau) > float(budget) + TOLERANCE:
                neighbor = [0.0] * self.count
                return [float(other == user) for other in range(self.count)], neighbor
        return None

    def exact_law(self, data: Any) -> AnswerLaw:
        """State the output law on `data`, array_like of shape (n,), for up to 8 users."""
        ones = user_records(data, self.count) >= BOUNDARY
        return AnswerLaw(self.tau, self.rates, tuple(ones.tolist()))

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw independent releases.

        `data`, shape (n,): one record for each user: 1 if at least 1/2, else 0; NaN is the
        placeholder. Returns shape (size, n): bits.
        """
        size = check_size(size)
        ones = user_records(data, self.count) >= BOUNDARY
        return draw_answers(ones, self.rates, self.tau, size, rng=rng)


def _loss(p: float, tau: Fraction) -> float:
    """ln(1 + p (e^tau - 1)), what diffusion at rate p costs."""
    with np.errstate(divide="ignore"):
        return float(np.logaddexp(np.log1p(-p), np.log(p) + float(tau)))
