"""Bets that begin anew: shares fixed in advance, and no wealth out of nothing (ENG-T3)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from audit.engine.bet_growth import z_score
from audit.engine.experts.own_bets import STARTS_ON_SCORES, OwnBets, signal
from mechanisms.claims import PureDP, Relation
from tests.grids import lines_of

GRID = lines_of(PureDP(1), Relation.LISTED)
FIRST = np.array([[40.0, 30, 30], [30.0, 30, 40]])


class Cells:
    """A partition of three cells in order."""

    ordered = 3


def begin(bets: OwnBets) -> None:
    """Begin the next bets on three cells."""
    partition: Any = Cells()
    bets.begin(partition, FIRST)
    bets.make()


def test_what_has_not_begun_is_not_staked() -> None:
    """It must hold that bets begin with their share, and that the rest waits with a wealth of 1."""
    bets = OwnBets(GRID, dict.fromkeys((0, 100, 1000, 10_000), 0.25))
    assert bets.log_sum() == pytest.approx(0)
    begin(bets)
    assert bets.log_sum() == pytest.approx(0)
    won = [np.full_like(bets.begun[0].log_wealth, math.log(9))]
    assert np.exp(bets.log_sum(won)) == pytest.approx(9 / 4 + 3 / 4)
    bets.settle([FIRST], won)
    before = bets.log_sum()
    begin(bets)
    np.testing.assert_allclose(bets.log_sum(), before)
    lost = [np.full_like(bets.begun[0].log_wealth, x) for x in (math.log(2), -50.0)]
    assert np.exp(bets.log_sum(lost)) == pytest.approx((9 * 2 + 0 + 1 + 1) / 4)


def test_all_shares_together_are_one() -> None:
    """It must hold that with all bets begun nothing waits."""
    bets = OwnBets(GRID, STARTS_ON_SCORES)
    for _ in STARTS_ON_SCORES:
        begin(bets)
        assert bets.log_sum() == pytest.approx(0, abs=1e-12)
    doubled = [np.full_like(own.log_wealth, math.log(2)) for own in bets.begun]
    assert np.exp(bets.log_sum(doubled)) == pytest.approx(2)
    assert not bets.due(10**9)


def test_bets_begin_when_they_are_due() -> None:
    """It must hold that the draws of the past decide, each start once."""
    bets = OwnBets(GRID, {0: 0.15, 800: 0.85})
    assert bets.due(200)
    begin(bets)
    assert not bets.due(799)
    assert bets.due(800)


def halves(data: list[int], neighbor: list[int]) -> np.ndarray:
    """Two equal halves of a past, shape (2, 2, K)."""
    return np.array([[data, neighbor]] * 2, dtype=float)


def test_the_signal_is_the_gap_of_a_tail_against_the_claim() -> None:
    """It must hold that arms within the claim have none, and arms beyond it that of either tail."""
    assert signal(halves([50, 50], [50, 50]), 2, GRID) < 0
    assert signal(halves([60, 40], [40, 60]), 2, GRID) < 0  # within e
    apart = halves([80, 20], [20, 80])
    p, q = (160 + 0.5) / 201, (40 + 0.5) / 201
    expected = z_score(*map(np.array, (p, q, 200.0, math.e, 0.0)))
    assert signal(apart, 2, GRID) == pytest.approx(float(expected))
    assert signal(apart[:, ::-1], 2, GRID) == pytest.approx(float(expected))


def test_cells_without_an_order_are_ordered_by_the_other_half() -> None:
    """It must hold that cells that only chance tells apart have no signal."""
    by_chance = np.array([[[9.0, 0, 9, 0], [0.0, 9, 0, 9]], [[0.0, 9, 0, 9], [9.0, 0, 9, 0]]])
    assert signal(by_chance, 0, GRID) < 0
    assert signal(by_chance[[0, 0]], 0, GRID) > 1
