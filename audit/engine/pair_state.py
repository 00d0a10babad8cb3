"""What the audit remembers of one pair: past draws, partitions, counts, bets."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.engine.counts.batch import Batch
from audit.engine.counts.block import tally
from audit.engine.experts import Bets, Grid, make_bets
from audit.engine.experts.own_bets import STARTS, STARTS_ON_SCORES, OwnBets, signal
from audit.engine.experts.ratio_choice import RatioChoice, choose
from audit.engine.homogeneity import LOOKS, STRETCH, Watch, Watched, change_of, watches_of
from audit.engine.partitions import Partition, fit_all, fit_for_ratios, single_values
from audit.engine.partitions.coordinate_pairs import CoordinatePair
from audit.engine.partitions.halves import counted_part
from audit.engine.partitions.projection import shift_of
from audit.engine.partitions.row_table import RowTable
from audit.engine.partitions.score_table import ScoreTable
from audit.levels.moments import MomentGrid
from audit.levels.supporting_lines import LineGrid

__all__ = ["SETTLED", "PairState"]

Array = NDArray[np.float64]

LARGEST_MEMORY, LEAST_MEMORY = 200_000, 1_000
"""Draws of each arm that are kept to fit partitions anew."""

LARGEST_MEMORY_VALUES = 2**23
"""Values of all columns, arms and pairs that are kept: fixed before the first bet."""

SETTLED = 200
"""Draws of each arm from which on quantiles are worth keeping: tables are fitted anew there, the
persistent bets' second start is due, and outputs are looked at for what may not be audited."""

LOOKED_AT = 4096
"""Draws of each arm that are then, at most."""

REFIT_GROWTH = 2
REMADE_GROWTH, REMADE_GROWTH_LATER = 1.1, 1.25
LATER = 20_000
"""Draws of each arm from which on bets are made anew less often; up to `SETTLED` it is with each
batch."""

