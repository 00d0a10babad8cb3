"""Which pair is drawn from: what a run needs to be CONSISTENT is kept back for every pair."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from audit.engine import allocation
from audit.engine.allocation import PROMISING, Allocation
from audit.engine.detectable_power import LEARNING_DRAWS, detectable, draws_needed
from audit.engine.loop import bet_on
from audit.engine.sequential import Settings, audit
from audit.engine.wealth import Wealth
from audit.levels import grid_of
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PureDP,
    Relation,
    RenyiDP,
    ZeroConcentratedDP,
)
from tests.audit.engine.samplers import claim, laplace, stated, target
from tests.theorems.test_pairs import started

PAIRS = [Pair(f"pair {i}", 10.0 * i, 10.0 * i + 1) for i in range(8)]


@pytest.mark.parametrize("false_alarm", [0.05, 1e-4])
@pytest.mark.parametrize(
    "level",
    [PureDP(1), PureDP("0.1"), ApproxDP(1, "0.1"), GaussianDP(1), ZeroConcentratedDP("0.5"),
     RenyiDP(2, 1)],
    ids=str,
)  # fmt: skip
def test_as_many_draws_as_are_needed_are_enough(level: Level, false_alarm: float) -> None:
    """It must hold that they reach the limit, and that a tenth less does not."""
    grid = grid_of(stated(level, Relation.SWAP))
    asked = {"grid": grid, "false_alarm": false_alarm, "resolution": None}
    needed = math.ceil(draws_needed(**asked))  # type: ignore[arg-type]
    enough = detectable(math.ceil(1.01 * needed), 1, **asked)  # type: ignore[arg-type]
    fewer = detectable(int(0.9 * needed), 1, **asked)  # type: ignore[arg-type]
    assert needed > LEARNING_DRAWS
    assert enough.at_tenth <= enough.limit
    assert fewer.at_tenth > fewer.limit


def test_no_draws_are_enough_for_a_claim_that_none_can_refute() -> None:
    """It must hold that nothing is planned where the power statement stays infinite."""
    asked = {"grid": grid_of(claim(40)), "false_alarm": 0.05, "resolution": None}
    assert draws_needed(**asked) == math.inf  # type: ignore[arg-type]
    assert Allocation.of(8, math.inf, 10**9).promised == 0


def test_nothing_is_kept_back_of_a_budget_that_cannot_keep_the_promise() -> None:
    """It must hold that one pair, or a budget that is too small, is drawn from as before."""
    assert Allocation.of(8, 1_000, 8 * 1_020).promised == 1_020
    assert Allocation.of(8, 1_000, 8 * 1_020 - 1).promised == 0
    assert Allocation.of(1, 1_000, 10**9).promised == 0


def test_a_pair_that_joins_takes_nothing_of_what_is_promised() -> None:
    """It must hold that its first draws come out of what is left beside the promise."""
    pairs: Any = [SimpleNamespace(draws=draws) for draws in (400, 700, 5)]
    kept = Allocation(given=2, promised=1_000)
    assert kept.spares(pairs, 100, 600 + 300 + 100)
    assert not kept.spares(pairs, 101, 600 + 300 + 100)
    assert Allocation(given=2).spares(pairs, 101, 100)


@pytest.mark.parametrize(
    ("suspicion", "until", "least", "most"), [(3.0, 6_400, 0.6, 1.0), (0.5, 50_000, 0.0, 0.3)]
)
def test_a_pair_with_a_gap_beyond_chance_is_drawn_from_first(
    suspicion: float, until: int, least: float, most: float
) -> None:
    """It must hold that most draws go to it while it is below its limits, else to all alike."""
    pairs: Any = [
        SimpleNamespace(
            draws=400,
            bets=SimpleNamespace(suspicion=suspicion if i == 5 else 0.0),
            draws_to_read=lambda: math.inf,
        )
        for i in range(8)
    ]
    chosen, samples, left = Allocation(len(pairs)), 0, 10**6
    while max(state.draws for state in pairs) < until:
        exploring = chosen.exploring(pairs, samples, left)
        state, size = chosen.next_batch(pairs, samples, left)
        assert 1 <= size <= left
        state.draws += size
        samples, left = samples + 2 * size, left - size
        chosen.explored += 2 * size * exploring
    assert least <= (pairs[5].draws - 400) / (samples / 2) <= most


def test_batches_are_small_where_the_run_may_soon_end() -> None:
    """It must hold that draws which nobody looks at are few, and steps long before."""
    state: Any = SimpleNamespace(draws=1_000, bets=None, draws_to_read=lambda: math.inf)
    chosen = Allocation(1)
    assert chosen.next_batch([state], 2_000, 10**6)[1] == 200
    chosen.promising = True
    assert chosen.next_batch([state], 2_000, 10**6)[1] == pytest.approx(60, abs=1)


@pytest.mark.parametrize(
    ("share", "promising"), [(PROMISING - 0.01, False), (PROMISING + 0.01, True)]
)
def test_a_run_is_promising_by_its_wealth_against_the_claim(
    share: float, promising: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that no other point of the grid counts."""
    run = started(laplace(0.5), PAIRS[:1])
    needed = run.wealth.needed()[run.grid.claimed]

    def booked() -> Any:
        wealth = np.full_like(run.wealth.highest, 1.0 - promising) * needed
        wealth[run.grid.claimed] = share * needed
        return wealth

    monkeypatch.setattr(Wealth, "booked", lambda self: booked())
    bet_on(run, run.pairs[0], 20)
    assert run.allocation.promising is promising


def _audited_while_suspicious(monkeypatch: pytest.MonkeyPatch, seed: int) -> AuditResult:
    """Audit sound pairs of which one seems suspicious all the time."""
    monkeypatch.setattr(allocation, "SUSPICIOUS", -math.inf)
    needed = draws_needed(grid_of(claim(1), coarse=True), false_alarm=0.045, resolution=None)
    samples = 2 * math.ceil(1.25 * needed) * len(PAIRS)
    settings = Settings(
        seed=seed, false_alarm=0.05, ideal=True, budget_samples=samples, budget_seconds=600
    )
    return audit(target(laplace()), claim(1), PAIRS, settings)


@pytest.mark.slow
def test_a_suspicious_pair_leaves_what_others_need(
    monkeypatch: pytest.MonkeyPatch, dp_rng: np.random.Generator
) -> None:
    """It must hold that a budget for CONSISTENT is enough; without a reserve it is not."""
    seed = int(dp_rng.integers(2**31))
    kept = _audited_while_suspicious(monkeypatch, seed)
    assert kept.verdict is Verdict.CONSISTENT
    monkeypatch.setattr(allocation, "MARGIN", math.inf)
    spent = _audited_while_suspicious(monkeypatch, seed)
    assert spent.verdict is Verdict.INCONCLUSIVE
    assert spent.samples == pytest.approx(kept.samples, rel=1e-3)


def test_a_batch_that_doubles_a_pair_leaves_what_others_were_promised() -> None:
    """It must hold that the least-sampled pair takes no draws that the others still need."""
    bets = SimpleNamespace(suspicion=0.0)
    pairs: list[Any] = [
        SimpleNamespace(draws=draws, bets=bets, draws_to_read=lambda: 2**18)
        for draws in [700] + [750] * 9
    ]
    shares, left = Allocation(given=10, promised=1000), 2600
    state, size = shares.next_batch(pairs, 14_900, left)
    others = sum(1000 - other.draws for other in pairs[1:])
    assert state is pairs[0]
    assert 0 < size <= left - others
