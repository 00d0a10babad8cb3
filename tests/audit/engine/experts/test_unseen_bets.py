"""Bets on what only one arm has shown: rare atoms are refuted by a few hits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from audit.draws.settings import Settings
from audit.engine.experts.unseen_bets import UnseenBets
from audit.engine.sequential import audit
from audit.levels.supporting_lines import LineGrid
from audit.pairs.worst_cases import Pair
from audit.results.verdict import Verdict
from mechanisms.claims import ApproxDP, PureDP, Relation
from tests.audit.engine.samplers import claim, target
from tests.grids import lines_of

ONE = lines_of(PureDP(1), Relation.LISTED)
DRAWS = 10_000


def made(data: list[float], neighbor: list[float], grid: LineGrid = ONE) -> UnseenBets:
    """Bets on a past whose cells hold one value each and are in order."""
    past = np.array([data, neighbor]) / 2
    single = [np.ones(len(data), dtype=bool)]
    return UnseenBets.make([np.stack([past, past])], [len(data)], single, grid)


def batch(hits: int, other: int, *, likelier: int = 0) -> list[np.ndarray]:
    """Counts of a batch of 10000 draws of each arm, the last cell the rare one."""
    arms = [[DRAWS - hits, 0, hits], [DRAWS - other, 0, other]]
    return [np.array(arms if likelier == 0 else arms[::-1], dtype=float)]


@pytest.mark.parametrize("likelier", [0, 1], ids=["data", "neighbor"])
def test_a_hit_multiplies_the_wealth_and_nothing_else_costs(likelier: int) -> None:
    """It must hold that each hit brings log(1 + mu) to the accounts of its arm, at no cost."""
    arms = [[9990.0, 0, 10], [10000.0, 0, 0]]
    bets = made(*(arms if likelier == 0 else arms[::-1]))
    staked = bets.mu[:, ONE.claimed] > 0
    assert 1 <= staked.sum() <= len(staked) / 2
    none, one, eight = (
        bets.log_e(batch(hits, 0, likelier=likelier), DRAWS)[:, ONE.claimed] for hits in (0, 1, 8)
    )
    np.testing.assert_array_equal(none, 0)
    np.testing.assert_allclose(one, np.log1p(bets.mu[:, ONE.claimed]))
    np.testing.assert_allclose(eight, 8 * one)
    assert np.exp(one.max()) > 1 + 0.8 / math.e


def test_a_hit_on_the_other_arm_costs_much() -> None:
    """It must hold that an event that both arms have loses, and is not bet on any more."""
    bets = made([9990.0, 0, 10], [10000.0, 0, 0])
    staked = bets.mu[:, ONE.claimed] > 0.3
    assert (bets.log_e(batch(0, 1), DRAWS)[staked, ONE.claimed] < -1).all()
    assert made([9990.0, 0, 10], [9999.0, 0, 1]).mu.max() == 0


@pytest.mark.parametrize("hits", [0, 1])
def test_what_came_once_is_chance(hits: int) -> None:
    """It must hold that a cell met once on one arm is not bet on."""
    assert made([10000.0 - hits, 0, hits], [10000.0, 0, 0]).mu.max() == 0


def test_stakes_grow_with_the_hits_and_fall_with_the_claim() -> None:
    """It must hold that few hits are staked on less than many, and steep claims less than flat."""
    few, many = (made([10000 - n, 0, n], [10000.0, 0, 0]).mu[:, ONE.claimed].max() for n in (4, 40))
    assert 0 < few < many <= 1 / math.e
    stakes = made([9960.0, 0, 40], [10000.0, 0, 0]).mu[:, : ONE.axes[0].values.size].max(axis=0)
    assert (np.diff(stakes) <= 1e-12).all()


def test_a_claimed_delta_allows_rare_events() -> None:
    """It must hold that what is within delta is not bet on, and what is beyond is."""
    grid = lines_of(ApproxDP(1, "1/1000"), Relation.LISTED)
    within = made([9995.0, 0, 5], [10000.0, 0, 0], grid)
    beyond = made([9900.0, 0, 100], [10000.0, 0, 0], grid)
    assert within.mu[:, grid.claimed].max() == 0
    assert beyond.mu[:, grid.claimed].max() > 0


@pytest.mark.slow
@pytest.mark.parametrize("likelier", [0.0, 1.0], ids=["data", "neighbor"])
def test_an_atom_of_one_arm_is_refuted_by_few_hits(likelier: float) -> None:
    """It must hold that an atom of probability 1/1000 on one arm is refuted by some 30 hits.

    About 20 reach 1/alpha; the fresh draws, half as many, do not show so rare an event alone, so
    that the verdict waits for 20 times as much.
    """

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        values = rng.normal(size=size)
        return np.where((rng.random(size) < 1e-3) & (data == likelier), 7.0, values)

    found = []
    for seed in range(5):
        settings = Settings(seed=seed, false_alarm=0.05, ideal=True, budget_samples=100_000)
        result = audit(target(draw), claim(1), [Pair("an atom", 0.0, 1.0)], settings)
        assert result.verdict is Verdict.REFUTED
        assert result.witness is not None
        found.append((result.samples - 2 * result.witness.draws) / 2000)
    print(sorted(found))
    assert np.median(found) < 40
