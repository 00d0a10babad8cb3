"""Mean squared error of Algorithm 3 with two-dimensional staircase noise (KSW-X6).

Given its radius r = k + gamma the noise (Z1, Z2) is uniform on a diamond, and the release exceeds x
where W = (1 - x) Z1 - x Z2 exceeds n (x - p). With s = min(x, 1 - x) and l = 1 - s,

    P(W > u) = 1/2 - u / r  for u <= r s,    (l r - u)^2 / (2 (l - s) r^2)  up to u = r l,

so that for n records in [0, 1] with mean p

    n^2 MSE = sum over k of w_k times the integrals of 2 u P(W > u) over 0 < u < n (1 - p), where
    x = p + u / n, and over 0 < u < n p, where x = p - u / n,

as far as r < n; of larger radii, where the noisy count may be negative, it is only known that the
error is at most max(p, 1 - p)^2. w_k is proportional to b^k (k + gamma)^2, b = e^-epsilon.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mechanisms.noise.l1_staircase import optimal_gamma
from mechanisms.validation import check_fraction, check_integer

__all__ = ["EnclosedError", "mse_transformed_l1_staircase"]

Array = NDArray[np.float64]

CUTOFF = 60
"""Radii farther than this many over epsilon weigh less than e^-60 each, and are left out."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)
"""Between two breaks the integrand is a quotient of a cubic and a linear function."""


class EnclosedError(NamedTuple):
    """The error of small radii, and the most that the others may add."""

    error: float
    rest: float


def mse_transformed_l1_staircase(
    n: int, p: float, epsilon: float, gamma: float | None = None
) -> EnclosedError:
    """Mean squared error of Algorithm 3 with l1-staircase noise, width 1.

    `n`: number of records, at least 1. `p`: mean of the normalized records, in [0, 1]. `epsilon`:
    greater than 0; time grows as 1 / epsilon. `gamma`: in (0, 1]; by default the value of least
    variance.

    References
    ----------
    .. [1] KSW-X6.
    """
    n = check_integer(n, "n", at_least=1)
    p = float(check_fraction(p, "p", at_least=0, at_most=1))
    shape = optimal_gamma(epsilon) if gamma is None else gamma
    radii = np.arange(int(CUTOFF / epsilon) + 2) + shape
    logs = 2 * np.log(radii) - epsilon * (radii - shape)
    masses = np.exp(logs - logs.max())
    masses /= masses.sum()
    small = radii < n
    total = sum(
        mass * (_side(radius, n, p, 1) + _side(radius, n, p, -1))
        for radius, mass in zip(radii[small].tolist(), masses[small].tolist(), strict=True)
    )
    return EnclosedError(total / n**2, float(masses[~small].sum()) * max(p, 1 - p) ** 2)


def _side(r: float, n: int, p: float, sign: int) -> float:
    """Integral of 2 u P(W > u), x = p + sign u / n, over the u with x in [0, 1]."""
    limit = n * (1 - p) if sign > 0 else n * p
    breaks = [r * p * n / (n - sign * r), r * (1 - p) * n / (n + sign * r), sign * n * (0.5 - p)]
    inner = sorted({u for u in breaks if 0 < u < limit})
    ends = np.array([0.0, *inner, limit])
    half = np.diff(ends)[:, np.newaxis] / 2
    u = ends[:-1, np.newaxis] + half * (NODES + 1)
    return math.fsum((half * WEIGHTS * 2 * u * _tail(u, p + sign * u / n, r)).ravel())


def _tail(u: Array, x: Array, r: float) -> Array:
    """P(W > u), elementwise, for 0 <= x <= 1."""
    smaller = np.minimum(x, 1 - x)
    larger = 1 - smaller
    flat = 0.5 - u / r
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = (larger * r - u) ** 2 / (2 * (larger - smaller) * r**2)
    return np.where(u <= r * smaller, flat, np.where(u < r * larger, slope, 0.0))
