"""P(T >= t) for two independent binomial counts, from above: exact sums, bounded remainders.

The region is {(x', y'): (x' - x) / n1 >= s (y' - y) / n2} for one s, or its union over s in
[s1, s2]: beyond y' = y the lower slope admits more, before it the higher one does,

    (x' - x) / n1 >= (s1 if y' >= y else s2) (y' - y) / n2.

Either is an up-set in x' and a down-set in y'. The sums run over windows; what is outside of them
is bounded by Bernstein's inequality and added, and rounding is covered by a stated slack, so that
a value is never too small.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Counts", "probability_upper"]

Array = NDArray[np.float64]

MOST_ENTRIES = 200_000
"""Entries of a table of probabilities: rows whose windows lie far apart are summed one by one."""


@final
@dataclass(frozen=True, slots=True)
class Counts:
    """Hits of an event on the likelier and on the other arm, and the draws of each."""

    hits: int
    other_hits: int
    draws: int
    other_draws: int


def probability_upper(
    counts: Counts, slopes: tuple[float, float], p: Array, q: Array, *, tail: float
) -> Array:
    """Upper bound of the region's probability under Bin(n1, p) and Bin(n2, q).

    Parameters
    ----------
    counts : Counts
        The observed point, on the region's border.
    slopes : (float, float)
        s1 <= s2.
    p, q : ndarray of float, shape (k,)
        Parameters in [0, 1].
    tail : float
        Bound of what is left out on each of the four sides; exact to four times this much and a
        relative rounding error of 1e-9 + 1e-14 n.

    Returns
    -------
    ndarray of float, shape (k,)
        1 where the means themselves lie in the region: nothing is summed there.
    """
    bound = np.ones(p.size)
    center = _threshold(counts, slopes, q * counts.other_draws)
    (far,) = np.nonzero(p * counts.draws < center)
    if far.size == 0:
        return bound
    far = far[np.argsort(p[far], kind="stable")]
    ends = _window(counts.draws, p[far], tail), _window(counts.other_draws, q[far], tail)
    rows = max(1, MOST_ENTRIES // sum(high - low + 1 for low, high in ends))
    rounding = 1e-9 + 1e-14 * max(counts.draws, counts.other_draws)
    for start in range(0, far.size, rows):
        part = far[start : start + rows]
        inside = _inside(counts, slopes, p[part], q[part], tail)
        bound[part] = np.minimum(1.0, inside * (1 + rounding) + 4 * tail)
    return bound


def _threshold(counts: Counts, slopes: tuple[float, float], y: Array) -> Array:
    """Smallest real x' that is in the region together with y'."""
    slope = np.where(y >= counts.other_hits, slopes[0], slopes[1])
    return counts.hits + slope * (counts.draws / counts.other_draws) * (y - counts.other_hits)


def _inside(counts: Counts, slopes: tuple[float, float], p: Array, q: Array, tail: float) -> Array:
    """Probability of the part of the region that lies in the windows of all p and q."""
    x, y = (
        np.arange(low, high + 1, dtype=np.float64)
        for low, high in (
            _window(counts.draws, p, tail),
            _window(counts.other_draws, q, tail),
        )
    )
    threshold = _threshold(counts, slopes, y)
    # one that rounding may have pushed over an integer is lowered: the region grows
    needed = np.ceil(threshold - 1e-9 - 1e-13 * np.abs(threshold))
    place = np.clip(needed - x[0], 0, x.size).astype(np.intp)
    survival = np.zeros((p.size, x.size + 1))
    np.cumsum(_pmf(x, counts.draws, p)[:, ::-1], axis=1, out=survival[:, -2::-1])
    other = _pmf(y, counts.other_draws, q)
    return np.asarray(np.einsum("ky,ky->k", other, survival[:, place]))


def _window(draws: int, share: Array, tail: float) -> tuple[int, int]:
    """Ends outside of which Bin(draws, share) has at most `tail` on each side, for all shares."""
    log_level = math.log(1 / tail)
    variance = draws * share * (1 - share)
    reach = log_level / 3 + np.sqrt(log_level**2 / 9 + 2 * log_level * variance)
    low = max(0, math.floor((draws * share - reach).min()))
    return low, min(draws, math.ceil((draws * share + reach).max()))


def _pmf(values: Array, draws: int, share: Array) -> Array:
    """Binomial probabilities, shape (k, size of values)."""
    from scipy.special import gammaln, xlog1py, xlogy

    choose = gammaln(draws + 1.0) - gammaln(values + 1) - gammaln(draws - values + 1)
    with np.errstate(divide="ignore"):
        inside = (share > 0) & (share < 1)
        safe = np.where(inside, share, 0.5)[:, None]
        log = choose + values * np.log(safe) + (draws - values) * np.log1p(-safe)
        if not inside.all():
            edge = share[~inside][:, None]
            log[~inside] = choose + xlogy(values, edge) + xlog1py(draws - values, -edge)
    return np.asarray(np.exp(log))
