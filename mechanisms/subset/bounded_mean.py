"""Mean of records in a public interval, with noise on sum and count apart (SUB, Algorithm 1).

With w = high - low and m = (low + high) / 2,

    mean_hat = clip((sum (x - m) + Lap(w / epsilon)) / (n + Lap(2 / epsilon)), [-w/2, w/2]) + m.

A record moves the count by 1 and the centered sum by at most w / 2: each noise costs epsilon / 2.
The expected error is in `mechanisms.subset.bounded_error`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.add_remove.grid import query_sum
from mechanisms.add_remove.ratio import clipped_ratio
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.parameters import check_epsilon, check_scale
from mechanisms.noisy_query import NoisyQuery
from mechanisms.query_draws import draw_query, stated_query
from mechanisms.subset.utility import bounded_mean_claims
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import Number, check_bounds, check_choice, check_size

__all__ = ["BoundedMean"]

HALF = Fraction(1, 2)


@final
@dataclass(frozen=True, slots=True)
class BoundedMean:
    """Mean of an unknown number of records: a noisy sum over a noisy count.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter.
    low, high : int, float, str or Fraction
        Public bounds of the records; records outside are clipped, NaN is the midpoint.
    release : {"mean", "pair"}
        Whether `sample` returns the mean, or the noisy pair (centered sum, count) itself.

    Claims
    ------
    Pure, add-remove: epsilon. A record at either bound loses all of it in the noisy pair; what the
    mean loses is not known.

    References
    ----------
    .. [1] Dick, Kulesza, Sun, Suresh, "Subset-based instance optimality in private estimation",
       ICML 2023, Algorithm 1 and Lemma 3.3 (SUB-A1, SUB-L3.3p).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    release: str
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self, epsilon: Number = 1, low: Number = 0, high: Number = 1, release: str = "mean"
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        object.__setattr__(self, "release", check_choice(release, "release", ("mean", "pair")))
        if exact_low < exact_high:
            check_scale((exact_high - exact_low) / self.epsilon, "(high - low) / epsilon")

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record added or removed."""
        source = Source("SUB", "Algorithm 1 and Lemma 3.3")
        return PrivacyClaim(PureDP(self.epsilon), Relation.ADD_REMOVE, source)

    def noisy_query(self) -> NoisyQuery:
        """State the noisy pair, x in units of the width, from low: x - 1/2 is at most 1/2."""
        return NoisyQuery(
            "(sum of x - 1/2, count)",
            ((Fraction(1), -HALF), (Fraction(0), Fraction(1))),
            (Fraction(0), Fraction(1)),
            (Laplace(self.epsilon, 1), Laplace(self.epsilon, 2)),
            origin=self.low,
            unit=self.high - self.low,
        )

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State the mean absolute error on `data`, exactly, and the bound of Lemma 3.3."""
        if self.release == "pair":
            return ()
        return bounded_mean_claims(data, self.epsilon, self.low, self.high)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0. Returns shape (size,)
        or, with release="pair", (size, 2): means in [low, high], or noisy (centered sum, count).
        """
        size = check_size(size)
        low, high, width, query = self.low, self.high, self.high - self.low, stated_query(self)
        s_hat, n_hat = draw_query(query, query_sum(query, data), size, rng=rng)
        if self.release == "pair":
            return np.stack([float(width) * s_hat, n_hat], axis=1)
        return clipped_ratio(s_hat, n_hat, low, high, offset=(low + high) / 2, unit=width)
