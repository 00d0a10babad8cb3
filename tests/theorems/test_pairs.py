"""ENGINE T3 and T6 in the product: predictable choices, one wealth, fresh draws for each pair."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from audit.engine.bets import AdaptiveBet, PersistentBets

from audit.engine.betting import mixture
from audit.engine.grids import grid_of
from audit.engine.neighbors import Pair
from audit.engine.run import Run
from audit.engine.sequential import audit
from audit.engine.settings import Settings
from tests.audit.engine.samplers import claim, target
from tests.theorems.simulate import (
    ALPHA,
    SLOPE,
    THRESHOLD,
    arms,
    fixed_bet,
    significantly_above,
)

PAIRS = [Pair("0 and 1", 0.0, 1.0), Pair("0 and 1/2", 0.0, 0.5), Pair("0 and -1", 0.0, -1.0)]


def started(draw: Any, pairs: list[Pair], seed: int = 3) -> Run:
    """Begin a run, and draw what the first bets need."""
    settings = Settings(seed=seed, ideal=True, budget_samples=50_000)
    run = Run.start(target(draw), claim(1), pairs, settings, grid_of(claim(1)), None, 1.0)
    for state in run.pairs:
        run.first_draws(state, 200)
    return run


def choices(changed_from: int, bets: int) -> list[tuple[Any, ...]]:
    """Pair, size, events and bets of each batch; from one batch on the mechanism is another."""
    made: list[tuple[Any, ...]] = []

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        scale = 1.0 if len(made) <= changed_from else 0.01
        return data + rng.laplace(scale=scale, size=size)

    run = started(draw, PAIRS)
    for _ in range(bets):
        state, size = run.next_bet()
        bet, fixed = state.bet, state.persistent
        assert bet is not None
        assert fixed is not None
        cells = [bet.candidates.locate(int(e))[1].tolist() for e in bet.chosen[:, run.grid.claimed]]
        made.append((state.index, size, cells, bet.mu.tolist(), fixed.events.tolist()))
        assert run.bet_on(state, size).size == size
    return made


def test_every_choice_is_made_before_its_batch_is_drawn() -> None:
    """It must hold that what a batch brings changes later choices only (predictability)."""
    for changed in (2, 5):
        calm, other = choices(100, 9), choices(changed, 9)
        assert calm[: changed + 1] == other[: changed + 1]
        assert calm[changed + 1 :] != other[changed + 1 :]


def test_a_batch_is_settled_with_the_bet_made_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that wealth moves by the e-value of the bet that stood before the draw."""
    drawn: list[int] = []

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        drawn.append(size)
        return data + rng.laplace(size=size)

    run = started(draw, PAIRS[:1])
    made_at: dict[int, int] = {id(run.pairs[0].bet): len(drawn)}
    original = AdaptiveBet.log_e
    used: list[int] = []

    def watched(self: AdaptiveBet, counts: Any, size: int, grid: Grid) -> Any:
        used.append(made_at[id(self)])
        return original(self, counts, size, grid)

    monkeypatch.setattr(AdaptiveBet, "log_e", watched)
    for _ in range(4):
        before = len(drawn)
        run.bet_on(run.pairs[0], 100)
        assert used == [before, before]
        used.clear()
        made_at = {id(run.pairs[0].bet): len(drawn)}


def test_each_batch_and_look_counts_as_many_draws_of_either_arm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold that both arms' counts sum to the size in every partition, NaN included."""
    sums: list[bool] = []
    original = AdaptiveBet.log_e

    def watched(self: AdaptiveBet, counts: Any, size: int, grid: Grid) -> Any:
        sums.extend(bool((c.sum(axis=1) == size).all() and (c == c.round()).all()) for c in counts)
        return original(self, counts, size, grid)

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        values = data + rng.laplace(size=size)
        return np.where(rng.random(size) < 0.2 + 0.1 * data, np.nan, values)

    run = started(draw, PAIRS[:2])
    monkeypatch.setattr(AdaptiveBet, "log_e", watched)
    for size in (51, 100, 333):
        run.bet_on(run.pairs[0], size)
    assert len(sums) >= 6
    assert all(sums)


def test_every_draw_is_fresh() -> None:
    """It must hold that no two calls of a run share random numbers: pairs, arms and batches."""
    seen: list[float] = []

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        noise = rng.laplace(size=size)
        seen.extend(noise)
        return data + noise

    settings = Settings(seed=1, ideal=True, budget_samples=12_000)
    result = audit(target(draw), claim(1), PAIRS, settings)
    assert len(seen) == result.samples > 11_000
    assert len(set(seen)) == len(seen)


