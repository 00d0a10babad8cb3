"""Laplace noise on the sum of the centered records and on the count (KSW, Algorithm 2).

With w = high - low and m = (low + high) / 2,

    mean_hat = m + Clip((sum (x - m) + Lap(w / epsilon)) / (n + Lap(2 / epsilon)), [-w/2, w/2]).

Centering makes the sensitivity of the sum w/2, whatever the bounds; half of epsilon pays for it
and half for the count.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.add_remove.grid import query_sum
from mechanisms.add_remove.ratio import clipped_ratio, optional_scale
from mechanisms.add_remove.utility import shifted_claims
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.parameters import check_epsilon
from mechanisms.noisy_query import NoisyQuery
from mechanisms.query_draws import draw_query
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import Number, check_bounds, check_choice, check_size

__all__ = ["ShiftedMean"]


@final
@dataclass(frozen=True, slots=True)
class ShiftedMean:
    """Mean of an unknown number of records, noise on the centered sum and on the count.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter of the paper's scales.
    low, high : int, float, str or Fraction
        Public bounds of the records; records outside are clamped, NaN is the midpoint.
    sum_scale : int, float, str or Fraction, optional
        Scale of the Laplace noise on the centered sum, in the unit of the data; default
        w / epsilon.
    count_scale : int, float, str or Fraction, optional
        Scale of the Laplace noise on the count; default 2 / epsilon.
    release : {"mean", "pair"}
        Whether `sample` returns the ratio, or the noisy pair (centered sum, count)
        itself.

    Claims
    ------
    Pure, add-remove: epsilon. With scales of one's own the exact loss of the noisy pair,
    w / (2 sum_scale) + 1 / count_scale, which the ratio may or may not reach.

    References
    ----------
    .. [1] Kulesza, Suresh, Wang, "Mean estimation in the add-remove model of differential
       privacy", ICML 2024, Algorithm 2 (KSW-A2).
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    sum_scale: Fraction | None
    count_scale: Fraction | None
    release: str
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        low: Number = 0,
        high: Number = 1,
        sum_scale: Number | None = None,
        count_scale: Number | None = None,
        release: str = "mean",
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        object.__setattr__(self, "sum_scale", optional_scale(sum_scale, "sum_scale", self._unit))
        object.__setattr__(
            self, "count_scale", optional_scale(count_scale, "count_scale", Fraction(1))
        )
        object.__setattr__(self, "release", check_choice(release, "release", ("mean", "pair")))

    @property
    def claim(self) -> PrivacyClaim:
        """Half of epsilon for each default scale, the exact loss for each other."""
        half = self.epsilon / 2
        sum_loss = half if self.sum_scale is None else self._half_width / self.sum_scale
        count_loss = half if self.count_scale is None else 1 / self.count_scale
        source = Source("KSW", "Algorithm 2")
        return PrivacyClaim(PureDP(sum_loss + count_loss), Relation.ADD_REMOVE, source)

    @property
    def _half_width(self) -> Fraction:
        """Add-remove sensitivity of the centered sum, w/2."""
        return (self.high - self.low) / 2

    @property
    def _unit(self) -> Fraction:
        """A public length in which no size of data overflows."""
        return 2 * self._half_width or Fraction(1)

    @property
    def scales(self) -> tuple[Fraction, Fraction]:
        """Noise scales of the sum and of the count."""
        return (
            (self.high - self.low) / self.epsilon if self.sum_scale is None else self.sum_scale,
            2 / self.epsilon if self.count_scale is None else self.count_scale,
        )

    def noisy_query(self) -> NoisyQuery:
        """State the noisy centered sum and the noisy count, which alone are private."""
        return _query_in(Fraction(1), self)

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State the error on `data`; nothing with scales of one's own, or of the noisy pair."""
        if self.release == "pair" or self.sum_scale is not None or self.count_scale is not None:
            return ()
        return shifted_claims(data, self.epsilon, self.low, self.high)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0. Returns shape (size,)
        or, with release="pair", (size, 2): means in [low, high], or noisy (centered sum, count).
        """
        size = check_size(size)
        unit, low, high = self._unit, self.low, self.high
        query = _query_in(unit, self)
        s_hat, n_hat = draw_query(query, query_sum(query, data), size, rng=rng)
        if self.release == "pair":
            with np.errstate(over="ignore"):
                return np.stack([float(unit) * s_hat, n_hat], axis=1)
        return clipped_ratio(s_hat, n_hat, low, high, offset=(low + high) / 2, unit=unit)


@lru_cache(maxsize=64)
def _query_in(unit: Fraction, mean: ShiftedMean) -> NoisyQuery:
    """State the query with x in this unit: an audit makes thousands of small calls."""
    sum_scale, count_scale = mean.scales
    middle = (mean.low + mean.high) / 2
    return NoisyQuery(
        f"(sum of x - {middle}, count)",
        ((Fraction(1), -middle / unit), (Fraction(0), Fraction(1))),
        (mean.low / unit, mean.high / unit),
        # a sum that is 0 loses nothing
        (Laplace(1, sum_scale / unit or 1), Laplace(1, count_scale)),
        unit=unit,
    )
