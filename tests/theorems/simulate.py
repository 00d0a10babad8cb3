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

from audit.engine.bet_growth import log_e_value, mixture
from audit.engine.experts.persistent import EFFECTS, VARIANTS, PersistentBets
from audit.levels.nesting import Axis
from audit.levels.supporting_lines import LineGrid

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


def learned_bets(past: Array, now: Array) -> Array:
    """Log e-values of a batch by the product's bets on fixed events, made from counts of the past.

    Parameters
    ----------
    past, now : ndarray of float, shape (2, runs, 3)
        Hits by arm of an event, of a disjoint one, and of neither.

    Returns
    -------
    ndarray of float, shape (variants * accounts, runs)
        One e-value for each account.
    """
    runs = past.shape[1]
    claim = LineGrid(np.full((1, 1), SLOPE), np.zeros((1, 1)), (Axis("epsilon", np.ones(1)),), 0)
    # each run is one bet of a pair, with counts of its own
    unused = np.zeros((runs, 2, 1), dtype=bool)
    bets = PersistentBets(claim, unused, past, np.zeros((len(VARIANTS), EFFECTS.size, runs, 1)))
    factors = bets.log_factors()
    values = sum(np.einsum("ec,cvaeg->vaeg", now[arm], factors[arm]) for arm in (0, 1))
    return np.asarray(values).reshape(-1, runs)


def mean_wealth(log_values: Array) -> Array:
    """Logarithm of the mean of the accounts' wealths."""
    return mixture(log_values, np.full(len(log_values), 1 / len(log_values)))
