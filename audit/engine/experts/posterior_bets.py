"""The mean bet over the events that may be violated, an account for each size (ENG-T1, ENG-T2).

Which event is violated is learned, by how much is not. An account aims at a fixed growth K: if the
violation is of event e, its bet is T1's with mu_e = sqrt(2 K / V_e), V_e the variance of a draw of
each arm at the claim's edge. The account stakes the mean of these bets under the posterior of e,

    weight of e  =  prior of e * exp(z_e z_K - z_K^2 / 2),    z_K = sqrt(2 n K),

z_e being the estimated gap in standard errors of n draws, against a prior probability that nothing
is violated: an account whose size the past contradicts stakes next to nothing, and one whose event
is still unclear bets on all that may be it, a little on each. (Learning the gap anew for each
batch costs half a nat for every e-fold of the draws.)

T2, several lines. Let a = 1 + sum_e m_e (1_e - p_e) and b = 1 - sum_e s_e m_e (1_e - q_e), both at
least 0, with p_e = s_e q_e + t_e and m_e >= 0. Each event's part of E_P a + E_Q b - 2 is
m_e (P(e) - s_e Q(e) - t_e) <= 0 under the claim, whatever the line (s_e, t_e) of the claim that it
is bet against; events that are likelier on the other arm add the same with the arms exchanged. So
E_P a + E_Q b <= 2, and (E_P a)(E_Q b) <= 1 by the means of two numbers: the product over as many
draws of each arm is an e-value. (Both arms drawn by one seed void it: false alarms .073 at .05.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.bet_growth import EFFECTS, effect_evidence, stakes, within_reach, z_score
from audit.engine.candidate_events import Candidates
from audit.levels.supporting_lines import LineGrid

__all__ = ["EFFECT_PRIOR", "PosteriorBets", "event_scores"]

Array = NDArray[np.float64]

EFFECT_PRIOR: Array = np.array([0.5, 1.0, 1.5, 2.0, 2.0, 2.0, 1.5, 0.75, 0.4, 0.35]) / 12
"""Shares of the accounts: a large effect is found with few draws even by a poor account."""

MOST_EVENTS = 16
VIOLATION = 0.8
"""Prior probability that a direction is violated, over all pairs."""


def event_scores(candidates: Candidates, grid: LineGrid) -> Array:
    """Estimated gap of every event in standard errors against every line, shape (E, L, G)."""
    p, q, n = (a[:, :, None] for a in (candidates.p, candidates.q, candidates.n))
    z = z_score(p, q, n, grid.slopes, grid.offsets)
    if grid.one_way:
        z = np.where(candidates.direction[:, None, None] == 1, z, -np.inf)
    return z


@final
@dataclass(frozen=True, slots=True)
class PosteriorBets:
    """Bets for every account and point of the grid; made before the batch is drawn.

    Parameters
    ----------
    log_factors : dict of int to (ndarray, ndarray, ndarray, ndarray)
        For each partition in use the accounts and points on it, numbered through; the cells that
        some draw has met; and the logarithms of the factors of these cells and, last, of all
        others on the two arms, shape (c, U + 1) each.
    points : int
        Points of the grid.
    """

    log_factors: dict[int, tuple[NDArray[np.intp], NDArray[np.intp], Array, Array]]
    points: int

    @classmethod
    def make(
        cls,
        candidates: Candidates,
        counts: Sequence[Array],
        grid: LineGrid,
        z: Array,
        *,
        pairs: int = 1,
    ) -> PosteriorBets:
        """Weigh the events by the past; each account bets on the partition that tells it most.

        Parameters
        ----------
        candidates : Candidates
            The events.
        counts : sequence of ndarray, shape (2, 2, K)
            The past by half, arm and cell, one array a partition.
        grid : LineGrid
            Nested claims.
        z : ndarray of float, shape (E, L, G)
            `event_scores`.
        pairs : int
            Among how many pairs a violation is looked for: the prior is spread over them.
        """
        line = z.argmax(axis=1)
        best = np.take_along_axis(z, line[:, None, :], axis=1)[:, 0]
        directions = (1,) if grid.one_way else (0, 1)
        weighed = [
            [
                _Weighed.of(candidates, index, direction, best, VIOLATION / pairs)
                for direction in directions
            ]
            for index in range(len(counts))
        ]
        where = np.array([sum(one.gain for one in of) for of in weighed]).argmax(axis=0)  # (A, G)
        factors = {}
        for index in np.unique(where).tolist():
            points = np.flatnonzero((where == index).any(axis=0))
            used = np.flatnonzero(counts[index].sum(axis=(0, 1)))
            da, db = np.zeros((2, points.size, EFFECTS.size, used.size + 1))  # a - 1 and b - 1
            for one in weighed[index]:
                on_likelier, on_other = one.bets(candidates, grid, line, points, used)
                da += on_likelier if one.direction == 0 else on_other
                db += on_other if one.direction == 0 else on_likelier
            account, point = np.nonzero(where[:, points] == index)
            da, db = da[point, account], db[point, account]
            scale = within_reach(da, db, axis=1)[:, None]
            chosen = account * grid.points + points[point]
            factors[index] = (chosen, used, np.log1p(scale * da), np.log1p(scale * db))
        return cls(factors, grid.points)

    def log_e(self, counts: Sequence[Array], size: int) -> Array:
        """Logarithms of the accounts' e-values of the batch, shape (A, G)."""
        values = np.zeros(EFFECTS.size * self.points)
        for partition, (chosen, used, a, b) in self.log_factors.items():
            met = counts[partition][:, used]
            arm, other = np.column_stack([met, size - met.sum(axis=1)])
            values[chosen] = a @ arm + b @ other
        return values.reshape(EFFECTS.size, self.points)


