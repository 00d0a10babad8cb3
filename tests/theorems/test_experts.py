"""ENG-T2 and ENG-T5: no expert's bet gains on average under the claim, whatever the past was.

Each bet is made from arbitrary counts. Its largest mean over all pairs that satisfy the claim is
found exactly; the same calculation convicts the variants that leave the theorems' conditions.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from audit.draws.settings import Settings
from audit.engine import sequential
from audit.engine.candidate_events import propose
from audit.engine.experts import make_bets
from audit.engine.experts.persistent import PersistentBets
from audit.engine.experts.posterior_bets import PosteriorBets, event_scores
from audit.engine.experts.unseen_bets import UnseenBets
from audit.engine.sequential import audit
from audit.levels import grid_of
from audit.levels.supporting_lines import LineGrid
from audit.pairs.worst_cases import Pair
from audit.results.verdict import Verdict
from mechanisms.claims import ApproxDP, GaussianDP, Level, PureDP, Relation, TradeOff
from tests.audit.engine.samplers import stated, target
from tests.grids import lines_of
from tests.slow import by_default
from tests.theorems.exact import ROUNDING, Array, Lines, mean, pasts, quarter, table, worst_pair

STEEP = TradeOff(((0, 1), ("1/10", "1/5"), (1, 0)))
"""Asymmetric: f(f(1/10)) is not 1/10."""

CLAIMS: list[Level] = [
    PureDP(1),
    PureDP(0),
    PureDP(20),
    ApproxDP("1/2", "1/10"),
    ApproxDP(1, 1),
    GaussianDP(1),
    STEEP,
]
POINTS = 4
"""Points of a grid that are looked at: the claim's, and others."""


@cache
def around(level: Level) -> LineGrid:
    """The claim's point of its grid, and some others, in the order of the grid."""
    grid = lines_of(level, Relation.LISTED)
    chosen = np.unique(np.append(np.linspace(0, grid.points - 1, POINTS - 1), grid.claimed))
    kept = chosen.astype(int)
    claimed = int(np.searchsorted(kept, grid.claimed))
    return LineGrid(grid.slopes[:, kept], grid.offsets[:, kept], grid.axes, claimed, grid.one_way)


def lines_at(grid: LineGrid, point: int) -> Lines:
    """Lines of one point."""
    return list(
        dict.fromkeys(
            zip(grid.slopes[:, point].tolist(), grid.offsets[:, point].tolist(), strict=True)
        )
    )


def posterior(past: Array, ordered: int, grid: LineGrid) -> PosteriorBets:
    """Bets on likely events."""
    candidates = propose([past], [ordered])
    return PosteriorBets.make(candidates, [past], grid, event_scores(candidates, grid))


def factors_of(bets: PosteriorBets, size: int) -> tuple[Array, Array]:
    """Factors of both arms, shape (A * G, K)."""
    [(chosen, used, *logs)] = bets.log_factors.values()
    np.testing.assert_array_equal(chosen, np.arange(chosen.size))
    both = []
    for log in logs:
        assert log.shape == (chosen.size, used.size + 1)
        whole = np.repeat(log[:, -1:], size, axis=1)  # cells that no draw has met
        whole[:, used] = log[:, :-1]
        both.append(np.exp(whole))
    return both[0], both[1]


def check_bets(a: Array, b: Array, grid: LineGrid, point: int) -> list[tuple[Array, Array]]:
    """Check bets on one point, shape (bets, K), against its claim; return the worst pairs."""
    assert min(a.min(), b.min()) >= 0.0049
    lines = lines_at(grid, point)
    # the largest stakes, and the largest sums of factors, over one pair that satisfies the claim
    worst = [worst_pair(a[0], b[0], lines, one_way=grid.one_way)]
    for _ in range(3):
        _, p, q = worst[-1]
        row = int((a @ p + b @ q).argmax())
        worst.append(worst_pair(a[row], b[row], lines, one_way=grid.one_way))
    row = int(np.minimum(a.min(axis=1), b.min(axis=1)).argmin())
    worst.append(worst_pair(a[row], b[row], lines, one_way=grid.one_way))
    assert all(largest <= 2 + ROUNDING for largest, _, _ in worst)
    return [(p, q) for _, p, q in worst]


