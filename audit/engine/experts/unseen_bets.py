"""Bets on what only one arm has ever shown (ENG-T1).

The events are sets of cells that the other arm never met and that this one met twice or more. As
long as the other arm does not meet it, a bet on one costs nothing, and each hit multiplies the
wealth by up to 1 + 1/s: a few hits of a rare event decide, long before its gap stands out from its
standard error. With k hits, and c for what the other arm may still give, the growth is largest at

    mu = (k - s c) / (s (k + c)).

For each direction one account bets on a cell that holds one value (an exact value of a continuous
law does not come by chance), one on an end of the line that the other arm never reached, and one on
all such cells together, with c for every one of them. The first cell beyond the other arm's reach
is the one that it meets next, so an end may begin further out. Of several events an account takes
the one that promises most growth, k log(1 + mu) + c log(1 - s mu), at the claim.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.bet_growth import SMALLEST, log_e_value
from audit.levels.supporting_lines import LineGrid

__all__ = ["UNSEEN_PRIOR", "UnseenBets"]

Array = NDArray[np.float64]
Event = tuple[NDArray[np.bool_], float]
"""A set of cells, and c."""

Pick = Callable[[int, Array, Array], Iterator[Event]]
"""Proposes events from a partition's number and its counts on the likelier and the other arm."""

FEWEST_HITS = 2
MOST = 0.98
"""Share of the largest admissible mu that a stake may be."""

LARGEST_SHARE = 0.25
"""A larger event needs no such bet, its gap stands out at once."""

OF_ONE_VALUE, OF_AN_END, OF_EACH = 0.1, 1.5, 1.0
"""c of a cell that holds one value, of a whole end of the line, and of each of several cells."""

FURTHER, FEWEST_HITS_FAR = 0.1, 8
"""What remains of c for each cell by which an end begins further out, and the hits it must have."""

UNSEEN_PRIOR: Array = np.tile([0.16, 0.22, 0.12], 2)
"""Shares of the accounts, by direction and event."""


@final
@dataclass(frozen=True, slots=True)
class UnseenBets:
    """Bets for each account and point; made before the batch is drawn.

    Parameters
    ----------
    events : tuple of (direction, partition, ndarray of bool of shape (K,)) or None
        Of each account; None where nothing is staked.
    mu : ndarray of float, shape (6, G)
        Stakes.
    grid : LineGrid
        The claims; of each point the line with the smallest offset is bet against.
    """

    events: tuple[tuple[int, int, NDArray[np.bool_]] | None, ...]
    mu: Array
    grid: LineGrid

    @classmethod
    def make(
        cls,
        counts: Sequence[Array],
        ordered: Sequence[int],
        single: Sequence[NDArray[np.bool_]],
        grid: LineGrid,
    ) -> UnseenBets:
        """Choose the events from the past.

        Parameters
        ----------
        counts : sequence of ndarray, shape (2, 2, K)
            The past by half, arm and cell, one array a partition.
        ordered : sequence of int
            How many leading cells of each partition are in order of the value.
        single : sequence of ndarray of bool, shape (K,)
            Which cells hold one value each.
        grid : LineGrid
            Nested claims.
        """
        mu = np.zeros((UNSEEN_PRIOR.size, grid.points))
        events: list[tuple[int, int, NDArray[np.bool_]] | None] = []
        s, t = _line(grid)
        for direction in (0, 1):
            for pick in (_one_value(single), _ends(ordered), _all):
                found = _best(counts, direction, pick, float(s[grid.claimed]))
                if found is None or (grid.one_way and direction == 0):
                    events.append(None)
                    continue
                partition, cells, c = found
                likelier = counts[partition].sum(axis=0)[direction]
                hits = float(likelier[cells].sum())
                by_offset = ((hits - 1) / likelier.sum() - t) / np.maximum(t * (1 - t), SMALLEST)
                stake = np.minimum(_stake(hits, c, s), np.maximum(by_offset, 0.0))
                mu[len(events)] = np.minimum(stake, MOST * np.minimum(1 / s, 1.0))
                events.append((direction, partition, cells))
        return cls(tuple(events), mu, grid)

    def log_e(self, counts: Sequence[Array], size: int) -> Array:
        """Logarithms of the accounts' e-values of the batch, shape (6, G)."""
        values = np.zeros(self.mu.shape)
        s, t = _line(self.grid)
        for account, event in enumerate(self.events):
            if event is not None:
                direction, partition, cells = event
                by_arm = counts[partition][:, cells].sum(axis=1)
                hits, other = by_arm[direction], by_arm[1 - direction]
                nowhere = np.zeros_like(s)
                values[account] = log_e_value(hits, other, size, nowhere, self.mu[account], s, t)
        return values


def _line(grid: LineGrid) -> tuple[Array, Array]:
    """The line of each point that an event of the smallest probability can break."""
    line, points = grid.offsets.argmin(axis=0), np.arange(grid.points)
    return grid.slopes[line, points], grid.offsets[line, points]


def _stake(hits: float, c: float, s: Array) -> Array:
    """The mu of largest growth, for `hits` and c that the other arm may still give."""
    return np.asarray(np.maximum(hits - s * c, 0.0) / (s * (hits + c)))


def _unseen(likelier: Array, other: Array) -> NDArray[np.bool_]:
    """Cells that only the likelier arm met, and twice."""
    return np.asarray((other == 0) & (likelier >= FEWEST_HITS))


def _all(_: int, likelier: Array, other: Array) -> Iterator[Event]:
    """All such cells together."""
    cells = _unseen(likelier, other)
    yield cells, OF_EACH * int(cells.sum())


def _one_value(single: Sequence[NDArray[np.bool_]]) -> Pick:
    """The one with most hits among the cells that hold one value."""

    def pick(index: int, likelier: Array, other: Array) -> Iterator[Event]:
        cells = _unseen(likelier, other) & single[index]
        yield cells & (np.arange(cells.size) == (likelier * cells).argmax()), OF_ONE_VALUE

    return pick


def _ends(ordered: Sequence[int]) -> Pick:
    """The ends of the line beyond all that the other arm reached, or from further out on."""

    def pick(index: int, likelier: Array, other: Array) -> Iterator[Event]:
        last = ordered[index]
        for line in (np.arange(last), np.arange(last)[::-1]):
            reached = other[line] > 0
            beyond = int(np.argmax(reached)) if reached.any() else 0
            for further in range(beyond):
                cells = np.zeros(likelier.size, dtype=bool)
                cells[line[: beyond - further]] = True
                if not further or likelier[cells].sum() >= FEWEST_HITS_FAR:
                    yield cells, OF_AN_END * FURTHER**further

    return pick


def _best(
    counts: Sequence[Array], direction: int, pick: Pick, s: float
) -> tuple[int, NDArray[np.bool_], float] | None:
    """The proposed event that promises most growth, with its partition and c."""
    best, found = (-1.0, float(FEWEST_HITS - 1)), None
    for index, by_half in enumerate(counts):
        likelier, other = by_half.sum(axis=0)[[direction, 1 - direction]]
        for cells, c in pick(index, likelier, other):
            hits = float(likelier[cells].sum())
            if FEWEST_HITS <= hits <= LARGEST_SHARE * likelier.sum():
                mu = MOST * float(_stake(hits, c, np.array(s)))
                growth = hits * math.log1p(mu) + c * math.log1p(-s * mu)
                if (growth, hits) > best:
                    best, found = (growth, hits), (index, cells, c)
    return found
