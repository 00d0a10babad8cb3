"""What a query answers, in types whose distances are known exactly.

A number is an int, a float or a Fraction, each of which is one rational number or none; a sequence
is a tuple, of whatever class it was, and so is an array; a dictionary is its sorted items. What has
no value that leaves its process (an object of a user's class) is refused: it would differ from its
own copy.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Set
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias, final

import numpy as np

from mechanisms.errors import InvalidArgument

Value: TypeAlias = Any
"""int, float, Fraction, str, bytes, None, a tuple of values, or `Keyed`."""

SILENT = "no answer in"
"""How the failure begins of a call that was given up (`audit.draws.supervisor`)."""

DEEPEST = 50
"""Nesting of an answer: a list that holds itself has no end."""

CONVERTED = ("tolist", "to_list", "to_numpy")
"""Methods of arrays, series and frames that give what is read here."""


@final
@dataclass(frozen=True, slots=True)
class Keyed:
    """A dictionary: its keys in order, and their values."""

    keys: tuple[Any, ...]
    values: tuple[Value, ...]


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one call."""

    value: Value
    """The answer; None where there is a failure."""
    failure: str = ""
    """Such as "raises ValueError", or how the process ended; "" where it answered."""
    member: bool = True
    """Whether the data set is of the domain that the query itself declares."""
    fits: bool = True
    """Whether the answer is of the domain of answers that it declares."""

    @property
    def is_silent(self) -> bool:
        """Whether it was given up: on a faster machine it may have answered."""
        return self.failure.startswith(SILENT)


class Said(str):
    """What is shown of a value, in its place: of a stored result no more is known."""

    __slots__ = ()


class Failure(Said):
    """A failure in words, in the place of an answer."""

    __slots__ = ()


def read_value(output: Any, depth: int = 0) -> Value:
    """Read an answer.

    Raises InvalidArgument if a part of it is of a class that has no value here.
    """
    if depth > DEEPEST:
        msg = f"an answer is nested deeper than {DEEPEST} levels"
        raise InvalidArgument(msg)
    match output:
        case None:
            return output
        case str():
            return str(output)  # numpy has a class of its own
        case bytes():
            return bytes(output)
        case np.bool_() | bool() | np.integer() | int():
            return int(output)
        case np.floating() | float() | Decimal():
            return _real(output)
        case Fraction():
            return output
        case Mapping():
            items = sorted(output.items(), key=lambda item: repr(item[0]))
            keys = tuple(read_value(key, depth + 1) for key, _ in items)
            return Keyed(keys, tuple(read_value(value, depth + 1) for _, value in items))
        case Set():
            return tuple(sorted((read_value(part, depth + 1) for part in output), key=repr))
        case list() | tuple():
            return tuple(read_value(part, depth + 1) for part in output)
        case np.ndarray() if output.dtype.kind == "f" and output.dtype.itemsize > 8:
            return read_value(list(output) if output.ndim else output[()], depth + 1)
    for name in CONVERTED:
        convert = getattr(output, name, None)
        if not isinstance(output, type) and callable(convert):
            made = convert()
            if type(made) is not type(output):
                return read_value(made, depth + 1)
    msg = (
        f"an answer holds an object of type {type(output).__name__}, whose distance from another "
        "one is not known; answer with numbers, texts, or lists, arrays and dictionaries of these"
    )
    raise InvalidArgument(msg)


def _real(number: Any) -> Value:
    """A number as a float where it is one exactly, as a fraction elsewhere; NaN and infinities."""
    if math.isnan(number):
        return math.nan
    if math.isinf(number):
        return math.inf if number > 0 else -math.inf
    exact = Fraction(*number.as_integer_ratio())
    double = float(number)
    return double if math.isfinite(double) and Fraction(double) == exact else exact


def is_float(value: Value) -> bool:
    """Whether an answer is of floating-point numbers alone."""
    match value:
        case tuple():
            return all(map(is_float, value))
        case Keyed(values=values):
            return all(map(is_float, values))
        case _:
            return isinstance(value, float)


def key_of(value: Value) -> Hashable:
    """What is equal for equal values: NaN is one value, and so are 0 and -0.0, 1 and 1.0."""
    match value:
        case float() if math.isnan(value):
            return ("nan",)
        case tuple():
            return tuple(map(key_of, value))
        case Keyed(keys=keys, values=values):
            return ("keyed", tuple(map(key_of, keys)), tuple(map(key_of, values)))
        case _:
            return value  # type: ignore[no-any-return]


def shape_of(value: Value) -> Hashable:
    """Lengths and keys at every depth: answers of two shapes are infinitely far apart."""
    match value:
        case tuple():
            if all(isinstance(part, int | float | Fraction) for part in value):
                return len(value)
            return tuple(map(shape_of, value))
        case Keyed(keys=keys, values=values):
            return ("keyed", tuple(map(key_of, keys)), tuple(map(shape_of, values)))
        case int() | float() | Fraction():
            return "number"
        case _:
            return type(value).__name__
