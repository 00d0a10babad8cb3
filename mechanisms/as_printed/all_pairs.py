"""Differences of the pairs that Algorithm 4 of PDP prints: all of them, or sorted neighbors.

Erratum PDP-E-08. A record is in n - 1 of all pairs. In the sorted data, whose first and second,
third and fourth records form pairs, it shifts all later pairs. So the counts have sensitivity n - 1
or n / 2, not 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mechanisms.personalized.sparse.octaves import counts_within, octaves
from mechanisms.personalized.sparse.sparse_vector import CAP
from mechanisms.personalized.users import BOT

__all__ = ["PAIRS", "pair_counts"]

PAIRS = ("all", "sorted")
"""Readings of "G contains |x_i - x_j|"."""

FEW = 32
"""Records whose pairs are listed; of more the counts come from sorting."""
BLOCK = 1_000_000
"""Pairs that are listed at once."""

Counts = tuple[NDArray[np.int64], NDArray[np.int64]]


def pair_counts(values: NDArray[np.float64], kept: NDArray[np.bool_], pairs: str) -> Counts:
    """Count differences of pairs of kept records.

    `values`, shape (n,) or (draws, n): records; what is not finite is in no pair. `kept`, shape
    (draws, n): which records are paired. `pairs`, one of "all", "sorted": all pairs, or neighbors
    in the sorted data, the first with the second and so on. Returns `within`, shape (draws, 127):
    how many differences are at most 2^k, for k = -63, ..., 63; `total`, shape (draws,): how many
    pairs there are.
    """
    ordered = np.sort(np.where(kept & np.isfinite(values), values, BOT), axis=1)
    draws, count = ordered.shape
    if pairs == "sorted":
        return _listed(ordered[:, : count - 1 : 2], ordered[:, 1::2])
    if count > FEW:
        rows = [_by_sorting(row[~np.isnan(row)]) for row in ordered]
        return np.array([within for within, _ in rows]), np.array([total for _, total in rows])
    first, second = np.triu_indices(count, 1)
    step = max(1, BLOCK // max(1, first.size))
    blocks = [
        _listed(ordered[at : at + step, first], ordered[at : at + step, second])
        for at in range(0, draws, step)
    ]
    return np.concatenate([b[0] for b in blocks]), np.concatenate([b[1] for b in blocks])


def _listed(first: NDArray[np.float64], second: NDArray[np.float64]) -> Counts:
    """Count differences of listed pairs, of shape (draws, pairs); NaN is none."""
    with np.errstate(over="ignore"):
        differences = second - first
    rows, places = np.nonzero(~np.isnan(differences))
    found = octaves(differences[rows, places])
    return counts_within(found, rows, first.shape[0], 1 - CAP, CAP - 1)


def _by_sorting(ordered: NDArray[np.float64]) -> tuple[list[int], int]:
    """Count differences of all pairs: of each record those up to 2^k above it in the order."""
    places = np.arange(1, ordered.size + 1)
    within = [
        int((np.searchsorted(ordered, ordered + 2.0**k, side="right") - places).sum())
        for k in range(1 - CAP, CAP)
    ]
    return within, ordered.size * (ordered.size - 1) // 2
