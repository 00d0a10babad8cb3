"""Bets on the moments of the likelihood ratio against a Renyi or zCDP claim (ENG-T5b).

For each partition, direction and order a bet is made from the past; the best of them, by the growth
that the past predicts, is staked on. The ratios of many cells are mostly noise at first, so the
cells are pooled along their order into groups of about equal count. That hides a rare event between
others, so one account bets on single events.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.bet_growth import SMALLEST
from audit.engine.candidate_events import Candidates
from audit.engine.experts.moment_growth import factors_of, largest_growth
from audit.levels.moments import MomentGrid, payoffs

__all__ = ["MomentBets", "two_cell_bet"]

Array = NDArray[np.float64]
_Offer = tuple[int, Array, float, NDArray[np.intp]]
"""A partition, estimates of shape (2, groups) of n draws each, and the group of each cell."""

PRIOR = 1.0
LARGEST_RATIOS = (1e4, 100.0, 30.0, 10.0)
"""Where the table of ratios is cut: a payoff of -r^a in one rare cell leaves no stake for the rest,
so the true ratios are not the best table where an event hardly happens on the other arm."""
POWERS = (0.8, 0.6, 0.4)
"""Of the ratios: the best table is that of the nearest pair that satisfies the claim, whose ratios
are less extreme than the true ones."""
LEAST_GROWTH = 1e-12
"""Less is rounding."""

LEAST_PROBABILITY = 1e-8

MOST_EVENTS = 4
"""Events for which a bet is made; the best of them is staked on."""


@final
@dataclass(frozen=True, slots=True)
class MomentBets:
    """One bet for every point of the grid; made before the batch is drawn.

    Parameters
    ----------
    partition, direction : ndarray of int, shape (G,)
        What each point's bet is on; direction is the arm that stands for P.
    log_factors : sequence of ndarray of float, shape (2, K)
        For each point the logarithm of the factor of every cell, for P's arm and the other.
    growth : ndarray of float, shape (G,)
        What the past predicts for one draw of each arm.
    """

    partition: NDArray[np.intp]
    direction: NDArray[np.intp]
    log_factors: Sequence[Array]
    growth: Array

    @classmethod
    def on_groups(
        cls, counts: Sequence[Array], ordered: Sequence[int], grid: MomentGrid, groups: int
    ) -> MomentBets:
        """Bet on the ratios of all cells, pooled.

        Parameters
        ----------
        counts : sequence of ndarray, shape (2, 2, K)
            The past by half, arm and cell, one array a partition.
        ordered : sequence of int
            How many leading cells of each partition are in order of the value.
        grid : MomentGrid
            The claims.
        groups : int
            Into how many groups the ordered cells are pooled.
        """

        def pooled_tables() -> Iterator[_Offer]:
            for index, by_half in enumerate(counts):
                by_arm = by_half.sum(axis=0)
                pooled = _pool(by_arm, ordered[index], groups)
                grouped = np.stack([np.bincount(pooled, weights=row) for row in by_arm])
                n = float(by_arm[0].sum())
                estimate = (grouped + PRIOR) / (n + PRIOR * grouped.shape[1])
                yield index, estimate, n, pooled

        return cls._best(pooled_tables(), grid)

    @classmethod
    def on_events(
        cls, candidates: Candidates, counts: Sequence[Array], grid: MomentGrid
    ) -> MomentBets:
        """Bet on the event whose divergence exceeds the claim most clearly, against its complement.

        Parameters
        ----------
        candidates : Candidates
            Events of the past.
        counts, grid
            As in `on_groups`.
        """
        p, q, n = (x[:, 0] for x in (candidates.p, candidates.q, candidates.n))
        z = event_gaps(p, q, n, grid)

        def clearest_events() -> Iterator[_Offer]:
            for event in np.argsort(-z, kind="stable")[:MOST_EVENTS]:
                if p[event] <= q[event]:
                    continue
                partition = int(candidates.partition[event])
                cells = np.arange(counts[partition].shape[2])
                outside = ~candidates.members(np.array([event]), cells)[0]
                likelier, other = ((x, 1 - x) for x in (p[event], q[event]))
                arms = (likelier, other) if candidates.direction[event] == 0 else (other, likelier)
                yield partition, np.array(arms), float(n[event]), outside.astype(np.intp)

        return cls._best(clearest_events(), grid)

    @classmethod
    def _best(cls, offers: Iterable[_Offer], grid: MomentGrid) -> MomentBets:
        """For each point the bet that grows most on any of the offers."""
        best = np.zeros(grid.points)
        partition = np.zeros(grid.points, dtype=np.intp)
        direction = np.zeros(grid.points, dtype=np.intp)
        log_factors = [np.zeros((2, 0))] * grid.points
        for index, estimate, n, pooled in offers:
            tried = _Tried.of(estimate, grid)
            growth, al, m = largest_growth(tried.p, tried.q, tried.u, tried.v, tried.bound, n)
            chosen = growth.argmax(axis=0)
            for point in np.flatnonzero(growth.max(axis=0) > best):
                row = chosen[point]
                best[point], partition[point] = growth[row, point], index
                direction[point] = tried.arm[row]
                stake = tried.bound[row, point], al[row, point], m[row, point]
                of_groups = np.log(factors_of(tried.u[row], tried.v[row], *stake))
                log_factors[point] = of_groups[:, pooled]
        return cls(partition, direction, log_factors, best)

    def log_e(self, counts: Sequence[Array], size: int) -> Array:  # noqa: ARG002 - one protocol
        """Logarithm of the batch's e-value, shape (G,)."""
        values = np.zeros(len(self.log_factors))
        for point, log_factor in enumerate(self.log_factors):
            if not self.growth[point]:
                continue
            by_arm = counts[self.partition[point]]
            arms = by_arm if self.direction[point] == 0 else by_arm[::-1]
            values[point] = float((arms * log_factor).sum())
        return values


