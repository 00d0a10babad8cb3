"""One block of both arms: drawn in turn, encoded, and reduced to counts.

This function runs anywhere. It reads only its arguments (the encoder is the one that stood before
the batch, for every block alike), so its result does not depend on where or when it runs.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.blocks import (
    FIRST_BLOCK,
    LATER_FIRST_BLOCK,
    Block,
    blocks_of,
    call_size,
    calls_of,
    draw_block,
)
from audit.draws.containment import apart
from audit.draws.encode import Encoder, Outcomes
from audit.draws.streams import BatchPlace
from audit.engine.homogeneity import Watch, Watched
from audit.engine.partitions import Partition
from audit.engine.partitions.column_table import ColumnTable
from audit.engine.partitions.table_refinement import refined
from audit.targets.target import Calls, Target

__all__ = ["Tally", "Task", "count_block", "count_blocks", "tallies", "tally"]

WORTH_REFINING = 2**13
"""Draws from which on tables of one column are counted together."""

REFINEMENTS_KEPT = 8

COMMAND_BLOCK = 64
"""Draws of each arm in the first block of a program: a start may take longer than all of them."""

Counts = NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True)
class Task:
    """What all blocks of a batch have in common.

    Parameters
    ----------
    target, sides
        What to draw from, and on which two data sets.
    place : BatchPlace
        Of the batch.
    sizes : (int, int)
        Draws of each arm.
    single : bool
        Whether the target is asked for one draw a call.
    encoder : Encoder or None
        As it stood before the batch; None in a pair's first batch, which chooses the layout.
    partitions : tuple of Partition
        What to count in.
    keep : bool
        Whether the encoded draws themselves are needed.
    watches : tuple of Watch
        In what it is counted whether the law stays.
    """

    target: Target
    sides: tuple[Any, Any]
    place: BatchPlace
    sizes: tuple[int, int]
    single: bool
    encoder: Encoder | None
    partitions: tuple[Partition, ...]
    keep: bool = False
    watches: tuple[Watch, ...] = ()

    @property
    def look(self) -> int:
        """Draws of each arm before the first look, half of a batch of equal arms."""
        first, second = self.sizes
        return first // 2 if first == second else max(self.sizes)

    @property
    def per_call(self) -> int:
        """Draws of an arm in one call."""
        return call_size(self.target, max(self.sizes), single=self.single)

    def blocks(self) -> list[Block]:
        """The blocks of the batch."""
        columns = 1 if self.encoder is None else len(self.encoder.columns)
        calls = self.target.calls
        # a slow target has shown on the first pair that it is one
        if self.encoder is None and (calls is not Calls.MANY or self.place.pair == 0):
            first = COMMAND_BLOCK if calls is Calls.START else FIRST_BLOCK
        else:
            first = LATER_FIRST_BLOCK
        return blocks_of(self.sizes, first=first, columns=columns)


@final
@dataclass(frozen=True, slots=True)
class Tally:
    """What is left of one arm of a block.

    Parameters
    ----------
    counts : tuple of ndarray of int, shape (2, 2, K)
        For each partition: draws by side of the look, parity of the draw's number, and cell.
    outcomes : Outcomes or None
        The draws, in the codes of the block's own encoder, where they are kept.
    width : int or None
        Layout of the block's own encoder.
    labels : tuple of str
        Labels that the encoder before the batch did not know; empty unless draws are kept.
    watched : tuple of Watched
        One for each watch.
    """

    counts: tuple[Counts, ...]
    outcomes: Outcomes | None
    width: int | None
    labels: tuple[str, ...]
    watched: tuple[Watched, ...] = ()


FLOAT_ERRORS: dict[str, Any] = {
    "divide": "warn",
    "over": "warn",
    "under": "ignore",
    "invalid": "warn",
}
"""What numpy does about them unless a target has it do otherwise, which is for its draws alone."""


def count_block(task: Task, block: Block, *, deadline: float = math.inf) -> tuple[Tally, ...]:
    """Draw, encode and count one block, a tally an arm; raises as `draw_block` does."""
    return apart(  # type: ignore[no-any-return]
        task.target,
        _count_block,
        *(task, block, deadline),
        keep=[task],
        logs=task.single,
        deadline=deadline,
    )


def count_blocks(
    task: Task, blocks: Sequence[Block], *, deadline: float = math.inf
) -> list[tuple[Tally, ...]]:
    """Count several blocks, in one request to the target's process, where it has one."""
    return apart(  # type: ignore[no-any-return]
        task.target, _count_blocks, *(task, blocks, deadline), logs=task.single, deadline=deadline
    )


