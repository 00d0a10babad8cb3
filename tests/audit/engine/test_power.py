"""The power statement is the exact calculation that it says it is."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

import numpy as np
import pytest

from audit.engine.bet_growth import boundary_point, log_e_value
from audit.engine.detectable_power import FACTORS, allowed, detectable, draws_needed, oracle_power
from audit.engine.experts.moment_bets import two_cell_bet
from audit.engine.privacy_sentences import detectable_lines
from audit.levels.moments import MomentGrid, binary_divergence
from audit.levels.supporting_lines import LineGrid
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    PersonalizedDP,
    PureDP,
    Relation,
    RenyiDP,
    ZeroConcentratedDP,
)
from tests.grids import lines_of, moments_of


def around(epsilon: float, delta: float) -> LineGrid:
    """The grid of a pure or approximate claim."""
    level = ApproxDP(epsilon, delta) if delta else PureDP(epsilon)
    return lines_of(level, Relation.LISTED)


ONE = around(1.0, 0.0)


@pytest.mark.parametrize(
    ("mass", "epsilon", "draws", "claim"),
    [(0.5, 1.0, 3000, (0.8, 0.0)), (0.1, 2.0, 600, (1.0, 0.0)), (0.2, 1.5, 1500, (1.0, 0.05))],
)
def test_oracle_power_agrees_with_simulation(
    mass: float,
    epsilon: float,
    draws: int,
    claim: tuple[float, float],
    dp_rng: np.random.Generator,
) -> None:
    """The sum over counts equals the rejected share of simulated counts, to 7 sigma."""
    s, t = math.exp(claim[0]), claim[1]
    p, q = mass + t, mass * math.exp(-epsilon)
    power = oracle_power(mass, epsilon, draws, grid=around(*claim), false_alarm=0.05)
    q0 = boundary_point(*(np.array([x]) for x in (p, q, s, t)))
    p0 = s * q0 + t
    mu = (p - p0) / (p0 * (1 - p0))
    hits, other = (dp_rng.binomial(draws, x, 40_000).astype(float) for x in (p, q))
    values = log_e_value(hits, other, draws, q0, mu, np.array([s]), np.array([t]))
    seen = float((values >= math.log(20)).mean())
    assert 0.05 < power < 0.999
    assert abs(seen - power) < 7 * math.sqrt(power * (1 - power) / 40_000)


def test_more_draws_detect_more() -> None:
    """The detectable epsilon falls with the draws and with the mass of the event."""
    runs = [
        detectable(n, 3, grid=ONE, false_alarm=0.05, resolution=None)
        for n in (2_000, 20_000, 200_000)
    ]
    for run in runs:
        assert list(run.epsilons) == sorted(run.epsilons)
    for fewer, more in itertools.pairwise(runs):
        assert all(a >= b for a, b in zip(fewer.epsilons, more.epsilons, strict=True))
    assert runs[-1].epsilons[0] > 1.0


def test_no_draws_detect_nothing() -> None:
    """Without draws beyond those that learn, nothing is detectable."""
    run = detectable(200, 1, grid=ONE, false_alarm=0.05, resolution=None)
    assert all(math.isinf(epsilon) for epsilon in run.epsilons)


@pytest.mark.parametrize(
    ("claim", "resolution", "limit"),
    [((1.0, 0.0), None, 1.5), ((4.0, 0.0), None, 6.0), ((1.0, 0.0), 0.25, 1.25)],
)
def test_limit_follows_the_claim_or_the_user(
    claim: tuple[float, float], resolution: float | None, limit: float
) -> None:
    """CONSISTENT needs claim + max(.5, claim / 2), or the user's resolution."""
    run = detectable(10_000, 1, grid=around(*claim), false_alarm=0.05, resolution=resolution)
    assert run.limit == pytest.approx(limit)


def test_a_large_delta_still_leaves_something_to_detect() -> None:
    """Masses count beyond the claimed delta, so delta > 0.1 does not make every run coarse."""
    run = detectable(200_000, 1, grid=around(1.0, 0.13), false_alarm=0.05, resolution=None)
    assert run.epsilons[1] < run.limit


