"""Bets on likely events: what is staked, and what is not."""

from __future__ import annotations

import numpy as np
import pytest

from audit.engine.candidate_events import propose
from audit.engine.experts.posterior_bets import EFFECTS, PosteriorBets, event_scores
from audit.levels.supporting_lines import LineGrid
from mechanisms.claims import GaussianDP, Level, PureDP, Relation, TradeOff
from tests.grids import lines_of

STEEP = TradeOff(((0, 1), ("1/10", "1/5"), (1, 0)))


def made(past: np.ndarray, grid: LineGrid, pairs: int = 1) -> PosteriorBets:
    """Bets on a past, all of whose cells are ordered."""
    candidates = propose([past], [past.shape[2]])
    z = event_scores(candidates, grid)
    return PosteriorBets.make(candidates, [past], grid, z, pairs=pairs)


def split(p: list[int], q: list[int]) -> np.ndarray:
    """The same counts in both halves of the past."""
    return np.array([[p, q], [p, q]], dtype=float)


def test_noise_among_many_pairs_costs_little() -> None:
    """It must hold that what chance brings among 1000 pairs is staked on less than among one."""
    grid = lines_of(PureDP(1), Relation.LISTED)
    past = split([60, 40], [16, 84])  # 1.7 standard errors beyond the claim
    candidates = propose([past], [2])
    z = event_scores(candidates, grid)[:, :, grid.claimed].max()
    assert 1 < z < 2.5
    batch = split([60, 140], [60, 140])[0]
    alone, among = (made(past, grid, n).log_e([batch], 200)[:, grid.claimed] for n in (1, 1000))
    assert alone.min() < -1
    assert (among > alone).all()
    assert among.min() > 0.05 * alone.min()


def test_a_clear_violation_is_bet_on_by_the_account_of_its_size() -> None:
    """It must hold that the wealth grows by the violation, and most where the account fits."""
    grid = lines_of(PureDP(1), Relation.LISTED)
    p, q = [3000, 7000], [800, 9200]
    growth = made(split(p, q), grid).log_e([split(p, q)[0]], 10_000)[:, grid.claimed]
    assert growth.argmax() == np.abs(np.log10(EFFECTS) + 2.5).argmin()
    assert growth.max() > 20


def test_accounts_that_the_past_contradicts_stake_nothing() -> None:
    """It must hold that after many draws at the claim no account loses what it has."""
    grid = lines_of(PureDP(1), Relation.LISTED)
    # one standard error within the claim
    p, q = [300_000, 700_000], [111_600, 888_400]
    values = made(split(p, q), grid).log_e([split(p, q)[0]], 1_000_000)
    assert values[EFFECTS > 1e-4, grid.claimed] == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("level", [PureDP(1), GaussianDP(1), STEEP])
@pytest.mark.parametrize("likelier", [0, 1])
def test_both_directions_are_bet_on_where_both_are_claimed(level: Level, likelier: int) -> None:
    """It must hold that a violation is seen on either arm, one way only on the neighbor's."""
    grid = lines_of(level, Relation.LISTED)
    arms = [[3600, 400], [1000, 3000]]
    p, q = arms if likelier == 0 else arms[::-1]
    growth = made(split(p, q), grid).log_e([split(p, q)[0]], 4000)[:, grid.claimed].max()
    assert (growth > 20) == (not grid.one_way or likelier == 1)


def test_the_partition_that_tells_most_is_bet_on() -> None:
    """It must hold that an account bets on one partition, the one where the violation shows."""
    grid = lines_of(PureDP(1), Relation.LISTED)
    blind, telling = split([500, 500], [500, 500]), split([300, 700], [50, 950])
    for order in ([blind, telling], [telling, blind]):
        candidates = propose(order, [2, 2])
        bets = PosteriorBets.make(candidates, order, grid, event_scores(candidates, grid))
        batch = [past[0] for past in order]
        at_claim = bets.log_e(batch, 1000)[:, grid.claimed]
        assert at_claim.max() > 10