@cache
def extreme_pairs(level: Level, point: int, size: int) -> list[tuple[Array, Array]]:
    """Pairs that satisfy the claim at a point, most beyond it in each event."""
    grid = around(level)
    found = []
    for inside in list(product([0.0, 1.0], repeat=size))[1:-1]:  # neither none nor all
        event = np.array(inside)
        for s, _ in lines_at(grid, point):
            for a, b in ((event, -s * event), (-s * event, event)):
                found.append(worst_pair(a, b, lines_at(grid, point), one_way=grid.one_way)[1:])
    return found


@pytest.mark.parametrize("level", CLAIMS, ids=str)
@quarter
@given(pasts(), st.integers(0, POINTS - 1))
def test_posterior_bets_never_gain_under_the_claim(
    level: Level, case: tuple[Array, int], point: int
) -> None:
    """It must hold that E_P a + E_Q b <= 2 for every pair that satisfies the claim (T2)."""
    past, ordered = case
    grid = around(level)
    point = min(point, grid.points - 1)
    size = past.shape[2]
    bets = posterior(past, ordered, grid)
    a, b = (x.reshape(-1, grid.points, size)[:, point] for x in factors_of(bets, size))
    worst = check_bets(a, b, grid, point)
    values = table(lambda counts: bets.log_e([counts], 2)[:, point], size, 2)
    for p, q in worst:
        assert (mean(values, p, q) <= 1 + ROUNDING).all()


@pytest.mark.parametrize("level", CLAIMS, ids=str)
@quarter
@given(pasts(), st.integers(0, POINTS - 1))
def test_persistent_bets_never_gain_under_the_claim(
    level: Level, case: tuple[Array, int], point: int
) -> None:
    """It must hold for every account and variant, whatever came after the events were fixed."""
    past, ordered = case
    grid = around(level)
    point = min(point, grid.points - 1)
    bets = PersistentBets.start(past[0], ordered, grid)
    assert bets.log_sum() == pytest.approx(0, abs=1e-9)
    bets.settle(past[1], np.zeros_like(bets.log_wealth))
    both = bets.log_factors()
    size = past.shape[2]
    # factors by cell, of the first event, the second, or neither
    of_cell = np.where(bets.events[:, 0], 0, np.where(bets.events[:, 1], 1, 2))
    a, b = (
        np.exp(
            np.concatenate(
                [
                    x[cells, :, :, bet, point].reshape(size, -1).T
                    for bet, cells in enumerate(of_cell)
                ]
            )
        )
        for x in both
    )
    worst = check_bets(a, b, grid, point)
    values = table(lambda counts: bets.log_e(both, counts)[..., point], size, 2)
    for p, q in worst:
        assert (mean(values, p, q) <= 1 + ROUNDING).all()


@pytest.mark.parametrize(
    "level", by_default([level for level in CLAIMS if level != GaussianDP(1)], CLAIMS), ids=str
)
@quarter
@given(pasts(3), st.integers(0, POINTS - 1))
@example((np.array([[[9.0, 3, 0], [12, 0, 0]], [[9, 3, 0], [12, 0, 0]]]), 3), 1)
@example((np.array([[[12.0, 0, 0], [9, 0, 3]], [[12, 0, 0], [9, 0, 3]]]), 3), 2)
def test_bets_on_the_unseen_never_gain_under_the_claim(
    level: Level, case: tuple[Array, int], point: int
) -> None:
    """It must hold for every account, over pairs that go as far as the claim lets an event (T1)."""
    past, ordered = case
    grid = around(level)
    point = min(point, grid.points - 1)
    size = past.shape[2]
    bets = UnseenBets.make([past], [ordered], [np.ones(size, dtype=bool)], grid)
    values = table(lambda counts: bets.log_e([counts], 2)[..., point], size, 2)
    assert (values[0] > 0).all()
    for p, q in extreme_pairs(level, point, size):
        assert (mean(values, p, q) <= 1 + ROUNDING).all()


def best_of_batch(p: float, q: float, draws: int, *, past: bool) -> float:
    """Largest exact mean of an account's e-value; the bets are made from a past, or the batch."""
    grid = around(PureDP(1))
    on_data, on_neighbor = np.array([p, 1 - p]), np.array([q, 1 - q])
    earlier = np.broadcast_to(draws * np.stack([on_data, on_neighbor]), (2, 2, 2)) / 2

    def log_e(counts: Array) -> Array:
        bets = posterior(earlier if past else np.stack([counts, counts]) / 2, 2, grid)
        return bets.log_e([counts], draws)[:, grid.claimed]

    values = table(log_e, 2, draws)
    return float(mean(values, on_data, on_neighbor).max())


