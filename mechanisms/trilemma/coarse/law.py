"""The exact law of the coarse estimate (TRI, Algorithm 1) on one data set.

A release that is not failure tells the coin T, which does not depend on the data, and the bin. As T
moves the counts change only where a record changes its bin; in between the bin has one law, that of
the largest noisy count above the threshold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar, final

from mechanisms.protocols import Arithmetic
from mechanisms.trilemma.coarse.argmax_law import argmax_law
from mechanisms.trilemma.coarse.bins import exact_counts, exact_cuts
from mechanisms.trilemma.coarse.rule import CoarseRule

__all__ = ["FAILURE", "CoarseLaw"]

FAILURE = "failure"
"""The outcome that no score exceeds the threshold."""


@final
@dataclass(frozen=True, slots=True)
class CoarseLaw:
    """Law of the coarse estimate on given records."""

    rule: CoarseRule
    """Noise scale and threshold."""
    records: tuple[Fraction, ...]
    """In units of the width of a bin."""
    rational: ClassVar[bool] = False

    @property
    def cuts(self) -> tuple[Fraction, ...]:
        """Places of T in [-1/2, 1/2] where the counts change, and the two ends."""
        return exact_cuts(self.records)

    def masses(
        self, numbers: Arithmetic[Any], cuts: Sequence[Fraction] = ()
    ) -> Mapping[Hashable, Any]:
        """Probability of each outcome.

        `numbers`: kind of numbers. `cuts`: more places of T in [-1/2, 1/2] to cut at. Returns: by
        ((lower, upper), k), for T in that interval and bin k, and by "failure".
        """
        laws: dict[tuple[tuple[int, int], ...], tuple[dict[int, Any], Any]] = {}
        found: dict[Hashable, Any] = {}
        fails = numbers.rational(Fraction(0))
        for ends in pairwise(sorted({*self.cuts, *cuts})):
            counts = exact_counts(self.records, ends[1])
            key = tuple(sorted(Counter(counts.values()).items()))
            if key not in laws:
                laws[key] = argmax_law(dict(key), self.rule, numbers=numbers)
            length = numbers.rational(ends[1] - ends[0])
            for place in sorted(counts):
                found[ends, place] = length * laws[key][0][counts[place]]
            fails = fails + length * laws[key][1]
        return {**found, FAILURE: fails}

    def describe(self, outcome: Any) -> str:
        """Say where the release lies: T + k for T in an interval."""
        if outcome == FAILURE:
            return "z is NaN"
        (lower, upper), place = outcome
        return f"z in [{lower + place}, {upper + place}]"
