"""How a batch moves the wealth: looks at parts of it, and bets of several ages."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from audit.engine.experts import Bets
from audit.engine.loop import MOST_PARTS, bet_on, fresh_batch, prefixes
from audit.engine.pair_state import SETTLED
from audit.levels import grid_of
from mechanisms.claims import PureDP
from tests.audit.engine.samplers import laplace, stated
from tests.theorems.test_pairs import PAIRS, started


@pytest.mark.parametrize("size", [20, MOST_PARTS + 2, 5 * MOST_PARTS + 1])
def test_prefixes_hold_as_many_draws_of_each_arm(size: int) -> None:
    """It must hold that a small batch is counted draw by draw, and ends with all its counts."""
    run = started(laplace(0.5), PAIRS[:1])
    state = run.pairs[0]
    batch = fresh_batch(run, state, size)
    assert batch.arms is not None
    seen = []
    for draws, counts in prefixes(batch, state.counted()):
        seen.append(draws)
        for partition, own in zip(state.counted(), counts, strict=True):
            for arm, outcomes in enumerate(batch.arms):
                codes = partition.codes(outcomes)[:draws]
                np.testing.assert_array_equal(
                    own[arm], np.bincount(codes, minlength=partition.size)
                )
    assert seen == sorted(set(seen))
    assert seen[-1] == size
    assert len(seen) == min(size, MOST_PARTS)


def test_half_of_a_batch_whose_draws_are_not_kept_is_looked_at() -> None:
    """It must hold that counts are enough."""
    run = started(laplace(0.5), PAIRS[:1])
    large = replace(fresh_batch(run, run.pairs[0], 100), arms=None)
    [(half, counts)] = prefixes(large, run.pairs[0].counted())
    assert half == 50
    np.testing.assert_array_equal(counts[0], large.counts(half)[0])


@pytest.mark.parametrize("peak", [2, 17])
def test_wealth_that_is_high_at_any_look_counts(peak: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a batch refutes by any part, if all of it comes near."""
    run = started(laplace(0.5), PAIRS[:1])

    def rigged(self: Bets, counts: Any, size: int) -> Any:
        return np.full_like(run.wealth.log_experts, 9.0 if size == peak else 3.0)

    monkeypatch.setattr(Bets, "log_e", rigged)
    bet_on(run, run.pairs[0], 20)
    assert run.refuted
    assert run.wealth.log_experts == pytest.approx(3.0)


def test_parts_are_not_looked_at_where_all_is_far_from_refuting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold that looks, which take time, are made where they may matter."""
    run = started(laplace(0.5), PAIRS[:1])
    sizes: list[int] = []

    def rigged(self: Bets, counts: Any, size: int) -> Any:
        sizes.append(size)
        return np.full_like(run.wealth.log_experts, -1.0)

    monkeypatch.setattr(Bets, "log_e", rigged)
    bet_on(run, run.pairs[0], 20)
    bet_on(run, run.pairs[0], 100)
    assert sizes == [20, 100]


def test_no_bet_outlives_its_tables() -> None:
    """It must hold that bets on other points go on until the draws double, or tables are anew."""
    grid = grid_of(stated(PureDP(1)))
    run = started(laplace(1.0), PAIRS[:1])
    state = run.pairs[0]
    state.all_made_at = 220  # the bets would go on until 440, the tables until 400
    assert state.bets is not None
    assert not state.bets.at_claim
    first = state.bets.experts
    bet_on(run, state, 60)
    assert state.bets.experts is first
    assert state.bets.at_claim
    tables = list(state.partitions)
    bet_on(run, state, 150)
    assert state.partitions[0] is not tables[0]
    assert state.bets.experts is not first
    assert not state.bets.at_claim
    sizes = [partition.size for partition in state.counted()]
    counts = [np.ones((2, size)) for size in sizes]
    assert state.bets.log_e(counts, sizes[0]).shape[1] == grid.points


def test_newer_bets_count_at_the_claim_alone() -> None:
    """It must hold that a renewed bet is the new one at the claim, and the old one elsewhere."""
    run = started(laplace(1.0), PAIRS[:1])
    state, claimed = run.pairs[0], run.grid.claimed
    old = state.bets
    bet_on(run, state, 40)
    new = state.bets
    assert old is not None
    assert new is not None
    assert state.draws == SETTLED + 40
    counts = [np.asarray(own.sum(axis=0)) for own in state.counts]
    size = int(counts[0][0].sum())
    before, after = old.log_e(counts, size), new.log_e(counts, size)
    others = np.arange(run.grid.points) != claimed
    np.testing.assert_array_equal(before[:, others], after[:, others])
    assert math.isfinite(after.sum())
    assert not np.array_equal(before[:, claimed], after[:, claimed])
