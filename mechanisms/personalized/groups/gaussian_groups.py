"""Errors of the mean of unknown users on Gaussian records (PDP-T13u, Theorem 13 with constants).

With d_i users in group i of budget left_i, J groups and offsets a_i = (2 / left_i) ln(2 J / beta)
each count lies between d_i - 2 a_i - 1 and d_i, but for a chance of beta / 2 of all together. Then
no place is a placeholder, the records of the samples are independent, and Algorithm 7 with beta / 2
errs as `mechanisms.personalized.range.gaussian_mean` says, whatever the counts are in this box:

    sum w_i^2 <= V,  max w_i <= V,  V = B / A^2 at the smallest counts, as it falls with each count,
    A >= sum c_i min(e_i, t),  c the smallest counts, t the threshold at the largest ones,

with e_i = left_i / 4; and the range is no worse than with the smallest counts, at the worst level
tau = e_i that some counts of the box may choose: the best one maximizes tau sum c_i p_i(tau).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.personalized.public_tau import SHARES, STAGES
from mechanisms.personalized.range.gaussian_mean import (
    Weights,
    error_bound,
    event_share,
)
from mechanisms.personalized.range.gaussian_range import RangeStage, Reach, reach, survival
from mechanisms.personalized.saturation import Saturation, saturate

__all__ = ["count_box", "group_error"]

MARGIN = 1e-9
"""Relative: levels so close to the best one may be chosen by rounding."""

Counts = NDArray[np.int64]


def count_box(
    sizes: Sequence[int], ends: Sequence[Fraction], beta: Fraction
) -> tuple[Counts, Counts]:
    """Return the least and the largest counts, shape (J,), but for a chance of beta / 2.

    `sizes`: users of each group. `ends`: their left ends, each greater than 0. `beta`: failure
    probability of the whole mechanism.
    """
    level = math.log(2 * len(ends) / beta)
    offsets = np.array([2 / float(end) * level for end in ends])
    most = np.array(sizes, dtype=np.int64)
    least = np.floor(most - 2 * offsets * (1 + MARGIN)).astype(np.int64)
    return np.maximum(least, 0), most


def group_error(
    sizes: Sequence[int], ends: Sequence[Fraction], beta: Fraction, mu: float, sigma: float
) -> float | None:
    """Bound the error on records of N(mu, sigma^2) with probability 1 - beta.

    `sizes`, `ends`, `beta`: as in `count_box`. Returns: in the unit of the data; None if nothing is
    known.
    """
    least, most = count_box(sizes, ends, beta)
    if not least.any():
        return None
    spent = np.array([float(end / 4) for end in ends])
    worst = _worst_reach(spent, least, most, beta / 2, mu, sigma)
    if worst is None:
        return None
    few = _saturated(spent, least)
    threshold = _saturated(spent, most).threshold
    total = float(least @ np.minimum(spent, threshold))
    bound = few.squares / few.total**2
    return sigma * error_bound(
        Weights(bound, bound, 1 / total), worst, float(event_share(beta / 2))
    )


def _saturated(spent: NDArray[np.float64], counts: Counts) -> Saturation:
    return saturate(np.repeat(spent, counts))


def _worst_reach(
    spent: NDArray[np.float64], least: Counts, most: Counts, beta: Fraction, mu: float, sigma: float
) -> Reach | None:
    """Return the least reach over the levels that may be chosen; None if one tells nothing."""
    kept = np.array([survival(spent, tau) for tau in spent])
    gains = spent * (kept @ least)
    possible = spent * (kept @ most) >= gains.max() * (1 - MARGIN)
    share, radius_share = float(event_share(beta)), float(beta / (SHARES * STAGES))
    found = [
        reach(
            RangeStage(
                int(most.sum()), float(kept[k] @ least), float(spent[k]), radius_share, share
            ),
            mu,
            sigma,
        )
        for k in np.flatnonzero(possible)
    ]
    if any(one is None for one in found):
        return None
    return min((one for one in found if one is not None), key=lambda one: one.inside)
