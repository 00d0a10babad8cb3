"""Intervals of values in words and as Python expressions."""

from __future__ import annotations

import math
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

__all__ = ["End", "describe_interval", "runs"]

End = tuple[float, bool]
"""An end of an interval, and whether it belongs to it."""


def describe_interval(name: str, number: str, lower: End, upper: End) -> tuple[str, str]:
    """Words about `name`, and the expression of the same about `number`."""
    (low, low_closed), (high, high_closed) = lower, upper
    below, above = ("<=" if low_closed else "<"), ("<=" if high_closed else "<")
    if low == -math.inf and high == math.inf:
        return f"{name} is a number", f"{number} == {number}"
    if low == high:
        pattern = f"{{}} == {low!r}"
    elif low == -math.inf:
        pattern = f"{{}} {above} {high!r}"
    elif high == math.inf:
        pattern = f"{{}} {'>=' if low_closed else '>'} {low!r}"
    else:
        pattern = f"{low!r} {below} {{}} {above} {high!r}"
    return pattern.format(name), pattern.format(number)


def runs(cells: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last index of each run of True."""
    found = []
    for inside, group in groupby(enumerate(cells), key=lambda pair: bool(pair[1])):
        indices = [index for index, _ in group]
        if inside:
            found.append((indices[0], indices[-1]))
    return found
