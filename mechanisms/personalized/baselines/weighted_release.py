"""A weighted mean with independent Laplace noises: its query, its draws and its errors.

The release is sum_i w_i clip(x_i, low, high) + sum_j Lap(s_j). With b the weighted sum less the
mean, v = 2 sum s_j^2 and k = 24 sum s_j^4 + 24 sum_(i < j) s_i^2 s_j^2, the error has the mean b,
the mean square b^2 + v and the fourth moment b^4 + 6 b^2 v + k on a data set.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Source
from mechanisms.personalized.budgets import as_floats
from mechanisms.personalized.noisy_sum import clipped_sums
from mechanisms.personalized.users import user_records
from mechanisms.records import records_within
from mechanisms.utility_claims import Quantity, RecordLaw, UtilityClaim
from mechanisms.weighted_query import WeightedQuery

__all__ = ["WeightedRelease"]

Claims = tuple[UtilityClaim, ...]
ZERO = Fraction(0)


@final
@dataclass(frozen=True, slots=True)
class WeightedRelease:
    """What is drawn, in exact numbers; without weights the release is the midpoint."""

    weights: tuple[Fraction, ...]
    """Of the records, in the order of the users; they add up to 1, or all are 0."""
    scales: tuple[Fraction, ...]
    """Of the noises; none without weights."""
    low: Fraction
    high: Fraction
    item: str
    """What the promises are about."""

    @property
    def query(self) -> WeightedQuery:
        """The weighted sum with a single noise."""
        scale = self.scales[0] if self.scales else ZERO
        return WeightedQuery(self.weights, self.low, self.high, scale)

    def draw(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw releases, shape (size,)."""
        values = user_records(data, len(self.weights))
        low, high = float(self.low), float(self.high)
        if not any(self.weights):
            return np.full(size, low / 2 + high / 2)
        weights = as_floats(self.weights)
        center = clipped_sums(values, weights, np.array([low]), np.array([high]))
        total = np.repeat(center, size)
        for scale in self.scales:
            total += rng.laplace(scale=float(scale), size=size)
        return total + 0.0

    def claims(self, data: Any) -> Claims:
        """Bias and mean square on records within the bounds."""
        values = records_within(data, self.low, self.high, len(self.weights))
        if values is None or not any(self.scales):
            return ()
        moved = math.fsum(as_floats(self.weights) * values) - math.fsum(values) / values.size
        variance, fourth = self._noise()
        bias, source = abs(moved), Source("PDP", self.item)
        square = bias**4 + 6 * bias**2 * variance + fourth
        return (
            UtilityClaim(Quantity.BIAS, bias, source, symmetric=bias == 0),
            UtilityClaim(Quantity.MSE, bias**2 + variance, source, exactly=True, square=square),
        )

    def claims_under(self, law: RecordLaw, count: int) -> Claims:
        """No bias, and the mean square, for independent records of a law within the bounds."""
        ends = float(self.low), float(self.high)
        beyond = law.expectation(lambda x: max(ends[0] - x, x - ends[1], 0.0), ends)
        if count != len(self.weights) or not any(self.scales) or beyond > 0:
            return ()
        squares = as_floats(self.weights) ** 2
        spread = law.variance * math.fsum(squares)
        fourth = 3 * spread**2 + math.fsum(squares**2) * (
            law.central_moment(4) - 3 * law.variance**2
        )
        variance, noise = self._noise()
        source = Source("PDP", self.item)
        return (
            UtilityClaim(Quantity.BIAS, 0, source, symmetric=law.symmetric),
            UtilityClaim(
                Quantity.MSE,
                spread + variance,
                source,
                exactly=True,
                square=fourth + 6 * spread * variance + noise,
            ),
        )

    def mse_upper(self) -> float:
        """Largest mean square for independent records of one mean: fair coins on both ends."""
        width = float(self.high - self.low)
        spread = width**2 / 4 * math.fsum(as_floats(self.weights) ** 2)
        return spread + self._noise()[0]

    def _noise(self) -> tuple[float, float]:
        """Variance and fourth moment of the noises together."""
        squares = [2 * float(scale) ** 2 for scale in self.scales]
        total = math.fsum(squares)
        # a Laplace variate of variance v has the fourth moment 6 v^2, and 3 v^2 is in total^2
        return total, 3 * total**2 + math.fsum(3 * v**2 for v in squares)
