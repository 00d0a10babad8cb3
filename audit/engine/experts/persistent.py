"""Bets on fixed events of a pair, each with wealth of its own (ENG-T1 to ENG-T3).

An event for each direction: the lower and the upper tail of the pair's first table or score, cut at
quantiles that its first draws fix; either tail may be the one that is likelier on the data. Each
pair of tails is staked on together, and each tail alone, by accounts that aim at a fixed growth
(`stakes`). Nothing is learned but the masses of the events, so that an account of the right
event and size loses next to nothing to estimation, and all that is paid for not knowing them is the
logarithm of the number of accounts.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.bet_growth import EFFECTS, effect_evidence, mixture, stakes, within_reach, z_score
from audit.levels.supporting_lines import LineGrid

__all__ = ["PersistentBets"]

Array = NDArray[np.float64]

TAILS = (0.01, 0.03, 0.08, 0.15, 0.22, 0.3, 0.37, 0.45)
"""Masses of either tail, of both arms pooled."""

VARIANTS = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
"""Stakes on the first and the second event: both, or one."""

PRIOR = np.array([0.7, 0.15, 0.15])
EFFECT_PRIOR = np.array([0.5, 0.75, 1.25, 2.0, 2.0, 2.0, 1.25, 0.6, 0.4, 0.3])
"""Weights of the accounts, by variant and by effect."""


@final
@dataclass(slots=True)
class PersistentBets:
    """Fixed events of one pair, each with its own wealth.

    Parameters
    ----------
    grid : LineGrid
        The nested claims about the pair.
    events : ndarray of bool, shape (E, 2, K)
        For each bet the event that is likelier on the data and that on the neighbor, as cells.
    totals : ndarray of float, shape (2, E, 3)
        Hits of the past by arm: first event, second event, neither.
    log_wealth : ndarray of float, shape (V, A, E, G)
        By variant, account, bet and point of the grid.
    """

    grid: LineGrid
    events: NDArray[np.bool_]
    totals: Array
    log_wealth: Array = field(repr=False)

    @classmethod
    def start(cls, counts: Array, ordered: int, grid: LineGrid) -> PersistentBets:
        """Fix the events from the first counts, shape (2, K)."""
        line = _line(counts, ordered)
        pooled = counts.sum(axis=0)[line]
        share = pooled / max(float(pooled.sum()), 1.0)
        from_below, from_above = np.cumsum(share), np.cumsum(share[::-1])
        places = np.full(counts.shape[1], -1)
        places[line] = np.arange(line.size)
        on_line = places >= 0
        pairs = []
        for tail in TAILS:
            lower = on_line & (places <= np.searchsorted(from_below, tail))
            upper = on_line & (places >= line.size - 1 - np.searchsorted(from_above, tail))
            # a cell in the middle that holds much belongs to neither
            lower, upper = lower & ~upper, upper & ~lower
            pairs += [(lower, upper), (upper, lower)]
        # tails that end in the same cell are one event, of as many shares
        events, tails = np.unique(np.array(pairs), axis=0, return_counts=True)
        wealth = np.zeros((len(VARIANTS), EFFECTS.size, len(events), grid.points))
        return cls(grid, events, _hits(counts, events), wealth)._weighted(tails)

    def _weighted(self, tails: NDArray[np.intp]) -> PersistentBets:
        """Set the accounts' shares by what the first draws say of their events and sizes."""
        draws = float(self.totals[0, 0].sum())
        p, q = ((hits.T + 0.5) / (draws + 1.5) for hits in self.totals)
        n = np.array(draws)
        log_share = np.zeros_like(self.log_wealth)
        for event in (0, 1):
            likelier, other = (p, q) if event == 0 else (q, p)
            z = z_score(
                likelier[event][:, None, None],
                other[event][:, None, None],
                n,
                self.grid.slopes,
                self.grid.offsets,
            ).max(axis=1)
            stakes = VARIANTS[:, event, None, None, None]
            log_share += stakes * effect_evidence(z, draws)
        log_share += np.log(PRIOR)[:, None, None, None] + np.log(EFFECT_PRIOR)[:, None, None]
        log_share += np.log(tails)[:, None]
        flat = log_share.reshape(-1, self.grid.points)
        top = flat.max(axis=0)
        self.log_wealth = log_share - (top + np.log(np.exp(flat - top).sum(axis=0)))
        return self

    def log_factors(
        self, totals: Array | None = None, out: tuple[Array, Array] | None = None
    ) -> tuple[Array, Array]:
        """Logarithms of the cells' factors on the two arms, (3, V, A, E, G).

        They are made from the hits of the past: all, or the `totals` of an earlier time. Memory
        that earlier ones were in may be given: to get it anew takes longer than to compute them.
        """
        totals = self.totals if totals is None else totals
        draws = float(totals[0, 0].sum())
        p, q = (hits.T / (draws + 1.5) + 0.5 / (draws + 1.5) for hits in totals)
        on = (self._payoffs(0, p, q, draws), self._payoffs(1, q, p, draws))
        shape = (3, len(VARIANTS), EFFECTS.size, len(self.events), self.grid.points)
        a, b = (np.empty(shape), np.empty(shape)) if out is None else out
        for variant, shares in enumerate(VARIANTS):  # one by one: what is small is soon at hand
            da, db = np.zeros((2, 3, *shape[2:]))
            for event in (0, 1):
                if shares[event]:
                    on_likelier, on_other = on[event]
                    da += on_likelier if event == 0 else on_other
                    db += on_other if event == 0 else on_likelier
            scale = within_reach(da, db, axis=0)
            for one, into in ((da, a), (db, b)):
                one *= scale
                np.log1p(one, out=into[:, variant])
        return a, b

    def renew(self, factors: tuple[Array, Array], totals: Array) -> None:
        """Make the factors at the claim anew, from the `totals` of hits."""
        newer = replace(self, grid=self.grid.at_claim()).log_factors(totals)
        for own, new in zip(factors, newer, strict=True):
            own[..., self.grid.claimed] = new[..., 0]

    def _payoffs(
        self, event: int, likelier: Array, other: Array, draws: float
    ) -> tuple[Array, ...]:
        """What a whole stake on an event adds to the factors of the likelier arm and the other.

        Each of shape (3, A, E, G), by cell.
        """
        s, q0, p0, mu = self._stakes(likelier[event], other[event], draws)
        if event == 0 and self.grid.one_way:
            mu = np.zeros_like(mu)
        inside = np.zeros((3, 1, 1, 1))
        inside[event] = 1.0
        return mu * (inside - p0), -s * mu * (inside - q0)

    def _stakes(self, likelier: Array, other: Array, draws: float) -> tuple[Array, ...]:
        """Slopes, edge points and stakes of one event of each bet; shape (E, G), mu (A, E, G)."""
        p, q, n = likelier[:, None], other[:, None], np.array(draws)
        slopes, offsets = self.grid.slopes, self.grid.offsets
        z = z_score(p[:, None], q[:, None], n, slopes, offsets)
        line, points = z.argmax(axis=1), np.arange(self.grid.points)
        s, t = slopes[line, points], offsets[line, points]
        p0, q0, mu = stakes(p, q, s, t)
        return s, q0, p0, mu

    def log_e(self, factors: tuple[Array, Array], counts: Array) -> Array:
        """Logarithms of the batch's e-values of all bets, shape (V, A, E, G)."""
        hits = _hits(counts, self.events)
        return np.asarray(
            sum(np.einsum("ec,cvaeg->vaeg", hits[arm], factors[arm]) for arm in (0, 1))
        )

    def settle(self, counts: Array, log_e: Array) -> None:
        """Book a whole batch."""
        self.log_wealth = self.log_wealth + log_e
        self.totals = self.totals + _hits(counts, self.events)

    def log_sum(self, log_e: Array | None = None) -> Array:
        """Logarithm of the wealth of all bets, shape (G,); with a look, times its e."""
        wealth = self.log_wealth if log_e is None else self.log_wealth + log_e
        flat = wealth.reshape(-1, wealth.shape[-1])
        return mixture(flat, np.ones(len(flat)))


def _line(counts: Array, ordered: int) -> NDArray[np.intp]:
    """Cells in the order whose ends are the tails; shape of counts (2, K).

    That of the value; where most draws have none, by falling ratio of the first draws.
    """
    total = counts.sum(axis=0)
    if total[:ordered].sum() > total[ordered:].sum():
        return np.arange(ordered)
    met = np.flatnonzero(total)
    ratio = (counts[0, met] + 0.5) / (counts[1, met] + 0.5)
    return met[np.argsort(-ratio, kind="stable")]


def _hits(counts: Array, events: NDArray[np.bool_]) -> Array:
    """Hits by arm of the first event, the second and neither, shape (2, E, 3)."""
    inside = np.einsum("ak,edk->aed", counts, events)
    rest = counts.sum(axis=1)[:, None] - inside.sum(axis=2)
    return np.concatenate([inside, rest[:, :, None]], axis=2)
