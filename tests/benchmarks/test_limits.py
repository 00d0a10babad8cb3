"""Limits of the power benchmark: projections, and the draws that they imply."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import rel_entr
from scipy.stats import norm

from benchmarks.limits import LAWS, STATED, gauss_laws, limit_of, project, read_limits
from benchmarks.passage import increment_law, least_draws, oracle_draws
from benchmarks.power_rows import gauss_delta
from benchmarks.projection import Array, project_on_lines, project_on_order_one

FAST = [row for row in LAWS if row not in ("7", "8", "9")]
FALSE_FAILURE = 1e-9


@pytest.mark.parametrize("row", FAST)
def test_the_program_closes_its_gap(row: str) -> None:
    """It must hold that the dual and a feasible pair agree to 1e-6, at the stated K."""
    _, projection = project(row)
    assert abs(projection.gap) < 1e-6
    if row in STATED:
        assert projection.rate == pytest.approx(STATED[row][0], rel=0.01)


def test_several_lines_bind_more_than_each_of_them() -> None:
    """It must hold that Gauss noise violates two lines of GDP .9 more than either alone."""
    p, q = gauss_laws(1.0)
    lines = [(epsilon, gauss_delta(epsilon, 0.9)) for epsilon in (0.0, 1.5)]
    both = project_on_lines(p, q, lines)
    assert abs(both.gap) < 1e-6
    assert both.rate > 1.01 * max(project_on_lines(p, q, [line]).rate for line in lines)


def slow_projection(p: Array, q: Array, lines: list[tuple[float, float]]) -> float:
    """Minimize the divergence over pairs on the cells, each event a constraint."""
    cells = len(p)
    events = [np.array([(i >> j) & 1 for j in range(cells)]) for i in range(2**cells)]

    def slack(z: Array) -> Array:
        one, other = z[:cells], z[cells:]
        pairs = [(one, other), (other, one)]
        return np.array(
            [
                delta - event @ (u - math.exp(epsilon) * v)
                for epsilon, delta in lines
                for event in events
                for u, v in pairs
            ]
        )

    masses = [
        {"type": "eq", "fun": lambda z: z[:cells].sum() - 1},
        {"type": "eq", "fun": lambda z: z[cells:].sum() - 1},
    ]
    found = minimize(
        lambda z: float(rel_entr(p, z[:cells]).sum() + rel_entr(q, z[cells:]).sum()),
        np.tile((p + q) / 2, 2),
        bounds=[(1e-9, 1)] * (2 * cells),
        constraints=[{"type": "ineq", "fun": slack}, *masses],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert found.success, found.message
    return float(found.fun)


@pytest.mark.parametrize(
    "lines", [[(0.3, 0.0)], [(0.3, 0.05)], [(0.0, 0.2)], [(0.0, 0.2), (0.4, 0.06), (1.0, 0.01)]]
)
def test_the_projection_is_the_plain_minimum(
    lines: list[tuple[float, float]], dp_rng: np.random.Generator
) -> None:
    """It must hold that the dual equals the program over all events written out."""
    for _ in range(3):
        p, q = dp_rng.dirichlet(np.ones(4)), dp_rng.dirichlet(np.ones(4))
        rate = project_on_lines(p, q, lines).rate
        assert rate == pytest.approx(slow_projection(p, q, lines), rel=1e-4)


def test_order_one_of_a_bit() -> None:
    """It must hold that the order-one program has the plain minimum over pairs of bits."""
    p, q = np.array([0.8, 0.2]), np.array([0.3, 0.7])
    rho = 0.3

    def divergences(z: Array) -> Array:
        one, other = np.array([z[0], 1 - z[0]]), np.array([z[1], 1 - z[1]])
        return np.array([rel_entr(one, other).sum(), rel_entr(other, one).sum()])

    found = minimize(
        lambda z: float(rel_entr(p, [z[0], 1 - z[0]]).sum() + rel_entr(q, [z[1], 1 - z[1]]).sum()),
        [0.6, 0.5],
        bounds=[(0.01, 0.99)] * 2,
        constraints=[{"type": "ineq", "fun": lambda z: rho - divergences(z)}],
        method="SLSQP",
        options={"ftol": 1e-14},
    )
    projection = project_on_order_one(p, q, rho)
    assert abs(projection.gap) < 1e-6
    assert projection.rate == pytest.approx(found.fun, rel=1e-5)


@pytest.mark.long
def test_recorded_limits_are_the_computed_ones() -> None:
    """It must hold that limits.json has every row, and what the program gives."""
    recorded = read_limits()
    assert set(recorded) == set(LAWS)
    for row in ("3", "12"):
        limit = limit_of(row)
        assert limit.rate == pytest.approx(recorded[row].rate, rel=1e-6)
        assert (limit.q90, limit.oracle) == (recorded[row].q90, recorded[row].oracle)


@pytest.mark.long
def test_draws_are_those_of_simulated_runs(dp_rng: np.random.Generator) -> None:
    """It must hold that nine simulated bets in ten have won by the oracle's draws."""
    (p, q), projection = project("12")
    law = increment_law(p, q, projection.bets)
    oracle, least = oracle_draws(*law), least_draws(*law)
    runs = 10_000
    log_a, log_b = np.log(projection.bets)
    x, y = (dp_rng.choice(p.size, (runs, oracle), p=one / one.sum()) for one in (p, q))
    wealth = np.cumsum(log_a[x] + log_b[y], axis=1)
    error = norm.isf(FALSE_FAILURE / 2) * math.sqrt(0.09 / runs)
    assert np.mean(wealth.max(axis=1) >= math.log(20)) == pytest.approx(0.9, abs=error + 0.002)
    assert np.mean(wealth[:, : oracle * 3 // 4].max(axis=1) >= math.log(20)) < 0.9 - error
    # the fixed-n test: the level that has power .9 at the least draws, under the projection
    final = np.sort(wealth[:, least - 1])[::-1]
    level = np.exp(-final[: int(0.9 * runs)]).sum() / runs
    assert level == pytest.approx(0.05, rel=0.15)
