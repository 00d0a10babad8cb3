"""What the audit remembers of one pair: past draws, partitions, counts, bets."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.engine.counts.batch import Batch
from audit.engine.counts.block import tally
from audit.engine.encode import Encoder, Outcomes
from audit.engine.experts import Bets, Grid, make_bets
from audit.engine.experts.persistent import PersistentBets
from audit.engine.lines import LineGrid
from audit.engine.partitions import Partition, fit_all

__all__ = ["PairState"]

Array = NDArray[np.float64]

LARGEST_MEMORY, LEAST_MEMORY = 200_000, 1_000
"""Draws of each arm that are kept to fit partitions anew."""

LARGEST_MEMORY_VALUES = 2**23
"""Values of all columns, arms and pairs that are kept: fixed before the first bet."""

REFIT_GROWTH = 2


@final
@dataclass(slots=True)
class PairState:
    """State of one pair of data sets.

    Attributes
    ----------
    index, label, data, neighbor, generated
        The pair.
    ideal, thorough : bool
        Whether the floating-point lattices are left out, and partitions that take long are not.
    pairs : int
        Pairs of the run, which share the memory and the wealth.
    user : int or None
        Whose record the pair changes, for a personalized claim.
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
    generated: bool = False
    pairs: int = 1
    encoder: Encoder = field(default_factory=Encoder)
    thorough: bool = False
    user: int | None = None
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

    @property
    def memory(self) -> int:
        """Draws of each arm that are kept."""
        rows = LARGEST_MEMORY_VALUES // (2 * self.pairs * len(self.encoder.columns))
        return min(LARGEST_MEMORY, max(LEAST_MEMORY, rows))

    def counted(self) -> list[Partition]:
        """Partitions that are bet on; the last is that of the persistent bets."""
        return [*self.partitions, *([] if self.persistent_on is None else [self.persistent_on])]

    def needs_draws(self, size: int) -> bool:
        """Whether the draws of the next batch are kept, besides their counts.

        The first two batches are compared with each other as well.
        """
        return self.batches < 2 or self.draws + size <= self.memory

    def first_arms(self) -> tuple[Outcomes, Outcomes]:
        """Draws of the first batch, while nothing came after it."""
        return self.past[0][0], self.past[1][0]

    def used_cells(self, partition: int) -> NDArray[np.intp]:
        """Cells of a partition that some draw of the past has met, ascending."""
        return np.flatnonzero(self.counts[partition].sum(axis=(0, 1)))

    def learn(self, batch: Batch, grid: Grid) -> None:
        """Add a whole batch to the past, fit anew if it has doubled, and make the next bet."""
        self.draws += batch.size
        self.batches += 1
        self.encoder = batch.encoder
        if batch.arms is not None and self.draws <= self.memory:
            for memory, arm in zip(self.past, batch.arms, strict=True):
                memory.append(arm)
        if not self.partitions or REFIT_GROWTH * self.fitted_at <= self.draws <= self.memory:
            self._fit(grid)
        else:
            self.counts = [c + new for c, new in zip(self.counts, batch.by_half(), strict=False)]
        self._drop_what_has_read_enough()
        ordered = [partition.ordered for partition in self.partitions]
        self.bets = make_bets(self.counts, ordered, grid, pairs=self.pairs)

    def _drop_what_has_read_enough(self) -> None:
        """Leave out partitions that may look at no more draws."""
        goes_on = [p.reads is None or self.draws < p.reads for p in self.partitions]
        if not all(goes_on):
            self.partitions = [p for p, on in zip(self.partitions, goes_on, strict=True) if on]
            self.counts = [c for c, on in zip(self.counts, goes_on, strict=True) if on]

    def draws_to_read(self) -> float:
        """Draws until a partition has read enough; a batch ends there at the latest."""
        return min(
            (p.reads - self.draws for p in self.partitions if p.reads is not None),
            default=math.inf,
        )

    def _fit(self, grid: Grid) -> None:
        arm, other_arm = (Outcomes.concatenate(memory) for memory in self.past)
        self.past = ([arm], [other_arm])
        self.fitted_at = self.draws
        self.partitions = fit_all(
            self.encoder, arm, other_arm, ideal=self.ideal, thorough=self.thorough
        )
        self.counts = []
        for partition in self.partitions:
            rows = slice(len(arm) // 2 if partition.supervised else 0, None)
            self.counts.append(_by_half(partition, (arm[rows], other_arm[rows])))
        if self.persistent is None and isinstance(grid, LineGrid):
            main = max(self.partitions, key=lambda partition: partition.feature == "score")
            counts = _by_half(main, (arm, other_arm)).sum(axis=0)
            self.persistent_on = main
            self.persistent = PersistentBets.start(counts, main.ordered, grid)


def _by_half(partition: Partition, arms: tuple[Outcomes, Outcomes]) -> Array:
    """Counts by half (even and odd draws), arm and cell, shape (2, 2, K)."""
    tallies = [tally(partition, arm, 0, 0)[1] for arm in arms]
    return np.stack(tallies, axis=1).astype(np.float64)
