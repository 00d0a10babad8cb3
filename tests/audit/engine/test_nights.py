"""Runs that are one of many nights: when they are refuted, what they are worth, when they end."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from audit.draws.settings import Settings
from audit.engine import sequential
from audit.engine.loop import FIRST_RUN_SHARE, bet_on, first_draws, next_bet
from audit.engine.night_run import fits, night_of
from audit.engine.night_wealth import Carried
from audit.engine.run_state import Run
from audit.engine.sequential import audit
from audit.engine.witness.confirm import ConfirmedLimit, LineRule
from audit.engine.witness.witness_search import show
from audit.levels import grid_of
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from mechanisms.claims import PureDP
from tests.audit.engine.samplers import claim, laplace, target
from tests.clock import Clock

PAIR = [Pair("0 and 1", 0.0, 1.0)]
SETTINGS = Settings(seed=3, false_alarm=1e-3, ideal=True, budget_samples=20_000)
GRID = grid_of(claim(1))
RICH = Carried((math.log(900.0),) * GRID.points, (False,) * GRID.points, 3)
"""Earlier nights that have almost refuted every point."""
FIRST = Carried()


def one_night(
    carried: Carried, draw: Any = None, settings: Settings = SETTINGS, level: Any = 1
) -> AuditResult:
    """Audit once."""
    return audit(target(draw or laplace()), claim(level), PAIR, settings, carried=carried)


@pytest.mark.long
def test_what_earlier_nights_left_lowers_the_threshold(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a violation too small for one night is refuted with what was carried.

    Fresh draws of one night do not confirm it: without twenty times the evidence it is not said,
    nor booked as refuted.
    """
    settings = replace(SETTINGS, budget_samples=8_000, seed=7)
    alone = one_night(FIRST, settings=settings, level="0.9")
    assert alone.verdict is not Verdict.REFUTED
    points = grid_of(claim("0.9")).points
    rich = Carried((math.log(900.0),) * points, (False,) * points, 3)
    doubtful = one_night(rich, settings=settings, level="0.9")
    assert doubtful.verdict is Verdict.INCONCLUSIVE
    assert doubtful.rejected is not None
    assert not doubtful.rejected[grid_of(claim("0.9")).claimed]
    monkeypatch.setattr(sequential, "ENOUGH", 1.0)
    together = one_night(rich, settings=settings, level="0.9")
    assert together.verdict is Verdict.REFUTED
    assert together.witness is not None
    assert together.samples <= alone.samples + together.witness.draws * 2


@pytest.mark.long
def test_the_draws_do_not_depend_on_what_is_carried() -> None:
    """It must hold that two runs of one seed show the same, as far as neither is refuted."""
    poor = replace(RICH, log_invested=(-5.0,) * GRID.points)
    first, second = (one_night(carried) for carried in (FIRST, poor))
    assert first.samples == second.samples
    assert first.night == second.night
    assert first.night is not None
    assert len(first.night) == GRID.points


@pytest.mark.long
def test_a_run_without_nights_has_no_values() -> None:
    """It must hold that only runs that are carried say what they are worth."""
    result = audit(target(laplace()), claim(1), PAIR, SETTINGS)
    assert result.night is None
    assert result.rejected is None


def test_a_night_is_worth_what_was_bet_and_what_was_not() -> None:
    """It must hold that a night is 0.9 times the booked wealth plus 0.1."""
    run = Run.start(
        target(laplace()),
        claim(1),
        PAIR,
        SETTINGS,
        GRID,
        None,
        FIRST_RUN_SHARE,
        carried=FIRST,
        idle=1 - FIRST_RUN_SHARE,
    )
    first_draws(run, run.pairs[0], 200)
    assert night_of(run) == pytest.approx(np.zeros(GRID.points), abs=1e-12)
    bet_on(run, *next_bet(run))
    expected = np.log(0.9 * np.exp(run.wealth.booked()) + 0.1)
    assert night_of(run) == pytest.approx(expected, abs=1e-12)
    assert (night_of(run) != 0).any()
    run.cut = True
    assert night_of(run) == pytest.approx(np.full(GRID.points, math.log(0.1)), abs=1e-12)


