"""Algorithm 3 of KSW with the noise scale that the proof of Theorem 1 in version 1 prints.

Erratum KSW-ER1. The proof bounds the sensitivity of (s1, s2) by w = high - low and adds
Lap(w / epsilon). The algorithm has already divided the records by w, so the sensitivity is 1 and
the scale has to be 1 / epsilon. As printed, the noisy pair loses epsilon / w: too much for w < 1,
and more noise than needed for w > 1. The sound form is
`mechanisms.add_remove.transformed_mean.TransformedMean`.
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
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.parameters import check_epsilon, check_scale
from mechanisms.noisy_query import NoisyQuery
from mechanisms.query_draws import draw_query, stated_query
from mechanisms.validation import Number, check_bounds, check_size

__all__ = ["PrintedTransformedMean"]


@final
@dataclass(frozen=True, slots=True)
class PrintedTransformedMean:
    """Algorithm 3 with noise Lap(w / epsilon) on the sums in units of w.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        What the print promises.
    low, high : int, float, str or Fraction
        Public bounds of the records; records outside are clamped, NaN is the midpoint.

    Claims
    ------
    Pure, add-remove: epsilon, as printed. False for high - low < 1: the loss is
    epsilon / (high - low).

    References
    ----------
    .. [1] Kulesza, Suresh, Wang, "Mean estimation in the add-remove model of differential
       privacy", arXiv version 1, proof of Theorem 1 (KSW-ER1).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    order: ClassVar[Order] = Order.FREE

    def __init__(self, epsilon: Number = 1, low: Number = 0, high: Number = 1) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        if exact_low < exact_high:
            check_scale((exact_high - exact_low) / self.epsilon, "(high - low) / epsilon")

    @property
    def claim(self) -> PrivacyClaim:
        """What the print promises."""
        source = Source("KSW", "version 1, proof of Theorem 1 (erratum KSW-ER1)")
        return PrivacyClaim(PureDP(self.epsilon), Relation.ADD_REMOVE, source)

    def noisy_query(self) -> NoisyQuery:
        """State the noisy pair, x in units of the width, from low, with the printed noise."""
        zero, one = Fraction(0), Fraction(1)
        noise = Laplace(1, (self.high - self.low or one) / self.epsilon)
        return NoisyQuery(
            "(sum of x, sum of 1 - x)",
            ((one, zero), (-one, one)),
            (zero, one),
            (noise, noise),
            origin=self.low,
            unit=self.high - self.low,
        )

    def exact_law(self, data: Any) -> TransformedLaplaceLaw:
        """State the output law on `data`, array_like of shape (n,): that of epsilon / w."""
        width = self.high - self.low or Fraction(1)
        return TransformedLaplaceLaw.from_data(
            data, epsilon=self.epsilon / width, low=self.low, high=self.high
        )

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0. Returns shape (size,):
        in [low, high], in the unit of the data.
        """
        size = check_size(size)
        low, high, query = self.low, self.high, stated_query(self)
        s1_hat, s2_hat = draw_query(query, query_sum(query, data), size, rng=rng)
        return clipped_ratio(s1_hat, s1_hat + s2_hat, low, high, offset=low, unit=high - low)
