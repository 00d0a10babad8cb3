"""Where draws come from: one stream per (pair, arm, batch, block), and failures as outcomes.

Streams are Philox generators seeded by SeedSequence([seed, pair, arm, batch, block]), so the arms
are independent, a run is repeated by its seed and its number of draws, and it does not matter
which process draws a block. Within a batch, block sizes double, from 64 in the first and from
1,024 later: a slow target is noticed early, a fast one is called in large blocks.

An exception is an outcome of one draw. A target that makes many draws a call and raises does not
say which draw failed; such a batch cannot be used, and drawing only the failed blocks again would
change the law (a draw is never redrawn). It is then asked for one draw a call, from the start.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from audit.engine.encode import as_sequence, checked_length
from audit.outcomes import drawing_until, without_frames
from audit.targets import Target

__all__ = [
    "BatchFailed",
    "Block",
    "OutOfTime",
    "blocks_of",
    "draw_batch",
    "draw_block",
    "draw_one",
    "fresh_outputs",
    "stream",
]

FIRST_BLOCK, LATER_FIRST_BLOCK, LARGEST_BLOCK = 64, 1024, 2**18
"""Draws of the first block of a pair's first batch, of a later batch, and of any block."""

LARGEST_BLOCK_VALUES = 2**19
"""Values of all columns in one block."""

FRESH = 2**31
"""Place of reruns: no pair of a run has this number."""


class OutOfTime(Exception):
    """The deadline passed within a batch; its draws are not used."""


class BatchFailed(Exception):
    """The target raised on a call for many draws; which of them failed is not known.

    Attributes
    ----------
    arm : int
        The arm that was drawn from, where a batch has several.
    """

    arm = 0


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Part of a batch that is drawn from one stream: its number, first draw and size."""

    index: int
    start: int
    size: int


def stream(seed: int, *place: int) -> np.random.Generator:
    """Generator of one place of a run: (pair, arm, batch, block)."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, *place])))


def blocks_of(size: int, *, small: bool = False, columns: int = 1) -> list[Block]:
    """Cut a batch into blocks; the cut depends on the past only, never on the workers.

    Parameters
    ----------
    size : int
        Draws of the batch.
    small : bool
        Begin with a block of 64; else with 1,024.
    columns : int
        Of an encoded draw: wide draws come in smaller blocks.
    """
    largest = max(FIRST_BLOCK, min(LARGEST_BLOCK, LARGEST_BLOCK_VALUES // columns))
    block = min(largest, FIRST_BLOCK if small else LATER_FIRST_BLOCK)
    blocks: list[Block] = []
    start = 0
    while start < size:
        blocks.append(Block(len(blocks), start, min(block, size - start)))
        start += block
        block = min(2 * block, largest)
    return blocks


def draw_block(
    target: Target,
    data: Any,
    place: Sequence[int],
    block: Block,
    *,
    single: bool = False,
    deadline: float = math.inf,
) -> Any:
    """Draw one block.

    Parameters
    ----------
    target, data
        What to draw from, and on what.
    place : sequence of int
        (seed, pair, arm, batch).
    block : Block
        Which block of the batch.
    single : bool
        Ask for one draw a call; an exception is then the outcome of its draw. MemoryError, and
        whatever is no `Exception` (KeyboardInterrupt, SystemExit), is never an outcome.
    deadline : float
        On the clock of `time.monotonic`.

    Returns
    -------
    sequence of length `block.size`

    Raises
    ------
    BatchFailed
        When the target raises and not `single`.
    OutOfTime
        When the deadline passes before a call, or the target says that it passed within one.
    """
    if time.monotonic() > deadline:
        raise OutOfTime
    rng = stream(*place, block.index)
    with drawing_until(deadline):
        if single:
            return [draw_one(target, data, rng, deadline) for _ in range(block.size)]
        return _draw_all(target, data, rng, block.size)


def _draw_all(target: Target, data: Any, rng: np.random.Generator, size: int) -> Any:
    try:
        given = target.draw(data, size, rng)
        outputs = as_sequence(given)
    except (MemoryError, OutOfTime):
        raise
    except Exception as failure:
        raise BatchFailed(type(failure).__name__) from failure
    return checked_length(outputs, size, target.name, type(given))


def draw_batch(
    target: Target,
    data: Any,
    size: int,
    place: Sequence[int],
    *,
    single: bool = False,
    small_blocks: bool = False,
    first_block_free: bool = False,
    deadline: float = math.inf,
) -> Iterator[Any]:
    """Yield blocks of draws, `size` in all; raises as `draw_block` does.

    Parameters
    ----------
    target, data, size
        What to draw from, on what, and how often.
    place : sequence of int
        (seed, pair, arm, batch).
    single : bool
        Ask for one draw a call.
    small_blocks : bool
        Begin with a block of 64; else with 1,024.
    first_block_free : bool
        Draw the first block whatever the deadline.
    deadline : float
        On the clock of `time.monotonic`.
    """
    for block in blocks_of(size, small=small_blocks):
        limit = math.inf if first_block_free and block.index == 0 else deadline
        yield draw_block(target, data, place, block, single=single, deadline=limit)


def draw_one(target: Target, data: Any, rng: np.random.Generator, deadline: float) -> Any:
    """Draw once; the target's failure is the outcome. Raises OutOfTime beyond the deadline."""
    if time.monotonic() > deadline:
        raise OutOfTime
    try:
        given = target.draw(data, 1, rng)
        outputs = as_sequence(given)
    except (MemoryError, OutOfTime):
        raise
    except Exception as failure:  # noqa: BLE001 - the target's failure is an outcome
        return without_frames(failure)
    return checked_length(outputs, 1, target.name, type(given))[0]


def fresh_outputs(target: Target, data: Any, draws: int, *, seed: int, arm: int) -> list[Any]:
    """Draw outputs for a rerun of a witness; a failure is an exception among them."""
    place = (seed, FRESH, arm, 0)
    try:
        return [z for block in draw_batch(target, data, draws, place) for z in block]
    except BatchFailed:
        return [z for block in draw_batch(target, data, draws, place, single=True) for z in block]
