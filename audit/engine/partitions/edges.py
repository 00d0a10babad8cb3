"""Where the cells of one column end: quantiles, geometric tails, extremes, and repeated values."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["edges_and_atoms"]

Array = NDArray[np.float64]

FEWEST_QUANTILES, MOST_QUANTILES, DRAWS_TO_A_QUANTILE = 32, 64, 50
LARGEST_ATOM_COUNT = 256
FEW_ATOMS = 64
"""Up to so many values that come twice are atoms; else a value must come three times."""

SMALLEST_GAP = 1e-300


def edges_and_atoms(
    values: Array, arms: Sequence[Array], quantiles: int | None = None
) -> tuple[Array, NDArray[np.bool_]]:
    """Ascending edges and atoms of sorted values, and which of them are atoms.

    Two equal doubles of a continuous law are no chance: a value is an atom as soon as it repeats.
    Where values are discrete or few digits were kept, the most frequent ones are atoms.

    Parameters
    ----------
    values : ndarray of float
        Values of both arms, ascending.
    arms : sequence of ndarray of float
        Values of each arm, if they are to be told apart at the ends: an edge right above an arm's
        largest and right below its smallest value, for what lies beyond, only the other arm gave.
    quantiles : int or None
        Cells between quantiles; None for as many as the values are enough for.
    """
    distinct, counts = np.unique(values, return_counts=True)
    frequent = np.flatnonzero(counts > 1)
    if frequent.size > FEW_ATOMS:
        frequent = frequent[counts[frequent] > 2]
    if frequent.size > LARGEST_ATOM_COUNT:
        frequent = frequent[np.argsort(-counts[frequent], kind="stable")[:LARGEST_ATOM_COUNT]]
    atoms = distinct[frequent]
    rest = values[~np.isin(values, atoms)] if atoms.size else values
    edges = np.concatenate([_rounded(_quantiles_and_tails(rest, quantiles)), _cuts(distinct, arms)])
    edges = np.setdiff1d(edges, atoms)
    breaks = np.concatenate([edges, atoms])
    order = np.argsort(breaks, kind="stable")
    is_atom = np.concatenate([np.zeros(edges.size, bool), np.ones(atoms.size, bool)])
    return breaks[order], is_atom[order]


def _quantiles_and_tails(values: Array, quantiles: int | None) -> Array:
    """Quantiles, and the tails 2^-k at both ends down to a single value."""
    n = values.size
    if n < 2:
        return values
    tails = 2.0 ** -np.arange(6, max(7, int(math.log2(n)) + 1))
    cells = quantiles or min(MOST_QUANTILES, max(FEWEST_QUANTILES, n // DRAWS_TO_A_QUANTILE))
    levels = np.concatenate([np.arange(1, cells) / cells, tails, 1 - tails])
    return np.unique(values[np.clip((levels * n).astype(int), 0, n - 1)])


def _cuts(distinct: Array, arms: Sequence[Array]) -> list[float]:
    """Edges in the gaps above each arm's largest and below its smallest value."""
    cuts = []
    for arm in arms:
        if arm.size:
            at_ends = (
                np.searchsorted(distinct, arm.min(), side="left"),
                np.searchsorted(distinct, arm.max(), side="right"),
            )
            cuts += _far(distinct[: at_ends[0] + 1][::-1]) + _far(distinct[at_ends[1] - 1 :])
            for index in at_ends:
                if 0 < index < distinct.size:
                    below, above = float(distinct[index - 1]), float(distinct[index])
                    middle = _readable(below / 2 + above / 2, above / 2 - below / 2)
                    cuts.append(middle if below <= middle < above else below)
    return cuts


def _far(beyond: Array) -> list[float]:
    """Edge in the widest gap between an arm's last value and two or more of the other's beyond."""
    if beyond.size < 3:
        return []
    gaps = np.abs(np.diff(beyond))[:-1]
    place = int(gaps.argmax())
    return [float(beyond[place] / 2 + beyond[place + 1] / 2)]


def _rounded(edges: Array) -> Array:
    """Round each edge to a twentieth of the distance to its nearest neighbor, or leave it."""
    if edges.size < 2:
        return edges
    gaps = np.diff(edges)
    nearest = np.minimum(np.append(gaps, np.inf), np.insert(gaps, 0, np.inf))
    return np.array([_readable(*ends) for ends in zip(edges.tolist(), nearest / 20, strict=True)])


def _readable(x: float, step: float) -> float:
    """Round to a decimal step of at most `step`, if that is of a reasonable size."""
    digits = math.ceil(-math.log10(max(step, SMALLEST_GAP)))
    return round(x, digits) if abs(digits) < 18 else x
