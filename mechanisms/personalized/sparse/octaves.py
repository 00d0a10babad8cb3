"""Counts of numbers within 2^k units, for all k at once, from the binary exponents.

With x = m 2^e and u = m' 2^e', 1/2 <= m, m' < 1, the least k with x <= 2^k u is e - e' + [m > m'].
No quotient is formed, so that nothing is rounded or overflows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["counts_within", "octaves"]

FAR = 4096
"""Beyond all exponents of doubles."""


def octaves(sizes: NDArray[np.float64], unit: ArrayLike = 1.0) -> NDArray[np.int64]:
    """Return the least k with size <= 2^k unit, elementwise.

    `sizes`: at least 0; 0 has k = -4096, and what is not finite has k = 4096. `unit`: positive, in
    the unit of the sizes; broadcast against them.
    """
    parts, exponents = np.frexp(sizes)
    unit_parts, unit_exponents = np.frexp(np.asarray(unit, dtype=np.float64))
    found = exponents.astype(np.int64) - unit_exponents + (parts > unit_parts)
    found[sizes == 0] = -FAR
    found[~np.isfinite(sizes)] = FAR
    return found


def counts_within(
    found: NDArray[np.int64], rows: NDArray[np.int64], draws: int, least: int, most: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count, row by row, the numbers of octave at most k, for k = least, ..., most.

    `found`, shape (N,): octaves. `rows`, shape (N,): the row of each, from 0 to draws - 1. `draws`:
    number of rows. `least`, `most`: first and last k. Returns `within`, shape (draws, most - least
    + 1); `total`, shape (draws,): also those of larger octaves.
    """
    width = most - least + 2
    places = np.clip(found, least, most + 1) - least
    table = np.bincount(rows * width + places, minlength=draws * width)
    sums = np.cumsum(table.reshape(draws, width), axis=1)
    return sums[:, :-1], sums[:, -1]
