"""The two experts that share the wealth: bets on the best events, and persistent bets.

Half of the wealth is staked on the three best events of the past (weights .7, .2, .1); the other
half is spread evenly, once and for all, over fixed events (quantile thresholds) of every pair.
Mixtures of e-processes are e-processes (ENGINE T3), so no correction is needed for either.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.betting import (
    GAP_WEIGHTS,
    SHRINK,
    gap_bets,
    log_e_value,
    mixture,
    z_score,
)
from audit.engine.candidates import Candidates
from audit.engine.lines import Grid

__all__ = ["AdaptiveBet", "PersistentBets", "noise_level"]

Array = NDArray[np.float64]

STAKES = np.array([0.7, 0.2, 0.1])
THRESHOLDS = 14


def noise_level(pairs: int) -> float:
    """About the largest of so many standard normal z-scores: what chance alone brings.

    The wealth that is carried from pair to pair would be lost on the noise of many pairs one after
    the other, so a pair below this level is looked at but not bet on.
    """
    return math.sqrt(2 * math.log(pairs))


@final
@dataclass(frozen=True, slots=True)
class AdaptiveBet:
    """Bets on the best events, for every point of the grid; made before the batch is drawn.

    Parameters
    ----------
    candidates : Candidates
        The events.
    chosen : ndarray of int, shape (3, G)
        Best events for each point.
    active : ndarray of bool, shape (3, G)
        False where the estimated gap is below `SHRINK` standard errors, or the pair's largest
        below the noise of all pairs: nothing is staked.
    q0, mu : ndarray of float, shapes (3, G), (9, 3, G)
        Bets.
    claimed_z : float
        Largest z at the claim: what the choice of the pair goes by.
    """

    candidates: Candidates
    chosen: NDArray[np.intp]
    active: NDArray[np.bool_]
    q0: Array
    mu: Array
    claimed_z: float

    @classmethod
    def make(cls, candidates: Candidates, grid: Grid, *, least_z: float = 0.0) -> AdaptiveBet:
        """Choose events and bets from the past; none where the largest z is below `least_z`."""
        s, t = grid.slopes, grid.offsets
        z = z_score(candidates.p, candidates.q, candidates.n, s, t)
        places = min(STAKES.size, len(z))
        best = np.argpartition(-z, places - 1, axis=0)[:places]
        z_best = np.take_along_axis(z, best, axis=0)
        by_rank = np.argsort(-z_best, axis=0)
        chosen = np.take_along_axis(best, by_rank, axis=0)
        z_chosen = np.take_along_axis(z_best, by_rank, axis=0)
        p, q, n = (a[chosen, 0] for a in (candidates.p, candidates.q, candidates.n))
        q0, mu = gap_bets(p, q, n, s, t)
        return cls(
            candidates,
            chosen,
            (z_chosen > SHRINK) & (z_chosen[0] > least_z),
            q0,
            mu,
            float(z_chosen[0, grid.claimed]),
        )

    def log_e(self, counts: Sequence[Array], size: int, grid: Grid) -> Array:
        """Logarithm of the batch's e-value, shape (G,)."""
        hits, other_hits = (h[self.chosen] for h in self.candidates.hits(counts))
        values = log_e_value(hits, other_hits, size, self.q0, self.mu, grid.slopes, grid.offsets)
        by_event = np.where(self.active, mixture(values, GAP_WEIGHTS), 0.0)
        stakes = STAKES[: len(by_event)] / STAKES[: len(by_event)].sum()
        return mixture(by_event, stakes)


@final
@dataclass(slots=True)
class PersistentBets:
    """Fixed events of one pair, each with its own wealth.

    Parameters
    ----------
    events : ndarray of bool, shape (T, K)
        Sets of cells of the pair's first table or score: thresholds, both ways.
    totals : ndarray of float, shape (2, T)
        Hits of the past by arm.
    draws : int
        Draws of each arm in the past.
    log_wealth : ndarray of float, shape (2, T, G)
        By direction, event and point of the grid.
    """

    events: NDArray[np.bool_]
    totals: Array
    draws: int
    log_wealth: Array = field(repr=False)

    @classmethod
    def start(cls, counts: Array, ordered: int, draws: int, grid: Grid) -> PersistentBets:
        """Fix the events from the first counts, shape (2, K)."""
        mass = np.cumsum(counts.sum(axis=0)[:ordered]) / (2 * draws)
        levels = (np.arange(THRESHOLDS) + 0.5) / THRESHOLDS
        cuts = np.unique(np.searchsorted(mass, levels))
        below = np.arange(counts.shape[1]) <= cuts[:, None]
        numbers = np.arange(counts.shape[1]) < ordered
        events = np.concatenate([below & numbers, ~below & numbers])
        events = events[events.any(axis=1)]
        shape = (2, len(events), grid.slopes.size)
        return cls(events, counts @ events.T, draws, np.zeros(shape))

    def log_e(self, counts: Array, size: int, grid: Grid) -> Array:
        """Logarithms of the batch's e-values of all events, shape (2, T, G)."""
        p, q = (((self.totals + 0.5) / (self.draws + 1))[arm] for arm in (0, 1))
        likelier = np.stack([p, q])[:, :, None]
        other = np.stack([q, p])[:, :, None]
        s, t = grid.slopes, grid.offsets
        q0, mu = gap_bets(likelier, other, np.array(float(self.draws)), s, t)
        hits = counts @ self.events.T
        values = log_e_value(hits[:, :, None], hits[::-1, :, None], size, q0, mu, s, t)
        return mixture(values, GAP_WEIGHTS)

    def settle(self, counts: Array, size: int, log_e: Array) -> None:
        """Book a whole batch."""
        self.log_wealth += log_e
        self.totals = self.totals + counts @ self.events.T
        self.draws += size

    def log_mean(self, log_e: Array | None = None) -> Array:
        """Logarithm of the mean wealth over the events, shape (G,); with a look, times its e."""
        wealth = self.log_wealth if log_e is None else self.log_wealth + log_e
        flat = wealth.reshape(-1, wealth.shape[-1])
        return mixture(flat, np.full(len(flat), 1 / len(flat)))
