"""What is promised of the errors of SUB's estimators on one data set.

    bounded mean        E|error| = w E(N, rho) (SUB-L3.3e), at most 2 w / (n epsilon) (SUB-L3.3)
    threshold           but for a chance of zeta, a loss below (2 / epsilon) log((b - a) / (alpha
                        zeta)) (SUB-T3.7)
    grid threshold      likewise, a rank error of at most (2 / epsilon) log(C / zeta), C = 3 (m - 1)
                        as rounded and m as chosen directly (SUB-C3.8)
    subset-optimal mean with a public size N >= n, epsilon = 1 / K, n > 2 (K + 2 beta + 1):
                        E|error| <= (5 + 2 epsilon + 4 beta epsilon) diff + alpha (1 + 6 / (epsilon
                        n)) + 4 R zeta (SUB-T3.1s)

diff is the mean without the K smallest records less the mean without the K largest. The thresholds
with such a loss, or rank error, are an interval. Nothing is promised of records out of range.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Source
from mechanisms.records import records_within
from mechanisms.subset.bounded_error import bounded_error
from mechanisms.subset.subset_parameters import subset_parameters
from mechanisms.utility_claims import Quantity, Truth, UtilityClaim

__all__ = ["ZETA", "bounded_mean_claims", "rank_interval", "subset_mean_claims", "threshold_claim"]

Claims = tuple[UtilityClaim, ...]
Array = NDArray[np.float64]

ZETA = Fraction(1, 20)
"""Chance of a miss that thresholds are held to."""


def bounded_mean_claims(data: Any, epsilon: Fraction, low: Fraction, high: Fraction) -> Claims:
    """Promises of the bounded mean.

    `data`, shape (n,): records. `epsilon`: privacy parameter. `low`, `high`: public bounds.
    """
    values = records_within(data, low, high)
    if values is None or low == high:
        return ()
    width, n = high - low, values.size
    mean = sum(map(Fraction, values.tolist())) / n
    rho = float((mean - (low + high) / 2) / width)
    error = float(width) * bounded_error(n * float(epsilon), rho)
    return (
        UtilityClaim(
            Quantity.MAE,
            error,
            Source("SUB", "Algorithm 1 (exact error SUB-L3.3e, ours)"),
            exactly=True,
            square=float(width) * error,  # no error exceeds the width
        ),
        UtilityClaim(
            Quantity.MAE,
            2 * width / (n * epsilon),
            Source("SUB", "Lemma 3.3 (with 2 for its 3, ours)"),
        ),
    )


def threshold_claim(
    data: Any,
    rank: Fraction,
    side: str,
    *,
    reach: float,
    low: Fraction,
    high: Fraction,
    alpha: Fraction,
    strict: bool,
    item: str,
) -> Claims:
    """Chance of a threshold whose rank error is beyond its bound.

    `data`, shape (n,): records, those on a grid rounded to it. `rank`: counted from `side`; the
    theorem needs an integer from 0 to n. `side`, one of "below", "above": where ranks are counted
    from. `reach`: bound of the rank error. `low`, `high`: public bounds. `alpha`: half the width of
    a window; 0 on a grid. At most half the width of the bounds. `strict`: whether the error must be
    below `reach`, or may be `reach`. `item`: number in the paper.
    """
    values = records_within(data, low, high)
    fits = values is not None and rank.denominator == 1 and 0 <= rank <= values.size
    if values is None or not fits or 2 * alpha > high - low:
        return ()
    place = int(rank) if side == "below" else values.size - int(rank)
    lower, upper = rank_interval(np.sort(values), place, reach, float(alpha), strict=strict)
    inside = (max(lower, float(low)), min(upper, float(high)))
    own = float(np.sort(values)[place - 1]) if place else float(low)
    truth = Truth(own, f"record of rank {place}")
    source = Source("SUB", item)
    return (UtilityClaim(Quantity.MISS, ZETA, source, truth=truth, interval=inside),)


def rank_interval(
    ordered: Array, rank: int, reach: float, alpha: float, *, strict: bool
) -> tuple[float, float]:
    """Ends of the thresholds tau with #{x < tau - alpha} - r and r - #{x <= tau + alpha} in reach.

    The first holds iff tau - alpha is at most the record of rank K + 1 from below, K the largest
    number that r may be exceeded to; the second iff tau + alpha is at least the record of rank J.

    `ordered`, shape (n,): records, ascending. `rank`: r, counted from below. `reach`, `alpha`,
    `strict`: as in `threshold_claim`.
    """
    error = math.ceil(reach) - 1 if strict else math.floor(reach)
    most, least = rank + error, rank - error
    upper = math.inf if most >= ordered.size else float(ordered[most]) + alpha
    lower = -math.inf if least <= 0 else float(ordered[least - 1]) - alpha
    return lower, upper


def subset_mean_claims(
    data: Any,
    epsilon: Fraction,
    low: Fraction,
    high: Fraction,
    *,
    size: int,
    alpha: Fraction,
    rank: Fraction,
) -> Claims:
    """Promise of the subset-optimal mean with a public size and the theorem's rank.

    `data`, `epsilon`, `low`, `high`: as in `bounded_mean_claims`. `size`: public N. `alpha`,
    `rank`: of both thresholds.
    """
    values = records_within(data, low, high)
    if values is None or low == high or epsilon.numerator != 1 or size < values.size:
        return ()
    radius, n, cut = (high - low) / 2, values.size, int(1 / epsilon)
    found = subset_parameters(size, radius, epsilon, alpha)
    if rank != found.rank or not n > 2 * (cut + 2 * found.beta + 1):
        return ()
    ordered = np.sort(values)
    spread = math.fsum(ordered[cut:]) - math.fsum(ordered[: n - cut])
    factor = 5 + 2 * epsilon + 4 * found.beta * epsilon
    rest = alpha * (1 + 6 / (epsilon * n)) + 4 * radius * found.zeta
    error = float(factor) * spread / (n - cut) + float(rest)
    return (UtilityClaim(Quantity.MAE, error, Source("SUB", "Theorem 3.1 (SUB-T3.1s)")),)