def event_gaps(p: Array, q: Array, n: Array, grid: MomentGrid) -> Array:
    """By how many standard errors of n draws an event's divergence exceeds the claim, at any order.

    Parameters
    ----------
    p, q, n : ndarray of float, shape (E,)
        Estimates on the likelier and on the other arm, and the draws they come from.
    grid : MomentGrid
        The claims.
    """
    cells, other = np.stack([p, 1 - p]), np.stack([q, 1 - q])
    gaps = []
    for order, bound in zip(grid.orders, grid.bounds[:, grid.claimed], strict=True):
        u, v = payoffs(cells / other, float(order))
        mean, mean_v = (cells * u).sum(axis=0), (other * v).sum(axis=0)
        variance = (cells * (u - mean) ** 2 + other * (v - mean_v) ** 2).sum(axis=0)
        gaps.append((mean + mean_v - bound) / np.sqrt(np.maximum(variance, SMALLEST) / n))
    return np.asarray(np.max(gaps, axis=0))


def _tables(p: Array, q: Array) -> list[Array]:
    """Ratios of the cells, cut at each of the limits that they go beyond, and tempered."""
    ratio = p / q
    largest = max(float(ratio.max()), 1 / float(ratio.min()))
    cuts = [cut for cut in LARGEST_RATIOS if cut < largest]
    if largest <= LARGEST_RATIOS[0]:
        cuts.append(largest)
    whole = np.clip(ratio, 1 / LARGEST_RATIOS[0], LARGEST_RATIOS[0])
    return [np.clip(ratio, 1 / cut, cut) for cut in cuts] + [whole**power for power in POWERS]


def _pool(by_arm: Array, ordered: int, groups: int) -> NDArray[np.intp]:
    """Group of each cell: runs of ordered cells of about equal count, and each other cell."""
    total = by_arm.sum(axis=0)
    before = np.cumsum(total[:ordered]) - total[:ordered] / 2
    runs = np.minimum((groups * before / max(total[:ordered].sum(), 1)).astype(np.intp), groups - 1)
    # groups are numbered without gaps
    runs = np.unique(runs, return_inverse=True)[1].reshape(-1) if ordered else runs
    rest = np.arange(total.size - ordered) + (int(runs[-1]) + 1 if ordered else 0)
    return np.concatenate([runs, rest]).astype(np.intp)


@final
@dataclass(frozen=True, slots=True)
class _Tried:
    """Directions, tables and orders that a bet is made for, a row each.

    Parameters
    ----------
    arm : sequence of int
        The arm that stands for P.
    p, q, u, v : ndarray of float, shape (B, K)
        Estimates of P and Q, and the payoffs.
    bound : ndarray of float, shape (B, G)
        The claims' M of the row's order.
    """

    arm: Sequence[int]
    p: Array
    q: Array
    u: Array
    v: Array
    bound: Array

    @classmethod
    def of(cls, estimate: Array, grid: MomentGrid) -> _Tried:
        """Take all tables of both directions with every order; estimates have shape (2, K)."""
        rows = [
            (arm, *payoffs(ratio, float(order)), bound)
            for arm in (0, 1)
            for ratio in _tables(estimate[arm], estimate[1 - arm])
            for order, bound in zip(grid.orders, grid.bounds, strict=True)
        ]
        arms = [row[0] for row in rows]
        u, v, bound = (np.stack([row[i] for row in rows]) for i in (1, 2, 3))
        return cls(arms, estimate[arms], estimate[[1 - arm for arm in arms]], u, v, bound)


def two_cell_bet(
    p: float, q: float, order: float, bound: float
) -> tuple[float, float, float, float] | None:
    """Growth-optimal bet on one event whose probabilities are known; None where there is none.

    Returns
    -------
    tuple of float
        Logarithms of the factors: in the event and not, on the likelier arm and on the other.
    """
    cells, other = np.array([p, 1 - p]), np.maximum(np.array([q, 1 - q]), LEAST_PROBABILITY)
    ratios = _tables(cells, other)
    tables = np.stack([payoffs(ratio, order) for ratio in ratios])
    u, v = tables[:, 0], tables[:, 1]
    shape = (len(ratios), 1)
    bounds = np.full(shape, bound)
    growth, al, m = largest_growth(
        cells + np.zeros(shape), other + np.zeros(shape), u, v, bounds, math.inf
    )
    best = int(growth.argmax())
    if growth[best, 0] <= LEAST_GROWTH:
        return None
    a, b = factors_of(u[best], v[best], bounds[best], al[best], m[best])
    return tuple(np.log([*a, *b]).tolist())
