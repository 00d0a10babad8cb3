"""How much likelier each cell is on one arm than on the other: shrunken by empirical Bayes.

Of many cells (or events) the one whose frequencies look best is mostly one that was lucky. Here the
cells' shares r = P(arm 0 | cell), at equal draws, are taken as draws from an unknown distribution,
which is estimated from all cells of the partition by maximum likelihood on a grid (Kiefer and
Wolfowitz 1956, by the EM algorithm); each cell's posterior mean is then no better than cells as
rare as it mostly are. Nothing rests on the model but the choice of an event.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["posterior_shares"]

Array = NDArray[np.float64]

STEPS = 100
GRID = 61
FREQUENT = 100
"""Draws of a cell whose ratio spans the even part of the grid."""
LARGEST_LOG_ODDS = 15.0


def posterior_shares(counts: Array) -> Array:
    """Posterior mean of the share of arm 0 among a cell's draws.

    Parameters
    ----------
    counts : ndarray of float, shape (2, K)
        Draws by arm and cell, equally many of both arms.

    Returns
    -------
    ndarray of float, shape (K,)
        1/2 for cells without draws.
    """
    shares = np.full(counts.shape[1], 0.5)
    used = counts.sum(axis=0) > 0
    hits, other = counts[:, used]
    grid = _grid(hits, other)
    log_one, log_other = -np.logaddexp(0, -grid), -np.logaddexp(0, grid)
    log_likelihood = hits[:, None] * log_one + other[:, None] * log_other
    likelihood = np.exp(log_likelihood - log_likelihood.max(axis=1, keepdims=True))
    weights = np.full(grid.size, 1 / grid.size)
    for _ in range(STEPS):
        posterior = likelihood * weights
        posterior /= posterior.sum(axis=1, keepdims=True)
        weights = posterior.mean(axis=0)
    shares[used] = posterior @ np.exp(log_one)
    return shares


def _grid(hits: Array, other: Array) -> Array:
    """Log odds: those of the cells, evenly over the frequent ones, and nearly certain ones."""
    log_odds = np.log((hits + 0.5) / (other + 0.5))
    frequent = log_odds[hits + other >= FREQUENT]
    even = np.linspace(frequent.min(), frequent.max(), GRID) if frequent.size else np.zeros(1)
    own = np.quantile(log_odds, np.linspace(0, 1, GRID))
    return np.unique(np.concatenate([own, even, [-LARGEST_LOG_ODDS, 0.0, LARGEST_LOG_ODDS]]))
