"""Statistical checks with stated error rates and stated power (DKW inequality).

Given the distance d in sup-cdf to the nearest wrong law that must be told apart and the error
rate alpha of either mistake, n = 2 ln(2 / alpha) / d^2 draws and the threshold d / 2 accept the
true law and reject every law at distance d, each with probability at least 1 - alpha. The test
then keeps its meaning whatever stream numpy draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

ALPHA = 1e-9


def draws_for(distance: float, alpha: float = ALPHA) -> int:
    """Number of draws that separates laws at sup-cdf distance `distance`."""
    return math.ceil(2 * math.log(2 / alpha) / distance**2)


def cdf_distance(
    draws: NDArray[np.float64],
    cdf: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    *,
    left_cdf: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None,
) -> float:
    """Sup distance of the empirical cdf to `cdf` (`left_cdf` is P(Z < z), for laws with atoms)."""
    values, counts = np.unique(draws, return_counts=True)
    upper = np.cumsum(counts) / len(draws)
    lower = upper - counts / len(draws)
    right, left = cdf(values), (left_cdf or cdf)(values)
    return float(max(np.abs(upper - right).max(), np.abs(lower - left).max()))


def law_distance(
    cdf: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    other: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    grid: NDArray[np.float64],
) -> float:
    """Largest difference of two cdfs over a grid: a lower limit of their sup distance."""
    return float(np.abs(cdf(grid) - other(grid)).max())


def assert_law(
    draws: NDArray[np.float64],
    cdf: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    distance: float,
    *,
    left_cdf: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None,
) -> None:
    """Fail unless the draws lie within distance / 2 of `cdf`."""
    assert len(draws) >= draws_for(distance), "too few draws for this distance"
    seen = cdf_distance(draws, cdf, left_cdf=left_cdf)
    assert seen < distance / 2, f"sup-cdf distance {seen} >= {distance / 2}"


def assert_not_law(
    draws: NDArray[np.float64],
    cdf: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    distance: float,
    *,
    left_cdf: Callable[[NDArray[np.float64]], NDArray[np.float64]] | None = None,
) -> None:
    """Fail unless the draws are at least distance / 2 away from `cdf` (the power of the check)."""
    assert len(draws) >= draws_for(distance), "too few draws for this distance"
    seen = cdf_distance(draws, cdf, left_cdf=left_cdf)
    assert seen > distance / 2, f"sup-cdf distance {seen} <= {distance / 2}"
