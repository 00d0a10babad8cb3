"""The event of a witness: of all that show the violation, one that a person can read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Outcomes
from audit.draws.events import FAILED, MISSING
from audit.engine.betting import z_score
from audit.engine.candidates import WHOLE, CellOrder
from audit.engine.pair_state import PairState
from audit.engine.partitions import Partition, ordinary_cells, single_values
from audit.engine.partitions.lattice import FEATURE
from audit.engine.partitions.table import ColumnTable
from audit.engine.witness.boxes import find_box
from audit.engine.witness.learned_event import learned_event
from audit.verdict import Interval

__all__ = ["Event", "filled", "readable_event"]

LEAST_SHARE_OF_Z = 0.6
CLEAR_Z = 4.0
"""What the best of many events may reach by chance alone, and a little more."""


@final
@dataclass(frozen=True, slots=True)
class Event:
    """An event in words, as an expression in the output `z`, and as a function of encoded draws.

    `arm` is the arm (0 data, 1 neighbor) on which it is too likely. `intervals` are those of a
    single value, where the event is nothing else. `chances` are its probabilities on `arm` and on
    the other, where the past draws themselves would say too much.
    """

    sentence: str
    expression: str
    feature: str
    arm: int
    holds: Callable[[Outcomes], NDArray[np.bool_]]
    intervals: tuple[Interval, ...] | None = None
    chances: tuple[float, float] | None = None


def readable_event(state: PairState, line: tuple[float, float], *, learned: bool = False) -> Event:
    """Choose by the past of a pair: the simplest event whose z comes close to the best.

    Parameters
    ----------
    state : PairState
        A pair that has been bet on.
    line : (float, float)
        s and t of the claim.
    learned : bool
        Whether only the bet on a learned function has shown the violation: the event is then where
        that function is large, if this is about as clear as any other.
    """
    assert state.bets is not None
    found = learned_event(state, line) if learned else None
    if found is not None and found.z >= LEAST_SHARE_OF_Z * float(_gaps_of(state, line).max()):
        ordered_by_value = isinstance(state.partitions[found.partition], ColumnTable)
        event = _event(state, found.partition, found.direction, found.cells, fill=ordered_by_value)
        return replace(event, chances=found.chances)
    order, cells = _simplest(state, line)
    partition = state.partitions[order.partition]
    if partition.feature == "score":
        arms = [Outcomes.concatenate(memory) for memory in state.past]
        box = find_box(state.encoder, arms[order.direction], arms[1 - order.direction], line)
        if box is not None and box.z > _close_to(state.bets.suspicion):
            return Event(*box.describe(), "value", order.direction, box.contains)
    return _event(state, order.partition, order.direction, cells)


def _event(
    state: PairState, index: int, direction: int, cells: NDArray[np.intp], *, fill: bool = True
) -> Event:
    """The event of some cells of a partition that draws have met."""
    partition = state.partitions[index]
    if fill:
        chosen = filled(cells, state.used_cells(index), partition)
    else:
        chosen = np.isin(np.arange(partition.size), cells)

    def holds(outcomes: Outcomes) -> NDArray[np.bool_]:
        return chosen[partition.codes(outcomes)]

    intervals = None
    of_numbers = isinstance(partition, ColumnTable) and not chosen[partition.ordered :].any()
    if isinstance(partition, ColumnTable) and of_numbers and state.encoder.width is None:
        intervals = tuple((*lower, *upper) for lower, upper in partition.ends(chosen))
    words = partition.describe(chosen)
    return Event(*words, partition.feature, direction, holds, intervals)


def _gaps_of(state: PairState, line: tuple[float, float]) -> NDArray[np.float64]:
    """Z of all candidates against a line."""
    assert state.bets is not None
    candidates = state.bets.candidates
    n = candidates.n
    p, q = (_from_as_many(estimate, n) for estimate in (candidates.p, candidates.q))
    return np.asarray(z_score(p, q, n.max(), *map(np.array, line))[:, 0])


def _simplest(state: PairState, line: tuple[float, float]) -> tuple[CellOrder, NDArray[np.intp]]:
    """The event of fewest pieces among those whose z comes close to the best."""
    assert state.bets is not None
    candidates, z = state.bets.candidates, _gaps_of(state, line)
    best = float(z.max())  # below 0 where the past says nothing of what a later test found
    close = np.flatnonzero(z >= _close_to(best))

    def difficulty(
        event: int,
    ) -> tuple[bool, bool, bool, int, bool, bool, bool, bool, float]:
        order, cells = candidates.locate(event)
        partition = state.partitions[order.partition]
        numbers = np.searchsorted(
            state.used_cells(order.partition), np.sort(cells[cells < partition.ordered])
        )
        pieces = cells.size - numbers.size + int((np.diff(numbers) > 1).sum()) + (numbers.size > 0)
        return (
            partition.feature == FEATURE,
            _is_of_missing(partition, cells),
            partition.ordered == 0 and not _is_of_failures(partition, cells),
            pieces,
            bool(ordinary_cells(partition)[cells].any()),
            numbers.size > 0,
            order.sample != WHOLE,  # an order by the value has no gaps where nothing was met
            not single_values(partition)[cells].all(),
            -float(z[event]),
        )

    chosen = min(map(int, close), key=difficulty)
    index = candidates.locate(chosen)[0].partition
    ordinary = ordinary_cells(state.partitions[index])
    if ordinary[candidates.locate(chosen)[1]].any():
        clear = np.flatnonzero((candidates.partition == index) & (z >= CLEAR_Z))
        others = [e for e in clear.tolist() if not ordinary[candidates.locate(e)[1]].any()]
        chosen = min(others, key=difficulty, default=chosen)
    return candidates.locate(chosen)


def _labels_of(partition: Partition, cells: NDArray[np.intp]) -> list[str]:
    """Labels of the categories of a table that an event is made of."""
    if not isinstance(partition, ColumnTable):
        return []
    places = cells[(cells >= partition.ordered) & (cells < partition.size - 1)]
    return [partition.labels[place - partition.ordered] for place in places.tolist()]


def _is_of_missing(partition: Partition, cells: NDArray[np.intp]) -> bool:
    """Whether an event is of a coordinate that failures have not: the form names them."""
    return MISSING in _labels_of(partition, cells)


def _is_of_failures(partition: Partition, cells: NDArray[np.intp]) -> bool:
    """Whether an event is made of exceptions alone."""
    labels = _labels_of(partition, cells)
    return len(labels) == cells.size and all(label.startswith(FAILED) for label in labels)


def _close_to(best: float) -> float:
    """The z from which on an event is close to the best, and no work of chance if that is none."""
    return max(best - (1 - LEAST_SHARE_OF_Z) * abs(best), min(best, CLEAR_Z))


def _from_as_many(estimate: NDArray[np.float64], n: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the same share of the most draws would give, (h + 1/2) / (n + 1) of h hits.

    Some orders are counted on half of the draws: near 0 and 1, where the halves in the smoothing
    are all the variance, z grows like n, and it would prefer what was counted on more draws.
    """
    share = (estimate * (n + 1) - 0.5) / n
    return np.asarray((share * n.max() + 0.5) / (n.max() + 1))


def filled(
    cells: NDArray[np.intp], used: NDArray[np.intp], partition: Partition
) -> NDArray[np.bool_]:
    """The event as a mask; ordered cells that no draw has met go with the next one that was."""
    chosen = np.zeros(partition.size, dtype=bool)
    chosen[cells] = True
    line = used[used < partition.ordered]
    if line.size:
        all_cells = np.arange(partition.ordered)
        nearest = line[np.minimum(np.searchsorted(line, all_cells), line.size - 1)]
        chosen[: partition.ordered] = chosen[nearest]
    return chosen
