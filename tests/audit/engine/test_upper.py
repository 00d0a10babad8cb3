"""ENG-T9: limits on the learned events hold together, from draws that did not choose them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom

from audit.draws.settings import Settings
from audit.engine import sequential
from audit.engine import upper as upper_module
from audit.engine.loop import bet_on, first_draws, next_bet
from audit.engine.run_state import Run
from audit.engine.sequential import audit
from audit.engine.upper import (
    LEVELS,
    MASSES,
    learned_events,
    loss_upper,
    upper_limits,
    with_reserve,
    without_reserve,
)
from audit.levels import grid_of
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from mechanisms.claims import ApproxDP, GaussianDP, PureDP
from tests.audit.engine.samplers import claim, geometric, laplace, target
from tests.clock import Clock

SURE = 1e-9
SCALARS = [Pair("0 and 1", 0.0, 1.0)]
BOTH = [*SCALARS, Pair("0 and 1/2", 0.0, 0.5)]


@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_a_limit_errs_no_more_than_stated_exactly(delta: float) -> None:
    """It must hold that the exact probability of a limit below the loss is at most 2 x level."""
    draws, level = 30, 0.05
    x, y = (a.ravel() for a in np.meshgrid(np.arange(draws + 1), np.arange(draws + 1)))
    limits = loss_upper(x, y, draws, delta=delta, level=level)
    errors = []
    for p in (0.15, 0.3, 0.5, 0.8, 1.0):
        for loss in (0.5, 1.0, 2.0):
            q = (p - delta) * math.exp(-loss)
            wrong = limits < loss - 1e-12
            chance = binom.pmf(x, draws, p) * binom.pmf(y, draws, q)
            errors.append(float(chance[wrong].sum()))
    assert max(errors) <= 2 * level
    assert max(errors) > 0.001  # it does err: the limit is no triviality


def test_each_of_the_two_limits_keeps_its_own_level() -> None:
    """It must hold that the limit of p alone, and of q alone, errs with at most its level."""
    draws, level = 30, 0.05
    x, full, one = np.arange(draws + 1), np.full(draws + 1, draws), np.ones(draws + 1, dtype=int)
    of_one = math.log(1 - (1 - level) ** (1 / draws))  # the lower limit of q after one hit
    for p in np.linspace(0.02, 0.98, 49):
        chance = binom.pmf(x, draws, p)
        of_p = loss_upper(x, one, draws, delta=0.0, level=level) < math.log(p) - of_one - 1e-12
        of_q = loss_upper(full, x, draws, delta=0.0, level=level) < -math.log(p) - 1e-12
        assert chance[of_p].sum() <= level
        assert chance[of_q].sum() <= level


def test_limits_are_those_of_clopper_and_pearson() -> None:
    """It must hold that counts at the ends give 1 and 0, and others the quantiles of beta laws."""
    x, y, n, level = np.array([0, 3, 10, 7]), np.array([2, 0, 10, 5]), 10, 0.01
    limits = loss_upper(x, y, n, delta=0.0, level=level)
    p_upper = [beta.isf(level, 1, 10), beta.isf(level, 4, 7), 1.0, beta.isf(level, 8, 3)]
    q_lower = [beta.ppf(level, 2, 9), 0.0, beta.ppf(level, 10, 1), beta.ppf(level, 5, 6)]
    for limit, p, q in zip(limits, p_upper, q_lower, strict=True):
        assert limit == pytest.approx(math.inf if q == 0 else math.log(max(1.0, p / q)), rel=1e-9)


@pytest.mark.parametrize(
    ("variant", "events", "kept"),
    [
        ("kept draws", 400, 10),
        ("the draws that chose", 2_000, 2),
        ("each event at the full level", 40, 20),
    ],
)
def test_all_limits_hold_together(
    variant: str, events: int, kept: int, dp_rng: np.random.Generator
) -> None:
    """It must hold that limits from the choosing draws, or not shared over K, break the level."""
    runs, draws, alpha, p, loss = 600, 400, 0.2, 0.4, 1.0
    q = p * math.exp(-loss)
    past, fresh = ([dp_rng.binomial(draws, x, (runs, events)) for x in (p, q)] for _ in range(2))
    family = np.argsort(past[0] - np.e * past[1], axis=1)[:, :kept]
    counted = past if variant == "the draws that chose" else fresh
    hits, other = (np.take_along_axis(side, family, axis=1) for side in counted)
    share = 1 if variant == "each event at the full level" else kept
    limits = loss_upper(hits, other, draws, delta=0.0, level=alpha / (2 * share))
    wrong = int((limits < loss).any(axis=1).sum())
    print(f"{variant}: {wrong / runs:.4f}")
    assert (binom.sf(wrong - 1, runs, alpha) > SURE) == (variant == "kept draws")


def learned(draw: Any, *, epsilon: Any = 1, delta: Any = 0, pairs: list[Pair] = BOTH) -> Run:
    """A run that has drawn and bet a few times."""
    stated = claim(epsilon, delta)
    settings = Settings(seed=3, false_alarm=0.05, ideal=True, budget_samples=60_000)
    run = Run.start(target(draw), stated, pairs, settings, grid_of(stated), None, 1.0)
    for state in run.pairs:
        first_draws(run, state, 400)
    for _ in range(6):
        bet_on(run, *next_bet(run))
    return run


@pytest.mark.parametrize("delta", [0, "1/10"])
def test_the_family_is_of_prefixes_of_at_least_a_mass(delta: Any) -> None:
    """It must hold that events lie in the past's orders, both directions, and begin at 1 %."""
    run = learned(geometric, epsilon=2, delta=delta)
    for state in run.pairs:
        events = learned_events(state, float(delta == "1/10") / 10)
        assert {event.direction for event in events} == {0, 1}
        assert min(event.mass for event in events) >= LEVELS[0]
        assert max(event.mass for event in events) >= MASSES[0]
        for event in events:
            counts = state.counts[event.partition].sum(axis=0)[event.direction]
            share = counts[event.cells].sum() / counts.sum()
            assert event.mass + float(delta == "1/10") / 10 == pytest.approx(share, abs=0.06)


