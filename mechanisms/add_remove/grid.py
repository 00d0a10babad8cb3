"""Exact sums of records on a public grid: what the add-remove means add noise to.

Each record is clamped to [low, high] and rounded, by itself, to a position x' in {0, 1/Q, .., 1}
of the interval (KSW section 1, "what a sound implementation must do"). The sums

    s1 = sum x',    s2 = sum (1 - x') = n - s1

are sums of integers over Q, so adding a record x' moves (s1, s2) by exactly (x', 1 - x'):
a plain float summation has a larger sensitivity than claimed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.noisy_query import NoisyQuery
from mechanisms.query_draws import RecordSum
from mechanisms.records import records

__all__ = [
    "GRID",
    "MAX_GRID",
    "GridSums",
    "exact_sums",
    "grid_index",
    "grid_indices",
    "query_sum",
]

GRID = 2**32
"""Default number of grid steps between low and high."""
MAX_GRID = 2**32
"""Largest grid: 2^30 records still add up in 64 bits."""

_FEW = 2**14  # records whose sums are remembered
_BLOCK = 2**30  # records whose positions cannot overflow an int64 sum
_SMALLEST_WIDTH = 2.0**-900  # below it the rounding analysis of `grid_indices` fails


@final
@dataclass(frozen=True, slots=True)
class GridSums:
    """The exact sums of one data set."""

    count: int
    """Number of records n."""
    first: int
    """Q s1, the sum of the positions in units of 1/Q."""
    grid: int
    """Q."""

    @property
    def second(self) -> int:
        """Q s2 = n Q - Q s1."""
        return self.count * self.grid - self.first


def grid_index(x: float, low: Fraction, high: Fraction, grid: int) -> int:
    """Position of one record, round(Q (x - low) / (high - low)), ties to even; exact.

    NaN is the midpoint; x outside [low, high] is clamped.
    """
    if low == high:
        return 0
    if np.isnan(x):
        return round(Fraction(grid, 2))
    if np.isinf(x):
        return grid if x > 0 else 0
    clamped = min(max(Fraction(float(x)), low), high)
    return round(grid * (clamped - low) / (high - low))


def grid_indices(
    values: NDArray[np.float64], low: Fraction, high: Fraction, grid: int
) -> NDArray[np.int64]:
    """Positions of many records: `grid_index` of each, exactly.

    The position is computed in double precision and kept where its rounding error cannot change
    the nearest integer; the few others are computed as fractions.

    `values`, shape (n,): any doubles. `low`, `high`: public bounds. `grid`: Q, at most MAX_GRID.
    Returns shape (n,): in 0..Q.
    """
    if low == high:
        return np.zeros(values.shape, np.int64)
    indices = np.zeros(values.shape, np.int64)
    certain = np.zeros(values.shape, np.bool_)
    lower, upper, width = float(low), float(high), float(high - low)
    if width >= _SMALLEST_WIDTH:
        # Rounding low, the width and three operations: at most this far from the true position.
        error = grid * 2.0**-52 * (abs(lower) / width + 4)
        with np.errstate(all="ignore"):
            position = (np.clip(values, lower, upper) - lower) / width * grid
            nearest = np.rint(position)
            certain = np.abs(np.abs(position - nearest) - 0.5) > error
        indices[certain] = np.clip(nearest[certain], 0, grid).astype(np.int64)
    for place in np.flatnonzero(~certain):
        indices[place] = grid_index(float(values[place]), low, high, grid)
    return indices


def exact_sums(data: Any, low: Fraction, high: Fraction, grid: int = GRID) -> GridSums:
    """Count the records and add their positions, exactly.

    `data`, shape (n,): records; see `mechanisms.records`. `low`, `high`: public bounds. `grid`: Q,
    at most MAX_GRID.
    """
    values = records(data)
    if len(values) <= _FEW:
        return _of_few(values.tobytes(), low, high, grid)
    return _sums(values, low, high, grid)


def query_sum(query: NoisyQuery, data: Any, grid: int = GRID) -> RecordSum:
    """Sum the x of a query over data, whose records are rounded to a grid of its range."""
    lowest, highest = query.records
    sums = exact_sums(data, query.record(lowest), query.record(highest), grid)
    total = sums.count * lowest + (highest - lowest) * Fraction(sums.first, grid)
    return RecordSum(total, sums.count)


@lru_cache(maxsize=16)
def _of_few(values: bytes, low: Fraction, high: Fraction, grid: int) -> GridSums:
    """The sums of doubles that were seen before: an audit draws thousands of times from a pair."""
    return _sums(np.frombuffer(values), low, high, grid)


def _sums(values: NDArray[np.float64], low: Fraction, high: Fraction, grid: int) -> GridSums:
    indices = grid_indices(values, low, high, grid)
    blocks = np.array_split(indices, len(indices) // _BLOCK + 1)
    return GridSums(len(indices), sum(int(block.sum()) for block in blocks), grid)
