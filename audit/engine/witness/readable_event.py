"""Events that the bets are about: of all whose past draws show the violation, the simplest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.draws.output_words import MISSING
from audit.engine.bet_growth import z_score
from audit.engine.candidate_events import WHOLE, CellOrder
from audit.engine.pair_state import PairState
from audit.engine.partitions import Partition, ordinary_cells, single_values
from audit.engine.partitions.column_table import ColumnTable
from audit.engine.partitions.float_lattice import FEATURE
from audit.engine.partitions.intervals import runs
from audit.engine.partitions.residues import Residues
from audit.engine.witness.kinds.conditions import Condition
from audit.engine.witness.kinds.names import Names
from audit.engine.witness.kinds.readable_kind import Readable
from audit.engine.witness.kinds.remainders import Remainders
from audit.engine.witness.kinds.unions import Union
from audit.results.verdict import FAILED

__all__ = [
    "LEAST_SHARE_OF_Z",
    "CellEvent",
    "as_kind",
    "filled",
    "simplest_cells",
]

LEAST_SHARE_OF_Z = 0.6
"""Of the best z, what a simpler event must have: one that a reader understands may take
1/.6^2 = 2.8 times the fresh draws."""

CLEAR_Z = 4.0
"""What the best of many events may reach by chance alone, and a little more."""


@final
@dataclass(frozen=True, slots=True)
class CellEvent:
    """Cells of one partition; `arm` (0 data, 1 neighbor) is that on which they are too likely."""

    partition: Partition
    cells: NDArray[np.bool_]
    arm: int

    @property
    def pieces(self) -> int:
        """Runs of ordered cells, and single ones of the rest."""
        ordered = self.partition.ordered
        return len(runs(self.cells[:ordered])) + int(self.cells[ordered:].sum())

    def holds(self, outcomes: Outcomes) -> NDArray[np.bool_]:
        """Whether each draw is in one of them."""
        return self.cells[self.partition.codes(outcomes)]

    def describe(self) -> tuple[str, str]:
        """Words and expression."""
        return self.partition.describe(self.cells)


def simplest_cells(state: PairState, line: tuple[float, float]) -> CellEvent:
    """Choose by the past of a pair: the simplest event of cells whose z comes close to the best.

    Parameters
    ----------
    state : PairState
        A pair that has been bet on.
    line : (float, float)
        s and t of the claim.
    """
    return _cell_event(state, *_simplest(state, line))


def _cell_event(state: PairState, order: CellOrder, cells: NDArray[np.intp]) -> CellEvent:
    partition = state.partitions[order.partition]
    chosen = filled(cells, state.used_cells(order.partition), partition)
    return CellEvent(partition, chosen, order.direction)


def as_kind(event: CellEvent, encoder: Encoder) -> Readable | None:
    """The event as one of a kind, where its cells are intervals, names or remainders alone."""
    partition, cells = event.partition, event.cells
    if isinstance(partition, Residues) and partition.ordered == 0 and not cells[-1]:
        return Remainders(partition, tuple(np.flatnonzero(cells).tolist()))
    if not isinstance(partition, ColumnTable) or cells[-1]:
        return None
    name, coordinate = encoder.columns[partition.column]
    if not cells[partition.ordered :].any():
        intervals = tuple((*lower, *upper) for lower, upper in partition.ends(cells))
        return Union(Condition(partition.column, name, coordinate, intervals))
    if not cells[: partition.ordered].any():
        labels = _labels_of(partition, np.flatnonzero(cells))
        codes = tuple(encoder.labels[label] for label in labels)
        return Names(partition.column, name, coordinate, codes, tuple(labels))
    return None


def _scores(state: PairState, line: tuple[float, float]) -> NDArray[np.float64]:
    """Z of every candidate, as if all were counted on as many draws."""
    assert state.bets is not None
    candidates = state.bets.candidates
    n = candidates.n
    p, q = (_from_as_many(estimate, n) for estimate in (candidates.p, candidates.q))
    return z_score(p, q, n.max(), *map(np.array, line))[:, 0]


def _simplest(state: PairState, line: tuple[float, float]) -> tuple[CellOrder, NDArray[np.intp]]:
    """The event of fewest pieces among those whose z comes close to the best."""
    assert state.bets is not None
    candidates = state.bets.candidates
    z = _scores(state, line)
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