@given(st.integers(1, 10**9))
def test_the_reserve_can_be_undone(samples: int) -> None:
    """It must hold that the budget told to a user repeats the run's own share of it."""
    for level in (PureDP(1), ApproxDP(1, "1/10")):
        whole = with_reserve(samples, level)
        assert (
            without_reserve(
                Settings(seed=1, false_alarm=0.05, budget_samples=whole), level
            ).budget_samples
            == samples
        )


def test_other_claims_keep_nothing() -> None:
    """It must hold that claims without such limits spend the whole budget on bets."""
    settings = Settings(seed=1, false_alarm=0.05, budget_samples=80_000, budget_seconds=8)
    assert without_reserve(settings, GaussianDP(1)) == settings
    less = without_reserve(settings, PureDP(1))
    assert (less.budget_samples, less.budget_seconds) == (70_000, 7)
    assert less.false_alarm == settings.false_alarm


def consistent(draw: Any, pairs: list[Pair], **settings: Any) -> AuditResult:
    """Audit a sound sampler at epsilon = 1."""
    settings = {
        "seed": 5,
        "ideal": True,
        "false_alarm": 0.05,
        "budget_samples": 400_000,
        **settings,
    }
    result = audit(target(draw), claim(1), pairs, Settings(**settings))
    assert result.verdict is Verdict.CONSISTENT
    return result


