"""Draws of both arms in turn, and what a deadline leaves of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.draws.blocks import (
    CALLS_A_BATCH,
    FEWEST_A_CALL,
    MOST_A_CALL,
    Block,
    OutOfTime,
    blocks_of,
    call_size,
    calls_of,
    draw_batch,
    draw_block,
)
from audit.draws.settings import Settings
from audit.draws.streams import BatchPlace, Purpose
from audit.engine.loop import first_draws
from audit.engine.run_state import Run
from audit.engine.sequential import audit
from audit.levels import grid_of
from audit.results.verdict import Verdict
from audit.targets.target import Calls
from tests.audit.engine.samplers import claim, laplace, target
from tests.clock import Clock
from tests.theorems.test_pairs import PAIRS

PLACE = BatchPlace(1, Purpose.RUN)


def calls_made(block: Block, per_call: int, *, single: bool = False) -> list[tuple[int, int]]:
    """Arm and size of each call, in the order of time."""
    made: list[tuple[int, int]] = []

    def draw(data: int, size: int, rng: np.random.Generator) -> Any:
        made.append((data, size))
        return rng.laplace(size=size)

    draw_block(target(draw), (0, 1), PLACE, block, per_call=per_call, single=single)
    return made


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("index", range(8))
def test_each_four_calls_are_a_palindrome(index: int, single: bool) -> None:
    """It must hold that the arms are drawn a, b, b, a, so that a linear drift cancels."""
    made = calls_made(Block(index, (0, 0), (64, 64)), 16, single=single)
    arms = [arm for arm, _ in made]
    assert len(made) == (128 if single else 8)
    for start in range(0, len(arms), 4):
        a, b, c, d = arms[start : start + 4]
        assert (a, b) == (d, c)
        assert a != b


def test_a_coin_says_which_arm_comes_first() -> None:
    """It must hold that neither arm comes first more often than a fair coin allows (1e-9)."""
    firsts = [
        calls_made(Block(index, (0, 0), (32, 32)), 16)[0][0] for index in range(400)
    ]  # of 400 tosses, 140 to 260 come up but with probability 2e-9
    assert 140 < sum(firsts) < 260
    again = [calls_made(Block(index, (0, 0), (32, 32)), 16)[0][0] for index in range(400)]
    assert again == firsts


@given(
    st.lists(st.integers(0, 100_000), min_size=2, max_size=2).filter(any),
    st.sampled_from([1, 8, 16, 64, 4096]),
)
def test_calls_make_all_draws_of_both_arms(sizes: list[int], per_call: int) -> None:
    """It must hold that both arms have as many calls, all alike, which make all draws, no more."""
    first, second = calls_of(sizes, per_call)
    assert len(first) == len(second)
    assert [sum(first), sum(second)] == sizes
    assert max(*first, *second) <= per_call
    assert all(max(calls) - min(calls) <= 1 for calls in (first, second))
    assert len(first) % 2 == 0


@given(st.integers(1, 10**8))
def test_calls_grow_with_the_batch(size: int) -> None:
    """It must hold that a call is a part of its batch, within its bounds; one draw where asked."""
    own = call_size(target(laplace()), size)
    assert FEWEST_A_CALL <= own <= MOST_A_CALL
    assert own * CALLS_A_BATCH >= size or own == MOST_A_CALL
    assert call_size(target(laplace()), size, single=True) == 1
    looped = replace(target(laplace()), calls=Calls.ONE)
    assert call_size(looped, size) < FEWEST_A_CALL


def test_a_drift_moves_both_arms_alike() -> None:
    """It must hold that what follows a counter is no difference of arms, as it is arm after arm."""
    count = 0

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        nonlocal count
        steps = np.arange(count, count + size)
        count += size
        return 1e-4 * steps

    drawn = list(draw_batch(target(draw), (0, 1), 40_000, PLACE))
    means = [np.mean([z for block in drawn for z in block[arm]]) for arm in (0, 1)]
    assert abs(means[0] - means[1]) < 0.001
    count = 0
    apart = [np.mean(draw(0, 40_000, np.random.default_rng(1))) for _ in (0, 1)]
    assert abs(apart[0] - apart[1]) > 3.9


def test_a_block_that_is_cut_teaches_what_came_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a first batch beyond the deadline is learned from, and never bet on."""
    slow = Clock().install(monkeypatch).ticking(laplace(0.2), a_draw=0.01)
    # as many first draws as the user wants: 2 x 100 x 0.01 s are 2 s, of 1 s
    settings = Settings(seed=1, budget_seconds=1.0, first_draws=100)
    result = audit(target(slow), claim(1), PAIRS[:1], settings)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.stopped_by == "seconds"
    assert 32 <= result.samples < 200
    assert result.limits["epsilon"] == 0
    assert not result.reproducible


