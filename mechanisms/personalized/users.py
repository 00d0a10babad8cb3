"""Records of users: one real number each, or the placeholder for a record that is missing.

The placeholder is a value of its own, NaN, and never 0. What is no finite number (NaN, an infinity,
None, a word) is read as the placeholder, each record by itself.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.records import records

__all__ = ["BOT", "user_records"]

BOT = math.nan
"""The placeholder."""


def user_records(data: Any, count: int) -> NDArray[np.float64]:
    """Read one record for each user.

    `data`, shape (count,): in the order of the users; what is no finite number becomes the
    placeholder. `count`: how many users there are; public. Returns shape (count,): finite numbers
    and `BOT`; a copy. Raises InvalidArgument if there is another number of records. Never because
    of a record.
    """
    values = np.array(records(data), dtype=np.float64)
    if values.size != count:
        msg = f"data must hold one record for each of {count} users, got {values.size} records"
        raise InvalidArgument(msg)
    values[~np.isfinite(values)] = BOT
    return values + 0.0
