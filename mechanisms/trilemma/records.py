"""Records of any kind as finite doubles in ascending order, each read by itself.

The place of a record in the caller's data then plays no part: sums are the same bit for bit, and
coins go with the sorted places. The number of records is public where a record is replaced.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.records import records

__all__ = ["at_least_one", "finite_records"]


def finite_records(
    data: Any, *, missing: float, lowest: float, highest: float
) -> NDArray[np.float64]:
    """Read data, put public numbers in the place of what is not finite, and sort.

    `data`, shape (n,): records; see `mechanisms.records`. `missing`: in place of NaN. `lowest`,
    `highest`: in place of -infinity and infinity. Returns shape (n,): ascending, without -0.0; the
    caller's array is not written to.
    """
    values = np.nan_to_num(records(data), nan=missing, posinf=highest, neginf=lowest)
    return np.sort(values + 0.0)


def at_least_one(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Refuse data without records: a mean over them divides by their public number."""
    if values.size == 0:
        msg = "data must hold at least one record, got 0 records"
        raise InvalidArgument(msg)
    return values
