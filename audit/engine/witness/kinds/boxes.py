"""A box: two coordinates, each in an interval (one end of which may be missing).

Where the rectangle is comes from a coarse grid of quantiles; its sides are then moved in turn, each
to the best interval of its coordinate among the draws that the other one lets through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Outcomes
from audit.engine.witness.kinds.conditions import Condition
from audit.engine.witness.kinds.past_of_event import Arms
from audit.engine.witness.kinds.readable_kind import Stated, numeric_columns
from audit.engine.witness.kinds.segments import Cells, best_runs

__all__ = ["Box", "propose_boxes"]

Array = NDArray[np.float64]

MOST_COLUMNS = 24
"""As many coordinates as pairs are looked at of."""

COARSE = 12
"""Quantile cells of each coordinate in the grid: a square of a tenth of the mass has four cells."""

MOST_REFINED = 3
"""Pairs of coordinates whose sides are moved."""

TURNS = 4
"""Times that each side is moved."""


@final
@dataclass(frozen=True, slots=True)
class Box:
    """That two coordinates lie in an interval each."""

    first: Condition
    second: Condition

    @property
    def pieces(self) -> int:
        """Coordinates."""
        return 2

    @property
    def ends(self) -> tuple[float, ...]:
        """Ends that may be rounded."""
        return self.first.ends + self.second.ends

    def with_ends(self, ends: Sequence[float]) -> Box:
        """The same with other ends."""
        moved = iter(ends)
        return Box(self.first.with_ends(moved), self.second.with_ends(moved))

    def holds(self, outcomes: Outcomes) -> NDArray[np.bool_]:
        """Whether each draw is in it."""
        return np.asarray(self.first.holds(outcomes) & self.second.holds(outcomes))

    def describe(self) -> tuple[str, str]:
        """Words and expression."""
        (sentence, one), (other_sentence, other) = self.first.describe(), self.second.describe()
        return f"{sentence} and {other_sentence}", f"({one}) and ({other})"

    def as_json(self) -> Stated:
        """The two coordinates and their intervals."""
        return {"kind": "box", "sides": [self.first.as_json(), self.second.as_json()]}


def propose_boxes(arms: Arms) -> Sequence[Box]:
    """The best box of each of the most promising pairs of coordinates."""
    columns = numeric_columns(arms.encoder.columns, arms.both, MOST_COLUMNS)
    coarse = {column: _quantile_cells(arms, column) for column in columns}
    found: list[Box | None] = []
    for corners in (True, False):
        starts = [
            (*_best_rectangle(arms, coarse[first], coarse[second], corners), (first, second))
            for first, second in combinations(columns, 2)
        ]
        starts.sort(key=lambda start: -start[0])
        # the sides of a corner stay: moved, they would fit what chance has left beyond them
        found += [
            _refined(arms, pair, sides, turns=0 if corners else 2 * TURNS)
            for _, sides, pair in starts[:MOST_REFINED]
        ]
    return [box for box in found if box is not None]


Coarse: TypeAlias = tuple[tuple[NDArray[np.intp], NDArray[np.intp]], int]
"""Cell of each draw of both arms (-1 for what is no number), and how many cells there are."""


def _quantile_cells(arms: Arms, column: int) -> Coarse:
    values = [arm.numbers[:, column] for arm in arms.both]
    cells = Cells.of(*values, most=COARSE)
    codes = [
        np.where(
            np.isfinite(x), np.minimum(np.searchsorted(cells.last, x), len(cells) - 1), -1
        ).astype(np.intp)
        for x in values
    ]
    return (codes[0], codes[1]), len(cells)


def _best_rectangle(
    arms: Arms, one: Coarse, other: Coarse, corners: bool
) -> tuple[float, tuple[tuple[int, int], tuple[int, int]]]:
    """The rectangle of coarse cells, or the corner, with the largest z, and that."""
    (first, rows_of), (second, columns_of) = one, other
    sizes = rows_of, columns_of
    totals = []
    for arm in (0, 1):
        both = (first[arm] >= 0) & (second[arm] >= 0)
        codes = first[arm][both] * sizes[1] + second[arm][both]
        grid = np.bincount(codes, minlength=sizes[0] * sizes[1]).reshape(sizes)
        sums = np.zeros((sizes[0] + 1, sizes[1] + 1))
        sums[1:, 1:] = grid.cumsum(axis=0).cumsum(axis=1)
        totals.append(sums)
    rows, columns = (_runs_of(size, corners) for size in sizes)
    counts = []
    for sums in totals:
        strips = sums[rows[1]] - sums[rows[0]]
        counts.append(strips[:, columns[1]] - strips[:, columns[0]])
    z = arms.z(counts[0], counts[1])
    row, column = np.unravel_index(int(np.argmax(z)), z.shape)
    sides = (
        (int(rows[0][row]), int(rows[1][row]) - 1),
        (int(columns[0][column]), int(columns[1][column]) - 1),
    )
    return float(z.max()), sides


def _runs_of(size: int, corners: bool) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """First cells and ends of all runs of cells, or of those with an open side."""
    first, end = np.triu_indices(size + 1, 1)
    kept = (first == 0) | (end == size) if corners else np.ones(first.size, dtype=bool)
    return first[kept], end[kept]


def _refined(
    arms: Arms,
    pair: tuple[int, int],
    sides: tuple[tuple[int, int], tuple[int, int]],
    *,
    turns: int,
) -> Box | None:
    """Move the sides of a rectangle in turn; None if one of them is no condition in the end."""
    conditions = []
    for column, run in zip(pair, sides, strict=True):
        name, coordinate = arms.encoder.columns[column]
        cells = Cells.of(*(arm.numbers[:, column] for arm in arms.both), most=COARSE)
        conditions.append(Condition(column, name, coordinate, (cells.ends(run),)))
    best = -np.inf
    for turn in range(turns):
        moved, kept = conditions[turn % 2], conditions[1 - turn % 2]
        z, better = _best_side(arms, moved, kept)
        if better is None or z <= best:
            break
        best, conditions[turn % 2] = z, better
    if any(one.intervals == ((-np.inf, False, np.inf, False),) for one in conditions):
        return None
    return Box(conditions[0], conditions[1])


def _best_side(arms: Arms, moved: Condition, kept: Condition) -> tuple[float, Condition | None]:
    """The best interval of a coordinate among draws that the other condition lets through."""
    values = [arm.numbers[kept.holds(arm), moved.column] for arm in arms.both]
    cells = Cells.of(*values)
    if not len(cells):
        return -np.inf, None
    x, y = (cells.count(of_arm) for of_arm in values)
    best: tuple[float, Condition | None] = (-np.inf, None)
    for (runs,) in best_runs(arms.gains(x, y), 1):
        for first, last in runs:
            inside = slice(first, last + 1)
            z = float(arms.z(x[inside].sum(), y[inside].sum()))
            if z > best[0]:
                best = z, replace(moved, intervals=(cells.ends((first, last)),))
    return best
