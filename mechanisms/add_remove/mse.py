"""Exact mean squared errors of the add-remove means with Laplace noise (KSW-X2, X3, X4).

For records in [0, 1] with mean p, N = n epsilon and the output X, each is

    E (X - p)^2 = integral of 2 (x - p) P(X > x) over [0, 1] + p^2,

a function of N and p only; for records in [low, high] multiply by (high - low)^2 and take
p = (mean - low) / (high - low). P(X > x) is the tail S of the noise on the line of slope x plus a
correction for negative noisy counts. The S part is integrated from p outward, so that no
cancellation occurs; composite Gauss-Legendre on panels that halve towards every kink and boundary
layer reaches double precision.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.add_remove.exact_law import laplace_sum_tail
from mechanisms.validation import check_fraction

__all__ = ["mse_independent_laplace", "mse_shifted_laplace", "mse_transformed_laplace"]

Array = NDArray[np.float64]

_CUTOFF = 90.0  # the tail beyond tau = 90 scales is below e^-90 of the whole
_HALVINGS = 60  # panels towards each end of a piece; the last is below 1e-18 of it
_NODES = 24


def mse_transformed_laplace(N: float, p: float) -> float:
    """Mean squared error of Algorithm 3 with Laplace noise, width 1 (times w^2 in data units).

    J(N, p) + J(N, 1 - p) + e^-N (N (1 - 2 p)^2 - 1/3) / 4, where
    J(N, p) is the integral of 2 (x - p) S(N (x - p); 1 - x, x) over [p, 1].

    `N`: n epsilon, at least 0 (0: the limit p^2 - p + 5/12). `p`: mean of the normalized records,
    in [0, 1].

    References
    ----------
    .. [1] KSW-X2.
    """
    N, p = _check(N, p)
    correction = math.exp(-N) / 4 * (N * (1 - 2 * p) ** 2 - 1 / 3)
    return _main_part(N, p, lambda x, y: (y, x), largest_scale=1) + correction


def mse_shifted_laplace(N: float, p: float) -> float:
    """Mean squared error of Algorithm 2, width 1 (times w^2 in data units).

    The tail scales are (1, |2 x - 1|); the correction D2 is integrated numerically.

    `N`: n epsilon, at least 0. `p`: mean of the normalized records, in [0, 1].

    References
    ----------
    .. [1] KSW-X3.
    """
    N, p = _check(N, p)
    a, weight = _panels([0.0, 0.5])
    correction = sum(
        float(np.sum(weight * 2 * (0.5 + c - p) * _shifted_correction(N, c, p - 0.5)))
        for c in (-a, a)
    )
    return _main_part(N, p, lambda x, y: (1.0, np.abs(x - y)), largest_scale=1) + correction


def mse_independent_laplace(N: float, p: float) -> float:
    """Mean squared error of Algorithm 1 on [0, 1] (low = 0, high = 1 only).

    The tail scales are (2, 2 x), the correction to the tail is
    -e^(-N / 2) / 4 (2 - e^(-N p / 2) / (1/2 + x/2)).

    `N`: n epsilon, at least 0. `p`: mean of the records, in [0, 1].

    References
    ----------
    .. [1] KSW-X4.
    """
    N, p = _check(N, p)
    first_moment = 1 - (1 + p) * math.log(2)  # of (x - p) / (1 + x) over [0, 1]
    bracket = 2 * (1 - 2 * p) - 4 * math.exp(-N * p / 2) * first_moment
    correction = -math.exp(-N / 2) / 4 * bracket
    return _main_part(N, p, lambda x, _: (2.0, 2 * x), largest_scale=2) + correction


def _check(N: float, p: float) -> tuple[float, float]:
    exact_N = check_fraction(N, "N", at_least=0, at_most=10**12)
    return float(exact_N), float(check_fraction(p, "p", at_least=0, at_most=1))


def _main_part(
    N: float,
    p: float,
    scales: Callable[[Array, Array], tuple[ArrayLike, ArrayLike]],
    *,
    largest_scale: float,
) -> float:
    """Integral of 2 |x - p| S(N |x - p|; scales) over [0, 1]; `scales` takes x and 1 - x."""
    q, total = 1 - p, 0.0
    for sign, length in ((1, q), (-1, p)):
        kink = sign * (0.5 - p)
        reach = min(length, _CUTOFF * largest_scale / N) if N > 0 else length
        v, weight = _panels([0.0, *([kink] if 0 < kink < reach else []), reach])
        alpha, beta = scales(p + sign * v, q - sign * v)
        total += float(np.sum(weight * 2 * v * laplace_sum_tail(N * v, alpha, beta)))
    return total


def _shifted_correction(N: float, c: Array, d: float) -> Array:
    """D2 at x = 1/2 + c for p = 1/2 + d (KSW-X3)."""
    size, scale = np.abs(c), np.exp(-N / 2) / 4
    if d == 0:
        return np.asarray(-np.sign(c) * scale * (2 - 1 / (0.5 + size)))
    same_side = c * d > 0
    v0 = N * abs(d) / size
    near = -np.sign(d) * scale * (2 - np.exp(-N * abs(d)) / (0.5 + size))
    crossed = np.sign(d) * (
        -2 * np.expm1(-v0 / 2) - np.exp(-N * abs(d)) * v0 * _decay_mean((0.5 - size) * v0)
    ) + np.sign(c) * np.exp(-v0 / 2) * (2 - 1 / (0.5 + size))
    return np.asarray(np.where(same_side, near, -scale * crossed))


def _decay_mean(z: Array) -> Array:
    """(1 - e^-z) / z for z >= 0, and 1 at z = 0."""
    return np.asarray(np.divide(-np.expm1(-z), z, out=np.ones_like(z), where=z > 0))


@cache
def _unit_panels() -> tuple[Array, Array]:
    """Gauss-Legendre nodes and weights on [0, 1/2], panels halving towards 0."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    edges = np.concatenate([[0.0], 0.5 ** np.arange(_HALVINGS, 0, -1)])
    left, width = edges[:-1, None], np.diff(edges)[:, None]
    return (left + width * (nodes + 1) / 2).ravel(), (width * weights / 2).ravel()


def _panels(edges: list[float]) -> tuple[Array, Array]:
    """Nodes and weights on the pieces between the edges, graded towards both ends of each."""
    unit, weight = _unit_panels()
    pieces = [(a, b - a) for a, b in pairwise(edges)]
    nodes = [part for a, w in pieces for part in (a + w * unit, a + w * (1 - unit))]
    weights = [w * weight for _, w in pieces for _ in range(2)]
    return np.concatenate(nodes), np.concatenate(weights)
