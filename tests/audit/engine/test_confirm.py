"""Fresh draws of a witness: how many, what they show, and what a verdict owes to them."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from audit.engine import sequential
from audit.engine.sequential import Settings, audit
from audit.engine.two_binomials import Counts
from audit.engine.witness import written_witness
from audit.engine.witness.confirm import (
    ENOUGH,
    ConfirmedLimit,
    DivergenceRule,
    LineRule,
    corner,
    fresh_draws,
    needed_draws,
    rule_of,
)
from audit.engine.witness.instead import GivenInstead
from audit.levels.kind import Divergence
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.targets.target import Target
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    Order,
    PrivacyClaim,
    PureDP,
    Relation,
    RenyiDP,
    Source,
    ZeroConcentratedDP,
)
from tests.audit.engine.samplers import claim, laplace, target
from tests.clock import Clock

PAIR = Pair("0 and 1", 0.0, 1.0)


def run(draw: Any, level: Level | None = None, **settings: Any) -> AuditResult:
    """Audit a sampler on one pair."""
    chosen = {"seed": 1, "ideal": True, "budget_samples": 40_000, **settings}
    stated = claim(1)
    if level is not None:
        stated = PrivacyClaim(level, Relation.LISTED, Source("user", "stated in a test"))
    return audit(target(draw), stated, [PAIR], Settings(**chosen))


@pytest.mark.parametrize("alpha", [0.05, 1e-3])
@pytest.mark.parametrize(("p", "q"), [(0.5, 0.1), (0.5, 0.18), (0.99, 0.3), (0.05, 1e-4)])
def test_the_number_is_within_its_bounds_and_falls_with_the_violation(
    p: float, q: float, alpha: float
) -> None:
    """It must hold that it is fixed by estimates, rate and the run's size, and by nothing else."""
    rule = LineRule(1.0, 0.0)
    draws = [needed_draws(rule, (p, q * f), alpha, 10**6) for f in (1.0, 0.5, 0.1)]
    assert draws == sorted(draws, reverse=True)
    assert max(draws) < 500_000
    for samples in (800, 20_000, 2 * 10**6):
        taken = fresh_draws(rule, (p, q), alpha, samples)
        most = max(256, samples // 4)
        assert max(32, min(samples // 32, 4096)) <= taken <= most
        assert taken >= min(most, draws[0])
    assert fresh_draws(rule, (p, q), alpha, 80) <= 256
    assert fresh_draws(rule, (0.2, 0.2), alpha, 2_000) == 500  # nothing seen: all that is allowed
    assert needed_draws(rule, (p, q), 1e-6, 10**6) > draws[0]


@pytest.mark.long
@pytest.mark.parametrize(("p", "q"), [(0.5, 0.1), (0.1, 1e-4)], ids=["common", "rare"])
def test_the_power_is_that_which_the_number_is_made_for(
    p: float, q: float, dp_rng: np.random.Generator
) -> None:
    """It must hold that .8 of the limits exceed the claim; a third of the draws are not enough."""
    rule, alpha, runs = LineRule(1.0, 0.0), 1e-3, 40
    draws = needed_draws(rule, (p, q), alpha, 10**6)
    shares = []
    for size in (draws, draws // 3):
        counts = dp_rng.binomial(size, (p, q), (runs, 2)).tolist()
        limits = (rule.limit(Counts(x, y, size, size), (p, q), alpha) for x, y in counts)
        shares.append(sum(limit.exceeds for limit in limits))
    assert binom.cdf(shares[0], runs, 0.8) > 1e-4
    assert shares[1] < shares[0]
    assert binom.sf(shares[1] - 1, runs, 0.6) > 1e-4


@pytest.mark.parametrize(
    "rule", [DivergenceRule(Divergence("D", (2.0,), 0.5, times_order=False))], ids=["Renyi"]
)
@pytest.mark.parametrize("q", [0.02, 0.2, 0.4])
def test_a_divergence_that_is_allowed_is_rarely_exceeded(rule: DivergenceRule, q: float) -> None:
    """It must hold exactly: the chance of a limit beyond the claim is at most the error."""
    draws, alpha = 24, 0.1
    slope, offset = rule.line(q)
    p = slope * q + offset
    chance = sum(
        binom.pmf(x, draws, p) * binom.pmf(y, draws, q)
        for x in range(draws + 1)
        for y in range(draws + 1)
        if rule.limit(Counts(x, y, draws, draws), (p, q), alpha).exceeds
    )
    assert chance <= alpha
    assert rule.limit(Counts(24, 0, draws, draws), (p, q), alpha).exceeds


def test_each_claim_has_what_its_events_are_held_against() -> None:
    """It must hold that a divergence is compared with a divergence, and a line with its loss."""
    line = (math.e, 0.25)
    assert rule_of(PureDP(2), line) == LineRule(2.0, 0.0)
    assert rule_of(ApproxDP(2, "1/10"), line) == LineRule(2.0, 0.1)
    assert rule_of(GaussianDP(1), line) == LineRule(1.0, 0.25)
    renyi, zcdp = rule_of(RenyiDP(2, 1), line), rule_of(ZeroConcentratedDP(1), line)
    counts = Counts(90, 10, 100, 100)
    p, q = corner(counts, 0.05)
    limit = renyi.limit(counts, (0.9, 0.1), 0.05)
    expected = math.log(p**2 / q + (1 - p) ** 2 / (1 - q))
    assert limit.lower == pytest.approx(expected)
    assert limit.allowed == 1.0
    assert zcdp.limit(counts, (0.9, 0.1), 0.05).lower >= expected / 2


def test_a_slope_below_1_is_not_taken_for_nothing() -> None:
    """It must hold that a limit that does not exist does not exceed a loss below 0."""
    rule = LineRule(-0.5, 0.3)
    assert not rule.limit(Counts(5, 5, 100, 100), (0.6, 0.2), 0.05).exceeds
    assert rule.limit(Counts(80, 20, 100, 100), (0.8, 0.2), 0.05).exceeds


@pytest.mark.long
@pytest.mark.parametrize(
    "level", [PureDP(1), GaussianDP("1/2"), ZeroConcentratedDP("1/10"), RenyiDP(2, "1/4")]
)
def test_a_clear_violation_is_confirmed(level: Level) -> None:
    """It must hold at every kind of claim, within half of the run's draws."""
    result = run(laplace(0.3), level)
    assert result.verdict is Verdict.REFUTED
    witness = result.witness
    assert witness is not None
    assert witness.confirmed
    assert witness.lower > witness.allowed
    assert 2 * witness.draws <= max(512, (result.samples - result.witness_samples) / 2)


def test_few_draws_are_read_with_care() -> None:
    """It must hold that estimates of fewer draws ask for more fresh ones, exact ones for none."""
    rule = LineRule(1.0, 0.0)
    asked = [
        fresh_draws(rule, (0.5, 0.1), 0.05, 2 * 10**6, known_by=known) for known in (50, 500, 1e12)
    ]
    least = max(needed_draws(rule, (0.5, 0.1), 0.05, 10**6), 4096)
    assert asked[2] == least
    few = [
        fresh_draws(rule, (0.5, 0.14), 1e-3, 2 * 10**4, known_by=known)
        for known in (200, 2_000, 1e12)
    ]
    assert few[0] > few[1] > few[2] == needed_draws(rule, (0.5, 0.14), 1e-3, 10**4)


def unconvinced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make fresh draws show less than the claim."""
    limit = ConfirmedLimit("epsilon", 0.5, 1.0, 0.5)
    monkeypatch.setattr(LineRule, "limit", lambda *_: limit)


@pytest.mark.long
def test_what_is_not_confirmed_rests_on_twenty_times_the_evidence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold that the run goes on to a level twenty times as strict, and says so."""
    law, seed = laplace(0.4), 7  # with which fresh draws confirm both
    sure, stricter = run(law, seed=seed), run(law, seed=seed, false_alarm=0.001 / ENOUGH)
    assert all(r.witness is not None and r.witness.confirmed for r in (sure, stricter))
    unconvinced(monkeypatch)
    result = run(law, seed=seed)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert not result.witness.confirmed
    found = [r.samples - r.witness_samples for r in (sure, result)]
    assert found[1] > found[0]
    assert found[1] == stricter.samples - stricter.witness_samples
    monkeypatch.setattr(sequential, "ENOUGH", 1e300)
    short = run(laplace(0.5), budget_samples=4_000)
    assert short.verdict is Verdict.INCONCLUSIVE
    assert "fresh draws of each data set alone do not" in short.reason
    assert short.witness is None


@pytest.mark.long
def test_a_law_that_is_private_from_then_on_is_not_refuted() -> None:
    """It must hold that what only the run's own draws have shown is no REFUTED."""
    drawn = [0]
    first = run(laplace(0.5))
    found = first.samples - first.witness_samples

    def changing(data: float, size: int, rng: np.random.Generator) -> Any:
        scale = 0.5 if drawn[0] < found else 1.0
        drawn[0] += size
        return data + scale * rng.laplace(size=size)

    assert run(changing).verdict is Verdict.INCONCLUSIVE


def told(result: AuditResult) -> dict[str, Any]:
    """All that a result says but how long it took."""
    bare = replace(result, seconds=0.0, witness=None, notes=())
    return {"result": repr(bare), "witness": repr(result.witness), "notes": result.notes}


@pytest.mark.slow
def test_a_witness_is_the_same_on_a_slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold at three speeds that the bytes are equal, or that time is said to have cut."""
    clock = Clock().install(monkeypatch)
    pair = Pair("many", np.full(40, 0.7), np.append(np.full(40, 0.7), 1.0))
    stated = claim(1, relation=Relation.ADD_REMOVE)

    def speed(a_draw: float) -> AuditResult:
        draw = clock.ticking(lambda d, n, rng: d.sum() + 0.4 * rng.laplace(size=n), a_draw=a_draw)
        sampler = Target("sum", draw, None, Order.FREE, bounds=(Fraction(0), Fraction(1)))
        settings = Settings(seed=2, ideal=True, budget_samples=40_000, budget_seconds=1e4)
        return audit(sampler, stated, [pair], settings)

    fast, medium, slow = (speed(a_draw) for a_draw in (1e-6, 1e-4, 1e-2))
    assert fast.reproducible
    assert fast.witness is not None
    assert fast.witness.shrunk_from is not None
    assert told(fast) == told(medium) == told(slow)
    cut = speed(1.0)
    assert cut.verdict is Verdict.REFUTED
    assert cut.stopped_by_time
    assert not cut.reproducible
    assert any("cut by time" in note for note in cut.notes)


def test_fresh_draws_that_time_cuts_confirm_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a part of the fresh draws is not looked at."""

    def none(*_: Any, **__: Any) -> Any:
        return (0, 0), 0, (GivenInstead(), GivenInstead())

    monkeypatch.setattr(written_witness, "_count_fresh", none)
    result = run(laplace(0.5), budget_samples=2_000)
    assert result.verdict is Verdict.INCONCLUSIVE or not result.witness.confirmed  # type: ignore[union-attr]
    assert not result.reproducible
    assert any("cut by time" in note for note in result.notes)


@pytest.mark.parametrize(
    ("budget", "confirmed", "said"),
    [
        (60.0, True, None),
        (44.0, True, "cut by time before the first: 38 of each data set, not 60"),
        (38.0, False, "cut by time: nothing is confirmed"),
    ],
)
def test_fresh_draws_have_the_time_that_is_left(
    budget: float, confirmed: bool, said: str | None
) -> None:
    """It must hold that as many are made as end in it, fixed before the first; else none is begun.

    The run then has the time to show more: time takes no verdict away.
    """
    with pytest.MonkeyPatch.context() as patched:
        clock = Clock().install(patched)
        began = clock.now
        draw = clock.ticking(lambda d, n, rng: d + 0.4 * rng.random(n), a_draw=0.26)
        result = run(draw, budget_seconds=budget, first_draws=16)
    assert clock.now - began <= budget
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert result.witness.confirmed == confirmed
    assert result.reproducible == (said is None)
    assert [note for note in result.notes if "fresh draws" in note] == [
        f"the fresh draws of the witness were {said}" for _ in range(said is not None)
    ]
    if confirmed:
        assert f"draws={result.witness.draws}, seed=" in result.witness.rerun
