"""The event that a witness tells: a readable one, wherever it is as strong as any.

Two sources propose. The bets have cells of partitions, among them scores of many coordinates, which
find a violation and say nothing to a reader. The kinds (`audit.engine.witness.kinds`) propose
events that a sentence says. All are judged by the half of the past that neither the kinds nor the
scores were made from: by a lower limit of the loss. A readable event is told if its limit is not
below the confidence interval of that of the strongest event; of several, the simplest. Fresh draws
then confirm the one that is told, so nothing here can make a witness false.

Where only the bet on a learned function has shown the violation, the event may be where that
function is large: if no readable one comes as near to its gap (`LEAST_SHARE`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.engine.pair_state import PairState
from audit.engine.partitions import ordinary_cells
from audit.engine.partitions.column_table import ColumnTable
from audit.engine.partitions.float_lattice import FEATURE, MantissaClass
from audit.engine.partitions.line_pieces import MOST_PIECES_IN_WORDS
from audit.engine.partitions.score_table import ScoreTable
from audit.engine.witness.kinds import proposals
from audit.engine.witness.kinds.names import MOST_NAMES, Names
from audit.engine.witness.kinds.past_of_event import Arms
from audit.engine.witness.kinds.readable_kind import Readable, Stated
from audit.engine.witness.kinds.unions import MOST_INTERVALS, Union
from audit.engine.witness.learned_event import LearnedEvent, learned_event, listed_part
from audit.engine.witness.readable_event import (
    LEAST_SHARE_OF_Z,
    CellEvent,
    as_kind,
    filled,
    simplest_cells,
)
from audit.engine.witness.rounded_event import rounded
from audit.engine.witness.strength import Halves, Strength, strength_of
from audit.results.refutation import Interval

__all__ = ["WitnessEvent", "looks_at_floats", "witness_event"]

LEAST_SHARE = 0.85
"""Of the largest z among events that are as strong in their loss: one with less z takes 1/.85^2 =
1.4 times the fresh draws. A third of three alike intervals has 1/sqrt(3), two have .82."""

MOST_PIECES = 4
"""Of an event of cells that a sentence still tells: three intervals, and what is no number."""


@final
@dataclass(frozen=True, slots=True)
class WitnessEvent:
    """An event in words, as an expression in the output `z`, and as a function of encoded draws.

    `arm` is the arm (0 data, 1 neighbor) on which it is too likely. `stated` is the event as
    values, where it is of a kind; `intervals` are those of a single value, where it is nothing
    else. `chances` are its probabilities on `arm` and on the other, where the past draws themselves
    would say too much.
    """

    sentence: str
    expression: str
    feature: str
    arm: int
    holds: Callable[[Outcomes], NDArray[np.bool_]]
    stated: Stated | None = None
    intervals: tuple[Interval, ...] | None = None
    chances: tuple[float, float] | None = None


@final
@dataclass(frozen=True, slots=True)
class Judged:
    """An event of either source, with what the judging draws say of it."""

    event: Readable | CellEvent
    arm: int
    strength: Strength

    @property
    def is_readable(self) -> bool:
        """Whether a sentence tells it."""
        event = self.event
        if not isinstance(event, CellEvent):
            return True
        unsaid = isinstance(event.partition, ScoreTable | MantissaClass)
        return not unsaid and event.pieces <= MOST_PIECES

    @property
    def difficulty(self) -> tuple[bool, int, bool, bool, float, bool]:
        """What a reader has to take in; events of floats' representation come last.

        Among these a -0 says more than a 0. Of two that are alike a name is plainer than numbers.
        """
        event = self.event
        if not isinstance(event, CellEvent):
            return False, event.pieces, False, False, -self.strength.z, not isinstance(event, Names)
        of_floats = event.partition.feature == FEATURE
        ordinary = bool(ordinary_cells(event.partition)[event.cells].any())
        return of_floats, event.pieces, True, ordinary, -self.strength.z, True


def looks_at_floats(state: PairState, line: tuple[float, float]) -> bool:
    """Whether what the bets found shows in the representation of numbers alone."""
    return simplest_cells(state, line).partition.feature == FEATURE


def witness_event(
    state: PairState, line: tuple[float, float], *, learned: bool = False
) -> WitnessEvent:
    """Choose by the past of a pair.

    Parameters
    ----------
    state : PairState
        A pair that has been bet on.
    line : (float, float)
        s and t of the claim.
    learned : bool
        Whether only the bet on a learned function has shown the violation.
    """
    simplest = simplest_cells(state, line)
    if not state.past[0]:
        return _written(simplest, simplest.arm)
    arms = (Outcomes.concatenate(state.past[0]), Outcomes.concatenate(state.past[1]))
    halves = Halves.of(arms)
    chosen, floor = _chosen(state, simplest, halves, line)
    event = chosen.event
    function = learned_event(state, line) if learned else None
    if function is not None and _is_clearer(function, chosen, halves):
        function = _told(state, function, line)
        cells = _cells_of(state, function)
        if _differ(event, cells, arms):
            return _of_cells(cells, state.encoder, arms, line, function.chances)
    if isinstance(event, CellEvent):
        kind = as_kind(event, state.encoder)
        if kind is None or kind.pieces > MOST_PIECES_IN_WORDS:
            return _of_cells(event, state.encoder, arms, line)
        event = kind
    event = rounded(event, _seen_from(halves.judging, chosen.arm), line, floor)
    return _written(event, chosen.arm)


def _chosen(
    state: PairState, simplest: CellEvent, halves: Halves, line: tuple[float, float]
) -> tuple[Judged, float]:
    """The simplest event that is strong enough, and the limit of the loss that is asked for."""

    def judged(event: Readable | CellEvent, arm: int) -> Judged:
        likelier, other = _seen_from(halves.judging, arm)
        masks = event.holds(likelier), event.holds(other)
        return Judged(event, arm, strength_of(masks, line))

    own = judged(simplest, simplest.arm)
    found = [own]
    for arm in (0, 1):
        likelier, other = _seen_from(halves.proposing, arm)
        told = proposals(Arms(state.encoder, likelier, other, line))
        found += [judged(event, arm) for event in told]
    # by z: the largest of many limits is that of a rare event, and luck
    best = max(found, key=lambda one: one.strength.z)
    readable = [one for one in found if one.is_readable]
    strong = [one for one in readable if one.strength.limit >= best.strength.floor]
    if strong:
        most = max(one.strength.z for one in strong)  # below 0 where the past says nothing
        strong = [one for one in strong if one.strength.z >= most - (1 - LEAST_SHARE) * abs(most)]
        return min(strong, key=lambda one: one.difficulty), best.strength.floor
    if not own.is_readable:
        z = best.strength.z
        least = z - (1 - LEAST_SHARE_OF_Z) * abs(z)
        close = [one for one in readable if one.strength.z >= least]
        own = min(close, key=lambda one: one.difficulty, default=own)
    return own, own.strength.floor


def _is_clearer(function: LearnedEvent, chosen: Judged, halves: Halves) -> bool:
    """Whether its gap is far beyond that of the readable event, were that seen on as many draws."""
    as_many = math.sqrt(function.draws / len(halves.judging[0]))
    return chosen.strength.z * as_many < LEAST_SHARE * function.z


def _told(state: PairState, function: LearnedEvent, line: tuple[float, float]) -> LearnedEvent:
    """The function's event, or the part of it that a sentence lists, if that is as strong."""
    cells = _cells_of(state, function)
    if _is_listed(cells, as_kind(cells, state.encoder)):
        return function
    part = listed_part(state, function, line)
    if part is None or part.limit < function.floor or part.z < LEAST_SHARE_OF_Z * function.z:
        return function
    return part


