"""A data set as Python source, for the script that repeats a finding."""

from __future__ import annotations

import datetime
import math
import pickle
import sys
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.targets.tables.forms import given
from audit.targets.tables.schema import Table

__all__ = ["imports_of", "literal"]

MODULES = {
    "np": "numpy as np",
    "pd": "pandas as pd",
    "pl": "polars as pl",
    "pickle": "pickle",
    "datetime": "datetime",
}
"""Modules that a literal may use, by their names in it."""

PLAIN = (bool, int, float, str, bytes, range)

READABLE = "biufcOSU"
"""Kinds of elements that have a text: structures have none."""

PICKLED = 4
"""The protocol of a data set that has no other text: its bytes do not follow the version."""


def literal(value: Any) -> str:
    """Write a data set as Python; runs of equal records are folded.

    It evaluates to an equal value of the same kind under the imports of `imports_of`: plain values,
    arrays, frames and series of pandas, and lists, tuples, sets and dictionaries of them are
    readable, what else can be pickled is bytes. What cannot stops the script, and says so. Of a
    table it is what the target gets.
    """
    if isinstance(value, Table):
        return literal(given(value))
    if type(value) is np.ndarray and _has_text(value.dtype) and not _nests(value):
        return _array(value)
    if isinstance(value, np.generic) and _has_text(value.dtype):
        return f"np.{type(value).__name__}({literal(value.item())})"
    if isinstance(value, float) and not math.isfinite(value):
        return {"nan": "np.nan", "inf": "np.inf", "-inf": "-np.inf"}[repr(value)]
    if type(value) is complex:
        return f"complex({literal(value.real)}, {literal(value.imag)})"
    if type(value) is list and len(value) > 1 and all(type(x) is float for x in value):
        return f"{_array(np.array(value))}.tolist()"
    if type(value) is list:
        return "[" + ", ".join(map(literal, value)) + "]"
    if type(value) is tuple:
        return "(" + "".join(literal(x) + ", " for x in value) + ")"
    if type(value) is dict:
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if type(value) in {set, frozenset}:
        return f"{type(value).__name__}([{', '.join(sorted(map(literal, value)))}])"
    return _of_pandas(value) or _of_polars(value) or _other(value)


def _has_text(dtype: np.dtype[Any]) -> bool:
    """Whether elements have a text; a long double has none that is exact."""
    long = {np.dtype(np.longdouble), np.dtype(np.clongdouble)}
    return dtype.kind in READABLE and dtype not in long


def _nests(data: NDArray[Any]) -> bool:
    """Whether elements are sequences: numpy would read the nested lists as more dimensions."""
    return data.dtype == object and any(np.ndim(x) for x in data.flat)


def imports_of(*literals: str) -> list[str]:
    """Lines that import what literals use, beyond numpy."""
    return [
        f"import {module}"
        for name, module in MODULES.items()
        if name != "np" and any(f"{name}." in text for text in literals)
    ]


def _of_pandas(value: Any) -> str:
    """A frame or a series of plain columns; "" for all else."""
    pd: Any = sys.modules.get("pandas")
    if pd is None or type(value) not in {pd.DataFrame, pd.Series}:
        return ""
    index = value.index
    plain = type(index) is pd.RangeIndex and index.name is None
    rows = f"range({index.start}, {index.stop}, {index.step})" if plain else literal(list(index))
    if type(value) is pd.Series:
        text = f"pd.Series({literal(value.to_numpy())}, index={rows}, name={literal(value.name)})"
    else:
        named = zip(value.columns, (value.iloc[:, i] for i in range(value.shape[1])), strict=True)
        columns = ", ".join(f"{literal(name)}: {literal(x.to_numpy())}" for name, x in named)
        text = f"pd.DataFrame({{{columns}}}, index={rows})"
    try:
        again = eval(text, {"pd": pd, "np": np})
        same = value.equals(again) and repr(value.dtypes) == repr(again.dtypes)
    except Exception:  # noqa: BLE001 - a column of objects of the user
        return ""
    return text if same and index.equals(again.index) else ""


def _of_polars(value: Any) -> str:
    """A frame of plain columns; "" for all else."""
    pl: Any = sys.modules.get("polars")
    if pl is None or type(value) is not pl.DataFrame:
        return ""
    columns = ", ".join(
        f"pl.Series({literal(one.name)}, {_nested(one.to_list())}, dtype=pl.{one.dtype})"
        for one in value.get_columns()
    )
    text = f"pl.DataFrame([{columns}])"
    try:
        again = eval(text, {"pl": pl, "np": np, "datetime": datetime})
        same = value.equals(again, null_equal=True) and value.schema == again.schema
    except Exception:  # noqa: BLE001 - a type that takes arguments, or cells without a text
        return ""
    return text if same else ""


def _other(value: Any) -> str:
    """Plain values as they are, else bytes."""
    if value is None or type(value) in PLAIN or type(value) is datetime.date:
        return repr(value)
    try:
        return f"pickle.loads({pickle.dumps(value, PICKLED)!r})"
    except Exception:  # noqa: BLE001 - any error of a user's class
        return f"exit({f'write this data set here: {value!r}'!r})"


def _array(data: NDArray[Any]) -> str:
    kind = "" if data.dtype == np.float64 else f", dtype={data.dtype.str!r}"
    if data.dtype == object:
        kind = ", dtype=object"
    if data.size == 0:
        return f"np.zeros({data.shape}{kind})"
    if data.ndim == 0 or data.dtype.kind not in "fiu":
        return f"np.array({_nested(data.tolist())}{kind})"
    lengths = [len(list(run)) for _, run in groupby(record.tobytes() for record in data)]
    starts = np.cumsum([0, *lengths[:-1]])
    values = f"np.array({_nested(data[starts].tolist())}{kind})"
    axis = ", axis=0" if data.ndim > 1 else ""
    return values if len(lengths) == len(data) else f"np.repeat({values}, {lengths}{axis})"


def _nested(value: Any) -> str:
    """Write nested lists without folding."""
    if type(value) is list:
        return "[" + ", ".join(map(_nested, value)) + "]"
    return literal(value)
