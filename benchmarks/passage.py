"""Draws until a likelihood ratio with known increments reaches a bound: exact, on a lattice.

A draw of each arm adds log a(X) + log b(Y) to the logarithm of the growth-optimal bet. Its law is
put on a lattice (each value on its two neighbors, the mean kept), and sums are convolved.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["increment_law", "least_draws", "oracle_draws"]

Array = NDArray[np.float64]

STEP = 0.002
POWER, ALPHA = 0.9, 0.05
LOWEST = -12.0
"""Log wealth from which a run is not followed: it returns with probability e^-15."""

CERTAIN_ZERO = 1e-200


def increment_law(p: Array, q: Array, bets: Array, step: float = STEP) -> tuple[int, Array]:
    """Law of log a(X) + log b(Y): the lattice's first index, and probabilities.

    Parameters
    ----------
    p, q : ndarray of float, shape (cells,)
        Laws of X and Y.
    bets : ndarray of float, shape (2, cells)
        a and b.
    step : float
        Distance of lattice points.
    """
    firsts, laws = [], []
    for mass, bet in ((p, bets[0]), (q, bets[1])):
        met = mass > CERTAIN_ZERO
        place = np.log(bet[met]) / step
        below = np.floor(place).astype(np.intp)
        share, first = place - below, int(below.min())
        law = np.zeros(int(np.ptp(below)) + 2)
        np.add.at(law, below - first, mass[met] * (1 - share))
        np.add.at(law, below - first + 1, mass[met] * share)
        firsts.append(first)
        laws.append(law)
    return sum(firsts), np.convolve(laws[0], laws[1])


def oracle_draws(first: int, law: Array, *, step: float = STEP, block: int = 1) -> int:
    """Return the 0.9 quantile of the draws at which the bet reaches 1 / alpha.

    Parameters
    ----------
    first, law
        As `increment_law` returns them.
    step : float
        Distance of lattice points.
    block : int
        Draws between two looks.
    """
    top = math.ceil(math.log(1 / ALPHA) / step)
    bottom = math.floor(LOWEST / step)
    reach = block * max(abs(first), abs(first + law.size)) if block == 1 else math.ceil(3 / step)
    size = 2 ** math.ceil(math.log2(top - bottom + 2 * reach))
    kernel = np.fft.rfft(_wrapped(first, law, size)) ** block
    wealth = np.zeros(size)
    wealth[-bottom] = 1.0
    alive, draws = slice(0, top - bottom), 0
    reached = 0.0
    while reached < POWER:
        moved = np.fft.irfft(np.fft.rfft(wealth) * kernel, size)
        beyond = moved[top - bottom : top - bottom + reach + 1].sum()
        wealth = np.zeros(size)
        wealth[alive] = moved[alive]
        reached += beyond
        draws += block
    return draws


def least_draws(first: int, law: Array, *, step: float = STEP) -> int:
    """Return the least n at which the best level-.05 test of the projection has power 0.9.

    The sum's law under the projection is its law under the truth times e^-sum (Neyman-Pearson).
    """
    mean = step * float(law @ (first + np.arange(law.size)))
    size = 2 ** math.ceil(math.log2(90 / step))
    kernel = np.fft.rfft(_wrapped(first, law, size))
    places = step * np.where(np.arange(size) < size // 2, np.arange(size), np.arange(size) - size)
    order = np.argsort(-places)

    def power(n: int) -> float:
        sums = np.maximum(np.fft.irfft(kernel**n, size), 0)[order]
        level = np.cumsum(sums * np.exp(np.minimum(-places[order], 40)))
        return float(np.interp(ALPHA, level, np.cumsum(sums)))

    lower, upper = 1, math.ceil(8 / mean)
    while upper - lower > 1:
        middle = (lower + upper) // 2
        lower, upper = (lower, middle) if power(middle) >= POWER else (middle, upper)
    return upper


def _wrapped(first: int, law: Array, size: int) -> Array:
    """Put a law on a circle of lattice points, index 0 first."""
    circle = np.zeros(size)
    np.add.at(circle, (first + np.arange(law.size)) % size, law)
    return circle
