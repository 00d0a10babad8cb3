"""Exact laws of sparse vectors: given the threshold noise rho, the answers are independent.

`Parts` holds scales and threshold; answers are 1 (above), 0 (below) and -1 (not asked any more).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import final

import numpy as np
from numpy.typing import NDArray

from mechanisms.corpus.quadrature import log_cdf, log_density, log_survival, panels
from mechanisms.corpus.vectors import Vector

__all__ = ["UNASKED", "Scales", "gap_loss", "grid_of_gaps", "rows_of_answers", "value_loss"]

UNASKED = -1
"""What stands for a query after the stop."""

NEVER = -1e9
"""ln 0, as a number that may be multiplied by 0."""


def rows_of_answers(n: int, stop: int) -> NDArray[np.int8]:
    """All answers of n queries that can come, shape (rows, n); the stop-th 1 ends the run."""
    answers = np.array(list(product((0, 1), repeat=n)), dtype=np.int8)
    over = np.cumsum(answers, axis=1) - answers >= stop
    return np.unique(np.where(over, UNASKED, answers), axis=0).astype(np.int8)


def grid_of_gaps(scale: float) -> Vector:
    """Gaps at which densities are compared, shape (22,): small ones, and up to 64 scales."""
    return np.concatenate([np.arange(0, 4.25, 0.25), np.array([0.5, 1, 4, 16, 64]) * scale])


@final
@dataclass(frozen=True, slots=True)
class Scales:
    """Scales of rho and of a query's noise, and the threshold without noise."""

    scale: float
    nu: float
    bar: float

    def law(self, x: Vector, rows: NDArray[np.int8]) -> Vector:
        """Probabilities of rows of answers, by quadrature over rho."""
        _, _, w, logs = self.integrand(x, x, rows)
        return np.asarray((np.exp(logs) * w).sum(axis=1))

    def integrand(
        self, x: Vector, kinks: Vector, rows: NDArray[np.int8]
    ) -> tuple[Vector, Vector, Vector, NDArray[np.float64]]:
        """Panel edges, nodes, weights, and ln of the integrand, shape (rows, nodes)."""
        edges, t, w = panels([0.0, *(kinks - self.bar)], (self.scale, self.nu or self.scale))
        rho = t.ravel()
        u = self.bar + rho - x[:, None]  # no node lies on a kink
        above, below = (np.maximum(f(u, self.nu), NEVER) for f in (log_survival, log_cdf))
        logs = log_density(rho, self.scale) + (rows == 1) @ above + (rows == 0) @ below
        return edges, rho, w.ravel(), logs


def gap_loss(parts: Scales, x: Vector, y: Vector, rows: NDArray[np.int8]) -> float:
    """Largest log ratio of no answer above, and of gap densities over a grid; rows stop at one."""
    gaps = grid_of_gaps(parts.scale)
    kinks = np.unique(np.concatenate([x, y])[:, None] - np.append(gaps, 0))
    asked = np.where(rows == 1, UNASKED, rows)
    logs = []
    for answers in (x, y):
        _, rho, w, before = parts.integrand(answers, kinks, asked)
        u = gaps[:, None] + parts.bar + rho
        tops = [
            np.log(np.exp(log) @ (w * np.exp(log_density(u - answers[row == 1], parts.nu))).T)
            for log, row in zip(before, rows, strict=True)
            if (row == 1).any()
        ]
        logs.append(np.array(tops))
    none = ~(rows == 1).any(axis=1)
    silent = np.log(parts.law(x, rows[none]) / parts.law(y, rows[none]))
    return float(max(np.abs(silent).max(), np.abs(logs[0] - logs[1]).max()))


def value_loss(parts: Scales, x: Vector, y: Vector, rows: NDArray[np.int8]) -> float:
    """Largest ln P / Q of released values x_i + nu_i = v_i: they tell that rho <= min v - T.

    Given the least value m, a value beyond it is worth at most its ratio at v >= m.
    """
    asked = np.where(rows == 1, UNASKED, rows)  # the density of values comes apart
    kinks = np.concatenate([x, y])
    edges, _, w, logs = parts.integrand(x, kinks, asked)
    other = parts.integrand(y, kinks, asked)[3]
    shape = (len(rows), edges.size - 1, -1)
    sums = [np.cumsum((np.exp(z) * w).reshape(shape).sum(axis=2), axis=1) for z in (logs, other)]
    prefix = np.log(sums[0] / sums[1])
    m = edges[1:] + parts.bar
    at = (np.abs(m - y[:, None]) - np.abs(m - x[:, None])) / parts.nu
    best = np.where(x >= y, (x - y) / parts.nu, 0)[:, None]
    beyond = np.where((x >= y)[:, None], best, at)
    worst = -np.inf
    for row, pattern in zip(prefix, rows, strict=True):
        ones = pattern == 1
        if not ones.any():
            worst = max(worst, float(row[-1]))
            continue
        least = (at[ones] - beyond[ones]).max(axis=0)
        worst = max(worst, float((row + beyond[ones].sum(axis=0) + least).max()))
    return worst
