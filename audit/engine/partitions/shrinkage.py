"""Log-likelihood ratios of counts by cell, with what is noise shrunk away.

Each table is halved again and again into sets of neighboring cells of equal mass. At every split
the arms' log odds differ from the pooled ones, with a signed root z of the likelihood ratio.
Empirical Bayes over all splits of all tables: a table tells something with probability pi, and
then z ~ N(0, 1 + tau_l) at level l of the tree, else N(0, 1); pi and the tau_l are estimated (EM).
The differences are multiplied by P(the table tells | z) tau_l / (1 + tau_l). Smooth differences
lie in the first levels, so few draws suffice; of many coordinates, those that tell nothing do not
drown the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["log_ratios", "signal_share"]

Array = NDArray[np.float64]

EM_STEPS = 12
FIRST_TAU = 0.1
"""Least tau_l to start from: at 0 it would stay."""


class CellSplit(NamedTuple):
    """Cells [low, middle) against [middle, high) of a table, at a level of its tree."""

    table: int
    level: int
    low: int
    middle: int
    high: int


def log_ratios(counts: Sequence[Array]) -> list[Array]:
    """Shrunken log-likelihood ratios of the two arms, shape (K,) for each table.

    Parameters
    ----------
    counts : sequence of ndarray, shape (2, K)
        Counts by arm and cell, one array a table.
    """
    ratios = [np.zeros(by_arm.shape[1]) for by_arm in counts]
    splits = [split for table, by_arm in enumerate(counts) for split in _splits(table, by_arm)]
    if not splits:
        return ratios
    left, right = _counts_of(splits, counts)
    table, level = (np.array([split[field] for split in splits]) for field in (0, 1))
    pooled = (left.sum(axis=0) + 0.5) / (left.sum(axis=0) + right.sum(axis=0) + 1)
    base = np.log(pooled / (1 - pooled))
    logit = np.log((left + pooled) / (right + 1 - pooled))  # of an arm without draws, the base
    logit = base + _share(_signed_root(left, right), table, level) * (logit - base)
    of_left, of_right = (np.log1p(np.exp(-sign * logit)) for sign in (1, -1))
    of_left, of_right = of_left[1] - of_left[0], of_right[1] - of_right[0]
    for split, in_low, in_high in zip(splits, of_left, of_right, strict=True):
        ratios[split.table][split.low : split.middle] += in_low
        ratios[split.table][split.middle : split.high] += in_high
    return ratios


def _splits(table: int, by_arm: Array) -> list[CellSplit]:
    """Splits of a table into halves of nearly equal mass."""
    mass = np.concatenate([[0.0], np.cumsum(by_arm.sum(axis=0))])
    splits, todo = [], [(0, 0, by_arm.shape[1])]
    while todo:
        level, low, high = todo.pop()
        if high - low < 2 or mass[high] == mass[low]:
            continue
        half = (mass[low] + mass[high]) / 2
        middle = low + 1 + int(np.argmin(np.abs(mass[low + 1 : high] - half)))
        splits.append(CellSplit(table, level, low, middle, high))
        todo += [(level + 1, low, middle), (level + 1, middle, high)]
    return splits


def _counts_of(splits: Sequence[CellSplit], counts: Sequence[Array]) -> tuple[Array, Array]:
    """Counts of both sides of each split by arm, shape (2, splits) each."""
    sums = [np.pad(np.cumsum(by_arm, axis=1), ((0, 0), (1, 0))) for by_arm in counts]
    left = [sums[s.table][:, s.middle] - sums[s.table][:, s.low] for s in splits]
    right = [sums[s.table][:, s.high] - sums[s.table][:, s.middle] for s in splits]
    return np.transpose(left), np.transpose(right)


def _signed_root(left: Array, right: Array) -> Array:
    """Root of twice the log-likelihood ratio of a 2 by 2 table, positive where left is arm 0's."""
    of_arm, total = left + right, left.sum(axis=0) + right.sum(axis=0)
    g = np.zeros(left.shape[1])
    for side in (left, right):
        expected = of_arm * side.sum(axis=0) / total
        g += (side * np.log(np.where(side > 0, side / np.maximum(expected, 1e-300), 1))).sum(axis=0)
    sign = np.sign(left[0] * right[1] - left[1] * right[0])
    return np.asarray(sign * np.sqrt(np.maximum(2 * g, 0)))


def _share(z: Array, table: NDArray[np.intp], level: NDArray[np.intp]) -> Array:
    """Share of each difference that is kept, in [0, 1)."""
    tables = int(table.max()) + 1
    tells, posterior = 0.5, np.ones(tables)
    for floor in (FIRST_TAU, *[0.0] * EM_STEPS):
        weight = posterior[table]
        squares = np.bincount(level, weight * z**2) / np.maximum(np.bincount(level, weight), 1e-9)
        tau = np.maximum(squares - 1, floor)[level]
        evidence = np.bincount(table, (z**2 * tau / (1 + tau) - np.log1p(tau)) / 2, tables)
        odds = tells / (1 - tells) * np.exp(np.clip(evidence, -300, 300))
        posterior = odds / (1 + odds)
        tells = float(np.clip(posterior.mean(), 0.5 / tables, 1 - 1e-9))
    return np.asarray(posterior[table] * tau / (1 + tau))


def signal_share(counts: NDArray[np.intp], other: NDArray[np.intp]) -> float:
    """Share of the difference of two arms' counts by cell that is not noise, in [0, 1).

    The positive part of 1 - df / chi2 (the shrinkage of James and Stein), chi2 being the
    two-sample statistic of arms of equal size.
    """
    total = counts + other
    used = total > 0
    chi2 = float(((counts - other)[used] ** 2 / total[used]).sum())
    return max(0.0, 1 - (int(used.sum()) - 1) / chi2) if chi2 > 0 else 0.0
