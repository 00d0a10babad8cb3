"""Bets on what only one arm has ever shown (ENGINE T1).

The event is the set of cells that the other arm never met and that this one met twice or more.
Where the other arm's probability is really 0, a bet on it costs nothing until it is hit, and each
hit multiplies the wealth by almost 1 + 1/s: a few hits of a rare event decide, long before its gap
stands out from its standard error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.betting import log_e_value, mixture
from audit.engine.lines import LineGrid

__all__ = ["UnseenBets"]

Array = NDArray[np.float64]

FEWEST_HITS = 2
STAKE = 0.9
"""Share of the largest admissible mu: a hit on the other arm leaves a tenth."""
LARGEST_SHARE = 0.25
"""A larger event needs no such bet, its gap stands out at once."""


@final
@dataclass(frozen=True, slots=True)
class UnseenBets:
    """One bet for each direction, both on one partition each; made before the batch is drawn.

    Parameters
    ----------
    partition : tuple of (int, int)
        Of each direction; -1 for no bet.
    cells : tuple of ndarray of bool, shape (K,)
        Of each direction.
    q0, mu : ndarray of float, shape (2, G)
        Bets.
    grid : LineGrid
        The claims; each point's first line is bet against.
    """

    partition: tuple[int, int]
    cells: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    mu: Array
    grid: LineGrid

    @classmethod
    def make(cls, counts: Sequence[Array], grid: LineGrid) -> UnseenBets:
        """Choose the events from the past, counts of shape (2, 2, K) a partition."""
        chosen, cells, mu = [], [], np.zeros((2, grid.points))
        for direction in (0, 1):
            most, where, event = 0.0, -1, np.zeros(0, dtype=bool)
            draws = 1.0
            for index, by_half in enumerate(counts):
                likelier, other = by_half.sum(axis=0)[[direction, 1 - direction]]
                found = (other == 0) & (likelier >= FEWEST_HITS)
                hits = float(likelier[found].sum())
                if most < hits <= LARGEST_SHARE * likelier.sum():
                    most, where, event, draws = hits, index, found, float(likelier.sum())
            chosen.append(where)
            cells.append(event)
            if where >= 0 and not (grid.one_way and direction == 0):
                s, t = grid.slopes[0], grid.offsets[0]
                gap = (most - 1) / draws - t
                per_unit = np.maximum(t * (1 - t), 1e-12)
                mu[direction] = np.clip(gap / per_unit, 0.0, STAKE * np.minimum(1 / s, 1.0))
        return cls((chosen[0], chosen[1]), (cells[0], cells[1]), mu, grid)

    def log_e(self, counts: Sequence[Array], size: int) -> Array:
        """Logarithm of the batch's e-value, shape (G,)."""
        values = np.zeros((2, self.grid.points))
        s, t = self.grid.slopes[0], self.grid.offsets[0]
        for direction in (0, 1):
            if self.partition[direction] < 0:
                continue
            by_arm = counts[self.partition[direction]][:, self.cells[direction]].sum(axis=1)
            hits, other = by_arm[direction], by_arm[1 - direction]
            values[direction] = log_e_value(
                hits, other, size, np.zeros_like(s), self.mu[direction], s, t
            )
        return mixture(values, np.array([0.5, 0.5]))
