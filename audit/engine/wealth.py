"""The wealth of an audit: several experts' e-processes, mixed (ENG-T3, ENG-T6).

T3. With bets, events, partitions and batch sizes that the past determines, an expert's wealth is a
non-negative supermartingale under the claim, and so is a mean of experts with weights fixed before
the first bet: Ville's inequality bounds the probability that it ever reaches 1/alpha by alpha. A
look at a part of a batch is compared with 1/alpha and changes no wealth; only a whole batch is
multiplied in. (Multiplying half looks in, and then the whole batch again: false alarms .079.)

T6. The claim is about every pair, so one wealth may bet on any pair, the pair chosen by the past:
each batch draws fresh samples for both arms, and its e-value has mean at most 1. Bets that belong
to one pair are averaged over the pairs by their wealth of now; a running maximum is no e-value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.bet_growth import mixture

__all__ = ["Wealth"]

Array = NDArray[np.float64]

NUMERICAL_SLACK = 1e-6

LENT = 0.03
"""Share of the wealth that accounts of learned functions lend each other after each batch. An
account that was too bold while little was known comes back: of 0, .01 and .03 the best in the mean
over rows 26 to 31 of benchmarks/power.py (replayed on 12 recorded runs of each, which chose it)."""


@final
@dataclass(slots=True)
class Wealth:
    """Log-wealth over the grid of nested claims.

    Parameters
    ----------
    shares : ndarray of float, shape (A + 1,)
        Weights of the A accounts of the experts that bet on all pairs, and of the pairs' own bets;
        their sum is 1.
    pairs : int
        Pairs with bets of their own.
    levels : ndarray of float, shape (G,)
        alpha of each point of the grid.
    learned : (int, int)
        The accounts of the bets on learned functions, from the first to before the second. They
        lend to each other.

    Attributes
    ----------
    log_experts : ndarray of float, shape (A, G)
        Wealth of each account; it is carried from pair to pair.
    log_pairs : ndarray of float, shape (pairs, G)
        Wealth of each pair's own bets.
    highest : ndarray of float, shape (G,)
        Largest logarithm of the mixed wealth at any look so far.
    """

    shares: Array
    pairs: int
    levels: Array
    learned: tuple[int, int] = (0, 0)
    log_experts: Array = field(init=False)
    log_pairs: Array = field(init=False)
    highest: Array = field(init=False)

    def __post_init__(self) -> None:
        self.log_experts = np.zeros((self.shares.size - 1, self.levels.size))
        self.log_pairs = np.zeros((self.pairs, self.levels.size))
        self.highest = np.zeros(self.levels.size)

    def needed(self) -> Array:
        """Logarithm of the wealth that rejects each point, 1/alpha, shape (G,)."""
        return np.asarray(np.log(1 / self.levels) + NUMERICAL_SLACK)

    def rejected(self) -> NDArray[np.bool_]:
        """Points of the grid whose wealth has reached 1/alpha."""
        return np.asarray(self.highest >= self.needed())

    def compare(self, pair: int, log_e: Array, log_pair: Array | None) -> Array:
        """Look: the logarithm of what the wealth would be if the batch ended here, shape (G,).

        Parameters
        ----------
        pair : int
            The pair that is bet on.
        log_e : ndarray, shape (A, G)
            The accounts' e-values of the batch so far.
        log_pair : ndarray, shape (G,), or None
            Wealth of the pair's own bets with this look; None for a pair that has none.
        """
        over_pairs = self.log_pairs.copy()
        if log_pair is not None:
            over_pairs[pair] = log_pair
        spread = mixture(over_pairs, np.full(len(over_pairs), 1 / len(over_pairs)))
        mixed = mixture(np.vstack([self.log_experts + log_e, spread]), self.shares)
        self.highest = np.maximum(self.highest, mixed)
        return mixed

    def booked(self) -> Array:
        """Logarithm of the mixed wealth after the last whole batch, shape (G,)."""
        return self._mixed(self.shares)

    def rests_on_learned(self, point: int) -> bool:
        """Whether all but the learned functions have less than the 1/alpha that refutes a point."""
        others = self.shares.copy()
        others[slice(*self.learned)] = 0.0
        enough = np.log(1 / self.levels[point]) + NUMERICAL_SLACK
        return bool(self._mixed(others)[point] < enough)

    def _mixed(self, shares: Array) -> Array:
        spread = mixture(self.log_pairs, np.full(self.pairs, 1 / self.pairs))
        kept = shares > 0  # the wealth of others must not be what is divided by
        return mixture(np.vstack([self.log_experts, spread])[kept], shares[kept])

    def settle(self, pair: int, log_e: Array, log_pair: Array | None) -> None:
        """Book a whole batch; then the accounts of learned functions lend to each other.

        Each gives the same share of its wealth, and they get it back by their weights: the mixed
        wealth stays what it was, and the weights of the next batch are known before it (T3).
        """
        self.log_experts = self.log_experts + log_e
        accounts = slice(*self.learned)
        weights = self.shares[accounts]
        if weights.sum() > 0:
            own = self.log_experts[accounts]
            lent = mixture(own, weights / weights.sum()) + np.log(LENT)
            self.log_experts[accounts] = np.logaddexp(own + np.log1p(-LENT), lent)
        if log_pair is not None:
            self.log_pairs[pair] = log_pair
