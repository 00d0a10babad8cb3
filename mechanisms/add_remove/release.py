"""The hardened form of Algorithm 3: integers and exact coins throughout (KSW-A3 with KSW-D5).

Records are rounded to positions in {0, 1/Q, .., 1}; with Q s1 and n exact integers and (J, T) from
the discrete hourglass law, the noisy pair is

    (Q s1 + J, n + T),    J in Z, T in Z,

and the release is a function of these two integers alone. No floating-point number exists before
the final quotient, and the coins come from the operating system. Run time is not protected.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.add_remove.grid import GRID, MAX_GRID, exact_sums
from mechanisms.add_remove.utility import release_claims
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from mechanisms.noise.discrete_hourglass import DiscreteHourglass, default_level0
from mechanisms.noise.exact_bits import BitSource, bernoulli_exp, geometric, uniform_below
from mechanisms.noise.parameters import check_epsilon
from mechanisms.noisy_query import NoisyQuery
from mechanisms.utility_claims import UtilityClaim
from mechanisms.validation import Number, check_bounds, check_integer, check_size, shown

__all__ = ["ReleaseMean", "exact_hourglass"]

_BATCH = 1 << 16  # candidates at a time: the arrays of one round stay in the cache
_EXACT_DOUBLE = 2**53


@final
@dataclass(frozen=True, slots=True)
class ReleaseMean:
    """Mean of an unknown number of records, in integer arithmetic with exact noise.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter; a rational, used as it is.
    low, high : int, float, str or Fraction
        Public bounds of the records; records outside are clamped, NaN is the midpoint.
    grid : int
        Number Q of steps between low and high that records are rounded to, 1 to 2^32.
    bits : callable, optional
        Function n -> n uniform bytes; default `os.urandom`. For tests.

    Claims
    ------
    Pure, add-remove: epsilon, for the very bits that are returned.

    References
    ----------
    .. [1] Kulesza, Suresh, Wang, "Mean estimation in the add-remove model of differential
       privacy", ICML 2024, Algorithm 3 and Theorem 2; discrete form KSW-D5.
    .. [2] Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy", NeurIPS
       2020, Algorithms 1 and 2.
    """

    epsilon: Fraction
    low: Fraction
    high: Fraction
    grid: int
    bits: BitSource | None
    order: ClassVar[Order] = Order.FREE

    def __init__(
        self,
        epsilon: Number = 1,
        low: Number = 0,
        high: Number = 1,
        grid: int = GRID,
        bits: BitSource | None = None,
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        if check_integer(grid, "grid", at_least=1) > MAX_GRID:
            msg = f"grid must be at most {MAX_GRID}, got grid={shown(grid)}"
            raise InvalidArgument(msg)
        object.__setattr__(self, "grid", int(grid))
        object.__setattr__(self, "bits", bits)

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record added or removed."""
        source = Source("KSW", "Theorem 2, discrete form KSW-D5")
        return PrivacyClaim(PureDP(self.epsilon), Relation.ADD_REMOVE, source)

    def noisy_integers(self, data: Any, size: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Draw the noisy pair (Q s1 + J, n + T), exact integers, each of shape (size,)."""
        size = check_size(size)
        sums = exact_sums(data, self.low, self.high, self.grid)
        bits = os.urandom if self.bits is None else self.bits
        j, t = exact_hourglass(*self._noise, size, bits)
        return _add(sums.first, j), _add(sums.count, t)

    @property
    def _noise(self) -> tuple[Fraction, int, int]:
        """Parameters epsilon, Q and level0 of (J, T); any level0 keeps the promise."""
        return self.epsilon, self.grid, default_level0(float(self.epsilon), self.grid)

    def noisy_query(self) -> NoisyQuery:
        """State the noisy pair of integers, which alone is private; x in grid steps from low."""
        zero, one = Fraction(0), Fraction(1)
        return NoisyQuery(
            "(sum of x, count)",
            ((one, zero), (zero, one)),
            (zero, Fraction(self.grid)),
            (DiscreteHourglass(*self._noise),),
            whole=True,
            origin=self.low,
            unit=(self.high - self.low) / self.grid,
        )

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State a bound of the error on `data`."""
        epsilon, grid, level0 = self._noise
        return release_claims(data, epsilon, self.low, self.high, grid, level0)

    def sample(
        self,
        data: Any,
        size: int,
        *,
        rng: np.random.Generator,  # noqa: ARG002 - the shape of every mechanism
    ) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0. `rng`: not used: the
        coins come from `bits`. Returns shape (size,): in [low, high], in the unit of the data.
        """
        first, count = self.noisy_integers(data, size)
        ratio = _rounded_ratio(first, count, self.grid)
        low, high = float(self.low), float(self.high)
        return np.clip(low + float(self.high - self.low) * ratio, low, high)


def exact_hourglass(
    epsilon: Fraction, grid: int, level0: int, size: int, bits: BitSource
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Draw (J, T) from the discrete hourglass law exactly (KSW-D5), each of shape (size,).

    With b = e^-epsilon: G is geometric, and j in 0..Q-1 has weight 1 on level G if j < r, and b
    on level G + 1 if j >= r. A fair sign, where minus zero is drawn again, gives
    J = +-(G Q + j) on the signed level s. Then T = s + G1 - G2 with two more geometrics.

    `epsilon`: positive. `grid`: Q. `level0`: r, in 1..Q: level 0 is |J| <= r - 1. `bits`: function
    n -> n uniform bytes. Returns `j`, `t`: J in units of 1/Q, and T.
    """
    parts: list[tuple[NDArray[Any], NDArray[Any]]] = []
    missing = size
    while missing:
        candidates = min(missing + missing // 4 + 8, _BATCH)
        j, t = _accepted_candidates(epsilon, grid, level0, candidates, bits)
        parts.append((j[:missing], t[:missing]))
        missing -= min(missing, len(j))
    return np.concatenate([j for j, _ in parts]), np.concatenate([t for _, t in parts])


def _accepted_candidates(
    epsilon: Fraction, grid: int, level0: int, candidates: int, bits: BitSource
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Draw (J, T) by rejection: at most `candidates` of them.

    Each inner j < r is proposed 2^k times as often as an outer one, which is kept with
    probability 2^k b. k makes outer proposals rare, as far as epsilon allows it.
    """
    doublings = min(math.floor(epsilon), (grid // level0).bit_length() + 2)
    inner = level0 << doublings
    place = uniform_below(inner + grid - level0, candidates, bits)
    outer = place >= inner
    part = np.where(outer, place - inner + level0, place % level0)
    keep = ~outer
    keep[outer] = bernoulli_exp(epsilon, int(outer.sum()), bits, doublings=doublings)
    whole, up, down = geometric(epsilon, 3 * candidates, bits).reshape(3, candidates)
    minus = uniform_below(2, candidates, bits) == 1
    keep &= ~(minus & (part == 0) & (whole == 0).astype(np.bool_))
    if int(whole.max()) >= 2**62 // grid:
        whole = whole.astype(object)
    sign = np.where(minus, -1, 1)
    j, t = sign * (whole * grid + part), sign * (whole + outer) + up - down
    return j[keep], t[keep]


def _add(total: int, noise: NDArray[Any]) -> NDArray[Any]:
    """Add an exact total to integer noise, as Python integers where int64 could overflow."""
    if noise.dtype == object or total >= 2**62 or np.abs(noise).max() >= 2**62:
        return total + noise.astype(object)
    return total + noise


def _rounded_ratio(
    numerator: NDArray[Any], denominator: NDArray[Any], grid: int
) -> NDArray[np.float64]:
    """Double nearest to the quotient numerator / (grid denominator) clipped to [0, 1].

    A zero denominator gives 1/2. A quotient of integers below 2^53 is rounded once, by the
    division; larger ones are divided as Python integers, which also round once: the result does
    not tell how it was computed.
    """
    result = np.full(numerator.shape, 0.5)
    sign = np.where(denominator < 0, -1, 1)
    above, below = sign * numerator, sign * denominator
    small = (np.abs(above) < _EXACT_DOUBLE) & (below < _EXACT_DOUBLE // grid) & (below > 0)
    small = small.astype(np.bool_)
    quotient = above[small].astype(np.float64) / (grid * below[small].astype(np.float64))
    result[small] = np.clip(quotient, 0, 1)
    for i in np.flatnonzero(~small & (below > 0).astype(np.bool_)):
        a, b = int(above[i]), grid * int(below[i])
        result[i] = min(max(a, 0), b) / b
    return result