PAIRS_WITH_FACTORS = 4
"""Among at most so many pairs the factors of own bets are kept from batch to batch."""


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
        Pairs that the run began with, which share the memory and the wealth; a pair that joined
        later, of index `pairs` or more, has no bets of its own.
    user : int or None
        Whose record the pair changes, for a personalized claim.
    single : bool
        Whether the target is asked for one draw a call: it may raise, or its draws of one call
        depend on each other.
    draws, batches : int
        Draws of each arm and batches so far.
    ends : list of int
        Draws of each arm at the ends of the first batches.
    bets : Bets or None
        The experts' next bets; None before the first draws.
    watches : list of Watch
        In what it is looked at whether the laws stay.
    watched : list of (list of Watched, list of Watched)
        For each of them the stretches of both arms, in the order of time.
    looked_at : int
        Draws of each arm with which that was done last.
    learns_ratios : bool
        Whether the ratio expert has a bet.
    shared : int
        Leading partitions that all experts read; the ratio expert alone reads the rest.
    choice : RatioChoice or None
        On which of them it learns; None where nothing helps.
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
    single: bool = False
    draws: int = 0
    batches: int = 0
    fitted_at: int = 0
    made_at: int = 0
    all_made_at: int = 0
    ends: list[int] = field(default_factory=list)
    past: tuple[list[Outcomes], list[Outcomes]] = field(default_factory=lambda: ([], []))
    partitions: list[Partition] = field(default_factory=list)
    counts: list[Array] = field(default_factory=list)
    own: OwnBets | None = None
    bets: Bets | None = None
    watches: list[Watch] = field(default_factory=list)
    watched: list[tuple[list[Watched], list[Watched]]] = field(default_factory=list)
    looked_at: int = 0
    learns_ratios: bool = True
    shared: int = 0
    choice: RatioChoice | None = None

    @property
    def memory(self) -> int:
        """Draws of each arm that are kept."""
        rows = LARGEST_MEMORY_VALUES // (2 * self.pairs * len(self.encoder.columns))
        return min(LARGEST_MEMORY, max(LEAST_MEMORY, rows))

    def counted(self) -> list[Partition]:
        """Partitions that are bet on; the last are those of the pair's own bets."""
        return [*self.partitions, *([] if self.own is None else self.own.partitions)]

    def needs_draws(self, size: int) -> bool:
        """Whether the draws of the next batch are kept, besides their counts.

        The first ones, and the first two batches, are compared with each other as well.
        """
        first = self.batches < 2 or self.draws < SETTLED
        return first or self.draws + size <= self.memory

    def first_arms(self) -> tuple[Outcomes, Outcomes]:
        """The first draws, so many as were kept and are looked at for what may not be audited."""
        arm, other_arm = (Outcomes.concatenate(memory)[slice(LOOKED_AT)] for memory in self.past)
        return arm, other_arm

    def used_cells(self, partition: int) -> NDArray[np.intp]:
        """Cells of a partition that some draw of the past has met, ascending."""
        return np.flatnonzero(self.counts[partition].sum(axis=(0, 1)))

    def learn(self, batch: Batch, grid: Grid) -> None:
        """Add a whole batch to the past; if it has grown enough, fit and make the bets anew."""
        if self.batches < 2 or self.draws < SETTLED:
            self.ends.append(self.draws + batch.size)
        self.draws += batch.size
        self.batches += 1
        self.encoder = batch.encoder
        self._watch(batch)
        if batch.arms is not None and self.draws <= self.memory:
            for memory, arm in zip(self.past, batch.arms, strict=True):
                memory.append(arm)
        due = self._is_due(self.fitted_at, REFIT_GROWTH) and self.draws <= self.memory
        if not self.partitions or due:
            self._fit(grid)
            self._drop_what_has_read_enough()
        else:
            self.counts = [c + new for c, new in zip(self.counts, batch.by_half(), strict=False)]
            growth = REMADE_GROWTH if self.draws < LATER else REMADE_GROWTH_LATER
            growth = growth if self.draws >= SETTLED else 1.0
            if self._drop_what_has_read_enough():
                self.all_made_at = 0
            elif self.draws < growth * self.made_at:
                return  # the same bets go on
        self.made_at = self.draws
        if self.own is not None:
            self.own.make()
        self._bet(grid)

    def _bet(self, grid: Grid) -> None:
        """Make the bets anew: those on other points than the claim where the draws have doubled."""
        ordered = [partition.ordered for partition in self.partitions]
        single = [single_values(partition) for partition in self.partitions]
        if self.draws >= 2 * self.all_made_at or self.bets is None or isinstance(grid, MomentGrid):
            self.all_made_at = self.draws
            self.bets = self._made(ordered, single, grid)
        else:
            newer = self._made(ordered, single, grid.at_claim())
            self.bets = self.bets.renewed(newer, grid.claimed)
        if self.bets.ratios is not None:
            self.choice = self.bets.ratios.choice

    def _made(self, ordered: list[int], single: list[NDArray[np.bool_]], grid: Grid) -> Bets:
        return make_bets(
            self.counts,
            ordered,
            single,
            grid,
            pairs=self.pairs,
            choice=self.choice,
            shared=self.shared,
        )

    def _is_due(self, last: int, growth: float) -> bool:
        """Whether the draws have grown so much since, or have come to `SETTLED`."""
        return self.draws >= growth * last or last < SETTLED <= self.draws

    def _watch(self, batch: Batch) -> None:
        """Keep the stretches of a batch; the first one chooses in what they are counted."""
        if not self.watches and batch.arms is not None:
            self.watches = watches_of(self.encoder, batch.arms)
            calls = [STRETCH] * (batch.size // STRETCH) + [batch.size % STRETCH]
            self.watched = [
                ([watch.count(batch.arms[0], calls)], [watch.count(batch.arms[1], calls)])
                for watch in self.watches
            ]
            return
        for arm, of_watches in enumerate(batch.watched):
            for kept, new in zip(self.watched, of_watches, strict=False):
                kept[arm].append(new)

    def change(self, level: float) -> str | None:
        """Say how the laws of the outputs have changed, or draws depend on each other, if so.

        Parameters
        ----------
        level : float
            Of all tests of this pair, whenever they are made; see `homogeneity`.
        """
        self.looked_at = self.draws
        each = level / (LOOKS * 2 * max(1, len(self.watches)))
        for watch, arms in zip(self.watches, self.watched, strict=True):
            for word, parts in zip(("data", "neighbor"), arms, strict=True):
                found = change_of(watch, Watched.joined(parts), word, each)
                if found is not None:
                    return found
        return None

    def _drop_what_has_read_enough(self) -> bool:
        """Leave out partitions that may look at no more draws; whether there were any."""
        goes_on = [p.reads is None or self.draws < p.reads for p in self.partitions]
        if not all(goes_on):
            self.shared = sum(goes_on[: self.shared])
            if self.choice is not None:
                place = self.choice.partition
                moved = replace(self.choice, partition=sum(goes_on[:place]))
                self.choice = moved if goes_on[place] else None
            self.partitions = [p for p, on in zip(self.partitions, goes_on, strict=True) if on]
            self.counts = [c for c, on in zip(self.counts, goes_on, strict=True) if on]
        return not all(goes_on)

    def draws_to_read(self) -> float:
        """Draws until a partition has read enough; a batch ends there at the latest."""
        return min(
            (p.reads - self.draws for p in self.partitions if p.reads is not None),
            default=math.inf,
        )

    def _fit(self, grid: Grid) -> None:
        arm, other_arm = (Outcomes.concatenate(memory) for memory in self.past)
        self.past = ([arm], [other_arm])
        self.fitted_at, self.all_made_at = self.draws, 0
        self.encoder.shift = shift_of(self.data, self.neighbor)
        self.partitions = fit_all(
            self.encoder, arm, other_arm, ideal=self.ideal, thorough=self.thorough
        )
        self.counts = []
        for partition in self.partitions:
            arms = _counted(partition, (arm, other_arm))
            self.counts.append(_by_half(partition, arms))
        self.shared = len(self.partitions)
        if isinstance(grid, LineGrid) and self.learns_ratios:
            self._choose_ratios(grid, (arm, other_arm))
        if isinstance(grid, LineGrid) and self.index < self.pairs:
            self._begin_own_bets(grid)

    def _choose_ratios(self, grid: LineGrid, arms: tuple[Outcomes, Outcomes]) -> None:
        """Choose what the ratio expert learns on; of its own partitions that one alone is kept."""
        own = fit_for_ratios(self.encoder, *arms)
        counts = self.counts + [_by_half(p, _counted(p, arms)) for p in own]
        partitions = self.partitions + own
        ordered = [partition.ordered for partition in partitions]
        trees = {i: p.trees for i, p in enumerate(partitions) if isinstance(p, CoordinatePair)}
        self.choice = choose(counts, ordered, grid, self.choice, trees)
        if self.choice is not None and self.choice.partition >= self.shared:
            place = self.choice.partition
            self.partitions, self.counts = (
                [*self.partitions, partitions[place]],
                [*self.counts, counts[place]],
            )
            self.choice = replace(self.choice, partition=self.shared)

    def _begin_own_bets(self, grid: LineGrid) -> None:
        """Begin persistent bets on the most telling score, or on the table, where they are due."""
        scores = [
            i
            for i, partition in enumerate(self.partitions)
            if isinstance(partition, ScoreTable | RowTable)
        ]
        if self.own is None:
            kept = self.pairs <= PAIRS_WITH_FACTORS
            vector = len(self.encoder.columns) > 1
            self.own = OwnBets(grid, STARTS_ON_SCORES if vector else STARTS, kept=kept)

        def told(i: int) -> float:
            return signal(self.counts[i], self.partitions[i].ordered, grid)

        while self.own.due(self.draws):
            chosen = max(scores, key=told, default=0)
            self.own.begin(self.partitions[chosen], self.counts[chosen].sum(axis=0))


def _counted(partition: Partition, arms: tuple[Outcomes, Outcomes]) -> tuple[Outcomes, Outcomes]:
    """The part of the past that a partition has not learned from."""
    return (counted_part(arms[0]), counted_part(arms[1])) if partition.supervised else arms


def _by_half(partition: Partition, arms: tuple[Outcomes, Outcomes]) -> Array:
    """Counts by half (even and odd draws), arm and cell, shape (2, 2, K)."""
    tallies = [tally(partition, arm, 0, 0)[1] for arm in arms]
    return np.stack(tallies, axis=1).astype(np.float64)
