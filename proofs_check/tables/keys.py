"""Keys of a table: numbers with a range, integers, words, and vectors in one line of text.

A vector is a list of numbers written in runs: "0.1*10 1*10" is ten times 0.1 and ten times 1, and
a part may be a grid such as 0.01:1:lin:100. Several vectors are separated by semicolons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, final

from mechanisms.errors import InvalidArgument
from mechanisms.validation import exact
from proofs_check.tables.grid import MOST_POINTS, read_grid
from proofs_check.tables.rounding import text_of

__all__ = ["Key", "NumberKey", "VectorKey", "WordKey", "vector_text"]

LONGEST_VECTOR = 1_000_000
"""Numbers of a vector."""

SHORTEST_STEPS = 5
"""Single numbers at equal steps that are written as a grid."""


@final
@dataclass(frozen=True, slots=True)
class NumberKey:
    """A parameter with a range.

    Parameters
    ----------
    name : str
        Header of its column, and option of the command line.
    says : str
        What it is.
    above, at_least, at_most : Fraction, int or None
        Its range; `above` is strict.
    whole : bool
        Whether it is an integer.
    unit : str
        Of its numbers.
    """

    name: str
    says: str
    above: Fraction | int | None = None
    at_least: Fraction | int | None = None
    at_most: Fraction | int | None = None
    whole: bool = False
    unit: str = "1"

    def read(self, text: str) -> Fraction:
        """Read one value.

        Raises
        ------
        InvalidArgument
            If it is no number, or outside the range.
        """
        return self._checked(exact(text, self.name), text)

    def grid(self, text: str) -> tuple[Fraction, ...]:
        """Read a grid of values."""
        return tuple(self._checked(value, text_of(value)) for value in read_grid(text, self.name))

    def text(self, value: Any) -> str:
        """Write a value."""
        return text_of(value)

    def _checked(self, value: Fraction, shown: str) -> Fraction:
        low = "" if self.above is None else f"greater than {self.above}"
        if self.at_least is not None:
            low = f"at least {self.at_least}"
        high = "" if self.at_most is None else f"at most {self.at_most}"
        fits = (
            (self.above is None or value > self.above)
            and (self.at_least is None or value >= self.at_least)
            and (self.at_most is None or value <= self.at_most)
            and not (self.whole and value.denominator != 1)
        )
        if not fits:
            kind = "an integer" if self.whole else "a number"
            limits = " and ".join(filter(None, (low, high)))
            msg = f"{self.name} must be {kind} {limits}, got {self.name}={shown}"
            raise InvalidArgument(msg)
        return value


@final
@dataclass(frozen=True, slots=True)
class VectorKey:
    """A list of numbers whose order does not matter: a budget for each user, or the records.

    Parameters
    ----------
    name, says : str
        As of a number.
    positive : bool
        Whether all must be greater than 0.
    unit : str
        Of its numbers.
    """

    name: str
    says: str
    positive: bool = False
    unit: str = "1"

    def read(self, text: str) -> tuple[Fraction, ...]:
        """Read one vector, ascending.

        Raises
        ------
        InvalidArgument
            If it is empty, too long, or a part of it is no number or not positive.
        """
        values: list[Fraction] = []
        for part in text.split():
            number, star, times = part.partition("*")
            if star and not (times.isdecimal() and 1 <= int(times) <= LONGEST_VECTOR):
                msg = f"a part of {self.name} must be VALUE, VALUE*TIMES or a grid, got {part!r}"
                raise InvalidArgument(msg)
            grid = [exact(number, self.name)] if star else read_grid(part, self.name)
            values += list(grid) * (int(times) if star else 1)
        if not 1 <= len(values) <= LONGEST_VECTOR:
            msg = f"{self.name} must have 1 to {LONGEST_VECTOR} numbers, got {len(values)}"
            raise InvalidArgument(msg)
        if self.positive and min(values) <= 0:
            msg = f"{self.name} must be greater than 0, got {text_of(min(values))}"
            raise InvalidArgument(msg)
        return tuple(sorted(values))

    def grid(self, text: str) -> tuple[tuple[Fraction, ...], ...]:
        """Read vectors separated by semicolons."""
        return tuple(self.read(part) for part in text.split(";"))

    def text(self, value: Iterable[Fraction]) -> str:
        """Write a vector in runs."""
        return vector_text(value)


@final
@dataclass(frozen=True, slots=True)
class WordKey:
    """A parameter in words, such as a mechanism or a relation.

    Parameters
    ----------
    name, says : str
        As of a number.
    check : callable
        Gives the words as the table writes them; raises InvalidArgument if they say nothing.
    unit : str
        Always "1".
    """

    name: str
    says: str
    check: Callable[[str], str]
    unit: str = "1"

    def read(self, text: str) -> str:
        """Read one value.

        Raises
        ------
        InvalidArgument
            If the words say nothing.
        """
        return self.check(text)

    def grid(self, text: str) -> tuple[str, ...]:
        """Read values separated by semicolons."""
        return tuple(self.read(part.strip()) for part in text.split(";"))

    def text(self, value: Any) -> str:
        """Write a value."""
        return str(value)


Key = NumberKey | VectorKey | WordKey
"""Any key."""


def vector_text(values: Iterable[Fraction]) -> str:
    """Write numbers in runs, ascending; equal steps between single numbers as A:B:lin:K.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from proofs_check.tables.keys import vector_text
    >>> vector_text([Fraction(1), Fraction(1, 2), Fraction(1)])
    '0.5 1*2'
    >>> vector_text([Fraction(k, 10) for k in range(1, 9)])
    '0.1:0.8:lin:8'
    """
    runs = [(value, len(list(run))) for value, run in groupby(sorted(values))]
    parts, k = [], 0
    while k < len(runs):
        length = _steps(runs, k)
        if length >= SHORTEST_STEPS:
            first, last = (text_of(runs[j][0]) for j in (k, k + length - 1))
            parts.append(f"{first}:{last}:lin:{length}")
            k += length
            continue
        value, times = runs[k]
        parts.append(text_of(value) if times == 1 else f"{text_of(value)}*{times}")
        k += 1
    return " ".join(parts)


def _steps(runs: Sequence[tuple[Fraction, int]], start: int) -> int:
    """How many single numbers from `start` on lie at equal steps, at most as many as a grid has."""
    end = start
    while end < len(runs) and runs[end][1] == 1 and end - start < MOST_POINTS:
        if end - start >= 2:
            step = runs[start + 1][0] - runs[start][0]
            if runs[end][0] - runs[end - 1][0] != step:
                break
        end += 1
    return end - start
