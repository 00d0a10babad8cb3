"""A threshold of given rank by the exponential mechanism (SUB, Algorithm 2).

The release tau has density proportional to e^(-epsilon loss(tau) / 2) on [low, high], where

    loss(tau) = max(0, #{x < tau - alpha} - r, r - #{x <= tau + alpha})

is the distance of the rank r from the ranks that records within alpha of tau have. Adding a record
changes the loss by at most 1, if r is counted from below or from above and is public.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.parameters import check_epsilon
from mechanisms.subset.levels import LevelLaw, LevelPiece
from mechanisms.subset.parameters import check_alpha, check_rank, check_side
from mechanisms.subset.utility import ZETA, threshold_claim
from mechanisms.subset.window import (
    clipped_records,
    distance,
    draw,
    exact_windows,
    ranks,
    windows,
)
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import Number, check_bounds, check_size

__all__ = ["Threshold"]


@final
@dataclass(frozen=True, slots=True)
class Threshold:
    """A number with about `rank` records below it (or above it), up to a distance alpha.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter.
    low, high : int, float, str or Fraction
        Public bounds of the release and of the records; records outside are clipped, NaN is the
        midpoint.
    rank : int, float, str or Fraction
        Public; need not be an integer nor below the number of records. From -2^31 to 2^31.
    side : {"below", "above"}
        Where the rank is counted from; "above" means rank n - `rank` from below.
    alpha : int, float, str or Fraction, optional
        Public, greater than 0, in the unit of the data; default (high - low) / 20.

    Claims
    ------
    Pure, add-remove: epsilon.

    References
    ----------
    .. [1] Dick, Kulesza, Sun, Suresh, "Subset-based instance optimality in private estimation",
       ICML 2023, Algorithm 2 and Theorem 3.7 (SUB-A2, SUB-T3.7p).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    rank: Fraction
    side: str
    alpha: Fraction
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        low: Number = 0,
        high: Number = 1,
        rank: Number = 1,
        side: str = "below",
        alpha: Number | None = None,
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        object.__setattr__(self, "rank", check_rank(rank))
        object.__setattr__(self, "side", check_side(side))
        object.__setattr__(self, "alpha", check_alpha(alpha, exact_low, exact_high))

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record added or removed."""
        source = Source("SUB", "Algorithm 2 and Theorem 3.7")
        return PrivacyClaim(PureDP(self.epsilon), Relation.ADD_REMOVE, source)

    def exact_law(self, data: Any) -> LevelLaw:
        """State the output law on `data`, array_like of shape (n,), read as `sample` reads it."""
        values = clipped_records(data, self.low, self.high)
        if self.low == self.high:
            return LevelLaw(self.epsilon, (), self.low)
        pieces = []
        for window in exact_windows(values, self.low, self.high, self.alpha):
            lo, hi = ranks(window.lo, window.hi, values.size, self.side)
            loss = max(Fraction(0), lo - self.rank, self.rank - hi)
            pieces.append(LevelPiece(window.lower, window.upper, loss))
        return LevelLaw(self.epsilon, tuple(pieces))

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State how rarely the loss on `data` is beyond the bound of Theorem 3.7."""
        if self.low == self.high:
            return ()
        argument = (self.high - self.low) / (self.alpha * ZETA)
        return threshold_claim(
            data,
            self.rank,
            self.side,
            reach=2 / float(self.epsilon) * math.log(argument),
            low=self.low,
            high=self.high,
            alpha=self.alpha,
            strict=True,
            item="Theorem 3.7",
        )

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0. Returns shape (size,):
        in [low, high], in the unit of the data.
        """
        size = check_size(size)
        values = clipped_records(data, self.low, self.high)
        if self.low == self.high:
            return np.full(size, float(self.low))
        found = windows(values, self.low, self.high, float(min(self.alpha, self.high - self.low)))
        lo, hi = ranks(found.lo, found.hi, values.size, self.side)
        return draw(found, distance(lo, hi, self.rank), self.epsilon, size, rng=rng)
