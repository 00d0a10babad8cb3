"""Differences of random pairs of records, and the two scans over them (PDP, Algorithm 4).

In a uniformly random order of the records the survivors stand in a uniformly random order; pairing
its first with its second, its third with its fourth, gives a uniformly random matching, whatever
the values are. The scans look for the power of 2 at the median of the differences, upwards from 1
and downwards from 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.personalized.sparse.sparse_vector import CAP, above_threshold
from mechanisms.personalized.users import BOT
from mechanisms.records import records

__all__ = ["chunks", "matched_differences", "scan", "sorted_records"]

CHUNK = 2_000_000
"""Numbers that are held at once: (n + 64) for each draw."""


def sorted_records(data: Any) -> NDArray[np.float64]:
    """Read records, ascending and with placeholders last, so that their order tells nothing."""
    values = records(data)
    return np.sort(np.where(np.isfinite(values), values + 0.0, BOT))


def chunks(size: int, count: int) -> list[int]:
    """Split a number of draws on n records into numbers that fit the memory."""
    step = max(1, CHUNK // (count + CAP))
    return [min(step, size - start) for start in range(0, size, step)]


def matched_differences(
    values: NDArray[np.float64], kept: NDArray[np.bool_], *, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Match the survivors of each row at random; one is left over if their number is odd.

    `values`, shape (n,) or (draws, n): records; what is not finite is in no pair. `kept`, shape
    (draws, n): which records survive. Returns `differences`, shape (N,): |x - x'| of all pairs;
    infinite where it exceeds the largest double; `rows`, shape (N,): the draw of each pair.
    """
    draws, count = kept.shape
    mixed = np.where(kept & np.isfinite(values), values, BOT)
    if count > 1:
        mixed = rng.permuted(mixed, axis=1)
    alive = ~np.isnan(mixed)
    numbers = alive.sum(axis=1)
    survivors = mixed[alive]
    ends = np.cumsum(numbers)
    rows = np.repeat(np.arange(draws), numbers)
    places = np.arange(survivors.size) - (ends - numbers)[rows]
    first = np.flatnonzero((places % 2 == 0) & (places + 1 < numbers[rows]))
    with np.errstate(over="ignore"):
        differences = np.abs(survivors[first + 1] - survivors[first])
    return differences, rows[first]


def scan(
    within: NDArray[np.int64],
    total: NDArray[np.int64],
    epsilon: float,
    *,
    rng: np.random.Generator,
    size: int | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw the indices of both scans, from the counts of one row for each draw or of a single one.

    `within`, shape (rows, 127): how many differences are at most 2^k, for k = -63, ..., 63.
    `total`, shape (rows,): |G|. `epsilon`: of both scans together. Returns `up`, `down`, shape
    (draws,): the indices i and j, from 1 to 65.
    """
    queries = within - total[:, np.newaxis] / 2
    up = above_threshold(queries[:, CAP - 1 :], 0, epsilon / 2, rng=rng, size=size)
    down = above_threshold(-queries[:, CAP - 1 :: -1], 0, epsilon / 2, rng=rng, size=size)
    return up, down
