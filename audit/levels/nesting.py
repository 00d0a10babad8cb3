"""Nested claims on a grid that is fixed before the first bet, and limits read off it (ENG-T4).

T4. For nested claims, each with an e-process of its own, the smallest true point of the grid is a
true claim fixed in advance, so it is ever rejected with probability at most alpha; a limit at or
above it needs that. The limit is the largest point of the *rejected prefix*, and needs no
correction. (The largest rejected point anywhere: error .568 instead of .029. A point inserted
later, with wealth 1, would be one more test: ten of them err with probability about 1/4.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True)
class Axis:
    """One family of nested claims: a parameter, everything else as claimed."""

    name: str
    """What the values are: "epsilon", "delta", "mu", "rho", "renyi_epsilon", "budget_factor"."""
    values: Array
    """Ascending; a point is implied by every smaller one."""
    share: float = 1.0
    """Share of the error rate for this axis's limit: 1 where limits hold each by itself, 1 / J for
    each of the J axes of a simultaneous band."""
    at: float | None = None
    """Epsilon of a delta axis that belongs to the privacy profile."""


def blocks(axes: Sequence[Axis]) -> Iterator[tuple[Axis, slice]]:
    """Each axis and its points in the grid, which holds the axes one after the other."""
    start = 0
    for axis in axes:
        yield axis, slice(start, start + axis.values.size)
        start += axis.values.size


def lower_limit(values: Array, rejected: NDArray[np.bool_]) -> float:
    """Largest point of the rejected prefix, 0 where there is none (T4)."""
    length = int(np.argmin(np.append(rejected, False)))
    return float(values[length - 1]) if length else 0.0


def stronger(axes: Sequence[Axis], claimed: int, said: Array) -> NDArray[np.bool_]:
    """Points that imply the claim, and the claim itself.

    `axes`: of the grid. `claimed`: index of the claim. `said`, shape (K, G): what each point says:
    two points with the same numbers are one claim. Returns shape (G,): on each axis whose limit is
    read by itself and that holds the claim, all up to it.
    """
    found = np.zeros(said.shape[1], dtype=bool)
    same = (said == said[:, [claimed]]).all(axis=0)
    for axis, points in blocks(axes):
        if axis.at is None and same[points].any():
            found[points.start : points.start + int(np.argmax(same[points])) + 1] = True
    return found
