"""Nodes and arrays to values; nothing that a file says is called."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, is_dataclass
from datetime import date
from enum import Enum
from fractions import Fraction
from io import BufferedIOBase
from typing import Any, final

import numpy as np

from audit.engine.archive.classes import class_named
from audit.engine.archive.kinds import fits, kinds_of
from audit.engine.archive.writer import PLAIN_DTYPES

__all__ = ["Foreign", "read"]

MOST_DIMENSIONS = 32
"""Of an array: what every numpy allows."""

MOST_VALUES = 10**7
"""Values of a saved run, each counted as often as it is referred to: a list of a list of a list may
be short as nodes, and endless for who goes through it. The runs of `tests/cli/test_long_runs.py`
have less than 10^5."""

MOST_DIGITS = 2**15
"""Hexadecimal digits of a number: the greatest common divisor of a fraction of twice so many takes
10 ms."""


class Foreign(ValueError):
    """What was read is no saved run, or one of other classes."""


def read(document: Any, arrays: BufferedIOBase, length: int) -> Any:
    """Read a value.

    Parameters
    ----------
    document : object
        What the line of JSON says.
    arrays : binary file
        At the arrays.
    length : int
        Bytes of all of them: nothing that the document says makes more memory be asked for.

    Raises
    ------
    Foreign
        If this is not what `write` writes.
    """
    values = _Values(arrays, length)
    match document:
        case [list() as nodes, root]:
            for node in nodes:
                values.add(node)
            found = values.get(root)
        case _:
            msg = "no list of nodes"
            raise Foreign(msg)
    if values.left:
        msg = "arrays that belong to nothing"
        raise Foreign(msg)
    return found


@final
@dataclass(slots=True)
class _Values:
    arrays: BufferedIOBase
    left: int
    """Bytes of arrays that are still to come."""
    built: list[Any] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    """Values in each of the built."""
    size: int = 0
    """Values in what is being built."""

    def add(self, node: Any) -> None:
        """Build the value of a node."""
        self.size = 1
        self.built.append(self._build(node))
        self.sizes.append(self.size)

    def get(self, said: Any) -> Any:
        """The value that stands for itself, or for an earlier node."""
        match said:
            case None | bool() | str() | int() | float():
                self.size += 1
                return said
            case [int(place)] if 0 <= place < len(self.built):
                self.size += self.sizes[place]
                if self.size <= MOST_VALUES:
                    return self.built[place]
        msg = "a reference to nothing, or to too much"
        raise Foreign(msg)

    def _build(self, node: Any) -> Any:
        match node:
            case [str(kind), *parts] if kind in _BUILDERS:
                try:
                    return _BUILDERS[kind](self, *parts)
                except Foreign:
                    raise
                except (TypeError, ValueError, LookupError, ArithmeticError) as exc:
                    msg = f"a damaged node of kind {kind!r}"
                    raise Foreign(msg) from exc
        msg = "a node of no known kind"
        raise Foreign(msg)

    def items(self, *parts: Any) -> list[Any]:
        """The values of a collection."""
        return [self.get(part) for part in parts]

    def pairs(self, *parts: Any) -> dict[Any, Any]:
        """Keys and values."""
        values = self.items(*parts)
        return dict(zip(values[::2], values[1::2], strict=True))

    def array(self, dtype: str, order: str, shape: list[int]) -> Any:
        """The next numbers among the bytes."""
        kind = _plain(dtype)
        whole = order in {"C", "F"} and all(type(n) is int and n >= 0 for n in shape)
        length = math.prod(shape) * kind.itemsize
        if not whole or len(shape) > MOST_DIMENSIONS or length > self.left:
            msg = "an array that is not there"
            raise Foreign(msg)
        content = bytearray(length)
        if self.arrays.readinto(content) != length:
            msg = "an array that is cut short"
            raise Foreign(msg)
        self.left -= length
        return np.ndarray(shape, kind, content, order="F" if order == "F" else "C")

    def record(self, name: str, told: Mapping[str, Any]) -> Any:
        """An instance of one of our classes, field by field, without its constructor."""
        found = class_named(name)
        if found is None or not is_dataclass(found):
            msg = f"the unknown class {name!r}"
            raise Foreign(msg)
        kinds = kinds_of(found)
        if told.keys() != kinds.keys():
            msg = f"other fields of {name}"
            raise Foreign(msg)
        made = object.__new__(found)
        for key, kind in kinds.items():
            value = self.get(told[key])
            if not fits(value, kind):
                msg = f"{name}.{key} of another kind"
                raise Foreign(msg)
            object.__setattr__(made, key, value)
        return made


def _enum(_: _Values, name: str, member: str) -> Any:
    found = class_named(name)
    if found is None or not issubclass(found, Enum):
        msg = f"the unknown enumeration {name!r}"
        raise Foreign(msg)
    return found[member]


def _plain(dtype: str) -> np.dtype[Any]:
    found = np.dtype(dtype)
    if found.kind not in PLAIN_DTYPES or found.str != dtype or not found.itemsize:
        msg = "an array of no plain numbers"
        raise Foreign(msg)
    return found


def _hexadecimal(text: str) -> int:
    if len(text) > MOST_DIGITS:
        msg = "a number of too many digits"
        raise Foreign(msg)
    return int(text, 16)


_BUILDERS: Mapping[str, Callable[..., Any]] = {
    "list": _Values.items,
    "tuple": lambda values, *parts: tuple(values.items(*parts)),
    "set": lambda values, *parts: set(values.items(*parts)),
    "frozenset": lambda values, *parts: frozenset(values.items(*parts)),
    "dict": _Values.pairs,
    "float": lambda _, text: {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[text],
    "int": lambda _, text: _hexadecimal(text),
    "fraction": lambda _, top, bottom: Fraction(_hexadecimal(top), _hexadecimal(bottom)),
    "text": lambda _, text: bytes.fromhex(text).decode("utf-8", "surrogatepass"),
    "bytes": lambda _, text: bytes.fromhex(text),
    "date": lambda _, text: date.fromisoformat(text),
    "scalar": lambda _, dtype, text: np.frombuffer(bytes.fromhex(text), _plain(dtype), 1)[0],
    "array": _Values.array,
    "record": _Values.record,
    "enum": _enum,
}