def test_bets_made_from_their_own_batch_gain_under_the_claim() -> None:
    """It must hold that the calculation convicts bets that are settled on what they are made of."""
    p, q = 0.5, 0.5 / math.e
    assert best_of_batch(p, q, 16, past=True) <= 1 + ROUNDING
    assert best_of_batch(p, q, 16, past=False) > 1.02


# an asymmetric curve: T(data, neighbor) >= f, and T(neighbor, data) is below f
ON_DATA, ON_NEIGHBOR = np.array([0.91, 0.09]), np.array([0.3, 0.7])


def test_an_asymmetric_curve_is_bet_on_one_way_only() -> None:
    """It must hold that no expert stakes anything on events that are likelier on the data."""
    grid = around(STEEP)
    assert grid.one_way
    past = np.broadcast_to(1e4 * np.stack([ON_DATA, ON_NEIGHBOR]), (2, 2, 2))
    unseen = np.array([[[95.0, 5], [100, 0]], [[95, 5], [100, 0]]])
    batch = np.stack([1e4 * ON_DATA, 1e4 * ON_NEIGHBOR])
    single = [np.ones(2, dtype=bool)]
    for both_ways in (False, True):
        used = replace(grid, one_way=not both_ways)
        of_events = posterior(past, 2, used).log_e([batch], 10_000)
        fixed = PersistentBets.start(past.sum(axis=0), 2, used)
        of_fixed = fixed.log_e(fixed.log_factors(), batch)
        # bets on the unseen are against the first line; here that without an offset
        steep = replace(used, slopes=used.slopes[::-1], offsets=used.offsets[::-1])
        of_unseen = UnseenBets.make([unseen], [2], single, steep).mu
        assert (of_events.max() > 20) == both_ways
        assert (of_fixed.max() > 20) == both_ways
        assert (of_unseen.max() > 0) == both_ways


def test_what_is_not_claimed_is_not_suspicious() -> None:
    """It must hold that pairs are chosen by gaps on the neighbor only, where one way is claimed."""
    grid = around(STEEP)
    arms = 1e4 * np.stack([ON_DATA, ON_NEIGHBOR])
    single = [np.ones(2, dtype=bool)]
    allowed, broken = (
        make_bets([np.stack([x, x])], [2], single, grid).suspicion for x in (arms, arms[::-1])
    )
    assert allowed < 0 < 10 < broken


def test_bets_both_ways_gain_under_an_asymmetric_claim() -> None:
    """It must hold that the same pair satisfies the claim, and the wrong bets gain on it (T5)."""
    grid = around(STEEP)
    past = np.broadcast_to(1e4 * np.stack([ON_DATA, ON_NEIGHBOR]), (2, 2, 2))
    for a in (np.array([1.0, 0]), np.array([0, 1.0])):
        for s, t in lines_at(grid, grid.claimed):
            assert a @ ON_NEIGHBOR <= s * a @ ON_DATA + t
    for both_ways in (False, True):
        bets = posterior(past, 2, replace(grid, one_way=not both_ways))
        values = table(lambda c, bets=bets: bets.log_e([c], 2)[:, 0], 2, 2)  # type: ignore[misc]
        largest = mean(values, ON_DATA, ON_NEIGHBOR).max()
        assert (largest > 1.005) == both_ways
        a, b = factors_of(bets, 2)
        worst = max(
            worst_pair(*row, lines_at(grid, 0), one_way=True)[0] for row in zip(a, b, strict=True)
        )
        assert (worst > 2.005) == both_ways


@pytest.mark.parametrize("both_ways", [False, True], ids=["one way", "both ways"])
def test_audits_of_an_asymmetric_curve(both_ways: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a curve that holds one way is left alone, and refuted by both-way bets."""

    def coin(data: float, size: int, rng: np.random.Generator) -> Any:
        return (rng.random(size) < (ON_NEIGHBOR if data else ON_DATA)[1]).astype(int)

    def grid_both_ways(claim: Any, **options: Any) -> Any:
        return replace(grid_of(claim, **options), one_way=not both_ways)

    monkeypatch.setattr(sequential, "grid_of", grid_both_ways)
    settings = Settings(seed=1, false_alarm=0.05, ideal=True, budget_samples=10_000)
    pair = Pair("a coin", 0.0, 1.0)
    result = audit(target(coin), stated(STEEP, Relation.LISTED), [pair], settings)
    assert (result.verdict is Verdict.REFUTED) == both_ways
