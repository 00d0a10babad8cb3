"""The bets that belong to one pair: persistent bets, begun anew as the scores get better.

Bets begin with a pair's first draws, whose quantiles are too rough to keep for ever, and again on
the table of some hundreds. The score of a vector gets better for longer, so persistent bets on one
begin several times, each time on the score of then. The shares of the wealth are fixed in advance,
and what has not begun is not staked (ENG-T3: mixtures and restarts of e-processes are e-processes).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.bet_growth import mixture, z_score
from audit.engine.experts.persistent import PersistentBets
from audit.engine.partitions import Partition
from audit.levels.supporting_lines import LineGrid

__all__ = ["STARTS", "STARTS_ON_SCORES", "OwnBets", "Starts", "signal"]

Array = NDArray[np.float64]

Starts = dict[int, float]
"""Draws of each arm from which on the next persistent bets begin, and their shares."""

STARTS: Starts = {0: 0.15, 200: 0.85}
"""On the table of a single value."""

STARTS_ON_SCORES: Starts = {0: 0.05, 200: 0.2, 800: 0.25, 6_400: 0.25, 50_000: 0.25}
"""On the score of a vector, and on the table that stands for it at first."""


def signal(by_half: Array, ordered: int, grid: LineGrid) -> float:
    """Largest gap of a tail against the claim, in standard errors.

    Cells without an order are ordered by one half's ratios, and the other half is counted.

    Parameters
    ----------
    by_half : ndarray, shape (2, 2, K)
        Counts by half, arm and cell.
    ordered : int
        How many leading cells are in order.
    grid : LineGrid
        Whose claim it is.
    """
    counts = by_half.sum(axis=0)
    if not ordered:
        first, counts = by_half
        counts = counts[:, np.argsort((first[1] + 0.5) / (first[0] + 0.5), kind="stable")]
    n = float(counts[0].sum())
    below = (np.cumsum(counts, axis=1)[:, :-1, None] + 0.5) / (n + 1)
    tails = [below, 1 - below[::-1]] + ([below[::-1], 1 - below] if ordered else [])
    s, t = grid.slopes[:, grid.claimed], grid.offsets[:, grid.claimed]
    return float(np.max([z_score(p, q, np.array(n), s, t) for p, q in tails]))


@final
@dataclass(slots=True)
class OwnBets:
    """Persistent bets of one pair.

    Attributes
    ----------
    grid : LineGrid
        The nested claims about the pair.
    starts : dict of int to float
        When bets begin, ascending, and their shares, whose sum is 1.
    partitions : list of Partition
        What each of those that began is on.
    begun : list of PersistentBets
        They themselves.
    made_from : list of ndarray
        The hits that their next stakes go by.
    made_at : list of float
        Draws of each arm from which factors were made at all points.
    kept : bool
        Whether their factors are kept until they change; of many pairs they would fill the memory.
    factors : list of (ndarray, ndarray)
        Their factors on the next batch, where they have been asked for.
    stale : bool
        Whether these are of an earlier one.
    """

    grid: LineGrid
    starts: Starts
    partitions: list[Partition] = field(default_factory=list)
    begun: list[PersistentBets] = field(default_factory=list)
    made_from: list[Array] = field(default_factory=list)
    made_at: list[float] = field(default_factory=list)
    kept: bool = True
    factors: list[tuple[Array, Array]] = field(default_factory=list)
    stale: bool = True

    def due(self, draws: int) -> bool:
        """Whether the next bets begin now."""
        done = len(self.begun)
        return done < len(self.starts) and draws >= list(self.starts)[done]

    def begin(self, partition: Partition, counts: Array) -> None:
        """Begin on a partition, whose counts of the past have shape (2, K)."""
        self.partitions.append(partition)
        self.begun.append(PersistentBets.start(counts, partition.ordered, self.grid))

    def make(self) -> None:
        """Make the bets on the next batches from the past."""
        self.made_from = [bets.totals for bets in self.begun]
        self.stale = True

    def log_e(self, counts: list[Array]) -> list[Array]:
        """Logarithms of the batch's e-values; counts of shape (2, K) by partition."""
        if self.stale:
            self._make_factors()
        return [
            bets.log_e(factor, own)
            for bets, factor, own in zip(self.begun, self.factors, counts, strict=True)
        ]

    def _make_factors(self) -> None:
        """Make the factors at the claim anew, and at other points where the draws have doubled."""
        for place, (bets, hits) in enumerate(zip(self.begun, self.made_from, strict=True)):
            draws = float(hits[0, 0].sum())
            if place == len(self.factors):
                self.factors.append(bets.log_factors(hits))
                self.made_at.append(draws)
            elif draws >= 2 * self.made_at[place]:
                bets.log_factors(hits, out=self.factors[place])
                self.made_at[place] = draws
            else:
                bets.renew(self.factors[place], hits)
        self.stale = False

    def settle(self, counts: list[Array], log_e: list[Array]) -> None:
        """Book a whole batch."""
        for bets, own, value in zip(self.begun, counts, log_e, strict=True):
            bets.settle(own, value)
        if not self.kept:
            self.factors, self.made_at, self.stale = [], [], True

    def log_sum(self, log_e: list[Array] | None = None) -> Array:
        """Logarithm of the wealth of all, shape (G,); with a look, times its e-values."""
        looks: Sequence[Array | None] = log_e or [None] * len(self.begun)
        wealth = [bets.log_sum(look) for bets, look in zip(self.begun, looks, strict=True)]
        shares = list(self.starts.values())
        begun, waiting = shares[: len(wealth)], shares[len(wealth) :]
        if waiting:  # not staked
            wealth.append(np.zeros(self.grid.points))
            begun.append(sum(waiting))
        return mixture(np.stack(wealth), np.array(begun))
