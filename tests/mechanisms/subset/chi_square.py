"""Chi-square tests of cell frequencies with stated error rates and stated power.

With n draws the statistic sum (count - n p)^2 / (n p) is compared with the quantile of order
1 - ALPHA of its law under p. Under another law q its law is close to the noncentral one with
noncentrality n sum (q - p)^2 / p, from which `draws_for` takes n: the wrong law is then rejected
with probability 1 - ALPHA as well. Both laws are limits for large n p; cells are merged so that
every n p is at least `LEAST`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

ALPHA = 1e-6
LEAST = 200
"""Expected draws of a cell: the limit laws are good to a factor below 2 at ALPHA."""

Array = NDArray[np.float64]


def draws_for(p: Array, q: Array) -> int:
    """Number of draws that tells q from p, each mistake with probability about ALPHA."""
    p, q = p[p > 0], q[p > 0]
    freedom = p.size - 1
    limit = stats.chi2.isf(ALPHA, freedom)
    apart = float(np.sum((q - p) ** 2 / p))
    n = LEAST / p.min()
    while stats.ncx2.cdf(limit, freedom, n * apart) > ALPHA:
        n *= 1.1
    return int(np.ceil(n))


def statistic(counts: NDArray[np.int64], p: Array) -> tuple[float, float]:
    """The statistic, and the limit that it exceeds with probability ALPHA under p."""
    seen = p > 0
    assert not counts[~seen].any()
    expected = counts.sum() * p[seen]
    assert expected.min() >= LEAST, "too few draws for a cell"
    value = float(np.sum((counts[seen] - expected) ** 2 / expected))
    return value, float(stats.chi2.isf(ALPHA, np.count_nonzero(seen) - 1))
