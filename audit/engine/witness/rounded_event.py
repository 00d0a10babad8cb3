"""Numbers of an event with the fewest digits that lose nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator

from audit.draws.encode import Outcomes
from audit.engine.witness.kinds.readable_kind import Readable
from audit.engine.witness.strength import is_kept, strength_of

__all__ = ["rounded", "rounder"]

MOST_DIGITS = 17
"""Of a double."""


def rounded(
    event: Readable, judging: tuple[Outcomes, Outcomes], line: tuple[float, float], floor: float
) -> Readable:
    """The event with each number in turn as round as the draws allow.

    Parameters
    ----------
    event : Readable
        What is told.
    judging : (Outcomes, Outcomes)
        Draws of the likelier and of the other arm, of which none chose the event.
    line : (float, float)
        Of the claim.
    floor : float
        Least limit of the loss.
    """
    before = event.holds(judging[0]), event.holds(judging[1])
    floor = max(floor, strength_of(before, line).floor)
    place = 0
    while place < len(event.ends):
        kept = event
        for end in rounder(event.ends[place]):
            ends = [*event.ends[:place], end, *event.ends[place + 1 :]]
            try:
                tried = event.with_ends(ends)
            except ValueError:  # an interval would be empty
                continue
            after = tried.holds(judging[0]), tried.holds(judging[1])
            if is_kept(before, after, line, floor):
                kept = tried
                break
        # an interval that has become a single value has no ends any more
        place = max(0, place + 1 - (len(event.ends) - len(kept.ends)))
        event = kept
    return event


def rounder(x: float) -> Iterator[float]:
    """0, and a number to 1, 2, ... digits, down to itself."""
    yield 0.0
    if x == 0 or not math.isfinite(x):
        return
    for digits in range(MOST_DIGITS):
        value = float(f"{x:.{digits}e}")
        if value != 0.0:
            yield value
        if value == x:
            return
