"""The mean of a public number of records, for comparison (KSW, eqs. (1) and (3)).

With w = high - low, s1 = sum (x - low) / w and noise Z for sensitivity 1,

    mean_hat = low + w Clip((s1 + Z) / n, [0, 1]).

Neighbors have the same n, so only the sum needs noise. The relation is weaker: a mean that is
epsilon-private for add-remove is only 2 epsilon-private for swap.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.add_remove.grid import query_sum
from mechanisms.add_remove.ratio import clipped_ratio
from mechanisms.add_remove.utility import swap_claims
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.parameters import check_epsilon
from mechanisms.noise.staircase import Staircase
from mechanisms.noisy_query import NoisyQuery, PublicFact
from mechanisms.query_draws import draw_query, stated_query
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import Number, check_bounds, check_choice, check_size

__all__ = ["SwapMean"]

_ITEMS = {"laplace": "equation (3)", "staircase": "equation (1)"}


@final
@dataclass(frozen=True, slots=True)
class SwapMean:
    """Mean of a public number of records.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter.
    low, high : int, float, str or Fraction
        Public bounds of the records; records outside are clamped, NaN is the midpoint.
    noise : {"laplace", "staircase"}
        Law of the noise on the sum; the staircase with the shape that minimizes the squared
        error.

    Claims
    ------
    Pure, swap: epsilon. Nothing for add-remove: the number of records is used as it is.

    References
    ----------
    .. [1] Kulesza, Suresh, Wang, "Mean estimation in the add-remove model of differential
       privacy", ICML 2024, eqs. (1) and (3).
    .. [2] Geng, Viswanath, "The optimal noise-adding mechanism in differential privacy", IEEE
       Trans. Inf. Theory 62, 2016.
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
        """Pure epsilon for one record replaced."""
        source = Source("KSW", _ITEMS[self.noise])
        return PrivacyClaim(PureDP(self.epsilon), Relation.SWAP, source)

    def noisy_query(self) -> NoisyQuery:
        """State the noisy sum, x in units of the width, from low; the size is public."""
        law = Laplace if self.noise == "laplace" else Staircase
        zero, one = Fraction(0), Fraction(1)
        noise = law(epsilon=self.epsilon, sensitivity=1)
        return NoisyQuery(
            "sum of x",
            ((one, zero),),
            (zero, one),
            (noise,),
            origin=self.low,
            unit=self.high - self.low,
            public=(PublicFact.COUNT,),
        )

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State a bound of the error on `data`, and with Laplace noise the bias of the clip."""
        return swap_claims(data, self.epsilon, self.low, self.high, self.noise)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n = 0 gives the midpoint. Returns
        shape (size,): in [low, high], in the unit of the data.
        """
        size = check_size(size)
        low, high = self.low, self.high
        query = stated_query(self)
        sums = query_sum(query, data)
        (s1_hat,) = draw_query(query, sums, size, rng=rng)
        n = np.full(size, float(sums.count))
        return clipped_ratio(s1_hat, n, low, high, offset=low, unit=high - low)
