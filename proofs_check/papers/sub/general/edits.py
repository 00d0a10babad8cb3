"""Least numbers of points to add and remove, found by trying all: len and the crossing score.

Points take values from a finite set. A property of a data set depends on a sum over its points
(`statistic`), so that it is enough to know the fewest edits that lead to each value of the sum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from proofs_check.exponential import ExpRatio, ExpSum

__all__ = ["Reach", "crossing", "length", "mean_reach", "quantile_reach", "reach", "release"]

Totals = tuple[Fraction | int, ...]
Reach = Callable[[Sequence[int], Sequence[int], int], dict[int, int]]
"""Of data, values and t: the fewest edits to reach a property below (-1), at (0), above (1) t."""


def reach(
    data: Iterable[int],
    values: Sequence[int],
    statistic: Callable[[int], Totals],
    most: int | None = None,
) -> dict[Totals, int]:
    """Fewest edits to data of each total of a statistic, up to `most`, n + 1 if not given."""
    counts = Counter(data)
    most = sum(counts.values()) + 1 if most is None else most
    start = tuple(0 for _ in statistic(values[0]))
    found: dict[Totals, int] = {start: 0}
    for x in values:
        one = statistic(x)
        following: dict[Totals, int] = {}
        for totals, edits in found.items():
            had = counts[x]
            for now in range(max(0, had - most + edits), had + most - edits + 1):
                cost = edits + abs(now - had)
                key = tuple(a + now * b for a, b in zip(totals, one, strict=True))
                if cost < following.get(key, most + 1):
                    following[key] = cost
        found = following
    return found


def mean_reach(
    data: Sequence[int], values: Sequence[int], t: int, most: int | None = None
) -> dict[int, int]:
    """Edits to a mean below, at and above t, up to `most` of them."""
    best: dict[int, int] = {}
    for (size, total), edits in reach(data, values, lambda x: (1, x), most).items():
        if size:
            side = (total > t * size) - (total < t * size)
            best[side] = min(edits, best.get(side, edits))
    return best


def quantile_reach(level: Fraction) -> Reach:
    """Edits to a lower quantile below, at and above t; the lower median at level 1/2."""

    def edits_to(data: Sequence[int], values: Sequence[int], t: int) -> dict[int, int]:
        best: dict[int, int] = {}
        found = reach(data, values, lambda x: (int(x < t), int(x == t), int(x > t)))
        for (below, at, above), edits in found.items():
            size = below + at + above
            if size:
                rank = max(1, -(-size * level.numerator // level.denominator))
                side = -1 if rank <= below else 1 if rank > below + at else 0
                best[side] = min(edits, best.get(side, edits))
        return best

    return edits_to


def length(edits_to: Reach, data: Sequence[int], values: Sequence[int], t: int) -> int | None:
    """len(D, t): fewest edits after which the property is t; 1 without data, None if never."""
    return edits_to(data, values, t).get(0) if data else 1


def crossing(edits_to: Reach, data: Sequence[int], values: Sequence[int], t: int) -> int | None:
    """cross_0(D, t): fewest edits after which the property is on the other side of t, or at t."""
    if not data:
        return 1
    best = edits_to(data, values, t)
    ways = [[best[s] for s in sides if s in best] for sides in ((0, 1), (-1, 0))]
    return max(min(way) for way in ways) if all(ways) else None


def release(scores: Sequence[Any], exponent: Fraction) -> list[ExpRatio]:
    """Probabilities proportional to e^(-exponent score)."""
    weights = [ExpSum.exp(-exponent * score) for score in scores]
    total = sum(weights, ExpSum({}))
    return [weight / total for weight in weights]
