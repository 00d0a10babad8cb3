"""Bets on a function of the cell that is learned from all of the past (ENG-T1b, ENG-T2).

Where the violating set is many small pieces, no single event is clear. The log ratios r_j of the
cells of one partition are learned together (`learned_ratios`), and what is bet on is

    f_j = max(0, E[u_s(r_j) | past]),    u_s(r) = (1 - s e^-r) / (1 + e^-r),

the growth-optimal bet, up to its scale, for the first arm's draws; g_j, from -r_j, for the
second's.

T1b. Under P(S) <= s Q(S) + t for all S, any f with values in [0, c] has E_P f <= s E_Q f + c t, for
f is the integral of 1{f > u} over u in [0, c]. So T1 and T2 hold with f in place of 1_S and c t in
place of t: with p0 = s q0 + c t and m >= 0,

    a = 1 + m (f - p0) - s' m' (g - q0'),    b = 1 - s m (f - q0) + m' (g - p0'),

both at least 0, have E_P a + E_Q b <= 2, and E_P a . E_Q b <= 1. f and g are functions of the past;
m = kappa / s is the full stake of Kelly at kappa = 1, and too bold while little is known, so
accounts of smaller kappa have shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.bet_growth import boundary_point, within_reach
from audit.engine.experts.learned_ratios import Learned, learn
from audit.engine.experts.ratio_choice import RatioChoice, gaps
from audit.levels.supporting_lines import LineGrid

__all__ = ["RATIO_PRIOR", "RatioBets"]

Array = NDArray[np.float64]

KAPPAS: Array = np.array([1.0, 0.5, 0.2])
"""Shares of Kelly's stake."""

LEAST = 1e-9
"""Of a mean of f: where it is 0 the edge has no nearest point."""

RATIO_PRIOR: Array = np.array([0.5, 0.3, 0.2])
"""Shares of the accounts, of a prototype in which ten accounts by the size of the effect did no
better (stripes and checkerboard of benchmarks/power.py)."""


@final
@dataclass(frozen=True, slots=True)
class RatioBets:
    """Bets of three accounts at every point of the grid; made before the batch is drawn.

    Parameters
    ----------
    choice : RatioChoice or None
        The partition that is bet on; None where nothing is staked.
    used : ndarray of int, shape (U,)
        Its cells in order, of which their neighbors tell, and others that some draw has met.
    log_a, log_b : ndarray of float, shape (3 G, U + 1)
        Logarithms of the factors of these cells and, last, of all others on the two arms.
    functions : ndarray of float, shape (2, U)
        f and g at the claim.
    hits : ndarray of float, shape (2, U)
        The past's draws of these cells, shared by the arms as their ratios say.
    points : int
        Points of the grid.
    """

    choice: RatioChoice | None
    used: NDArray[np.intp]
    log_a: Array
    log_b: Array
    functions: Array
    hits: Array
    points: int

    @classmethod
    def make(
        cls,
        choice: RatioChoice | None,
        counts: Sequence[Array],
        ordered: Sequence[int],
        grid: LineGrid,
    ) -> RatioBets:
        """Learn the ratios from the past.

        Parameters
        ----------
        choice : RatioChoice or None
            On which partition, and how; None for no bet.
        counts : sequence of ndarray, shape (2, 2, K)
            The past by half, arm and cell, one array a partition.
        ordered : sequence of int
            How many leading cells of each partition are in order.
        grid : LineGrid
            Nested claims.
        """
        if choice is None:
            none, of_none = np.zeros((0, 1)), np.zeros((2, 0))
            return cls(None, np.empty(0, np.intp), none, none, of_none, of_none, grid.points)
        by_arm = counts[choice.partition].sum(axis=0)
        learned = learn(by_arm, ordered[choice.partition], choice.prior, choice.trees)
        known = by_arm.any(axis=0) | (np.arange(by_arm.shape[1]) < ordered[choice.partition])
        used = np.flatnonzero(known)
        functions, slopes, offsets = _on_lines(learned, by_arm, used, grid)
        share = learned.shares[used]
        hits = by_arm[:, used].sum(axis=0) * np.stack([share, 1 - share])
        a, b = _factors(functions, slopes, offsets, by_arm[:, used], one_way=grid.one_way)
        return cls(
            replace(choice, prior=learned.prior),
            used,
            np.log(a).reshape(-1, used.size + 1),
            np.log(b).reshape(-1, used.size + 1),
            functions[:, grid.claimed],
            hits,
            grid.points,
        )

    def log_e(self, counts: Sequence[Array], size: int) -> Array:
        """Logarithms of the accounts' e-values of the batch, shape (3, G)."""
        if self.choice is None:
            return np.zeros((KAPPAS.size, self.points))
        met = counts[self.choice.partition][:, self.used]
        arm, other = np.column_stack([met, size - met.sum(axis=1)])
        log_e = self.log_a @ arm + self.log_b @ other
        return np.asarray(log_e.reshape(KAPPAS.size, self.points))


def _on_lines(
    learned: Learned, by_arm: Array, used: NDArray[np.intp], grid: LineGrid
) -> tuple[Array, Array, Array]:
    """Functions of the used cells, (2, G, U), and the lines, (2, G), with the largest z."""
    lines, points = grid.slopes.shape
    slopes, offsets = grid.slopes.ravel(), grid.offsets.ravel()
    functions = learned.functions(slopes)
    if functions.shape[2] != used.size:
        functions = functions[:, :, used]
    line = np.zeros((2, points), dtype=np.intp)
    if lines > 1:
        z = gaps(functions, by_arm[:, used], slopes, offsets)
        line = z.reshape(2, lines, points).argmax(axis=1)
    chosen = line * points + np.arange(points)
    of_lines = np.stack([functions[way, chosen[way]] for way in (0, 1)])
    return of_lines, slopes[chosen], offsets[chosen]


def _factors(
    functions: Array, slopes: Array, offsets: Array, by_arm: Array, *, one_way: bool
) -> tuple[Array, Array]:
    """Factors of both arms on the used cells and, last, on all others, shape (3, G, U + 1) each."""
    draws = by_arm.sum(axis=1)[:, None]
    p, q = ((functions @ x[:, None])[:, :, 0] for x in by_arm / np.maximum(draws, 1))
    shape = (KAPPAS.size, functions.shape[1], functions.shape[2] + 1)
    da, db = np.zeros(shape), np.zeros(shape)
    for way in (0, 1):
        if one_way and way == 0:
            continue
        likelier, other = (p[0], q[0]) if way == 0 else (q[1], p[1])
        s, t = slopes[way], offsets[way] * functions[way].max(axis=1)
        q0 = boundary_point(np.maximum(likelier, LEAST), np.maximum(other, LEAST), s, t)
        f = np.pad(functions[way], ((0, 0), (0, 1)))  # of a cell of which nothing is known: 0
        stake = KAPPAS[:, None, None] / s[:, None]
        on_likelier = stake * (f - (s * q0 + t)[:, None])
        on_other = -stake * s[:, None] * (f - q0[:, None])
        da += on_likelier if way == 0 else on_other
        db += on_other if way == 0 else on_likelier
    scale = within_reach(da, db, axis=2)[:, :, None]
    return 1 + scale * da, 1 + scale * db