def test_wealth_that_a_pair_lost_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that pairs are averaged by their wealth of now, not by their running maxima."""
    run = started(lambda data, size, rng: data + rng.laplace(size=size), PAIRS[:2])
    steps = iter([5.0, 5.0, -20.0, -20.0, 5.0, 5.0])

    def rigged(self: PersistentBets, counts: Any, size: int, grid: Grid) -> Any:
        return np.full_like(self.log_wealth, next(steps))

    monkeypatch.setattr(PersistentBets, "log_e", rigged)
    monkeypatch.setattr(AdaptiveBet, "log_e", lambda self, c, n, grid: np.zeros(grid.slopes.size))
    for index in (0, 0, 1):
        run.bet_on(run.pairs[index], 100)
    best = (1 + (math.exp(5) + 1) / 2) / 2
    assert run.wealth.highest == pytest.approx(math.log(best), rel=1e-12)


@pytest.mark.parametrize("one_wealth", [True, False], ids=["one wealth", "each at full level"])
def test_pairs_and_directions_share_one_level(
    one_wealth: bool, dp_rng: np.random.Generator
) -> None:
    """It must hold that 12 pairs in 2 directions, each tested at the full level, break it."""
    runs = 2_000
    wealth = np.zeros((24, runs))
    top = np.zeros(runs)
    for _ in range(40):
        batch = arms(dp_rng, 50, 24 * runs)
        wealth += fixed_bet(*batch, 50, q0=0.6 / SLOPE, share=0.3).reshape(24, runs)
        now = mixture(wealth, np.full(24, 1 / 24)) if one_wealth else wealth.max(axis=0)
        top = np.maximum(top, now)
    alarms = top >= THRESHOLD
    print(f"one_wealth={one_wealth}: {alarms.mean():.4f}")
    assert significantly_above(alarms) != one_wealth


@pytest.mark.parametrize("stopped", [True, False], ids=["wealth when stopped", "running maxima"])
def test_running_maxima_are_no_e_values(stopped: bool, dp_rng: np.random.Generator) -> None:
    """It must hold that e-BH over 12 pairs keeps its level on wealths and not on their maxima.

    The pairs climb a ladder of fair all-in bets, thresholds 12 / (k alpha) for k = 12, ..., 1, and
    k pairs fall together at the k-th step: the dependence for which the maxima are worst, with
    level alpha (1 + 1/2 + ... + 1/12) = .155.
    """
    pairs, runs = 12, 20_000
    steps = np.arange(1, pairs + 1)
    fall = ALPHA / steps
    together = dp_rng.choice(np.append(steps, 0), p=np.append(fall, 1 - fall.sum()), size=runs)
    # each pair reaches 12 / (k alpha) with probability k alpha / 12: a martingale from wealth 1
    which = dp_rng.random((runs, pairs)).argsort(axis=1) < together[:, None]
    maxima = np.where(which, pairs / (np.maximum(together, 1) * ALPHA)[:, None], 1.0)
    values = np.where(which & (together == 1)[:, None], maxima, 0.0) if stopped else maxima
    ordered = -np.sort(-values, axis=1)
    alarms = np.any(ordered * steps >= pairs / ALPHA * (1 - 1e-12), axis=1)
    assert isinstance(alarms, np.ndarray)
    print(f"stopped={stopped}: {alarms.mean():.4f}")
    assert significantly_above(alarms) == (not stopped)


@pytest.mark.parametrize("carried", [True, False], ids=["the wealth at hand", "a fresh wealth"])
def test_a_pair_that_joins_late_brings_no_wealth(
    carried: bool, dp_rng: np.random.Generator
) -> None:
    """It must hold that 12 pairs, each joining where the one before lost, are no 12 new tests."""
    runs, pairs, batches = 2_000, 12, 8
    wealth, top = np.zeros(runs), np.zeros(runs)
    for _ in range(pairs):
        if not carried:
            wealth = np.zeros(runs)
        for _ in range(batches):
            # a pair that joins is bet on by what the past says: here, more boldly after a loss
            hits, other = arms(dp_rng, 50, runs)
            bold = fixed_bet(hits, other, 50, q0=0.6 / SLOPE, share=0.5)
            calm = fixed_bet(hits, other, 50, q0=0.6 / SLOPE, share=0.2)
            wealth = wealth + np.where(wealth < 0, bold, calm)
            top = np.maximum(top, wealth)
    alarms = top >= THRESHOLD
    print(f"carried={carried}: {alarms.mean():.4f}")
    assert significantly_above(alarms) != carried