def _count_blocks(task: Task, blocks: Sequence[Block], deadline: float) -> list[tuple[Tally, ...]]:
    return [_count_block(task, block, deadline) for block in blocks]


def _count_block(task: Task, block: Block, deadline: float) -> tuple[Tally, ...]:
    """Count one block; see `count_block`."""
    drawn = draw_block(
        task.target,
        task.sides,
        task.place,
        block,
        per_call=task.per_call,
        single=task.single,
        deadline=deadline,
    )
    calls = calls_of(block.sizes, task.per_call)
    with np.errstate(**FLOAT_ERRORS):
        return tuple(
            _counted(task, outputs, start, own)
            for outputs, start, own in zip(drawn, block.starts, calls, strict=True)
        )


def _counted(task: Task, outputs: Any, start: int, calls: Sequence[int]) -> Tally:
    """Encode and count one arm of a block."""
    if task.encoder is None:
        encoder, known = Encoder(), 0
        encoder.fix_layout([outputs])
    else:
        encoder, known = task.encoder.copy(), len(task.encoder.labels)
    outcomes = encoder.encode(outputs)
    counts = tallies(task.partitions, outcomes, start, task.look)
    watched = tuple(watch.count(outcomes, calls) for watch in task.watches)
    if not task.keep:
        return Tally(counts, None, encoder.width, (), watched)
    # a target may reuse its array
    kept = Outcomes(outcomes.numbers.copy(), outcomes.categories, outcomes.details)
    return Tally(counts, kept, encoder.width, tuple(encoder.labels)[known:], watched)


def tallies(
    partitions: Sequence[Partition], outcomes: Outcomes, start: int, look: int
) -> tuple[Counts, ...]:
    """Count in several partitions, in tables of one column together; see `tally`."""
    counts: dict[int, Counts] = {}
    if len(outcomes) >= WORTH_REFINING:
        by_column: dict[int, list[int]] = {}
        for place, partition in enumerate(partitions):
            if isinstance(partition, ColumnTable):
                by_column.setdefault(partition.column, []).append(place)
        for places in by_column.values():
            tables = [p for p in (partitions[i] for i in places) if isinstance(p, ColumnTable)]
            if len(tables) > 1:
                common, cells = _refined(tables)
                fine = tally(common, outcomes, start, look)
                for place, table, cell in zip(places, tables, cells, strict=True):
                    lies_in = cell[:, None] == np.arange(table.size)
                    counts[place] = fine @ lies_in.astype(np.int64)
    return tuple(
        counts[place] if place in counts else tally(partition, outcomes, start, look)
        for place, partition in enumerate(partitions)
    )


_refinements: OrderedDict[
    tuple[int, ...], tuple[list[ColumnTable], ColumnTable, list[NDArray[np.intp]]]
] = OrderedDict()
"""The last refinements, by their tables (which are kept, so that no other has their identity)."""


def _refined(tables: list[ColumnTable]) -> tuple[ColumnTable, list[NDArray[np.intp]]]:
    """Refine tables, the same ones for all blocks of a batch."""
    key = tuple(map(id, tables))
    if key not in _refinements:
        _refinements[key] = (tables, *refined(tables))
        if len(_refinements) > REFINEMENTS_KEPT:
            _refinements.popitem(last=False)
    return _refinements[key][1:]


def tally(partition: Partition, outcomes: Outcomes, start: int, look: int) -> Counts:
    """Count draws by side of the look, parity and cell.

    Parameters
    ----------
    partition : Partition
        With K cells.
    outcomes : Outcomes
        Consecutive draws of a batch.
    start : int
        Number of the first of them in the batch.
    look : int
        Number of the first draw behind the look.

    Returns
    -------
    ndarray of int, shape (2, 2, K)
    """
    cells = partition.codes(outcomes)
    cut = min(max(look - start, 0), cells.size)
    counts = np.empty((2, 2, partition.size), dtype=np.int64)
    for side, first, rows in ((0, start, cells[:cut]), (1, start + cut, cells[cut:])):
        for parity in (0, 1):
            own = rows[(parity - first) % 2 :: 2]
            counts[side, parity] = np.bincount(own, minlength=partition.size)
    return counts