def _is_listed(event: CellEvent, kind: Readable | None) -> bool:
    """Whether a sentence lists all of an event's pieces; `kind` is the same as one of a kind."""
    if isinstance(kind, Names):
        return kind.pieces <= MOST_NAMES
    return event.pieces <= (MOST_INTERVALS if isinstance(kind, Union) else MOST_PIECES)


def _differ(event: Readable | CellEvent, cells: CellEvent, arms: Sequence[Outcomes]) -> bool:
    """Whether two events, or one and what the other leaves out, differ on some draw of the past."""
    same = np.concatenate([event.holds(arm) == cells.holds(arm) for arm in arms])
    return not (same.all() or (~same).all())


def _cells_of(state: PairState, function: LearnedEvent) -> CellEvent:
    partition = state.partitions[function.partition]
    if isinstance(partition, ColumnTable):
        cells = filled(function.cells, state.used_cells(function.partition), partition)
    else:
        cells = np.isin(np.arange(partition.size), function.cells)
    return CellEvent(partition, cells, function.direction)


def _seen_from(arms: tuple[Outcomes, Outcomes], arm: int) -> tuple[Outcomes, Outcomes]:
    """The likelier arm first."""
    return (arms[0], arms[1]) if arm == 0 else (arms[1], arms[0])


def _of_cells(
    event: CellEvent,
    encoder: Encoder,
    arms: tuple[Outcomes, Outcomes],
    line: tuple[float, float],
    chances: tuple[float, float] | None = None,
) -> WitnessEvent:
    """Cells as they are; of many pieces the words name those with the largest gaps of the past."""
    written = _written(as_kind(event, encoder) or event, event.arm, chances)
    partition = event.partition
    if not isinstance(partition, ColumnTable) or event.pieces <= MOST_PIECES_IN_WORDS:
        return written
    p, q = (
        np.bincount(partition.codes(arm), minlength=partition.size) / len(arm)
        for arm in _seen_from(arms, event.arm)
    )
    return replace(written, sentence=partition.describe(event.cells, p - line[0] * q)[0])


def _written(
    event: Readable | CellEvent, arm: int, chances: tuple[float, float] | None = None
) -> WitnessEvent:
    sentence, expression = event.describe()
    if isinstance(event, CellEvent):
        feature = event.partition.feature
        return WitnessEvent(sentence, expression, feature, arm, event.holds, chances=chances)
    intervals = None
    if isinstance(event, Union) and event.condition.coordinate is None:
        intervals = event.condition.intervals
    told = event.as_json()
    return WitnessEvent(sentence, expression, "value", arm, event.holds, told, intervals, chances)
