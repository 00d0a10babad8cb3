"""Bets on fixed events: the arms, the accounts, and what they remember."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from audit.engine.bet_growth import CLIP, LARGEST_STAKE, boundary_point, log_e_value, z_score
from audit.engine.experts.own_bets import STARTS, OwnBets
from audit.engine.experts.persistent import EFFECTS, TAILS, VARIANTS, PersistentBets
from audit.levels.supporting_lines import LineGrid
from mechanisms.claims import ApproxDP, GaussianDP, Level, PureDP, Relation, TradeOff
from tests.grids import lines_of

STEEP = TradeOff(((0, 1), ("1/10", "1/5"), (1, 0)))


def factors_of_event(
    p: float, q: float, draws: float, grid: LineGrid, point: int, effect: float
) -> tuple[float, float, float]:
    """Slope, q0 and stake of one account on one event, against the line it breaks most."""
    lines = list(zip(grid.slopes[:, point], grid.offsets[:, point], strict=True))
    scores = [float(z_score(*map(np.array, (p, q, draws, s, t)))) for s, t in lines]
    s, t = lines[int(np.argmax(scores))]
    q0 = float(boundary_point(*(np.array([x]) for x in (p, q, s, t)))[0])
    p0 = s * q0 + t
    variance = p0 * (1 - p0) + s**2 * q0 * (1 - q0)
    largest = min(1 / p0, 1 / (s * (1 - q0)))
    return s, q0, min(math.sqrt(2 * effect / variance), LARGEST_STAKE * largest)


def slow(bets: PersistentBets, counts: np.ndarray, place: tuple[int, int, int, int]) -> float:
    """E-value of one bet, cell by cell, by the formulas of the docstring."""
    variant, account, pair, point = place
    grid = bets.grid
    draws = float(bets.totals[0, 0].sum())
    a, b = np.ones(counts.shape[1]), np.ones(counts.shape[1])
    for event in (0, 1):
        if event == 0 and grid.one_way:
            continue
        arm = event  # the first event is likelier on the data, the second on the neighbor
        p, q = ((bets.totals[x, pair, event] + 0.5) / (draws + 1.5) for x in (arm, 1 - arm))
        s, q0, mu = factors_of_event(p, q, draws, grid, point, EFFECTS[account])
        offset = next(
            t
            for slope, t in zip(grid.slopes[:, point], grid.offsets[:, point], strict=True)
            if slope == s
        )
        inside = bets.events[pair, event]
        stake = VARIANTS[variant, event] * mu
        likelier = stake * (inside - (s * q0 + offset))
        other = -s * stake * (inside - q0)
        a, b = (a + likelier, b + other) if arm == 0 else (a + other, b + likelier)
    lowest = min((a - 1).min(), (b - 1).min())
    scale = min(1.0, CLIP / -lowest) if lowest < 0 else 1.0
    return float(counts[0] @ np.log(1 + scale * (a - 1)) + counts[1] @ np.log(1 + scale * (b - 1)))


@pytest.mark.parametrize(
    "level", [PureDP(1), ApproxDP("1/2", "1/10"), GaussianDP(1), STEEP], ids=str
)
def test_they_match_their_plain_twin(level: Level, dp_rng: np.random.Generator) -> None:
    """It must hold that each event is bet on, arm against other arm, in its own direction."""
    grid = lines_of(level, Relation.LISTED)
    first = dp_rng.multinomial(400, [0.4, 0.3, 0.1, 0.15, 0.05], size=2).astype(float)
    bets = PersistentBets.start(first, 4, grid)
    batch = np.array([[70.0, 10, 5, 10, 5], [10.0, 20, 30, 35, 5]])
    values = bets.log_e(bets.log_factors(), batch)
    assert values.shape == bets.log_wealth.shape
    for place in np.ndindex(values.shape):
        if place[3] in (0, grid.claimed, grid.points - 1):
            assert values[place] == pytest.approx(slow(bets, batch, place), rel=1e-9, abs=1e-9)


def test_a_batch_is_booked_once() -> None:
    """It must hold that wealth and past grow by the batch, and looks leave them alone."""
    grid = lines_of(PureDP(1), Relation.LISTED)
    first = np.array([[50.0, 30, 20], [20.0, 30, 50]])
    bets = PersistentBets.start(first, 3, grid)
    before, past = bets.log_wealth.copy(), bets.totals.copy()
    batch = np.array([[70.0, 20, 10], [10.0, 30, 60]])
    log_e = bets.log_e(bets.log_factors(), batch)
    looked = bets.log_sum(log_e)
    np.testing.assert_array_equal(bets.log_wealth, before)
    bets.settle(batch, log_e)
    np.testing.assert_array_equal(bets.log_wealth, before + log_e)
    np.testing.assert_allclose(bets.log_sum(), looked)
    assert bets.totals.sum(axis=2) == pytest.approx(200)
    for pair, (lower, upper) in enumerate(bets.events):
        new = np.stack([batch[:, lower].sum(1), batch[:, upper].sum(1)], axis=1)
        np.testing.assert_array_equal(bets.totals[:, pair, :2], past[:, pair, :2] + new)


def test_both_tails_of_every_mass_are_bet_on_both_ways() -> None:
    """It must hold that tails are disjoint, of about their masses, and each arm's turn comes."""
    counts = np.full((2, 100), 5.0)
    bets = PersistentBets.start(counts, 100, lines_of(PureDP(1), Relation.LISTED))
    masses = counts[0] @ bets.events.transpose(2, 0, 1).reshape(100, -1) / 500
    assert len(bets.events) == 2 * len(TAILS)
    masses = masses.reshape(-1, 2)
    assert masses[:, 0] == pytest.approx(masses[:, 1])
    assert np.sort(masses[:, 0]) == pytest.approx(np.repeat(TAILS, 2), abs=0.011)
    assert not (bets.events[:, 0] & bets.events[:, 1]).any()
    for lower, upper in bets.events:
        assert any((a == upper).all() and (b == lower).all() for a, b in bets.events)


