"""A data set as Python source, for the script that repeats a finding.

Everything is written as a constructor, and what is written is evaluated once and compared before
it is taken, so that a script holds the data set itself or says that it does not.
"""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import importlib
import math
import pathlib
import pickle
import struct
import uuid
import zoneinfo
from collections.abc import Callable
from contextlib import suppress
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.pairs.frame_source import STANDARD_MODULES, Unwritten, agreed, frame_source, standard
from audit.targets.tables.table_forms import given

MODULES = {
    "np": "numpy as np",
    "pd": "pandas as pd",
    "pl": "polars as pl",
    "pa": "pyarrow as pa",
    **{name: name for name in STANDARD_MODULES},
}
"""Modules that a literal may use, by their names in it."""

PLAIN = (
    bool,
    int,
    str,
    bytes,
    bytearray,
    range,
    slice,
    type(None),
    type(Ellipsis),
    type(NotImplemented),
)
"""Types whose text is their source."""

STANDARD = {
    datetime.date: "datetime",
    datetime.datetime: "datetime",
    datetime.time: "datetime",
    datetime.timedelta: "datetime",
    datetime.timezone: "datetime",
    zoneinfo.ZoneInfo: "zoneinfo",
    decimal.Decimal: "decimal",
    fractions.Fraction: "fractions",
    uuid.UUID: "uuid",
    pathlib.PurePosixPath: "pathlib",
    pathlib.PosixPath: "pathlib",
}
"""Types whose text is their source in a module, by that module."""

LEVELS = "lists of more than 100 levels"

QUIET = struct.pack("<d", math.nan)
"""Bits of the NaN that `np.nan` is: others are written by their bits."""

WANTING = (
    "this data set holds {what}, which has no text in Python: make it from the pair in the "
    "report's JSON (witness.data and witness.neighbor)"
)


def literal(value: Any) -> str:
    """Write a data set as Python; runs of equal records are folded.

    It evaluates to an equal value of the same kind under the imports of `imports_of`. Of a table it
    is what the target gets. What has no text is one sentence that stops the script and says where
    the data set stands.
    """
    try:
        return _source(given(value))
    except Unwritten as exc:
        return f"exit({WANTING.format(what=exc)!r})"


def key_text(value: Any) -> str:
    """A text that equal data sets have in common: their source, where they have one."""
    with suppress(Unwritten):
        return _source(given(value))
    with suppress(Exception):  # any error of a user's class
        return repr(pickle.dumps(value, 4))
    return repr(value)


def quoted(text: str) -> str:
    """A string as source, in double quotes where it can be."""
    source = repr(text)
    return f'"{source[1:-1]}"' if source[0] == "'" and '"' not in source else source


def imports_of(*literals: str) -> list[str]:
    """Lines that import what literals use, beyond numpy."""
    return [
        f"import {module}"
        for name, module in MODULES.items()
        if name != "np" and any(f"{name}." in text for text in literals)
    ]


def _source(value: Any, depth: int = 0) -> str:
    """The text of a value. Raises Unwritten, with what has none."""
    if depth > 100:
        raise Unwritten(LEVELS)

    def inner(part: Any) -> str:
        return _source(part, depth + 1)

    kind = type(value)
    if kind is np.ndarray:
        return _array(value, inner)
    if isinstance(value, np.generic):
        return _scalar(value, inner)
    if kind is float:
        return _float(value)
    if kind is complex:
        return f"complex({inner(value.real)}, {inner(value.imag)})"
    if kind in PLAIN:
        return repr(value)
    if kind in STANDARD:
        return _standard(value)
    if kind is list and len(value) > 1 and all(type(x) is float for x in value):
        return f"{_array(np.array(value), inner)}.tolist()"
    if kind is list:
        return "[" + ", ".join(map(inner, value)) + "]"
    if kind is tuple:
        return "(" + "".join(inner(x) + ", " for x in value) + ")"
    if kind is dict:
        return _mapping(value, inner)
    if kind in {set, frozenset}:
        return f"{kind.__name__}([{', '.join(sorted(map(inner, value)))}])"
    if kind is collections.OrderedDict or kind is collections.Counter:
        return f"collections.{kind.__name__}({_mapping(value, inner)})"
    if kind is collections.deque:
        return f"collections.deque({inner(list(value))}, maxlen={value.maxlen})"
    if isinstance(value, np.ma.MaskedArray) and kind is np.ma.MaskedArray:
        data, mask = inner(np.asarray(value.data)), inner(np.ma.getmaskarray(value))
        return f"np.ma.array({data}, mask={mask})"
    if isinstance(value, np.recarray) and kind is np.recarray:
        plain = value.view(np.dtype(value.dtype.descr), np.ndarray)
        return agreed(f"{inner(plain)}.view(np.recarray)", value, _names(), _same_bytes)
    return frame_source(value, inner)


def _mapping(value: Any, inner: Callable[[Any], str]) -> str:
    return "{" + ", ".join(f"{inner(k)}: {inner(v)}" for k, v in value.items()) + "}"


