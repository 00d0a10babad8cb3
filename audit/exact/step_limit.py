"""A limit on what an exact computation may take, counted in steps and watched by a clock.

The loops of lemmas and laws call `step`; outside `limited` it does nothing. Steps make the limit
the same on every machine; the clock is a cap for slow ones.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import final

CASE, POINT = 50, 1
"""Steps of one run of a law on a region of points, and at one point: 10 ms and 0.2 ms, measured on
the means of KSW on one core of 2 GHz."""


class OutOfSteps(Exception):
    """The computation was given up; `by_time` says whether the clock ended it."""

    def __init__(self, *, by_time: bool) -> None:
        super().__init__("out of time" if by_time else "out of steps")
        self.by_time = by_time


@final
@dataclass(slots=True)
class _Meter:
    """What is left: steps, and until when by `time.monotonic`."""

    steps: int
    deadline: float


_METER: ContextVar[_Meter | None] = ContextVar("meter", default=None)


@contextmanager
def limited(steps: int, deadline: float) -> Iterator[None]:
    """Give up what is computed inside by OutOfSteps, after so many steps or at a time.

    `steps`: at most so many. `deadline`: by `time.monotonic`.
    """
    token = _METER.set(_Meter(steps, deadline))
    try:
        yield
    finally:
        _METER.reset(token)


def step(count: int = CASE) -> None:
    """Count steps.

    Raises OutOfSteps if there are none left, or it is too late.
    """
    meter = _METER.get()
    if meter is None:
        return
    meter.steps -= count
    if meter.steps < 0:
        raise OutOfSteps(by_time=False)
    if time.monotonic() >= meter.deadline:
        raise OutOfSteps(by_time=True)
