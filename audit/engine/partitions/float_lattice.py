"""Floating-point lattices: which doubles an output can be.

A double is an odd multiple of 2^g. Noise drawn in double precision and added to a query value
lands on a lattice that depends on that value, so the lowest bit (feature 1), or sign, binade and
trailing zeros together (feature 2), tell two data sets apart. Both are finite partitions handed
to the same bettor: they can only find violations, never make one up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.draws.output_words import HIGHEST_EXPONENT, LOWEST_EXPONENT, MOST_BINADE, MOST_ZEROS
from audit.engine.partitions.doubles import Integers, cells_by_block
from audit.engine.partitions.line_pieces import MOST_PIECES_IN_WORDS, such_as

__all__ = ["LowestBit", "MantissaClass"]

FEATURE = "floating-point lattice"
EXPONENTS = HIGHEST_EXPONENT - LOWEST_EXPONENT + 1
BINADES = 2 * MOST_BINADE + 1
ZEROS = MOST_ZEROS + 1
MOST_COLUMNS = 16
MOST_CLASSES_IN_WORDS = 4

READS = 1_000_000
"""First draws of each arm that are looked at."""


def _is_fractional(encoder: Encoder, arms: Sequence[Outcomes], column: int) -> bool:
    """Whether a column holds fractions (the lattice of integers says nothing)."""
    if encoder.columns[column][0] == "form":
        return False
    values = np.concatenate([arm.numbers[:, column] for arm in arms])
    return bool((np.isfinite(values) & (values != np.floor(values))).any())


@final
@dataclass(frozen=True, slots=True)
class LowestBit:
    """Cells by the exponent g of the lowest set bit, clipped to [-80, 20]; a cell for the rest."""

    column: int
    name: str
    coordinate: int | str | None
    ordered: ClassVar[int] = EXPONENTS
    size: ClassVar[int] = EXPONENTS + 1
    """Exponents, and one cell for zero and whatever is no number."""
    feature: ClassVar[str] = FEATURE
    supervised: ClassVar[bool] = False
    reads: ClassVar[int] = READS

    @classmethod
    def fit_columns(
        cls, encoder: Encoder, arm: Outcomes, other_arm: Outcomes
    ) -> Sequence[LowestBit]:
        """One for each of the first `MOST_COLUMNS` columns that hold fractions."""
        fractional = (
            cls(column, name, coordinate)
            for column, (name, coordinate) in enumerate(encoder.columns)
            if _is_fractional(encoder, (arm, other_arm), column)
        )
        return list(islice(fractional, MOST_COLUMNS))

    def codes(self, outcomes: Outcomes) -> NDArray[np.intp]:
        """Cell of each draw."""

        def cells(binade: Integers, zeros: Integers, _: NDArray[np.float64]) -> Integers:
            exponent = np.clip(binade - 53 + zeros, LOWEST_EXPONENT, HIGHEST_EXPONENT)
            return np.asarray(exponent - LOWEST_EXPONENT)

        return cells_by_block(cells, outcomes.numbers[:, self.column], EXPONENTS)

    def describe(self, cells: NDArray[np.bool_]) -> tuple[str, str]:
        """A set of exponents in words."""
        exponents = (np.flatnonzero(cells[:EXPONENTS]) + LOWEST_EXPONENT).tolist()
        place = "" if self.coordinate is None else f", {self.coordinate!r}"
        bit = f"lowest_bit(z{place})"
        if not exponents:
            return f"{self.name} is 0 or no number", f"{bit} != {bit}"
        if exponents == list(range(LOWEST_EXPONENT, exponents[-1] + 1)):
            sentence = f"{self.name} has bits below 2^{exponents[-1] + 1}"
            expression = f"{bit} < {exponents[-1] + 1}"
        elif exponents == list(range(exponents[0], HIGHEST_EXPONENT + 1)):
            sentence = f"{self.name} is a multiple of 2^{exponents[0]} and not 0"
            expression = f"{bit} >= {exponents[0]}"
        else:
            which = f"in {exponents}"
            if len(exponents) > MOST_PIECES_IN_WORDS:
                which = such_as([str(g) for g in exponents], "exponents")
            sentence = f"the lowest bit of {self.name} is 2^g with g {which}"
            expression = f"{bit} in {exponents}"
        if cells[EXPONENTS]:
            sentence += f", or {self.name} is 0 or no number"
            expression = f"({expression} or {bit} != {bit})"
        return sentence, expression


@final
@dataclass(frozen=True, slots=True)
class MantissaClass:
    """Cells by sign, binade (clipped to [-40, 40]) and trailing zeros (at most 12)."""

    column: int
    name: str
    coordinate: int | str | None
    ordered: ClassVar[int] = 0
    size: ClassVar[int] = 2 * BINADES * ZEROS + 1
    """Classes, and one cell for zero and whatever is no number."""
    feature: ClassVar[str] = FEATURE
    supervised: ClassVar[bool] = False
    reads: ClassVar[int] = READS

    @classmethod
    def fit_columns(
        cls, encoder: Encoder, arm: Outcomes, other_arm: Outcomes
    ) -> Sequence[MantissaClass]:
        """One for each column that holds fractions."""
        return [
            cls(f.column, f.name, f.coordinate)
            for f in LowestBit.fit_columns(encoder, arm, other_arm)
        ]

    def codes(self, outcomes: Outcomes) -> NDArray[np.intp]:
        """Cell of each draw."""

        def cells(binade: Integers, zeros: Integers, values: NDArray[np.float64]) -> Integers:
            binade = np.clip(binade, -MOST_BINADE, MOST_BINADE) + MOST_BINADE
            return ((values > 0) * BINADES + binade) * ZEROS + np.minimum(zeros, MOST_ZEROS)

        return cells_by_block(cells, outcomes.numbers[:, self.column], self.size - 1)

    def describe(self, cells: NDArray[np.bool_]) -> tuple[str, str]:
        """A set of classes; the expression lists them."""
        place = "" if self.coordinate is None else f", {self.coordinate!r}"
        classes = [self._class(int(cell)) for cell in np.flatnonzero(cells[:-1])]
        members = {*classes, *([None] if cells[-1] else [])}
        which = f"one of {len(members)} classes"
        if len(members) <= MOST_CLASSES_IN_WORDS:
            which = f"in {sorted(members, key=repr)}"
        sentence = f"(sign, binade, trailing zero bits) of {self.name} is {which}"
        return sentence, f"lattice_class(z{place}) in {members!r}"

    def _class(self, cell: int) -> tuple[int, int, int]:
        rest, zeros = divmod(cell, ZEROS)
        positive, binade = divmod(rest, BINADES)
        return (1 if positive else -1), binade - MOST_BINADE, zeros
