"""The noisy clipped mean (TRI, Proposition 3.0.1).

With a_hat = a - c and b_hat = b + c, where [a, b] is the public range of the mean,

    (1 / n) sum_i clip(x_i, [a_hat, b_hat]) + Lap((b_hat - a_hat) / (epsilon n)).

For laws with E|X - mu|^lam <= 1 the margin c = beta^(-1 / (lam - 1)) keeps the bias below beta.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.parameters import check_epsilon
from mechanisms.noisy_query import NoisyQuery, PublicFact
from mechanisms.query_draws import RecordSum, draw_query
from mechanisms.records import records
from mechanisms.trilemma.margins import clip_ends, printed_margin, sharp_margin
from mechanisms.trilemma.parameters import (
    CONSTANTS,
    check_beta,
    check_clip,
    check_mean_range,
    check_moment,
)
from mechanisms.trilemma.records import at_least_one, finite_records
from mechanisms.trilemma.utility import NoiseMoments, additive_claims, laplace_noise
from mechanisms.trilemma.utility_of_laws import clipped_law_claims
from mechanisms.utility_claims import RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_choice, check_size

__all__ = ["ClippedMean"]


@final
@dataclass(frozen=True, slots=True)
class ClippedMean:
    """Mean of a public number of records with a bias of at most `beta`.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter.
    low, high : int, float, str or Fraction
        Public range [a, b] of the mean, `low < high`. Records may lie anywhere.
    beta : int, float, str or Fraction
        Bound of the bias, greater than 0, in the unit of the data. From 1/2 on, for a range of
        length 1, the constant (low + high) / 2 does better.
    moment : int, float, str or Fraction
        The order lam of the central moment that is at most 1; at least 2, not always an integer.
    constant : {"printed", "sharp"}
        Whether the margin is the paper's, or the smaller one that the bias bounds allow.

    Claims
    ------
    Pure, swap: epsilon, attained. The number of records is public.

    References
    ----------
    .. [1] Regehr, "A bias-variance-privacy trilemma for statistical estimation", MMath thesis,
       University of Waterloo, 2023, Proposition 3.0.1 (TRI-P3.0.1, TRI-P3.0.1-sharp).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    beta: Fraction
    moment: Fraction
    constant: str
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        low: Number = 0,
        high: Number = 1,
        beta: Number = "1/10",
        moment: Number = 2,
        constant: str = "printed",
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact_low, exact_high = check_mean_range(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        object.__setattr__(self, "beta", check_beta(beta))
        object.__setattr__(self, "moment", check_moment(moment))
        object.__setattr__(self, "constant", check_choice(constant, "constant", CONSTANTS))
        check_clip(self.ends, self.epsilon)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record replaced."""
        source = Source("TRI", "Proposition 3.0.1")
        return PrivacyClaim(PureDP(self.epsilon), Relation.SWAP, source)

    @property
    def ends(self) -> tuple[float, float]:
        """The two doubles that records are clipped to."""
        margin = printed_margin if self.constant == "printed" else sharp_margin
        distance = margin(float(self.beta), float(self.moment))
        return clip_ends(self.low, self.high, Fraction(distance))

    @property
    def record_range(self) -> tuple[Fraction, Fraction]:
        """The clip ends: a record moved from one to the other loses epsilon."""
        lower, upper = self.ends
        return Fraction(lower), Fraction(upper)

    @property
    def _width(self) -> Fraction:
        lower, upper = self.record_range
        return upper - lower

    def noisy_query(self) -> NoisyQuery:
        """State the noisy sum, x in units of the width, from the lower end; the size is public."""
        return _query_in(self._width, self)

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State bias and error on `data`, those of the clip and of the noise."""
        values = records(data)
        if values.size == 0 or not np.isfinite(values).all():
            return ()
        moved = math.fsum(np.clip(values, *self.ends) - values) / values.size
        return additive_claims("Proposition 3.0.1", self._noise(values.size), bias=moved)

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State the error under a law, and the bounds in print for the laws that they are for."""
        return clipped_law_claims(
            law,
            count,
            self._noise(count),
            ends=self.ends,
            epsilon=self.epsilon,
            low=self.low,
            high=self.high,
            beta=self.beta,
            moment=self.moment,
            constant=self.constant,
        )

    def _noise(self, count: int) -> NoiseMoments:
        return laplace_noise(float(self._width / (self.epsilon * count)))

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, n at least 1; NaN is the midpoint of the clip. Returns shape
        (size,): in the unit of the data, unbounded.
        """
        size = check_size(size)
        lower, upper = self.ends
        middle = float(sum(self.record_range) / 2)
        values = at_least_one(finite_records(data, missing=middle, lowest=lower, highest=upper))
        # From the lower end, so that a sum is not rounded by more than the noise is for.
        total = Fraction(math.fsum(np.clip(values, lower, upper) - lower))
        found = RecordSum(total, values.size)
        (total_hat,) = draw_query(_query_in(Fraction(1), self), found, size, rng=rng)
        return lower + total_hat / values.size


@lru_cache(maxsize=64)
def _query_in(unit: Fraction, mean: ClippedMean) -> NoisyQuery:
    """State the query with x in this unit: an audit makes thousands of small calls."""
    lower, upper = mean.record_range
    width = (upper - lower) / unit
    return NoisyQuery(
        "sum of x",
        ((Fraction(1), Fraction(0)),),
        (Fraction(0), width),
        (Laplace(mean.epsilon, width),),
        origin=lower,
        unit=unit,
        public=(PublicFact.COUNT,),
    )
