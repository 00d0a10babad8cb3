"""Lower bounds for the mean of a Gaussian under personalized privacy (PDP, Theorems 9 and 12).

Whatever keeps the budgets misses some Gaussian mean mu, with probability at least 1/4, by

    C sigma / (S_k + 2 sqrt(n - k))    for every k,

where S_k is the sum of the k smallest budgets. The theorems print C = 1 / sqrt(2) and k = 1..n.
Sharper forms of their lemmas (PDP-L15s, PDP-L20s) give k = 0..n with C = 1 for bounded neighbors,
and for unbounded ones with the C at which

    max over f in [0, 1] of  1 - exp(-C sqrt(2 / pi) f) + C (1 - f) / 2  =  1/2.

These are bounds of a deviation; the mean absolute error is at least a quarter of them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.errors import InvalidArgument

__all__ = [
    "BOUNDED",
    "PRINTED",
    "UNBOUNDED",
    "bounded_error_lower",
    "errors_lower",
    "unbounded_error_lower",
]

from mechanisms.validation import shown

PRINTED = math.sqrt(0.5)
"""C of both theorems in print."""

BOUNDED = 1.0
"""C for one record replaced."""

UNBOUNDED = 0.8390578035984329
"""C for one record added or removed, rounded down."""


def errors_lower(budgets: ArrayLike, sigma: float, constant: float) -> NDArray[np.float64]:
    """Return constant sigma / (S_k + 2 sqrt(n - k)) for k = 0..n.

    `budgets`, shape (n,): at least one, each at least 0, in any order. `sigma`: standard deviation
    of the records, greater than 0. `constant`: C. Returns shape (n + 1,): in the unit of sigma;
    infinite at k = n if all budgets are 0. Raises InvalidArgument if there is no budget, one is
    negative or not finite, or sigma is not positive.
    """
    ordered = np.sort(np.asarray(budgets, dtype=np.float64))
    if ordered.ndim != 1 or not ordered.size:
        msg = f"budgets must be a list of at least one number, got shape {ordered.shape}"
        raise InvalidArgument(msg)
    if not (ordered[0] >= 0 and np.isfinite(ordered[-1])):
        msg = f"budgets must be finite and at least 0, got {ordered[0]:g} to {ordered[-1]:g}"
        raise InvalidArgument(msg)
    if not 0 < sigma < math.inf:
        msg = f"sigma must be greater than 0 and finite, got sigma={shown(sigma)}"
        raise InvalidArgument(msg)
    sums = np.concatenate([[0.0], np.cumsum(ordered)])
    rest = np.arange(ordered.size, -1, -1, dtype=np.float64)
    with np.errstate(divide="ignore", over="ignore"):
        return np.asarray(constant * sigma / (sums + 2 * np.sqrt(rest)), dtype=np.float64)


def bounded_error_lower(budgets: ArrayLike, sigma: float = 1, *, sharp: bool = False) -> float:
    """Bound the error of every mechanism that keeps the budgets when a record is replaced.

    `budgets`, shape (n,): public, in any order. `sigma`: standard deviation of the records, greater
    than 0. `sharp`: whether with C = 1 and k = 0..n in place of the printed 1 / sqrt(2) and k =
    1..n. Raises InvalidArgument as `errors_lower`.

    References
    ----------
    .. [1] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Theorem 9 (PDP-T9; erratum PDP-E-16).
    """
    return _largest(budgets, sigma, BOUNDED if sharp else PRINTED, sharp=sharp)


def unbounded_error_lower(budgets: ArrayLike, sigma: float = 1, *, sharp: bool = False) -> float:
    """Bound the error of every mechanism that keeps the budgets when a record comes or goes.

    `budgets`, shape (n,): of the records that are there, in any order. `sigma`: standard deviation
    of the records, greater than 0. `sharp`: whether with C = 0.839 and k = 0..n in place of the
    printed 1 / sqrt(2) and k = 1..n. Raises InvalidArgument as `errors_lower`.

    References
    ----------
    .. [1] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Theorem 12 (PDP-T12).
    """
    return _largest(budgets, sigma, UNBOUNDED if sharp else PRINTED, sharp=sharp)


def _largest(budgets: ArrayLike, sigma: float, constant: float, *, sharp: bool) -> float:
    bounds = errors_lower(budgets, sigma, constant)
    return float(bounds[0 if sharp else 1 :].max())