@final
@dataclass(frozen=True, slots=True)
class _Weighed:
    """The events of one direction of a partition that tell most, and their posterior.

    Parameters
    ----------
    direction : int
        The arm on which they are likelier.
    events : ndarray of int, shape (M, G)
        For each point those with the largest gaps.
    share : ndarray of float, shape (A, M, G)
        Posterior probability that an event is the one violated.
    gain : ndarray of float, shape (A, G)
        Logarithm of the evidence for a violation over none.
    """

    direction: int
    events: NDArray[np.intp]
    share: Array
    gain: Array

    @classmethod
    def of(
        cls, candidates: Candidates, partition: int, direction: int, best: Array, violation: float
    ) -> _Weighed:
        """Weigh them, given the gaps of all events, shape (E, G)."""
        events = np.flatnonzero(
            (candidates.partition == partition) & (candidates.direction == direction)
        )
        z, points = best[events], best.shape[1]
        if len(events) > MOST_EVENTS:
            kept = np.argpartition(-z, MOST_EVENTS - 1, axis=0)[:MOST_EVENTS]
        else:
            kept = np.broadcast_to(np.arange(len(events))[:, None], (len(events), points))
        z = np.take_along_axis(z, kept, axis=0)
        chosen = events[kept]
        log_weight = np.log(candidates.prior[chosen])
        log_weight = log_weight + effect_evidence(z, candidates.n[chosen, 0])
        highest = np.maximum(log_weight.max(axis=1), 0.0)[:, None]
        weight = np.exp(log_weight - highest)
        total = (1 - violation) * np.exp(-highest[:, 0]) + violation * weight.sum(axis=1)
        share = violation * weight / total[:, None]
        return cls(direction, chosen, share, highest[:, 0] + np.log(total))

    def bets(
        self,
        candidates: Candidates,
        grid: LineGrid,
        line: NDArray[np.intp],
        points: NDArray[np.intp],
        used: NDArray[np.intp],
    ) -> tuple[Array, Array]:
        """Mean bets at some points.

        Parameters
        ----------
        line : ndarray of int, shape (E, G)
            Of each event the line against which its gap is largest.
        points : ndarray of int, shape (P,)
            Which.
        used : ndarray of int, shape (U,)
            Cells that some draw has met.

        Returns
        -------
        on_likelier, on_other : ndarray of float, shape (P, A, U + 1)
            What they add to the factors of the likelier and the other arm, on the used cells and
            on all others.
        """
        events = self.events[:, points]
        lines = line[events, points]
        s, t = grid.slopes[lines, points], grid.offsets[lines, points]
        p0, q0, mu = stakes(candidates.p[events, 0], candidates.q[events, 0], s, t)
        stake = self.share[:, :, points] * mu  # (A, M, P)
        member = np.zeros((points.size, len(events), used.size + 1))
        member[:, :, :-1] = candidates.members(events, used).transpose(1, 0, 2)
        on_likelier = stake.transpose(2, 0, 1) @ member
        on_likelier -= (stake * p0).sum(axis=1).T[:, :, None]
        on_other = (-stake * s).transpose(2, 0, 1) @ member
        on_other += (stake * s * q0).sum(axis=1).T[:, :, None]
        return on_likelier, on_other
