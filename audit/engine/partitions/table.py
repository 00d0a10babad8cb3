"""Quantile table of one column: quantiles, geometric tails, atoms, and categories.

Cells in order of the value: intervals between edges, and single values that repeat (atoms). The
edges are 32 quantiles and the tails 2^-k at both ends of the pooled past, so that an event of any
size is some union of cells. Behind them one cell per category seen, and one for every other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.encode import RARE, Encoder, Outcomes

__all__ = ["Table", "signal_share"]

QUANTILES = 32
TELLING_COLUMNS = 2
LARGEST_ATOM_COUNT = 256
REPEATS_OF_AN_ATOM = 3
SMALLEST_GAP = 1e-300


@final
@dataclass(frozen=True, slots=True)
class Table:
    """Partition of one column.

    Parameters
    ----------
    column : int
        Which column of the outcomes.
    name, coordinate : str, int or None
        How the column is called.
    breaks : ndarray of float, shape (m,)
        Ascending edges and atoms.
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
    coordinate: int | None
    breaks: NDArray[np.float64]
    at_break: NDArray[np.bool_]
    cell_of_gap: NDArray[np.intp]
    labels: tuple[str, ...]
    cell_of_category: NDArray[np.intp]
    supervised: bool = False

    @classmethod
    def fit_columns(cls, encoder: Encoder, arm: Outcomes, other_arm: Outcomes) -> Sequence[Table]:
        """One table for a single-valued layout; else the form, and the most telling coordinates.

        The coordinates are chosen by the first half of the past.
        """
        pooled = Outcomes.concatenate([arm, other_arm])
        form = len(encoder.columns) - 1
        tables = [cls.fit(encoder, pooled, form)]
        half = len(arm) // 2
        scores = []
        for column in range(form):
            table = replace(cls.fit(encoder, pooled, column), supervised=True)
            counts, other = (
                np.bincount(table.codes(a[slice(half)]), minlength=table.size)
                for a in (arm, other_arm)
            )
            scores.append((signal_share(counts, other), table))
        scores.sort(key=lambda pair: -pair[0])
        return tables + [table for share, table in scores[:TELLING_COLUMNS] if share > 0]

    @classmethod
    def fit(cls, encoder: Encoder, pooled: Outcomes, column: int) -> Table:
        """Fit to the pooled draws of both arms."""
        categories = pooled.categories[:, column]
        values = np.sort(pooled.numbers[categories == 0, column])
        breaks, at_break = _breaks(values)
        # an edge closes its own gap (value <= edge); an atom opens a cell of its own
        starts = np.zeros(2 * breaks.size + 1, dtype=np.intp)
        starts[1:-1:2] = at_break[: breaks.size]
        starts[2::2] = 1
        cell_of_gap = np.cumsum(starts)
        seen = np.unique(categories[categories > 0])
        seen = seen[seen != encoder.labels.get(RARE, 0)]
        ordered = int(cell_of_gap[-1]) + 1
        cell_of_category = np.full(int(seen.max(initial=0)) + 2, ordered + seen.size, np.intp)
        cell_of_category[seen] = ordered + np.arange(seen.size)
        name, coordinate = encoder.columns[column]
        return cls(
            column,
            name,
            coordinate,
            breaks,
            at_break,
            cell_of_gap,
            tuple(encoder.label(int(code)) for code in seen),
            cell_of_category,
        )

    @property
    def ordered(self) -> int:
        """Number of cells of numbers."""
        return int(self.cell_of_gap[-1]) + 1

    @property
    def size(self) -> int:
        """Number of cells: numbers, categories, and "other"."""
        return self.ordered + len(self.labels) + 1

    @property
    def feature(self) -> str:
        """The value itself."""
        return "value"

    @property
    def reads(self) -> None:
        """All draws."""
        return

    def codes(self, outcomes: Outcomes) -> NDArray[np.intp]:
        """Cell of each draw."""
        values = outcomes.numbers[:, self.column]
        if self.breaks.size:
            gap = np.searchsorted(self.breaks, values, side="left")
            at = self.breaks[np.minimum(gap, self.breaks.size - 1)] == values
            cells = self.cell_of_gap[2 * gap + at]
        else:
            cells = np.zeros(values.size, dtype=np.intp)
        categories = outcomes.categories[:, self.column]
        if categories.any():
            last = self.cell_of_category.size - 1
            other = self.cell_of_category[np.minimum(categories, last)]
            cells = np.where(categories > 0, other, cells)
        return np.asarray(cells, dtype=np.intp)

    def describe(self, cells: NDArray[np.bool_]) -> tuple[str, str]:
        """The set as a union of intervals, values and categories."""
        pieces = [self._interval(*run) for run in _runs(cells[: self.ordered])]
        place = "" if self.coordinate is None else f", {self.coordinate}"
        call = "form(z)" if self.name == "form" else f"outcome(z{place})"
        subject = "output" if self.name == "form" else self.name
        for index, label in enumerate(self.labels):
            if cells[self.ordered + index]:
                pieces.append((f"{subject} {label}", f"{call} == {label!r}"))
        if cells[-1]:
            known = sorted(self.labels)
            pieces.append(
                (f"{subject} is something never seen before", f"{call} not in {['', *known]}")
            )
        if not pieces:
            return "never", "False"
        return " or ".join(s for s, _ in pieces), " or ".join(e for _, e in pieces)

    def _interval(self, first: int, last: int) -> tuple[str, str]:
        """Words and expression of the cells first..last."""
        place = "" if self.coordinate is None else f", {self.coordinate}"
        number = f"number(z{place})"
        low, low_closed = self._lower_end(first)
        high, high_closed = self._upper_end(last)
        if low == -math.inf and high == math.inf:
            return f"{self.name} is a number", f"{number} == {number}"
        if low == high:
            return f"{self.name} == {low!r}", f"{number} == {low!r}"
        below, above = ("<=" if low_closed else "<"), ("<=" if high_closed else "<")
        if low == -math.inf:
            return f"{self.name} {above} {high!r}", f"{number} {above} {high!r}"
        if high == math.inf:
            sign = ">=" if low_closed else ">"
            return f"{self.name} {sign} {low!r}", f"{number} {sign} {low!r}"
        return (
            f"{low!r} {below} {self.name} {above} {high!r}",
            f"{low!r} {below} {number} {above} {high!r}",
        )

    def _lower_end(self, cell: int) -> tuple[float, bool]:
        first = int(np.searchsorted(self.cell_of_gap, cell, side="left"))
        if first == 0:
            return -math.inf, False
        # entry 2 i + 1 is the break i itself; entry 2 i the gap that begins after break i - 1
        return float(self.breaks[(first - 1) // 2]), first % 2 == 1

    def _upper_end(self, cell: int) -> tuple[float, bool]:
        last = int(np.searchsorted(self.cell_of_gap, cell, side="right")) - 1
        if last == self.cell_of_gap.size - 1:
            return math.inf, False
        return float(self.breaks[last // 2]), last % 2 == 1


def signal_share(counts: NDArray[np.intp], other: NDArray[np.intp]) -> float:
    """Share of the difference of two arms' counts by cell that is not noise, in [0, 1).

    The positive part of 1 - df / chi2 (the shrinkage of James and Stein), chi2 being the
    two-sample statistic of arms of equal size.
    """
    total = counts + other
    used = total > 0
    chi2 = float(((counts - other)[used] ** 2 / total[used]).sum())
    return max(0.0, 1 - (int(used.sum()) - 1) / chi2) if chi2 > 0 else 0.0


def _runs(cells: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last index of each run of True."""
    runs = []
    for inside, group in groupby(enumerate(cells), key=lambda pair: bool(pair[1])):
        indices = [index for index, _ in group]
        if inside:
            runs.append((indices[0], indices[-1]))
    return runs


def _breaks(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Edges and atoms of sorted values."""
    distinct, counts = np.unique(values, return_counts=True)
    frequent = np.flatnonzero(counts >= REPEATS_OF_AN_ATOM)
    if frequent.size > LARGEST_ATOM_COUNT:
        frequent = frequent[np.argsort(-counts[frequent], kind="stable")[:LARGEST_ATOM_COUNT]]
    atoms = distinct[frequent]
    rest = values[~np.isin(values, atoms)]
    edges = np.setdiff1d(_edges(rest), atoms)
    breaks = np.concatenate([edges, atoms])
    order = np.argsort(breaks, kind="stable")
    at_break = np.concatenate([np.zeros(edges.size, bool), np.ones(atoms.size, bool)])
    return breaks[order], at_break[order]


def _edges(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Quantile and tail edges, rounded to digits that a reader can use."""
    n = values.size
    if n < 2:
        return values
    tails = 2.0 ** -np.arange(6, max(7, int(math.log2(n)) + 1))
    levels = np.concatenate([np.arange(1, QUANTILES) / QUANTILES, tails, 1 - tails])
    ranks = np.unique(np.clip((levels * n).astype(int), 0, n - 1))
    return np.unique(_rounded(np.unique(values[ranks])))


def _rounded(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round each edge to a twentieth of the distance to its nearest neighbor, or leave it."""
    if edges.size < 2:
        return edges
    gaps = np.diff(edges)
    nearest = np.minimum(np.append(gaps, np.inf), np.insert(gaps, 0, np.inf))
    digits = np.ceil(-np.log10(np.maximum(nearest, SMALLEST_GAP) / 20)).astype(int)
    return np.array(
        [
            round(float(e), int(d)) if abs(d) < 18 else float(e)
            for e, d in zip(edges, digits, strict=True)
        ]
    )
