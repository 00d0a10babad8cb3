"""Many runs of a bet at once, on counts, and the exact test of how often they err.

Every experiment is a claim that holds with equality, so that whatever a procedure refutes is a
false alarm. `significantly_above` is an exact binomial test at 1e-9: it passes a procedure of the
stated level with that certainty, and the same statistic must convict the wrong variants.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from audit.engine.betting import GAP_WEIGHTS, gap_bets, log_e_value, mixture

Array = NDArray[np.float64]

ALPHA = 0.05
THRESHOLD = math.log(1 / ALPHA)
SURE = 1e-9
SLOPE = math.e
"""The claim is epsilon = 1, delta = 0."""


def significantly_above(alarms: NDArray[np.bool_], level: float = ALPHA) -> bool:
    """Whether so many alarms have probability below 1e-9 at the stated level."""
    return bool(binom.sf(int(alarms.sum()) - 1, alarms.size, level) < SURE)


def arms(rng: np.random.Generator, size: int, runs: int, *, p: float = 0.6) -> tuple[Array, Array]:
    """Hits of an event on the boundary of the claim in independent arms, shape (runs,) each."""
    hits, other = rng.binomial(size, p, runs), rng.binomial(size, p / SLOPE, runs)
    return hits.astype(np.float64), other.astype(np.float64)


def fixed_bet(hits: Array, other: Array, size: int, *, q0: float, share: float = 0.5) -> Array:
    """Logarithm of the product's e-value of one bet at a share of the largest admissible mu."""
    mu = share * min(1 / (SLOPE * q0), 1 / (SLOPE * (1 - q0)))
    numbers = (np.array(x) for x in (q0, mu, SLOPE, 0.0))
    return log_e_value(hits, other, size, *numbers)


def adaptive_bet(past: tuple[Array, Array, float], now: tuple[Array, Array, int]) -> Array:
    """Logarithm of the product's e-value of a batch, the bet made from the counts of the past."""
    s, t = np.array(SLOPE), np.array(0.0)
    p, q = ((hits + 0.5) / (past[2] + 1) for hits in past[:2])
    q0, mu = gap_bets(p, q, np.array(past[2]), s, t)
    return mixture(log_e_value(*now, q0, mu, s, t), GAP_WEIGHTS)
