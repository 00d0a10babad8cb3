"""Whether the law of the outputs stays while it is audited, and whether calls depend on each other.

Every guarantee rests on draws that are independent, also within a call, from laws that do not move.
What a target does with a clock, a counter or a cache shows in its draws: each arm by itself is cut
into short stretches, in the order of time (parts of calls, or calls in turn), which are counted in
few cells of each of the first columns. Three chi-square tests look at each table:

*spread*: whether the stretches differ more than independent draws of one law do (an offset that is
drawn once a call; a random walk; bursts). With O the counts of a stretch of n draws and p the
shares of all draws, the statistic is the sum of (O - n p)^2 / (n p) over stretches and cells; where
its k cells hold a share P of the draws, a stretch has mean k - P and variance at most
2 (k - 1 + (1 - P)^2) + (sum 1/p) / n, and the tail is that of the gamma law with these moments;
*quarters*: whether the quarters of the run differ (a drift, a budget that is used up);
*turns*: whether the first of two calls in turn differs from the second (what one call leaves).

The tests never refute: what they find makes a run INCONCLUSIVE. So a chi-square tail is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.engine.partitions.column_table import ColumnTable

__all__ = [
    "LEVEL",
    "LOOKS",
    "STRETCH",
    "Watch",
    "Watched",
    "change_of",
    "differs",
    "watches_of",
]

LEVEL = 1e-6
"""Of all these tests of a run together, and of the one of calls for single draws (`alone`)."""

SHORTEST, STRETCH, LONGEST = 8, 32, 64
"""Draws of a stretch: fewer are left out, so many are put together where calls (or batches) are
short, and of a longer call so many are looked at."""

MOST_STRETCHES = 64
"""Of one block; of more, each second, or third, and so on, is looked at."""

COLUMNS, CELLS = 4, 6
"""Columns that are looked at, and cells that numbers have in each."""

LEAST_SHARE, LEAST_EXPECTED = 0.03, 10.0
"""Of a cell: rarer ones are left out of the spread; those with fewer draws expected in a row of the
other tables are put together."""

LOOKS = 32
"""A pair is looked at where it has twice as many draws, and at the end: no more often."""

Counts = NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True)
class Watched:
    """Stretches of one arm in the order of time.

    Parameters
    ----------
    counts : ndarray of int, shape (n, K)
        Draws of each in each cell.
    turn : ndarray of int, shape (n,)
        0 for the first of two calls in turn, 1 for the second, -1 where it is of several calls.
    """

    counts: Counts
    turn: Counts

    @staticmethod
    def joined(parts: Sequence[Watched]) -> Watched:
        """One after the other."""
        return Watched(
            np.concatenate([part.counts for part in parts]),
            np.concatenate([part.turn for part in parts]),
        )

    def together(self) -> Watched:
        """Put short ones that follow each other together: first batches are shorter than one."""
        draws = self.counts.sum(axis=1)
        group = np.arange(len(draws))
        first, held = 0, 0
        for row in np.flatnonzero((draws < STRETCH) & (self.turn == -1)).tolist():
            if not held or group[row - 1] != first or held >= STRETCH:
                first, held = row, 0
            group[row] = first
            held += int(draws[row])
        rows, of = np.unique(group, return_inverse=True)
        counts = np.zeros((rows.size, self.counts.shape[1]), dtype=np.int64)
        np.add.at(counts, of, self.counts)
        kept = counts.sum(axis=1) >= SHORTEST
        return Watched(counts[kept], self.turn[rows][kept])


@final
@dataclass(frozen=True, slots=True)
class Watch:
    """Few cells of one column.

    Parameters
    ----------
    table : ColumnTable
        Partition of the column.
    cell_of : ndarray of int
        Cell by that of the table.
    size : int
        Number of cells.
    """

    table: ColumnTable
    cell_of: NDArray[np.intp]
    size: int

    def cells(self, outcomes: Outcomes) -> NDArray[np.intp]:
        """Cell of each draw."""
        return np.asarray(self.cell_of[self.table.codes(outcomes)])

    def count(self, outcomes: Outcomes, calls: Sequence[int]) -> Watched:
        """Count the stretches of consecutive draws that came in calls of these sizes."""
        stretches = _stretches(calls)
        turn = np.array([t for _, _, t in stretches], dtype=np.int64)
        if not stretches:
            return Watched(np.zeros((0, self.size), dtype=np.int64), turn)
        rows = np.concatenate([np.arange(low, high) for low, high, _ in stretches])
        of = np.repeat(np.arange(len(stretches)), [high - low for low, high, _ in stretches])
        cells = self.cells(Outcomes(outcomes.numbers[rows], outcomes.categories[rows]))
        counts = np.bincount(of * self.size + cells, minlength=len(stretches) * self.size)
        return Watched(counts.reshape(len(stretches), self.size).astype(np.int64), turn)

    def describe(self, cell: int) -> str:
        """A cell in words."""
        return self.table.describe(self.cell_of == cell)[0]


def _stretches(calls: Sequence[int]) -> list[tuple[int, int, int]]:
    """First draw, end and turn of each stretch."""
    found: list[tuple[int, int, int]] = []
    start = end = 0
    for number, size in enumerate(calls):
        end += size
        if size >= STRETCH and start == end - size:
            found.append((start, start + min(size, LONGEST), number % 2))
            start = end
        elif end - start >= STRETCH:
            found.append((start, end, -1))
            start = end
    if end > start:
        found.append((start, end, -1))
    return found[:: -(-len(found) // MOST_STRETCHES)] if found else found


def watches_of(encoder: Encoder, arms: Sequence[Outcomes]) -> list[Watch]:
    """Cells for the first columns, from a pair's first draws."""
    pooled = Outcomes.concatenate(arms)
    columns = list(range(len(encoder.columns)))
    chosen = [*columns[: COLUMNS - 1], columns[-1]] if len(columns) > COLUMNS else columns
    watches = []
    for column in chosen:
        table = ColumnTable.fit(encoder, pooled, column)
        counts = np.bincount(table.codes(pooled), minlength=table.size)
        numbers = counts[: table.ordered].cumsum()
        cell_of = np.zeros(table.size, dtype=np.intp)
        if table.ordered and numbers[-1]:
            middle = numbers - counts[: table.ordered] / 2
            cell_of[: table.ordered] = np.minimum(CELLS * middle / numbers[-1], CELLS - 1)
        others = np.argsort(-counts[table.ordered :], kind="stable") + table.ordered
        # the two most frequent categories have a cell each, all others one together
        cell_of[others] = CELLS + np.minimum(np.arange(others.size), 2)
        watches.append(Watch(table, cell_of, CELLS + 3))
    return watches


