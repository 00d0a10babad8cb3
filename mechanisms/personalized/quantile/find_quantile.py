"""A private median on a public grid (PDP, Algorithm 2, centered on the records).

The release is a point x of low, low + step, ..., with probability proportional to

    e^(epsilon score(x) / 2),    score(x) = -max(0, #{y < x} - m/2, m/2 - #{y <= x}),

where y runs over the m records in [low, high], rounded down to the grid. A record that is changed,
also from or to the placeholder, moves the score by at most 1. The print has a public rank, clamped
by a margin that depends on the private m; `mechanisms.personalized.quantile.draw` draws both.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.composition import Composition
from mechanisms.noise.parameters import check_epsilon
from mechanisms.personalized.quantile.draw import draw_places, median_step
from mechanisms.personalized.quantile.law import QuantileLaw, centered_law
from mechanisms.personalized.quantile.point_grid import PointGrid, check_grid
from mechanisms.personalized.quantile.utility import median_claim
from mechanisms.records import records, records_within
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import Number, check_size

__all__ = ["FindQuantile"]


@final
@dataclass(frozen=True, slots=True)
class FindQuantile:
    """A point of a grid with about as many records below it as above.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter.
    low, high : int, float, str or Fraction
        Public; records outside are left out, like the placeholder (NaN).
    step : int, float, str or Fraction
        Public, greater than 0, in the unit of the data; at most 2^32 steps from low to high.

    Claims
    ------
    Pure, swap: epsilon, also for a record that becomes the placeholder.

    References
    ----------
    .. [1] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 2 and Lemma 7 (PDP-A2, PDP-L7, PDP-E-13, PDP-E-34).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    step: Fraction
    order: ClassVar[Order] = Order.FREE
    placeholder: ClassVar[bool] = True
    """NaN is a record that is missing."""

    def __init__(
        self, epsilon: Number = 1, low: Number = 0, high: Number = 10, step: Number = 1
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        grid = check_grid(low, high, step)
        object.__setattr__(self, "low", grid.low)
        object.__setattr__(self, "high", grid.high)
        object.__setattr__(self, "step", grid.step)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record replaced, or missing."""
        source = Source("PDP", "Algorithm 2")
        return PrivacyClaim(PureDP(self.epsilon), Relation.SWAP, source)

    @property
    def grid(self) -> PointGrid:
        """The points that may be released."""
        return PointGrid(self.low, self.high, self.step)

    def private_steps(self) -> Composition:
        """State the scores of the points."""
        return Composition(Relation.SWAP, median_step("the median", self.epsilon), 0, "PDP-A2")

    def exact_law(self, data: Any) -> QuantileLaw:
        """State the output law on `data`, array_like of shape (n,), read as `sample` reads it."""
        places = self.grid.places(records(data))
        held = [int(place) for place in places[places < np.inf]]
        return centered_law(self.epsilon, self.grid, held)

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State how rarely the release on `data` is farther in rank from their median."""
        values = records_within(data, self.low, self.high)
        if values is None:
            return ()
        places = self.grid.places(values)
        item = "Lemma 7 with 2 for its 4, centered on the records (ours)"
        return median_claim(places, np.ones(values.size), self.grid, float(self.epsilon), item)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0. Returns shape (size,):
        points of the grid, in the unit of the data; uniform if there is no record.
        """
        size = check_size(size)
        grid = self.grid
        places = grid.places(records(data))[np.newaxis, :]
        first, last = np.zeros(1), np.full(1, float(grid.last))
        drawn = draw_places(places, first, last, float(self.epsilon), rng=rng, size=size)
        return grid.points(drawn)
