"""Regions of points and moves on which additive noise is run.

Points are written z = step (n + f) with an integer n and 0 <= f < 1, so that levels are floors of
bounded forms; the few n at which |z| and |z + move| may bend apart are regions of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from audit.exact.symbolic.region import Range, Region, box

__all__ = ["boxes", "places"]


def places(below: int, above: int = 0) -> tuple[Range, ...]:
    """Ranges of n: far to either side, and one by one where n + f + move may change sign."""
    near = tuple((k, k) for k in range(-below, above))
    return ((above, None), (None, -below - 1), *near)


def boxes(parts: Sequence[tuple[Sequence[Range], bool]]) -> tuple[Region, ...]:
    """Products of the ranges of each variable, with whether it is an integer."""
    flags = [integral for _, integral in parts]
    return tuple(box(ranges, flags) for ranges in product(*(ranges for ranges, _ in parts)))
