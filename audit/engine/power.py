"""The power statement `detectable`: which violations a run that found nothing would have found.

For an event of probability delta + `mass` on one side and `mass` e^-epsilon on the other, the
growth-optimal bet against the claim refutes it after n draws of each arm with a probability that
is a sum over binomial counts, computed here exactly. The engine has to learn event and bet, so n
is divided by the measured inefficiency of the default configuration first.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from audit.engine.betting import CLIP, boundary_point
from audit.engine.run import FIRST_DRAWS
from audit.verdict import Detectable

__all__ = ["INEFFICIENCY", "LEARNING_DRAWS", "detectable", "oracle_power"]

MASSES = (0.5, 0.1, 0.01, 1e-3, 1e-4)
POWER = 0.9
LARGEST_EPSILON = 30.0
INEFFICIENCY = {0.5: 2.6, 0.1: 2.6, 0.01: 2.6, 1e-3: 4.5, 1e-4: 4.5}
"""Draws of the default configuration over the oracle's, by mass (benchmarks/inefficiency.py)."""
LEARNING_DRAWS = FIRST_DRAWS
"""Draws of each arm before the first bet: nothing is found by them."""
_SPAN = 9.0


def oracle_power(
    mass: float, epsilon: float, draws: int, *, claim: tuple[float, float], false_alarm: float
) -> float:
    """Probability that the oracle's bet on the event refutes the claim within `draws` draws.

    Parameters
    ----------
    mass : float
        Probability of the event on the likelier side beyond the claimed delta.
    epsilon : float
        True loss on the event: the other side has probability mass e^-epsilon.
    draws : int
        Draws of each arm, all spent on one bet.
    claim : (float, float)
        Claimed epsilon and delta.
    false_alarm : float
        Level of the test.
    """
    from scipy.stats import binom

    s, t = math.exp(claim[0]), claim[1]
    p, q = min(1.0, t + mass), min(mass, 1 - t) * math.exp(-epsilon)
    if draws < 1 or p <= s * q + t or p >= 1:
        return 0.0
    q0 = float(boundary_point(*(np.array([x]) for x in (p, q, s, t)))[0])
    p0 = s * q0 + t
    mu = min((p - p0) / (p0 * (1 - p0)), CLIP / p0, CLIP / (s * (1 - q0)))
    if not mu > 0:
        return 0.0
    per_hit = math.log1p(mu * (1 - p0)) - math.log1p(-mu * p0)
    per_other = math.log1p(-s * mu * (1 - q0)) - math.log1p(s * mu * q0)
    none = draws * (math.log1p(-mu * p0) + math.log1p(s * mu * q0))
    spread = _SPAN * math.sqrt(draws * p * (1 - p)) + _SPAN**2
    hits = np.arange(max(0, int(draws * p - spread)), min(draws, int(draws * p + spread)) + 1)
    most = np.floor((none + hits * per_hit - math.log(1 / false_alarm)) / -per_other)
    return float((binom.pmf(hits, draws, p) * _cdf(most, draws, q)).sum())


def _cdf(most: NDArray[np.float64], draws: int, q: float) -> NDArray[np.float64]:
    """P(Binomial(draws, q) <= most): sums of probabilities, quicker than one by one."""
    from scipy.stats import binom

    spread = _SPAN * math.sqrt(draws * q * (1 - q)) + _SPAN**2
    low, high = max(-1, int(draws * q - spread)), min(draws, int(draws * q + spread))
    below = np.cumsum(
        np.append(binom.cdf(low, draws, q), binom.pmf(np.arange(low + 1, high + 1), draws, q))
    )
    return below[np.clip(most, low, high).astype(np.intp) - low]


def detectable(
    draws: int,
    pairs: int,
    *,
    claim: tuple[float, float],
    false_alarm: float,
    resolution: float | None,
) -> Detectable:
    """Compute the power statement for `draws` draws of each arm on the least-sampled pair."""
    limit = claim[0] + (max(0.5, claim[0] / 2) if resolution is None else resolution)
    epsilons = tuple(
        _smallest_epsilon(
            mass, int((draws - LEARNING_DRAWS) / INEFFICIENCY[mass]), claim, false_alarm
        )
        for mass in MASSES
    )
    return Detectable(MASSES, epsilons, draws, pairs, limit)


def _smallest_epsilon(
    mass: float, draws: int, claim: tuple[float, float], false_alarm: float
) -> float:
    """Smallest epsilon found with the wanted power, to 0.1 %; infinite where none is."""

    def found(epsilon: float) -> bool:
        power = oracle_power(mass, epsilon, draws, claim=claim, false_alarm=false_alarm)
        return power >= POWER

    lower, upper = claim[0], claim[0] + LARGEST_EPSILON
    if not found(upper):
        return math.inf
    while upper - lower > 1e-3 * max(1.0, lower):
        middle = 0.5 * (lower + upper)
        lower, upper = (lower, middle) if found(middle) else (middle, upper)
    return upper
