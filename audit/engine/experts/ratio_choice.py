"""On which partition the ratio expert learns: on which the past says that it helps most.

A function learned from the even draws of the past is counted on the odd ones, and the reverse. Its
gap against the claim, in standard errors of so many draws,

    z = (p - s q - t) / sqrt((Var_P f + s^2 Var_Q f + 1/n) / n),

is what chance has no part in; the choice is the largest sum of max(0, z)^2 over the halves and
the directions. It is made where partitions are fitted anew, and stands until then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.experts.learned_ratios import NO_PRIOR, Prior, learn
from audit.levels.lines import LineGrid

__all__ = ["RatioChoice", "best_lines", "choose", "gaps"]

Array = NDArray[np.float64]

LEAST_GAIN = 0.25
"""Of less the expert bets nothing: half a standard error in one direction of one half."""


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
    """

    partition: int
    prior: Prior
    z: float


def gaps(functions: Array, counts: Array, slopes: Array, offsets: Array) -> Array:
    """z of functions of the cell against lines, on counts that they were not learned from.

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
    return np.asarray((p - slopes * q - offsets) / error)


def best_lines(z: Array, *, one_way: bool) -> tuple[int, float]:
    """Direction and z where the gap is largest, of shape (2, M); one way it is the second's."""
    largest = z.max(axis=1)
    direction = 1 if one_way else int(largest.argmax())
    return direction, float(largest[direction])


def choose(
    counts: Sequence[Array],
    ordered: Sequence[int],
    grid: LineGrid,
    before: RatioChoice | None = None,
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
    """
    begin = NO_PRIOR if before is None else before.prior
    best, found = LEAST_GAIN, None
    for index, by_half in enumerate(counts):
        if by_half.any(axis=(0, 1)).sum() > 1:
            gain, z, prior = _held_out(by_half, ordered[index], grid, begin)
            if gain > best:
                best, found = gain, RatioChoice(index, prior, z)
    return found


def _held_out(
    by_half: Array, ordered: int, grid: LineGrid, begin: Prior
) -> tuple[float, float, Prior]:
    """Gain, gap of both halves together, and the prior of the second half."""
    slopes, offsets = grid.slopes[:, grid.claimed], grid.offsets[:, grid.claimed]
    prior, total, gain = begin, np.zeros((2, slopes.size)), 0.0
    for half in (0, 1):
        learned = learn(by_half[half], ordered, prior)
        prior = learned.prior
        z = gaps(learned.functions(slopes), by_half[1 - half], slopes, offsets)
        if grid.one_way:
            z[0] = 0.0
        gain += float((np.maximum(z.max(axis=1), 0.0) ** 2).sum())
        total += z
    return gain, best_lines(total / 2**0.5, one_way=grid.one_way)[1], prior
