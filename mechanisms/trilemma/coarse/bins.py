"""Bins of width 1 that start at a common random place, and how many records each holds.

For a coin T in (-1/2, 1/2] the record x lies in the bin k with x - T in [k - 1/2, k + 1/2): halves
are rounded up. With the floor a and the fraction r = x - a,

    k = a + 1 if T <= r - 1/2,    k = a otherwise,

so that a record has two candidate bins and one place of T where it changes from one to the other.
In doubles r and T + 1/2 are multiples of 2^-53, so that their comparison is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bins", "bins_of", "draw_coins", "exact_counts", "exact_cuts"]

HALF = Fraction(1, 2)


@final
@dataclass(frozen=True, slots=True)
class Bins:
    """The candidate bins of one data set, and its records grouped by their floor."""

    places: NDArray[np.float64]
    """Shape (m,): candidate bins, ascending integers."""
    fractions: NDArray[np.float64]
    """Shape (n,): fractions of all records, ascending."""
    keys: NDArray[np.int64]
    """Shape (n,): for each record, by floor and fraction: its group, times n + 1, plus the number
    of smaller fractions.
    """
    starts: NDArray[np.int64]
    """Shape (g + 1,): where the records of each group start."""
    here: NDArray[np.int64]
    above: NDArray[np.int64]
    """`here`, `above`: shape (g,): place of the group's floor, and of the next integer."""

    def counts(self, coin: NDArray[np.float64]) -> NDArray[np.int64]:
        """Count the records in each bin, for each coin, shape (k,).

        Returns shape (k, m).
        """
        smaller = np.searchsorted(self.fractions, coin + 0.5)
        group = np.arange(self.here.size) * (self.fractions.size + 1)
        stay = np.searchsorted(self.keys, group + smaller[:, None]) - self.starts[:-1]
        counts = np.zeros((coin.size, self.places.size), np.int64)
        counts[:, self.here] += stay
        counts[:, self.above] += np.diff(self.starts) - stay
        return counts


def bins_of(values: NDArray[np.float64]) -> Bins:
    """Group finite records, shape (n,) ascending, n at least 1."""
    floors = np.floor(values)
    fractions = values - floors
    # Just below 0 the difference may have been rounded up, past coins that lie between.
    over = (floors == -1) & (fractions - 1 > values)
    fractions[over] = np.nextafter(fractions[over], 0)
    groups, starts, group = np.unique(floors, return_index=True, return_inverse=True)
    order = np.sort(fractions)
    keys = group * (values.size + 1) + np.searchsorted(order, fractions)
    # From 2^53 on the next integer may be the same double; those records never move.
    places = np.unique(np.concatenate([groups, groups + 1]))
    return Bins(
        places,
        order,
        keys.astype(np.int64),
        np.append(starts, values.size).astype(np.int64),
        np.searchsorted(places, groups).astype(np.int64),
        np.searchsorted(places, groups + 1).astype(np.int64),
    )


def draw_coins(size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw T uniformly from the multiples of 2^-53 in (-1/2, 1/2]."""
    return 0.5 - rng.random(size)


def exact_cuts(records: Iterable[Fraction]) -> tuple[Fraction, ...]:
    """Places of T in [-1/2, 1/2] where a record changes its bin, and the two ends, ascending."""
    return tuple(sorted({-HALF, HALF} | {x - x // 1 - HALF for x in records}))


def exact_counts(records: Sequence[Fraction], upper: Fraction) -> Counter[int]:
    """Count the records in each bin, for T just below `upper`, or equal to it."""
    return Counter(x // 1 + (upper <= x - x // 1 - HALF) for x in records)
