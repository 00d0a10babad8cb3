"""Diffused answers: the stage on which diffusion costs exactly what Theorem 10 grants (PDP-CX2).

Each user's record, 1 or 0, survives with probability p_i. The release is a bit for each user,

    P(bit = 1) = e^tau / (1 + e^tau) if the surviving record is 1, else 1 / (1 + e^tau),

which is tau-private, and no weaker promise holds. After diffusion at the right rates

    p_i = min(1, (e^eps_i - 1) / (e^tau - 1))

the ratio of the probabilities of a 1 is exactly e^eps_i, or e^tau for a budget beyond tau.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, Relation
from mechanisms.composition import AnswerStep, Composition, Survivors
from mechanisms.noise.exact_bits import bernoulli_logistic
from mechanisms.personalized.budgets import (
    LARGEST,
    BudgetsArgument,
    check_budgets,
    personal_claim,
)
from mechanisms.personalized.diffusion.answer_law import AnswerLaw
from mechanisms.personalized.diffusion.rates import Rates, RightRates
from mechanisms.personalized.sparse.pairs import chunks
from mechanisms.personalized.users import user_records
from mechanisms.validation import Number, check_fraction, check_size

__all__ = ["BOUNDARY", "DiffusedAnswers", "draw_answers"]

BOUNDARY = 0.5
"""A record from here on is 1."""


@final
@dataclass(frozen=True, slots=True)
class DiffusedAnswers:
    """A bit for each user, from a record that survives diffusion.

    Parameters
    ----------
    budgets : sequence of int, float, str or Fraction
        Public, one epsilon for each user, in the order of the records.
    tau : int, float, str or Fraction
        Public; how private the answers are to the survivors, greater than 0.

    Claims
    ------
    Personalized, swap: budgets, also for a record that becomes the placeholder. The loss of user i
    is exactly min(eps_i, tau).

    References
    ----------
    .. [1] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Theorem 10 (PDP-T10, PDP-CX2).
    """

    budgets: tuple[Fraction, ...]
    tau: Fraction
    rates: RightRates = field(repr=False, compare=False)
    order: ClassVar[Order] = Order.FIXED
    record_range: ClassVar[tuple[Fraction, Fraction]] = (Fraction(0), Fraction(1))
    """Records 0 and 1 lie on either side of 1/2."""
    placeholder: ClassVar[bool] = True
    """NaN is a record that is missing."""

    def __init__(self, budgets: BudgetsArgument = ("1/10", "1/2", 1), tau: Number = 9) -> None:
        object.__setattr__(self, "budgets", check_budgets(budgets))
        object.__setattr__(self, "tau", check_fraction(tau, "tau", above=0, at_most=LARGEST))
        object.__setattr__(self, "rates", RightRates(self.budgets, self.tau))

    @property
    def count(self) -> int:
        """Number of users."""
        return len(self.budgets)

    @property
    def claim(self) -> PrivacyClaim:
        """The budget of each user."""
        return personal_claim(self.budgets, "Theorem 10")

    def private_steps(self) -> Composition:
        """State the bit of a user, from the record that survives; those of others do not see it."""
        step = Survivors(self.budgets, self.tau, AnswerStep("the bit of the user", self.tau))
        return Composition(Relation.SWAP, step, self.count, "PDP-T10")

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


def draw_answers(
    ones: NDArray[np.bool_],
    rates: Rates,
    tau: Fraction,
    size: int,
    *,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Draw bits, shape (size, n), exactly with the stated probabilities.

    `ones`, shape (n,): whose record is 1. `rates`: survival probabilities. `tau`: greater than 0.
    """
    parts = []
    for draws in chunks(size, ones.size):
        told = rates.draw(draws, rng=rng) & ones
        flips = bernoulli_logistic(tau, told.size, rng.bytes).reshape(told.shape)
        parts.append((told ^ flips).astype(np.int64))
    return np.concatenate(parts)
