"""A mean within a private radius around a private center.

After Huang, Liang and Yi 2021 (instance-optimal mean estimation); a reconstruction, constants ours.
With n records, a public number, and a public resolution alpha

    c   a point of the grid low, low + alpha, ..., of weight e^(-(epsilon / 8) |#{x <= c} - n / 2|),
    R   one of alpha 2^k, k = 0, ..., K, of weight e^(-(epsilon / 8) |#{|x - c| > R} - t|),
        with t = ceil((8 / epsilon) ln(K + 2)) records left out and alpha 2^K at least high - low,
    mean of the records clipped to c +- R, + Lap(4 R / (n epsilon)):

a quarter of epsilon for c and for R, half for the mean. A record that is replaced moves either
count by at most 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.composition import Composition, InTurn, ScoreStep
from mechanisms.errors import InvalidArgument
from mechanisms.noise.parameters import check_epsilon, check_scale
from mechanisms.subset.rivals.steps import MOST_BINS, clipped_means, finite_values, mean_step
from mechanisms.validation import Number, check_bounds, check_fraction, check_size, shown

__all__ = ["RadiusMean"]

ITEM = "comparator: private radius (after Huang, Liang and Yi 2021)"
Array = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class RadiusMean:
    """Mean of a public number of records, clipped to where nearly all of them lie.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter: a quarter for the center, a quarter for the radius, half for the mean.
    low, high : int, float, str or Fraction
        Public bounds; records outside are clipped, NaN is the midpoint.
    alpha : int, float, str or Fraction, optional
        Public resolution, in the unit of the data; at most 2^20 steps from low to high. Default
        (high - low) / 1000, or 1.

    Claims
    ------
    Pure, swap: epsilon. The number of records is public.

    References
    ----------
    .. [1] Huang, Liang, Yi, "Instance-optimal mean estimation under differential privacy", NeurIPS
       2021: the technique, as SUB's Table 1 names it.
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    alpha: Fraction
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self, epsilon: Number = 1, low: Number = -1, high: Number = 1, alpha: Number | None = None
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        given = (exact_high - exact_low) / 1000 or Fraction(1) if alpha is None else alpha
        exact = check_scale(check_fraction(given, "alpha", above=0), "alpha")
        object.__setattr__(self, "alpha", exact)
        check_scale(max(exact_high - exact_low, exact) / self.epsilon, "(high - low) / epsilon")
        if (exact_high - exact_low) / exact > MOST_BINS:
            msg = f"(high - low) / alpha must be at most {MOST_BINS}, got alpha={shown(alpha)}"
            raise InvalidArgument(msg)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record replaced."""
        return PrivacyClaim(PureDP(self.epsilon), Relation.SWAP, Source("SUB", ITEM))

    @property
    def factor(self) -> Fraction:
        """What a unit of either score weighs in the exponent."""
        return self.epsilon / 8

    def private_steps(self) -> Composition:
        """State the center, the radius and the mean."""
        one = Fraction(1)
        steps = (
            ScoreStep("the center", one, self.factor),
            ScoreStep("the radius", one, self.factor),
            mean_step(self.epsilon / 2),
        )
        return Composition(Relation.SWAP, InTurn(steps), 0, "PDP-A2")

    @property
    def points(self) -> Array:
        """Where the center may be."""
        steps = int((self.high - self.low) // self.alpha) + 1
        return np.asarray(float(self.low) + float(self.alpha) * np.arange(steps))

    @property
    def radii(self) -> Array:
        """What the radius may be."""
        parts = math.ceil((self.high - self.low) / self.alpha)
        octaves = max(parts - 1, 0).bit_length()  # the least k with 2^k at least parts
        return np.asarray(float(self.alpha) * 2.0 ** np.arange(octaves + 1))

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> Array:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n = 0 gives a point of the grid.
        Returns shape (size,): in [low, high], in the unit of the data.
        """
        size = check_size(size)
        values, factor = finite_values(data, self.low, self.high), float(self.factor)
        below = np.searchsorted(values, self.points, side="right")
        centers = self.points[_drawn(-np.abs(below - values.size / 2) * factor, size, rng)]
        if values.size:
            reach = self._radii(values, centers, rng)
            centers = clipped_means(values, centers, reach, self.epsilon / 2, rng=rng)
        return np.clip(centers, float(self.low), float(self.high)) + 0.0

    def _radii(self, values: Array, centers: Array, rng: np.random.Generator) -> Array:
        """Draw a radius for each center; equal centers share their counts."""
        radii, factor = self.radii, float(self.factor)
        left_out = math.ceil(math.log(radii.size + 1) / factor)
        found, which = np.unique(centers, return_inverse=True)
        reach = np.empty(centers.size)
        for place, center in enumerate(found.tolist()):
            within = np.searchsorted(values, center + radii, side="right") - np.searchsorted(
                values, center - radii, side="left"
            )
            rows = np.flatnonzero(which.ravel() == place)
            logs = -np.abs(values.size - within - left_out) * factor
            reach[rows] = radii[_drawn(logs, rows.size, rng)]
        return reach


def _drawn(logs: Array, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw places with probability proportional to e^logs, shape (size,)."""
    reached = np.cumsum(np.exp(logs - logs.max()))
    places = np.searchsorted(reached, rng.random(size) * reached[-1], side="right")
    return np.asarray(places, dtype=np.int64)
