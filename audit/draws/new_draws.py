"""Draws of a script: those that a run made after its event was chosen, once more, or new ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from audit.draws.blocks import draw_batch
from audit.draws.containment import supervised
from audit.draws.streams import BatchPlace, Purpose
from audit.draws.supervisor import Care
from audit.targets.outcomes import BatchFailed
from audit.targets.target import Target


def new_draws(
    target: Target,
    sides: Sequence[Any],
    size: int,
    seed: int,
    *,
    single: bool = False,
    deadline: float = math.inf,
) -> Iterator[list[Any]]:
    """Blocks of the draws that confirm an event, once a run, and which its script makes again.

    Their streams are those of the seed alone. The words are those of `draw_batch`.
    """
    place = BatchPlace(seed, Purpose.CONFIRM)
    return draw_batch(
        target, sides, size, place, single=single, small_blocks=True, deadline=deadline
    )


def recounted(
    target: Target,
    sides: Sequence[Any],
    event: Callable[[Any], bool],
    draws: int,
    *,
    seed: int,
    care: Care,
    single: bool = False,
) -> tuple[int, int]:
    """Count an event on the new draws of a run with this seed.

    Where a call for many draws fails they are asked for one by one, as the run does.
    """
    with supervised(target, care, sides) as (apart_from, _):
        try:
            return _counted(new_draws(apart_from, sides, draws, seed, single=single), event)
        except BatchFailed:
            return _counted(new_draws(apart_from, sides, draws, seed, single=True), event)


def _counted(blocks: Iterator[list[Any]], event: Callable[[Any], bool]) -> tuple[int, int]:
    hits = [0, 0]
    for outputs in blocks:
        for arm in (0, 1):
            hits[arm] += sum(map(bool, map(event, outputs[arm])))
    return hits[0], hits[1]


def fresh_outputs(
    target: Target, data: Any, draws: int, *, seed: int, batch: int = 0, care: Care | None = None
) -> list[Any]:
    """Draw from a data set for a script; draws of other batches are independent.

    A failure is an exception among the outputs.
    """
    place = BatchPlace(seed, Purpose.RERUN, batch=batch)
    with supervised(target, care or Care(), [data]) as (apart_from, _):
        try:
            blocks = list(draw_batch(apart_from, [data], draws, place))
        except BatchFailed:
            blocks = list(draw_batch(apart_from, [data], draws, place, single=True))
    return [output for (part,) in blocks for output in part]