@pytest.mark.long
def test_a_first_run_that_fails_takes_its_winnings_along() -> None:
    """It must hold that after a failure a night is worth a tenth of the second run's wealth."""

    def failing(data: float, size: int, rng: np.random.Generator) -> Any:
        nonlocal calls
        calls += 1
        if size > 1 and calls > 60:  # the first batch has 26
            raise FloatingPointError
        return data + rng.laplace(size=size)

    calls = 0
    seeds = (replace(SETTINGS, seed=seed, budget_samples=4_000) for seed in range(4))
    values = []
    for settings in seeds:
        calls = 0
        result = one_night(FIRST, failing, settings)
        assert result.night is not None
        values.append(result.night[GRID.claimed])
    assert min(values) >= math.log(0.1) - 3
    assert max(values) < math.log(0.3)  # a first run that came to its end is worth 0.9 or so


@pytest.mark.long
@pytest.mark.parametrize("level", ["0.9", "2"])
def test_what_was_refuted_stays_so(level: str) -> None:
    """It must hold that a claim that an earlier night refuted is REFUTED tonight, with an event."""
    grid = grid_of(claim(level))
    before = Carried((0.0,) * grid.points, (True,) * grid.points, 5)
    result = one_night(before, level=level)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert result.limits["epsilon"] >= float(PureDP(level).epsilon)
    assert result.rejected == (True,) * grid.points
    assert result.night is not None
    assert all(map(math.isfinite, result.night))


