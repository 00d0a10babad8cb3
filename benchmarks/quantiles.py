"""The 0.9 quantile of draws over seeds, its interval, and what it says of a goal.

Of R runs the interval is that of order statistics: [x_(l), x_(u)], l the largest rank with
P(Bin(R, .9) <= l - 1) <= .025 and u the least with P(Bin(R, .9) >= u) <= .025. It needs no law of
the draws, and of fewer than 36 runs it has no upper end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.special import bdtr, bdtrc

__all__ = ["QUANTILE", "Quantile", "ranks"]

QUANTILE, CONFIDENCE = 0.9, 0.95


def ranks(runs: int) -> tuple[int, int | None]:
    """Ranks l and u (from 1) of the interval's ends; u is None where there are too few runs."""
    tail = (1 - CONFIDENCE) / 2
    every = np.arange(1, runs + 1)
    lower = every[bdtr(every - 1, runs, QUANTILE) <= tail]
    upper = every[bdtrc(every - 1, runs, QUANTILE) <= tail]
    return int(lower[-1]) if lower.size else 1, int(upper[0]) if upper.size else None


@final
@dataclass(frozen=True, slots=True)
class Quantile:
    """The 0.9 quantile of some runs, and the ends of its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, draws: Sequence[float]) -> Quantile:
        """Draws of every run, infinite where nothing was found."""
        values, (lower, upper) = sorted(draws), ranks(len(draws))
        high = math.inf if upper is None else values[upper - 1]
        return cls(values[math.ceil(QUANTILE * len(draws)) - 1], values[lower - 1], high)

    def verdict(self, goal: float) -> str:
        """Whether a goal (at most so many draws) is met, missed, or open."""
        if self.high <= goal:
            return "met"
        return "missed" if self.low > goal else "open"

    def overlaps(self, other: Quantile) -> bool:
        """Whether the two intervals have a number in common."""
        return self.low <= other.high and other.low <= self.high

    def __str__(self) -> str:
        """Show the quantile, and the interval in brackets."""
        return f"{self.value:.0f} [{self.low:.0f}, {self.high:.0f}]"
