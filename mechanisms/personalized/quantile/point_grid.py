"""A public grid low, low + step, ..., up to high: places of records on it, and its points.

A record is rounded down to the grid, exactly; one outside [low, high] is left out, as is the
placeholder. Each record is read by itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_bounds, check_fraction, shown

__all__ = ["PointGrid", "check_grid"]

MOST_STEPS = 2**32
LARGEST = Fraction(10**300)
"""Of a step; it and its inverse are doubles."""

WHOLE = 2**53
"""Integers up to here are doubles."""


@final
@dataclass(frozen=True, slots=True)
class PointGrid:
    """Points low + k step for k = 0, ..., last."""

    low: Fraction
    """First point."""
    high: Fraction
    """Largest number that is rounded to the grid, at least `low`."""
    step: Fraction
    """Greater than 0."""

    @property
    def last(self) -> int:
        """Place of the last point."""
        return (self.high - self.low) // self.step

    def point(self, place: int) -> Fraction:
        """Exact point at a place."""
        return self.low + place * self.step

    def place(self, point: Fraction) -> int:
        """Place of an exact point, rounded down."""
        return (point - self.low) // self.step

    def places(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Places of records, shape (n,): integers, and inf where a record is left out.

        `values`, shape (n,): any doubles.
        """
        least, most = _double_from(self.low, math.inf), _double_from(self.high, -math.inf)
        inside = (values >= least) & (values <= most)
        found = np.full(values.shape, np.inf)
        found[inside] = self._rounded(values[inside])
        return found

    def points(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points at places, in the shape of `places`, each the nearest double."""
        below = math.lcm(self.low.denominator, self.step.denominator)
        start, pace = int(self.low * below), int(self.step * below)
        if max(below, abs(start) + self.last * pace) <= WHOLE:
            return np.asarray((start + places * pace) / below)
        found, where = np.unique(places, return_inverse=True)
        return np.array([float(self.point(int(k))) for k in found])[where]

    def _rounded(self, inside: NDArray[np.float64]) -> NDArray[np.float64]:
        """Places of records that are inside."""
        largest = max(abs(self.low), abs(self.high), self.step)
        if self.low.denominator == self.step.denominator == 1 and largest <= WHOLE // 2:
            whole = np.floor(inside).astype(np.int64) - int(self.low)
            return np.asarray(whole // int(self.step), dtype=np.float64)
        low, step = float(self.low), float(self.step)
        # Rounding low and step, the difference and the quotient.
        error = 2.0**-50 * (self.last + 1 + abs(low) / step)
        place = (inside - low) / step
        rounded = np.floor(place)
        open_places = np.flatnonzero(np.abs(place - np.rint(place)) <= error)
        found, where = np.unique(inside[open_places], return_inverse=True)
        exact = np.array([float(self.place(Fraction(x))) for x in found.tolist()])
        rounded[open_places] = exact[where]
        return rounded


def check_grid(low: Any, high: Any, step: Any) -> PointGrid:
    """Read a grid: low <= high, a step from 1e-300 to 1e300, and at most 2^32 steps."""
    exact_low, exact_high = check_bounds(low, high)
    exact_step = check_fraction(step, "step", at_least=1 / LARGEST, at_most=LARGEST)
    if exact_high - exact_low > MOST_STEPS * exact_step:
        msg = f"step must be at least (high - low) / 2^32, got step={shown(step)}"
        raise InvalidArgument(msg)
    return PointGrid(exact_low, exact_high, exact_step)


def _double_from(bound: Fraction, towards: float) -> float:
    """Return the double nearest to a bound on one side of it."""
    near = float(bound)
    beyond = Fraction(near) < bound if towards > 0 else Fraction(near) > bound
    return math.nextafter(near, towards) if beyond else near
