"""Output laws of corpus mechanisms on a pair, as many small cells of nearly constant ratio.

A continuous output is cut finely, so that the cells' likelihood ratios are those of the output to
the digits that the tables print. Independent parts are combined by their log ratios.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import laplace

from mechanisms.corpus.finite import bits_law
from mechanisms.corpus.noisy_max import NoisyMax
from mechanisms.corpus.registry import build_corpus
from mechanisms.corpus.sparse_vector import SparseVector

__all__ = ["LAWS", "Cells"]

Array = NDArray[np.float64]
Cells = tuple[Array, Array]
"""Probabilities of the cells on the data and on the neighbor."""

POINTS = 4_000
REACH = 20
"""Where the tail of a largest answer becomes one cell, in scales: mass e^-20."""
BINS = 2_000


def merged(p: Array, q: Array) -> Cells:
    """Join cells of (nearly) the same log ratio."""
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.log(p) - np.log(q)
    keep = (p > 0) | (q > 0)
    p, q, loss = p[keep], q[keep], loss[keep]
    finite = np.isfinite(loss)
    low, high = loss[finite].min(), loss[finite].max()
    width = max((high - low) / BINS, 1e-12)
    place = np.zeros(loss.size, dtype=np.int64)
    place[finite] = np.round((loss[finite] - low) / width).astype(np.int64) + 1
    place[loss == np.inf] = BINS + 3
    total, other = (
        np.bincount(place, weights=w, minlength=BINS + 4).astype(np.float64) for w in (p, q)
    )
    used = (total > 0) | (other > 0)
    return total[used], other[used]


def product(first: Cells, second: Cells) -> Cells:
    """Two independent parts."""
    return merged(np.outer(first[0], second[0]).ravel(), np.outer(first[1], second[1]).ravel())


def shifted_laplace(x: float, y: float, scale: float) -> Cells:
    """Laplace noise on two answers."""
    if x == y:
        return np.ones(1), np.ones(1)
    low, high = sorted((x, y))
    edges = np.concatenate([[-np.inf], np.linspace(low, high, 201), [np.inf]])
    p, q = (np.diff(laplace.cdf(edges, z, scale)) for z in (x, y))
    p[-1], q[-1] = laplace.sf(high, x, scale), laplace.sf(high, y, scale)
    return p, q


def sums_of(scale_of: Callable[[Any], float]) -> Callable[[Any, Any, Any], Cells]:
    """Laplace noise on each of several answers."""

    def cells(mechanism: Any, x: Array, y: Array) -> Cells:
        law: Cells = (np.ones(1), np.ones(1))
        for a, b in zip(np.atleast_1d(x), np.atleast_1d(y), strict=True):
            part = shifted_laplace(float(a), float(b), scale_of(mechanism))
            law = product(law, part) if part[0].size > 1 else law
        return law

    return cells


def parallel(mechanism: Any, x: Array, y: Array) -> Cells:
    """Twenty releases of one answer."""
    part = shifted_laplace(float(x[0]), float(y[0]), float(mechanism.count / mechanism.epsilon))
    law: Cells = (np.ones(1), np.ones(1))
    for _ in range(mechanism.count):
        law = product(law, part)
    return law


def finite(mechanism: Any, x: Array, y: Array) -> Cells:
    """Finite laws that the mechanism states."""
    p, q = (np.array([float(v) for v in mechanism.law(z)]) for z in (x, y))
    return p, q


def bits(mechanism: Any, x: Array, y: Array) -> Cells:
    """Independent bits; those of equal law tell nothing."""
    ones, other = mechanism.bits(x), mechanism.bits(y)
    apart = ones != other
    return bits_law(ones[apart]), bits_law(other[apart])


def largest(mechanism: NoisyMax, x: Array, y: Array) -> Cells:
    """Value of the largest noisy answer, by its cdf."""
    scale = mechanism.scale
    low, high = min(x.min(), y.min()) - 2 * scale, max(x.max(), y.max())
    near = np.linspace(low, high, POINTS)
    tail = high + np.geomspace(1e-6, REACH * scale, POINTS)
    edges = np.concatenate([[-np.inf], near, tail, [np.inf]])

    def law(answers: Array) -> Array:
        u = (edges[:, None] - answers) / scale
        if mechanism.noise == "exponential":
            log_cdf = np.log(np.maximum(-np.expm1(-np.maximum(u, 0)), 1e-300))
            return np.where((u > 0).all(axis=1), np.exp(log_cdf.sum(axis=1)), 0.0)
        return np.asarray(np.prod(laplace.cdf(u), axis=1))

    p, q = np.diff(law(x)), np.diff(law(y))
    return np.maximum(p, 0), np.maximum(q, 0)


def svt_values(mechanism: SparseVector, x: Array, y: Array) -> Cells:
    """Sparse vector with c = 1 that releases x_i + nu_i: given v, that rho <= v - T."""
    parts, patterns = mechanism.parts, mechanism.patterns(x.size)
    span = np.linspace(-12 * parts.nu, 12 * parts.nu, POINTS // 4)
    v = np.unique(np.concatenate([span, x, y, [parts.bar]]))
    laws = []
    for answers in (x, y):
        asked = np.where(patterns == 1, -1, patterns)
        edges, _, w, logs = parts.integrand(answers, v, asked)
        sums = np.cumsum((np.exp(logs) * w).reshape(len(patterns), edges.size - 1, -1).sum(2), 1)
        cells = []
        for row, pattern in zip(sums, patterns, strict=True):
            ones = np.flatnonzero(pattern == 1)
            if ones.size == 0:
                cells.append(row[-1:])
                continue
            before = np.interp(v - parts.bar, edges, np.append(0.0, row))
            density = laplace.pdf(v, answers[ones[0]], parts.nu) * before
            cells.append(np.diff(v) * (density[1:] + density[:-1]) / 2)
        laws.append(np.concatenate(cells))
    return laws[0], laws[1]


def svt_fresh(mechanism: SparseVector, x: Array, y: Array) -> Cells:
    """Answers, and a fresh noisy value for each 1."""
    scale = float(3 * mechanism.c / mechanism.epsilon)
    p, q = mechanism.law(x), mechanism.law(y)
    value = {d: merged(*shifted_laplace(0.0, float(d), scale)) for d in np.unique(y - x) if d}
    laws: tuple[list[Array], list[Array]] = ([], [])
    for a, b, pattern in zip(p, q, mechanism.patterns(x.size), strict=True):
        law: Cells = (np.array([a]), np.array([b]))
        for i in np.flatnonzero((pattern == 1) & (x != y)):
            law = product(law, value[y[i] - x[i]])
        laws[0].append(law[0])
        laws[1].append(law[1])
    return merged(np.concatenate(laws[0]), np.concatenate(laws[1]))


_LAPLACE = sums_of(lambda mechanism: float(1 / mechanism.epsilon))

LAWS: dict[str, Callable[[Any, Array, Array], Cells]] = {
    "corpus.laplace": _LAPLACE,
    "corpus.geometric": lambda m, x, y: two_sided_geometric(float(m.epsilon), x, y),
    "corpus.truncated-geometric": finite,
    "corpus.noisy-histogram-1": sums_of(lambda m: m.scale),
    "corpus.noisy-histogram-2": sums_of(lambda m: m.scale),
    "corpus.noisy-max-1": finite,
    "corpus.noisy-max-2": finite,
    "corpus.noisy-max-3": largest,
    "corpus.noisy-max-4": largest,
    "corpus.svt-1": finite,
    "corpus.svt-2": finite,
    "corpus.svt-3": svt_values,
    "corpus.svt-4": finite,
    "corpus.svt-5": finite,
    "corpus.svt-6": finite,
    "corpus.rappor": bits,
    "corpus.one-time-rappor": bits,
    "corpus.laplace-parallel": parallel,
    "corpus.prefix-sum": _LAPLACE,
    "corpus.svt-numerical": svt_fresh,
}
"""Law of each entry on a pair; prefix sums tell as much as their increments."""


def two_sided_geometric(epsilon: float, x: Array, y: Array) -> Cells:
    """Geometric noise, cut at 400 from the answers (mass e^(-400 epsilon))."""
    z = np.arange(-400, 401)
    weights = [np.exp(-epsilon * np.abs(z - round(float(a[0])))) for a in (x, y)]
    return weights[0] / weights[0].sum(), weights[1] / weights[1].sum()


def main() -> None:
    """Print how well the cells' laws sum to one, and their largest log ratio."""
    for name, law in LAWS.items():
        mechanism = build_corpus(name)
        worst, off = 0.0, 0.0
        for x, y in mechanism.pairs:
            p, q = law(mechanism, x, y)
            off = max(off, abs(p.sum() - 1), abs(q.sum() - 1))
            p, q = merged(p, q)
            with np.errstate(divide="ignore"):
                worst = max(worst, float(np.abs(np.log(p) - np.log(q)).max()))
        print(f"{name:32} {worst:9.5f} {off:.1e}")


if __name__ == "__main__":
    main()
