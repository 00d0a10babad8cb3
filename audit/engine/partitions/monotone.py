"""Monotone log-likelihood ratios, where the counts do not contradict them.

The ratio of a law and its shift is monotone for every log-concave noise. Taking out the wiggles
that chance brings (isotonic regression) is then worth several times as many draws.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["monotone"]

Array = NDArray[np.float64]

DEVIATIONS = 3.0
"""Standard deviations by which the misfit of a monotone share may exceed what chance brings."""


def monotone(ratios: Array, counts: Array, ordered: int) -> Array:
    """Ratios made monotone along the ordered cells, or as they were.

    Parameters
    ----------
    ratios : ndarray of float, shape (K,)
        Log-likelihood ratios, shrunk.
    counts : ndarray of float, shape (2, K)
        Counts by arm and cell.
    ordered : int
        How many leading cells are in order.
    """
    from scipy.optimize import isotonic_regression

    cells = np.flatnonzero(counts[:, :ordered].sum(axis=0))
    if cells.size < 3:
        return ratios
    total = counts[:, cells].sum(axis=0)
    share = counts[0, cells] / total
    fits = [isotonic_regression(share, weights=total, increasing=up) for up in (True, False)]
    misfit = [float((total * (fit.x - share) ** 2).sum()) for fit in fits]
    up = misfit[0] <= misfit[1]
    fit = fits[not up]
    variance = np.maximum(fit.x * (1 - fit.x), 1e-9)
    chi2 = float((total * (fit.x - share) ** 2 / variance).sum())
    freedom = cells.size - (fit.blocks.size - 1)
    if chi2 > freedom + DEVIATIONS * math.sqrt(2 * freedom):
        return ratios
    smooth = ratios.copy()
    smooth[cells] = isotonic_regression(ratios[cells], weights=total, increasing=up).x
    return smooth
