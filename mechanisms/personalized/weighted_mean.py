"""A weighted mean with Laplace noise on a public interval (PDP, Lemma 11, repaired).

The release is  sum_i w_i clip(x_i, low, high) + Lap((high - low) max w / epsilon).  Replacing one
record moves the sum by at most (high - low) max w. The print takes the width of the data's own
range, which depends on the data and can be 0 (erratum PDP-E-04).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from mechanisms.noise.parameters import check_epsilon, check_scale
from mechanisms.personalized.budgets import as_floats, listed
from mechanisms.personalized.noisy_sum import add_laplace, clipped_sums
from mechanisms.personalized.users import user_records
from mechanisms.personalized.utility import law_claims, mean_claims
from mechanisms.records import records_within
from mechanisms.utility_claims import RecordLaw, Truth, UtilityClaim
from mechanisms.validation import Number, check_bounds, check_fraction, check_size
from mechanisms.weighted_query import WeightedQuery

__all__ = ["WeightedMean", "WeightsArgument", "check_weights"]

WeightsArgument: TypeAlias = Number | Iterable[Number]
"""A sequence of numbers, one number for a single record, or text such as "1/2, 1/2"."""

ITEM = "Lemma 11 with a public interval"
MOST = Fraction(10**9)
"""Of a weight."""


@final
@dataclass(frozen=True, slots=True)
class WeightedMean:
    """The mean of one record for each weight.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter.
    weights : sequence of int, float, str or Fraction
        Public, from 0 to 1e9, in the order of the records; need not add up to 1.
    low, high : int, float, str or Fraction
        Public bounds; records outside are clipped, a missing record is the midpoint.

    Claims
    ------
    Pure, swap: epsilon.

    References
    ----------
    .. [1] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Lemma 11 with a public interval (PDP-L11; erratum PDP-E-04).
    """

    epsilon: Fraction
    weights: tuple[Fraction, ...]
    low: Fraction
    high: Fraction
    order: ClassVar[Order] = Order.FIXED

    def __init__(
        self,
        epsilon: Number = 1,
        weights: WeightsArgument = ("1/2", "3/10", "1/5"),
        low: Number = 0,
        high: Number = 1,
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        object.__setattr__(self, "weights", check_weights(weights))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        if self.scale:
            check_scale(self.scale, "(high - low) max w / epsilon")

    @property
    def count(self) -> int:
        """Number of records."""
        return len(self.weights)

    @property
    def scale(self) -> Fraction:
        """Scale of the noise, in the unit of the data."""
        return (self.high - self.low) * max(self.weights) / self.epsilon

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record replaced."""
        source = Source("PDP", ITEM)
        return PrivacyClaim(PureDP(self.epsilon), Relation.SWAP, source)

    def weighted_query(self) -> WeightedQuery:
        """State the release exactly."""
        return WeightedQuery(self.weights, self.low, self.high, self.scale)

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State the error on `data`, that of the noise about the weighted sum of the records."""
        values = records_within(data, self.low, self.high, self.count)
        if values is None:
            return ()
        own = math.fsum(as_floats(self.weights) * values)
        truth = Truth(own, "weighted sum of the records")
        return mean_claims(0.0, float(self.scale), ITEM, truth)

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State the error for records of a law in the bounds, about the weighted sum of means."""
        if count != self.count:
            return ()
        return law_claims(
            law,
            as_floats(self.weights),
            float(self.scale),
            ITEM,
            low=self.low,
            high=self.high,
            words="weighted sum of the means",
        )

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (count,): records, in the unit of the bounds. Returns shape (size,): in the
        unit of the data; constant if low = high or all weights are 0.
        """
        size = check_size(size)
        values = user_records(data, self.count)
        low, high = np.array([float(self.low)]), np.array([float(self.high)])
        center = clipped_sums(values, as_floats(self.weights), low, high)
        return add_laplace(np.repeat(center, size), np.array([float(self.scale)]), rng=rng)


def check_weights(value: WeightsArgument) -> tuple[Fraction, ...]:
    """Read weights exactly.

    `value`: each from 0 to 1e9; also one number, or text such as "1/2, 1/2". Raises InvalidArgument
    if there is no weight, or one is negative, too large or no finite number.
    """
    read = (check_fraction(x, "weights", at_least=0, at_most=MOST) for x in listed(value))
    weights = tuple(read)
    if not weights:
        msg = "weights must name at least one record, got weights=()"
        raise InvalidArgument(msg)
    return weights
