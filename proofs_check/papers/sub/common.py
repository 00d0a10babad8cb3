"""What the claims of this paper share: multisets, ranks, order statistics, the threshold law.

A data set is a sorted tuple of exact numbers. Nothing here states a claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from typing import Any

from proofs_check.enclosure import endpoints
from proofs_check.exponential import ExpRatio, ExpSum
from proofs_check.language import largest

__all__ = [
    "PERCENT",
    "Cell",
    "Data",
    "add",
    "below",
    "clip",
    "deficit",
    "digits",
    "distance",
    "dominates",
    "lower_quantile",
    "mean",
    "multisets",
    "rank_distance",
    "spread",
    "threshold_cells",
    "up_to",
    "weights",
    "window_loss",
]

PERCENT = Fraction(101, 100)
"""What mutants change a constant by."""

Data = tuple[Fraction | int, ...]
"""A sorted data set."""

Cell = tuple[Fraction, Fraction, Fraction]
"""Lower end, upper end and loss of an interval on which the loss is constant."""


def multisets(values: Sequence[Any], sizes: range) -> Iterator[tuple[Any, ...]]:
    """All multisets of some sizes over some values, sorted if the values are."""
    for size in sizes:
        yield from combinations_with_replacement(values, size)


def add(data: Sequence[Any], *points: Any) -> tuple[Any, ...]:
    """Data with more points, sorted."""
    return tuple(sorted((*data, *points)))


def distance(first: Sequence[Any], second: Sequence[Any]) -> int:
    """d(D, D') = |D minus D'| + |D' minus D|, on multisets."""
    one, two = Counter(first), Counter(second)
    return sum((one - two).values()) + sum((two - one).values())


def mean(data: Sequence[Any]) -> Fraction:
    """Mean of a data set that is not empty."""
    return Fraction(sum(data)) / len(data)


def spread(data: Sequence[Any], k: int) -> Fraction:
    """diff(D, k) = mean without the k smallest points - mean without the k largest."""
    return mean(data[k:]) - mean(data[: len(data) - k])


def below(data: Sequence[Any], value: Any) -> int:
    """Number of points smaller than a value."""
    return sum(x < value for x in data)


def up_to(data: Sequence[Any], value: Any) -> int:
    """Number of points that are at most a value."""
    return sum(x <= value for x in data)


def deficit(rank: Any, least: Any, most: Any) -> Any:
    """Distance of a rank from the interval [least, most]."""
    return max(0, least - rank, rank - most)


def rank_distance(rank: Any, least: Any, most: Any) -> Any:
    """The same as a term."""
    return largest(0, largest(least - rank, rank - most))


def window_loss(data: Sequence[Any], tau: Any, rank: Any, alpha: Any) -> Any:
    """l(tau) = max(0, #{x < tau - alpha} - r, r - #{x <= tau + alpha})."""
    return deficit(rank, below(data, tau - alpha), up_to(data, tau + alpha))


def clip(x: Any, lower: Any, upper: Any) -> Any:
    """min(max(x, lower), upper)."""
    return min(max(x, lower), upper)


def lower_quantile(data: Sequence[Any], level: Fraction) -> Any:
    """The point of rank ceil(level n); the lower median at level 1/2."""
    return data[max(0, -(-len(data) * level.numerator // level.denominator) - 1)]


def dominates(larger: Sequence[Any], smaller: Sequence[Any]) -> bool:
    """Whether F_larger(v) <= F_smaller(v) for every v."""
    return all(
        up_to(larger, v) * len(smaller) <= up_to(smaller, v) * len(larger)
        for v in {*larger, *smaller}
    )


def threshold_cells(
    data: Sequence[Any], ends: tuple[Any, Any], rank: Any, alpha: Any
) -> list[Cell]:
    """Intervals of the threshold mechanism between its breakpoints x -+ alpha, with their loss."""
    a, b = (Fraction(end) for end in ends)
    cuts = {a, b} | {clip(Fraction(x) + move, a, b) for x in data for move in (alpha, -alpha)}
    points = sorted(cuts)
    return [
        (left, right, Fraction(window_loss(data, (left + right) / 2, rank, alpha)))
        for left, right in pairwise(points)
    ]


def weights(cells: Sequence[Cell], epsilon: Fraction) -> list[ExpSum]:
    """Width times e^(-eps loss / 2) of every cell; the law of the mechanism up to a factor."""
    return [ExpSum.exp(-epsilon * loss / 2, right - left) for left, right, loss in cells]


def digits(value: ExpRatio | ExpSum) -> str:
    """An exact number to four digits, for the reader."""
    return f"{float(endpoints(value.ball(64))[0]):.4g}"
