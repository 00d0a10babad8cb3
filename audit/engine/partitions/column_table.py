"""Quantile table of one column: quantiles, geometric tails, atoms, and categories.

Cells in order of the value: intervals between edges, and single values that repeat (atoms). The
edges are quantiles and the tails 2^-k at both ends of the pooled past, so that an event of any
size is some union of cells. Behind them one cell per category seen, and one for every other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import RARE, Encoder, Outcomes
from audit.draws.output_words import said
from audit.engine.partitions.edges import edges_and_atoms
from audit.engine.partitions.halves import learned_part
from audit.engine.partitions.intervals import End, describe_interval, runs
from audit.engine.partitions.line_pieces import MOST_PIECES_IN_WORDS, such_as
from audit.engine.partitions.locate import Locator
from audit.engine.partitions.shrinkage import signal_share

__all__ = ["ColumnTable"]

TELLING_COLUMNS = 2
MOST_ROWS = 20_000
"""Draws of each arm that the choice of coordinates reads."""


@final
@dataclass(frozen=True, slots=True)
class _Piece:
    """Some cells in words and as an expression."""

    words: str
    expression: str
    cells: slice


@final
@dataclass(frozen=True, slots=True)
class ColumnTable:
    """Partition of one column.

    Parameters
    ----------
    column : int
        Which column of the outcomes.
    name, number, kind : str
        How the column is called, and Python expressions of its value (NaN if it has none) and of
        its category (empty for a number).
    locate : Locator
        Breaks, ascending: m edges and atoms.
    at_break : ndarray of bool, shape (m,)
        True where the break is an atom with a cell of its own.
    cell_of_gap : ndarray of int, shape (2 m + 1,)
        Cell of the open gap before break i (entry 2 i) and of the break itself (2 i + 1).
    labels : tuple of str
        Category labels with a cell of their own.
    cell_of_category : ndarray of int
        Cell by category code; codes beyond its end are "other".
    supervised : bool
        Whether the first half of the past chose this column among others.
    """

    column: int
    name: str
    number: str
    kind: str
    locate: Locator
    at_break: NDArray[np.bool_]
    cell_of_gap: NDArray[np.intp]
    labels: tuple[str, ...]
    cell_of_category: NDArray[np.intp]
    supervised: bool = False
    feature: ClassVar[str] = "value"
    reads: ClassVar[None] = None

    @classmethod
    def fit_columns(
        cls, encoder: Encoder, arm: Outcomes, other_arm: Outcomes
    ) -> Sequence[ColumnTable]:
        """One table for a single-valued layout; else the form, and the most telling coordinates.

        The coordinates are chosen by the first half of the past.
        """
        arms = (arm, other_arm)
        form = len(encoder.columns) - 1
        half = [learned_part(a)[slice(MOST_ROWS)] for a in arms]
        pooled_half = Outcomes.concatenate(half)
        shares = []
        for column in range(form):
            table = cls.fit(encoder, pooled_half, column)
            counts = (np.bincount(table.codes(a), minlength=table.size) for a in half)
            shares.append(signal_share(*counts))
        best = [c for c in np.argsort(-np.array(shares), kind="stable") if shares[c] > 0]
        return [
            cls.fit(encoder, arms, form),
            *(
                replace(cls.fit(encoder, arms, int(column)), supervised=True)
                for column in best[:TELLING_COLUMNS]
            ),
        ]

    @classmethod
    def fit(
        cls,
        encoder: Encoder,
        draws: Outcomes | Sequence[Outcomes],
        column: int,
        *,
        quantiles: int | None = None,
    ) -> ColumnTable:
        """Fit to pooled draws; given as two arms, with edges at the extremes of either."""
        arms = (draws,) if isinstance(draws, Outcomes) else draws
        name, coordinate = encoder.columns[column]
        place = "z" if coordinate is None else f"z, {coordinate!r}"
        number, kind = f"number({place})", f"outcome({place})"
        if name == "form":
            number, kind = "float('nan')", "form(z)"
        seen = np.unique(np.concatenate([arm.categories[:, column] for arm in arms]))
        rare = encoder.labels.get(RARE)
        labels = {int(c): encoder.label(int(c)) for c in seen if c not in (0, rare)}
        return cls.fit_column(column, (name, number, kind), arms, labels, quantiles)

    @classmethod
    def fit_column(
        cls,
        column: int,
        names: tuple[str, str, str],
        arms: Sequence[Outcomes],
        labels: Mapping[int, str],
        quantiles: int | None = None,
    ) -> ColumnTable:
        """Fit to one column of any outcomes, with the labels of categories that have a cell."""
        of_arms = [arm.numbers[arm.categories[:, column] == 0, column] for arm in arms]
        values = np.sort(np.concatenate(of_arms))
        breaks, at_break = edges_and_atoms(values, of_arms if len(arms) > 1 else (), quantiles)
        # an edge closes its own gap (value <= edge); an atom opens a cell of its own
        starts = np.zeros(2 * breaks.size + 1, dtype=np.intp)
        starts[1:-1:2] = at_break
        starts[2::2] = 1
        cell_of_gap = np.cumsum(starts)
        ordered = int(cell_of_gap[-1]) + 1
        cell_of_category = np.full(max(labels, default=0) + 2, ordered + len(labels), np.intp)
        cell_of_category[list(labels)] = ordered + np.arange(len(labels))
        return cls(
            column,
            *names,
            Locator.fit(breaks, values),
            at_break,
            cell_of_gap,
            tuple(labels.values()),
            cell_of_category,
        )

    @property
    def breaks(self) -> NDArray[np.float64]:
        """Edges and atoms, ascending."""
        return self.locate.edges

    @property
    def ordered(self) -> int:
        """Number of cells of numbers."""
        return int(self.cell_of_gap[-1]) + 1

    @property
    def size(self) -> int:
        """Number of cells: numbers, categories, and "other"."""
        return self.ordered + len(self.labels) + 1

    @property
    def single_values(self) -> NDArray[np.bool_]:
        """Which cells hold one value, or one category."""
        single = np.zeros(self.size, dtype=bool)
        single[self.cell_of_gap[1::2][self.at_break]] = True
        single[self.ordered : -1] = True
        return single

    def codes(self, outcomes: Outcomes) -> NDArray[np.intp]:
        """Cell of each draw."""
        values = outcomes.numbers[:, self.column]
        cells = self.locate(values)
        if self.at_break.any():
            at = self.breaks[np.minimum(cells, self.breaks.size - 1)] == values
            cells = self.cell_of_gap[2 * cells + at]
        categories = outcomes.categories[:, self.column]
        if categories.any():
            last = self.cell_of_category.size - 1
            other = self.cell_of_category[np.minimum(categories, last)]
            cells = np.where(categories > 0, other, cells)
        return cells

    def lookup(self, by_cell: NDArray[np.float64]) -> str:
        """Python expression of a number that depends on the cell: the entry of `by_cell`."""
        by_gap, by_kind = by_cell[self.cell_of_gap].tolist(), by_cell[self.ordered :].tolist()
        kinds = dict(zip(self.labels, by_kind, strict=False))
        found = f"{by_gap}[2 * sum(e < x for e in b) + (x in b)]"
        other = f"{kinds}.get({self.kind}, {by_kind[-1]!r})"
        return (
            f"next({found} if x == x else {other} "
            f"for x, b in [({self.number}, {self.breaks.tolist()})])"
        )

    def describe(
        self, cells: NDArray[np.bool_], weights: NDArray[np.float64] | None = None
    ) -> tuple[str, str]:
        """The set as a union of intervals, values and categories.

        Of many pieces the words name the first, or those whose cells have the largest weights.
        """
        pieces = list(self._pieces(cells))
        expression = " or ".join(piece.expression for piece in pieces)
        if len(pieces) <= MOST_PIECES_IN_WORDS:
            return " or ".join(piece.words for piece in pieces) or "never", expression or "False"
        intervals = len(self.ends(cells))
        if weights is not None:
            pieces.sort(key=lambda piece: -float(weights[piece.cells].sum()))
        words = [piece.words for piece in pieces]
        subject = f"{self._subject} is "
        if not intervals and not cells[-1] and all(word.startswith(subject) for word in words):
            return subject + such_as([w.removeprefix(subject) for w in words], "names"), expression
        return such_as(words, "intervals" if intervals == len(words) else "sets"), expression

    @property
    def _subject(self) -> str:
        """What a category is of, in words."""
        return "output" if self.name == "form" else self.name

    def _pieces(self, cells: NDArray[np.bool_]) -> Iterator[_Piece]:
        """Intervals, then categories, then all others."""
        for (first, last), ends in zip(runs(cells[: self.ordered]), self.ends(cells), strict=True):
            told = describe_interval(self.name, self.number, *ends)
            yield _Piece(*told, slice(first, last + 1))
        for place, label in enumerate(self.labels, self.ordered):
            if cells[place]:
                told = said(self.name, None, [label])[0], f"{self.kind} == {label!r}"
                yield _Piece(*told, slice(place, place + 1))
        if cells[-1]:
            words = f"{self._subject} is something never seen before"
            known = f"{self.kind} not in {['', *sorted(self.labels)]}"
            yield _Piece(words, known, slice(self.size - 1, self.size))

    def ends(self, cells: NDArray[np.bool_]) -> list[tuple[End, End]]:
        """Lower and upper ends of the intervals of numbers among some cells."""
        return [
            (self._lower_end(first), self._upper_end(last))
            for first, last in runs(cells[: self.ordered])
        ]

    def _lower_end(self, cell: int) -> End:
        first = int(np.searchsorted(self.cell_of_gap, cell, side="left"))
        if first == 0:
            return -math.inf, False
        # entry 2 i + 1 is the break i itself; entry 2 i the gap that begins after break i - 1
        return float(self.breaks[(first - 1) // 2]), first % 2 == 1

    def _upper_end(self, cell: int) -> End:
        last = int(np.searchsorted(self.cell_of_gap, cell, side="right")) - 1
        if last == self.cell_of_gap.size - 1:
            return math.inf, False
        return float(self.breaks[last // 2]), last % 2 == 1
