"""Values to nodes and arrays."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date
from enum import Enum
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.engine.archive.classes import name_of

__all__ = ["LARGEST_INLINE", "PLAIN_DTYPES", "CannotBeKept", "write"]

LARGEST_INLINE = 2**63
"""Integers below it are JSON numbers; larger ones are hexadecimal text, which has no limit."""

PLAIN_DTYPES = "biufUS"
"""Kinds of arrays whose bytes are their values: no objects."""


class CannotBeKept(TypeError):
    """A value of a class that no saved run has."""


def write(value: Any, put: Callable[[bytes], object]) -> None:
    """Write a value.

    Parameters
    ----------
    value : object
        Of plain classes, and those of `audit.engine.archive.classes`.
    put : callable
        Takes the parts of the text, in order: a line of JSON, then the arrays.

    Raises
    ------
    CannotBeKept
        For anything else; nothing has been put then.
    """
    nodes = _NodeWriter()
    root = nodes.add(value)
    put(json.dumps([nodes.written, root], allow_nan=False).encode() + b"\n")
    for array in nodes.arrays:
        put(array.tobytes("A"))


@final
@dataclass(slots=True)
class _NodeWriter:
    written: list[Any] = field(default_factory=list)
    arrays: list[NDArray[Any]] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)
    """Where a value was written, by its identity."""
    kept: list[Any] = field(default_factory=list)
    """Values that were written: an identity belongs to them only as long as they live."""

    def add(self, value: Any) -> Any:
        """Write a value, and return what stands for it: itself, or its node's place in a list."""
        if value is None or type(value) is bool:
            return value
        if type(value) is str and value.isascii():
            return value
        if type(value) is int and abs(value) < LARGEST_INLINE:
            return value
        if type(value) is float and math.isfinite(value):
            return value
        if id(value) not in self.places:
            node = self._node(value)
            self.places[id(value)] = len(self.written)
            self.kept.append(value)
            self.written.append(node)
        return [self.places[id(value)]]

    def _node(self, value: Any) -> list[Any]:
        kind = type(value)
        name = name_of(kind)
        if name is not None:
            if isinstance(value, Enum):
                return ["enum", name, value.name]
            told = {f.name: self.add(getattr(value, f.name)) for f in fields(value)}
            return ["record", name, told]
        if kind in {list, tuple, set, frozenset}:
            return [kind.__name__, *map(self.add, value)]
        if kind is dict:
            return ["dict", *(self.add(part) for item in value.items() for part in item)]
        if kind is float:
            return ["float", str(value)]
        if kind is int:
            return ["int", f"{value:x}"]
        if kind is Fraction:
            return ["fraction", f"{value.numerator:x}", f"{value.denominator:x}"]
        if kind is str:  # half of a surrogate pair is no text that can be written
            return ["text", value.encode("utf-8", "surrogatepass").hex()]
        if kind is bytes:
            return ["bytes", value.hex()]
        if kind is date:
            return ["date", value.isoformat()]
        if isinstance(value, np.generic) and value.dtype.kind in PLAIN_DTYPES:
            return ["scalar", value.dtype.str, value.tobytes().hex()]
        if kind is np.ndarray and value.dtype.kind in PLAIN_DTYPES:
            return self._array(value)
        return _refuse(value)

    def _array(self, value: NDArray[Any]) -> list[Any]:
        """The order in memory is kept: sums over another order have other last digits."""
        by_columns = value.flags.f_contiguous and not value.flags.c_contiguous
        array = value if by_columns else np.ascontiguousarray(value).reshape(value.shape)
        self.arrays.append(array)
        return ["array", value.dtype.str, "F" if by_columns else "C", list(value.shape)]


def _refuse(value: Any) -> list[Any]:
    kind = type(value)
    words = "the dataclass" if is_dataclass(value) else "a value of type"
    if isinstance(value, Mapping):
        words = "a mapping of type"
    msg = f"{words} {kind.__module__}.{kind.__qualname__} cannot be kept in a file"
    raise CannotBeKept(msg)
