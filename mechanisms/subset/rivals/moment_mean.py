"""A mean clipped by a bound of a moment, around the fullest bin of a noisy histogram.

After Kamath, Singhal and Ullman 2020 (private mean estimation of heavy-tailed distributions); a
reconstruction, constants ours. With n records, a public number, and a public psi that bounds the
k-th root of the k-th central moment

    bins of width 4 psi on [low, high], counts + Lap(4 / epsilon), c the middle of the fullest bin,
    mean of the records clipped to c +- r, r = psi (2 + (n epsilon / 2)^(1/k)),
    + Lap(4 r / (n epsilon)):

half of epsilon for each. The clip at r moves the mean of such a law by about psi / (n epsilon)^(1 -
1/k), as much as the noise does.
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
from mechanisms.validation import Number, check_bounds, check_fraction

__all__ = ["MomentMean"]

ITEM = "comparator: clipped moments (after Kamath, Singhal and Ullman 2020)"


@final
@dataclass(frozen=True, slots=True)
class MomentMean:
    """Mean of a public number of records with a bounded moment, somewhere in wide bounds.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter, half for the histogram and half for the mean.
    low, high : int, float, str or Fraction
        Public bounds; records outside are clipped, NaN is the midpoint.
    psi : int, float, str or Fraction
        Public bound of (E|X - mu|^k)^(1/k), in the unit of the data.
    moment : int, float, str or Fraction
        The order k, at least 2 and at most 1000.

    Claims
    ------
    Pure, swap: epsilon. The number of records is public.

    References
    ----------
    .. [1] Kamath, Singhal, Ullman, "Private mean estimation of heavy-tailed distributions", COLT
       2020: the technique, as SUB's Table 1 names it.
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    psi: Fraction
    moment: Fraction
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        low: Number = -1,
        high: Number = 1,
        psi: Number = "1/10",
        moment: Number = 2,
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        object.__setattr__(self, "psi", check_scale(psi, "psi"))
        order = check_fraction(moment, "moment", at_least=2, at_most=1000)
        object.__setattr__(self, "moment", order)
        check_scale(self.psi / self.epsilon, "psi / epsilon")
        check_bins(exact_low, exact_high, 4 * self.psi, "(4 psi)")

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record replaced."""
        return PrivacyClaim(PureDP(self.epsilon), Relation.SWAP, Source("SUB", ITEM))

    @property
    def bins(self) -> Histogram:
        """The bins of the histogram."""
        return check_bins(self.low, self.high, 4 * self.psi, "(4 psi)")

    def private_steps(self) -> Composition:
        """State the histogram and the mean."""
        return histogram_and_mean(self.epsilon)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n = 0 gives the middle of a bin.
        Returns shape (size,): in [low, high], in the unit of the data.
        """

        def reach(count: int) -> float:
            grows = math.pow(float(count * self.epsilon / 2), 1 / float(self.moment))
            return float(self.psi) * (2 + grows)

        ends = self.low, self.high
        return around_fullest(self.bins, data, ends, self.epsilon, size, reach, rng=rng)
