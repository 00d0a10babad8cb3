"""The sparse vector technique: the first query that exceeds a threshold (PDP, Algorithm 1).

With queries Q_1, Q_2, ... of sensitivity 1 and a threshold theta, the index released is

    i = min{ i >= 1 : Q_i + Lap(4 / epsilon) > theta + Lap(2 / epsilon) }

where the noise of the threshold is drawn once. There is a public number K of queries, and the index
is K + 1 if none of them fires. Private with epsilon; if all queries equal the threshold,
P(i > m) = (4 - 2^(1 - m)) / ((m + 1) (m + 2)) for m <= K (PDP-A1-TAIL).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.composition import ScanStep

__all__ = ["BAR", "CAP", "QUERY", "above_threshold", "scan_step"]

BAR, QUERY = 2, 4
"""Scales of the noise of the threshold and of each query, times epsilon (Algorithm 1)."""

CAP = 64
"""Queries of each scan; public. The print has no last query, and a scan over ties may not end."""

FIRST_BLOCK = 4
"""Queries whose noise is drawn at once at first; later blocks double."""


def above_threshold(
    answers: NDArray[np.float64],
    threshold: float | NDArray[np.float64],
    epsilon: float,
    *,
    rng: np.random.Generator,
    size: int | None = None,
) -> NDArray[np.int64]:
    """Draw the index of the first query that fires.

    `answers`, shape (rows, K): query i in column i - 1, each of sensitivity 1; one row for each
    draw, or a single row. `threshold`, shape (draws,): public. `epsilon`: privacy parameter of the
    scan, greater than 0. Returns shape (draws,): from 1 to K + 1.

    References
    ----------
    .. [1] Dong and Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 1 (PDP-A1).
    """
    rows, cap = answers.shape
    draws = rows if size is None else size
    bars = threshold + rng.laplace(scale=BAR / epsilon, size=draws)
    index = np.full(draws, cap + 1, dtype=np.int64)
    running = np.arange(draws)
    start, width = 0, FIRST_BLOCK
    while start < cap and running.size:
        stop = min(start + width, cap)
        noisy = rng.laplace(scale=QUERY / epsilon, size=(running.size, stop - start))
        noisy += answers[:, start:stop] if rows == 1 else answers[running, start:stop]
        fires = noisy > bars[running, np.newaxis]
        done = fires.any(axis=1)
        index[running[done]] = start + 1 + fires[done].argmax(axis=1)
        running = running[~done]
        start, width = stop, 2 * width
    return index


def scan_step(words: str, epsilon: Fraction) -> ScanStep:
    """State a scan at `epsilon` over queries that a record moves by at most 1."""
    return ScanStep(words, Fraction(1), BAR / epsilon, QUERY / epsilon)
