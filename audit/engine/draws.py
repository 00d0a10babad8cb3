"""Where draws come from: one stream per (pair, arm, batch, block), and failures as outcomes.

Streams are Philox generators seeded by SeedSequence([seed, pair, arm, batch, block]), so the arms
are independent and a run is repeated by its seed and its number of draws. Within a batch, block
sizes double, from 64 in the first and from 1,024 later: a slow target is noticed early, a fast one
is called in large blocks.

An exception is an outcome of one draw. A target that makes many draws a call and raises does not
say which draw failed; such a batch cannot be used, and drawing only the failed blocks again would
change the law (a draw is never redrawn). It is then asked for one draw a call, from the start.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from audit.engine.encode import as_sequence, checked_length
from audit.outcomes import without_frames
from audit.targets import Target

__all__ = ["BatchFailed", "OutOfTime", "draw_batch", "fresh_outputs", "stream"]

FIRST_BLOCK, LATER_FIRST_BLOCK, LARGEST_BLOCK = 64, 1024, 2**18
FRESH = 2**31
"""Place of reruns: no pair of a run has this number."""


class OutOfTime(Exception):
    """The deadline passed within a batch; its draws are not used."""


class BatchFailed(Exception):
    """The target raised on a call for many draws; which of them failed is not known."""


def stream(seed: int, *place: int) -> np.random.Generator:
    """Generator of one place of a run: (pair, arm, batch, block)."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, *place])))


def _block_sizes(size: int, *, small: bool) -> Iterator[int]:
    block = FIRST_BLOCK if small else LATER_FIRST_BLOCK
    while size > 0:
        yield min(block, size)
        size -= block
        block = min(2 * block, LARGEST_BLOCK)


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
    """Yield blocks of draws, `size` in all.

    Parameters
    ----------
    target, data, size
        What to draw from, on what, and how often.
    place : sequence of int
        (seed, pair, arm, batch).
    single : bool
        Ask for one draw a call; an exception is then the outcome of its draw. MemoryError, and
        whatever is no `Exception` (KeyboardInterrupt, SystemExit), is never an outcome.
    small_blocks : bool
        Begin with a block of 64; else with 1,024.
    first_block_free : bool
        Draw the first block whatever the deadline.
    deadline : float
        On the clock of `time.monotonic`.

    Raises
    ------
    BatchFailed
        When the target raises on a block and not `single`.
    OutOfTime
        When the deadline passes before the last block.
    """
    seed, *rest = place
    for block, count in enumerate(_block_sizes(size, small=small_blocks)):
        limit = math.inf if first_block_free and block == 0 else deadline
        if time.monotonic() > limit:
            raise OutOfTime
        rng = stream(seed, *rest, block)
        if single:
            yield [_draw_one(target, data, rng, limit) for _ in range(count)]
            continue
        try:
            outputs = as_sequence(target.draw(data, count, rng))
        except MemoryError:
            raise
        except Exception as failure:
            raise BatchFailed(type(failure).__name__) from failure
        yield checked_length(outputs, count, target.name)


def _draw_one(target: Target, data: Any, rng: np.random.Generator, deadline: float) -> Any:
    if time.monotonic() > deadline:
        raise OutOfTime
    try:
        outputs = as_sequence(target.draw(data, 1, rng))
    except MemoryError:
        raise
    except Exception as failure:  # noqa: BLE001 - the target's failure is an outcome
        return without_frames(failure)
    return checked_length(outputs, 1, target.name)[0]


def fresh_outputs(target: Target, data: Any, draws: int, *, seed: int, arm: int) -> list[Any]:
    """Draw outputs for a rerun of a witness; a failure is an exception among them."""
    place = (seed, FRESH, arm, 0)
    try:
        return [z for block in draw_batch(target, data, draws, place) for z in block]
    except BatchFailed:
        return [z for block in draw_batch(target, data, draws, place, single=True) for z in block]
