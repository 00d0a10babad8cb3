"""What is promised of the errors of the means of KSW, on one data set.

For n records in [low, high] with mean low + w p, w = high - low and N = n epsilon:

    Algorithms 1 to 3      the exact mean squared errors KSW-X2 to X5 (Algorithm 1 for low = 0)
    Algorithm 2            at most 4 w^2 / N^2         Lemma 2, which holds for all n (KSW-T1')
    Algorithm 3, Laplace   at most 2 w^2 / N^2         Theorem 1, likewise
    Algorithm 3, l1        the error KSW-X6, up to w^2 P(radius >= n)
    released in integers   at most (sqrt(X5) + w / Q)^2, for a grid of Q steps
    public size            at most w^2 V / n^2, V the variance of the noise for sensitivity 1

None of them is without bias: the ratio is clipped. For a public size and Laplace noise the bias is
w (e^(-N p) - e^(-N (1 - p))) / (2 N). Nothing is promised of data with a record out of range.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from mechanisms.add_remove.grid import exact_sums
from mechanisms.add_remove.mse import (
    mse_independent_laplace,
    mse_shifted_laplace,
    mse_transformed_laplace,
)
from mechanisms.add_remove.mse_hourglass import mse_transformed_hourglass
from mechanisms.add_remove.mse_l1_staircase import mse_transformed_l1_staircase
from mechanisms.claims import Source
from mechanisms.noise.staircase import Staircase
from mechanisms.records import records_within
from mechanisms.utility_claims import Quantity, UtilityClaim

__all__ = [
    "independent_claims",
    "release_claims",
    "shifted_claims",
    "swap_claims",
    "transformed_claims",
]

Claims = tuple[UtilityClaim, ...]

LEAST_EPSILON = Fraction(1, 10)
"""The sum of KSW-X5 has about 2 (60 / epsilon)^2 terms."""

SMALL = 1e-12
"""Of an error: what double precision does not tell from none."""


def independent_claims(data: Any, epsilon: Fraction, low: Fraction, high: Fraction) -> Claims:
    """Promise of Algorithm 1; only for low = 0, where the error is known.

    `data`, shape (n,): records. `epsilon`: privacy parameter. `low`, `high`: public bounds.
    """
    place = _place(data, low, high)
    if place is None or low != 0:
        return ()
    n, p = place
    error = float(high) ** 2 * mse_independent_laplace(n * float(epsilon), p)
    return (_exact(error, "Algorithm 1 (exact error KSW-X4)"),)


def shifted_claims(data: Any, epsilon: Fraction, low: Fraction, high: Fraction) -> Claims:
    """Promises of Algorithm 2; parameters as in `independent_claims`."""
    place = _place(data, low, high)
    if place is None:
        return ()
    n, p = place
    error = float(high - low) ** 2 * mse_shifted_laplace(n * float(epsilon), p)
    return (
        _exact(error, "Algorithm 2 (exact error KSW-X3)"),
        _most(4 * ((high - low) / (n * epsilon)) ** 2, "Lemma 2 for all n (KSW-T1')"),
    )


def transformed_claims(
    data: Any, epsilon: Fraction, low: Fraction, high: Fraction, noise: str
) -> Claims:
    """Promises of Algorithm 3; of l1-staircase noise a bound where a radius may be as large as n.

    `data`, `epsilon`, `low`, `high`: as in `independent_claims`. `noise`, one of "laplace",
    "l1-staircase", "hourglass": law of the noise.
    """
    place = _place(data, low, high)
    if place is None:
        return ()
    n, p = place
    width = high - low
    if noise == "laplace":
        error = float(width) ** 2 * mse_transformed_laplace(n * float(epsilon), p)
        return (
            _exact(error, "Algorithm 3 (exact error KSW-X2)"),
            _most(2 * (width / (n * epsilon)) ** 2, "Theorem 1 for all n (KSW-T1')"),
        )
    if epsilon < LEAST_EPSILON:
        return ()
    if noise == "l1-staircase":
        found = mse_transformed_l1_staircase(n, p, float(epsilon))
        square = float(width) ** 2
        if found.rest <= SMALL * found.error:
            return (_exact(square * found.error, "Algorithm 3 with l1 noise (KSW-X6)"),)
        total = square * (found.error + found.rest)
        return (_most(total, "Algorithm 3 with l1 noise (KSW-X6; ours for small n)"),)
    error = float(width) ** 2 * mse_transformed_hourglass(n, p, float(epsilon))
    return (_exact(error, "Algorithm 3 with hourglass noise (exact error KSW-X5)"),)


def release_claims(
    data: Any, epsilon: Fraction, low: Fraction, high: Fraction, grid: int, level0: int
) -> Claims:
    """Promise of Algorithm 3 in integers.

    Its noise is that of the hourglass of gamma = (level0 - 1/2) / Q, rounded to the grid (KSW-D5),
    and each record is rounded to the grid: each moves the release by at most w / (2 Q).

    `data`, `epsilon`, `low`, `high`: as in `independent_claims`. `grid`, `level0`: Q, and r of the
    discrete hourglass.
    """
    place = _place(data, low, high)
    if place is None or epsilon < LEAST_EPSILON:
        return ()
    n, p = place
    gamma = (2 * level0 - 1) / (2 * grid)
    root = math.sqrt(mse_transformed_hourglass(n, p, float(epsilon), gamma)) + 1 / grid
    return (
        _most((float(high - low) * root) ** 2, "Algorithm 3 in integers (KSW-X5, KSW-D5; ours)"),
    )


def swap_claims(data: Any, epsilon: Fraction, low: Fraction, high: Fraction, noise: str) -> Claims:
    """Promises of the mean of a public number of records.

    `data`, `epsilon`, `low`, `high`: as in `independent_claims`. `noise`, one of "laplace",
    "staircase": law of the noise on the sum.
    """
    place = _place(data, low, high)
    if place is None:
        return ()
    n, p = place
    width, N = high - low, n * float(epsilon)
    if noise == "staircase":
        variance = Staircase(epsilon).variance()
        return (_most(float(width) ** 2 * variance / n**2, "equations (1) and (2)"),)
    moved = (math.exp(-N * p) - math.exp(-N * (1 - p))) / (2 * N)
    source = Source("KSW", "equation (3) with its clip (ours)")
    return (
        _most(2 * (width / (n * epsilon)) ** 2, "equation (3)"),
        UtilityClaim(Quantity.BIAS, float(width) * abs(moved), source),
    )


def _place(data: Any, low: Fraction, high: Fraction) -> tuple[int, float] | None:
    """Number of records and where their mean lies between the bounds, from 0 to 1."""
    values = records_within(data, low, high)
    if values is None or low == high:
        return None
    sums = exact_sums(values, low, high)
    return sums.count, float(Fraction(sums.first, sums.grid * sums.count))


def _exact(error: float, item: str) -> UtilityClaim:
    return UtilityClaim(Quantity.MSE, error, Source("KSW", item), exactly=True)


def _most(error: Fraction | float, item: str) -> UtilityClaim:
    return UtilityClaim(Quantity.MSE, error, Source("KSW", item))
