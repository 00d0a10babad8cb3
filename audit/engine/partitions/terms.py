"""Terms of a linear score: a clipped and weighted value, or the weight of a category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import RARE, Encoder, Outcomes

__all__ = ["CategoryWeight", "Value", "terms_of"]

Array = NDArray[np.float64]

REACH = 10.0
"""Values are clipped this many interquartile ranges beyond the quartiles."""

MOST_LABELS = 16
"""Categories of a column that have a weight: the most frequent ones."""

LARGEST = 1e150
"""Magnitude beyond which values are not told apart: the fit must not overflow."""


@final
@dataclass(frozen=True, slots=True)
class Value:
    """Weighted value of a column, clipped to [low, high]; no number counts as `high`."""

    column: int
    place: str
    low: float
    high: float
    weight: float = 1.0

    def of(self, outcomes: Outcomes) -> Array:
        """Its term of each draw."""
        values = np.fmax(self.low, np.fmin(self.high, outcomes.numbers[:, self.column]))
        return np.asarray(self.weight * values)

    def expression(self) -> str:
        """Its term in Python, equal to the last bit."""
        return f"{self.weight!r} * max({self.low!r}, min({self.high!r}, number({self.place})))"


@final
@dataclass(frozen=True, slots=True)
class CategoryWeight:
    """Weight of one category of a column."""

    column: int
    place: str
    code: int
    label: str
    weight: float = 1.0

    def of(self, outcomes: Outcomes) -> Array:
        """Its term of each draw."""
        return np.where(outcomes.categories[:, self.column] == self.code, self.weight, 0.0)

    def expression(self) -> str:
        """Its term in Python."""
        return f"({self.weight!r} if {self.place} == {self.label!r} else 0.0)"


def terms_of(encoder: Encoder, past: Outcomes, column: int) -> list[Value | CategoryWeight]:
    """The number and the categories of a column, as far as they vary; not weighted yet."""
    name, coordinate = encoder.columns[column]
    place = f"z, {coordinate!r}"
    features: list[Value | CategoryWeight] = []
    values = past.numbers[past.categories[:, column] == 0, column]
    values = np.clip(values, -LARGEST, LARGEST)
    if values.size:
        lower, upper = np.quantile(values, [0.25, 0.75])
        reach = REACH * (upper - lower) if upper > lower else np.inf
        low, high = max(values.min(), lower - reach), min(values.max(), upper + reach)
        if high - low > 1 / LARGEST:
            features.append(Value(column, place, float(low), float(high)))
    codes, counts = np.unique(past.categories[:, column], return_counts=True)
    call = "form(z)" if name == "form" else f"outcome({place})"
    if codes.size > 1:
        features += [
            CategoryWeight(column, call, code, encoder.label(code))
            for code in codes[np.argsort(-counts, kind="stable")][:MOST_LABELS].tolist()
            if code and encoder.label(code) != RARE
        ]
    return features
