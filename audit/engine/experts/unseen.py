"""Bets on what only one arm has ever shown (ENGINE T1).

The events are sets of cells that the other arm never met and that this one met twice or more. As
long as the other arm does not meet it, a bet on one costs nothing, and each hit multiplies the
wealth by up to 1 + 1/s: a few hits of a rare event decide, long before its gap stands out from its
standard error. With k hits, and c for what the other arm may still give, the growth is largest at

    mu = (k - s c) / (s (k + c)).

For each direction one account bets on the cell with most hits among those that hold one value (an
exact value of a continuous law does not come by chance), one on the end of the line that the
other arm never reached, and one on all such cells together, with c for every one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.betting import SMALLEST, log_e_value
from audit.engine.lines import LineGrid

__all__ = ["UNSEEN_PRIOR", "UnseenBets"]

Array = NDArray[np.float64]
Event = tuple[int, NDArray[np.bool_]]
"""Partition, and the event as a set of its cells."""

Pick = Callable[[int, Array, Array], NDArray[np.bool_]]
"""Chooses cells from a partition's number and its counts on the likelier and the other arm."""

FEWEST_HITS = 2
MOST = 0.98
"""Share of the largest admissible mu that a stake may be."""

LARGEST_SHARE = 0.25
"""A larger event needs no such bet, its gap stands out at once."""

EXPECTED = (0.1, 0.5, 1.0)
"""c of a cell that holds one value, of an end of the line, and of each of several cells."""

UNSEEN_PRIOR: Array = np.full(2 * len(EXPECTED), 1 / (2 * len(EXPECTED)))
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
            found = (
                _most_hits(counts, direction, [_fullest(single)]),
                _most_hits(counts, direction, [_end(ordered, 1), _end(ordered, -1)]),
                _most_hits(counts, direction, [_all]),
            )
            for (hits, cells, draws, event), expected in zip(found, EXPECTED, strict=True):
                if event is None or (grid.one_way and direction == 0):
                    events.append(None)
                    continue
                c = expected * (cells if expected == EXPECTED[-1] else 1)
                by_ratio = np.maximum(hits - s * c, 0.0) / (s * (hits + c))
                by_offset = ((hits - 1) / draws - t) / np.maximum(t * (1 - t), SMALLEST)
                stake = np.minimum(by_ratio, np.maximum(by_offset, 0.0))
                mu[len(events)] = np.minimum(stake, MOST * np.minimum(1 / s, 1.0))
                events.append((direction, *event))
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


def _all(_: int, likelier: Array, other: Array) -> NDArray[np.bool_]:
    """Every cell that only the likelier arm met, and twice."""
    return np.asarray((other == 0) & (likelier >= FEWEST_HITS))


def _fullest(single: Sequence[NDArray[np.bool_]]) -> Pick:
    """The one with most hits among the cells that hold one value."""

    def pick(index: int, likelier: Array, other: Array) -> NDArray[np.bool_]:
        unseen = _all(index, likelier, other) & single[index]
        return np.asarray(unseen & (np.arange(unseen.size) == (likelier * unseen).argmax()))

    return pick


def _end(ordered: Sequence[int], step: int) -> Pick:
    """The end of the line beyond all that the other arm reached."""

    def pick(index: int, likelier: Array, other: Array) -> NDArray[np.bool_]:
        cells = np.zeros(likelier.size, dtype=bool)
        line = other[: ordered[index]][::-step]
        beyond = int(np.argmax(line > 0)) if line.any() else 0
        cells[: ordered[index]][::-step][:beyond] = True
        return cells

    return pick


def _most_hits(
    counts: Sequence[Array], direction: int, picks: Sequence[Pick]
) -> tuple[float, int, float, Event | None]:
    """The event with most hits of all partitions and picks: hits, cells, draws, and the event."""
    best: tuple[float, int, float, Event | None] = (FEWEST_HITS - 1, 0, 1.0, None)
    for index, by_half in enumerate(counts):
        likelier, other = by_half.sum(axis=0)[[direction, 1 - direction]]
        draws = float(likelier.sum())
        for pick in picks:
            event = pick(index, likelier, other)
            hits = float(likelier[event].sum())
            if best[0] < hits <= LARGEST_SHARE * draws:
                best = (hits, int(event.sum()), draws, (index, event))
    return best
