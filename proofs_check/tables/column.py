"""A column of a table: what it shows, the claims it rests on, and how its numbers become decimals.

A cell is rounded from an enclosure. Where its digits are not certain the formula is evaluated again
with more bits, so a printed digit never depends on how a number was computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, final

from proofs_check.enclosure import Ball, Undecided
from proofs_check.tables.rounding import Number, nearest, nearest_place, outward, text_of

__all__ = ["BITS", "Column", "Point", "Rounding", "Value"]

BITS = (128, 256, 512)
"""Working precisions, tried one after the other."""

FEWEST_DIGITS = 3
"""A number on the border between two decimals gets fewer digits, down to these."""

Point = Mapping[str, Any]
"""Value of each key."""

Value = Number | str | None
"""What a column gives: a number, words, or None where its claims say nothing."""

Check = Callable[[Point, Mapping[str, str]], tuple[str, ...]]
"""Reads a stored row by header, and gives the texts that the column must have there."""


@final
class Rounding(Enum):
    """What the decimals of a column are."""

    EXACT = "exact"
    NEAREST = "correctly rounded"
    PLACE = "correctly rounded to a fixed decimal place"
    OUTWARD = "enclosure: two columns, rounded outward"
    WORDS = "in words"


@final
@dataclass(frozen=True, slots=True)
class Column:
    """A column of results.

    Parameters
    ----------
    name : str
        Its header; an enclosure has two, which end in " lower" and " upper".
    unit : str
        Of its numbers; "1" for a pure number.
    says : str
        What it is, in a sentence.
    claims : tuple of str
        Ids of the claims that it rests on.
    value : callable
        The number at a point and a working precision in bits; None where no claim applies.
    rounding : Rounding
        What its decimals are.
    digits : int
        Significant digits; of a fixed decimal place, the digits behind the point.
    check : callable, optional
        How a stored cell is checked, where that needs less than to evaluate it again, or where
        another evaluation may come as near with other digits.
    """

    name: str
    unit: str
    says: str
    claims: tuple[str, ...]
    value: Callable[[Point, int], Value]
    rounding: Rounding = Rounding.NEAREST
    digits: int = 15
    check: Check | None = None

    @property
    def headers(self) -> tuple[str, ...]:
        """Headers of its columns in a file."""
        if self.rounding is Rounding.OUTWARD:
            return f"{self.name} lower", f"{self.name} upper"
        return (self.name,)

    def rounded(self, point: Point, digits: int) -> tuple[str, ...]:
        """Decimals at a point: with more and more bits, then with fewer and fewer digits.

        Raises
        ------
        Undecided
            If no digit is certain.
        """
        value: Value = None
        found = False
        for bits in BITS:
            try:
                value = self.value(point, bits)
                found = True
                return self._written(value, digits)
            except Undecided:
                continue
        fewest = min(digits, FEWEST_DIGITS) if self.rounding is Rounding.NEAREST else digits
        for fewer in range(digits - 1, fewest - 1, -1) if found else ():
            try:
                return self._written(value, fewer)
            except Undecided:
                continue
        msg = f"no digit of {self.name} is certain"
        raise Undecided(msg)

    def _written(self, value: Value, digits: int) -> tuple[str, ...]:
        """Write a value as the column asks, with some digits."""
        if value is None:
            return ("",) * len(self.headers)
        if isinstance(value, str):
            assert self.rounding is Rounding.WORDS
            return (value,)
        match self.rounding:
            case Rounding.WORDS:
                msg = f"{self.name} is in words"
                raise TypeError(msg)
            case Rounding.EXACT:
                assert not isinstance(value, Ball)
                return (text_of(value),)
            case Rounding.NEAREST:
                return (nearest(value, digits),)
            case Rounding.PLACE:
                return (nearest_place(value, -digits),)
            case Rounding.OUTWARD:
                return outward(value, digits)
