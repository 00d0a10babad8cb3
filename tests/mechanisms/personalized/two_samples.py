"""Two samples against each other, with stated error rates and stated power (DKW inequality).

With n = 8 ln(4 / alpha) / d^2 draws of each, both empirical cdfs lie within d / 4 of their laws
with probability 1 - alpha. Then samples of one law are less than d / 2 apart, and samples of laws
at sup-cdf distance d more than d / 2.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tests.calibrated import ALPHA

Draws = NDArray[np.float64]


def draws_of_each(distance: float, alpha: float = ALPHA) -> int:
    """Draws of either sample that separate laws at this distance."""
    return math.ceil(8 * math.log(4 / alpha) / distance**2)


def assert_alike(one: Draws, other: Draws, distance: float) -> None:
    """Fail unless the samples are as near as two of one law are."""
    assert (apart := _apart(one, other, distance)) < distance / 2, apart


def assert_not_alike(one: Draws, other: Draws, distance: float) -> None:
    """Fail unless the samples are as far apart as those of laws at this distance."""
    assert (apart := _apart(one, other, distance)) > distance / 2, apart


def _apart(one: Draws, other: Draws, distance: float) -> float:
    """Sup distance of the empirical cdfs."""
    assert min(one.size, other.size) >= draws_of_each(distance), "too few draws"
    places = np.concatenate([one, other])
    cdfs = [
        np.searchsorted(np.sort(sample), places, side="right") / sample.size
        for sample in (one, other)
    ]
    return float(np.abs(cdfs[0] - cdfs[1]).max())
