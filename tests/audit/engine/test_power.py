"""The power statement is the exact calculation that it says it is."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from audit.engine.betting import boundary_point, log_e_value
from audit.engine.lines import LineGrid, lines_of
from audit.engine.power import detectable, oracle_power
from mechanisms.claims import ApproxDP, PureDP, Relation


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
