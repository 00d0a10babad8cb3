"""The bookkeeping of the wealth: what is multiplied in, over what it is spread, when it refutes."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from audit.draws.settings import Settings
from audit.engine.bet_growth import log_e_value
from audit.engine.detectable_power import FACTORS, detectable, draws_needed, factor, oracle_power
from audit.engine.experts import Bets, make_bets, shares
from audit.engine.experts.persistent import PersistentBets
from audit.engine.loop import bet_on, first_draws
from audit.engine.run_state import Run
from audit.engine.sequential import audit
from audit.engine.wealth import Wealth
from audit.levels import grid_of
from audit.pairs.worst_cases import Pair
from mechanisms.claims import GaussianDP, Level, PureDP, RenyiDP, ZeroConcentratedDP
from tests.audit.engine.samplers import claim, laplace, stated, target

ALPHA = 0.02
PAIRS = [Pair("0 and 1", 0.0, 1.0), Pair("0 and 1/2", 0.0, 0.5)]


def started(pairs: list[Pair], share: float = 1.0) -> Run:
    """Begin a run, and draw what the first bets need."""
    settings = Settings(seed=3, false_alarm=ALPHA, ideal=True, budget_samples=100_000)
    run = Run.start(target(laplace()), claim(1), pairs, settings, grid_of(claim(1)), None, share)
    for state in run.pairs:
        first_draws(run, state, 200)
    return run


def rigged(monkeypatch: pytest.MonkeyPatch, experts: float, own: float) -> None:
    """Let every draw of a batch multiply the wealth of an account by a fixed factor."""

    def of_experts(self: Bets, counts: Any, size: int) -> Any:
        return original(self, counts, size) * 0 + experts * size

    def of_pair(self: PersistentBets, factors: Any, counts: Any) -> Any:
        return np.full_like(self.log_wealth, own * counts[0].sum())

    original = Bets.log_e
    monkeypatch.setattr(Bets, "log_e", of_experts)
    monkeypatch.setattr(PersistentBets, "log_e", of_pair)


@pytest.mark.parametrize("share", [1.0, 0.5], ids=["whole rate", "half of the rate"])
def test_wealth_of_one_over_the_rate_refutes(share: float) -> None:
    """It must hold that a claim is refuted from wealth 1/alpha on, alpha the run's share.

    So must be what implies it: where the wealth against the claim alone is so large, no limit is.
    """
    run = started(PAIRS[:1], share)
    threshold = math.log(1 / (share * ALPHA))
    run.wealth.highest[run.grid.claimed] = threshold + 1e-5
    assert not run.refuted
    assert [limit for _, limit in run.lower_limits()] == [0.0, 0.0]
    run.wealth.highest[run.stronger] = threshold + 1e-5
    assert run.refuted
    assert [limit for _, limit in run.lower_limits()] == [1.0, 0.0]
    run.wealth.highest[run.grid.claimed] = threshold - 1e-5
    assert not run.refuted
    assert not run.wealth.rejected()[run.grid.claimed]


def test_only_whole_batches_are_multiplied_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that looks are compared with 1/alpha but change no wealth (T3)."""
    rigged(monkeypatch, 1e-3, 0.0)
    run = started(PAIRS[:1])
    run.wealth.levels[:] = math.exp(-1)  # so near that parts of batches are looked at
    own = shares(run.grid)[-1]
    for bets in range(1, 6):
        bet_on(run, run.pairs[0], 100)
        assert run.wealth.log_experts == pytest.approx(1e-3 * 100 * bets)
        mixed = (1 - own) * math.exp(0.1 * bets) + own
        assert run.wealth.highest == pytest.approx(math.log(mixed))


