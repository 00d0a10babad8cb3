"""Binomial tails, limits of a probability and of a mean, and ranks, without scipy.stats.

P(Bin(n, p) > k) = I_p(k + 1, n - k), the regularized incomplete beta function. Importing
scipy.stats takes longer than most audits; scipy.special has the same function (`betainc`, the one
that scipy.stats calls). Its `bdtr` and `bdtrc` are not used: they are off by up to 8 % in tails of
1e7 draws.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "binomial_above",
    "binomial_at_most",
    "binomial_limits",
    "binomial_point",
    "first_above",
    "ranks",
    "student_limits",
]

Array = NDArray[np.float64]


def binomial_above(k: int, draws: int, p: float) -> float:
    """P(Bin(draws, p) > k)."""
    from scipy.special import betainc

    if k < 0 or k >= draws:
        return float(k < 0)
    return float(betainc(k + 1, draws - k, p))


def binomial_at_most(k: int, draws: int, p: float) -> float:
    """P(Bin(draws, p) <= k)."""
    from scipy.special import betaincc

    if k < 0 or k >= draws:
        return float(k >= draws)
    return float(betaincc(k + 1, draws - k, p))


def binomial_point(k: ArrayLike, draws: int, p: float) -> Array:
    """P(Bin(draws, p) = k), elementwise; to 1e-6 of itself for up to 1e8 draws."""
    from scipy.special import gammaln, xlog1py, xlogy

    hits = np.asarray(k, dtype=np.float64)
    ways = gammaln(draws + 1.0) - gammaln(hits + 1) - gammaln(draws - hits + 1)
    return np.asarray(np.exp(ways + xlogy(hits, p) + xlog1py(draws - hits, -p)))


def first_above(tail: float, draws: int, p: float) -> int:
    """Smallest k with P(Bin(draws, p) > k) <= tail."""
    low, high = -1, draws  # the tail at `low` is too large, at `high` it is 0
    while high - low > 1:
        middle = (low + high) // 2
        small = binomial_above(middle, draws, p) <= tail
        low, high = (low, middle) if small else (middle, high)
    return high


def binomial_limits(hits: int, draws: int, error: float) -> tuple[float, float]:
    """Limits of Clopper and Pearson for a probability, each wrong with at most this chance."""
    from scipy.special import betainccinv, betaincinv

    lower = float(betaincinv(hits, draws - hits + 1, error)) if hits else 0.0
    upper = float(betainccinv(hits + 1, draws - hits, error)) if hits < draws else 1.0
    return lower, upper


def student_limits(values: Array, error: float) -> tuple[float, float]:
    """Student's limits of a mean, each wrong with this chance for normal values."""
    from scipy.special import stdtrit

    middle, size = float(values.mean()), values.size
    reach = -float(stdtrit(size - 1, error)) * math.sqrt(float(values.var(ddof=1)) / size)
    return middle - reach, middle + reach


def ranks(values: Array) -> Array:
    """Ranks from 1 on; equal values share the average of theirs."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[places.ravel()])