def test_a_slow_target_is_bet_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that first draws are as few as the time pays for, and the report says so."""
    slow = Clock().install(monkeypatch).ticking(laplace(0.02), a_call=0.26)
    sampler = replace(target(slow), calls=Calls.ONE)
    looped = replace(
        sampler, draw=lambda d, n, rng: np.concatenate([slow(d, 1, rng) for _ in range(n)])
    )
    settings = Settings(seed=1, false_alarm=0.001, budget_seconds=60.0, ideal=True)
    result = audit(looped, claim(1), PAIRS, settings)
    assert result.verdict is Verdict.REFUTED
    assert result.first_by_time is not None
    assert not result.reproducible
    assert any("draws are slow" in note for note in result.notes)
    assert result.seconds < 90


@pytest.mark.parametrize(("whole", "learned"), [(1, 0), (2, 8), (3, 8), (4, 16)])
def test_a_first_batch_that_a_jump_of_the_clock_cuts_only_teaches(
    whole: int, learned: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that whole blocks of both arms are learned from, and no wealth moves by them.

    Each arm of a block of eight is two calls; the clock jumps beyond the deadline within one.
    """
    clock = Clock().install(monkeypatch)
    calls = [0]
    jump_at = 2 * whole + 1 if learned < 16 else 10**9

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        calls[0] += 1
        if calls[0] == jump_at:
            clock.now += 1e6
        return data + 0.2 * rng.laplace(size=size)

    settings = Settings(seed=1, ideal=True, budget_seconds=60.0, first_draws=16)
    run = Run.start(target(draw), claim(1), PAIRS[:1], settings, grid_of(claim(1)), None, 1.0)
    ended = ""
    try:
        first_draws(run, run.pairs[0], 16)
    except OutOfTime:
        ended = "seconds"
    assert (ended == "seconds") == (learned < 16)
    assert run.pairs[0].draws == learned
    assert run.samples == 2 * learned
    assert not run.wealth.log_experts.any()
    assert not run.wealth.log_pairs.any()
    assert not run.wealth.highest.any()


def test_a_run_that_was_cut_among_its_first_draws_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that eight draws of each data set were learned from, and none bet on."""
    clock = Clock().install(monkeypatch)
    calls = [0]

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        calls[0] += 1
        clock.now += 1e6 * (calls[0] == 6)
        return data + 0.2 * rng.laplace(size=size)

    settings = Settings(seed=1, ideal=True, budget_seconds=60.0, first_draws=16)
    result = audit(target(draw), claim(1), PAIRS[:1], settings)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.samples == 16
    assert result.reason == "the time limit ended the audit after 16 draws"
    assert any("learned from 8 draws of each data set" in note for note in result.notes)
    assert result.limits["epsilon"] == 0


def test_a_target_of_a_second_a_draw_is_bet_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a budget of 50 s is enough to bet, from eight draws of each data set."""
    clock = Clock().install(monkeypatch)
    slow = replace(target(clock.ticking(laplace(0.01), a_draw=1.0)), calls=Calls.ONE)
    steps: list[int] = []
    settings = Settings(seed=1, false_alarm=0.05, ideal=True, budget_seconds=50.0)
    result = audit(slow, claim(1), PAIRS[:1], settings, progress=lambda done, _: steps.append(done))
    assert (result.first_draws, result.first_by_time) == (8, 8)
    assert steps[0] == 16
    assert len(steps) > 1  # batches that were bet on
    assert not result.reproducible
    again = replace(settings, first_draws=8)
    clock.now = 1000.0
    later: list[int] = []
    audit(slow, claim(1), PAIRS[:1], again, progress=lambda done, _: later.append(done))
    assert later[: len(steps)] == steps  # no time goes into measuring what a draw costs


def test_a_run_sized_by_the_clock_is_repeated_by_its_first_draws(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold that the same number of first draws gives the same draws, to the last."""
    clock = Clock().install(monkeypatch)
    made: list[float] = []

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        outputs = laplace(1.0)(data, size, rng)
        made.extend(outputs.tolist())
        return outputs

    slow = replace(target(clock.ticking(draw, a_draw=0.5)), calls=Calls.ONE)
    settings = Settings(seed=1, ideal=True, budget_samples=60, budget_seconds=60.0)
    sized = audit(slow, claim(1), PAIRS[:1], settings)
    assert sized.first_by_time == 8
    assert not sized.reproducible
    of_sized = made.copy()
    made.clear()
    given = replace(settings, first_draws=8, budget_seconds=1e6)
    audit(slow, claim(1), PAIRS[:1], given)
    assert len(made) < len(of_sized)  # which were measured before
    assert of_sized[-len(made) :] == made
    made.clear()
    audit(slow, claim(1), PAIRS[:1], replace(given, first_draws=9))
    assert of_sized[-len(made) :] != made


@pytest.mark.long
def test_the_clock_has_no_say_where_the_cap_is_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that machines of several speeds draw alike, up to the report's seconds."""
    results = []
    for pause in (0.0, 2e-5, 1e-4):
        timed = Clock().install(monkeypatch).ticking(laplace(0.5), a_draw=pause)
        settings = Settings(seed=1, budget_samples=40_000, budget_seconds=600, ideal=True)
        results.append(replace(audit(target(timed), claim(1), PAIRS, settings), seconds=0.0))
    assert results[0].verdict is Verdict.REFUTED
    assert all(result.reproducible for result in results)
    assert len({repr(result) for result in results}) == 1


@pytest.mark.parametrize("single", [False, True])
def test_the_deadline_is_looked_at_before_each_call(
    single: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that a target of a second a call overruns by one call at most."""
    clock = Clock().install(monkeypatch)
    slow = target(clock.ticking(laplace(), a_call=1.0))
    with pytest.raises(OutOfTime):
        draw_block(
            slow, (0, 1), PLACE, blocks_of((400, 400))[0],
            per_call=16, single=single, deadline=clock.now + 5.5,
        )  # fmt: skip
    assert clock.now <= 1000 + 6.5 + 1e-9
