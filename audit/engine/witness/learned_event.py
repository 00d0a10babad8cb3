"""The event of a bet on a learned function: where the function is large.

A bet on f is a mean of bets on the events {f > t} (ENG-T1b); the event that is shown has the t with
the largest gap on the past draws. These are shared by the arms as the learned ratios say: f is
large where chance has given one arm more of them, so their own counts would promise too much.

Of many pieces a sentence lists a few: the clearest part of at most so many names, or intervals, by
the same counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.bet_growth import z_score
from audit.engine.experts.ratio_bets import RatioBets
from audit.engine.pair_state import PairState
from audit.engine.partitions.column_table import ColumnTable
from audit.engine.witness.kinds.names import MOST_NAMES
from audit.engine.witness.kinds.past_of_event import priced
from audit.engine.witness.kinds.segments import best_runs
from audit.engine.witness.kinds.unions import MOST_INTERVALS
from audit.engine.witness.strength import strength_of_counts

__all__ = ["LearnedEvent", "learned_event", "listed_part"]

Array = NDArray[np.float64]
Cells = NDArray[np.intp]


@final
@dataclass(frozen=True, slots=True)
class LearnedEvent:
    """Cells of one partition, and the arm on which they are too likely.

    `chances` are their probabilities on that arm and on the other, and `z` their gap by so many
    `draws`, as learned; `limit` is the lower limit of their loss, and `floor` where the interval
    about it ends.
    """

    partition: int
    direction: int
    cells: Cells
    chances: tuple[float, float]
    z: float
    draws: float
    limit: float
    floor: float


@final
@dataclass(frozen=True, slots=True)
class _Function:
    """A function that was bet on, and the past draws of its cells as its ratios share them."""

    bets: RatioBets
    partition: int
    direction: int
    draws: float
    line: tuple[float, float]

    @property
    def hits(self) -> Array:
        """By cell, on the arm where it is large and on the other, shape (2, U)."""
        return self.bets.hits[[self.direction, 1 - self.direction]]

    def z(self, hits: Array) -> Array:
        """Gaps of events with so many hits on the two arms, shape (2, ...)."""
        p, q = (hits + 0.5) / (self.draws + 1)
        return z_score(p, q, np.array(self.draws), *map(np.array, self.line))

    def event(self, places: Cells) -> LearnedEvent:
        """Some of its cells, by their places."""
        hits = self.hits[:, places].sum(axis=1)
        n = self.draws
        found = strength_of_counts((hits[0], hits[1]), (n, n), self.line)
        p, q = ((hits + 0.5) / (n + 1)).tolist()
        z = float(self.z(hits))
        cells = self.bets.used[places]
        return LearnedEvent(
            self.partition, self.direction, cells, (p, q), z, n, found.limit, found.floor
        )


def _function(state: PairState, direction: int, line: tuple[float, float]) -> _Function | None:
    bets = None if state.bets is None else state.bets.ratios
    if bets is None or bets.choice is None:
        return None
    partition = bets.choice.partition
    draws = float(state.counts[partition][:, 0].sum())
    return _Function(bets, partition, direction, draws, line)


def learned_event(state: PairState, line: tuple[float, float]) -> LearnedEvent | None:
    """The clearest {f > t} of the pair's bet on a function, in either direction.

    Parameters
    ----------
    state : PairState
        A pair that has been bet on.
    line : (float, float)
        s and t of the claim.

    Returns
    -------
    LearnedEvent or None
        None where no function was bet on, or it is 0 everywhere.
    """
    found = []
    for direction in (0, 1):
        function = _function(state, direction, line)
        if function is None:
            return None
        values = function.bets.functions[direction]
        order = np.argsort(-values, kind="stable")
        order = order[values[order] > 0]
        if order.size:
            z = function.z(np.cumsum(function.hits[:, order], axis=1))
            # equal values of f go together
            z[:-1][np.diff(values[order]) == 0] = -np.inf
            found.append(function.event(order[: int(z.argmax()) + 1]))
    return max(found, key=lambda event: event.z, default=None)


def listed_part(
    state: PairState, event: LearnedEvent, line: tuple[float, float]
) -> LearnedEvent | None:
    """The clearest few intervals, or names, of the same column; None where it is none.

    Parameters
    ----------
    state, line
        See `learned_event`.
    event : LearnedEvent
        Of more pieces than a sentence lists.
    """
    table = state.partitions[event.partition]
    function = _function(state, event.direction, line)
    if function is None or not isinstance(table, ColumnTable):
        return None
    parts = [part for part in _parts(function, table) if part.size]
    return max(map(function.event, parts), key=lambda part: part.z, default=None)


def _parts(function: _Function, table: ColumnTable) -> Iterator[Cells]:
    """Places of names and of intervals, one set for each price."""
    used, (p, q) = function.bets.used, function.hits / function.draws
    numbers = np.flatnonzero(used < table.ordered)
    names = np.flatnonzero((used >= table.ordered) & (used < table.size - 1))
    gains = priced(p, q, function.line[0])
    for row in gains:
        falling = names[np.argsort(-row[names], kind="stable")][:MOST_NAMES]
        yield falling[row[falling] > 0]
    for by_count in best_runs(gains[:, numbers], MOST_INTERVALS):
        inside = np.zeros(numbers.size, dtype=bool)
        for first, last in by_count[-1]:
            inside[first : last + 1] = True
        yield numbers[inside]
