"""Diffused answers: losses of exactly the budgets, the law as a mixture, and exact draws."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from audit.exact.cells.level_laws import point_pmf
from audit.exact.exact_numbers import as_ball
from audit.exact.exact_search import search
from mechanisms.errors import InvalidArgument
from mechanisms.personalized.diffusion.answer_law import AnswerLaw
from mechanisms.personalized.diffusion.answers import DiffusedAnswers
from mechanisms.personalized.diffusion.mixture import mixed_law
from mechanisms.personalized.diffusion.rates import RationalRates
from mechanisms.protocols import Arithmetic
from proofs_check.enclosure import Balls, endpoints
from proofs_check.exponential import ExpSum

F = Fraction
BOT = math.nan
VALUES = (0.0, 1.0, BOT)
NUMBERS = Balls(256)


def probabilities(law: AnswerLaw) -> dict[Any, Any]:
    """Mass of each vector of bits, as balls."""
    pmf = point_pmf(law)  # type: ignore[arg-type]
    total = as_ball(pmf.total, 256)
    return {bits: as_ball(mass, 256) / total for bits, mass in pmf.masses}


def floats(law: AnswerLaw) -> np.ndarray:
    """Mass of each vector of bits, ascending."""
    found = probabilities(law)
    return np.array([float(sum(endpoints(found[bits])) / 2) for bits in sorted(found)])


def neighbors(count: int, user: int) -> list[tuple[Any, Any]]:
    """All data of zeros, ones and placeholders that differ in one user's record."""
    pairs = []
    for rest in product(VALUES, repeat=count - 1):
        for x, y in combinations(VALUES, 2):
            sides = [(*rest[:user], z, *rest[user:]) for z in (x, y)]
            pairs.append((sides[0], sides[1]))
    return pairs


@pytest.mark.parametrize("user", [0, 1])
def test_every_user_loses_exactly_the_budget(user: int) -> None:
    """All pairs must keep the user's budget, and some reach it: nothing less holds."""
    mechanism = DiffusedAnswers(("1/10", 1))
    budget = mechanism.budgets[user]
    found = search(mechanism, neighbors(2, user), budget, F(0))
    assert found.broken is None
    assert found.ratio is not None
    lower, upper = endpoints(NUMBERS.log(found.ratio))
    assert lower <= budget <= upper
    less = budget - F(1, 10**30)
    assert search(mechanism, neighbors(2, user), less, F(0)).broken is not None


@pytest.mark.parametrize(("budget", "loss"), [(0, 0), ("1/10", F(1, 10)), (2, 2), (3, 2)])
def test_no_user_loses_more_than_tau(budget: Any, loss: Fraction) -> None:
    """A budget of 0 must lose nothing, one beyond tau exactly tau."""
    mechanism = DiffusedAnswers(budget, tau=2)
    assert search(mechanism, neighbors(1, 0), F(loss), F(0)).broken is None
    if loss:
        less = F(loss) - F(1, 10**20)
        assert search(mechanism, neighbors(1, 0), less, F(0)).broken is not None


@dataclass(frozen=True)
class Answers:
    """Law of the bits of survivors, as a finite law."""

    tau: Fraction
    survivors: tuple[int | None, ...]
    rational: bool = False
    cuts: tuple[Fraction, ...] = ()

    def masses(
        self,
        numbers: Arithmetic[Any],
        cuts: Sequence[Fraction] = (),  # noqa: ARG002
    ) -> Mapping[Hashable, Any]:
        """Of each vector of bits."""
        high = numbers.exp(numbers.rational(self.tau))
        found: dict[Hashable, Any] = {}
        for bits in product((0, 1), repeat=len(self.survivors)):
            mass = numbers.rational(F(1))
            for bit, record in zip(bits, self.survivors, strict=True):
                alike = bit == (record == 1)
                mass = mass * (high if alike else numbers.rational(F(1))) / (1 + high)
            found[bits] = mass
        return found

    def describe(self, outcome: Hashable) -> str:
        """Name it."""
        return str(outcome)


@pytest.mark.parametrize("data", [[1.0, 0.0, 1.0], [1.0, 1.0, BOT], [0.3, BOT, 0.5]])
@pytest.mark.parametrize("printed", [False, True])
def test_law_is_the_mixture_over_survivors(data: list[float], printed: bool) -> None:
    """The product of the users' masses must be the mixture over all sets of survivors."""
    mechanism = DiffusedAnswers(("1/10", "1/2", 12))
    law = mechanism.exact_law(data)
    if printed:
        law = AnswerLaw(mechanism.tau, RationalRates((F(1, 9), F(1, 2), F(1))), law.ones)
    records = [None if math.isnan(x) else int(x >= 0.5) for x in data]
    mixture = mixed_law(law.rates, records, lambda left: Answers(law.tau, tuple(left)))
    slow, found = mixture.masses(NUMBERS), probabilities(law)
    assert slow.keys() == found.keys()
    for bits, mass in found.items():
        lower, upper = endpoints(mass - slow[bits])
        assert lower <= 0 <= upper
        assert upper - lower < F(1, 10**40)


def test_weights_have_one_total() -> None:
    """Weights must add up to (1 + e^tau)^n on all data."""
    mechanism = DiffusedAnswers(("1/10", 12), tau="3/2")
    high = ExpSum.exp(F(3, 2)) + 1
    for data in product(VALUES, repeat=2):
        assert point_pmf(mechanism.exact_law(data)).total == high * high  # type: ignore[arg-type]


def test_values_of_one_user_are_the_reference() -> None:
    """P(1 | 1) and P(1 | 0) at eps = 1, tau = 9 must have the ratio e (PDP-CX2)."""
    mechanism = DiffusedAnswers(1, 9)
    one, zero = (floats(mechanism.exact_law([x]))[1] for x in (1.0, 0.0))
    assert one == pytest.approx(math.e * 0.000123394575986232, rel=1e-13)
    assert zero == pytest.approx(0.000123394575986232, rel=1e-13)
    assert mechanism.exact_law([BOT]).weights == mechanism.exact_law([0.0]).weights


def test_tiny_probabilities_are_kept(dp_rng: np.random.Generator) -> None:
    """At tau = 100 no bit may be flipped, and no record of budget 1e-3 survive, in 1e5 draws."""
    mechanism = DiffusedAnswers(("1/1000", 100), tau=100)
    draws = mechanism.sample([1.0, 1.0], 100_000, rng=dp_rng)
    assert draws.sum(axis=0).tolist() == [0, 100_000]


def test_shapes_and_records(dp_rng: np.random.Generator) -> None:
    """Draws must be bits (size, n), also of one user; a record from 1/2 on is a 1."""
    assert DiffusedAnswers(1).sample([BOT], 7, rng=dp_rng).shape == (7, 1)
    mechanism = DiffusedAnswers("1/2, 3")
    assert mechanism.record_range == (F(0), F(1))
    assert mechanism.sample([0.5, 0.49], 3, rng=dp_rng).shape == (3, 2)
    assert mechanism.exact_law([0.5, 0.49]).ones == (True, False)


def test_counts_that_do_not_fit_raise(dp_rng: np.random.Generator) -> None:
    """Another number of records must raise, as an exact law of many users."""
    with pytest.raises(InvalidArgument, match="3 users"):
        DiffusedAnswers().sample([1.0], 1, rng=dp_rng)
    with pytest.raises(InvalidArgument, match="at most 8 users"):
        DiffusedAnswers((1,) * 9).exact_law([0.0] * 9)
