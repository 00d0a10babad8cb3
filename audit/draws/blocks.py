"""Where draws come from: both arms in turn, each from a stream of its own; failures as outcomes.

A block of a batch has one stream for each arm (`streams`), so the arms are independent, a run is
repeated by its seed and its number of draws, and it does not matter which process draws a block.

Within a block the arms are drawn in calls of a few draws, in the order data, neighbor, neighbor,
data or its mirror image, by a coin from the audit's own stream for each such four calls. A target
whose law follows the clock, a counter or a cache then moves both arms alike: where the
probabilities of an event move by r_p and r_q a draw, the mean of a bet's factor over N draws of
each arm grows by at most exp(N mu^2 s B^2 |r_p r_q| / 2) for calls of B draws, since the terms of
first order cancel in each four; if all draws of one arm came before those of the other, the
exponent would be N mu m |r_p| for batches of m draws.

An exception is an outcome of one draw. A target that makes many draws a call and raises does not
say which draw failed; such a batch cannot be used, and drawing only the failed blocks again would
change the law (a draw is never redrawn). It is then asked for one draw a call, from the start.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, final

import numpy as np

from audit.draws.containment import apart
from audit.draws.encode import as_sequence, checked_length
from audit.draws.hidden_values import FacesSeen, Remarked
from audit.draws.portable import portable, portable_draw
from audit.draws.streams import BatchPlace
from audit.targets.outcomes import BatchFailed as BatchFailed
from audit.targets.outcomes import OutOfTime as OutOfTime
from audit.targets.outcomes import (
    calling,
    continued,
    drawing_until,
    is_outcome,
    reporter,
    without_frames,
)
from audit.targets.target import Calls, Target

FIRST_BLOCK, LATER_FIRST_BLOCK, LARGEST_BLOCK = 8, 8192, 2**18
"""Draws of each arm in the first block of a pair's first batch, of a later one, and in any block:
a slow target is noticed early, a fast one has large blocks (each has calls of its own, and those of
a registered mean cost more than its noise: benchmarks/throughput.py). Sizes double within a batch,
and the last block takes the rest, so that it is never a small one."""

LARGEST_BLOCK_VALUES = 2**19
"""Values of all columns in one block."""

CALLS_A_BATCH = 4
"""Calls for each arm that a batch of a vectorized target is made in, or a few more: drifts move
both arms alike, and the calls of an arm can be compared. With 16, the calls of a registered mean
cost more than its noise (benchmarks/throughput.py)."""

FEWEST_A_CALL, MOST_A_CALL = 64, 4096
"""Draws of each arm in one call. With 4,096 and a probability that moves by .1
in 10^6 draws, the exponent above is .04."""

DRAWS_IN_TURN = 8
"""Draws of each arm that a target of one draw a call makes in turn."""


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Part of a batch that is drawn from one stream an arm."""

    index: int
    """Its number."""
    starts: tuple[int, ...]
    sizes: tuple[int, ...]
    """For each arm its first draw, and how many draws it has."""

    @property
    def draws(self) -> int:
        """Of all arms."""
        return sum(self.sizes)


