"""What the audit remembers of one pair: past draws, partitions, counts, bets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.engine.encode import Encoder, Outcomes
from audit.engine.experts import Bets, Grid, make_bets
from audit.engine.experts.persistent import PersistentBets
from audit.engine.lines import LineGrid
from audit.engine.partitions import Partition, fit_all

__all__ = ["Batch", "PairState"]

Array = NDArray[np.float64]

LARGEST_MEMORY = 200_000
"""Draws of each arm that are kept to fit partitions anew."""

REFIT_GROWTH = 2


@final
@dataclass(frozen=True, slots=True)
class Batch:
    """One drawn batch: encoded arms of equal size, and their cells.

    Parameters
    ----------
    arms : tuple of Outcomes
        Draws on the data set and on its neighbor.
    codes : sequence of (sizes, cells of arm, cells of other arm)
        One entry a partition; the last is the partition of the persistent bets.
    """

    arms: tuple[Outcomes, Outcomes]
    codes: Sequence[tuple[int, NDArray[np.intp], NDArray[np.intp]]] = ()

    @property
    def size(self) -> int:
        """Draws of each arm."""
        return len(self.arms[0])

    def counts(self, rows: slice) -> list[Array]:
        """Counts by arm and cell of some draws, shape (2, K) each."""
        return [
            np.stack(
                [np.bincount(cells[rows], minlength=size) for cells in (arm, other_arm)]
            ).astype(np.float64)
            for size, arm, other_arm in self.codes
        ]


@final
@dataclass(slots=True)
class PairState:
    """State of one pair of data sets.

    Attributes
    ----------
    index, label, data, neighbor
        The pair.
    ideal : bool
        Whether the floating-point lattices are left out.
    single : list of bool
        For each arm, whether the target is asked for one draw a call because it may raise.
    draws, batches : int
        Draws of each arm and batches so far.
    bets : Bets or None
        The experts' next bets; None before the first draws.
    """

    index: int
    label: str
    data: Any
    neighbor: Any
    ideal: bool
    encoder: Encoder = field(default_factory=Encoder)
    single: list[bool] = field(default_factory=lambda: [False, False])
    draws: int = 0
    batches: int = 0
    fitted_at: int = 0
    past: tuple[list[Outcomes], list[Outcomes]] = field(default_factory=lambda: ([], []))
    partitions: list[Partition] = field(default_factory=list)
    counts: list[Array] = field(default_factory=list)
    persistent: PersistentBets | None = None
    persistent_on: Partition | None = None
    bets: Bets | None = None

    def code(self, arms: tuple[Outcomes, Outcomes]) -> Batch:
        """Find the cells of a batch in every partition that is bet on."""
        return Batch(arms, [_cells(p, arms) for p in self.counted()])

    def counted(self) -> list[Partition]:
        """Partitions that are bet on; the last is that of the persistent bets."""
        return [*self.partitions, *([] if self.persistent_on is None else [self.persistent_on])]

    def used_cells(self, partition: int) -> NDArray[np.intp]:
        """Cells of a partition that some draw of the past has met, ascending."""
        return np.flatnonzero(self.counts[partition].sum(axis=(0, 1)))

    def learn(self, batch: Batch, grid: Grid) -> None:
        """Add a whole batch to the past, fit anew if it has doubled, and make the next bet."""
        self.draws += batch.size
        self.batches += 1
        if self.draws <= LARGEST_MEMORY:
            for memory, arm in zip(self.past, batch.arms, strict=True):
                memory.append(arm)
        if not self.partitions or REFIT_GROWTH * self.fitted_at <= self.draws <= LARGEST_MEMORY:
            self._fit(grid)
        else:
            self.counts = [c + new for c, new in zip(self.counts, _by_half(batch), strict=False)]
        ordered = [partition.ordered for partition in self.partitions]
        self.bets = make_bets(self.counts, ordered, grid)

    def _fit(self, grid: Grid) -> None:
        arm, other_arm = (Outcomes.concatenate(memory) for memory in self.past)
        self.past = ([arm], [other_arm])
        self.fitted_at = self.draws
        self.partitions = fit_all(self.encoder, arm, other_arm, ideal=self.ideal)
        self.counts = []
        for partition in self.partitions:
            rows = slice(len(arm) // 2 if partition.supervised else 0, None)
            arms = (arm[rows], other_arm[rows])
            self.counts += _by_half(Batch(arms, [_cells(partition, arms)]))
        if self.persistent is None and isinstance(grid, LineGrid):
            main = max(self.partitions, key=lambda partition: partition.feature == "score")
            (counts,) = Batch((arm, other_arm), [_cells(main, (arm, other_arm))]).counts(
                slice(None)
            )
            self.persistent_on = main
            self.persistent = PersistentBets.start(counts, main.ordered, grid)


def _cells(
    partition: Partition, arms: tuple[Outcomes, Outcomes]
) -> tuple[int, NDArray[np.intp], NDArray[np.intp]]:
    return partition.size, partition.codes(arms[0]), partition.codes(arms[1])


def _by_half(batch: Batch) -> list[Array]:
    """Counts by half (even and odd draws), arm and cell, shape (2, 2, K) each."""
    halves = [batch.counts(slice(start, None, 2)) for start in (0, 1)]
    return [np.stack(both) for both in zip(*halves, strict=True)]
