"""The weighted mean of PDP, Lemma 11, with noise that follows the data's own range.

Erratum PDP-E-04: in print the release is

    sum_i w_i x_i + Lap(|Range(D)| max w / epsilon),   Range(D) = [min x, max x],

so that equal records get no noise at all. A single record is released as it is. With the width of
a public interval it is `mechanisms.personalized.weighted_mean`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.as_printed.certain_law import CertainLaw
from mechanisms.as_printed.slips import ALL, check_slips
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from mechanisms.noise.parameters import check_epsilon, check_scale
from mechanisms.personalized.budgets import as_floats
from mechanisms.personalized.noisy_sum import add_laplace
from mechanisms.personalized.users import user_records
from mechanisms.personalized.weighted_mean import WeightsArgument, check_weights
from mechanisms.validation import Number, check_bounds, check_size

__all__ = ["PrintedWeightedMean"]

SLIPS = ("E-04",)
"""Errata of this form."""


@final
@dataclass(frozen=True, slots=True)
class PrintedWeightedMean:
    """The mean of one record for each weight, with noise of the width of the records.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        What the print promises.
    weights, low, high
        As in `mechanisms.personalized.weighted_mean.WeightedMean`.
    slip : {"all", "E-04"}
        The erratum: its only one.

    Claims
    ------
    Pure, swap: epsilon, as printed. False: no epsilon holds, if low < high and a weight is
    positive.

    References
    ----------
    .. [1] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Lemma 11 (PDP-L11; erratum PDP-E-04; counterexample PDP-CX5).
    """

    epsilon: Fraction
    weights: tuple[Fraction, ...]
    low: Fraction
    high: Fraction
    slip: str
    order: ClassVar[Order] = Order.FIXED

    def __init__(
        self,
        epsilon: Number = 1,
        weights: WeightsArgument = ("1",),
        low: Number = 0,
        high: Number = 1,
        slip: str = ALL,
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        object.__setattr__(self, "weights", check_weights(weights))
        exact_low, exact_high = check_bounds(low, high)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        check_slips(slip, SLIPS)
        object.__setattr__(self, "slip", slip)
        if widest := (exact_high - exact_low) * self._relative_scale:
            check_scale(widest, "(high - low) max w / epsilon")

    @property
    def count(self) -> int:
        """Number of records."""
        return len(self.weights)

    @property
    def claim(self) -> PrivacyClaim:
        """What the print promises."""
        source = Source("PDP", "Lemma 11 (erratum PDP-E-04)")
        return PrivacyClaim(PureDP(self.epsilon), Relation.SWAP, source)

    @property
    def counterexample(self) -> tuple[list[float], list[float]] | None:
        """All records at low, and the record of the largest weight at high."""
        if self.low == self.high or not max(self.weights):
            return None
        data = [float(self.low)] * self.count
        neighbor = list(data)
        neighbor[self.weights.index(max(self.weights))] = float(self.high)
        return data, neighbor

    @property
    def _relative_scale(self) -> Fraction:
        """Scale of the noise for records of a range of width 1."""
        return max(self.weights) / self.epsilon

    def exact_law(self, data: Any) -> CertainLaw:
        """State the output law on records that are all equal once they are clipped.

        `data`, shape (count,): read as `sample` reads it. Raises InvalidArgument if two records
        differ. Then the law is that of Laplace noise, which is not stated; a single record never
        differs.
        """
        values = {self._exact(x) for x in user_records(data, self.count).tolist()}
        if len(values) > 1:
            msg = f"data must hold equal records for an exact law, got {len(values)} values"
            raise InvalidArgument(msg)
        return CertainLaw(sum(self.weights) * values.pop())

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (count,): records, in the unit of the bounds. Returns shape (size,): in the
        unit of the data; certain if all records are equal.
        """
        size = check_size(size)
        low, high = float(self.low), float(self.high)
        values = np.clip(user_records(data, self.count), low, high)
        values[np.isnan(values)] = low / 2 + high / 2
        with np.errstate(over="ignore"):
            center = values @ as_floats(self.weights)
        scale = (values.max() - values.min()) * float(self._relative_scale)
        return add_laplace(np.full(size, center), np.array([scale]), rng=rng)

    def _exact(self, record: float) -> Fraction:
        """Clip a record without rounding."""
        if np.isnan(record):
            return (self.low + self.high) / 2
        return max(self.low, min(Fraction(record), self.high))
