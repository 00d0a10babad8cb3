"""Uniform integers between two bounds of each row, also beyond the integers of 64 bits.

Every draw is a uniform integer first and becomes a double last, so that its low bits tell nothing
about the bounds it was drawn between.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["uniform_between"]

LARGEST = 2.0**62
"""Bounds up to here are taken as integers of 64 bits."""

WORDS = 4
"""Of 64 bits for a longer integer: the remainder's bias is below 2^-128."""


def uniform_between(
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    after: NDArray[np.bool_],
    before: NDArray[np.bool_],
    *,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draw uniform integers from `lower` to `upper`, elementwise.

    `lower`, `upper`, shape (k,): integers; at least one integer must be left between them. `after`,
    `before`, shape (k,): whether the lower or the upper bound itself is left out. Returns shape
    (k,): the nearest doubles of the integers.
    """
    found = np.empty(lower.shape)
    short = np.maximum(np.abs(lower), np.abs(upper)) <= LARGEST
    least = lower[short].astype(np.int64) + after[short]
    most = upper[short].astype(np.int64) - before[short]
    found[short] = rng.integers(least, most, endpoint=True)
    for i in np.flatnonzero(~short).tolist():
        start = int(lower[i]) + bool(after[i])
        width = int(upper[i]) - bool(before[i]) - start + 1
        found[i] = float(start + int.from_bytes(rng.bytes(8 * WORDS), "little") % width)
    return found