def blocks_of(
    sizes: tuple[int, ...], *, first: int = LATER_FIRST_BLOCK, columns: int = 1
) -> list[Block]:
    """Cut a batch into blocks; the cut depends on the past only, never on the workers.

    `sizes`: draws of each arm; arms of another size than the largest are cut in proportion.
    `first`: draws of the largest arm in the first block. `columns`: of an encoded draw: wide draws
    come in smaller blocks.
    """
    size = max(sizes)
    largest = max(FIRST_BLOCK, min(LARGEST_BLOCK, LARGEST_BLOCK_VALUES // columns))
    block = min(largest, first)
    blocks: list[Block] = []
    start = 0
    while start < size:
        end = start + block if size - start >= min(2 * block, largest) else size
        ends = [(own * start // size, own * end // size) for own in sizes]
        starts = tuple(low for low, _ in ends)
        blocks.append(Block(len(blocks), starts, tuple(high - low for low, high in ends)))
        start = end
        block = min(2 * block, largest)
    return blocks


def call_size(target: Target, size: int, *, single: bool = False) -> int:
    """Draws of each arm in one call, or in turn, in a batch of `size` draws of each."""
    if single:
        return 1
    if target.calls is Calls.ONE:
        return DRAWS_IN_TURN
    if target.calls is Calls.START:
        return LARGEST_BLOCK
    return int(np.clip(-(-size // CALLS_A_BATCH), FEWEST_A_CALL, MOST_A_CALL))


def calls_of(sizes: Sequence[int], per_call: int) -> list[list[int]]:
    """Draws of each call of each arm in a block: an even number of calls, as long as each other.

    Else what moves would not cancel in the last four. Where a call takes any block, there is one.
    """
    count = -(-max(sizes) // per_call)
    if per_call < LARGEST_BLOCK:
        count += count % 2
    cuts = [[i * size // count for i in range(count + 1)] for size in sizes]
    return [[high - low for low, high in pairwise(own)] for own in cuts]


def _in_turn(calls: Sequence[Sequence[int]], coins: np.random.Generator) -> Iterator[int]:
    """The arm of each call: a, b, b, a for each four, where a coin chooses a."""
    count = len(calls[0])
    if len(calls) == 1:
        yield from [0] * count
        return
    first = coins.integers(2, size=-(-count // 2)).tolist()
    for number, arm in enumerate(first):
        yield from (arm, 1 - arm)
        if 2 * number + 1 < count:
            yield from (1 - arm, arm)


def draw_block(
    target: Target,
    sides: Sequence[Any],
    place: BatchPlace,
    block: Block,
    *,
    per_call: int = LARGEST_BLOCK,
    single: bool = False,
    deadline: float = math.inf,
) -> list[Any]:
    """Draw one block of all arms, in turn, in the target's own process where it has one.

    `target`, `sides`: what to draw from, and on which data sets: one for each arm, one or two.
    `place`: of the batch. `block`: which block of the batch. `per_call`: draws of an arm in one
    call, at most. `single`: ask for one draw a call; an exception is then the outcome of its draw
    (but see `audit.targets.outcomes.is_outcome`), and so is the end of the target's process.
    `deadline`: on the clock of `time.monotonic`. Returns sequences, of lengths
    `block.sizes`. Raises BatchFailed when the target raises and not `single`. Raises OutOfTime when
    the deadline passes before a call, or the target says that it passed within one.
    """
    return apart(  # type: ignore[no-any-return]
        target,
        _drawn,
        *(target, sides, place, block, per_call, single, deadline),
        logs=single,
        deadline=deadline,
    )


def _drawn(
    target: Target,
    sides: Sequence[Any],
    place: BatchPlace,
    block: Block,
    per_call: int,
    single: bool,
    deadline: float,
) -> list[Any]:
    """Draw one block; see `draw_block`."""
    seen = FacesSeen() if place.batch == 0 else None
    streams = [continued(place.stream(arm=arm, block=block.index)) for arm in range(len(sides))]
    calls = calls_of(block.sizes, 1 if single else per_call)
    parts: list[list[Any]] = [[] for _ in sides]
    left = [iter(own) for own in calls]
    with drawing_until(deadline):
        for arm in _in_turn(calls, place.order(block=block.index)):
            size = next(left[arm])
            if not size:
                continue
            if single:
                parts[arm].append(draw_one(target, sides[arm], streams[arm], deadline, seen))
            else:
                drawn = _draw_all(target, sides[arm], streams[arm], size, deadline, seen)
                parts[arm].append(drawn)
    drawn_parts = parts if single else [_joined(own) for own in parts]
    if seen is not None and seen.remarks:
        remarked = Remarked(drawn_parts[0])
        remarked.remarks = tuple(seen.remarks)
        drawn_parts[0] = remarked
    return drawn_parts


def _joined(parts: list[Any]) -> Any:
    """Outputs of several calls as those of one."""
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(part, np.ndarray) for part in parts):
        kinds = {(part.dtype, part.shape[1:]) for part in parts}
        if len(kinds) == 1:
            return np.concatenate(parts)
    return [output for part in parts for output in part]


def _draw_all(
    target: Target,
    data: Any,
    rng: np.random.Generator,
    size: int,
    deadline: float,
    seen: FacesSeen | None,
) -> Any:
    """Draw in one call. Raises BatchFailed where the target raises, OutOfTime too late."""

    def call() -> Any:
        if time.monotonic() > deadline:
            raise OutOfTime
        try:
            given = target.draw(data, size, rng)
            outputs = as_sequence(given, size)
        except BaseException as failure:
            if not is_outcome(failure):
                raise
            raise BatchFailed(type(failure).__name__) from failure
        outputs = checked_length(outputs, size, target.name, type(given))
        if seen is not None:
            seen.look(given, outputs)
        if reporter() is not None:
            outputs = portable(outputs)
        # a target may reuse its array for the next call
        return outputs.copy() if isinstance(outputs, np.ndarray) else outputs

    return calling(size, call, single=False)


def draw_batch(
    target: Target,
    sides: Sequence[Any],
    size: int,
    place: BatchPlace,
    *,
    single: bool = False,
    small_blocks: bool = False,
    deadline: float = math.inf,
) -> Iterator[list[Any]]:
    """Yield blocks of draws, `size` of each arm in all; raises as `draw_block` does.

    `target`, `sides`, `size`: what to draw from, on which data sets, one or two, and how often on
    each. `place`: of the batch. `single`: ask for one draw a call. `small_blocks`: begin with a
    block of 8; else with 8,192.
    `deadline`: on the clock of `time.monotonic`.
    """
    per_call = call_size(target, size, single=single) if len(sides) > 1 else LARGEST_BLOCK
    first_block = FIRST_BLOCK if small_blocks else LATER_FIRST_BLOCK
    for block in blocks_of((size,) * len(sides), first=first_block):
        yield draw_block(
            target, sides, place, block, per_call=per_call, single=single, deadline=deadline
        )


def draw_one(
    target: Target,
    data: Any,
    rng: np.random.Generator,
    deadline: float,
    seen: FacesSeen | None = None,
) -> Any:
    """Draw once; the target's failure is the outcome. Raises OutOfTime beyond the deadline.

    What the output holds and no encoding shows is put into `seen`.
    """

    def call() -> Any:
        if time.monotonic() > deadline:
            raise OutOfTime
        try:
            given = target.draw(data, 1, rng)
            outputs = as_sequence(given, 1)
        except BaseException as failure:
            if not is_outcome(failure):
                raise
            output: Any = without_frames(failure)
        else:
            output = checked_length(outputs, 1, target.name, type(given))[0]
            if seen is not None:
                seen.look(given, [output])
        return output if reporter() is None else portable_draw(output)

    return calling(1, call, single=True)