def test_tails_that_end_in_one_cell_are_one_event_of_as_many_shares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold that two tails in the first cell double its share, beside another event's."""
    counts = np.array([[60.0, 40.0, 40.0, 60.0]] * 2)
    grid = lines_of(PureDP(1), Relation.LISTED)
    advantages = []
    for tails in ((0.1, 0.4), (0.1, 0.2, 0.4)):
        monkeypatch.setattr("audit.engine.experts.persistent.TAILS", tails)
        bets = PersistentBets.start(counts, 4, grid)
        assert len(bets.events) == 4
        assert bets.log_sum() == pytest.approx(0, abs=1e-9)
        one, two = (
            next(i for i, e in enumerate(bets.events) if e[0][0] and e[0].sum() == cells)
            for cells in (1, 2)
        )
        advantages.append(bets.log_wealth[:, :, one] - bets.log_wealth[:, :, two])
    assert advantages[1] - advantages[0] == pytest.approx(math.log(2))


def test_the_right_account_grows_as_it_aims_to(dp_rng: np.random.Generator) -> None:
    """It must hold that the best account's wealth grows by about the oracle's growth per draw."""
    p, q = np.array([0.45, 0.55]), np.array([0.13, 0.87])
    grid = lines_of(PureDP(1), Relation.LISTED)
    draws = 20_000
    first, batch = (
        np.stack([dp_rng.multinomial(n, law) for law in (p, q)]).astype(float) for n in (200, draws)
    )
    bets = PersistentBets.start(first, 2, grid)
    values = bets.log_e(bets.log_factors(), batch)[..., grid.claimed]
    x = (np.array([v]) for v in (0.45, 0.13, math.e, 0.0))
    q0 = boundary_point(*x)
    p0 = math.e * q0
    mu = (0.45 - p0) / (p0 * (1 - p0))
    hits = (np.array(c) for c in batch[:, 0])
    oracle = float(log_e_value(*hits, draws, q0, mu, np.array(math.e), np.array(0.0))[0])
    assert oracle > 50
    assert 0.75 * oracle < values.max() <= 1.05 * oracle
    assert np.median(values) < 0.5 * oracle


@pytest.mark.parametrize("kept", [False, True])
def test_own_bets_stake_by_what_they_were_made_from(
    dp_rng: np.random.Generator, *, kept: bool
) -> None:
    """It must hold that what is booked after the bets were made changes no stake of theirs."""
    first, *batches = dp_rng.multinomial(400, [0.4, 0.3, 0.1, 0.2], size=(3, 2)).astype(float)
    own = OwnBets(lines_of(PureDP(1), Relation.LISTED), STARTS, kept=kept)
    own.begin(SimpleNamespace(ordered=4), first)
    own.make()
    early = own.begun[0].log_factors()
    for batch in batches:
        values = own.log_e([batch])
        np.testing.assert_array_equal(values[0], own.begun[0].log_e(early, batch))
        own.settle([batch], values)
        assert bool(own.factors) == kept
    own.make()
    late = own.log_e([first])[0]
    assert not np.array_equal(late, own.begun[0].log_e(early, first))
