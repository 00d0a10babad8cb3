"""Half, single and double precision: spacing of the numbers, and a plain running sum."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray


@final
@dataclass(frozen=True, slots=True)
class Format:
    """A binary format."""

    name: str
    dtype: type[np.floating[Any]]
    precision: int
    """Bits of the mantissa, the leading one among them."""

    @property
    def largest(self) -> float:
        """Largest finite number."""
        return float(np.finfo(self.dtype).max)

    def spacing(self, size: float) -> float:
        """Distance of the neighboring numbers of the binade of `size` > 0."""
        return math.ldexp(1.0, math.frexp(size)[1] - self.precision)

    def total(self, records: NDArray[Any]) -> float:
        """Sum of the records, one after the other, each step rounded to the format."""
        if records.size == 0:
            return 0.0
        with np.errstate(over="ignore", invalid="ignore"):
            return float(np.add.accumulate(records.astype(self.dtype), dtype=self.dtype)[-1])


FORMATS = (
    Format("half precision", np.float16, 11),
    Format("single precision", np.float32, 24),
    Format("double precision", np.float64, 53),
)
"""From the coarsest to the finest."""
