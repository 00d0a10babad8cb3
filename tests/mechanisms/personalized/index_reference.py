"""The sparse vector technique a second and a third time: by quadrature, and one noise each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

NODES = 24
PANEL = 2.0
"""Longest piece that one rule integrates, in units of the smaller scale."""
FAR = 45
"""Scales beyond which the threshold's noise does not go: e^-45 is 3e-20."""


def laplace_cdf(x: Array) -> Array:
    """P(Lap(1) <= x)."""
    tail = np.exp(-np.abs(x)) / 2
    return np.where(x < 0, tail, 1 - tail)


def slow_index_law(
    answers: Sequence[float], theta: float, threshold_scale: float, query_scale: float
) -> Array:
    """Probabilities of the indices 1, ..., K + 1, by quadrature over the noisy threshold."""
    ends = sorted({theta - FAR * threshold_scale, theta, theta + FAR * threshold_scale, *answers})
    step = PANEL * min(threshold_scale, query_scale)
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    tails = np.zeros(len(answers))
    for lower, upper in pairwise(ends):
        cuts = np.linspace(lower, upper, int((upper - lower) / step) + 2)
        half = np.diff(cuts)[:, np.newaxis] / 2
        s = cuts[:-1, np.newaxis] + half * (1 + nodes)
        mass = np.exp(-np.abs(s - theta) / threshold_scale) / (2 * threshold_scale)
        mass = mass * half * weights
        for m, answer in enumerate(answers):
            mass = mass * laplace_cdf((s - answer) / query_scale)
            tails[m] += mass.sum()
    return -np.diff([1.0, *tails, 0.0])


def slow_draws(
    answers: Sequence[float],
    theta: float,
    scales: tuple[float, float],
    size: int,
    *,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Draw the index with every noise drawn, at any scales of threshold and queries."""
    noise = rng.laplace(scale=scales[1], size=(size, len(answers)))
    bars = theta + rng.laplace(scale=scales[0], size=(size, 1))
    fires = np.asarray(answers) + noise > bars
    return np.where(fires.any(axis=1), 1 + fires.argmax(axis=1), len(answers) + 1)


def frequencies(index: NDArray[np.int64], outcomes: int) -> NDArray[np.int64]:
    """How often each of the indices 1, ..., `outcomes` was drawn."""
    return np.bincount(index, minlength=outcomes + 1)[1:]


def merged(p: Array, least: float) -> list[slice]:
    """Neighboring outcomes together, so that each group has at least a share; the rest joins."""
    groups, start, total = [], 0, 0.0
    for end, share in enumerate(p, 1):
        total += share
        if total >= least and p[end:].sum() >= least:
            groups.append(slice(start, end))
            start, total = end, 0.0
    return [*groups, slice(start, len(p))]
