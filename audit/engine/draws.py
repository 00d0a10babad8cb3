"""Where draws come from: one stream per (pair, arm, batch, block), and failures as outcomes.

Streams are Philox generators seeded by SeedSequence([seed, pair, arm, batch, block]), so the arms
are independent and a run is repeated by its seed and its number of draws. Within a batch, block
sizes double from 64: a slow target is noticed early, a fast one is called in large blocks.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from audit.engine.encode import checked_length
from audit.targets import Target

__all__ = ["OutOfTime", "draw_batch", "fresh_outputs", "stream"]

FIRST_BLOCK, LARGEST_BLOCK = 64, 2**18
FRESH = 2**31
"""Place of reruns: no pair of a run has this number."""


class OutOfTime(Exception):
    """The deadline passed within a batch; its draws are not used."""


def stream(seed: int, *place: int) -> np.random.Generator:
    """Generator of one place of a run: (pair, arm, batch, block)."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, *place])))


def _block_sizes(size: int) -> Iterator[int]:
    block = FIRST_BLOCK
    while size > 0:
        yield min(block, size)
        size -= block
        block = min(2 * block, LARGEST_BLOCK)


def draw_batch(
    target: Target, data: Any, size: int, place: Sequence[int], *, deadline: float
) -> Iterator[Any]:
    """Yield blocks of draws, `size` in all.

    An exception is an outcome. A block that raises is drawn again one output at a time, each
    from its own stream, so that every draw has its own outcome. MemoryError, and whatever is no
    `Exception` (KeyboardInterrupt, SystemExit), is never an outcome.

    Raises
    ------
    OutOfTime
        When the deadline (`time.monotonic`) passes before the last block.
    """
    for block, count in enumerate(_block_sizes(size)):
        if time.monotonic() > deadline:
            raise OutOfTime
        yield _draw_block(target, data, count, (*place, block), deadline)


def _draw_block(
    target: Target, data: Any, count: int, place: Sequence[int], deadline: float
) -> Any:
    seed, *rest = place
    try:
        outputs = target.draw(data, count, stream(seed, *rest))
    except MemoryError:
        raise
    except Exception as failure:  # noqa: BLE001 - the target's failure is an outcome
        if count == 1:
            return [failure]
    else:
        return checked_length(outputs, count, target.name)
    singles: list[Any] = []
    for index in range(count):
        if time.monotonic() > deadline:
            raise OutOfTime
        singles.extend(_draw_block(target, data, 1, (*place, index), deadline))
    return singles


def fresh_outputs(target: Target, data: Any, draws: int, *, seed: int, arm: int) -> list[Any]:
    """Draw outputs for a rerun of a witness; a failure is an exception among them."""
    place = (seed, FRESH, arm, 0)
    blocks = draw_batch(target, data, draws, place, deadline=float("inf"))
    return [z for block in blocks for z in block]
