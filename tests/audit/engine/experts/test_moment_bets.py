"""Bets on divergences: which arm, which order, which cells together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from audit.engine.candidate_events import propose
from audit.engine.experts.moment_bets import MomentBets, event_gaps
from audit.levels.moments import MomentGrid, binary_divergence
from mechanisms.claims import RenyiDP, ZeroConcentratedDP
from tests.grids import moments_of

GRID = moments_of(ZeroConcentratedDP("1/10"))
LAWS = np.array([[0.5, 0.3, 0.2], [0.1, 0.3, 0.6]])
"""Order 1: .59 on the data, against a claim of .1."""


def made(
    arms: np.ndarray, groups: int = 6, grid: MomentGrid = GRID, ordered: int = 3
) -> MomentBets:
    """Bets on a past with these counts in both halves."""
    return MomentBets.on_groups([np.stack([arms, arms])], [ordered], grid, groups)


@pytest.mark.parametrize("mirrored", [False, True], ids=["data", "neighbor"])
def test_the_wealth_grows_as_the_bet_predicts(mirrored: bool) -> None:
    """It must hold that expected counts bring the predicted growth, whichever arm stands for P."""
    arms = 1e5 * (LAWS[::-1] if mirrored else LAWS)
    bets = made(arms)
    grown = bets.log_e([arms], 100_000)[GRID.claimed] / 1e5
    assert grown == pytest.approx(bets.growth[GRID.claimed], rel=0.02)
    assert grown > 0.03


def test_a_divergence_that_is_larger_on_one_arm_is_bet_on_there() -> None:
    """It must hold that P is the arm with the larger divergence from the other."""
    rare = np.array([[0.9, 0.09, 0.01], [0.999, 0.0009, 0.0001]])
    assert made(1e5 * rare).direction[GRID.claimed] == 0
    assert made(1e5 * rare[::-1]).direction[GRID.claimed] == 1


def test_stakes_fall_with_the_claim() -> None:
    """It must hold that larger claims promise less growth, and those that hold nothing."""
    growth = made(1e5 * LAWS).growth
    assert (np.diff(growth) <= 1e-9).all()
    assert growth[0] > 0
    assert growth[-1] == 0
    assert made(np.array([[500.0, 500], [500.0, 500]]), ordered=2).growth[1:].max() == 0


@pytest.mark.parametrize("groups", [1, 2, 6])
def test_ordered_cells_are_pooled_and_others_are_not(groups: int) -> None:
    """It must hold that a group has one factor, of about equal counts, and categories their own."""
    arms = np.array([[100.0] * 6 + [300, 50], [50.0] * 6 + [100, 550]])
    bets = made(arms, groups, ordered=6)
    factors = np.exp(bets.log_factors[GRID.claimed])
    runs = factors[:, :6]
    assert np.unique(runs, axis=1).shape[1] <= groups
    expected = np.repeat(np.arange(groups), 6 // groups)
    for group in range(groups):
        assert np.ptp(runs[:, expected == group], axis=1) == pytest.approx(0)
    likelier, other = factors[0, 6:] if bets.direction[GRID.claimed] == 0 else factors[0, :5:-1]
    assert likelier > 1 > other


def test_the_partition_that_tells_most_is_bet_on() -> None:
    """It must hold that each point's bet is on the partition with the largest growth."""
    blind, telling = np.full((2, 2, 3), 1e4), 1e5 * np.stack([LAWS, LAWS])
    for order, place in (([blind, telling], 1), ([telling, blind], 0)):
        bets = MomentBets.on_groups(order, [3, 3], GRID, 6)
        assert bets.partition[GRID.claimed] == place
        assert bets.log_e([past[0] for past in order], 100_000)[GRID.claimed] > 1000


def test_a_claim_far_from_the_truth_is_bet_on_by_tempered_ratios() -> None:
    """It must hold that the growth is above what the true ratios bring: .0348 by calculation."""
    assert made(1e7 * LAWS).growth[GRID.claimed] > 0.07


def test_few_draws_are_bet_on_with_caution() -> None:
    """It must hold that what chance brings to equal laws is staked on little."""
    grid = moments_of(RenyiDP(2, "1/10"))
    few = np.array([[12.0, 10, 8], [8.0, 10, 12]])
    bets = made(few, grid=grid)
    equal = np.full((2, 3), 10.0)
    assert bets.log_e([equal], 30)[grid.claimed] > -0.5


@pytest.mark.parametrize("direction", [0, 1])
def test_a_rare_event_between_others_is_bet_on(direction: int) -> None:
    """It must hold that an event of a few of many cells is found, which groups of cells hide."""
    arms = np.full((2, 60), 1000.0)
    arms[direction, 30:32] = 600.0
    arms[1 - direction, 30:32] = 6.0
    arms *= 60_000 / arms.sum(axis=1, keepdims=True)
    past = [np.stack([arms, arms])]
    small = moments_of(ZeroConcentratedDP("1/50"))
    coarse = MomentBets.on_groups(past, [60], small, 10)
    bets = MomentBets.on_events(propose(past, [60]), past, small)
    assert coarse.growth[small.claimed] == 0
    assert bets.growth[small.claimed] > 0
    likelier, other = np.exp(bets.log_factors[small.claimed])
    if bets.direction[small.claimed] != direction:
        likelier, other = other, likelier
    assert (likelier[30:32] > 1).all()
    assert (other[30:32] < 1).all()
    others = np.delete(np.stack([likelier, other]), [30, 31], axis=1)
    assert np.ptp(others, axis=1) == pytest.approx(0)
    grown = bets.log_e([arms], int(arms[0].sum()))[small.claimed]
    assert grown > 0


@pytest.mark.parametrize("order", [1.0, 1.5, 2.0, 8.0])
def test_gaps_of_events_are_those_of_their_divergences(order: float) -> None:
    """It must hold that the gap's sign says whether the event breaks the claim at an order."""
    p, q = np.array([0.2]), np.array([0.05])
    divergence = binary_divergence(0.2, 0.05, order)
    level = RenyiDP(max(order, 1.01), 1)
    for factor, sign in ((0.99, 1), (1.01, -1)):
        grid = replace(
            moments_of(level),
            orders=np.array([order]),
            divergences=np.full((1, moments_of(level).points), factor * divergence),
        )
        assert np.sign(event_gaps(p, q, np.array([100.0]), grid)[0]) == sign
