"""What is public about the records of a sum, pairs of runs of equal records, and number formats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from audit.pairs.worst_cases import Pair
from mechanisms.claims import Order, Relation

Runs: TypeAlias = Sequence[tuple[float, int]]
"""Values, each with how many records in a row have it."""

MOST_RECORDS = 2**15
"""Of a data set: one more may be added."""

ENOUGH = 3
"""Sensitivities by which a pair must move a plain sum to be worth its draws."""


@final
@dataclass(frozen=True, slots=True)
class Format:
    """A binary format."""

    name: str
    dtype: type[np.floating[Any]]
    precision: int
    """Bits of the mantissa, the leading one among them."""

    @property
    def largest(self) -> float:
        """Largest finite number."""
        return float(np.finfo(self.dtype).max)

    def spacing(self, size: float) -> float:
        """Distance of the neighboring numbers of the binade of `size` > 0."""
        return math.ldexp(1.0, math.frexp(size)[1] - self.precision)

    def total(self, records: NDArray[Any]) -> float:
        """Sum of the records, one after the other, each step rounded to the format."""
        if records.size == 0:
            return 0.0
        with np.errstate(over="ignore", invalid="ignore"):
            return float(np.add.accumulate(records.astype(self.dtype), dtype=self.dtype)[-1])


FORMATS = (
    Format("half precision", np.float16, 11),
    Format("single precision", np.float32, 24),
    Format("double precision", np.float64, 53),
)
"""From the coarsest to the finest."""


@final
@dataclass(frozen=True, slots=True)
class Public:
    """Relation, order and bounds of the claim."""

    relation: Relation
    """ADD_REMOVE or SWAP."""
    order: Order
    """Whether two orders of the same records are at distance 0."""
    low: Fraction
    high: Fraction
    """Bounds of a record; low is less than high."""

    @property
    def ends(self) -> tuple[float, float]:
        """The bounds as records: first the one of larger size."""
        low, high = float(self.low), float(self.high)
        return (high, low) if abs(high) >= abs(low) else (low, high)

    @property
    def sensitivity(self) -> float:
        """Of a sum of real numbers."""
        large, other = self.ends
        return abs(large) if self.relation is Relation.ADD_REMOVE else abs(large - other)

    @property
    def mixed(self) -> bool:
        """Whether records of both signs are allowed."""
        return self.low < 0 < self.high

    @property
    def whole(self) -> bool:
        """Whether both bounds are integers, so that records may be."""
        return self.low.denominator == self.high.denominator == 1

    def allows(self, record: float) -> bool:
        """Whether a record lies within the bounds."""
        return bool(float(self.low) <= record <= float(self.high))

    def changed(self, label: str, rest: Runs, dtype: type[Any] = np.float64) -> Pair:
        """The first record changes: the larger end joins `rest`, or replaces the other end."""
        large, other = self.ends
        first = [] if self.relation is Relation.ADD_REMOVE else [(other, 1)]
        name = "high" if large == float(self.high) else "low"
        change = f"one more at {name}" if not first else f"one replaced by {name}"
        words = f"{label}: {in_words([*first, *rest])}; {change} first"
        return pair_of(words, [*first, *rest], [(large, 1), *rest], dtype)


def records_of(runs: Runs, dtype: type[Any] = np.float64) -> NDArray[Any]:
    """Write runs out, shape (n,)."""
    return np.repeat(np.array([value for value, _ in runs], dtype), [count for _, count in runs])


def in_words(runs: Runs) -> str:
    """Runs in words: "128 records at 1, then 3 at 0.5"."""
    values = {value for value, _ in runs}
    short = len({f"{value:.6g}" for value in values}) == len(values)
    words = [
        f"{count} at {value:.6g}" if short else f"{count} at {value!r}"
        for value, count in runs
        if count
    ]
    if not words:
        return "no records"
    number, _, rest = words[0].partition(" ")
    head = f"{number} {'record' if number == '1' else 'records'} {rest}"
    return ", then ".join([head, *words[1:]])


def pair_of(label: str, data: Runs, neighbor: Runs, dtype: type[Any] = np.float64) -> Pair:
    """Make a pair of runs."""
    return Pair(label, records_of(data, dtype), records_of(neighbor, dtype), generated=True)
