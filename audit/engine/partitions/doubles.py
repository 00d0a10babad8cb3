"""The bits of many doubles at once: binade, and trailing zeros of the mantissa."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["Integers", "cells_by_block"]

ROWS_AT_A_TIME = 2**14
IMPLICIT_BIT = 2**52
SMALLEST_NORMAL, UPSCALE = 2.0**-1022, 2.0**200
"""Subnormal values are scaled up to be read; their binades are clipped all the same."""

Integers = NDArray[np.int64]
"""Binades, trailing zeros or cells of a block of doubles."""

Cells = Callable[[Integers, Integers, NDArray[np.float64]], Integers]


def cells_by_block(cells: Cells, values: NDArray[np.float64], rest: int) -> NDArray[np.intp]:
    """Cells from (binade, trailing zeros of the 53-bit mantissa, value), blocks that fit in cache.

    The two are read off the bits of the double, with the binade as `math.frexp` counts it. Zero
    and NaN have the cell `rest`.
    """
    found = np.empty(len(values), dtype=np.intp)
    for start in range(0, found.size, ROWS_AT_A_TIME):
        block = np.ascontiguousarray(values[start : start + ROWS_AT_A_TIME])
        size = np.abs(block)
        usable = size > 0
        if (usable & (size < SMALLEST_NORMAL)).any():
            block = block * np.where(size < SMALLEST_NORMAL, UPSCALE, 1.0)
        bits = block.view(np.int64)
        mantissa = (bits & (IMPLICIT_BIT - 1)) | IMPLICIT_BIT
        lowest = (mantissa & -mantissa).astype(np.float64)  # a power of 2: exact
        zeros = (lowest.view(np.int64) >> 52) - 1023
        binade = ((bits >> 52) & 0x7FF) - 1022
        block_cells = cells(binade, zeros, block)
        found[start : start + ROWS_AT_A_TIME] = np.where(usable, block_cells, rest)
    return found
