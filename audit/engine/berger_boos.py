"""Exact unconditional test of p <= s q + t, from arms of fixed sizes (ENG-T8, Berger and Boos).

T8. Let x ~ Bin(n1, p) and y ~ Bin(n2, q) be independent, T = x / n1 - s y / n2, and let C be an
interval from y that misses q with probability at most gamma, whatever q is. Then

    p* = gamma + sup over q in C of P(T >= t_obs) under p = min(1, s q + t)

is a p-value for the claim p <= s q + t: it is at most alpha with probability at most alpha.

Proof sketch. {T >= t_obs} is an up-set in x, so for given q its probability is largest at the
largest p that the claim admits, min(1, s q + t). If q is in C then p* - gamma is at least the tail
probability under the true law, which is at most u with probability at most u; and q is outside of
C with probability at most gamma.

The supremum over a cell [q1, q2] of C, and over all s in [s1, s2], is at most
P_{min(1, s2 q2 + t), q1}(union of the regions), for the region is an up-set in x and a down-set in
y. What is computed is therefore never below p*, however the cells are cut: cells may be refined
where the data ask for it. q above (1 - t) / s belongs to the claim as well, with p = 1; cutting C
there made bounds of 20 for a true epsilon of 1.

Limits. For nested claims on a grid fixed beforehand (with gamma and the event), the last point
before the first that is not rejected errs with probability at most alpha: to exceed the truth it
has to reject the smallest true point of the grid. p* is not known to be monotone in epsilon, so
there is no bisection; whole runs of the grid are rejected at once by the bound over [s1, s2]. It is
monotone in t, for only the law of x depends on t.

References
----------
.. [1] Berger, Boos, "P values maximized over a confidence set for the nuisance parameter", JASA
   1994.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.engine.two_binomials import Counts, probability_upper

__all__ = ["delta_lower", "epsilon_lower", "interval_of_q", "p_value_upper", "rejects"]

Array = NDArray[np.float64]

GAMMA_SHARE = 0.01
"""gamma over alpha."""
TAIL_SHARE = 1e-5
"""Over alpha: what is left out of each sum on each side, and added again."""
FIRST_CELLS = 16
MOST_HALVINGS = 6


def interval_of_q(counts: Counts, gamma: float) -> tuple[float, float]:
    """Interval of Clopper and Pearson for q, gamma / 2 on each side."""
    from scipy.special import betaincinv

    hits, draws = counts.other_hits, counts.other_draws
    low = float(betaincinv(hits, draws - hits + 1, gamma / 2)) if hits else 0.0
    high = float(betaincinv(hits + 1, draws - hits, 1 - gamma / 2)) if hits < draws else 1.0
    return low, high


def p_value_upper(
    counts: Counts, epsilon: float, delta: float, *, alpha: float, cells: int = 256
) -> float:
    """Upper bound of p* of the claim p <= e^epsilon q + delta, with equal cells."""
    gamma = GAMMA_SHARE * alpha
    edges = np.linspace(*interval_of_q(counts, gamma), cells + 1)
    values = _over_cells(counts, (epsilon, epsilon), delta, edges[:-1], edges[1:], alpha)
    return min(1.0, float(values.max()) + gamma)


def rejects(counts: Counts, epsilons: tuple[float, float], delta: float, *, alpha: float) -> bool:
    """Whether p* <= alpha for every claim with epsilon in an interval, for certain.

    Parameters
    ----------
    counts : Counts
        Hits and draws.
    epsilons : (float, float)
        The interval; equal ends are one claim.
    delta : float
        Of the claims.
    alpha : float
        Level, gamma included.
    """
    level = (1 - GAMMA_SHARE) * alpha
    edges = np.linspace(*interval_of_q(counts, GAMMA_SHARE * alpha), FIRST_CELLS + 1)
    left, right = edges[:-1], edges[1:]
    for _ in range(MOST_HALVINGS):
        values = _over_cells(counts, epsilons, delta, left, right, alpha)
        open_cells = values > level
        if not open_cells.any():
            return True
        # a point where the tail is too large itself: finer cells will not help
        worst = left[[int(np.argmax(values))]]
        if _over_cells(counts, epsilons, delta, worst, worst, alpha)[0] > level:
            return False
        left, right = left[open_cells], right[open_cells]
        middle = 0.5 * (left + right)
        left, right = np.concatenate([left, middle]), np.concatenate([middle, right])
    return bool((_over_cells(counts, epsilons, delta, left, right, alpha) <= level).all())


def _over_cells(
    counts: Counts,
    epsilons: tuple[float, float],
    delta: float,
    left: Array,
    right: Array,
    alpha: float,
) -> Array:
    """Upper bound of P(T >= t_obs) over each cell and all epsilons of an interval."""
    slopes = (math.exp(epsilons[0]), math.exp(epsilons[1]))
    p = np.minimum(1.0, slopes[1] * right + delta)
    return probability_upper(counts, slopes, p, left, tail=TAIL_SHARE * alpha)


def epsilon_lower(counts: Counts, delta: float, grid: Sequence[float], *, alpha: float) -> float:
    """Last point of an ascending grid before the first whose claim is not rejected, else 0.

    The grid, the event and alpha must have been fixed before the draws were made.
    """
    rejected = _rejected_prefix(counts, delta, grid, alpha, 0, len(grid))
    return grid[rejected - 1] if rejected else 0.0


def _rejected_prefix(
    counts: Counts, delta: float, grid: Sequence[float], alpha: float, start: int, stop: int
) -> int:
    """End of the rejected run of grid[start:stop] that begins at `start`."""
    if start == stop or rejects(counts, (grid[start], grid[stop - 1]), delta, alpha=alpha):
        return stop
    if stop - start == 1:
        return start
    middle = (start + stop) // 2
    reached = _rejected_prefix(counts, delta, grid, alpha, start, middle)
    if reached < middle:
        return reached
    return _rejected_prefix(counts, delta, grid, alpha, middle, stop)


def delta_lower(counts: Counts, epsilon: float, grid: Sequence[float], *, alpha: float) -> float:
    """Largest point of an ascending grid whose claim is rejected, else 0.

    p* is monotone in delta: the region does not depend on delta, and its probability grows with p.
    """
    low, high = 0, len(grid)
    while low < high:
        middle = (low + high) // 2
        if rejects(counts, (epsilon, epsilon), grid[middle], alpha=alpha):
            low = middle + 1
        else:
            high = middle
    return grid[low - 1] if low else 0.0
