"""Weights of the cells of a grid on which the score of a quantile is constant (PDP, Algorithm 2).

Records in ascending order cut the integers first, ..., last into the values of the records and the
gaps between them. Every cell has the weight (points in it) e^(-epsilon loss / 2), in logarithms.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["log_weights"]

Floats = NDArray[np.float64]


def log_weights(
    ordered: Floats,
    count: NDArray[np.int64],
    first: Floats,
    last: Floats,
    epsilon: float,
    most: Floats,
    least: Floats,
) -> Floats:
    """Logarithms of the weights of all cells.

    `ordered`, shape (draws, n): records, integers from `first` to `last`, ascending, and inf behind
    them. `count`, shape (draws,): how many records a row has. `first`, `last`, shape (draws,): ends
    of the grid. `epsilon`: privacy parameter. `most`, `least`, shape (draws,): a point x loses
    max(0, #{y < x} - most, least - #{y <= x}). Returns shape (draws, 2 n + 1): of n + 1 gaps, gap j
    behind j records, and of the n records; -inf for a cell without points and for a record that
    equals the one before it.
    """
    draws, n = ordered.shape
    ends = np.empty((draws, n + 2))
    ends[:, 0], ends[:, 1:-1], ends[:, -1] = first - 1, ordered, np.inf
    np.minimum(ends, (last + 1)[:, np.newaxis], out=ends)
    points = np.maximum(np.diff(ends, axis=1) - 1, 0)
    under = np.arange(n + 1.0)
    log_weight = np.empty((draws, 2 * n + 1))
    with np.errstate(divide="ignore"):
        gaps = np.log(points)
    log_weight[:, : n + 1] = gaps - epsilon / 2 * _loss(under, under, most, least)
    starts = ordered < np.inf
    starts[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    own = -epsilon / 2 * _loss(under[:-1], _upto(starts, count), most, least)
    log_weight[:, n + 1 :] = np.where(starts, own, -np.inf)
    return log_weight


def _loss(under: Floats, upto: Floats, most: Floats, least: Floats) -> Floats:
    """Minus the score: max(0, #{y < x} - most, least - #{y <= x}), shape (draws, cells)."""
    above, below = under - most[:, np.newaxis], least[:, np.newaxis] - upto
    return np.asarray(np.maximum(np.maximum(above, below), 0))


def _upto(starts: NDArray[np.bool_], count: NDArray[np.int64]) -> Floats:
    """How many records are at most a value, at the value's first record, shape (draws, n)."""
    draws, n = starts.shape
    behind = np.empty((draws, n + 1))
    behind[:, :n] = np.where(starts, np.arange(n), np.inf)
    behind[:, n] = count
    return np.minimum.accumulate(behind[:, ::-1], axis=1)[:, ::-1][:, 1:]
