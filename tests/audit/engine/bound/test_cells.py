"""Cells of the nuisance parameter: a bound over a cell is never below a point of it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from audit.engine import berger_boos
from audit.engine.two_binomials import Counts

ALPHA = 0.05


def exact_tail(counts: Counts, epsilon: float, delta: float, q: float) -> float:
    """P(T >= t_obs) at the border of the claim, by the full double sum."""
    s = math.exp(epsilon)
    p = min(1.0, s * q + delta)
    x, y = np.arange(counts.draws + 1), np.arange(counts.other_draws + 1)
    gap = (x[:, None] - counts.hits) / counts.draws
    region = gap >= s * (y[None, :] - counts.other_hits) / counts.other_draws - 1e-12
    law = np.outer(binom.pmf(x, counts.draws, p), binom.pmf(y, counts.other_draws, q))
    return float(law[region].sum())


@pytest.mark.parametrize(
    ("counts", "epsilon", "delta"),
    [
        (Counts(40, 10, 100, 100), 0.9, 0.0),
        (Counts(30, 6, 80, 120), 1.0, 0.05),
        (Counts(100, 30, 100, 100), 1.2, 0.0),
        (Counts(9, 0, 200, 200), 1.0, 0.0),
    ],
)
@pytest.mark.parametrize("cells", [1, 7, 64])
def test_no_number_of_cells_gives_less_than_the_supremum(
    counts: Counts, epsilon: float, delta: float, cells: int
) -> None:
    """It must hold that p* is at least gamma plus the exact tail at every q of the interval."""
    gamma = berger_boos.GAMMA_SHARE * ALPHA
    low, high = berger_boos.interval_of_q(counts, gamma)
    supremum = max(exact_tail(counts, epsilon, delta, q) for q in np.linspace(low, high, 41))
    found = berger_boos.p_value_upper(counts, epsilon, delta, alpha=ALPHA, cells=cells)
    assert found >= min(1.0, supremum + gamma)


def test_finer_cells_come_closer() -> None:
    """It must hold that the bound falls to the supremum as the cells are cut."""
    counts = Counts(40, 10, 100, 100)
    gamma = berger_boos.GAMMA_SHARE * ALPHA
    low, high = berger_boos.interval_of_q(counts, gamma)
    supremum = gamma + max(exact_tail(counts, 0.9, 0.0, q) for q in np.linspace(low, high, 201))
    values = [
        berger_boos.p_value_upper(counts, 0.9, 0.0, alpha=ALPHA, cells=k) for k in (4, 32, 512)
    ]
    assert values == sorted(values, reverse=True)
    assert values[-1] == pytest.approx(supremum, rel=0.05)


def test_the_interval_misses_q_with_probability_gamma_at_most() -> None:
    """It must hold that C covers every q with probability 1 - gamma, exactly enumerated."""
    n, gamma = 30, 0.02
    ends = [berger_boos.interval_of_q(Counts(0, y, n, n), gamma) for y in range(n + 1)]
    for q in np.linspace(0, 1, 101):
        covered = [low - 1e-12 <= q <= high + 1e-12 for low, high in ends]
        assert binom.pmf(np.arange(n + 1), n, q)[covered].sum() >= 1 - gamma - 1e-9


def test_the_limit_on_delta_is_where_the_rejection_ends() -> None:
    """It must hold that every smaller delta of the grid is rejected, and no larger one."""
    counts, grid = Counts(300, 60, 1_000, 1_000), np.linspace(0, 0.3, 61).tolist()
    limit = berger_boos.delta_lower(counts, 1.0, grid, alpha=ALPHA)
    rejected = [d for d in grid if berger_boos.rejects(counts, (1.0, 1.0), d, alpha=ALPHA)]
    assert 0 < limit < 0.3 - 0.06 * math.e
    assert rejected == [d for d in grid if d <= limit]