def _float(value: float) -> str:
    if math.isnan(value) and struct.pack("<d", value) != QUIET:
        (bits,) = struct.unpack("<Q", struct.pack("<d", value))
        return f"float(np.uint64({bits:#x}).view(np.float64))"
    if not math.isfinite(value):
        return {"nan": "np.nan", "inf": "np.inf", "-inf": "-np.inf"}[repr(value)]
    return repr(value)


def _standard(value: Any) -> str:
    """A value of the standard library: its text is checked, as a time zone may be of any class."""
    module = STANDARD[type(value)]
    text = repr(value)
    text = text if text.startswith(f"{module}.") else f"{module}.{text}"
    names = {name: importlib.import_module(name) for name in (module, "datetime", "zoneinfo")}
    return agreed(text, value, names, _same)


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and repr(one) == repr(other)


def _scalar(value: np.generic, inner: Callable[[Any], str]) -> str:
    """A number of numpy: by its text where that is exact, else out of an array."""
    if value.dtype.kind in "biufcSU" and not _is_long(value.dtype):
        text = f"np.{type(value).__name__}({inner(value.item())})"
        with suppress(Unwritten):
            return agreed(text, value, {"np": np}, _same_bytes)
    return f"{inner(np.array(value))}[()]"


def _is_long(dtype: np.dtype[Any]) -> bool:
    """Whether numbers are longer than those of Python."""
    return dtype in {np.dtype(np.longdouble), np.dtype(np.clongdouble)}


def _same_bytes(one: Any, other: Any) -> bool:
    return (
        type(one) is type(other) and one.dtype == other.dtype and one.tobytes() == other.tobytes()
    )


def _array(data: NDArray[Any], inner: Callable[[Any], str]) -> str:
    """An array, by its values; by its bytes where these have no text that is exact."""
    if data.dtype == object:
        return _objects(data, inner)
    text = ""
    with suppress(Unwritten):
        text = agreed(_values(data, inner), data, _names(), _same_array)
    if text:
        return text
    if data.dtype.hasobject:
        raise Unwritten.of(data)
    kind = _dtype(data.dtype)
    if data.dtype.kind == "f" and data.itemsize == 8:  # a NaN with bits of its own
        bits = _values(data.view(data.dtype.str.replace("f8", "u8")), inner)
        return agreed(f"{bits}.view({kind})", data, _names(), _same_array)
    shape = "" if data.ndim == 1 else f".reshape({data.shape})"
    text = f"np.frombuffer({data.tobytes()!r}, dtype={kind}){shape}.copy()"
    return agreed(text, data, _names(), _same_array)


def _names() -> dict[str, Any]:
    return {"np": np, **standard()}


def _same_array(one: Any, other: Any) -> bool:
    alike = type(one) is np.ndarray and one.dtype == other.dtype and one.shape == other.shape
    if not alike or not other.dtype.hasobject:
        return alike and one.tobytes() == other.tobytes()
    return repr(one.tolist()) == repr(other.tolist())


def _dtype(dtype: np.dtype[Any]) -> str:
    return repr(dtype.str) if dtype.names is None else f"np.{dtype!r}"


def _objects(data: NDArray[Any], inner: Callable[[Any], str]) -> str:
    """An array of objects, one by one: numpy would read lists among them as dimensions."""
    flat = [inner(x) for x in data.ravel()]
    if not data.size:
        return f"np.empty({data.shape}, dtype=object)"
    if all(np.ndim(x) == 0 for x in data.flat if not isinstance(x, str)) and data.ndim == 1:
        return f"np.array([{', '.join(flat)}], dtype=object)"
    shape = "" if data.ndim == 1 else f".reshape({data.shape})"
    return f"np.fromiter([{', '.join(flat)}], dtype=object, count={data.size}){shape}"


def _values(data: NDArray[Any], inner: Callable[[Any], str]) -> str:
    """The text of an array of numbers, texts, times or structures."""
    kind = (
        "" if data.dtype == np.float64 and data.dtype.isnative else f", dtype={_dtype(data.dtype)}"
    )
    if data.size == 0:
        return f"np.array([]{kind})" if data.shape == (0,) else f"np.zeros({data.shape}{kind})"
    if data.ndim == 0 or data.dtype.kind not in "fiu":
        return f"np.array({_nested(_listed(data), inner)}{kind})"
    lengths = [len(list(run)) for _, run in groupby(record.tobytes() for record in data)]
    starts = np.cumsum([0, *lengths[:-1]])
    values = f"np.array({_nested(_listed(data[starts]), inner)}{kind})"
    axis = ", axis=0" if data.ndim > 1 else ""
    return values if len(lengths) == len(data) else f"np.repeat({values}, {lengths}{axis})"


def _listed(data: NDArray[Any]) -> Any:
    """Nested lists of values that numpy reads back: times are texts, long numbers their digits."""
    if data.dtype.kind == "M":
        return np.datetime_as_string(data).tolist()
    if data.dtype.kind == "m":
        return np.where(np.isnat(data), "NaT", data.astype(np.int64).astype(str)).tolist()
    if _is_long(data.dtype):
        return data.astype(str).tolist()
    return data.tolist()


def _nested(value: Any, inner: Callable[[Any], str]) -> str:
    """Write nested lists without folding."""
    if type(value) is list:
        return "[" + ", ".join(_nested(x, inner) for x in value) + "]"
    return inner(value)
