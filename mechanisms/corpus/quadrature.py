"""Integrals against Laplace and one-sided exponential densities, in double precision.

A line is cut at the integrand's kinks and into panels of at most one scale, out to 45 scales
(mass e^-45); 16 Gauss-Legendre nodes integrate the analytic pieces to rounding.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.corpus.vectors import Vector

__all__ = ["Panels", "log_cdf", "log_density", "log_survival", "panels"]

Panels = tuple[Vector, Vector, NDArray[np.float64]]
"""Edges, shape (m + 1,), nodes and weights, both of shape (m, 16)."""

REACH = 45
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)


def panels(kinks: ArrayLike, scales: tuple[float, ...]) -> Panels:
    """Cut the line around the kinks, for factors with these scales."""
    points = np.unique(np.asarray(kinks, dtype=np.float64))
    far, near = REACH * max(scales), min(scales)
    ends = np.concatenate([[points[0] - far], points, [points[-1] + far]])
    cuts = [np.linspace(a, b, int(np.ceil((b - a) / near)) + 1)[:-1] for a, b in pairwise(ends)]
    edges = np.concatenate([*cuts, ends[-1:]])
    half, middle = np.diff(edges)[:, None] / 2, (edges[1:] + edges[:-1])[:, None] / 2
    return edges, middle + half * NODES, half * WEIGHTS


def log_density(t: ArrayLike, scale: float) -> Vector:
    """Ln of the Laplace density."""
    return np.asarray(-np.abs(t) / scale - np.log(2 * scale))


def log_cdf(t: ArrayLike, scale: float) -> Vector:
    """Ln P(Lap <= t); scale 0 is the point mass at 0."""
    u = np.asarray(t, dtype=np.float64)
    if scale == 0:
        return np.where(u >= 0, 0.0, -np.inf)
    tail = np.exp(-np.abs(u) / scale) / 2
    return np.where(u < 0, -np.abs(u) / scale - np.log(2), np.log1p(-tail))


def log_survival(t: ArrayLike, scale: float) -> Vector:
    """Ln P(Lap >= t); scale 0 is the point mass at 0."""
    return log_cdf(-np.asarray(t, dtype=np.float64), scale)
