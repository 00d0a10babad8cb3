"""Sampling of the coarse estimate (TRI, Algorithm 1) with any noise scale and threshold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mechanisms.laws import FLOATS
from mechanisms.trilemma.coarse.bins import bins_of, draw_coins
from mechanisms.trilemma.coarse.rule import CoarseRule

__all__ = ["draw_coarse", "uniform_argmax"]

CELLS = 1 << 18
"""About so many scores are held at a time."""


def draw_coarse(
    values: NDArray[np.float64], rule: CoarseRule, size: int, *, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Draw T + argmax of the noisy counts, or failure.

    `values`, shape (n,): finite records in units of the width of a bin, ascending; n may be 0.
    `rule`: noise scale and threshold. Returns shape (size,): NaN stands for failure.
    """
    released = np.full(size, np.nan)
    if not values.size:
        return released
    bins = bins_of(values)
    coins = draw_coins(size, rng=rng)
    theta, scale = rule.threshold(FLOATS), float(rule.scale)
    rows = max(1, CELLS // bins.places.size)
    for start in range(0, size, rows):
        part = slice(start, start + rows)
        counts = bins.counts(coins[part])
        occupied = counts > 0
        scores = np.full(counts.shape, -np.inf)
        noise = rng.laplace(scale=scale, size=np.count_nonzero(occupied))
        scores[occupied] = counts[occupied] + noise
        place, largest = uniform_argmax(scores, rng=rng)
        np.copyto(released[part], coins[part] + bins.places[place], where=largest > theta)
    return released


def uniform_argmax(
    scores: NDArray[np.float64], *, rng: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Find the place of the largest score in each row, and the score.

    Ties are broken uniformly: a fixed rule would prefer one side, and bias the estimate.

    `scores`, shape (k, m): at least one of each row finite. `rng`: advanced only where scores are
    tied. Returns `place`, `largest`, shape (k,).
    """
    place = scores.argmax(axis=1)
    largest = np.take_along_axis(scores, place[:, None], axis=1)
    tied = scores == largest
    for row in np.flatnonzero(np.count_nonzero(tied, axis=1) > 1):
        place[row] = rng.choice(np.flatnonzero(tied[row]))
    return place, largest[:, 0]
