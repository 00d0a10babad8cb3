"""Bets that begin anew: shares fixed in advance, and no wealth out of nothing (ENGINE T3)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from audit.engine.experts.own_bets import STARTS_ON_SCORES, OwnBets, signal
from audit.engine.lines import lines_of
from mechanisms.claims import PureDP, Relation

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
    bets = OwnBets(GRID, (0, 100, 1000, 10_000))
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
    bets = OwnBets(GRID, (0, 800))
    assert bets.due(200)
    begin(bets)
    assert not bets.due(799)
    assert bets.due(800)


def test_the_signal_is_that_of_a_threshold() -> None:
    """It must hold that equal arms have none, and arms apart that of their largest gap."""
    assert signal(np.array([[50.0, 50], [50.0, 50]])) == 0
    assert signal(np.array([[80.0, 20, 0], [20.0, 20, 60]])) == pytest.approx(6.0)
    assert signal(np.array([[80.0, 20], [20.0, 80]])) == signal(np.array([[20.0, 80], [80.0, 20]]))
