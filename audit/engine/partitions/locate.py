"""Between which edges a value lies: `numpy.searchsorted`, faster for many values.

Equal buckets over the bulk of the values: the number of edges below a bucket is the answer for
all of its values, unless an edge lies in it. Rounding does no harm: the bucket of a value never
falls when the value grows, so an edge in a lower bucket is smaller, in a higher one larger.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Locator"]

Array = NDArray[np.float64]

BUCKETS = 2048
BULK = 0.01
"""Share of the values at either end that has no buckets."""

ROWS_AT_A_TIME = 2**14
UNSURE = -1
LARGEST_UNSURE_SHARE = 0.3
LARGEST = 1e150


@final
@dataclass(frozen=True, slots=True)
class Locator:
    """Ascending edges, and buckets between `low` and `high`.

    Parameters
    ----------
    edges : ndarray of float, shape (m,)
        Ascending.
    low, high, scale : float
        The buckets' range, and buckets per unit.
    below : ndarray of int
        Number of edges below each bucket, -1 where an edge lies in it; empty if buckets are of no
        use for these edges.
    """

    edges: Array
    low: float
    high: float
    scale: float
    below: NDArray[np.int32]

    @classmethod
    def fit(cls, edges: Array, values: Array) -> Locator:
        """Place the buckets where most of some sorted values are."""
        bare = cls(edges, 0.0, 0.0, 0.0, np.empty(0, np.int32))
        if not values.size or not edges.size:
            return bare
        low, high = (float(values[int(share * (values.size - 1))]) for share in (BULK, 1 - BULK))
        if not 1 / LARGEST < high - low < LARGEST:
            return bare
        below = np.empty(BUCKETS + 1, np.int32)
        made = cls(edges, low, high, BUCKETS / (high - low), below)
        taken = made._buckets(edges)
        below[:] = np.searchsorted(taken, np.arange(BUCKETS + 1))
        below[[*taken, 0, BUCKETS]] = UNSURE
        unsure = (below[made._buckets(values)] == UNSURE).mean()
        return made if unsure < LARGEST_UNSURE_SHARE else bare

    def _buckets(self, values: Array) -> NDArray[np.int32]:
        inside = np.fmax(np.fmin(values, self.high), self.low)
        inside -= self.low
        inside *= self.scale
        return inside.astype(np.int32)

    def __call__(self, values: Array) -> NDArray[np.intp]:
        """Return `numpy.searchsorted(edges, values)`; shape (n,)."""
        if not self.below.size:
            return np.searchsorted(self.edges, values)
        found = np.empty(values.size, dtype=np.intp)
        for start in range(0, values.size, ROWS_AT_A_TIME):
            part = values[start : start + ROWS_AT_A_TIME]
            cells = self.below[self._buckets(part)]
            unsure = np.flatnonzero(cells < 0)
            cells[unsure] = np.searchsorted(self.edges, part[unsure])
            found[start : start + ROWS_AT_A_TIME] = cells
        return found
