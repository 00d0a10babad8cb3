"""What is promised of the errors of statistics chosen from a grid (SUB, Algorithms 4 and 5).

    inverse sensitivity    the score exceeds the least one by (2 / epsilon) log(m / zeta) or more
                           with probability at most zeta, m the number of grid points (SUB-A5u)
    monotone statistics    with n > 4.5 r records E|error| is at most the statistic without the 4 r
                           lowest records less that without the 4 r highest, and 7.5 step more, 8
                           step for the mean (SUB-T4.3s)

The crossing score has a point of score 0, and points of small scores are an interval. The length of
the mean has none in general, and nothing is promised of it, nor of other minimizers.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Source
from mechanisms.records import records_within
from mechanisms.subset.points import grid_points
from mechanisms.subset.scores.statistic import Statistic
from mechanisms.subset.utility import ZETA
from mechanisms.utility_claims import Quantity, Truth, UtilityClaim

__all__ = ["monotone_claims", "score_claims", "statistic_of"]

Claims = tuple[UtilityClaim, ...]
Array = NDArray[np.float64]


def score_claims(
    scores: NDArray[np.int64], epsilon: Fraction, low: Fraction, step: Fraction
) -> Claims:
    """Chance of an output whose score is far from the least one.

    `scores`, shape (m,): of the grid points low, low + step, ... `epsilon`: privacy parameter.
    Returns: none where all points are as near as promised.
    """
    reach = 2 / float(epsilon) * math.log(scores.size / float(ZETA))
    near = np.flatnonzero(scores < scores.min() + reach)
    if near.size == scores.size or near[-1] - near[0] >= near.size:
        return ()
    best = int(np.argmin(scores))
    first, last, own = grid_points(np.array([near[0], near[-1], best]), low, step).tolist()
    truth, source = Truth(own, "grid point of the least score"), Source("SUB", "Algorithm 5 (ours)")
    return (UtilityClaim(Quantity.MISS, ZETA, source, truth=truth, interval=(first, last)),)


def monotone_claims(
    data: Any,
    statistic: Statistic,
    quarter: int,
    *,
    low: Fraction,
    high: Fraction,
    step: Fraction,
) -> Claims:
    """Mean absolute error of the pruned statistic.

    `data`, shape (n,): records; nothing is promised of those beyond `low` and `high`. `statistic`:
    which one. `quarter`: r / 4. `step`: of the grid.
    """
    values = records_within(data, low, high)
    r = 4 * quarter
    if values is None or low == high or not 2 * values.size > 9 * r or 2 * step > high - low:
        return ()
    mean = statistic.name == "mean"
    if statistic.name == "power" or (mean and statistic.score == "length"):
        return ()
    ordered = np.sort(values)
    own, without_low, without_high = (
        statistic_of(part, statistic) for part in (ordered, ordered[4 * r :], ordered[: -4 * r])
    )
    error = without_low - without_high + float((8 if mean else Fraction(15, 2)) * step)
    truth, source = (
        Truth(own, f"{statistic.name} of the records"),
        Source("SUB", "Theorem 4.3, repaired"),
    )
    return (UtilityClaim(Quantity.MAE, error, source, truth=truth),)


def statistic_of(ordered: Array, statistic: Statistic) -> float:
    """Return the mean, or the lower quantile x_(ceil(q n)), of ascending records."""
    if statistic.name == "mean":
        return math.fsum(ordered) / ordered.size
    return float(ordered[math.ceil(statistic.level * ordered.size) - 1])
