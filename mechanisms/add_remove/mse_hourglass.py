"""Exact mean squared error of Algorithm 3 with hourglass noise (KSW-X5).

For n records in [0, 1] with mean p, s1 = n p, the sum over lines t and levels s

    sum of A b^(|s| + |t - s|) integral over level s of (Clip((s1 + z) / (n + t), [0, 1]) - p)^2 dz,

b = e^-epsilon, A = (1 - b)^2 / (2 y (1 + b)), y = gamma + b (1 - gamma). Each integral is a cubic
between the clip points; n + t = 0 gives the midpoint 1/2, as the mechanism does. For records in
[low, high] multiply by (high - low)^2 and take p = (mean - low) / (high - low).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.noise.parameters import check_epsilon, check_gamma, decay
from mechanisms.noise.staircase import optimal_gamma
from mechanisms.validation import check_fraction, check_integer

__all__ = ["mse_transformed_hourglass"]

Array = NDArray[np.float64]

_CUTOFF = 60  # terms of weight below e^-60 are left out
_LEAST_EPSILON = Fraction(1, 100)  # the sum has about 2 (60 / epsilon)^2 terms


def mse_transformed_hourglass(
    n: int, p: float, epsilon: float, gamma: float | None = None
) -> float:
    """Mean squared error of Algorithm 3 with hourglass noise, width 1 (times w^2 in data units).

    `n`: number of records, at least 1. `p`: mean of the normalized records, in [0, 1]. `epsilon`:
    from 0.01 to 500; time and terms grow as 1 / epsilon^2. `gamma`: in (0, 1]; by default the value
    of least variance.

    References
    ----------
    .. [1] KSW-X5.
    """
    n = check_integer(n, "n", at_least=1)
    p = float(check_fraction(p, "p", at_least=0, at_most=1))
    exact_epsilon = check_fraction(check_epsilon(epsilon), "epsilon", at_least=_LEAST_EPSILON)
    eps, (b, complement) = float(exact_epsilon), decay(exact_epsilon)
    shape = float(check_gamma(gamma, optimal_gamma(eps)))
    normalizer = complement**2 / (2 * (shape + b * (1 - shape)) * (1 + b))

    largest = int(_CUTOFF / eps) + 10
    total = 0.0
    for line in range(-largest, largest + 1):
        # |s| + |t - s| <= largest means (t - largest) / 2 <= s <= (t + largest) / 2.
        levels = np.arange((line - largest) // 2, (line + largest) // 2 + 1)
        start = np.where(levels > 0, levels - 1 + shape, levels - shape)
        stop = np.where(levels < 0, levels + 1 - shape, levels + shape)
        weight = np.exp(-eps * (np.abs(levels) + np.abs(line - levels)))
        total += float(np.sum(weight * _squared_error(n, p, line, start, stop)))
    return normalizer * total


def _squared_error(n: int, p: float, t: int, start: Array, stop: Array) -> Array:
    """Integral of (Clip((n p + z) / (n + t), [0, 1]) - p)^2 over start < z < stop, elementwise.

    The ratio runs from 0 at z = -n p to 1 at z = n + t - n p, upward where n + t > 0 and downward
    where n + t < 0. Between them u = (z - p t) / (n + t) is the error, and the integral of u^2
    is the length times the mean of u^2 at the ends and their product.
    """
    if n + t == 0:
        return (stop - start) * (0.5 - p) ** 2
    zero, one = -n * p, n + t - n * p
    (left, at_left), (right, at_right) = sorted([(zero, 0), (one, 1)])
    inner_start, inner_stop = np.clip(start, left, right), np.clip(stop, left, right)
    below = np.minimum(stop, left) - np.minimum(start, left)
    above = np.maximum(stop, right) - np.maximum(start, right)
    u, v = (inner_start - p * t) / (n + t), (inner_stop - p * t) / (n + t)
    inner = (inner_stop - inner_start) * (u * u + u * v + v * v) / 3
    return np.asarray(below * (at_left - p) ** 2 + inner + above * (at_right - p) ** 2)
