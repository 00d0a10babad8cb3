"""Sampling of levels, in blocks: geometric integers, and a uniform place on a level."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = ["BLOCK", "CENTER", "blocks", "fill_levels", "fill_within"]

BLOCK = 1 << 15
"""Doubles per block of a sampler: its buffers stay in the cache."""

CENTER = 0.5 - 2.0**-54
"""`rng.random() - CENTER` is exact, symmetric about 0, and never 0."""


def blocks(size: int) -> Iterator[slice]:
    """Cut range(size) into slices of at most BLOCK."""
    for start in range(0, size, BLOCK):
        yield slice(start, min(start + BLOCK, size))


def fill_levels(
    level: NDArray[np.float64], epsilon: Fraction, log_mass: float, rng: np.random.Generator
) -> None:
    """Fill with integers i >= 0 of law P(i or more) = min(1, e^(log_mass - epsilon i)).

    `log_mass` lies in [0, epsilon]; the floor of a shifted exponential has exactly this law.
    """
    rng.standard_exponential(out=level)
    np.add(level, log_mass, out=level)
    np.divide(level, float(epsilon), out=level)
    np.floor(level, out=level)


def fill_within(
    z: NDArray[np.float64], level: NDArray[np.float64], unit: NDArray[np.float64], gamma: float
) -> None:
    """Place |z| uniformly on its level from `unit` uniform on (0, 1), which is overwritten.

    Level i >= 1 is [i - 1 + gamma, i + gamma) and level 0 is [0, gamma); the larger of the two
    formulas is the right one on either.
    """
    np.multiply(unit, gamma, out=z)
    np.add(unit, gamma - 1, out=unit)
    np.add(unit, level, out=unit)
    np.maximum(unit, z, out=z)
