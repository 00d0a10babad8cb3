"""The two thresholds of the subset-optimal mean: a lower one and an upper one of the same rank.

For an integer rank k from below the loss of a threshold takes a simple form. Of n records in order,
let e_j = x_j - alpha for j <= k and e_j = x_j + alpha for j > k. These ascend, and

    between e_i and e_(i+1) the loss is |i - k|    (e_0 = low, e_(n+1) = high).

So each draw can have an alpha and a rank of its own without sorting anything again. From above the
rank is n - k.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.subset.window import distance, draw, ranks, windows

__all__ = ["cell_ends", "two_thresholds", "varying_thresholds"]

Array = NDArray[np.float64]
Pair = tuple[Array, Array]

_BLOCK = 2**18  # cells at a time: the arrays of a block stay in the cache


def two_thresholds(
    values: Array,
    bounds: tuple[Fraction, Fraction],
    alpha: Fraction,
    rank: Fraction,
    epsilon: Fraction,
    size: int,
    *,
    rng: np.random.Generator,
) -> Pair:
    """Draw a threshold of `rank` from below and one from above, each by Algorithm 2 at epsilon.

    `values`, shape (n,): clipped records, ascending. `bounds`: if they are equal, so are the
    thresholds. `alpha`, `rank`: of all draws. `epsilon`: privacy parameter of each. Returns
    `lower`, `upper`, shape (size,): as drawn: they may cross.
    """
    low, high = bounds
    if low == high:
        return np.full(size, float(low)), np.full(size, float(low))
    found = windows(values, low, high, float(min(alpha, high - low)))
    below, above = (
        draw(found, distance(lo, hi, rank), epsilon, size, rng=rng)
        for lo, hi in (ranks(found.lo, found.hi, values.size, side) for side in ("below", "above"))
    )
    return below, above


def varying_thresholds(
    values: Array,
    bounds: tuple[Fraction, Fraction],
    alphas: Array,
    rank: NDArray[np.int64],
    epsilon: Fraction,
    *,
    rng: np.random.Generator,
) -> Pair:
    """Draw the same two thresholds, with alphas and ranks of each draw, shape (draws,)."""
    low, high = float(bounds[0]), float(bounds[1])
    alphas = np.minimum(alphas, high - low)
    below, above = (
        _draw_each(values, (low, high), alphas, from_below, float(epsilon) / 2, rng=rng)
        for from_below in (rank, values.size - rank)
    )
    return below, above


def _draw_each(
    values: Array,
    bounds: tuple[float, float],
    alphas: Array,
    rank: NDArray[np.int64],
    rate: float,
    *,
    rng: np.random.Generator,
) -> Array:
    """Draw a threshold of each rank from below, of density e^(-rate loss)."""
    coins, inside = rng.random(alphas.size), rng.random(alphas.size)
    rows = max(1, _BLOCK // (values.size + 1))
    drawn = np.empty(alphas.size)
    for start in range(0, alphas.size, rows):
        part = slice(start, start + rows)
        ends = cell_ends(values, bounds, alphas[part], rank[part])
        loss = np.abs(np.arange(values.size + 1) - rank[part, None])
        least = loss.min(axis=1, keepdims=True)
        reached = np.cumsum(np.diff(ends) * np.exp(-rate * (loss - least)), axis=1)
        place = _places(reached, coins[part])
        left, right = (ends[np.arange(len(place)), place + side] for side in (0, 1))
        drawn[part] = np.minimum(left + inside[part] * (right - left), right)
    return drawn


def cell_ends(
    values: Array, bounds: tuple[float, float], alphas: Array, rank: NDArray[np.int64]
) -> Array:
    """Ends e_0 <= .. <= e_(n+1) of the cells of each draw, clipped to the bounds.

    `values`, shape (n,): clipped records, ascending. `bounds`: of the thresholds. `alphas`, `rank`,
    shape (draws,): the rank from below, any integer. Returns shape (draws, n + 2).
    """
    ends = np.empty((alphas.size, values.size + 2))
    ends[:, 0], ends[:, -1] = bounds
    side = np.where(np.arange(values.size) < rank[:, None], -1.0, 1.0)
    np.clip(values + side * alphas[:, None], *bounds, out=ends[:, 1:-1])
    return ends


def _places(reached: Array, coins: Array) -> NDArray[np.int64]:
    """Cell of each draw, from cumulated weights of shape (draws, cells)."""
    total = reached[:, -1:]
    place = (reached <= coins[:, None] * total).sum(axis=1)
    # A product rounded up to the last sum would fall behind the last cell of any weight.
    return np.asarray(np.minimum(place, (reached < total).sum(axis=1)), dtype=np.int64)
