"""The least draws that any test needs: projection of a true pair of laws on a claim.

For laws (p, q) on the cells of a partition,

    K = min KL(p | P') + KL(q | Q')    over the pairs (P', Q') that satisfy the claim.

Any level-.05 test has E[n] >= log(20) / K, and has rejected by n in nine runs of ten only if n is
at least about 4.28 / K (Neyman-Pearson). With multipliers al, be of the masses and one per line and
direction, the Lagrangian's minimum is P' = p / a, Q' = q / b, and the dual is (ENG-T2)

    K = max sum_j p_j log a_j + q_j log b_j - (al + be + sum_i delta_i (l1_i + l2_i)) + 2,
    a_j = al + sum_i h_ij - s_i g_ij,    b_j = be + sum_i g_ij - s_i h_ij,
    0 <= h_ij <= l1_i,    0 <= g_ij <= l2_i:

the best rate of growth of a product bet. Its slope is what (P', Q') violates, and h, g have a
closed form cell by cell, so only the multipliers are searched for. Each value comes with its gap:
P' and Q' are moved towards their mean until the claim holds exactly, and the divergence of that
feasible pair is an upper limit on K.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, root
from scipy.special import rel_entr

__all__ = ["Projection", "project_on_lines", "project_on_order_one"]

Array = NDArray[np.float64]
Objective = Callable[[Array], tuple[float, Array]]

LEAST = 1e-300
"""Stands for probability 0: the cell's P' or Q' is then what the claim makes of the other one."""


@final
@dataclass(frozen=True, slots=True)
class Projection:
    """Rate of growth, and the bets that reach it.

    Parameters
    ----------
    rate : float
        Value of the dual: at most the K of the partition.
    upper : float
        Divergence of a feasible pair: at least that K.
    bets : ndarray of float, shape (2, cells)
        a and b.
    """

    rate: float
    upper: float
    bets: Array

    @property
    def gap(self) -> float:
        """Relative difference of the two limits."""
        return self.upper / self.rate - 1


def project_on_lines(p: Array, q: Array, lines: Sequence[tuple[float, float]]) -> Projection:
    """Project on P(S) <= e^epsilon Q(S) + delta for every line (epsilon, delta), both ways.

    Parameters
    ----------
    p, q : ndarray of float, shape (cells,)
        Probabilities.
    lines : sequence of (epsilon, delta)
        At least one; epsilon at least 0.
    """
    p, q = np.maximum(p, LEAST), np.maximum(q, LEAST)
    slopes = np.exp(np.sort([epsilon for epsilon, _ in lines]))
    deltas = np.array([delta for _, delta in sorted(lines)])
    capped = deltas > 0
    prices = np.concatenate([[1.0, 1.0], deltas[capped], deltas[capped]])

    def bets(x: Array) -> tuple[Array, Array]:
        caps = np.full((2, slopes.size), np.inf)
        caps[:, capped] = x[2:].reshape(2, -1)
        a, b = np.full(p.shape, x[0]), np.full(q.shape, x[1])
        for s, h, g in zip(slopes, *caps, strict=True):  # ascending: the cheapest line first
            a, b = _raise(a, b, p, q, s, h)
            b, a = _raise(b, a, q, p, s, g)
        return a, b

    def objective(x: Array) -> tuple[float, Array]:
        a, b = bets(x)
        one, other = p / a, q / b
        s = slopes[capped, None]
        beyond = [np.maximum(u - s * v, 0).sum(axis=1) for u, v in ((one, other), (other, one))]
        slope = np.concatenate([[one.sum(), other.sum()], *beyond]) - prices
        return float(p @ np.log(a) + q @ np.log(b) - prices @ x + 2), slope

    def holds(one: Array, other: Array) -> bool:
        return all(
            np.maximum(u - s * v, 0).sum() <= delta
            for s, delta in zip(slopes, deltas, strict=True)
            for u, v in ((one, other), (other, one))
        )

    start = np.concatenate([[1.0, 1.0], np.full(prices.size - 2, 0.1)])
    return _solve(p, q, objective, bets, holds, start)


def _raise(a: Array, b: Array, p: Array, q: Array, s: float, cap: float) -> tuple[Array, Array]:
    """Raise a by the best h in [0, cap], and lower b by s h: maximize p log a + q log b."""
    total = b + s * a
    best_a, best_b = p * total / (s * (p + q)), q * total / (p + q)
    full = best_a >= a + cap
    a_new = np.where(full, a + cap, np.maximum(best_a, a))
    b_new = np.where(best_a <= a, b, np.where(full, b - s * np.where(full, cap, 0), best_b))
    return a_new, b_new


