"""Which zero, and which NaN: outputs that compare alike and are different doubles.

IEEE arithmetic has two zeros and 2^53 - 2 NaNs. Comparisons and quantiles do not tell them apart;
whoever reads the bytes of a release does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.draws.output_words import COMMON_MULTIPLE, NO_DETAIL, nan_words
from audit.engine.partitions.float_lattice import FEATURE, MOST_COLUMNS, READS

__all__ = ["ZerosAndNans"]

REST, ZERO, MINUS_ZERO, FIRST_NAN = 0, 1, 2, 3
MOST_NANS = 16
STANDARD = 0x7FF8 << 48
"""Bits of the NaN that most programs have, with either sign."""


@final
@dataclass(frozen=True, slots=True)
class ZerosAndNans:
    """Cells: all else, 0, -0, each of the frequent NaNs, and every other NaN.

    Parameters
    ----------
    column, name, coordinate
        The column.
    nans : tuple of int
        Bits of the NaNs that have a cell, as signed integers, ascending.
    """

    column: int
    name: str
    coordinate: int | str | None
    nans: tuple[int, ...]
    ordered: ClassVar[int] = 0
    feature: ClassVar[str] = FEATURE
    supervised: ClassVar[bool] = False
    reads: ClassVar[int] = READS

    @classmethod
    def fit_columns(
        cls, encoder: Encoder, arm: Outcomes, other_arm: Outcomes
    ) -> Sequence[ZerosAndNans]:
        """One for each of the first columns with a -0, or a NaN that is not the standard one."""
        found = []
        for column, (name, coordinate) in enumerate(encoder.columns[:MOST_COLUMNS]):
            if name == "form":
                continue
            arms = (arm, other_arm)
            nans = _frequent([bits for a in arms for bits in _nan_bits(a, column).tolist()])
            if set(nans) - {STANDARD} or any(_minus_zero(a, column).any() for a in arms):
                found.append(cls(column, name, coordinate, nans))
        return found

    @property
    def size(self) -> int:
        """Number of cells."""
        return FIRST_NAN + len(self.nans) + 1

    @property
    def ordinary(self) -> NDArray[np.bool_]:
        """All else and 0, shape (K,): a -0 or a NaN says more than that there is none."""
        return np.arange(self.size) < MINUS_ZERO

    def codes(self, outcomes: Outcomes) -> NDArray[np.intp]:
        """Cell of each draw."""
        values = outcomes.numbers[:, self.column]
        cells = np.where(values == 0, ZERO, REST)
        cells[_minus_zero(outcomes, self.column)] = MINUS_ZERO
        if outcomes.details is not None:
            details = outcomes.details[:, self.column]
            is_nan = _are_nans(details)
            cells[is_nan] = self.size - 1
            for place, bits in enumerate(self.nans):
                cells[details == bits] = FIRST_NAN + place
        return cells.astype(np.intp, copy=False)

    def describe(self, cells: NDArray[np.bool_]) -> tuple[str, str]:
        """A set of cells in words; the expression lists their names."""
        place = "" if self.coordinate is None else f", {self.coordinate!r}"
        which = f"representation(z{place})"
        known = ["", "0", "-0", *map(nan_words, self.nans)]
        chosen = [word for word, c in zip(known, cells, strict=False) if c]
        words = [f"{self.name} is {word}" for word in chosen if word]
        if cells[REST]:
            words.append(f"{self.name} is neither 0 nor NaN")
        tests = []
        if chosen:
            tests.append(
                f"{which} == {chosen[0]!r}" if len(chosen) == 1 else f"{which} in {chosen!r}"
            )
        if cells[-1]:
            words.append(f"{self.name} is {'another ' if self.nans else ''}NaN")
            tests.append(f"{which} not in {known!r}")
        return " or ".join(words) or "never", " or ".join(tests) or "False"


def _minus_zero(outcomes: Outcomes, column: int) -> NDArray[np.bool_]:
    values = outcomes.numbers[:, column]
    return np.asarray((values == 0) & np.signbit(values))


def _are_nans(details: NDArray[np.int64]) -> NDArray[np.bool_]:
    return np.asarray((details != NO_DETAIL) & ((details < 0) | (details >= COMMON_MULTIPLE)))


def _nan_bits(outcomes: Outcomes, column: int) -> NDArray[np.int64]:
    if outcomes.details is None:
        return np.empty(0, dtype=np.int64)
    details = outcomes.details[:, column]
    return details[_are_nans(details)]


def _frequent(bits: list[int]) -> tuple[int, ...]:
    """The most frequent NaNs, ascending."""
    distinct, counts = np.unique(np.array(bits, dtype=np.int64), return_counts=True)
    most = np.sort(np.argsort(-counts, kind="stable")[:MOST_NANS])
    return tuple(distinct[most].tolist())
