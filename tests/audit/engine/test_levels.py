"""Whole runs at every level: the limits, the profile, and one wealth for all users."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from audit.draws.settings import Settings
from audit.engine.experts import Bets, shares
from audit.engine.loop import bet_on, first_draws
from audit.engine.run_state import Run
from audit.engine.sequential import audit
from audit.levels import grid_of
from audit.levels.nesting import blocks
from audit.levels.supporting_lines import LineGrid
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PersonalizedDP,
    PureDP,
    Relation,
    RenyiDP,
    TradeOff,
    ZeroConcentratedDP,
)
from mechanisms.errors import InvalidArgument
from mechanisms.implications import gaussian_delta
from tests.audit.engine.samplers import Draw, stated, target
from tests.slow import all_but

ALPHA = 0.05
PAIR = Pair("0 and 1", 0.0, 1.0)
BUDGETS = PersonalizedDP((1, "1/2"))


def gaussian(data: float, size: int, rng: np.random.Generator) -> Any:
    """N(data, 1)."""
    return data + rng.normal(size=size)


def run(draw: Draw, level: Level, *pairs: Pair, **settings: Any) -> AuditResult:
    """Audit a sampler."""
    chosen = Settings(
        **{"seed": 1, "ideal": True, "false_alarm": 0.05, "budget_samples": 20_000, **settings}
    )
    return audit(target(draw), stated(level, Relation.SWAP), pairs or [PAIR], chosen)


def begun(level: Level, *pairs: Pair, profile: bool = False) -> Run:
    """A run of which nothing has been drawn."""
    claim = stated(level, Relation.SWAP)
    chosen = pairs or (PAIR,)
    settings = Settings(seed=1, ideal=True, false_alarm=ALPHA, profile=profile)
    grid = grid_of(claim, user=chosen[0].user, profile=profile)
    return Run.start(target(gaussian), claim, chosen, settings, grid, None, 1.0)


@pytest.mark.parametrize(
    ("level", "name"),
    [
        (GaussianDP(1), "mu"),
        (ZeroConcentratedDP("1/2"), "rho"),
        (RenyiDP(2, 1), "renyi_epsilon"),
        (TradeOff(((0, 1), ("1/5", "1/5"), (1, 0))), ""),
    ],
)
def test_each_level_has_its_own_limit(level: Level, name: str) -> None:
    """It must hold that the limit is the rejected prefix of the level's own axis."""
    state = begun(level)
    [(axis, limit)] = state.lower_limits()
    assert (axis.name, axis.at, limit) == (name, None, 0.0)
    wealth = state.wealth
    assert wealth.levels == pytest.approx(ALPHA)
    wealth.highest[: state.grid.claimed + 1] = math.log(1 / ALPHA) + 1e-5
    assert state.refuted
    assert state.lower_limits()[0][1] == axis.values[state.grid.claimed]
    wealth.highest[0] = 0.0
    assert state.lower_limits()[0][1] == 0.0 or axis.values.size == 1
    assert not state.refuted or axis.values.size == 1


@pytest.mark.parametrize("level", [PureDP(1), ApproxDP(1, "1/50"), PureDP(0)], ids=str)
def test_a_refuted_claim_is_never_above_a_limit(level: ApproxDP | PureDP) -> None:
    """It must hold that all that implies the claim is rejected too, on each axis that holds it."""
    state = begun(level, profile=True)
    wealth, delta = state.wealth, float(getattr(level, "delta", 0))
    implying = set()
    for axis, points in blocks(state.grid.axes):
        if axis.at is None:
            most = float(level.epsilon) if axis.name == "epsilon" else delta
            implying |= {points.start + int(i) for i in np.flatnonzero(axis.values <= most)}
    assert set(np.flatnonzero(state.stronger)) == implying
    assert state.grid.claimed in implying
    for point in implying:
        wealth.highest[:] = 100.0
        assert state.refuted
        wealth.highest[point] = 0.0
        assert not state.refuted
        assert min(limit for axis, limit in state.lower_limits() if axis.at is None) == 0 or point


@pytest.mark.parametrize(
    ("level", "limit", "claimed", "true"),
    [
        (GaussianDP("1/2"), "mu", 0.5, 1.0),
        (ZeroConcentratedDP("1/5"), "rho", 0.2, 0.5),
        (RenyiDP(2, "2/5"), "renyi_epsilon", 0.4, 1.0),
        (ApproxDP(1, "1/50"), "delta", 0.02, 0.1269),
    ],
    ids=str,
)
def test_limits_of_gaussian_noise(level: Level, limit: str, claimed: float, true: float) -> None:
    """It must hold that N(0, 1) and N(1, 1) are refuted below mu = 1, with limits between."""
    result = run(gaussian, level, budget_samples=40_000)
    assert result.verdict is Verdict.REFUTED
    assert claimed <= result.limits[limit] <= true


