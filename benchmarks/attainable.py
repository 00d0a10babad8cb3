"""What an oracle attains: it knows the pair and the likelihood ratio, and chooses the best event.

Its bound is ln(low / up) of two Clopper-Pearson limits at half the error each, in expectation over
n draws of each data set. Our own test is joint, so that it can show more from as many draws.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus_laws import Cells

__all__ = ["attainable"]

Array = NDArray[np.float64]
MOST_EVENTS = 3_000
FEW = 2_000
"""Expected counts below this are averaged over their law, above it they stand for themselves."""


def events(law: Cells) -> Cells:
    """Probabilities of the prefixes in the order of the ratio, thinned to a few thousand."""
    p, q = law
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(-(np.log(p) - np.log(q)), kind="stable")
    sums = np.cumsum(p[order]), np.cumsum(q[order])
    keep = np.unique(
        np.concatenate(
            [
                np.searchsorted(sums[0], np.geomspace(1e-8, 1, MOST_EVENTS)),
                np.linspace(0, p.size - 1, MOST_EVENTS).astype(int),
            ]
        )
    )
    keep = keep[keep < p.size]
    return sums[0][keep], sums[1][keep]


def mean_log_limit(p: Array, n: int, alpha: float, *, upper: bool) -> Array:
    """Expected logarithm of a Clopper-Pearson limit for events of these probabilities."""
    from scipy.special import betaincinv
    from scipy.stats import binom

    def limit(hits: Array) -> Array:
        if upper:
            return np.asarray(betaincinv(hits + 1, np.maximum(n - hits, 1e-9), 1 - alpha))
        return np.asarray(betaincinv(np.maximum(hits, 1e-9), n - hits + 1, alpha))

    with np.errstate(divide="ignore"):
        result = np.log(limit(n * p))
        for i in np.flatnonzero((n * p < FEW) & (n * p > 0)):
            reach = 10 * np.sqrt(n * p[i]) + 20
            hits = np.arange(max(0.0, np.floor(n * p[i] - reach)), n * p[i] + reach)
            weights = binom.pmf(hits, n, p[i])
            seen = weights > 1e-12
            result[i] = (weights[seen] * np.log(limit(hits[seen]))).sum()
    return np.asarray(result)


def attainable(law: Cells, n: int, alpha: float = 0.05) -> float:
    """Largest expected bound over the oracle's events, in both directions."""
    bounds = [0.0]
    for cells in (law, law[::-1]):
        p, q = events(cells)
        low = mean_log_limit(p, n, alpha / 2, upper=False)
        up = mean_log_limit(np.minimum(q, 1.0), n, alpha / 2, upper=True)
        bounds.append(float(np.nanmax(low - up)))
    return max(bounds)
