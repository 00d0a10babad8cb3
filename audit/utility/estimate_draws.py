"""Draws of estimates: blocks from streams of their own, outputs as numbers, failures counted.

On a data set a block is one call; under a law each draw has records of its own. Streams are those
of the privacy audit (`audit.draws.blocks`): the seed and the number of draws repeat a run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.draws.blocks import FIRST_BLOCK, Block, blocks_of, draw_batch, draw_one
from audit.draws.containment import apart
from audit.draws.encode import Outcomes
from audit.draws.independence import find_dependence
from audit.draws.streams import BatchPlace, Purpose
from audit.targets.outcomes import OutputParts, continued, drawing_until
from audit.targets.target import Target
from audit.utility.error_cases import ErrorCase, Read
from mechanisms.errors import InvalidArgument

Array = NDArray[np.float64]
Blocks = list[NDArray[Any]]
"""Releases, an array a block, whose first axis is the draw."""

NUMERIC = "biuf"
CHECKED = 1024
"""Draws of each part whose independence is looked at."""


def releases(
    target: Target,
    case: ErrorCase,
    place: tuple[int, int, int],
    size: int,
    *,
    single: bool = False,
    deadline: float = math.inf,
) -> Iterator[NDArray[Any]]:
    """Yield blocks of releases, arrays whose first axis is the draw; what is no number is NaN.

    `target`: what to draw from. `case`: on which records. `place`, (int, int, int): seed, number of
    the case, and stage. `size`: draws in all. `single`: ask for one draw a call, so that a failure
    is the outcome of one draw. `deadline`: on the clock of `time.monotonic`. Raises BatchFailed
    when the target raises on a call for many draws. Raises OutOfTime when the deadline passes
    before a block is done.
    """
    if case.law is not None:
        yield from _under_law(target, case, place, size, deadline)
        return
    seed, index, stage = place
    where = BatchPlace(seed, Purpose.ERRORS, pair=index, batch=stage)
    for (block,) in draw_batch(
        target, [case.data], size, where, single=single, small_blocks=True, deadline=deadline
    ):
        yield as_numbers(block)


def _under_law(
    target: Target, case: ErrorCase, place: tuple[int, int, int], size: int, deadline: float
) -> Iterator[NDArray[Any]]:
    seed, index, stage = place
    assert case.law is not None
    assert case.count is not None
    where = BatchPlace(seed, Purpose.ERRORS, pair=index, batch=stage)
    for block in blocks_of((size,), first=FIRST_BLOCK):
        outputs = apart(
            target,
            _outputs_under_law,
            *(target, case.law, case.count, where, block, deadline),
            logs=True,
            deadline=deadline,
        )
        yield as_numbers(outputs)


def _outputs_under_law(
    target: Target, law: Any, count: int, where: BatchPlace, block: Block, deadline: float
) -> list[Any]:
    """Draw a block, each draw on records of its own."""
    rng = continued(where.stream(block=block.index))
    with drawing_until(deadline):
        return [
            draw_one(target, law.sample(count, rng=rng), rng, deadline) for _ in range(block.draws)
        ]


def as_numbers(outputs: Any) -> NDArray[Any]:
    """Write releases as an array of numbers; NaN stands for what is none."""
    if isinstance(outputs, np.ndarray) and outputs.dtype.kind in NUMERIC:
        return outputs
    rows = [_as_number(output) for output in outputs]
    width = max((len(row) for row in rows if isinstance(row, list)), default=0)
    if not width:
        return np.array(rows, dtype=np.float64)
    none = [math.nan] * width
    whole = [row if isinstance(row, list) and len(row) == width else none for row in rows]
    return np.array(whole, dtype=np.float64)


def _as_number(output: Any) -> Any:
    if isinstance(output, np.void) and output.dtype.names is not None:
        output = output.tolist()
    if isinstance(output, OutputParts):
        output = output.leaves[0] if len(output.leaves) == 1 else output.leaves
    if isinstance(output, np.ndarray | list | tuple):
        return [_as_number(part) for part in output] or math.nan
    if isinstance(output, str | bytes | Exception) or output is None:
        return math.nan
    try:
        return float(output)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def estimates_of(blocks: Blocks, read: Read | None, name: str) -> Array:
    """Estimates of blocks of releases, shape (n,).

    Raises InvalidArgument if a release is several numbers, and the mechanism does not say which one
    is the estimate.
    """
    parts = []
    for block in blocks:
        if read is not None and block.ndim == 2:
            parts.append(read(block))
        elif block.ndim == 1:
            parts.append(np.asarray(block, dtype=np.float64))
        elif block.ndim == 2 and block.shape[1] == 1:
            parts.append(np.asarray(block[:, 0], dtype=np.float64))
        else:
            shape = " x ".join(map(str, block.shape[1:]))
            msg = (
                f"--utility needs one number a draw, {name} releases {shape}: audit a function of "
                "your own that returns the estimate (a mechanism may name its column with "
                "estimate_column)"
            )
            raise InvalidArgument(msg)
    return np.concatenate(parts) if parts else np.empty(0)


def dependence(blocks: Blocks) -> str | None:
    """Say how draws depend on each other, if they obviously do: blocks that repeat, correlation."""
    parts = [block for block in blocks if len(block)]
    if len(parts) < 2:
        return None
    first, second = _halves(parts[-2]), _halves(parts[-1])
    found = find_dependence((first[0], second[0]), (first[1], second[1]))
    return None if found is None else "the draws are not independent: they repeat or are correlated"


def _halves(block: NDArray[Any]) -> tuple[Outcomes, Outcomes]:
    size = min(len(block) // 2, CHECKED)
    columns = np.asarray(block[: 2 * size], dtype=np.float64).reshape(2 * size, -1)
    none = np.zeros(columns.shape, dtype=np.int32)
    both = Outcomes(np.nan_to_num(columns), none)
    return both[:size], both[size:]
