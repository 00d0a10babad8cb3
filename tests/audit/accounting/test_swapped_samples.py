"""Sampled steps under swap: a lower end from a pair, and an upper one from two group steps."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from mechanisms.errors import InvalidArgument
from proofs_check.composition.closed_forms import OneLoss
from proofs_check.composition.group import Bracket
from proofs_check.composition.laws import Gaussian
from proofs_check.composition.opposite_records import Opposed
from proofs_check.enclosure import Balls, endpoints
from proofs_check.ends import Enclosed
from tests.audit.accounting.plans import GAUSSIAN, SAMPLED, account

KNOWN = {1: ("0.2093714", "0.2093717"), 10: ("0.4075728", "0.4075745")}
"""Lower ends that an implementation in plain integers has found."""


@pytest.mark.parametrize("count", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_the_lower_end_is_that_of_the_pair(count: int) -> None:
    """It must hold, and that the upper end is the one of two group steps, at most."""
    lower, upper = map(Fraction, KNOWN[count])
    found = account(SAMPLED | {"count": count}, relation="swap").epsilon
    assert found.lower is not None
    assert found.upper is not None
    assert lower * Fraction(99, 100) <= found.lower <= upper
    assert found.lower < found.upper
    one = account(SAMPLED | {"count": count}).epsilon
    assert one.lower is not None
    assert found.upper >= 2 * one.lower * Fraction(9, 10)


def test_a_total_is_refuted_below_the_pair_and_proved_above_the_group() -> None:
    """It must hold, that between it is left open, and that the note says why."""
    verdicts = {}
    for claim in ("0.2", "0.3", "0.7"):
        result = account(SAMPLED, relation="swap", claim=claim)
        verdicts[claim] = result.verdict.value
        assert any("removing and adding" in note for note in result.notes)
    assert verdicts == {"0.2": "REFUTED", "0.3": "INCONCLUSIVE", "0.7": "PROVED"}


class Fixed:
    """Ends of delta that are the same everywhere."""

    def __init__(self, delta: Fraction) -> None:
        self.ends = delta, delta

    def delta(self, _: Fraction) -> tuple[Fraction, Fraction]:
        """What it was made with."""
        return self.ends

    def epsilon(self, _: Fraction) -> Enclosed:
        """Nothing asks for it."""
        return Enclosed(None, None)


def test_the_upper_end_is_that_of_two_steps() -> None:
    """It must hold that it is H_e of one step and e^e times that of the other, at twice e."""
    found = Bracket(*(Fixed(Fraction(1, n)) for n in (100, 50, 20)))
    lower, upper = found.delta(Fraction(2))
    assert lower == Fraction(1, 100)
    assert math.isclose(upper, 1 / 50 + math.e / 20, rel_tol=1e-12)
    assert found.delta(Fraction(20))[1] == 1


def test_no_sampling_is_the_step_itself() -> None:
    """It must hold of rates 1 and 0, where the ends are those of the noise and of nothing."""
    step = SAMPLED | {"sigma": 5}
    plain = account(GAUSSIAN, relation="swap").epsilon
    assert account(step | {"q": 1}, relation="swap").epsilon == plain
    assert account(step | {"q": 0}, relation="swap").epsilon.upper == 0


@pytest.mark.parametrize("loss", ["-1", "-1/100", "0", "1/100", "1", "3"])
def test_tails_of_opposed_laws_have_the_ratio_of_their_loss(loss: str) -> None:
    """It must hold at the point itself: the slopes of both tails are e^loss apart."""
    numbers = Balls(192)
    law = Opposed(Fraction(1), Fraction(1, 10))
    at, step = Fraction(loss), Fraction(1, 10**6)
    ends = [law.tails(numbers.rational(x), numbers) for x in (at - step, at + step)]
    p, q = (ends[0][side] - ends[1][side] for side in (0, 1))
    ratio = p / (q * numbers.exp(numbers.rational(at)))
    lower, upper = endpoints(ratio)
    assert Fraction(999_999, 10**6) < lower <= upper < Fraction(1_000_001, 10**6)


def test_opposed_laws_lose_less_than_the_noise_alone() -> None:
    """It must hold at every epsilon, and more than a smaller rate does."""
    whole = OneLoss(Gaussian(Fraction(4)))
    some, fewer = (OneLoss(Opposed(Fraction(1), Fraction(1, n))) for n in (2, 4))
    for epsilon in (Fraction(0), Fraction(1, 2), Fraction(2)):
        assert fewer.excess(epsilon)[1] < some.excess(epsilon)[0]
        assert some.excess(epsilon)[1] < whole.excess(epsilon)[0]


WRONG: dict[str, list[dict[str, Any]]] = {
    "beside a response": [SAMPLED, {"event": "randomized-response", "keep": "1/2"}],
    "beside a claim": [SAMPLED, {"event": "pure-dp", "epsilon": 1}],
    "with a distance of its own": [SAMPLED | {"swap_sensitivity": 1}],
    "of Laplace noise": [{"event": "poisson-laplace", "scale": 1, "sensitivity": 1, "q": ".1"}],
}


@pytest.mark.parametrize("name", WRONG)
def test_what_has_no_upper_end_is_refused(name: str) -> None:
    """It must hold: a claim under swap says nothing of a record that is removed."""
    with pytest.raises(InvalidArgument):
        account(*WRONG[name], relation="swap")
