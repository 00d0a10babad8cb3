"""The records in a window: where the loss of a threshold changes, and the exponential mechanism.

A threshold tau stands for the window [tau - alpha, tau + alpha]. With

    lo = #{x < tau - alpha},    hi = #{x <= tau + alpha}

its loss for a rank r is the distance of r from [lo, hi], max(0, lo - r, r - hi) (SUB-I1). Both
counts change at the points x + alpha and x - alpha only. A record more raises each by 0 or 1, so
the loss changes by at most 1. This holds for any points in their place, those rounded to doubles
included, because each depends on its record only. What doubles do not keep is the law of a draw
within an interval: its low bits tell the interval.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.records import records
from mechanisms.subset.points import draw_places

__all__ = [
    "Window",
    "Windows",
    "clipped_records",
    "distance",
    "draw",
    "exact_windows",
    "ranks",
    "windows",
]

N = TypeVar("N", int, NDArray[np.int64])


@final
@dataclass(frozen=True, slots=True)
class Window:
    """Thresholds strictly between two ends, which all have the same counts."""

    lower: Fraction
    upper: Fraction
    """`lower`, `upper`: the ends."""
    lo: int
    hi: int
    """`lo`, `hi`: records below the window, and records below or in it."""


@final
@dataclass(frozen=True, slots=True)
class Windows:
    """All windows of one data set, in doubles."""

    ends: NDArray[np.float64]
    """Shape (k + 1,): ends of the k intervals of thresholds, strictly ascending from low to high.
    """
    lo: NDArray[np.int64]
    hi: NDArray[np.int64]
    """`lo`, `hi`: shape (k,): records below the window, and records below or in it."""


def clipped_records(data: Any, low: Fraction, high: Fraction) -> NDArray[np.float64]:
    """Read data and clip each record to [low, high]; NaN is the midpoint.

    `data`, shape (n,): see `mechanisms.records`. `low`, `high`: public bounds. Returns shape (n,):
    ascending.
    """
    values = records(data)
    values = np.where(np.isnan(values), float((low + high) / 2), values)
    return np.sort(np.clip(values, float(low), float(high)))


def windows(values: NDArray[np.float64], low: Fraction, high: Fraction, alpha: float) -> Windows:
    """Find the windows of clipped records, shape (n,) ascending, in O(n log n)."""
    left, right = float(low), float(high)
    with np.errstate(over="ignore"):
        enters, leaves = values - alpha, values + alpha
    inner = np.clip(np.concatenate([enters, leaves]), left, right)
    ends = np.unique(np.concatenate([[left, right], inner]))
    lo = np.searchsorted(leaves, ends[:-1], side="right")
    hi = np.searchsorted(enters, ends[:-1], side="right")
    return Windows(ends, lo.astype(np.int64), hi.astype(np.int64))


def exact_windows(
    values: NDArray[np.float64], low: Fraction, high: Fraction, alpha: Fraction
) -> Iterator[Window]:
    """Find the same windows in exact numbers; needs low < high."""
    exact = [min(max(Fraction(x), low), high) for x in values.tolist()]
    enters, leaves = [x - alpha for x in exact], [x + alpha for x in exact]
    inner = {end for end in enters + leaves if low < end < high}
    for lower, upper in pairwise(sorted({low, high} | inner)):
        yield Window(lower, upper, bisect_right(leaves, lower), bisect_right(enters, lower))


def ranks(lo: N, hi: N, count: int, side: str) -> tuple[N, N]:
    """Least and largest rank of a window, counted from below or from above `count` records."""
    return (lo, hi) if side == "below" else (count - hi, count - lo)


def distance(
    lo: NDArray[np.int64], hi: NDArray[np.int64], rank: Fraction, least: Fraction = Fraction(0)
) -> NDArray[np.float64]:
    """Distance of a rank from [lo, hi], at least `least`, elementwise; exact for an integer."""
    whole, part = int(rank // 1), float(rank % 1)
    outside = np.maximum((lo - whole) - part, (whole - hi) + part)
    return np.asarray(np.maximum(outside, float(least)), dtype=np.float64)


def draw(
    found: Windows,
    loss: NDArray[np.float64],
    epsilon: Fraction,
    size: int,
    *,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draw thresholds of density proportional to e^(-epsilon loss / 2).

    `found`: of k intervals. `loss`, shape (k,): loss on each interval. `epsilon`: privacy
    parameter. Returns shape (size,): from low to high.
    """
    width = np.diff(found.ends)
    log_weight = np.log(width) - float(epsilon) / 2 * loss
    place = draw_places(np.exp(log_weight - log_weight.max()), size, rng=rng)
    inside = found.ends[place] + rng.random(size) * width[place]
    return np.asarray(np.minimum(inside, found.ends[place + 1]))
