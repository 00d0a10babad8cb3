"""A threshold of given rank among the points of a public grid (SUB, Corollary 3.8).

The grid z_1 < .. < z_m has a step gamma, and records are rounded to it, each by itself. The paper
runs Algorithm 2 with alpha = gamma / 3 and rounds the release to the grid, which gives exactly

    P(z_i) ~ (1/3) ([i > 1] + [i < m]) e^(-epsilon l_i / 2)
             + (1/6) [i > 1] e^(-epsilon g_(i-1) / 2) + (1/6) [i < m] e^(-epsilon g_i / 2)

with l_i the distance of the rank r from [#{x < z_i}, #{x <= z_i}], the loss next to z_i, and
g_i = |r - #{x <= z_i}| that between z_i and z_(i+1). The exponential mechanism on the grid itself,
P(z_i) ~ e^(-epsilon l_i / 2), is simpler and a little better. No real number is drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.add_remove.grid import grid_indices
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.parameters import check_epsilon
from mechanisms.records import records
from mechanisms.subset.parameters import check_rank, check_side
from mechanisms.subset.points import PointLaw, draw_places, grid_points
from mechanisms.subset.utility import ZETA, threshold_claim
from mechanisms.subset.window import distance, ranks
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import (
    Number,
    check_bounds,
    check_choice,
    check_fraction,
    check_integer,
    check_size,
)

__all__ = ["GridThreshold"]

POINTS_MOST = 2**24

NEXT, BETWEEN = Fraction(1, 3), Fraction(1, 6)
"""Share of a step within alpha of a grid point, and of its middle third up to the half."""


@final
@dataclass(frozen=True, slots=True)
class GridThreshold:
    """A grid point with about `rank` records below it (or above it).

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter.
    low, high : int, float, str or Fraction
        First and last point of the grid; records are clipped to it, NaN is the midpoint.
    points : int
        Number m of grid points, from 1 to 2^24; of one point, `low` is the release.
    rank : int, float, str or Fraction
        Public; need not be an integer nor below the number of records. From -2^31 to 2^31.
    side : {"below", "above"}
        Where the rank is counted from; "above" means rank n - `rank` from below.
    rule : {"rounded", "direct"}
        The paper's law, or the exponential mechanism on the grid itself.

    Claims
    ------
    Pure, add-remove: epsilon.

    References
    ----------
    .. [1] Dick, Kulesza, Sun, Suresh, "Subset-based instance optimality in private estimation",
       ICML 2023, Corollary 3.8 (SUB-A2g, SUB-C3.8p).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    points: int
    rank: Fraction
    side: str
    rule: str
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        low: Number = 0,
        high: Number = 1,
        points: int = 129,
        rank: Number = 1,
        side: str = "below",
        rule: str = "rounded",
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        count = check_integer(points, "points", at_least=1)
        check_fraction(count, "points", at_most=POINTS_MOST)
        object.__setattr__(self, "points", count)
        object.__setattr__(self, "rank", check_rank(rank))
        object.__setattr__(self, "side", check_side(side))
        object.__setattr__(self, "rule", check_choice(rule, "rule", ("rounded", "direct")))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record added or removed."""
        source = Source("SUB", "Corollary 3.8")
        return PrivacyClaim(PureDP(self.epsilon), Relation.ADD_REMOVE, source)

    def exact_law(self, data: Any) -> PointLaw:
        """State the output law on `data`, array_like of shape (n,), read as `sample` reads it."""
        counts = self._counts(data).tolist()
        step = (self.high - self.low) / max(self.points - 1, 1)
        points = tuple(self.low + i * step for i in range(self.points))
        at = [self._exact_loss(lo, hi, counts[-1]) for lo, hi in pairwise([0, *counts])]
        middle = [self._exact_loss(count, count, counts[-1]) for count in counts[:-1]]
        if self.low == self.high:
            return PointLaw(self.epsilon, points[:1], (((Fraction(1), Fraction(0)),),))
        if self.rule == "direct" or self.points == 1:
            return PointLaw(self.epsilon, points, tuple(((Fraction(1), loss),) for loss in at))
        weights = []
        for i, loss in enumerate(at):
            beside = middle[max(i - 1, 0) : i + 1]
            own = (NEXT * len(beside), loss)
            weights.append((own, *((BETWEEN, other) for other in beside)))
        return PointLaw(self.epsilon, points, tuple(weights))

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State how rarely the rank error on `data` is beyond the bound of Corollary 3.8."""
        values = records(data)
        step = (self.high - self.low) / max(self.points - 1, 1)
        inside = np.all((float(self.low) <= values) & (values <= float(self.high)))
        if self.low == self.high or self.points == 1 or not inside:
            return ()
        places = grid_indices(values, self.low, self.high, self.points - 1)
        choices = 3 * (self.points - 1) if self.rule == "rounded" else self.points
        return threshold_claim(
            grid_points(places, self.low, step),
            self.rank,
            self.side,
            reach=2 / float(self.epsilon) * math.log(choices / ZETA),
            low=self.low,
            high=self.high,
            alpha=Fraction(0),
            strict=False,
            item="Corollary 3.8",
        )

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0. Returns shape (size,):
        grid points, each the nearest double.
        """
        size = check_size(size)
        index = draw_places(self._float_weights(self._counts(data)), size, rng=rng)
        return grid_points(index, self.low, (self.high - self.low) / max(self.points - 1, 1))

    def _counts(self, data: Any) -> NDArray[np.int64]:
        """Number of records at most at each grid point, shape (m,)."""
        indices = grid_indices(records(data), self.low, self.high, self.points - 1)
        return np.cumsum(np.bincount(indices, minlength=self.points))

    def _float_weights(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Weights of the grid points up to a factor, shape (m,)."""
        below = np.concatenate([[0], counts[:-1]])
        at = distance(*ranks(below, counts, int(counts[-1]), self.side), self.rank)
        least, rate = at.min(), float(self.epsilon) / 2
        weights: NDArray[np.float64] = np.exp(-rate * (at - least))
        if self.rule == "direct" or self.points == 1:
            return weights
        inner = counts[:-1]
        middle = distance(*ranks(inner, inner, int(counts[-1]), self.side), self.rank)
        beside = np.exp(-rate * (middle - least))
        weights *= float(NEXT) * np.repeat([1.0, 2.0, 1.0], [1, self.points - 2, 1])
        weights[1:] += float(BETWEEN) * beside
        weights[:-1] += float(BETWEEN) * beside
        return weights

    def _exact_loss(self, lo: int, hi: int, count: int) -> Fraction:
        least, most = ranks(lo, hi, count, self.side)
        return max(Fraction(0), least - self.rank, self.rank - most)
