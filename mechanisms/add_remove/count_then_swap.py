"""A noisy count, then the mean of so many records: from swap to add-remove.

After Kamath, Mouzakis and Singhal 2023 (a private count and then a mechanism for a public number of
records); a reconstruction, constants ours. With n records, w = high - low,

    k = max(1, round(n + Lap(2 / epsilon))),    y = mean of k records + Lap(2 w / (k epsilon)),

where the k records are a random sample without replacement of the n, padded with the midpoint if k
exceeds n; y is clipped to the bounds. The count loses epsilon / 2. Given k, the samples with and
without a record can be coupled so that one of the k places differs (PDP-A8), which moves the mean
by at most w / k and loses epsilon / 2.

With p the place of the mean between the bounds and V the variance of the records (over n), the mean
square given k is 8 w^2 / (k epsilon)^2, and V (n - k) / (k (n - 1)) more for k < n, or
((k - n) / k)^2 w^2 (p - 1/2)^2 for k > n; clipping only lowers it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.composition import Composition, InTurn, LaplaceStep
from mechanisms.noise.parameters import check_epsilon, check_scale
from mechanisms.records import records, records_within
from mechanisms.utility_claims import Quantity, UtilityClaim
from mechanisms.validation import Number, check_bounds, check_size

__all__ = ["CountThenSwap", "distinct_places", "mse_count_then_swap"]

ITEM = "comparator: count, then swap (after Kamath, Mouzakis and Singhal 2023)"
FEW = 48
"""So many records that leave are drawn one by one; more as a part of a permutation."""
CELLS = 1 << 20
"""About so many records are permuted at a time."""
REACH = 60
"""Counts farther than this many scales from n weigh less than e^-60."""
LEAST_EPSILON = Fraction(1, 100)
"""The error sums over about 2 REACH 2 / epsilon counts."""


@final
@dataclass(frozen=True, slots=True)
class CountThenSwap:
    """Mean of a noisy number of records.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter, half for the count and half for the mean.
    low, high : int, float, str or Fraction
        Public bounds of the records; records outside are clamped, NaN is the midpoint.

    Claims
    ------
    Pure, add-remove: epsilon.

    References
    ----------
    .. [1] Kamath, Mouzakis, Singhal, "New lower bounds for private estimation and a generalized
       fingerprinting lemma", 2022 and later versions: the technique, as KSW quotes it.
    .. [2] PDP-A8p: samples of a noisy number of records differ in one place.
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
        if exact_high > exact_low:
            check_scale(self.scale, "2 (high - low) / epsilon")

    @property
    def scale(self) -> Fraction:
        """Scale of the noise of the mean, times the number of records."""
        return 2 * (self.high - self.low) / self.epsilon

    @property
    def claim(self) -> PrivacyClaim:
        """Pure epsilon for one record added or removed."""
        return PrivacyClaim(PureDP(self.epsilon), Relation.ADD_REMOVE, Source("KSW", ITEM))

    def private_steps(self) -> Composition:
        """State the count, and the sum of the records of the sample."""
        one = Fraction(1)
        count = LaplaceStep("the count", (one,), 2 / self.epsilon)
        width = self.high - self.low
        total = LaplaceStep("the sum of the sample", (width,), self.scale or one)
        return Composition(Relation.ADD_REMOVE, InTurn((count, total)), 0, "PDP-A8p")

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State a bound of the error on `data` within the bounds."""
        values = records_within(data, self.low, self.high)
        if values is None or self.low == self.high or self.epsilon < LEAST_EPSILON:
            return ()
        width = float(self.high - self.low)
        places = (values - float(self.low)) / width
        error = mse_count_then_swap(
            values.size, float(places.mean()), float(places.var()), float(self.epsilon)
        )
        return (UtilityClaim(Quantity.MSE, width**2 * error, Source("KSW", ITEM)),)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (n,): records, in the unit of the bounds; n may be 0. Returns shape (size,):
        in [low, high], in the unit of the data.
        """
        size = check_size(size)
        low, high = float(self.low), float(self.high)
        middle = float((self.low + self.high) / 2)
        values = np.sort(np.nan_to_num(records(data), nan=middle, posinf=high, neginf=low))
        off = np.clip(values, low, high) - middle
        noisy = off.size + rng.laplace(scale=float(2 / self.epsilon), size=size)
        counts = np.maximum(1, np.floor(noisy + 0.5)).astype(np.int64)
        sums = np.full(size, math.fsum(off))
        for gone in np.unique(off.size - counts):
            if gone > 0:
                rows = np.flatnonzero(off.size - counts == gone)
                sums[rows] -= _sums_of_some(off, int(gone), rows.size, rng)
        sums += rng.laplace(scale=float(self.scale), size=size)
        return np.clip(middle + sums / counts, low, high) + 0.0


def mse_count_then_swap(n: int, place: float, variance: float, epsilon: float) -> float:
    """Mean square before the clip, for bounds 0 and 1.

    `n`: number of records, at least 1. `place`, `variance`: mean and variance (over n) of the
    records. `epsilon`: privacy parameter.
    """
    scale = 2 / epsilon
    reach = math.ceil(REACH * scale)
    away = np.arange(-reach, reach + 1)
    step = -math.expm1(-1 / scale)
    with np.errstate(under="ignore"):
        tails = np.exp(-(np.abs(away) - 0.5) / scale) * step / 2
    chances = np.where(away == 0, -math.expm1(-0.5 / scale), tails)
    k = np.maximum(n + away, 1)
    noise = 2 * (scale / k) ** 2
    less = variance * (n - k) / (k * max(n - 1, 1))
    more = ((k - n) / k * (place - 0.5)) ** 2
    return float(chances @ (noise + np.where(k < n, less, more)))


def distinct_places(
    count: int, number: int, draws: int, *, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw `number` different places of `count`, every set equally likely, shape (draws, number).

    Each new place is one of those that are left, counted without the earlier ones.
    """
    found = np.empty((draws, 0), dtype=np.int64)
    for taken in range(number):
        place = rng.integers(0, count - taken, size=draws)
        for earlier in range(taken):  # ascending
            place += place >= found[:, earlier]
        found = np.sort(np.column_stack((found, place)), axis=1)
    return found


def _sums_of_some(
    values: NDArray[np.float64], number: int, draws: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Sums of `number` records without replacement, shape (draws,)."""
    if number <= FEW:
        return np.asarray(values[distinct_places(values.size, number, draws, rng=rng)].sum(axis=1))
    parts = []
    step = max(1, CELLS // values.size)
    for start in range(0, draws, step):
        rows = min(step, draws - start)
        mixed = rng.permuted(np.broadcast_to(values, (rows, values.size)), axis=1)
        parts.append(mixed[:, :number].sum(axis=1))
    return np.concatenate(parts)