@pytest.mark.parametrize("epsilon", [13.0, 20.0, 50.0, 200.0])
@pytest.mark.parametrize("delta", [0.0, 1e-9, 0.5])
def test_no_sample_of_this_size_sees_a_large_loss(epsilon: float, delta: float) -> None:
    """With a large claim nothing is detectable: e^-epsilon is rarer than one in the sample."""
    run = detectable(100_000, 1, grid=around(epsilon, delta), false_alarm=0.05, resolution=None)
    assert all(math.isinf(x) for x in run.epsilons)


GAUSSIAN = lines_of(GaussianDP(1), Relation.LISTED)
CONCENTRATED = moments_of(ZeroConcentratedDP("1/2"))


@pytest.mark.parametrize("mass", [0.5, 0.1, 0.01])
def test_a_gaussian_claim_allows_what_its_curve_allows(mass: float) -> None:
    """The largest loss of an event of this mass is that of a Gaussian tail, to a few percent."""
    from scipy.special import ndtr, ndtri

    exact = math.log(mass / ndtr(ndtri(mass) - 1))
    assert exact - 1e-3 <= allowed(mass, GAUSSIAN) <= 1.06 * exact


@pytest.mark.parametrize("mass", [0.5, 0.1, 0.01, 1e-3])
@pytest.mark.parametrize("grid", [CONCENTRATED, moments_of(RenyiDP(2, 1))])
def test_a_divergence_allows_what_its_bound_allows(mass: float, grid: MomentGrid) -> None:
    """The largest loss meets the divergence of one order, and stays below all, on either arm."""
    epsilon = allowed(mass, grid)
    q = mass * math.exp(-epsilon)
    shares = [
        max(binary_divergence(mass, q, order), binary_divergence(q, mass, order)) / limit
        for order, limit in zip(grid.orders, grid.divergences[:, grid.claimed], strict=True)
    ]
    assert max(shares) == pytest.approx(1, abs=0.01)


def test_a_personalized_claim_is_as_strong_as_the_budget_of_the_user() -> None:
    """Power and limit are those of the pure claim of this user's budget."""
    claim = PersonalizedDP(("1/2", 1))
    for user, level in ((0, PureDP("1/2")), (1, PureDP(1))):
        own = lines_of(claim, Relation.SWAP, user=user)
        pure = lines_of(level, Relation.SWAP)
        assert allowed(0.1, own) == allowed(0.1, pure)
        asked = {"false_alarm": 0.05}
        assert oracle_power(0.1, 2.0, 900, grid=own, **asked) == oracle_power(
            0.1, 2.0, 900, grid=pure, **asked
        )


@pytest.mark.parametrize(("mass", "epsilon", "draws"), [(0.5, 2.2, 400), (0.1, 3.0, 800)])
def test_power_against_a_gaussian_claim_agrees_with_simulation(
    mass: float, epsilon: float, draws: int, dp_rng: np.random.Generator
) -> None:
    """The power is that of the best line's bet, to 7 sigma."""
    p, q = mass, mass * math.exp(-epsilon)
    power = oracle_power(mass, epsilon, draws, grid=GAUSSIAN, false_alarm=0.05)
    hits, other = (dp_rng.binomial(draws, x, 40_000).astype(float) for x in (p, q))
    seen = []
    for s, t in zip(
        *(x[:, GAUSSIAN.claimed] for x in (GAUSSIAN.slopes, GAUSSIAN.offsets)), strict=True
    ):
        if p > s * q + t:
            q0 = boundary_point(*(np.array([x]) for x in (p, q, s, t)))
            p0 = s * q0 + t
            mu = np.minimum((p - p0) / (p0 * (1 - p0)), 0.995 / np.maximum(p0, s * (1 - q0)))
            values = log_e_value(hits, other, draws, q0, mu, np.array([s]), np.array([t]))
            seen.append(float((values >= math.log(20)).mean()))
    assert 0.05 < power < 0.999
    assert abs(max(seen) - power) < 7 * math.sqrt(power * (1 - power) / 40_000)


