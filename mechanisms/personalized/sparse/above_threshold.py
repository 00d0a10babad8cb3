"""AboveThreshold on counts of records, a mechanism of its own (PDP, Algorithm 1).

Query i counts the records at most t_i, for public points t_1 < ... < t_K spread evenly from low to
high. The release is the index of the first one with

    Q_i + Lap(4 / epsilon) > threshold + Lap(2 / epsilon),

the noise of the threshold drawn once, or K + 1 if none fires: about where the data reach a public
number of records. A record added or removed moves every query by at most 1, so the loss is at most
epsilon; all of them move the same way, so it is at most 3 epsilon / 4 (PDP-A1).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.composition import Composition
from mechanisms.errors import InvalidArgument
from mechanisms.noise.parameters import check_epsilon
from mechanisms.personalized.sparse.sparse_vector import CAP, above_threshold, scan_step
from mechanisms.personalized.sparse.stage_laws import IndexLaw
from mechanisms.records import records
from mechanisms.validation import (
    Number,
    check_bounds,
    check_fraction,
    check_integer,
    check_size,
    shown,
)

__all__ = ["AboveThreshold"]

MOST = Fraction(10**9)
"""Of the threshold, a number of records."""


@final
@dataclass(frozen=True, slots=True)
class AboveThreshold:
    """The first of some points up to which there are more than a public number of records.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter.
    threshold : int, float, str or Fraction
        Public number of records, from -1e9 to 1e9.
    low, high : int, float, str or Fraction
        Public ends of the points.
    queries : int
        Number K of points, from 1 to 64.

    Claims
    ------
    Pure, add-remove: epsilon.

    References
    ----------
    .. [1] Dong and Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 1 (PDP-A1).
    """

    epsilon: Fraction
    threshold: Fraction
    low: Fraction
    high: Fraction
    queries: int
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        threshold: Number = 1,
        low: Number = 0,
        high: Number = 1,
        queries: int = 4,
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact = check_fraction(threshold, "threshold", at_least=-MOST, at_most=MOST)
        object.__setattr__(self, "threshold", exact)
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        count = check_integer(queries, "queries", at_least=1)
        if count > CAP:
            msg = f"queries must be at most {CAP}, got queries={shown(queries)}"
            raise InvalidArgument(msg)
        object.__setattr__(self, "queries", count)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record added or removed."""
        return PrivacyClaim(PureDP(self.epsilon), Relation.ADD_REMOVE, Source("PDP", "Algorithm 1"))

    @property
    def points(self) -> NDArray[np.float64]:
        """Where queries count up to, shape (K,)."""
        steps = range(1, self.queries + 1)
        width = (self.high - self.low) / self.queries
        return np.array([float(self.low + width * step) for step in steps])

    def answers(self, data: Any) -> NDArray[np.int64]:
        """Counts of the records at most each point, shape (K,); NaN is counted nowhere."""
        values = records(data)
        return np.asarray(np.count_nonzero(values[:, np.newaxis] <= self.points, axis=0))

    def private_steps(self) -> Composition:
        """State the scan."""
        step = scan_step("the counts up to a point", self.epsilon)
        return Composition(Relation.ADD_REMOVE, step, 0, "PDP-A1")

    def exact_law(self, data: Any) -> IndexLaw:
        """State the output law on `data`, array_like of shape (n,)."""
        counts = tuple(Fraction(int(count)) - self.threshold for count in self.answers(data))
        return IndexLaw(self.epsilon, counts)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw independent indices.

        `data`, shape (n,): records; n may be 0. Returns shape (size,): from 1 to K + 1.
        """
        size = check_size(size)
        answers = self.answers(data)[np.newaxis].astype(np.float64)
        return above_threshold(
            answers, float(self.threshold), float(self.epsilon), rng=rng, size=size
        )
