"""Data as doubles: what every mechanism on numbers reads first."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument

__all__ = ["records", "records_within"]


def records(data: Any) -> NDArray[np.float64]:
    """Read data as doubles, each record by itself, so that no record can change another.

    `data`, shape (n,): a record too large for a double becomes infinite; one that is not a real
    number (None, a word, a masked one) becomes NaN. Neither raises. Returns shape (n,). Raises
    InvalidArgument if the container is not one-dimensional or its dtype is not numeric.
    """
    if not isinstance(data, np.ndarray) and hasattr(data, "__array__"):
        data = np.asarray(data)
    if isinstance(data, np.ndarray):
        if data.ndim != 1 or data.dtype.kind not in "biufO":
            msg = f"data must be a 1-d array of real numbers, got {data.ndim}-d {data.dtype}"
            raise InvalidArgument(msg)
        if isinstance(data, np.ma.MaskedArray):
            hidden = np.ma.getmaskarray(data)
            data = np.array(data.data, dtype=object)
            data[hidden] = None
        if data.dtype.kind != "O":
            with np.errstate(all="ignore"):
                return np.asarray(data.astype(np.float64))
    elif isinstance(data, (str, bytes)) or not hasattr(data, "__iter__"):
        msg = f"data must be a 1-d array of real numbers, got data of type {type(data).__name__}"
        raise InvalidArgument(msg)
    values = list(data)
    try:
        with np.errstate(all="ignore"):
            read = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return np.array([_nearest_double(value) for value in values], dtype=np.float64)
    if read.ndim != 1:
        msg = f"data must be a 1-d array of real numbers, got {read.ndim}-d data"
        raise InvalidArgument(msg)
    return read


def _nearest_double(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf
    except (TypeError, ValueError):
        return np.nan


def records_within(
    data: Any, low: Fraction, high: Fraction, count: int | None = None
) -> NDArray[np.float64] | None:
    """Read data as `records` does; None unless all lie between the bounds, and there are `count`.

    Without `count` there must be at least one record.
    """
    values = records(data)
    right = values.size == count if count is not None else values.size > 0
    inside = right and np.all((float(low) <= values) & (values <= float(high)))
    return values if inside else None