@pytest.mark.parametrize(("mass", "epsilon", "draws"), [(0.5, 2.0, 500), (0.1, 5.0, 800)])
def test_power_against_a_divergence_agrees_with_simulation(
    mass: float, epsilon: float, draws: int, dp_rng: np.random.Generator
) -> None:
    """The power is that of the best order's bet, to 7 sigma, and needs a violation."""
    p, q = mass, mass * math.exp(-epsilon)
    power = oracle_power(mass, epsilon, draws, grid=CONCENTRATED, false_alarm=0.05)
    hits, other = (dp_rng.binomial(draws, x, 40_000).astype(float) for x in (p, q))
    seen = []
    for order, bound in zip(
        CONCENTRATED.orders, CONCENTRATED.bounds[:, CONCENTRATED.claimed], strict=True
    ):
        bet = two_cell_bet(p, q, float(order), float(bound))
        if bet is not None:
            a, rest_a, b, rest_b = bet
            values = hits * a + (draws - hits) * rest_a + other * b + (draws - other) * rest_b
            seen.append(float((values >= math.log(20)).mean()))
    assert 0.05 < power < 0.999
    assert abs(max(seen) - power) < 7 * math.sqrt(power * (1 - power) / 40_000)
    within = allowed(mass, CONCENTRATED) - 0.01
    assert oracle_power(mass, within, draws, grid=CONCENTRATED, false_alarm=0.05) == 0


@pytest.mark.parametrize(
    "grid", [GAUSSIAN, CONCENTRATED, moments_of(RenyiDP(1000, 1))], ids=["GDP", "zCDP", "Renyi"]
)
def test_every_level_has_a_power_statement(grid: LineGrid | MomentGrid) -> None:
    """More draws find smaller losses, all beyond what the claim allows."""
    few, many = (
        detectable(n, 1, grid=grid, false_alarm=0.05, resolution=None) for n in (5_000, 1_000_000)
    )
    for mass, fewer, more in zip(few.masses, few.epsilons, many.epsilons, strict=True):
        assert allowed(mass, grid) <= more <= fewer
    assert many.epsilons[1] < many.limit


@pytest.mark.parametrize(
    ("kind", "grid"),
    [
        ("lines", ONE),
        ("lines", GAUSSIAN),
        ("divergences", CONCENTRATED),
        ("divergences", moments_of(RenyiDP(2, 1))),
    ],
)
def test_each_line_of_the_statement_was_measured(kind: str, grid: LineGrid | MomentGrid) -> None:
    """It must hold that the statement has the probabilities of the file, its own kind's, no others.

    `tests/benchmarks/test_factor_fits.py` compares the file with the runs that were measured.
    """
    power = detectable(10**6, 1, grid=grid, false_alarm=0.05, resolution=None)
    measured = [float(mass) for mass in json.loads(FACTORS.read_text())["fits"][kind]]
    assert list(power.masses) == measured
    assert [float(mass) for mass, _ in detectable_lines(power)] == measured
    assert 0.1 in measured  # CONSISTENT rests on it


def test_draws_that_only_learn_find_nothing() -> None:
    """It must hold that the statement counts those that are left; up to 200 are left out anyhow."""
    asked: dict[str, Any] = {"grid": ONE, "false_alarm": 0.05, "resolution": None}
    whole = detectable(9_400, 1, **asked)
    assert detectable(9_400, 1, learned=16, **asked) == whole
    less = detectable(22_200, 1, learned=13_000, **asked)
    assert less.epsilons == whole.epsilons
    assert less.draws == 22_200
    needed = draws_needed(**asked)
    assert draws_needed(learned=16, **asked) == needed
    assert draws_needed(learned=13_000, **asked) == pytest.approx(needed + 12_800)
