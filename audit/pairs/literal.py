"""A data set as Python source, for the script that repeats a finding."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["literal"]


def literal(value: Any) -> str:
    """Write a data set as Python; runs of equal records are folded.

    Plain values, arrays, and lists, tuples and dictionaries of them evaluate to an equal value of
    the same kind, with numpy imported as `np`; anything else is its `repr`.
    """
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, np.generic):
        return f"np.{type(value).__name__}({literal(value.item())})"
    if isinstance(value, float) and not math.isfinite(value):
        return {"nan": "np.nan", "inf": "np.inf", "-inf": "-np.inf"}[repr(value)]
    if type(value) is list and len(value) > 1 and all(type(x) is float for x in value):
        return f"{_array(np.array(value))}.tolist()"
    if type(value) is list:
        return "[" + ", ".join(map(literal, value)) + "]"
    if type(value) is tuple:
        return "(" + "".join(literal(x) + ", " for x in value) + ")"
    if type(value) is dict:
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    return repr(value)


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
