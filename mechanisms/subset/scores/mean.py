"""Scores of the mean of records at places 0..m-1 (SUB-A5).

With c = x - y the mean is at most y if and only if the sum of c is at most 0. The crossing score
has h = 1/2: y = t + 1/2 from above and t - 1/2 from below, so that 2 c is an integer. The exact
len has y = t. It is the greedy number k of edits or k + 1: where k removals exceed the sum S, k
edits still do if an addition can replace the last removal, or if k other records add up to S.
The sum of these is by less than m below that of the k largest, so few records change places.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mechanisms.subset.scores.sums import Steps, occupied, steps_down, suffix_sums

__all__ = ["crossing", "length"]

Counts = NDArray[np.int64]


def crossing(counts: Counts) -> Counts:
    """Crossing score with h = 1/2.

    `counts`, shape (m,): number of records at each place. Returns shape (m,): score of each place.
    """
    count = int(counts.sum())
    down = _steps(counts, 1).crossing(count)
    up = _steps(counts[::-1], 1).crossing(count)[::-1]
    return np.maximum(down, up)


def length(counts: Counts) -> Counts:
    """Exact len, in O(m^3 log m) for any number of records; parameters as `crossing`."""
    return np.maximum(_length_down(counts), _length_down(counts[::-1])[::-1])


def _steps(counts: Counts, tolerance: int) -> Steps:
    """Greedy edits to a mean of at most y = t + tolerance / 2, for each place t."""
    places, at = occupied(counts)
    number, sums = suffix_sums(at), suffix_sums(at * places)
    y = 2 * np.arange(counts.size, dtype=np.int64) + tolerance  # twice y: c = 2 x - y, A = y
    first = np.searchsorted(places, y, side="right").astype(np.int64)
    return steps_down(
        y, first, number, lambda j: 2 * places[j] - y, lambda j: 2 * sums[j] - number[j] * y
    )


def _length_down(counts: Counts) -> Counts:
    """Edits to a mean of exactly t, for each place t at most the mean; 0 for those above it."""
    count, steps = int(counts.sum()), _steps(counts, 0)
    edits = steps.crossing(count)
    places, at = occupied(counts)
    number, sums = suffix_sums(at).tolist(), suffix_sums(at * places).tolist()
    for t in np.flatnonzero(steps.last >= 0).tolist():
        last, k = int(steps.last[t]), int(steps.edits[t])
        if k == count:
            continue  # all are removed, and t is added
        largest, taken = int(places[last]), k - number[last + 1]
        over = sums[last + 1] + taken * largest - k * t - (sums[0] - count * t)
        left = largest - t - over  # before the last removal; one addition is worth at most t
        if left > t and not _lowered(counts, largest, taken, over):
            edits[t] += 1
    return edits


def _lowered(counts: Counts, largest: int, taken: int, by: int) -> bool:
    """Whether k records have a sum that is smaller by `by` than that of the k largest.

    The k largest are all above the place `largest` and `taken` of those there. A record above it
    is given up for `largest` at a loss of its distance, and so is `largest` for one below it. All
    the losses must add up to `by`, and the records at `largest` must suffice for the balance of
    the two. Bit (loss, balance) of `reached` says that some choice has it.
    """
    row = 2 * by + 1
    reached, inside = 1 << by, (1 << (row * (by + 1))) - 1
    for distance in range(1, by + 1):
        for place, balance in ((largest + distance, 1), (largest - distance, -1)):
            there = int(counts[place]) if 0 <= place < counts.size else 0
            for _ in range(min(there, by // distance)):
                reached |= (reached << (distance * row + balance)) & inside
    balances = reached >> (by * row)
    least, most = max(-taken, -by), min(int(counts[largest]) - taken, by)
    enough = (1 << (most - least + 1)) - 1
    return bool((balances >> (by + least)) & enough)
