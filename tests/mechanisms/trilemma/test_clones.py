"""Clones: the finite sum against the ledger's, and the errors of single answers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.errors import InvalidArgument
from mechanisms.registry import build_mechanism
from mechanisms.trilemma.amplification import shuffle_epsilon_upper
from mechanisms.trilemma.clones import MOST_BLOCKS, clones_delta, clones_epsilon_upper
from mechanisms.trilemma.shuffled_mean import ShuffledMean
from mechanisms.utility_claims import Quantity
from proofs_check.arithmetic import ENCLOSED
from proofs_check.enclosure import endpoints
from proofs_check.papers.tri.chapter2.clones import clones_excess

F = Fraction
DRAWS = 200_000


@pytest.mark.parametrize(
    ("epsilon", "blocks", "level"),
    [("1", 1, "1/2"), ("1", 20, "1/10"), ("3", 9, "2"), ("1/10", 30, "0"), ("40", 3, "39")],
)
def test_tails_agree_with_the_sum_over_all_outcomes(epsilon: str, blocks: int, level: str) -> None:
    """It must hold to 1e-14, at large epsilons too; one block more must be seen."""
    e = ENCLOSED.exp(F(epsilon))
    lower, upper = endpoints(clones_excess(e, blocks, ENCLOSED.exp(F(level)), 1 / e))
    assert upper - lower < F(1, 10**15)
    assert clones_delta(epsilon, blocks, level) == pytest.approx(float(lower), abs=1e-14)
    other = clones_delta(epsilon, blocks + 1, level)
    assert other != pytest.approx(float(lower), abs=1e-14) or float(lower) > 0.6


def test_a_single_block_loses_what_its_answer_does() -> None:
    """It must hold that one answer is randomized response: (e - E) / (1 + e)."""
    for level in (F(0), F(1, 3), F(9, 10)):
        expected = (math.e - math.exp(level)) / (1 + math.e)
        assert clones_delta(1, 1, level) == pytest.approx(expected, rel=1e-14)
    assert clones_delta(1, 1, 1) == clones_delta(1, 5, 2) == 0


@pytest.mark.parametrize(
    ("epsilon", "blocks", "delta"), [("1", 256, "1/100"), ("1/2", 300, "1/1000")]
)
def test_the_sum_is_far_below_the_theorem(epsilon: str, blocks: int, delta: str) -> None:
    """It must hold that it is less than a sixth of (2.2), and that 1e-6 less is not enough."""
    found = clones_epsilon_upper(epsilon, blocks, delta)
    assert 6 * found < shuffle_epsilon_upper(epsilon, blocks, delta)
    assert clones_delta(epsilon, blocks, found) <= float(F(delta))
    assert clones_delta(epsilon, blocks, found - F(1, 10**6)) > float(F(delta))


def test_many_blocks_have_the_theorem() -> None:
    """It must hold that more than 512 blocks are not summed, and no steps are stated."""
    many = ShuffledMean(blocks=MOST_BLOCKS + 1)
    assert many.epsilon1 == many.printed_epsilon1
    assert "exactly" not in many.claim.source.item
    with pytest.raises(InvalidArgument, match="at most 512 blocks"):
        many.private_steps()
    with pytest.raises(InvalidArgument, match="blocks"):
        clones_delta(1, MOST_BLOCKS + 1, 0)
    assert "exactly" in ShuffledMean().claim.source.item


def test_rows_gain_nothing() -> None:
    """It must hold that the claim depends on the blocks, whatever their records are."""
    one, three = (ShuffledMean(blocks=256, rows=rows) for rows in (1, 2))
    assert one.epsilon1 == three.epsilon1 > 0
    assert one.epsilon1 != ShuffledMean(blocks=257).epsilon1


def test_single_answers_have_the_stated_error() -> None:
    """It must hold for blocks of two records, and not with the variance of one row alone."""
    made = build_mechanism(
        "tri.shuffled-mean", epsilon=2, delta=1, blocks=100, rows=2, release="blocks"
    )
    data = np.linspace(-0.2, 1, 200) ** 2
    claims = {c.quantity: float(c.bound) for c in made.utility_claims(data)}
    error = made.sample(data, 20_000, rng=np.random.default_rng(4))[:, 0] - data.mean()
    spread = 5 * float(np.std(error**2)) / math.sqrt(error.size)
    assert abs(float(np.mean(error**2)) - claims[Quantity.MSE]) < spread
    one_row = float(np.var(data.reshape(100, 2)[:, 1])) / 4
    assert abs(float(np.mean(error**2)) - (claims[Quantity.MSE] - one_row)) > spread
    assert made.estimate_column == 0
    assert build_mechanism("tri.shuffled-mean").estimate_column is None