def test_a_look_is_made_at_half_of_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that wealth which is high at half of a batch counts, though it is lost later."""
    run = started(PAIRS[:1])
    run.wealth.levels[:] = math.exp(-0.5)  # so near that half of a batch is looked at

    def falling(self: Bets, counts: Any, size: int) -> Any:
        return np.full_like(run.wealth.log_experts, 2.0 if size == 50 else -3.0)

    rigged(monkeypatch, 0.0, 0.0)
    monkeypatch.setattr(Bets, "log_e", falling)
    bet_on(run, run.pairs[0], 100)
    own = shares(run.grid)[-1]
    assert run.wealth.highest == pytest.approx(math.log((1 - own) * math.exp(2) + own))
    assert run.wealth.log_experts == pytest.approx(-3.0)


def test_one_wealth_is_spread_over_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that each pair's persistent bets hold an equal share of the pairs' wealth."""
    rigged(monkeypatch, 0.0, 1e-2)
    run = started(PAIRS)
    bet_on(run, run.pairs[0], 100)
    bet_on(run, run.pairs[0], 100)
    bet_on(run, run.pairs[1], 300)
    assert run.wealth.log_pairs[:, 0] == pytest.approx([2.0, 3.0])
    own = shares(run.grid)[-1]
    spread = (math.exp(2) + math.exp(3)) / 2
    assert run.wealth.highest == pytest.approx(math.log(1 - own + own * spread))


