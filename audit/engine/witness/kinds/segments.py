"""Cells of one column, and the segments of them that add up to most.

The best union of at most k runs of cells is found by going through the cells once (Bentley's
maximum-sum segment, with k of them): the best sum so far with j runs that have ended, and with j
runs of which the last goes on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Cells", "best_runs"]

Array = NDArray[np.float64]

MOST_CELLS = 512
"""Cells of about equal mass: an interval of a fiftieth, as in the row six of benchmarks/power.py,
has ten of them, so that the cells at its ends are a tenth of it."""

FEWEST_CELLS, DRAWS_A_CELL = 8, 16
"""Cells have so many draws of both arms together, or the best union would be made of chance: with
one draw a cell it was spikes of .1 for Laplace noise (benchmarks/power.py, row 2)."""

SCALES_APART = 1_000.0
"""Ratio of two numbers from which on one says little of where the other's scale ends."""

ALONE = 0.1
"""Share of an arm's draws beyond the range of the other: that of laws which are alike is less."""

HEAVY = 0.5
"""Of a cell's share: a value that comes so often has a cell of its own."""


@final
@dataclass(frozen=True, slots=True)
class Cells:
    """Consecutive groups of the values that were met, with what is needed to cut between them.

    Parameters
    ----------
    first, last : ndarray of float, shape (K,)
        Smallest and largest value of each cell, ascending.
    repeated : ndarray of bool, shape (K,)
        Whether it is one value that came more than once.
    """

    first: Array
    last: Array
    repeated: NDArray[np.bool_]

    @classmethod
    def of(cls, *arms: Array, most: int = MOST_CELLS) -> Cells:
        """Group the values of arms, in any order; infinities and NaN are left out.

        What one arm alone reaches, above or below, begins or ends a cell where many of its draws
        are there.
        """
        finite = [arm[np.isfinite(arm)] for arm in arms]
        distinct, counts = np.unique(np.concatenate(finite), return_counts=True)
        total = int(counts.sum())
        share = max(1.0, total / min(most, max(FEWEST_CELLS, total // DRAWS_A_CELL)))
        groups = ((np.cumsum(counts) - counts) // share).astype(np.intp)
        heavy = counts >= max(2.0, HEAVY * share)
        starts = np.ones(distinct.size, dtype=bool)
        starts[1:] = (np.diff(groups) > 0) | heavy[1:] | heavy[:-1]
        for edge in _edges(finite):
            starts[np.searchsorted(distinct, edge)] = True
        begin = np.flatnonzero(starts)
        end = np.append(begin, distinct.size)[1:] - 1  # none where there is no value
        return cls(distinct[begin], distinct[end], (begin == end) & (counts[begin] > 1))

    def __len__(self) -> int:
        return self.first.size

    def count(self, values: Array) -> Array:
        """Draws in each cell, shape (K,); others are left out."""
        finite = values[np.isfinite(values)]
        places = np.searchsorted(self.last, finite, side="left")
        return np.bincount(np.minimum(places, len(self) - 1), minlength=len(self)).astype(float)

    def ends(self, run: tuple[int, int]) -> tuple[float, bool, float, bool]:
        """A run of cells as an interval: ends in the middle of the gaps around it, or none.

        A single value that repeats, and has others on both sides, is an interval of one value;
        where all values are integers the ends are values.
        """
        first, last = run
        if first == last and self.repeated[first] and 0 < first < len(self) - 1:
            value = float(self.first[first])
            return value, True, value, True
        if self._integers:
            low = (-np.inf, False) if first == 0 else (float(self.first[first]), True)
            high = (np.inf, False) if last == len(self) - 1 else (float(self.last[last]), True)
            return (*low, *high)
        low = (-np.inf if first == 0 else _between(self.last[first - 1], self.first[first]), False)
        high = (np.inf, False)
        if last < len(self) - 1:
            high = (_between(self.last[last], self.first[last + 1]), True)
        return (*low, *high)

    @property
    def _integers(self) -> bool:
        return bool((self.first == np.floor(self.first)).all() and self.repeated.any())


def _edges(arms: Sequence[Array]) -> Iterator[float]:
    """Where cells begin: where the range of one arm does or ends, if another goes beyond it."""
    for own, other in permutations((arm for arm in arms if arm.size), 2):
        above, below = other > own.max(), other < own.min()
        if above.mean() >= ALONE:
            yield float(other[above].min())
        if below.mean() >= ALONE:
            yield float(own.min())


def _between(below: float, above: float) -> float:
    """A number from one up to the other, without it: `x <= cut` holds for the one alone.

    Where the two are of different scales it is away from both, for few draws do not say how far
    either goes, and otherwise as near to 1 as that allows: of 2 and 1e153 it is 63, which a reader
    can take in, and not 4e76.
    """
    middle = float(below) / 2 + float(above) / 2
    smaller, larger = sorted((float(below), float(above)), key=abs)
    if 0 < abs(smaller) < abs(larger) / SCALES_APART:
        away = math.sqrt(SCALES_APART)
        middle = math.copysign(max(abs(smaller) * away, min(1.0, abs(larger) / away)), larger)
    return middle if below <= middle < above else float(below)


def best_runs(gains: Array, most: int) -> list[list[list[tuple[int, int]]]]:
    """The runs of cells that add up to most.

    Parameters
    ----------
    gains : ndarray, shape (B, K)
        Rows of cells.
    most : int
        How many runs at most.

    Returns
    -------
    list
        For each row, for 1 to `most` runs, those of the best union of at most so many: first and
        last cell of each, ascending; none where no cell adds anything.
    """
    rows, cells = gains.shape
    ended = np.zeros((most + 1, rows))
    going = np.full((most + 1, rows), -np.inf)
    begun = np.zeros((cells, most + 1, rows), dtype=bool)
    ends = np.zeros((cells, most + 1, rows), dtype=bool)
    for cell in range(cells):
        begins = ended[:-1] > going[1:]
        begun[cell, 1:] = begins
        going[1:] = np.where(begins, ended[:-1], going[1:]) + gains[:, cell]
        ends[cell] = going > ended
        ended = np.maximum(ended, going)
    return [
        [_traced(begun[:, :, row], ends[:, :, row], count) for count in range(1, most + 1)]
        for row in range(rows)
    ]


def _traced(begun: NDArray[np.bool_], ends: NDArray[np.bool_], count: int) -> list[tuple[int, int]]:
    """Follow the choices back from the last cell."""
    found: list[tuple[int, int]] = []
    last: int | None = None
    for cell in range(len(begun) - 1, -1, -1):
        if count == 0:
            break
        if last is None and ends[cell, count]:
            last = cell
        if last is not None and begun[cell, count]:
            found.append((cell, last))
            last, count = None, count - 1
    return _joined(found[::-1])


def _joined(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs that touch are one."""
    joined: list[tuple[int, int]] = []
    for first, last in runs:
        if joined and joined[-1][1] + 1 == first:
            first = joined.pop()[0]
        joined.append((first, last))
    return joined
