"""What a draw costs, and how many first draws the time cap can pay for.

A run is sized by its number of draws. Only where the first draws of all pairs would take more than
a fifth of the time cap, or those of a program more than twenty of its starts, the clock has a say:
fewer first draws of each pair, and then fewer pairs.
That is decided before the first bet, so no guarantee is touched, but another machine may decide
otherwise: such a run is not called reproducible.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any, final

from audit.draws.blocks import BatchFailed, Block, call_size, draw_block
from audit.draws.settings import FEWEST_FIRST_DRAWS
from audit.draws.streams import BatchPlace, Purpose
from audit.engine.allocation import FIRST_DRAWS
from audit.targets.target import Calls, Target

__all__ = ["COMPARED", "Cost", "Size", "affordable", "measured"]

COMPARED = 256
"""Draws of each side by calls of one, and as many by one call (see `alone`). A common offset of
half a standard deviation shifts the latter by 5.7 standard errors; `homogeneity` finds smaller ones
later."""

SHARE_OF_LEARNING = 0.2
"""Of the time cap that first draws may take."""

STARTS = 20
"""A program learns from as many draws as so many of its starts are worth, where these are few."""

SEVERAL = 4
"""Draws of the second call that is timed."""


@final
@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of a call, besides its draws, and of each draw in it; whether all draws failed."""

    call: float
    draw: float
    failed: bool = False

    def of(self, target: Target, draws: int, *, single: bool) -> float:
        """Seconds of so many draws of one arm."""
        calls = math.ceil(draws / call_size(target, draws, single=single))
        if target.calls is Calls.ONE or single:
            return draws * (self.call + self.draw)
        return calls * self.call + draws * self.draw

    @property
    def worth_starts(self) -> float:
        """Draws that take as long as `STARTS` calls."""
        return STARTS * self.call / self.draw if self.draw > 0 else math.inf

    def at_most(self, other: Cost) -> Cost:
        """The lower of two measurements: what else the machine does only adds to them."""
        failed = self.failed and other.failed
        return Cost(min(self.call, other.call), min(self.draw, other.draw), failed)


@final
@dataclass(frozen=True, slots=True)
class Size:
    """How a run begins.

    Parameters
    ----------
    first : int
        Draws of each arm of a pair that only learn.
    pairs : int
        How many of the pairs are drawn from.
    by_time : bool
        Whether the clock had a say.
    """

    first: int
    pairs: int
    by_time: bool


def measured(target: Target, sides: tuple[Any, Any], seed: int, deadline: float) -> Cost:
    """Time a call of one draw and one of several, if any is, on both sides, after a first one.

    The draws are few, and no part of the run: they are not counted in its samples.

    Raises
    ------
    OutOfTime
        Beyond the deadline.
    """
    seconds: dict[int, float] = {}
    failed = True
    sizes = (1, 1) if target.calls is Calls.ONE else (1, 1, SEVERAL)
    for batch, size in enumerate(sizes):
        block = Block(0, (0, 0), (size, size))
        started = time.monotonic()
        place = BatchPlace(seed, Purpose.CALIBRATE, batch=batch)
        try:
            drawn = draw_block(target, sides, place, block, deadline=deadline)
        except BatchFailed:
            drawn = draw_block(target, sides, place, block, single=True, deadline=deadline)
        failed &= all(isinstance(output, Exception) for arm in drawn for output in arm)
        seconds[size] = (time.monotonic() - started) / 2
    if SEVERAL not in seconds:  # each draw is a call of its own
        return Cost(seconds[1], 0.0, failed)
    draw = max(0.0, (seconds[SEVERAL] - seconds[1]) / (SEVERAL - 1))
    return Cost(max(0.0, seconds[1] - draw), draw, failed)


def affordable(
    target: Target, cost: Cost, *, first: int, pairs: int, seconds: float, single: bool = False
) -> Size:
    """Choose how many first draws and pairs the time is enough for.

    Parameters
    ----------
    target, cost
        What is drawn from, and what that costs.
    first, pairs : int
        What is wanted.
    seconds : float
        Time cap of the run.
    single : bool
        Whether each draw is a call of its own.
    """
    sized = False
    if target.calls is Calls.START and cost.worth_starts < first:
        first, sized = max(FIRST_DRAWS, int(cost.worth_starts)), True
    allowed, wanted = SHARE_OF_LEARNING * seconds, first
    compares = target.calls is Calls.MANY and not single
    comparison = 2 * COMPARED * (cost.call + 2 * cost.draw) if compares else 0.0

    def needed(draws: int, tried: int) -> float:
        return 2 * tried * cost.of(target, draws, single=single) + comparison * (draws == wanted)

    if needed(first, pairs) <= allowed:
        return Size(first, pairs, sized)
    while first > FEWEST_FIRST_DRAWS and needed(first, pairs) > allowed:
        first = max(FEWEST_FIRST_DRAWS, first // 2)
    while pairs > 1 and needed(first, pairs) > allowed:
        pairs -= 1
    return Size(first, pairs, True)
