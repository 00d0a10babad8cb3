"""What the rivals share: a noisy histogram, a clipped mean around a center, and their losses.

The number of records is public (swap). A record that is replaced moves two counts of a histogram by
1, so noise of scale 2 / share hides it at `share`; it moves the mean of n records clipped to an
interval of width w by at most w / n, which noise of scale w / (n share) hides at `share`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Relation
from mechanisms.composition import Composition, InTurn, LaplaceStep
from mechanisms.errors import InvalidArgument
from mechanisms.records import records
from mechanisms.validation import check_size

__all__ = [
    "Histogram",
    "around_fullest",
    "check_bins",
    "clipped_means",
    "finite_values",
    "histogram_and_mean",
    "mean_step",
]

Array = NDArray[np.float64]
MOST_BINS = 2**20
"""Of a histogram; only bins with records are drawn one by one."""
CELLS = 1 << 20
"""About so many clipped records are held at a time."""


@final
@dataclass(frozen=True, slots=True)
class Histogram:
    """Histogram of one width from low on; the last one holds high."""

    low: Fraction
    width: Fraction
    number: int

    def fullest(
        self, values: Array, share: Fraction, size: int, *, rng: np.random.Generator
    ) -> Array:
        """Draw the middle of the bin with the largest noisy count, shape (size,).

        `values`, shape (n,): finite, ascending, from low to high. Noise of empty bins is drawn by
        the largest of them, which is any of them alike.
        """
        place = np.floor((values - float(self.low)) / float(self.width)).astype(np.int64)
        held, counts = np.unique(np.clip(place, 0, self.number - 1), return_counts=True)
        scale = float(2 / share)
        best = np.full(size, -np.inf)
        found = np.zeros(size, dtype=np.int64)
        for bin_, count in zip(held.tolist(), counts.tolist(), strict=True):
            noisy = count + rng.laplace(scale=scale, size=size)
            found = np.where(noisy > best, bin_, found)
            best = np.maximum(best, noisy)
        empty = self.number - held.size
        if empty:
            # the largest of m: its cdf is F^m; for a coin near 1 by the upper tail
            tail = -np.expm1(np.log1p(-rng.random(size)) / empty)
            with np.errstate(divide="ignore"):
                top = np.where(tail < 0.5, -np.log(2 * tail), np.log(2 * (1 - tail)))
            other = rng.integers(0, empty, size)
            for bin_ in held.tolist():  # ascending: count past the bins that hold records
                other += other >= bin_
            found = np.where(top * scale > best, other, found)
        return np.asarray(float(self.low) + (found + 0.5) * float(self.width))


def check_bins(low: Fraction, high: Fraction, width: Fraction, name: str) -> Histogram:
    """Make bins that cover [low, high]; at most 2^20."""
    number = max(1, -((low - high) // width))
    if number > MOST_BINS:
        msg = f"(high - low) / {name} must be at most {MOST_BINS}, got {float(number):g}"
        raise InvalidArgument(msg)
    return Histogram(low, width, int(number))


def finite_values(data: Any, low: Fraction, high: Fraction) -> Array:
    """Records clipped to the bounds, ascending; NaN is the midpoint."""
    middle = float((low + high) / 2)
    read = np.nan_to_num(records(data), nan=middle, posinf=np.inf, neginf=-np.inf)
    return np.sort(np.clip(read, float(low), float(high)) + 0.0)


def clipped_means(
    values: Array, centers: Array, reach: Array, share: Fraction, *, rng: np.random.Generator
) -> Array:
    """Draw the means of the records clipped to center +- reach, with noise, shape (draws,).

    `values`, shape (n,), n at least 1. `centers`, `reach`, shape (draws,): released before.
    """
    means = np.empty(centers.size)
    rows = max(1, CELLS // values.size)
    for start in range(0, centers.size, rows):
        part = slice(start, start + rows)
        off = np.clip(values - centers[part, None], -reach[part, None], reach[part, None])
        means[part] = off.mean(axis=1)
    noise = 2 * reach / values.size * rng.laplace(scale=float(1 / share), size=centers.size)
    return centers + (means + noise) + 0.0


def around_fullest(
    bins: Histogram,
    data: Any,
    ends: tuple[Fraction, Fraction],
    epsilon: Fraction,
    size: int,
    reach: Callable[[int], float],
    *,
    rng: np.random.Generator,
) -> Array:
    """Draw means of the records near the middle of the fullest bin, shape (size,).

    Half of epsilon for the bin, half for the mean; `reach`, of the number of records, is how far
    from the middle they count. No records give the middle of a bin.
    """
    size = check_size(size)
    values, half = finite_values(data, *ends), epsilon / 2
    centers = bins.fullest(values, half, size, rng=rng)
    if values.size:
        centers = clipped_means(values, centers, np.full(size, reach(values.size)), half, rng=rng)
    return np.clip(centers, float(ends[0]), float(ends[1])) + 0.0


def histogram_and_mean(epsilon: Fraction) -> Composition:
    """State what `around_fullest` draws."""
    steps = InTurn((counts_step(epsilon / 2), mean_step(epsilon / 2)))
    return Composition(Relation.SWAP, steps, 0, "PDP-L4")


def counts_step(share: Fraction) -> LaplaceStep:
    """State the counts of the bins, of which a record that is replaced moves two."""
    return LaplaceStep("the counts of the bins", (Fraction(2),), 2 / share)


def mean_step(share: Fraction) -> LaplaceStep:
    """State the clipped mean, in units of the width of its interval over n."""
    return LaplaceStep("the mean of the clipped records", (Fraction(1),), 1 / share)
