"""A condition on one coordinate: that its value lies in one of some intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Outcomes
from audit.engine.partitions.intervals import describe_interval
from audit.engine.witness.kinds.readable_kind import Plain, place_of
from audit.results.refutation import Interval

__all__ = ["Condition"]


@final
@dataclass(frozen=True, slots=True)
class Condition:
    """Disjoint intervals of one coordinate, ascending; none of them holds what is no number.

    Parameters
    ----------
    column : int
        Of the encoded draws.
    name : str
        Of the coordinate, in words.
    coordinate : int or str or None
        Its place or name in an output; None for an output without parts.
    intervals : tuple of Interval
        Lower end, whether it belongs to it, upper end, whether it does.
    """

    column: int
    name: str
    coordinate: int | str | None
    intervals: tuple[Interval, ...]

    @property
    def ends(self) -> tuple[float, ...]:
        """The finite ends that are not both ends of a single value."""
        return tuple(end for ends in self.intervals for end in _movable(ends))

    def with_ends(self, ends: Iterator[float]) -> Condition:
        """The same with other ends, taken in their order.

        Raises
        ------
        ValueError
            If an interval would be empty, or two would meet.
        """
        moved = tuple(_moved(interval, ends) for interval in self.intervals)
        for low, low_closed, high, high_closed in moved:
            if low > high or (low == high and not (low_closed and high_closed)):
                raise ValueError
        for before, after in pairwise(moved):
            if before[2] >= after[0]:
                raise ValueError
        return replace(self, intervals=moved)

    def holds(self, outcomes: Outcomes) -> NDArray[np.bool_]:
        """Whether each draw meets it."""
        values = outcomes.numbers[:, self.column]  # NaN where there is no number
        inside = np.zeros(len(outcomes), dtype=bool)
        for low, low_closed, high, high_closed in self.intervals:
            above = values >= low if low_closed else values > low
            inside |= above & (values <= high if high_closed else values < high)
        return inside

    def describe(self) -> tuple[str, str]:
        """Words and expression."""
        number = f"number({place_of(self.coordinate)})"
        described = [
            describe_interval(self.name, number, (low, low_closed), (high, high_closed))
            for low, low_closed, high, high_closed in self.intervals
        ]
        return " or ".join(s for s, _ in described), " or ".join(e for _, e in described)

    def as_json(self) -> dict[str, Plain]:
        """The same as values."""
        rows: list[Plain] = [
            {
                "low": low if math.isfinite(low) else None,
                "low_closed": low_closed,
                "high": high if math.isfinite(high) else None,
                "high_closed": high_closed,
            }
            for low, low_closed, high, high_closed in self.intervals
        ]
        return {"of": self.name, "intervals": rows}


def _movable(interval: Interval) -> Sequence[float]:
    low, _, high, _ = interval
    return () if low == high else tuple(end for end in (low, high) if math.isfinite(end))


def _moved(interval: Interval, ends: Iterator[float]) -> Interval:
    low, low_closed, high, high_closed = interval
    if low == high:
        return interval
    if math.isfinite(low):
        low = next(ends)
    if math.isfinite(high):
        high = next(ends)
    return low, low_closed, high, high_closed
