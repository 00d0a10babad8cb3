"""A mean around the fullest bin of a noisy histogram.

After Karwa and Vadhan 2018 (finite sample confidence intervals); a reconstruction in its pure form
with known standard deviation, constants ours. With n records, a public number, and a scale sigma

    bins of width sigma on [low, high], counts + Lap(4 / epsilon), c the middle of the fullest bin,
    mean of the records clipped to c +- r, r = (4 sqrt(ln(max(n, 3))) + 1/2) sigma,
    + Lap(4 r / (n epsilon)):

half of epsilon for each. Records that are spread over many bins, or far from most others, are lost.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.composition import Composition
from mechanisms.noise.parameters import check_epsilon, check_scale
from mechanisms.subset.rivals.steps import (
    Histogram,
    around_fullest,
    check_bins,
    histogram_and_mean,
)
from mechanisms.validation import Number, check_bounds

__all__ = ["HistogramMean"]

ITEM = "comparator: histogram, then clip (after Karwa and Vadhan 2018)"


@final
@dataclass(frozen=True, slots=True)
class HistogramMean:
    """Mean of a public number of records of a known scale, somewhere in wide bounds.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter, half for the histogram and half for the mean.
    low, high : int, float, str or Fraction
        Public bounds; records outside are clipped, NaN is the midpoint.
    sigma : int, float, str or Fraction
        Public scale of the records, in their unit; (high - low) / sigma at most 2^20.

    Claims
    ------
    Pure, swap: epsilon. The number of records is public.

    References
    ----------
    .. [1] Karwa, Vadhan, "Finite sample differentially private confidence intervals", ITCS 2018:
       the technique, as SUB's Table 1 names it.
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    sigma: Fraction
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self, epsilon: Number = 1, low: Number = -1, high: Number = 1, sigma: Number = "1/10"
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        object.__setattr__(self, "sigma", check_scale(sigma, "sigma"))
        check_scale(self.sigma / self.epsilon, "sigma / epsilon")
        check_bins(exact_low, exact_high, self.sigma, "sigma")

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record replaced."""
        return PrivacyClaim(PureDP(self.epsilon), Relation.SWAP, Source("SUB", ITEM))

    @property
    def bins(self) -> Histogram:
        """The bins of the histogram."""
        return check_bins(self.low, self.high, self.sigma, "sigma")

    def private_steps(self) -> Composition:
        """State the histogram and the mean."""
        return histogram_and_mean(self.epsilon)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n = 0 gives the middle of a bin.
        Returns shape (size,): in [low, high], in the unit of the data.
        """

        def reach(count: int) -> float:
            return (4 * math.sqrt(math.log(max(count, 3))) + 0.5) * float(self.sigma)

        ends = self.low, self.high
        return around_fullest(self.bins, data, ends, self.epsilon, size, reach, rng=rng)