def coin(data: float, size: int, rng: np.random.Generator) -> Any:
    """A coin whose loss between 0 and 1 is 0.8."""
    return (rng.random(size) < 0.3 * math.exp(0.8 * data)).astype(int)


@pytest.mark.long
def test_a_pair_is_bet_on_by_the_budget_of_its_user() -> None:
    """It must hold that a loss of 0.8 is within the budget 1 and beyond the budget 1/2."""
    within, beyond = (Pair(f"user {user}", 0.0, 1.0, user=user) for user in (0, 1))
    assert run(coin, BUDGETS, within).verdict is not Verdict.REFUTED
    for pairs in ((beyond,), (within, beyond), (beyond, within)):
        result = run(coin, BUDGETS, *pairs)
        assert result.verdict is Verdict.REFUTED
        assert result.witness is not None
        assert result.witness.pair == "user 1"
        assert 1 <= result.limits["budget_factor"] <= 1.6
    with pytest.raises(InvalidArgument, match="user"):
        run(coin, BUDGETS, Pair("nobody", 0.0, 1.0))


def test_pairs_of_different_users_stake_one_wealth(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that bets against each user's own slopes are booked in one wealth."""
    pairs = [Pair(f"user {user}", 0.0, 1.0, user=user) for user in (0, 1)]
    state = begun(BUDGETS, *pairs)
    assert state.wealth.log_experts.shape == (shares(state.grid).size - 1, state.grid.points)
    for pair in state.pairs:
        first_draws(state, pair, 200)
    grids = [pair.own.grid for pair in state.pairs if pair.own is not None]
    for grid, budget in zip(grids, (1.0, 0.5), strict=True):
        assert math.log(grid.slopes[0, grid.claimed]) == pytest.approx(budget)

    def grown(self: Bets, counts: Any, size: int) -> Any:
        return np.full_like(state.wealth.log_experts, 1e-2 * size)

    monkeypatch.setattr(Bets, "log_e", grown)
    bet_on(state, state.pairs[0], 100)
    bet_on(state, state.pairs[1], 100)
    assert state.wealth.log_experts == pytest.approx(2.0)


@pytest.mark.parametrize("level", [PureDP(1), ApproxDP(1, "1/10")], ids=str)
def test_the_band_shares_the_level(level: Level) -> None:
    """It must hold that the nine axes err together at most at the level: a ninth for each."""
    state = begun(level, profile=True)
    assert isinstance(state.grid, LineGrid)
    levels = [
        (axis.at, set(state.wealth.levels[points])) for axis, points in blocks(state.grid.axes)
    ]
    of_band = [level for at, [level] in levels if at is not None]
    others = [level for at, [level] in levels if at is None]
    assert others == [ALPHA, ALPHA]
    assert of_band == pytest.approx([ALPHA / 9] * 9)
    # fair bets of all the wealth on events of each axis, independent: the union of their errors
    assert 1 - math.prod(1 - level for level in of_band) <= sum(of_band) <= ALPHA * (1 + 1e-9)
    assert 1 - math.prod(1 - ALPHA for _ in of_band) > 0.36
    # each axis is decided by its own level
    band = [points for axis, points in blocks(state.grid.axes) if axis.at is not None]
    for points, enough in zip(band, [False, True] * 5, strict=False):
        state.wealth.highest[points] = math.log(9 / ALPHA) + (1e-5 if enough else -1e-5)
    rejected = [limit > 0 for axis, limit in state.lower_limits() if axis.at is not None]
    assert rejected == ([False, True] * 5)[:9]


@pytest.mark.long
@pytest.mark.parametrize("seed", all_but([1, 2, 3], range(4)))
def test_the_band_is_below_the_true_profile(seed: int) -> None:
    """It must hold that N(0, 1) and N(1, 1) have limits below their profile, and above nothing."""
    delta = "13/100"  # a little above the true delta at epsilon = 1: the run goes to its budget
    result = run(
        gaussian,
        ApproxDP(1, delta),
        profile=True,
        seed=seed,
        budget_samples=30_000,
        false_alarm=0.01,
    )
    assert result.profile is not None
    assert [at for at, _ in result.profile] == [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0]
    for at, limit in result.profile:
        assert limit <= gaussian_delta(1.0, at)
    assert result.profile[0][1] >= 0.3
    assert result.profile[4][1] >= 0.05


@pytest.mark.long
def test_the_band_is_told_only_where_it_was_asked_for() -> None:
    """It must hold that other runs, and other levels, have no band."""
    assert run(gaussian, PureDP(3), budget_samples=3_000).profile is None
    assert run(gaussian, GaussianDP(1), budget_samples=3_000, profile=True).profile is None
