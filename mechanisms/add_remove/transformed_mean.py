"""Noise in transformed coordinates (KSW, Algorithm 3): no budget is split.

With w = high - low, x' = (x - low) / w, s1 = sum x', s2 = sum (1 - x') and a noise pair (Z1, Z2),

    mean_hat = low + w Clip((s1 + Z1) / (s1 + Z1 + s2 + Z2), [0, 1]).

A record moves (s1, s2) by (x', 1 - x'), whose l1 norm is 1, so noise for l1 sensitivity 1 pays
for sum and count at once. The hourglass law has integer Z1 + Z2 = T; the denominator is then
n + T with an exact T.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.add_remove.exact_law import TransformedLaplaceLaw
from mechanisms.add_remove.grid import query_sum
from mechanisms.add_remove.ratio import clipped_ratio
from mechanisms.add_remove.utility import transformed_claims
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.hourglass import Hourglass
from mechanisms.noise.l1_staircase import L1Staircase
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.parameters import check_epsilon
from mechanisms.noisy_query import NoisyQuery
from mechanisms.protocols import Noise
from mechanisms.query_draws import draw_query, stated_query
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import Number, check_bounds, check_choice, check_size

__all__ = ["TransformedMean"]

_ITEMS = {
    "laplace": "Theorem 1",
    "l1-staircase": "Algorithm 3 with eq. (12)",
    "hourglass": "Theorem 2",
}


@final
@dataclass(frozen=True, slots=True)
class TransformedMean:
    """Mean of an unknown number of records, one noisy query for sum and count.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter.
    low, high : int, float, str or Fraction
        Public bounds of the records; records outside are clamped, NaN is the midpoint.
    noise : {"laplace", "l1-staircase", "hourglass"}
        Law of (Z1, Z2); the last two with the shape that minimizes the squared error.

    Claims
    ------
    Pure, add-remove: epsilon, which the noisy pair reaches for every added record.

    References
    ----------
    .. [1] Kulesza, Suresh, Wang, "Mean estimation in the add-remove model of differential
       privacy", ICML 2024, Algorithm 3, Theorems 1 and 2 (KSW-A3).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    noise: str
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self, epsilon: Number = 1, low: Number = 0, high: Number = 1, noise: str = "laplace"
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        object.__setattr__(self, "noise", check_choice(noise, "noise", tuple(_ITEMS)))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record added or removed."""
        source = Source("KSW", _ITEMS[self.noise])
        return PrivacyClaim(PureDP(self.epsilon), Relation.ADD_REMOVE, source)

    def noisy_sums(
        self, data: Any, size: int, *, rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Draw the noisy pair (s1 + Z1, n + Z1 + Z2), which alone is private, each (size,)."""
        size, query = check_size(size), stated_query(self)
        first, second = draw_query(query, query_sum(query, data), size, rng=rng)
        return first, second if self.noise == "hourglass" else first + second

    def exact_law(self, data: Any) -> TransformedLaplaceLaw | None:
        """State the output law on `data` (KSW-X1); None for noise without a closed form of it."""
        if self.noise != "laplace":
            return None
        return TransformedLaplaceLaw.from_data(
            data, epsilon=self.epsilon, low=self.low, high=self.high
        )

    def noisy_query(self) -> NoisyQuery:
        """State the noisy pair, which alone is private; x in units of the width, from low."""
        zero, one = Fraction(0), Fraction(1)
        words, second = "(sum of x, sum of 1 - x)", (-one, one)
        noises: tuple[Noise, ...]
        if self.noise == "hourglass":
            words, second = "(sum of x, count)", (zero, one)
            noises = (Hourglass(epsilon=self.epsilon),)
        elif self.noise == "laplace":
            noises = (Laplace(epsilon=self.epsilon, sensitivity=1),) * 2
        else:
            noises = (L1Staircase(epsilon=self.epsilon, sensitivity=1),)
        return NoisyQuery(
            words,
            ((one, zero), second),
            (zero, one),
            noises,
            origin=self.low,
            unit=self.high - self.low,
        )

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State the error on `data`, where it is known for this noise."""
        return transformed_claims(data, self.epsilon, self.low, self.high, self.noise)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0. Returns shape (size,):
        in [low, high], in the unit of the data.
        """
        s1_hat, n_hat = self.noisy_sums(data, size, rng=rng)
        low, high = self.low, self.high
        return clipped_ratio(s1_hat, n_hat, low, high, offset=low, unit=high - low)
