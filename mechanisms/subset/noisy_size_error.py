"""The error of the subset-optimal mean with one noisy size (SUB-T3.1b, Theorem 3.1 for A3-B).

The noisy size is within t = (2 / epsilon) log(1 / eta) of n, but for a chance of eta, here
gamma / (R n), where the error is at most 2 R. With K = 1 / epsilon whole, n - t >= K and
n > 2 (K + 2 beta + 1),

    E|error| <= 2 (epsilon n diff + 2 alpha) / (epsilon (n - t)) + alpha
                + (2 + 2 epsilon + 4 beta epsilon) diff + 4 R zeta + 2 R eta,

where alpha and zeta are those of the size n - t, beta that of n + t (they fall and rise with it),
and diff is the mean without the K smallest records less that without the K largest.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from mechanisms.claims import Source
from mechanisms.records import records_within
from mechanisms.subset.parameters import SPACINGS, spacing_at
from mechanisms.subset.subset_parameters import log_argument
from mechanisms.utility_claims import Quantity, UtilityClaim

__all__ = ["noisy_size_claims", "noisy_size_error"]

ITEM = "Theorem 3.1 with one noisy size (ours)"


def noisy_size_error(
    count: int, radius: float, epsilon: float, gamma: float, least: float, difference: float
) -> float | None:
    """Bound the mean absolute error; None where nothing is known.

    `count`: n. `radius`: R. `epsilon`: privacy parameter, 1 / epsilon whole. `gamma`: resolution.
    `least`: of alpha. `difference`: diff. Returns: in the unit of the data.
    """
    cut, eta = 1 / epsilon, min(gamma / (radius * count), 0.5)
    t = 2 / epsilon * math.log(1 / eta)
    if not count - t >= cut:
        return None
    alpha, finest = (max(gamma / size, least) for size in (count - t, count + t))
    if log_argument(count - t, radius, epsilon, alpha) < 1:
        return None
    beta = 2 / epsilon * math.log(log_argument(count + t, radius, epsilon, finest))
    if not count > 2 * (cut + 2 * beta + 1):
        return None
    zeta = alpha / (radius * (count - t) * epsilon)
    mean = 2 * (epsilon * count * difference + 2 * alpha) / (epsilon * (count - t))
    bias = (2 + 2 * epsilon + 4 * beta * epsilon) * difference
    return mean + alpha + bias + 4 * radius * zeta + 2 * radius * eta


def noisy_size_claims(
    data: Any, epsilon: Fraction, low: Fraction, high: Fraction, gamma: Fraction
) -> tuple[UtilityClaim, ...]:
    """Promise of the error on one data set.

    `data`, shape (n,): records; nothing is promised of those beyond `low` and `high`, the public
    bounds. `epsilon`: privacy parameter of a third. `gamma`: resolution.
    """
    values = records_within(data, low, high)
    if values is None or low == high or epsilon.numerator != 1:
        return ()
    n, cut = values.size, int(1 / epsilon)
    if cut >= n:
        return ()
    ordered = np.sort(values)
    difference = (math.fsum(ordered[cut:]) - math.fsum(ordered[: n - cut])) / (n - cut)
    radius, least = float((high - low) / 2), float(SPACINGS * spacing_at(low, high))
    error = noisy_size_error(n, radius, float(epsilon), float(gamma), least, difference)
    if error is None:
        return ()
    return (UtilityClaim(Quantity.MAE, error, Source("SUB", ITEM)),)
