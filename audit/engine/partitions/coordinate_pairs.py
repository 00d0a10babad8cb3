"""Grids of two coordinates, whose cells are numbered along a Morton curve.

An exclusive-or of two coordinates, or a box of them, shows in neither by itself. The cell of a
draw is that of 2^b by 2^b quantile cells, its number the bits of both coordinates' cells
interleaved: halves of the cells, halves of these and so on cut the first coordinate, the second,
the first, as a k-d tree does, so a function that is learned along the order of the cells
(`experts.learned_ratios`) sees an exclusive-or at the second cut.

Of more than one pair the first half of the past chooses two: those in which the arms differ more
than in both coordinates by themselves, chi2 of the pair less the chi2 of each, on coarse cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.engine.partitions.column_table import ColumnTable
from audit.engine.partitions.halves import learned_part
from audit.engine.partitions.intervals import runs
from audit.engine.partitions.line_pieces import MOST_PIECES_IN_WORDS

__all__ = ["CoordinatePair"]

Array = NDArray[np.float64]
Cells = NDArray[np.intp]
Mask = NDArray[np.bool_]

MOST_COLUMNS = 24
MOST_CHOSEN = 2
MOST_ROWS = 10_000
"""Draws of each arm that the choice of the pairs reads."""

COARSE = 4
"""Quantile cells of a coordinate in the choice; its categories share as many more."""

FEW_BITS, MOST_BITS, MANY_DRAWS = 4, 5, 3_000
"""Of each coordinate's cells, below so many draws of each arm and from them on. Rows "box" and
"checker" of benchmarks/power.py lose nothing by more, at any number of draws, but time."""


@final
@dataclass(frozen=True, slots=True)
class CoordinatePair:
    """Partition by two coordinates.

    Parameters
    ----------
    tables : (ColumnTable, ColumnTable)
        Of both coordinates.
    places : (ndarray of int, ndarray of int)
        Of each cell of a table but the last its quantile cell, below 2^bits.
    bits : int
        b.
    supervised : bool
        Whether the first half of the past chose the pair among others.
    """

    tables: tuple[ColumnTable, ColumnTable]
    places: tuple[Cells, Cells]
    bits: int
    supervised: bool
    feature: ClassVar[str] = "value"
    reads: ClassVar[None] = None

    @classmethod
    def fit_columns(
        cls, encoder: Encoder, arm: Outcomes, other_arm: Outcomes
    ) -> Sequence[CoordinatePair]:
        """The pairs that tell most beyond their coordinates; where there is only one, that one."""
        if encoder.width is None or encoder.width < 2:
            return []
        pairs = list(combinations(range(min(encoder.width, MOST_COLUMNS)), 2))
        chosen = pairs
        if len(pairs) > 1:
            half = [learned_part(a)[slice(MOST_ROWS)] for a in (arm, other_arm)]
            beyond = _beyond_coordinates(half, min(encoder.width, MOST_COLUMNS))
            ranked = sorted(pairs, key=lambda pair: -beyond[pair])[:MOST_CHOSEN]
            chosen = [pair for pair in ranked if beyond[pair] > 0]
        bits = FEW_BITS if len(arm) < MANY_DRAWS else MOST_BITS
        pooled = Outcomes.concatenate([arm, other_arm])
        columns = {column for pair in chosen for column in pair}
        fits = {column: _fit(encoder, pooled, column, bits) for column in sorted(columns)}
        return [
            cls(
                (fits[first][0], fits[second][0]),
                (fits[first][1], fits[second][1]),
                bits,
                len(pairs) > 1,
            )
            for first, second in chosen
        ]

    @property
    def size(self) -> int:
        """The quantile cells, and one where a coordinate is nothing that was seen."""
        return self.ordered + 1

    @property
    def ordered(self) -> int:
        """All but the last: neighbors along the curve lie near each other."""
        return int(4**self.bits)

    @property
    def trees(self) -> tuple[Cells, ...]:
        """One more tree of the cells: places on the curve of a grid that is shifted by a third.

        A box that the halves of one grid cut through lies within a few cells of about its size of
        the other ("one-third trick"). Row "box" of benchmarks/power.py takes fewer draws by it.
        """
        side = 2**self.bits
        shifted = _spread(np.arange(side) + round(side / 3))
        grid = (2 * shifted[:, None] + shifted).ravel()
        own = (2 * _spread(np.arange(side))[:, None] + _spread(np.arange(side))).ravel()
        places = np.empty_like(grid)
        places[own] = grid
        return (places,)

    def codes(self, outcomes: Outcomes) -> Cells:
        """Cell of each draw."""
        first, second = (
            np.append(_spread(places), self.ordered)[table.codes(outcomes)]
            for table, places in zip(self.tables, self.places, strict=True)
        )
        return np.asarray(np.minimum(2 * first + second, self.ordered))

    def describe(self, cells: Mask) -> tuple[str, str]:
        """A set of cells as a union of rectangles."""
        side = np.arange(2**self.bits)
        grid = cells[2 * _spread(side)[:, None] + _spread(side)]
        pieces = [self._rectangle(*sides) for sides in _rectangles(grid)]
        if cells[-1]:
            unseen = [
                table.describe(np.arange(table.size) == table.size - 1) for table in self.tables
            ]
            pieces.append((" or ".join(w for w, _ in unseen), " or ".join(e for _, e in unseen)))
        if not pieces:
            return "never", "False"
        words = " or ".join(word for word, _ in pieces)
        if len(pieces) > MOST_PIECES_IN_WORDS:
            names = " and ".join(table.name for table in self.tables)
            words = f"({names}) in one of {len(pieces)} rectangles, such as {pieces[0][0]}"
        return words, " or ".join(f"({expression})" for _, expression in pieces)

    def _rectangle(self, *sides: Mask) -> tuple[str, str]:
        """Sets of places of both coordinates, joined by "and"; what holds of all is left out."""
        words, tests = [], []
        for table, places, side in zip(self.tables, self.places, sides, strict=True):
            sentence, expression = table.describe(np.append(side[places], False))
            tests.append(f"({expression})")
            if not side[places].all():
                is_one = " or " not in sentence and " and " not in sentence
                words.append(sentence if is_one else f"({sentence})")
        both = " and ".join(table.name for table in self.tables)
        return " and ".join(words) or f"{both} are of a known kind", " and ".join(tests)


def _spread(places: Cells) -> Cells:
    """A zero bit before each bit."""
    spread = np.zeros_like(places)
    for bit in range(MOST_BITS + 1):
        spread |= (places >> bit & 1) << 2 * bit
    return spread


def _rectangles(grid: Mask) -> list[tuple[Mask, Mask]]:
    """Rows and columns of rectangles that make up a set: equal runs of neighbors together."""
    side = len(grid)
    found: list[tuple[Mask, Mask]] = []
    for run in sorted({run for row in grid for run in runs(row)}):
        columns = (np.arange(side) >= run[0]) & (np.arange(side) <= run[1])
        has_run = np.array([run in runs(row) for row in grid])
        for first, last in runs(has_run):
            found.append(((np.arange(side) >= first) & (np.arange(side) <= last), columns))
    return found


def _fit(encoder: Encoder, pooled: Outcomes, column: int, bits: int) -> tuple[ColumnTable, Cells]:
    """A table of one coordinate, and the quantile cell of each of its cells but the last."""
    table = ColumnTable.fit(encoder, pooled, column, quantiles=2**bits)
    counts = np.bincount(table.codes(pooled), minlength=table.size)[:-1]
    before = np.cumsum(counts) - counts / 2
    places = 2**bits * before / max(1, counts.sum())
    return table, np.minimum(places.astype(np.intp), 2**bits - 1)


def _beyond_coordinates(arms: Sequence[Outcomes], columns: int) -> Array:
    """By how much the chi2 of each pair exceeds its coordinates', over what chance brings."""
    designs, starts = _designs(arms, columns)
    tables = [(design.T @ design).astype(np.float64) for design in designs]
    total = tables[0] + tables[1]
    squares = np.where(total > 0, (tables[0] - tables[1]) ** 2 / np.maximum(total, 1), 0.0)

    def summed(cells: Array) -> Array:
        by_row = np.add.reduceat(cells, starts, axis=0)
        return np.asarray(np.add.reduceat(by_row, starts, axis=1))

    chi2, freedom = summed(squares), summed((total > 0).astype(np.float64)) - 1
    chi2 = chi2 - np.diag(chi2)[:, None] - np.diag(chi2)
    freedom = freedom - np.diag(freedom)[:, None] - np.diag(freedom)
    return np.asarray((chi2 - freedom) / np.sqrt(2 * np.maximum(freedom, 1)))


def _designs(arms: Sequence[Outcomes], columns: int) -> tuple[list[NDArray[np.float32]], Cells]:
    """Coarse cells of each draw, shape (n, all cells), and where each coordinate's begin."""
    numbers = np.concatenate([arm.numbers[:, :columns] for arm in arms])
    categories = np.concatenate([arm.categories[:, :columns] for arm in arms])
    rows = np.arange(len(numbers))
    blocks = []
    for column in range(columns):
        is_number = categories[:, column] == 0
        values = numbers[is_number, column]
        places = COARSE + categories[:, column] % COARSE
        if values.size:
            levels = np.quantile(values, np.arange(1, COARSE) / COARSE, method="lower")
            places[is_number] = np.searchsorted(np.unique(levels), values)
        cells, place = np.unique(places, return_inverse=True)
        block = np.zeros((len(rows), cells.size), dtype=np.float32)
        block[rows, place] = 1.0
        blocks.append(block)
    sizes = np.array([block.shape[1] for block in blocks])
    design = np.concatenate(blocks, axis=1)
    cut = len(arms[0])
    return [design[:cut], design[cut:]], np.cumsum(sizes) - sizes
