"""Saturated budgets: the weights of the private mean under personalized privacy (PDP, Algorithm 3).

For ascending positive budgets let S_k be the sum of the first k, Q_k the sum of their squares plus
8, and R_k = Q_k / S_k. The count k is the least with eps_{k+1} >= R_k, or n; the threshold is
tau = R_k, and the saturated budgets min(eps_i, tau) minimize

    (sum x_i^2 + 8) / (sum x_i)^2    over 0 <= x_i <= eps_i,

four times the worst mean squared error of a weighted mean over an interval of width 1. At the
minimum sum x_i^2 + 8 = tau sum x_i (PDP-E-SAT). The print's recursion with the raw budgets in both
sums gives another vector (erratum PDP-E-30). A zero budget has weight 0 and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = ["NOISE", "ExactSaturation", "Saturation", "saturate", "slow_saturate"]

NOISE = 8
"""The variance 2 / A^2 of the noise, in the unit 1 / (4 A^2) of the objective."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Saturation:
    """Saturated budgets in doubles."""

    count: int
    """Number k of positive budgets that stay as they are; 0 if no budget is positive."""
    threshold: float
    """tau, where the others are cut; 0 if no budget is positive."""
    saturated: NDArray[np.float64]
    """Shape (n,): min(eps_i, tau), in the order of the records."""
    total: float
    """Their sum A."""
    squares: float
    """Sum of their squares plus 8: B, which is A tau."""


@final
@dataclass(frozen=True, slots=True)
class ExactSaturation:
    """Saturated budgets in rationals; the fields are those of `Saturation`."""

    count: int
    threshold: Fraction
    saturated: tuple[Fraction, ...]
    total: Fraction
    squares: Fraction


def saturate(budgets: NDArray[np.float64]) -> Saturation:
    """Saturate budgets by one sort and prefix sums.

    `budgets`, shape (n,): finite and at least 0, in the order of the records.

    References
    ----------
    .. [1] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Algorithm 3 with the smallest k (PDP-E-SAT).
    """
    ordered = np.sort(budgets[budgets > 0])
    if not ordered.size:
        return Saturation(0, 0.0, np.zeros(budgets.size), 0.0, float(NOISE))
    sums = np.cumsum(ordered)
    with np.errstate(over="ignore"):
        ratios = (np.cumsum(ordered * ordered) + NOISE) / sums
    crossed = ordered[1:] >= ratios[:-1]
    count = int(np.argmax(crossed)) + 1 if crossed.any() else ordered.size
    threshold = float(ratios[count - 1])
    saturated = np.minimum(budgets, threshold)
    squares = float(saturated @ saturated) + NOISE
    return Saturation(count, threshold, saturated, float(saturated.sum()), squares)


def slow_saturate(budgets: Sequence[Fraction]) -> ExactSaturation:
    """Saturate budgets in rationals; the fields are those of `saturate`."""
    ordered = sorted(budget for budget in budgets if budget > 0)
    if not ordered:
        zero = Fraction(0)
        return ExactSaturation(0, zero, (zero,) * len(budgets), zero, Fraction(NOISE))
    total, squares, count = ordered[0], ordered[0] ** 2 + NOISE, 1
    for following in ordered[1:]:
        if following * total >= squares:
            break
        total, squares, count = total + following, squares + following**2, count + 1
    threshold = squares / total
    saturated = tuple(min(budget, threshold) for budget in budgets)
    total = sum(saturated, Fraction(0))
    squares = sum((x * x for x in saturated), Fraction(NOISE))
    return ExactSaturation(count, threshold, saturated, total, squares)
