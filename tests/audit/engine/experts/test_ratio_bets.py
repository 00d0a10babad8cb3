"""Bets on learned functions: what they are on, and what they find."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from audit.draws.settings import Settings
from audit.engine.experts import LINE_SHARES, ratio_accounts, shares
from audit.engine.experts.learned_ratios import NO_PRIOR, learn
from audit.engine.experts.ratio_bets import KAPPAS, RATIO_PRIOR, RatioBets
from audit.engine.experts.ratio_choice import RatioChoice, choose, gaps
from audit.engine.run_state import Run
from audit.engine.sequential import audit
from audit.levels import grid_of
from audit.levels.supporting_lines import LineGrid
from audit.pairs.worst_cases import Pair
from audit.results.verdict import Verdict
from mechanisms.claims import PureDP, Relation
from tests.audit.engine.samplers import stated, target
from tests.grids import lines_of
from tests.theorems.exact import Array

GRID = lines_of(PureDP(1), Relation.LISTED)
ON_FIRST = RatioChoice(0, NO_PRIOR, 0.0)


def stripes(rng: np.random.Generator, draws: int, loss: float, cells: int = 32) -> Array:
    """Counts by half, arm and cell: every other cell is likelier on the data, the rest less."""
    p = np.where(np.arange(cells) % 2 == 0, math.exp(loss), 1.0)
    laws = (p / p.sum(), p[::-1] / p.sum())
    halves = [[rng.multinomial(draws, law) for law in laws] for _ in range(2)]
    return np.array(halves, dtype=float)


def test_e_values_are_products_over_the_draws(dp_rng: np.random.Generator) -> None:
    """It must hold that counts give what each draw's factor gives, in all accounts and points."""
    past = stripes(dp_rng, 300, 1.5)
    bets = RatioBets.make(ON_FIRST, [past], [32], GRID)
    draws = dp_rng.integers(0, 32, (2, 40))
    counts = np.stack([np.bincount(x, minlength=32) for x in draws]).astype(float)
    expected = sum(
        log.reshape(KAPPAS.size, GRID.points, -1)[:, :, np.searchsorted(bets.used, x)].sum(axis=2)
        for log, x in zip((bets.log_a, bets.log_b), draws, strict=True)
    )
    np.testing.assert_allclose(bets.log_e([counts], 40), expected, atol=1e-9)


def test_what_is_bet_on_is_the_kelly_bet_of_the_ratios(dp_rng: np.random.Generator) -> None:
    """It must hold at full stake, of one direction alone, that factors are 1 + (f - p0) / s."""
    past = stripes(dp_rng, 3_000, 1.5)
    one_way = LineGrid(GRID.slopes, GRID.offsets, GRID.axes, GRID.claimed, one_way=True)
    bets = RatioBets.make(ON_FIRST, [past], [32], one_way)
    b = np.exp(bets.log_b).reshape(KAPPAS.size, GRID.points, -1)[0, GRID.claimed, :-1]
    g = bets.functions[1]
    assert (g > 0).sum() == 16
    np.testing.assert_allclose(np.diff(b), np.diff(g) / math.e, atol=1e-9)


def test_nothing_is_staked_without_a_choice() -> None:
    """It must hold that the wealth stays what it is."""
    bets = RatioBets.make(None, [], [], GRID)
    assert not bets.log_e([], 10).any()
    nothing = choose([np.zeros((2, 2, 5))], [5], GRID)
    assert nothing is None


def test_the_partition_that_tells_is_chosen(dp_rng: np.random.Generator) -> None:
    """It must hold of one among three that tell nothing, in seven runs of seven."""
    for place in range(7):
        counts = [dp_rng.multinomial(400, np.full(32, 1 / 32), (2, 2)).astype(float)] * 3
        counts.insert(place % 4, stripes(dp_rng, 400, 1.8))
        found = choose(counts, [32] * 4, GRID)
        assert found is not None
        assert found.partition == place % 4
        assert found.z > 2


def test_held_out_gaps_are_none_of_chance(dp_rng: np.random.Generator) -> None:
    """It must hold of laws that are alike against epsilon 0, and not where halves are the same."""
    grid = lines_of(PureDP(0), Relation.LISTED)
    line = grid.slopes[:, grid.claimed], grid.offsets[:, grid.claimed]
    held_out, peeked = [], []
    for _ in range(40):
        first, second = dp_rng.multinomial(400, np.full(32, 1 / 32), (2, 2)).astype(float)
        functions = learn(first, 0).functions(line[0])
        held_out.append(gaps(functions, second, *line).mean())
        peeked.append(gaps(functions, first, *line).mean())
    assert abs(np.mean(held_out)) < 0.5
    assert np.mean(peeked) > 1


def test_the_gap_of_a_choice_is_not_that_of_what_it_learned_from(
    dp_rng: np.random.Generator,
) -> None:
    """It must hold that z stays small where the laws are alike, in the mean of forty pasts."""
    grid = lines_of(PureDP(0), Relation.LISTED)
    gaps_of = []
    for _ in range(40):
        found = choose([dp_rng.multinomial(400, np.full(32, 1 / 32), (2, 2)) + 0.0], [0], grid)
        gaps_of.append(0.0 if found is None else found.z)
    assert np.mean(gaps_of) < 1


def checkerboard(data: float, size: int, rng: np.random.Generator) -> Any:
    """Three coordinates; whether the first and the third lie on one side keeps the bit, 1.3."""
    u = rng.random((size, 3))
    bit = np.where(rng.random(size) < 1 / (1 + math.exp(-1.3)), int(data), 1 - int(data))
    together = (u[:, 0] < 0.5) == (u[:, 2] < 0.5)
    u[:, 0] = np.where(together == (bit == 1), (u[:, 0] + 0.5) % 1, u[:, 0])
    return u


@pytest.mark.long
def test_an_exclusive_or_is_found_and_said() -> None:
    """It must hold that two coordinates that tell only together are the witness, in 3,000 draws."""
    settings = Settings(seed=1, false_alarm=0.05, ideal=True, budget_samples=6_000)
    pair = Pair("a bit", 0.0, 1.0)
    result = audit(target(checkerboard), stated(PureDP(1), Relation.LISTED), [pair], settings)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert "output[0]" in result.witness.event
    assert "output[2]" in result.witness.event
    assert result.witness.hits > 2 * result.witness.other_hits


@pytest.mark.long
def test_without_the_expert_it_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the draws that are enough with it are not enough without."""
    share = Run._share

    def without(run: Run) -> None:
        share(run)
        run.wealth.shares[slice(*ratio_accounts(run.grid))] = 1e-200

    monkeypatch.setattr(Run, "_share", without)
    settings = Settings(seed=1, false_alarm=0.05, ideal=True, budget_samples=6_000)
    pair = Pair("a bit", 0.0, 1.0)
    result = audit(target(checkerboard), stated(PureDP(1), Relation.LISTED), [pair], settings)
    assert result.verdict is not Verdict.REFUTED


def test_the_share_comes_from_all_others() -> None:
    """It must hold that the others keep .88 of what they had, and the accounts their shares."""
    weights = shares(grid_of(stated(PureDP(1))))
    own = weights[slice(*ratio_accounts(GRID))]
    np.testing.assert_allclose(own, 0.12 * RATIO_PRIOR)
    np.testing.assert_allclose(
        LINE_SHARES, (0.88 * 0.44, 0.88 * 0.15, 0.12, 0.88 * 0.41), atol=1e-3
    )