def test_what_was_refuted_is_doubted_where_tonight_draws_depend(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold that tonight's witness is not told when its fresh draws depend on each other."""
    alike = "two calls on the data return the same draws"
    monkeypatch.setattr(sequential, "show", lambda *of: replace(show(*of), dependence=alike))
    rejected = tuple(np.arange(GRID.points) == GRID.claimed)
    before = Carried((0.0,) * GRID.points, rejected, 3)
    few = replace(SETTINGS, budget_samples=380, first_draws=16)
    result = one_night(before, lambda data, size, rng: rng.laplace(size=size), few)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert alike in result.reason


@pytest.mark.long
def test_no_batch_begins_that_may_not_end_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a carried night ends between batches, most of its time used."""
    clock = Clock().install(monkeypatch)
    draw = clock.ticking(laplace(), a_draw=1e-3)
    settings = replace(SETTINGS, budget_samples=10**7, budget_seconds=50.0)
    begun = clock.now
    result = one_night(FIRST, draw, settings)
    assert result.stopped_by == "seconds"
    bets = settings.budget_seconds * 7 / 8  # the rest is kept for upper limits
    assert 0.6 * bets < clock.now - begun <= settings.budget_seconds + 5
    run = Run.start(target(draw), claim(1), PAIR, settings, GRID, None, 0.9)
    assert fits(run, 10**9)
    carried = Run.start(target(draw), claim(1), PAIR, settings, GRID, None, 0.9, carried=FIRST)
    first_draws(carried, carried.pairs[0], 400)
    assert fits(carried, 1_000)
    assert not fits(carried, 10**6)


def test_a_batch_that_is_cut_all_the_same_loses_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a target that slows down leaves the money not bet, and no more."""
    clock = Clock().install(monkeypatch)
    fast, slow = (clock.ticking(laplace(), a_draw=t) for t in (1e-6, 0.1))

    def slows_down(data: float, size: int, rng: np.random.Generator) -> Any:
        clock.now += 1e-9
        slows_down.drawn += size  # type: ignore[attr-defined]
        late = slows_down.drawn > 6_000  # type: ignore[attr-defined]
        return (slow if late else fast)(data, size, rng)

    slows_down.drawn = 0  # type: ignore[attr-defined]
    result = one_night(FIRST, slows_down, replace(SETTINGS, budget_seconds=50.0))
    assert result.stopped_by == "seconds"
    assert result.night is not None
    assert result.night == pytest.approx([math.log(0.1)] * GRID.points, abs=1e-12)


RATE, CHAINS, NIGHTS = 0.2, 60, 5


def bit(data: float, size: int, rng: np.random.Generator) -> Any:
    """The bit itself with probability e / (1 + e): it loses 1 exactly."""
    return np.where(rng.random(size) < math.e / (1 + math.e), data, 1 - data)


def found_in(
    epsilon: object, seed: int, draws: int, rate: float, *, carry: bool = True
) -> int | None:
    """Night in which a claim about the bit is refuted, None if in none of them."""
    carried = FIRST
    for night in range(1, NIGHTS + 1):
        settings = Settings(
            seed=1_000 * seed + night,
            false_alarm=rate,
            ideal=True,
            budget_samples=draws * 2 * 8 // 7,
            budget_seconds=600.0,
        )
        result = audit(
            target(bit), claim(epsilon), PAIR, settings, carried=carried if carry else None
        )
        if result.verdict is Verdict.REFUTED:
            return night
        if carry:
            assert result.night is not None
            assert result.rejected is not None
            carried = carried.after(result.night, result.rejected)
    return None


@pytest.mark.slow
def test_false_alarms_of_all_nights_stay_below_the_rate() -> None:
    """It must hold that of 60 targets at their claim few are refuted in 5 nights at 0.2.

    More than 20 have probability below 0.01 at the rate 0.2.
    """
    from scipy.stats import binom

    seen = sum(found_in(1, seed, 800, RATE) is not None for seed in range(CHAINS))
    print(f"at the claim: {seen} of {CHAINS} refuted in {NIGHTS} nights at {RATE}")
    assert binom.sf(20, CHAINS, RATE) < 0.01
    assert seen <= 20
    convicted = sum(found_in("0.8", seed, 800, RATE) is not None for seed in range(30))
    print(f"a fifth above it: {convicted} of 30")
    assert binom.sf(convicted - 1, 30, RATE) < 1e-6


@pytest.mark.slow
def test_a_small_violation_is_found_sooner_than_without() -> None:
    """It must hold that nights that add up find what a night of 2,000 draws mostly misses."""
    found = {
        carry: [found_in("0.9", seed, 2_000, 1e-3, carry=carry) for seed in range(20)]
        for carry in (True, False)
    }
    print(found)
    in_one = sum(night == 1 for night in found[False])
    assert in_one <= 5
    with_it, without = (sum(n is not None for n in found[carry]) for carry in (True, False))
    assert with_it >= without + 6
    both = [
        (with_night, night)
        for with_night, night in zip(found[True], found[False], strict=True)
        if night is not None
    ]
    assert all(n is not None and n <= night + 1 for n, night in both)


def test_a_batch_that_failed_is_not_left_out_of_a_night(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a run which fails while it waits for more evidence is worth its rest."""
    monkeypatch.setattr(sequential, "ENOUGH", 1e300)
    monkeypatch.setattr(LineRule, "limit", lambda *_: ConfirmedLimit("epsilon", 0.5, 1.0, 0.5))
    shown = [False]

    def looked(*arguments: Any) -> Any:
        found = show(*arguments)
        shown[0] = True
        return found

    monkeypatch.setattr(sequential, "show", looked)

    def failing(data: float, size: int, rng: np.random.Generator) -> Any:
        if shown[0] and size > 1:
            raise FloatingPointError
        return data + 0.3 * rng.laplace(size=size)

    result = one_night(FIRST, failing)
    assert shown[0]
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.night == pytest.approx([math.log(1 - FIRST_RUN_SHARE)] * GRID.points)
