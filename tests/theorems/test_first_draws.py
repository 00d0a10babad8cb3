"""Where bets begin (ENG-T3): wealth has mean at most 1 given what was learned, and no more.

A few draws of each arm teach, and none of them is bet on. The twin that books its learning batch
with the bets that were made from it has a mean above 1: after 200 draws, on which the event was
chosen among many, by enough to be convicted by some dozens of runs. (After 16 it is about 1.1: bets
are too careful by then for a count of false alarms to show it.)
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from audit.engine import loop
from audit.engine.allocation import FIRST_DRAWS
from audit.engine.counts.batch import Batch
from audit.engine.pair_state import PairState
from audit.engine.run_state import Run
from benchmarks.nulls import NULLS, Null, begin, end_of

SEEDS, MANY = 40, 200
"""Runs, and draws that are learned from: the broken twin's mean is 5.6 errors above 1."""

CAP = 4.0
"""What a wealth counts for at most: that only lowers its mean, and a few large ones decide less."""

SURE = 4.0
"""Standard errors by which a mean must exceed 1 to be convicted: by chance, three in 10^5."""

MOST = 122
"""Of 2,000: more are refuted with probability .012 where the rate is .05."""

Book = Callable[..., None]


def wealth(null: Null, seed: int, first: int = MANY, draws: int = MANY + 20) -> float:
    """Wealth against the claim when a short run ends, up to the cap."""
    run = begin(null, seed, draws, false_alarm=1e-9)
    run.first = first
    assert end_of(run) == "samples"
    return min(CAP, math.exp(run.wealth.booked()[run.grid.claimed]))


def exceeds_one(values: list[float]) -> bool:
    """Whether the mean is beyond doubt above 1."""
    error = np.std(values, ddof=1) / math.sqrt(len(values))
    return bool(np.mean(values) - SURE * error > 1)


def learning_batch_is_bet_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Book each first batch with the bets that were made from it."""
    learn = loop._learn

    def broken(run: Run, state: PairState, batch: Batch, check: loop.Check | None) -> None:
        learn(run, state, batch, check)
        if state.batches == 1:
            by_arm = [own.sum(axis=0) for own in state.counts]
            of_own = by_arm[:1] * len(state.counted())
            seen = [*by_arm, *of_own][: len(state.counted())]
            assert state.bets is not None
            assert state.own is not None
            log_e = state.bets.log_e(seen, batch.size)
            log_e_own = state.own.log_e(seen[len(state.partitions) :])
            log_own = state.own.log_sum(log_e_own)
            state.own.settle(seen[len(state.partitions) :], log_e_own)
            run.wealth.settle(state.index, log_e, log_own)

    monkeypatch.setattr(loop, "_learn", broken)


@pytest.mark.long
def test_a_learning_batch_that_is_bet_on_is_convicted(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the mean tells an engine whose learning draws move the wealth."""
    learning_batch_is_bet_on(monkeypatch)
    assert exceeds_one([wealth(NULLS["laplace"], seed) for seed in range(SEEDS)])


@pytest.mark.long
def test_learning_draws_move_no_wealth() -> None:
    """It must hold of as many as convict the twin above."""
    assert not exceeds_one([wealth(NULLS["laplace"], seed) for seed in range(SEEDS)])


@pytest.mark.parametrize(
    "name", ["randomized-response", pytest.param("laplace", marks=pytest.mark.long)]
)
def test_early_wealth_has_mean_at_most_one(name: str) -> None:
    """It must hold that bets made from 16 draws gain nothing under the claim."""
    values = [wealth(NULLS[name], seed, FIRST_DRAWS, 2 * FIRST_DRAWS) for seed in range(SEEDS)]
    assert not exceeds_one(values)


@pytest.mark.slow
@pytest.mark.parametrize("name", NULLS)
def test_false_alarms_of_short_runs(name: str) -> None:
    """It must hold that at most 122 of 2,000 runs of 400 draws at the exact claim are refuted."""
    seen = 0
    for seed in range(2_000):
        run = begin(NULLS[name], seed, 400)
        assert run.first == FIRST_DRAWS
        seen += end_of(run) == "refuted"
    print(f"{name}: {seen} of 2000 refuted")
    assert seen <= MOST
