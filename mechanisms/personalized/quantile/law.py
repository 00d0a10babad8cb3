"""The exact law of a quantile on a grid (PDP, Algorithm 2) on given records.

A point x loses max(0, #{y < x} - most, least - #{y <= x}) and has the weight e^(-epsilon loss / 2).
Centered on m records both limits are m / 2; at rank r' they are r' - 1 and r'. The loss is one at
all points between two neighboring records, so that a grid of a million points has few outcomes: one
of the points from a to b.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar, final

import numpy as np

from mechanisms.personalized.quantile.draw import ClampedRank
from mechanisms.personalized.quantile.point_grid import PointGrid
from mechanisms.protocols import Arithmetic

__all__ = ["QuantileLaw", "centered_law", "ranked_law"]

LISTED = 2**6
"""A grid of up to so many points has every point as an outcome."""


@final
@dataclass(frozen=True, slots=True)
class QuantileLaw:
    """Law of a private quantile, as a `FiniteLaw` whose outcomes are points or runs of points."""

    epsilon: Fraction
    """Privacy parameter."""
    grid: PointGrid
    """Where the release lies."""
    records: tuple[int, ...]
    """Places of the records on the grid, ascending."""
    most: Fraction
    least: Fraction
    """`most`, `least`: limits of the ranks that lose nothing."""
    rational: ClassVar[bool] = False

    @property
    def cuts(self) -> tuple[Fraction, ...]:
        """Points where the loss may change, from the first to one step behind the last.

        None if the points themselves are the outcomes.
        """
        if self.grid.last < LISTED:
            return ()
        return tuple(self.grid.point(place) for place in self._ends())

    def masses(
        self, numbers: Arithmetic[Any], cuts: Sequence[Fraction] = ()
    ) -> Mapping[Hashable, Any]:
        """Probability of each outcome.

        `numbers`: kind of numbers. `cuts`: more points of the grid to cut at, where runs are the
        outcomes. Returns: by point, or by (lower, upper) for the points lower <= z < upper.
        """
        ends = self._ends()
        losses = [self._loss(start) for start in ends[:-1]]
        fewest = min(losses)
        weights = [
            numbers.exp(numbers.rational(self.epsilon * (fewest - loss) / 2)) for loss in losses
        ]
        total = numbers.rational(Fraction(0))
        for (start, stop), weight in zip(pairwise(ends), weights, strict=True):
            total = total + weight * numbers.rational(Fraction(stop - start))
        each = [weight / total for weight in weights]
        if self.grid.last < LISTED:
            return {
                self.grid.point(place): mass
                for (start, stop), mass in zip(pairwise(ends), each, strict=True)
                for place in range(start, stop)
            }
        found: dict[Hashable, Any] = {}
        for lower, upper in pairwise(sorted({*self.cuts, *cuts})):
            start, stop = self.grid.place(lower), self.grid.place(upper)
            mass = each[bisect_right(ends, start) - 1]
            found[lower, upper] = mass * numbers.rational(Fraction(stop - start))
        return found

    def describe(self, outcome: Any) -> str:
        """Name a point, or the points of a run."""
        if isinstance(outcome, tuple):
            lower, upper = outcome
            return f"z is one of the points from {lower} to {upper - self.grid.step}"
        return f"z = {outcome}"

    def _ends(self) -> list[int]:
        """Places where the loss may change, with 0 and one behind the last."""
        around = {end for place in self.records for end in (place, place + 1)}
        return sorted({0, self.grid.last + 1, *around})

    def _loss(self, place: int) -> Fraction:
        under, upto = bisect_left(self.records, place), bisect_right(self.records, place)
        return max(Fraction(0), under - self.most, self.least - upto)


def centered_law(epsilon: Fraction, grid: PointGrid, records: Sequence[int]) -> QuantileLaw:
    """Law of the quantile that is centered on the records, their places in any order."""
    half = Fraction(len(records), 2)
    return QuantileLaw(epsilon, grid, tuple(sorted(records)), half, half)


def ranked_law(
    epsilon: Fraction, grid: PointGrid, records: Sequence[int], rank: ClampedRank
) -> QuantileLaw:
    """Law of the quantile at a public rank, moved into the records as its sampler moves it."""
    points = np.array([grid.last + 1.0])
    moved = int(rank.moved(np.array([len(records)]), points, float(epsilon))[0])
    ordered = tuple(sorted(records))
    return QuantileLaw(epsilon, grid, ordered, Fraction(moved - 1), Fraction(moved))
