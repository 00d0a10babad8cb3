"""On which partition the ratio expert learns: on which the past says that it helps most.

A function learned from the even draws of the past is counted on the odd ones, and the reverse. Its
gap against the claim, in standard errors of so many draws,

    z = (p - s q - c t) / sqrt((Var_P f + s^2 Var_Q f + 1/n) / n),

(c the largest value of f) is what chance has no part in; the choice is the largest sum of
max(0, z)^2 over the halves and the directions. Halves may show nothing where all of the past,
learned from and counted by the ratios that were learned, does: where no sum is above 0, the same of
all draws decides. (Without that, remainders and names of benchmarks/power.py are bet on much
later.) The choice is made where partitions are fitted anew, and stands until then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.experts.learned_ratios import NO_PRIOR, Prior, learn
from audit.levels.supporting_lines import LineGrid

__all__ = ["RatioChoice", "choose", "gaps"]

Array = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class RatioChoice:
    """A partition, and the prior that its ratios are learned with.

    Parameters
    ----------
    partition : int
        Its place among the partitions that are counted.
    prior : Prior
        Of the last time.
    z : float
        Gap of both halves together in standard errors, in the direction where it is larger.
    trees : tuple of ndarray of int
        More trees of the partition's ordered cells.
    """

    partition: int
    prior: Prior
    z: float
    trees: tuple[NDArray[np.intp], ...] = ()


def gaps(functions: Array, counts: Array, slopes: Array, offsets: Array) -> Array:
    """Z of functions of the cell against lines, on counts that they were not learned from.

    Parameters
    ----------
    functions : ndarray of float, shape (2, M, K)
        For the first arm over the second, and for the second over the first.
    counts : ndarray of float, shape (2, K)
        By arm and cell.
    slopes, offsets : ndarray of float, shape (M,)
        s and t.

    Returns
    -------
    ndarray of float, shape (2, M)
    """
    n = counts.sum(axis=1).clip(1)[:, None]
    shares = (counts / n).T
    mean, square = functions @ shares, functions**2 @ shares
    variance = square - mean**2
    p, q = (np.stack([x[0, :, arm], x[1, :, 1 - arm]]) for x, arm in ((mean, 0), (mean, 1)))
    v, w = (np.stack([x[0, :, arm], x[1, :, 1 - arm]]) for x, arm in ((variance, 0), (variance, 1)))
    size = float(n.min())
    error = np.sqrt((v + slopes**2 * w + 1 / size) / size)
    return np.asarray((p - slopes * q - offsets * functions.max(axis=2)) / error)


def choose(
    counts: Sequence[Array],
    ordered: Sequence[int],
    grid: LineGrid,
    before: RatioChoice | None = None,
    trees: Mapping[int, tuple[NDArray[np.intp], ...]] = MappingProxyType({}),
) -> RatioChoice | None:
    """Choose by the past; None where nothing helps.

    Parameters
    ----------
    counts : sequence of ndarray, shape (2, 2, K)
        The past by half, arm and cell, one array a partition.
    ordered : sequence of int
        How many leading cells of each partition are in order.
    grid : LineGrid
        Whose claim it is.
    before : RatioChoice or None
        The last choice, whose prior EM begins with.
    trees : mapping of int to tuple of ndarray of int
        More trees of the partitions that have such.
    """
    prior = NO_PRIOR if before is None else before.prior
    offers = [
        _on_halves(
            by_half, ordered[index], grid, RatioChoice(index, prior, 0.0, trees.get(index, ()))
        )
        for index, by_half in enumerate(counts)
        if by_half.any(axis=(0, 1)).sum() > 1
    ]
    gain = max((offer.gain for offer in offers), default=0.0)
    best = max(
        (_on_all(offer, grid) for offer in offers if offer.gain == gain),
        key=lambda promise: promise.gain,
        default=None,
    )
    if best is None or not (gain or best.gain):
        return None
    return best.choice


@final
@dataclass(frozen=True, slots=True)
class _Offer:
    """A partition's counts, what was learned from its halves, and what that gained on the others.

    Parameters
    ----------
    choice : RatioChoice
        With the prior that the halves have taught.
    by_half : ndarray of float, shape (2, 2, K)
        Counts by half, arm and cell.
    ordered : int
        How many leading cells are in order.
    gain : float
        Of the halves.
    z : ndarray of float, shape (2, M)
        Their gaps, added up.
    """

    choice: RatioChoice
    by_half: Array
    ordered: int
    gain: float
    z: Array


@final
@dataclass(frozen=True, slots=True)
class _Promise:
    """A choice, and what all of the past promises, learned from itself."""

    choice: RatioChoice
    gain: float


def _on_halves(by_half: Array, ordered: int, grid: LineGrid, choice: RatioChoice) -> _Offer:
    """Learn from each half, and count on the other."""
    prior = choice.prior
    slopes, offsets = grid.slopes[:, grid.claimed], grid.offsets[:, grid.claimed]
    total, gain = np.zeros((2, slopes.size)), 0.0
    for half in (0, 1):
        learned = learn(by_half[half], ordered, prior, choice.trees)
        prior = learned.prior
        z = _of_claim(gaps(learned.functions(slopes), by_half[1 - half], slopes, offsets), grid)
        gain += _gain(z)
        total += z
    return _Offer(replace(choice, prior=prior), by_half, ordered, gain, total)


def _on_all(offer: _Offer, grid: LineGrid) -> _Promise:
    """Learn from all of the past: asked only of what the halves choose, for it takes as long."""
    slopes, offsets = grid.slopes[:, grid.claimed], grid.offsets[:, grid.claimed]
    by_arm = offer.by_half.sum(axis=0)
    learned = learn(by_arm, offer.ordered, offer.choice.prior, offer.choice.trees)
    hits = by_arm.sum(axis=0) * np.stack([learned.shares, 1 - learned.shares])
    z = _of_claim(gaps(learned.functions(slopes), hits, slopes, offsets), grid)
    in_errors = float(offer.z.max() / 2**0.5)
    return _Promise(replace(offer.choice, prior=learned.prior, z=in_errors), _gain(z))


def _of_claim(z: Array, grid: LineGrid) -> Array:
    """Only events that are likelier on the neighbor are claimed about, where that is one way."""
    return np.where([[not grid.one_way], [True]], z, 0.0)


def _gain(z: Array) -> float:
    """Of both directions, each against its best line."""
    return float((np.maximum(z.max(axis=1), 0.0) ** 2).sum())
