"""Bets on the moments of the likelihood ratio against a Renyi or zCDP claim (ENGINE T5b).

For each partition, direction and order a bet is made from the past; the best of them, by the growth
that the past predicts, is staked on. The ratios of many cells are mostly noise at first, so the
cells are pooled along their order into groups of about equal count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.moments import MomentGrid, payoffs

__all__ = ["MomentBets", "two_cell_bet"]

Array = NDArray[np.float64]

PRIOR = 0.5
LARGEST_RATIOS = (1e4, 100.0, 30.0, 10.0)
"""Where the table of ratios is cut: a payoff of -r^a in one rare cell leaves no stake for the rest,
so the true ratios are not the best table where an event hardly happens on the other arm."""
POWERS = (0.8, 0.6, 0.4)
"""Of the ratios: the best table is that of the nearest pair that satisfies the claim, whose ratios
are less extreme than the true ones."""
LEAST_FACTOR = 0.005
LARGEST_STAKE = 1e6
"""A larger m would multiply the rounding of payoffs that are nearly constant into a gain."""

LEAST_GROWTH = 1e-12
"""Less is rounding."""

NEWTON_STEPS = 25
SMALLEST_GAIN = 1e-9
"""Of growth, for one draw: what a Newton step must promise."""
LEAST_PROBABILITY = 1e-8
SHRINK = 1.0
"""Standard errors of the payoffs' mean by which the claim is taken to be larger."""


@final
@dataclass(frozen=True, slots=True)
class MomentBets:
    """One bet for every point of the grid; made before the batch is drawn.

    Parameters
    ----------
    partition, direction : ndarray of int, shape (G,)
        What each point's bet is on; direction is the arm that stands for P.
    factors : sequence of ndarray of float, shape (2, K)
        For each point the factor of every cell, for P's arm and the other.
    growth : ndarray of float, shape (G,)
        What the past predicts for one draw of each arm.
    """

    partition: NDArray[np.intp]
    direction: NDArray[np.intp]
    factors: Sequence[Array]
    growth: Array

    @classmethod
    def make(
        cls, counts: Sequence[Array], ordered: Sequence[int], grid: MomentGrid, groups: int
    ) -> MomentBets:
        """Choose tables, orders and bets from the past.

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
        best = np.zeros(grid.points)
        partition = np.zeros(grid.points, dtype=np.intp)
        direction = np.zeros(grid.points, dtype=np.intp)
        factors: list[Array] = [np.ones((2, counts[0].shape[2])) for _ in range(grid.points)]
        for index, by_half in enumerate(counts):
            by_arm = by_half.sum(axis=0)
            pooled = _pool(by_arm, ordered[index], groups)
            grouped = np.stack([np.bincount(pooled, weights=row) for row in by_arm])
            n = float(by_arm[0].sum())
            size = grouped.shape[1]
            estimate = (grouped + PRIOR) / (n + PRIOR * size)
            for arm in (0, 1):
                p, q = estimate[arm], estimate[1 - arm]
                choices = product(_tables(p, q), zip(grid.orders, grid.bounds, strict=True))
                for ratio, (order, bound) in choices:
                    u, v = payoffs(ratio, float(order))
                    growth, al, m = _bet(p, q, u, v, bound, n)
                    be = 2 - m * np.where(m > 0, bound, 0.0) - al
                    for point in np.flatnonzero(growth > best):
                        best[point], partition[point] = growth[point], index
                        direction[point] = arm
                        both = np.stack([al[point] + m[point] * u, be[point] + m[point] * v])
                        factors[point] = both[:, pooled]
        return cls(partition, direction, factors, best)

    def log_e(self, counts: Sequence[Array], size: int) -> Array:  # noqa: ARG002 - one protocol
        """Logarithm of the batch's e-value, shape (G,)."""
        values = np.empty(len(self.factors))
        for point, factor in enumerate(self.factors):
            by_arm = counts[self.partition[point]]
            arms = by_arm if self.direction[point] == 0 else by_arm[::-1]
            values[point] = float((arms * np.log(factor)).sum())
        return values


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


def _bet(p: Array, q: Array, u: Array, v: Array, bound: Array, n: float) -> tuple[Array, ...]:
    """Growth, A and m of the bet a = A + m u, b = 2 - m M - A + m v that grows most.

    It is made against a claim that is larger by the standard error of the payoffs; no bet (A = 1,
    m = 0) where the payoffs are not above that.
    """
    growth, al, m = np.zeros(bound.size), np.ones(bound.size), np.zeros(bound.size)
    variance = p @ u**2 - (p @ u) ** 2 + q @ v**2 - (q @ v) ** 2
    spread = np.sqrt(np.maximum(variance, 0.0) / n)
    points = np.flatnonzero(np.isfinite(bound) & (p @ u + q @ v > bound + SHRINK * spread))
    if points.size:
        al[points], m[points] = _newton(p, q, u, v, bound[points] + SHRINK * spread)
    # what the bet is really made against, a smaller bound, leaves b larger
    a = al[points, None] + m[points, None] * u
    b = 2 - m[points, None] * bound[points, None] - al[points, None] + m[points, None] * v
    valid = (b > 0).all(axis=1) & (m[points] < LARGEST_STAKE)
    growth[points] = np.log(a) @ p + np.log(np.where(b > 0, b, 1.0)) @ q
    unusable = points[~valid]
    growth[unusable], al[unusable], m[unusable] = 0.0, 1.0, 0.0
    return growth, al, m


def _newton(p: Array, q: Array, u: Array, v: Array, bound: Array) -> tuple[Array, Array]:
    """A and m that maximize the growth against each bound, by damped Newton steps."""
    al, m = np.ones(bound.size), np.zeros(bound.size)
    w = v - bound[:, None]
    for _ in range(NEWTON_STEPS):
        a = al[:, None] + m[:, None] * u
        b = 2 - al[:, None] + m[:, None] * w
        ga = (p / a - q / b).sum(axis=1)
        gm = (p * u / a + q * w / b).sum(axis=1)
        haa = (p / a**2 + q / b**2).sum(axis=1)
        ham = (p * u / a**2 - q * w / b**2).sum(axis=1)
        hmm = (p * u**2 / a**2 + q * w**2 / b**2).sum(axis=1)
        det = np.maximum(haa * hmm - ham**2, 1e-300)
        da, dm = (hmm * ga - ham * gm) / det, (haa * gm - ham * ga) / det
        step = np.ones(bound.size)
        for value, change in (
            (a, da[:, None] + dm[:, None] * u),
            (b, -da[:, None] + dm[:, None] * w),
        ):
            falls = change < 0
            room = np.where(falls, (value - LEAST_FACTOR) / np.where(falls, -change, 1.0), 9.0)
            step = np.minimum(step, 0.9 * np.maximum(room.min(axis=1), 0.0))
        al, m = al + step * da, m + step * dm
        if (step * (ga * da + gm * dm) < SMALLEST_GAIN).all():
            break
    return al, np.maximum(m, 0.0)


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
    best, factors = LEAST_GROWTH, None
    for ratio in _tables(cells, other):
        u, v = payoffs(ratio, order)
        growth, al, m = _bet(cells, other, u, v, np.array([bound]), math.inf)
        if growth[0] > best:
            a, b = al + m * u, 2 - m * bound - al + m * v
            best, factors = growth[0], np.log([*a, *b])
    return None if factors is None else tuple(factors.tolist())
