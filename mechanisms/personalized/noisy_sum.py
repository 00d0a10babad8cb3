"""Weighted sums of clipped records, and Laplace noise, many draws at once.

A record outside the interval is clipped, the placeholder counts as the midpoint.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["add_laplace", "clipped_sums"]

LARGEST = float(np.finfo(np.float64).max)
"""A larger scale of the noise is drawn as this one."""


def clipped_sums(
    values: NDArray[np.float64],
    weights: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the sum of w_i clip(x_i, low, high) for each of several intervals.

    `values`, `weights`, shape (n,): records, of which NaN is the placeholder, and their weights.
    `low`, `high`, shape (draws,): ends of the intervals, low <= high. Returns shape (draws,).
    """
    low, high = low[:, np.newaxis], high[:, np.newaxis]
    inside = np.where(np.isnan(values), low / 2 + high / 2, np.clip(values, low, high))
    with np.errstate(over="ignore"):
        return np.asarray(inside @ weights, dtype=np.float64)


def add_laplace(
    centers: NDArray[np.float64], scale: NDArray[np.float64], *, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Add Laplace noise to the centers, shape (draws,); scales of shape (draws,) or (1,)."""
    with np.errstate(over="ignore"):
        return centers + np.minimum(scale, LARGEST) * rng.laplace(size=centers.shape) + 0.0
