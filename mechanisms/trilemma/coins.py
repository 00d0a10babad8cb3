"""Sums over the records whose coin shows heads, for many draws at once.

The coins of all draws are one row of independent coins. Only the places of heads are drawn, as gaps
of a geometric law, so that rare heads cost little.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["heads", "named_means"]

_HEADS = 2**18
"""About so many heads are held at a time."""


def heads(count: int, rate: float, *, rng: np.random.Generator) -> NDArray[np.int64]:
    """Places of heads among `count` independent coins that show heads with probability `rate`.

    Returns: ascending, each in 0..count - 1.
    """
    found: list[NDArray[np.int64]] = []
    last = -1
    while last < count - 1:
        expected = (count - 1 - last) * rate
        gaps = rng.geometric(rate, math.ceil(expected + 4 * math.sqrt(expected) + 8))
        places = last + np.cumsum(np.minimum(gaps, count + 1))
        found.append(places)
        last = int(places[-1])
    places = np.concatenate(found) if found else np.empty(0, np.int64)
    return places[: np.searchsorted(places, count)]


def named_means(
    values: NDArray[np.float64], delta: float, size: int, *, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Draw (1 / n) times the sum of A(x_i), A(x) = x / delta with probability delta, else 0.

    `values`, shape (n,): finite, n at least 1. What is not named counts exactly 0, however large it
    is. `delta`: in (0, 1]. Returns shape (size,): in the unit of the values; infinite where a sum
    is beyond double precision.
    """
    n = values.size
    totals = np.empty(size)
    rows = max(1, int(_HEADS / (n * delta + 1)))
    for start in range(0, size, rows):
        part = totals[start : start + rows]
        places = heads(part.size * n, delta, rng=rng)
        part[:] = np.bincount(places // n, weights=values[places % n], minlength=part.size)
    with np.errstate(over="ignore"):
        return totals / n / delta
