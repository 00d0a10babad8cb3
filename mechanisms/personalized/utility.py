"""What is promised of the errors of weighted means of PDP.

A weighted mean S + Lap(s) of records in the public interval has, with b = S - truth on a data set,

    bias b,    mean square b^2 + 2 s^2,    mean size |b| + s e^(-|b| / s),

and on independent records of variance v the mean square b^2 + v sum w_i^2 + 2 s^2.Nothing
is promised of records out of the bounds.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Source
from mechanisms.utility_claims import Quantity, RecordLaw, Truth, UtilityClaim

__all__ = ["ZETA", "law_claims", "mean_claims"]

Claims = tuple[UtilityClaim, ...]
Array = NDArray[np.float64]

ZETA = Fraction(1, 20)
"""Chance of a miss that medians and sparse vectors are held to."""


def mean_claims(moved: float, scale: float, item: str, truth: Truth | None = None) -> Claims:
    """Promises of S + Lap(scale) on one data set: bias, exact mean square and mean size.

    `moved`: S less the truth, in the unit of the data. `scale`: of the noise; without noise nothing
    is promised. `item`: number in PDP. `truth`: what is estimated; None for the mean.
    """
    if not scale:
        return ()
    source, bias = Source("PDP", item), abs(moved)
    square = bias**2 + 2 * scale**2
    fourth = bias**4 + 12 * bias**2 * scale**2 + 24 * scale**4
    size = bias + scale * math.exp(-bias / scale)
    return (
        UtilityClaim(Quantity.BIAS, bias, source, truth=truth, symmetric=bias == 0),
        UtilityClaim(Quantity.MSE, square, source, exactly=True, truth=truth, square=fourth),
        UtilityClaim(Quantity.MAE, size, source, exactly=True, truth=truth, square=square),
    )


def law_claims(
    law: RecordLaw,
    weights: Array,
    scale: float,
    item: str,
    *,
    low: Fraction,
    high: Fraction,
    words: str = "",
) -> Claims:
    """Promises for independent records of a law in the bounds: no bias, exact mean square.

    `law`: of each record. `weights`, shape (n,): of the records. `scale`, `item`: as in
    `mean_claims`. `low`, `high`: public bounds; of a law that leaves them nothing is promised.
    `words`: what the sum of the weights times the mean is; none for the mean.
    """
    ends = float(low), float(high)
    beyond = law.expectation(lambda x: max(ends[0] - x, x - ends[1], 0.0), ends)
    if not scale or beyond > 0:
        return ()
    squares = weights**2
    spread = law.variance * math.fsum(squares)
    pairs = 3 * (spread**2 - law.variance**2 * math.fsum(squares**2))
    fourth = law.central_moment(4) * math.fsum(squares**2) + pairs
    source, noise = Source("PDP", item), 2 * scale**2
    truth = Truth(law.mean * math.fsum(weights), words) if words else None
    return (
        UtilityClaim(Quantity.BIAS, 0, source, truth=truth, symmetric=law.symmetric),
        UtilityClaim(
            Quantity.MSE,
            spread + noise,
            source,
            exactly=True,
            truth=truth,
            square=fourth + 6 * spread * noise + 24 * scale**4,
        ),
    )