@pytest.mark.long
def test_limits_are_above_the_loss_and_near_it() -> None:
    """It must hold that Laplace noise at its claim has limits just above 1, or higher."""
    result = consistent(laplace(), SCALARS)
    upper = result.upper
    assert upper is not None
    assert upper.masses == MASSES
    assert list(upper.epsilons) == sorted(upper.epsilons)
    assert 1 <= upper.epsilons[0] < 1.15
    assert upper.epsilons[1] < 1.3
    assert 2 * upper.draws == 400_000 // 8
    assert upper.events >= 2 * len(LEVELS)
    assert result.samples <= 400_000


@pytest.mark.long
def test_limits_keep_their_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that of 400 runs at alpha = 0.2 few state any limit below its event's loss."""
    low, high = 1 / (10 * (1 + math.e)), math.e / (10 * (1 + math.e))
    law = np.repeat([high, low], 10)

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        return rng.choice(20, size, p=law if data == 0 else law[::-1]).astype(float)

    run = learned(draw, pairs=SCALARS)
    (state,) = run.pairs
    values = state.encoder.encode(np.arange(20.0))
    losses = []
    for event in learned_events(state, 0.0):
        inside = np.isin(state.partitions[event.partition].codes(values), event.cells)
        p, q = (law, law[::-1])[:: 1 if event.direction == 0 else -1]
        losses.append(math.log(p[inside].sum() / q[inside].sum()))
    assert max(losses) == pytest.approx(1)
    stated: list[Any] = []

    def watched(*counts: Any, **levels: Any) -> Any:
        stated.append(loss_upper(*counts, **levels))
        return stated[-1]

    monkeypatch.setattr(upper_module, "loss_upper", watched)
    wrong = 0
    for seed in range(400):
        run.settings = Settings(seed=seed, false_alarm=0.05, ideal=True, budget_samples=60_000)
        upper, _ = upper_limits(run, Settings(seed=1, budget_samples=100_000, false_alarm=0.2))
        assert upper is not None
        assert max(upper.epsilons) == stated[-1].max()
        wrong += bool((stated[-1] < np.array(losses) - 1e-12).any())
    print(f"{wrong} of 400 over {len(losses)} events")
    assert binom.sf(wrong - 1, 400, 0.2) > SURE


@pytest.mark.slow
def test_the_verdict_does_not_depend_on_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that verdict, limits and power are the same without what was kept."""
    with_them = consistent(laplace(), BOTH, budget_samples=100_000)
    monkeypatch.setattr(sequential, "upper_limits", lambda run, settings: (None, 0))
    without = consistent(laplace(), BOTH, budget_samples=100_000)
    for name in ("verdict", "reason", "limits", "detectable", "notes"):
        assert getattr(with_them, name) == getattr(without, name)
    assert with_them.samples > without.samples
    assert without.upper is None


def test_a_refuted_claim_has_no_upper_limits() -> None:
    """It must hold that nothing is drawn for them after a violation."""
    result = audit(
        target(laplace(0.4)), claim(1), SCALARS, Settings(seed=1, false_alarm=0.05, ideal=True)
    )
    assert result.verdict is Verdict.REFUTED
    assert result.upper is None


@pytest.mark.long
def test_a_rare_failure_is_counted_one_draw_a_call() -> None:
    """It must hold that a batch that fails while the limits are drawn ends no audit."""
    late: list[int] = []

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        late.append(size)
        if size > 1 and sum(late) > 70_100:
            raise OverflowError
        return data + rng.laplace(size=size)

    result = consistent(draw, SCALARS, budget_samples=80_000)
    assert result.upper is not None
    assert result.upper.draws == 5_000


def test_a_run_that_time_ends_among_its_first_draws_has_no_upper_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold that a pair that nothing was drawn from is no error (a gate under load)."""
    slow = Clock().install(monkeypatch).ticking(laplace(), a_call=0.3)
    settings = Settings(seed=1, false_alarm=0.05, ideal=True, budget_seconds=0.2)
    result = audit(target(slow), claim(1), BOTH, settings)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.stopped_by == "seconds"
    assert result.upper is None
