"""Ridge logistic regression of the arm that a draw came from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["ridge_logistic"]


def ridge_logistic(
    design: NDArray[Any], first: NDArray[np.bool_], ridge: float, inverse: NDArray[Any], steps: int
) -> NDArray[np.float64]:
    """Weights by Newton steps with the Hessian's bound X'X / 4 + ridge, whose inverse is given.

    Every step raises the likelihood (Boehning and Lindsay, 1988); where the arms hardly differ,
    which is where power matters, the bound is nearly exact.

    Parameters
    ----------
    design : ndarray, shape (n, k)
        Centered features; the sums are taken in its precision.
    first : ndarray of bool, shape (n,)
        Which draws are the first arm's.
    ridge : float
        Weight of the squared weights.
    inverse : ndarray, shape (k, k)
        Of the bound.
    steps : int
        Newton steps.
    """
    kind = design.dtype
    weights = np.zeros(design.shape[1])
    for _ in range(steps):
        residual = first - (1 + np.tanh(design @ weights.astype(kind) / 2)) / 2
        weights += inverse @ (design.T @ residual.astype(kind) - ridge * weights)
    return weights
