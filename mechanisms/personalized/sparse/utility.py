"""What is promised of the index of a sparse vector (PDP-L6): of the radius and of the width.

Let Q_1 <= Q_2 <= ... be queries and theta the threshold. But for a chance of beta the index i that
fires is at most k, and Q_i >= theta - (6 / epsilon) ln(2 k / beta), if

    Q_k >= theta + (6 / epsilon) ln(2 / beta),

and it is more than k if Q_k <= theta - (8 / epsilon) ln(4 k / beta). For the radius the queries are
known. Those of the width count the pairs of a random matching that differ by at most t. With e
pairs of records so near, of which d are disjoint (in order), and m records, m odd, the count has

    mean e / m,    mean square e / m + d / (m (m - 2)),

with m - 1 in place of m if m is even, so that Cantelli bounds it on either side. Both scans and
both sides have a chance of zeta / 4 to fail.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import Source
from mechanisms.personalized.sparse.sparse_vector import CAP
from mechanisms.personalized.utility import ZETA
from mechanisms.utility_claims import Quantity, Truth, UtilityClaim

__all__ = ["matched_within", "radius_claim", "width_claim"]

Claims = tuple[UtilityClaim, ...]
Array = NDArray[np.float64]

FEWEST = 4
"""Records of which two pairs can be made."""


def radius_claim(outside: Array, unit: float, epsilon: float, beta: Fraction) -> Claims:
    """Chance of a radius that leaves out too many records, or is too large.

    `outside`, shape (64,): how many records are farther from 0 than the unit, twice the unit, ...
    `unit`: the smallest radius. `epsilon`: privacy parameter of the stage. `beta`: its failure
    probability. Returns: None if no radius covers all records.
    """
    covers = np.flatnonzero(outside == 0)
    if not covers.size:
        return ()
    k = int(covers[0]) + 1
    most = 6 / epsilon * (math.log(2 / beta) + math.log(2 * k / beta))
    least = int(np.argmax(outside <= most))
    low, high = math.ldexp(unit, least), math.ldexp(unit, k - 1)
    truth = Truth(high, "least radius that covers all records")
    source = Source("PDP", "Lemma 6 with Algorithm 5, repaired")
    return (UtilityClaim(Quantity.MISS, beta, source, truth=truth, interval=(low, high)),)


def width_claim(values: Array, epsilon: float) -> Claims:
    """Chance of a width that is far from the median difference of two records.

    `values`, shape (m,): records, finite. `epsilon`: of both scans together. Returns: None if there
    are too few records to exclude any width.
    """
    if values.size < FEWEST:
        return ()
    ordered, half = np.sort(values), (values.size // 2) / 2
    chance = float(ZETA / 4)
    moments = {o: matched_within(ordered, 2.0**o) for o in range(1 - CAP, CAP)}
    off = {o: math.sqrt(v * (1 / chance - 1)) for o, (_, v) in moments.items()}
    least = {o: float(mean) - off[o] - half for o, (mean, _) in moments.items()}
    most = {o: float(mean) + off[o] - half for o, (mean, _) in moments.items()}
    rise = 12 / epsilon * math.log(2 / chance)
    falls = [(k, 16 / epsilon * math.log(4 * k / chance)) for k in range(1, CAP + 1)]
    low, high = _lowest(most, rise, falls), _highest(least, rise, falls)
    if low is None and high is None:
        return ()
    ends = (-CAP - 1 if low is None else low, CAP - 2 if high is None else high)
    at = min((o for o, (mean, _) in moments.items() if mean >= half), default=CAP)
    truth = Truth(2.0 ** (at - 2), "quarter of the power of 2 at the median difference")
    source = Source("PDP", "Lemma 6 with Algorithm 4, repaired")
    interval = (2.0 ** ends[0], 2.0 ** ends[1])
    return (UtilityClaim(Quantity.MISS, ZETA, source, truth=truth, interval=interval),)


def _highest(least: dict[int, float], rise: float, falls: list[tuple[int, float]]) -> int | None:
    """Exponent of the largest width: the scan upwards ends, or at once, and the other one goes on.

    What lets the other go on also ends the first, so that it is one event.
    """
    ends = [o for o in range(CAP) if least[o] >= rise]
    if not ends:
        return None
    if ends[0] > 0:
        return ends[0] - 2
    return -1 - max((k for k, fall in falls if least[1 - k] >= fall), default=0)


def _lowest(most: dict[int, float], rise: float, falls: list[tuple[int, float]]) -> int | None:
    """Exponent of the smallest width: the scan upwards goes on, or the other one ends."""
    going = [k for k, fall in falls if most[k - 1] <= -fall]
    if going:
        return going[-1] - 2
    return max((-k for k, _ in falls if most[1 - k] <= -rise), default=None)


def matched_within(ordered: Array, distance: float) -> tuple[Fraction, Fraction]:
    """Mean and variance of the number of pairs of a random matching that are so near.

    `ordered`, shape (m,): records, ascending, m at least 4. `distance`: in the unit of the records.
    """
    m = ordered.size
    last = _last_within(ordered, distance)
    place = np.arange(m)
    right = last - place
    left = place - np.searchsorted(last, place)
    near = int(right.sum())
    degrees = left + right
    disjoint = near * (near - 1) - int((degrees * (degrees - 1)).sum())
    odd = m - 1 + m % 2
    mean = Fraction(near, odd)
    return mean, mean + Fraction(disjoint, odd * (odd - 2)) - mean**2


def _last_within(ordered: Array, distance: float) -> NDArray[np.int64]:
    """Place of the last record x' with x' - x <= distance, rounded as the sampler rounds it."""
    low = np.arange(ordered.size)
    high = np.full(ordered.size, ordered.size)
    with np.errstate(over="ignore"):
        while np.any(high - low > 1):
            middle = (low + high) // 2
            near = ordered[middle] - ordered <= distance
            low, high = np.where(near, middle, low), np.where(near, high, middle)
    return low
