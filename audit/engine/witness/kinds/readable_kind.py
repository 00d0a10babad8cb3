"""What a kind of event is: a set of outputs in words, in Python, as values for JSON, and as code.

The four mean the same set, on any output: a missing coordinate, a NaN, an infinity, a name or an
exception is in the event or not, and all of them say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Outcomes

__all__ = ["Plain", "Readable", "Stated", "numeric_columns", "place_of"]

Plain: TypeAlias = "str | float | int | bool | Sequence[Plain] | dict[str, Plain] | None"
"""A value that JSON has."""

Stated: TypeAlias = dict[str, Plain]
"""An event as values: its kind, and what it is made of."""


class Readable(Protocol):
    """An event that a sentence says."""

    @property
    def pieces(self) -> int:
        """How many things the sentence names: intervals, values, remainders, coordinates."""
        ...

    @property
    def ends(self) -> tuple[float, ...]:
        """Numbers that may be rounded; empty where none may."""
        ...

    def with_ends(self, ends: Sequence[float]) -> Readable:
        """The same with other numbers."""
        ...

    def holds(self, outcomes: Outcomes) -> NDArray[np.bool_]:
        """Whether each encoded draw is in it, shape (n,)."""
        ...

    def describe(self) -> tuple[str, str]:
        """A sentence, and a Python expression in the output `z` (names of `audit.scripts`)."""
        ...

    def as_json(self) -> Stated:
        """The same as values; infinite ends are null."""
        ...


def place_of(coordinate: int | str | None) -> str:
    """How a function of one output is called for a coordinate."""
    return "z" if coordinate is None else f"z, {coordinate!r}"


def numeric_columns(
    columns: Sequence[tuple[str, int | str | None]], arms: Sequence[Outcomes], most: int
) -> list[int]:
    """The first columns with two numbers or more, at most so many; the form is none of them."""
    found = [
        column
        for column, (name, _) in enumerate(columns)
        if name != "form" and _distinct(arms, column)
    ]
    return found[:most]


def _distinct(arms: Sequence[Outcomes], column: int) -> bool:
    values = np.concatenate([arm.numbers[:, column] for arm in arms])
    values = values[np.isfinite(values)]
    return bool(values.size and (values != values[0]).any())
