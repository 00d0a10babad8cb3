"""Crossing score of the minimizer of sum |x - y|^p, p > 1, of records at places 0..m-1 (SUB-A5).

The minimizer is at most y if and only if the sum of c = sgn(x - y) |x - y|^(p - 1) is at most 0.
With h = 1/2 the distances x - y are odd halves: c is w(|2 (x - y)|) with its sign, from a table
of integers w(1) <= w(3) <= .. <= w(2 m - 1). It is (2 |x - y|)^(p - 1) where that is an integer of
at most 2^32 throughout, as for p = 2 and 3 on the grids that are taken; otherwise it is scaled to
a largest entry of 2^32, rounded to the nearest integer, and at least 1. Sums are exact integers
either way, and the score is the distance to a fixed set of data: its sensitivity is 1 whatever
the table, which only says which property it is the score of. The exact len is not offered:
equations between irrational numbers are solved by hardly anything but no records at all.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.subset.scores.sums import occupied, steps_down, suffix_sums

__all__ = ["WEIGHT_MOST", "crossing", "weights"]

Counts = NDArray[np.int64]

WEIGHT_MOST = 2**32
"""Largest entry of the table: 2^30 records still add up in 64 bits."""

BLOCK = 2**20
"""Entries of the arrays that hold c for some targets and all occupied places."""


def weights(places: int, power: Fraction) -> Counts:
    """Table w(1), w(3), .., w(2 m - 1) for m places, shape (m,)."""
    odd = np.arange(1, 2 * places, 2)
    exponent = power - 1
    if exponent.denominator == 1 and (2 * places - 1) ** int(exponent) <= WEIGHT_MOST:
        return np.asarray(odd ** int(exponent), dtype=np.int64)
    scaled = np.rint(WEIGHT_MOST * (odd / odd[-1]) ** float(exponent)).astype(np.int64)
    return np.asarray(np.maximum(scaled, 1), dtype=np.int64)


def crossing(counts: Counts, power: Fraction) -> Counts:
    """Crossing score with h = 1/2, in O(m d) for records at d different places.

    `counts`, shape (m,): number of records at each place. `power`: p, greater than 1. Returns shape
    (m,): score of each place.
    """
    table = weights(counts.size, power)
    return np.maximum(_down(counts, table), _down(counts[::-1], table)[::-1])


def _down(counts: Counts, table: Counts) -> Counts:
    """Edits to a minimizer of at most y = t + 1/2, for each place t."""
    places, at = occupied(counts)
    block = BLOCK // max(places.size, 1)
    starts = range(0, counts.size, block)
    targets = (np.arange(start, min(start + block, counts.size)) for start in starts)
    return np.concatenate([_down_to(t, places, at, table) for t in targets])


def _down_to(t: Counts, places: Counts, at: Counts, table: Counts) -> Counts:
    """The same for some places t; records stand at `places`, `at` of them at each."""
    c = np.concatenate([-table[::-1], table])  # for x - t = -(m - 1), .., m
    worth = c[places - t[:, None] + table.size - 1]
    sums, row = suffix_sums(worth * at), np.arange(t.size)
    steps = steps_down(
        table[t],
        places.size - np.count_nonzero(worth > table[t][:, None], axis=1),
        suffix_sums(at),
        lambda j: worth[row, j],
        lambda j: sums[row, j],
    )
    return steps.crossing(int(at.sum()))
