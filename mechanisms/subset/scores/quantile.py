"""Scores of the lower q-quantile x_(ceil(q n)), q = p / s (SUB-A5).

With L, E, G records below, at and above t,

    theta >= t  if and only if  A = (s - p) L - p (E + G) <= -1,
    theta <= t  if and only if  B = p G - (s - p) (L + E) <= 0.

A record added at t lowers A by p and B by s - p. One removed from below lowers A by s - p and
raises B by s - p; one removed from above raises A by p and lowers B by p. The tolerance h is 0.
For the lower median both scores are max(0, L - E - G + 1, G - L - E).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["crossing", "length", "median"]

Counts: TypeAlias = NDArray[np.int64]


def median(counts: Counts) -> Counts:
    """Both scores of the lower median.

    `counts`, shape (m,): number of records at each place. Returns shape (m,): score of each place.
    """
    below, at, above = _sides(counts)
    farther: Counts = np.maximum(below - at - above + 1, above - below - at)
    return np.maximum(0, farther)


def length(counts: Counts, level: Fraction) -> Counts:
    """Exact len; parameters as `median`, level q in (0, 1).

    Once k edits do, so do k + 1 (one more record at t), hence bisection.
    """
    below, at, above = _sides(counts)
    p, s = level.numerator, level.denominator
    a, b = (s - p) * below - p * (at + above), p * above - (s - p) * (below + at)
    too_few = np.full(counts.shape, -1, np.int64)
    enough = np.full(counts.shape, counts.sum() + 1, np.int64)  # remove all, add t
    while np.any(enough - too_few > 1):
        k = (too_few + enough) // 2
        reached = _reached(k, below, above, a, b, p, s)
        enough, too_few = np.where(reached, k, enough), np.where(reached, too_few, k)
    return enough


def crossing(counts: Counts, level: Fraction) -> Counts:
    """Crossing score with h = 0; parameters as `length`."""
    below, at, above = _sides(counts)
    p, s = level.numerator, level.denominator
    a, b = (s - p) * below - p * (at + above), p * above - (s - p) * (below + at)
    return np.maximum(_up(a, below, p, s), _down(b, below + at, above, p, s))


def _sides(counts: Counts) -> tuple[Counts, Counts, Counts]:
    """Records below, at and above each place."""
    up_to = np.cumsum(counts)
    return up_to - counts, counts, up_to[-1] - up_to


def _reached(
    k: Counts, below: Counts, above: Counts, a: Counts, b: Counts, p: int, s: int
) -> NDArray[np.bool_]:
    """Whether r removals from one side and k - r additions at t make theta = t, for some r."""
    up, down = p * k - a - 1, (s - p) * k - b
    from_below = _solvable(np.minimum(k, below), ((2 * p - s, up), (2 * (s - p), down)))
    from_above = _solvable(np.minimum(k, above), ((2 * p, up), (s - 2 * p, down)))
    return from_below | from_above


def _solvable(most: Counts, conditions: tuple[tuple[int, Counts], ...]) -> NDArray[np.bool_]:
    """Whether an integer r from 0 to `most` has slope r <= limit for each (slope, limit)."""
    least = np.zeros_like(most)
    for slope, limit in conditions:
        if slope > 0:
            most = np.minimum(most, limit // slope)
        elif slope < 0:
            least = np.maximum(least, -(limit // -slope))
        else:
            most = np.where(limit >= 0, most, -1)
    return least <= most


def _up(a: Counts, below: Counts, p: int, s: int) -> Counts:
    """Fewest edits to theta >= t: what lowers A most first."""
    if p >= s - p:
        edits = a // p + 1
    else:
        edits = a // (s - p) + 1
        edits = np.where(edits <= below, edits, below + (a - (s - p) * below) // p + 1)
    return np.where(a < 0, 0, edits)


def _down(b: Counts, up_to: Counts, above: Counts, p: int, s: int) -> Counts:
    """Fewest edits to theta <= t: what lowers B most first; the data must not become empty."""
    if s - p >= p:
        edits = -(-b // (s - p))
    else:
        edits = -(-b // p)
        edits = np.where(edits <= above, edits, above - (p * above - b) // (s - p))
        edits = np.where((up_to == 0) & (edits == above), above + 1, edits)
    return np.where(b <= 0, 0, edits)
