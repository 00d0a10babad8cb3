"""Laws on finitely many numbers whose weights are sums of exponentials, as exact data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.protocols import Arithmetic

__all__ = ["PointLaw", "draw_places", "grid_points", "score_law"]


@final
@dataclass(frozen=True, slots=True)
class PointLaw:
    """Law of a release on finitely many points."""

    epsilon: Fraction
    """Unit of the levels."""
    points: tuple[Fraction, ...]
    """Ascending."""
    weights: tuple[tuple[tuple[Fraction, Fraction], ...], ...]
    """A point's weight is the sum of factor e^(-epsilon loss / 2) over its terms, greater than 0.
    """

    def __post_init__(self) -> None:
        ascending = all(a < b for a, b in zip(self.points, self.points[1:], strict=False))
        if not self.points or len(self.points) != len(self.weights) or not ascending:
            msg = f"points must ascend and each have a weight, got points={self.points!r}"
            raise InvalidArgument(msg)

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Points of [lower, upper], ascending."""
        return tuple(point for point in self.points if lower <= point <= upper)

    def atoms(self, numbers: Arithmetic[Any]) -> Mapping[Fraction, Any]:
        """Probability of each point."""
        least = min(loss for terms in self.weights for _, loss in terms)
        weights, total = [], numbers.rational(Fraction(0))
        for terms in self.weights:
            weight = numbers.rational(Fraction(0))
            for factor, loss in terms:
                level = numbers.rational(self.epsilon * (least - loss) / 2)
                weight = weight + numbers.rational(factor) * numbers.exp(level)
            weights.append(weight)
            total = total + weight
        return {p: weight / total for p, weight in zip(self.points, weights, strict=True)}

    def log_density(self, point: Fraction, numbers: Arithmetic[Any]) -> Any:
        """Logarithm of the probability of one of the points.

        Raises InvalidArgument if it is none of them.
        """
        if point not in self.points:
            msg = f"point must be one of the law's points, got point={point!r}"
            raise InvalidArgument(msg)
        return numbers.log(self.atoms(numbers)[point])


def draw_places(
    weights: NDArray[np.float64], size: int, *, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw places 0..m-1 with probabilities proportional to `weights`, shape (m,)."""
    reached = np.cumsum(weights)
    index = np.searchsorted(reached, rng.random(size) * reached[-1], side="right")
    # A product rounded up to the last sum would fall behind the last place of any weight.
    last = np.searchsorted(reached, reached[-1])
    return np.asarray(np.minimum(index, last), dtype=np.int64)


def grid_points(places: NDArray[np.int64], low: Fraction, step: Fraction) -> NDArray[np.float64]:
    """Points low + place step of a grid, each the nearest double, in the shape of `places`."""
    found, where = np.unique(places, return_inverse=True)
    return np.array([float(low + int(i) * step) for i in found])[where]


def score_law(
    scores: NDArray[np.int64], epsilon: Fraction, low: Fraction, step: Fraction
) -> PointLaw:
    """Law of a grid point of probability proportional to e^(-epsilon score / 2)."""
    points = tuple(low + i * step for i in range(scores.size))
    weights = tuple(((Fraction(1), Fraction(score)),) for score in scores.tolist())
    return PointLaw(epsilon, points, weights)
