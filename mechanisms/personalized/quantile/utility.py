"""What is promised of a private median of PDP: how rarely it is far from the middle in rank.

A median of m records on a grid of N points loses less than (2 / epsilon) ln(N / zeta), but for a
chance of zeta: a half of PDP-L7, whose other half pays for the rank that it moves. So with r the
loss, and survivors with probabilities p_i of variance V = sum p_i (1 - p_i), the release lies
between records y with, over the records up to y and those beyond it,

    sum p_i - sum p_i >= 2 r + L / 3 + sqrt(L^2 / 9 + 2 V L),    L = ln(4 / zeta),

and likewise from the other side (Bernstein, PDP-T7), where r has zeta / 2.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Source
from mechanisms.personalized.quantile.point_grid import PointGrid
from mechanisms.personalized.utility import ZETA
from mechanisms.utility_claims import Quantity, Truth, UtilityClaim

__all__ = ["median_claim"]

Claims = tuple[UtilityClaim, ...]
Array = NDArray[np.float64]


def median_claim(
    places: Array, chances: Array, grid: PointGrid, epsilon: float, item: str
) -> Claims:
    """Chance of a median farther in rank from the middle of the survivors than promised.

    `places`, shape (m,): of the records on the grid, m at least 1. `chances`, shape (m,): with
    which probability each survives. `grid`: where the release lies. `epsilon`: what the median
    spends on the survivors. `item`: number in PDP. Returns: None where the whole grid is as near as
    promised.
    """
    order = np.argsort(places)
    ordered, kept = places[order], chances[order]
    spread = math.fsum(kept * (1 - kept))
    share = ZETA / 2 if spread else ZETA
    need = 4 / epsilon * math.log((grid.last + 1) / share) + _deviation(spread)
    up, down = np.cumsum(kept), np.cumsum(kept[::-1])
    uppers, lowers = ordered[2 * up - up[-1] >= need], ordered[::-1][2 * down - down[-1] >= need]
    if not uppers.size and not lowers.size:
        return ()
    middle = ordered[np.argmax(up >= up[-1] / 2)]
    ends = [lowers[0] if lowers.size else 0.0, uppers[0] if uppers.size else float(grid.last)]
    low, high, own = map(float, grid.points(np.array([*ends, middle])))
    truth = Truth(own, "median of the survivors, rounded to the grid")
    return (
        UtilityClaim(Quantity.MISS, ZETA, Source("PDP", item), truth=truth, interval=(low, high)),
    )


def _deviation(spread: float) -> float:
    """How far a sum of survivors is below its mean with probability at most zeta / 4 (PDP-T7)."""
    need = math.log(4 / ZETA)
    return need / 3 + math.sqrt(need**2 / 9 + 2 * spread * need) if spread else 0.0