def test_wealth_of_the_experts_is_carried_from_pair_to_pair(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold that the bets on all pairs stake one wealth, whatever the pair (T6)."""
    rigged(monkeypatch, 1e-2, 0.0)
    run = started(PAIRS)
    bet_on(run, run.pairs[0], 100)
    bet_on(run, run.pairs[1], 100)
    assert run.wealth.log_experts == pytest.approx(2.0)


@pytest.mark.parametrize("level", [PureDP(1), GaussianDP(1), ZeroConcentratedDP(1), RenyiDP(2, 1)])
def test_the_accounts_begin_with_one_wealth_together(level: Level) -> None:
    """It must hold that the shares sum to 1, one each for the accounts that a bet has."""
    grid = grid_of(stated(level))
    weights = shares(grid)
    assert (weights >= 0).all()
    assert weights.sum() == pytest.approx(1, abs=1e-12)
    counts = np.full((2, 2, 4), 20.0)
    made = make_bets([counts], [4], [np.ones(4, dtype=bool)], grid)
    assert made.log_e([counts.sum(axis=0)], 160).shape == (weights.size - 1, grid.points)


def test_lending_moves_no_wealth_in_or_out() -> None:
    """It must hold that accounts that lend have together what they had, and others theirs."""
    shares = np.array([0.5, 0.2, 0.1, 0.2])
    log_e = np.array([[0.3], [-4.0], [2.0]])
    lends, keeps = (
        Wealth(shares, 1, np.array([0.05]), learned=accounts) for accounts in ((1, 3), (0, 0))
    )
    for wealth in (lends, keeps):
        wealth.settle(0, log_e, np.zeros(1))
    np.testing.assert_allclose(lends.booked(), keeps.booked(), atol=1e-12)
    assert lends.log_experts[0] == keeps.log_experts[0]
    assert lends.log_experts[1] > keeps.log_experts[1] + 1
    assert lends.log_experts[2] < keeps.log_experts[2]


def test_a_refutation_rests_on_learned_functions_where_no_others_have_enough() -> None:
    """It must hold of the wealth of all others together, each at its share."""
    shares = np.array([0.5, 0.2, 0.3])
    for log_e, rests in (([0.0, 6.0], True), ([4.0, 6.0], False), ([0.0, 0.0], True)):
        wealth = Wealth(shares, 1, np.array([0.05]), learned=(1, 2))
        wealth.settle(0, np.array(log_e)[:, None], np.zeros(1))
        assert wealth.rests_on_learned(0) == rests


def test_e_value_of_the_code_gains_nothing_under_the_claim() -> None:
    """It must hold that the exact mean of `log_e_value`'s e-value is at most 1 (T1)."""
    from scipy.stats import binom

    size = 6
    hits, other = np.meshgrid(np.arange(size + 1.0), np.arange(size + 1.0), indexing="ij")
    means = []
    for s, t in ((math.e, 0.0), (1.3, 0.1), (1.0, 0.0), (7.4, 0.02)):
        for q in (0.02, 0.1, 0.5):
            p = min(1.0, s * q + t)
            for q0 in (0.3 * (1 - t) / s, 0.8 * (1 - t) / s):
                mu = 0.9 * min(1 / (s * q0 + t), 1 / (s * (1 - q0)))
                numbers = (np.array(x) for x in (q0, mu, s, t))
                values = np.exp(log_e_value(hits, other, size, *numbers))
                law = binom.pmf(hits, size, p) * binom.pmf(other, size, q)
                means.append(float((values * law).sum()))
    assert max(means) <= 1 + 1e-12
    assert max(means) > 0.5


@pytest.mark.parametrize("mass", [0.5, 0.1, 0.01, 1e-3, 1e-4])
def test_power_statement_follows_the_recorded_factor(mass: float) -> None:
    """It must hold that `detectable` is the oracle's limit at the draws that the file leaves it."""
    draws, grid = 1_000_000, grid_of(claim(1))
    asked = {"grid": grid, "false_alarm": 0.05}
    statement = detectable(draws, 1, resolution=None, **asked)
    stated = statement.epsilons[statement.masses.index(mass)]
    a, b = json.loads(FACTORS.read_text())["fits"]["lines"][repr(mass)]
    usable = max(n for n in range(draws // 50, draws, 50) if a * n + b * n**0.5 <= draws - 200)
    assert factor(mass, usable, grid) == pytest.approx(a + b / usable**0.5)
    assert oracle_power(mass, stated, usable + 50, **asked) >= 0.9
    assert oracle_power(mass, stated * (1 - 1.1e-3), usable, **asked) < 0.9  # to 0.1 %


def test_needed_draws_are_those_with_which_the_limit_is_detected() -> None:
    """It must hold that a run of exactly so many draws is CONSISTENT, and one of 2 % fewer not."""
    for level in (PureDP(1), ZeroConcentratedDP("0.1")):
        asked = {"grid": grid_of(stated(level)), "false_alarm": 0.001, "resolution": None}
        needed = draws_needed(**asked)
        enough, few = (detectable(math.ceil(x * needed), 1, **asked) for x in (1.0, 0.97))
        assert enough.at_tenth <= enough.limit * (1 + 1e-3)
        assert few.at_tenth > few.limit


@pytest.mark.long
def test_two_runs_share_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a run that starts again leaves the sum of both rates at alpha."""
    levels: list[float] = []
    begin = Run.start.__func__

    def watched(cls: type[Run], *arguments: Any) -> Run:
        run: Run = begin(cls, *arguments)
        levels.append(run.level)
        return run

    def failing(data: float, size: int, rng: np.random.Generator) -> Any:
        if (rng.random(size) < 5e-4).any():
            raise FloatingPointError
        return rng.normal(size=size)

    monkeypatch.setattr(Run, "start", classmethod(watched))
    settings = Settings(seed=1, false_alarm=ALPHA, ideal=True, budget_samples=20_000)
    audit(target(failing), claim(1), PAIRS[:1], settings)
    assert len(levels) == 2
    assert sum(levels) == pytest.approx(ALPHA)


@pytest.mark.parametrize("likelier", ["data", "neighbor"])
def test_witness_on_the_neighbor_counts_its_own_arm(likelier: str) -> None:
    """It must hold that the witness names the arm on which its event is likelier, and counts it."""
    data, neighbor = (1.0, 0.0) if likelier == "data" else (0.0, 1.0)

    def rare_event(value: float, size: int, rng: np.random.Generator) -> Any:
        return (rng.random(size) < 0.01 + 0.2 * value).astype(float)

    settings = Settings(seed=1, false_alarm=0.05, budget_samples=100_000)
    pair = Pair("one arm has the event", data, neighbor)
    witness = audit(target(rare_event), claim(1), [pair], settings).witness
    assert witness is not None
    assert witness.likelier == likelier
    assert witness.hits > 5 * witness.other_hits
    assert witness.epsilon_lower > 1