def change_of(watch: Watch, watched: Watched, arm: str, level: float) -> str | None:
    """Say how the draws of an arm differ from independent draws of one law, if they do.

    Parameters
    ----------
    watch, watched
        Cells, and the counts of stretches.
    arm : str
        "data" or "neighbor".
    level : float
        Of the three tests together.
    """
    watched = watched.together()
    counts = watched.counts
    if len(counts) < 2:
        return None
    each = level / 3
    cuts = np.linspace(0, len(counts), 5).round().astype(int)
    quarters = np.array([counts[a:b].sum(axis=0) for a, b in pairwise(cuts)])
    if (found := differs(quarters, each)) is not None:
        cell, shares = found
        return (
            f"the law of the output changes while it is audited: {watch.describe(cell)} on the "
            f"{arm} was {_percent(shares[0])} of the draws in the first quarter of the run and "
            f"{_percent(shares[-1])} in the last"
        )
    if (found := differs(_by_turn(watched), each)) is not None:
        cell, shares = found
        return (
            f"the law of the output changes with the call: {watch.describe(cell)} on the {arm} was "
            f"{_percent(shares[0])} of the draws in the first of two calls and "
            f"{_percent(shares[1])} in the second"
        )
    if (worst := _spread(counts, each)) is not None:
        return (
            f"draws that come together depend on each other: {watch.describe(worst)} on the {arm} "
            "differs more from one call, or stretch of time, to the next than independent draws do"
        )
    return None


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _by_turn(watched: Watched) -> Counts:
    return np.array([watched.counts[watched.turn == turn].sum(axis=0) for turn in (0, 1)])


def differs(table: Counts, level: float) -> tuple[int, NDArray[np.float64]] | None:
    """The cell that differs most between rows, with its shares, where the chi-square test rejects.

    Cells in which too few draws are expected are put together, or left out.
    """
    from scipy.special import chdtrc

    table = table[table.sum(axis=1) > 0]
    if len(table) < 2:
        return None
    draws = table.sum(axis=1, keepdims=True)
    total = table.sum(axis=0)
    enough = total * draws.min() / draws.sum() >= LEAST_EXPECTED
    rest = table[:, ~enough].sum(axis=1, keepdims=True)
    kept = np.hstack([table[:, enough], rest])
    if rest.sum() * draws.min() / draws.sum() < LEAST_EXPECTED:
        kept = kept[:, :-1]
        draws = kept.sum(axis=1, keepdims=True)
    if kept.shape[1] < 2 or not draws.all():
        return None
    expected = draws * kept.sum(axis=0) / kept.sum()
    parts = (kept - expected) ** 2 / expected
    freedom = (kept.shape[0] - 1) * (kept.shape[1] - 1)
    if chdtrc(freedom, parts.sum()) > level:
        return None
    cell = int(np.flatnonzero(enough)[parts[:, : enough.sum()].sum(axis=0).argmax()])
    return cell, table[:, cell] / table.sum(axis=1)


def _spread(counts: Counts, level: float) -> int | None:
    """The cell whose share moves most from stretch to stretch, where the test of spread rejects."""
    from scipy.special import gammaincc

    draws = counts.sum(axis=1, keepdims=True).astype(np.float64)
    shares = counts.sum(axis=0) / draws.sum()
    cells = np.flatnonzero((shares >= LEAST_SHARE) & (shares < 1))
    if cells.size == 0:
        return None
    expected = draws * shares[cells]
    parts = ((counts[:, cells] - expected) ** 2 / expected).sum(axis=0)
    held = float(shares[cells].sum())
    degrees = len(counts) - 1  # the shares are those of these draws
    mean = degrees * (cells.size - held)
    of_rare = float((1 / shares[cells]).sum() * (1 / draws).sum())
    variance = 2 * degrees * (cells.size - 1 + (1 - held) ** 2) + of_rare
    if variance <= 0 or mean <= 0:
        return None
    if gammaincc(mean**2 / variance, parts.sum() * mean / variance) > level:
        return None
    return int(cells[parts.argmax()])