def project_on_order_one(p: Array, q: Array, rho: float, *, both: bool = True) -> Projection:
    """Project on KL(P' | Q') <= rho and (with `both`) KL(Q' | P') <= rho: zCDP at order 1.

    With multipliers l, m of the two and r = P' / Q' (ENG-T5b),

        a = al + l (1 + log r) - m / r,    b = be - l r + m (1 - log r),    r = p b / (q a),

    one increasing equation in log r a cell.
    """
    p, q = np.maximum(p, LEAST), np.maximum(q, LEAST)
    prices = np.array([1.0, 1.0, rho, rho][: 3 + both])
    start = np.array([1.0, 1.0, 0.1, 0.1][: 3 + both])

    def at(t: Array, x: Array) -> tuple[Array, Array]:
        r, (l1, l2) = np.exp(t), (*x[2:], 0.0)[:2]
        return x[0] + l1 * (1 + t) - l2 / r, x[1] - l1 * r + l2 * (1 - t)

    def bets(x: Array) -> tuple[Array, Array]:
        lower, upper = np.full(p.shape, -60.0), np.full(p.shape, 60.0)
        for _ in range(64):
            t = (lower + upper) / 2
            a, b = at(t, x)
            ratio = np.exp(t) * q * a - p * b
            high = (a > 0) & ((b <= 0) | (ratio > 0))
            lower, upper = np.where(high, lower, t), np.where(high, t, upper)
        return at((lower + upper) / 2, x)

    def objective(x: Array) -> tuple[float, Array]:
        a, b = bets(x)
        if min(a.min(), b.min()) <= 0:  # no positive bet has these multipliers
            return -1e3, 1e3 * (start - x)
        one, other = p / a, q / b
        used = [one.sum(), other.sum(), rel_entr(one, other).sum(), rel_entr(other, one).sum()]
        value = float(p @ np.log(a) + q @ np.log(b) - prices @ x + 2)
        return value, np.array(used[: prices.size]) - prices

    def holds(one: Array, other: Array) -> bool:
        back = rel_entr(other, one).sum() if both else 0.0
        return bool(rel_entr(one, other).sum() <= rho and back <= rho)

    return _solve(p, q, objective, bets, holds, start)


def _solve(
    p: Array,
    q: Array,
    objective: Objective,
    bets: Callable[[Array], tuple[Array, Array]],
    holds: Callable[[Array, Array], bool],
    start: Array,
) -> Projection:
    """Maximize the concave dual over multipliers of at least 0, and bracket the optimum."""

    def falling(x: Array) -> tuple[float, Array]:
        value, slope = objective(x)
        return -value, -slope

    box = [(1e-6, None)] * 2 + [(0.0, None)] * (start.size - 2)
    found = minimize(
        falling,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=box,
        options={"maxiter": 5000, "maxfun": 20000, "ftol": 0.0, "gtol": 1e-12, "maxcor": 30},
    )
    x, free = found.x, found.x > 1e-9

    def slope_of(part: Array) -> Array:
        y = np.where(free, 0.0, x)
        y[free] = np.maximum(part, 1e-12)
        return np.asarray(objective(y)[1][free])

    polished = np.where(free, 0.0, x)
    polished[free] = np.maximum(root(slope_of, x[free], tol=1e-15).x, 0)
    x = max(x, polished, key=lambda y: -np.abs(objective(y)[1][free]).max())
    a, b = bets(x)
    rate = objective(x)[0]
    one, other = p / a, q / b
    return Projection(
        rate, _feasible(p, q, one / one.sum(), other / other.sum(), holds), np.stack([a, b])
    )


def _feasible(
    p: Array, q: Array, one: Array, other: Array, holds: Callable[[Array, Array], bool]
) -> float:
    """Divergence from the first feasible pair on the way to both laws' mean."""
    mean = (one + other) / 2

    def moved(share: float) -> tuple[Array, Array]:
        return one + share * (mean - one), other + share * (mean - other)

    lower, upper = math.log(1e-17), 0.0
    for _ in range(50):
        middle = (lower + upper) / 2
        lower, upper = (lower, middle) if holds(*moved(math.exp(middle))) else (middle, upper)
    one, other = moved(math.exp(upper))
    return float(rel_entr(p, one).sum() + rel_entr(q, other).sum())
