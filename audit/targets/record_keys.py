"""What the records of a data set are, so that two data sets can be told to be neighbors or not.

A data set is a sequence of records: an array along its first axis, a list, a tuple, a set, a
series, the rows of a data frame. What has no records (a dictionary, a number, text, an object of a
class) is not compared. Records are equal where code cannot tell them apart by their value: 1 and
1.0 are, 0.0 and -0.0 are not, NaN equals NaN.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Hashable, Mapping, Set
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

Keys = list[Hashable]
"""A key for each record."""

SEQUENCES = (list, tuple, range, set, frozenset)

ROWS = ("iter_rows", "to_pylist", "to_list")
"""Methods that give the records of a table or of a column, of polars and of arrow."""

PICKLED = 4
"""A protocol of its own, so that the bytes of a record do not follow the Python version."""


def records_in(data: Any) -> list[Any] | None:
    """Records of a data set; None where it has none."""
    if isinstance(data, np.ndarray):
        return list(data) if data.ndim else None
    if isinstance(data, SEQUENCES):
        return None if hasattr(data, "_fields") else list(data)
    if hasattr(data, "itertuples"):
        return list(data.itertuples(index=False, name=None))
    for method in ROWS:
        if not isinstance(data, type) and callable(make := getattr(data, method, None)):
            return list(make())
    return None


def size_of(data: Any) -> int | None:
    """Number of records; None for a data set that has none."""
    if isinstance(data, np.ndarray):
        return len(data) if data.ndim else None
    records = records_in(data)
    return None if records is None else len(records)


def numbers_in(data: Any) -> list[float]:
    """Records that are numbers, as doubles; a number beyond them is infinite."""
    return [_double(x) for x in records_in(data) or () if _is_number(x)]


def _double(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number)


def _is_number(record: Any) -> bool:
    numeric = isinstance(record, int | float | np.integer | np.floating)
    return numeric and not isinstance(record, bool)


def columns_of(data: Any) -> tuple[str, ...]:
    """Names of the columns of a table; none for what is no table."""
    names = getattr(data, "column_names", getattr(data, "columns", ()))
    return () if callable(names) else tuple(map(str, names))


def keys_of(data: Any, other: Any) -> tuple[Keys, Keys] | None:
    """A key for each record of two data sets, equal for equal records; None for what has none.

    Two data sets of different kinds (a list and an array, tables of different columns) have no
    common records.
    """
    plain = all(type(x) is np.ndarray and x.ndim and not x.dtype.hasobject for x in (data, other))
    if plain and data.dtype == other.dtype and data.shape[1:] == other.shape[1:]:
        return _bytes_of(data), _bytes_of(other)
    if type(data) is not type(other) or columns_of(data) != columns_of(other):
        return None
    rows, others = records_in(data), records_in(other)
    if rows is None or others is None:
        return None
    try:
        first, second = list(map(_key, rows)), list(map(_key, others))
    except RecursionError:  # a list that holds itself
        return None
    if isinstance(data, Set):  # has no order
        return sorted(first, key=repr), sorted(second, key=repr)
    return first, second


def _bytes_of(data: NDArray[Any]) -> Keys:
    """The bytes of each row, cut out of those of all: a call for each row takes far longer."""
    whole, size = data.tobytes(), data[:1].nbytes
    return [whole[i * size : (i + 1) * size] for i in range(len(data))]


def _key(record: Any) -> Hashable:
    """A key of a record; its kind comes first, so that no two kinds meet."""
    if record is np.ma.masked:
        return ("masked",)
    if isinstance(record, np.ndarray):
        return _key(record.item()) if record.ndim == 0 else ("row", tuple(map(_key, record)))
    if isinstance(record, np.generic):
        value = record.item()
        longer = isinstance(value, np.generic)  # a long double has no equal in Python
        return (str(record.dtype), record.tobytes()) if longer else _key(value)
    if isinstance(record, bool):
        return ("truth", record)
    if isinstance(record, int | float):
        return _number(record)
    if isinstance(record, complex | Decimal):
        return (type(record).__name__, repr(record))  # NaN has no equal
    if isinstance(record, list | tuple):
        return ("row", tuple(map(_key, record)))
    if isinstance(record, Mapping):
        return ("mapping", frozenset((_key(k), _key(v)) for k, v in record.items()))
    if isinstance(record, Set):
        return ("set", frozenset(map(_key, record)))
    return _other(record)


def _number(value: Any) -> Hashable:
    """A number; equal integers and floats are one."""
    if isinstance(value, float) and math.isnan(value):
        return ("number", "nan")
    return ("number", value or ("-0" if math.copysign(1.0, value) < 0 else "0"))


def _other(record: Any) -> Hashable:
    """What compares by its value if it can be hashed, else by its bytes, else by its identity."""
    kind: str = type(record).__qualname__
    try:
        hash(record)
    except TypeError:
        try:
            return (kind, pickle.dumps(record, PICKLED))
        except Exception:  # noqa: BLE001 - any error of a user's class: it equals itself alone
            return (kind, id(record))
    return (kind, record)
