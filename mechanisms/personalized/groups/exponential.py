"""Groups of users by powers of 2 of their private budgets (PDP, Algorithm 8, repaired).

For public ends eps_min <= eps_max and T = eps_max / eps_min there are J = floor(log2 T) + 1 groups,

    group i = [left_i, 2 left_i),    left_i = 2^(i-1) eps_min,    i = 1, ..., J,

the last one closed at eps_max. A budget is read as the decimal that was typed and compared exactly
with the left ends: a user in a group above the own budget would be charged more than it allows. A
budget above eps_max counts as eps_max, one below eps_min has no group.

The print has 2^floor(log2 T) groups, and floor(log2 T) in its logarithm (erratum PDP-E-28).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.personalized.budgets import LARGEST
from mechanisms.personalized.groups.rows import Rows
from mechanisms.validation import Number, check_fraction, shown

__all__ = [
    "as_typed",
    "check_ends",
    "choose",
    "group_ends",
    "left_ends",
    "members",
    "whole_octaves",
]

LEAST = Fraction(1, 10**9)
"""Of eps_min: the noise of a count has scale 2 / eps_min."""


def as_typed(budget: float) -> Fraction:
    """Read a finite double as the decimal that was typed."""
    return Fraction(repr(float(budget)))


def check_ends(
    budgets: Sequence[Fraction], lowest: Number | None, highest: Number | None
) -> tuple[Fraction, Fraction]:
    """Check the public ends eps_min and eps_max.

    `budgets`: users of the claim. `lowest`, `highest`: from 1e-9 to 1e9; None for the smallest and
    the largest positive budget (the smallest as its row shows it, so that no rounding leaves its
    user out), as far as they are in range. Raises InvalidArgument if they are out of their range or
    order, or missing while no budget is positive.
    """
    positive = [budget for budget in budgets if budget > 0]
    if not positive and (lowest is None or highest is None):
        msg = "lowest and highest must be given where no budget is positive"
        raise InvalidArgument(msg)
    if lowest is None:
        least = min(positive)
        lowest = max(LEAST, min(least, as_typed(float(least))))
    limits = {"at_least": LEAST, "at_most": LARGEST}
    exact_lowest = check_fraction(lowest, "lowest", **limits)
    if highest is None:
        highest = max(exact_lowest, *positive)
    exact_highest = check_fraction(highest, "highest", **limits)
    if exact_lowest > exact_highest:
        msg = (
            f"lowest must be at most highest, got lowest={shown(lowest)}, highest={shown(highest)}"
        )
        raise InvalidArgument(msg)
    return exact_lowest, exact_highest


def whole_octaves(lowest: Fraction, highest: Fraction) -> int:
    """Return floor(log2 T), T = highest / lowest, exactly."""
    span = highest / lowest
    return (span.numerator // span.denominator).bit_length() - 1


def left_ends(lowest: Fraction, highest: Fraction) -> tuple[Fraction, ...]:
    """Return left_1, ..., left_J.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from mechanisms.personalized.groups.exponential import left_ends
    >>> [str(left) for left in left_ends(Fraction("0.1"), Fraction("0.4"))]
    ['1/10', '1/5', '2/5']
    """
    return tuple(lowest * 2**i for i in range(whole_octaves(lowest, highest) + 1))


def least_double(left: Fraction) -> float:
    """Return the smallest double that is read as `left` or more; readings keep the order."""
    found = float(left)
    while as_typed(found) < left:
        found = math.nextafter(found, math.inf)
    while as_typed(below := math.nextafter(found, 0.0)) >= left:
        found = below
    return found


def group_ends(budgets: NDArray[np.float64], lefts: Sequence[Fraction]) -> NDArray[np.int64]:
    """Find where each group ends among ascending budgets.

    `budgets`, shape (n,): finite and ascending. `lefts`: left ends, ascending. Returns shape (J +
    1,): group i has the places from entry i - 1 up to, but not including, entry i.
    """
    thresholds = np.array([least_double(left) for left in lefts])
    starts = np.searchsorted(budgets, thresholds, side="left")
    return np.append(starts, budgets.size).astype(np.int64)


def choose(
    ends: NDArray[np.int64], counts: NDArray[np.int64], *, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Draw samples without replacement: min(count, users) of the users of each group.

    `ends`, shape (J + 1,): as `group_ends` returns them. `counts`, shape (draws, J): at least 0.
    Returns shape (draws, n): who is in the sample; every subset of the right size is equally
    likely.
    """
    chosen = np.zeros((len(counts), int(ends[-1])), dtype=np.bool_)
    for group, (first, last) in enumerate(pairwise(ends.tolist())):
        wanted = counts[:, group, np.newaxis]
        chosen[:, first:last] = np.arange(last - first) < wanted
        open_rows = np.flatnonzero((wanted > 0) & (wanted < last - first))
        if open_rows.size:
            chosen[open_rows, first:last] = rng.permuted(chosen[open_rows, first:last], axis=1)
    return chosen


def members(rows: Rows, lefts: Sequence[Fraction]) -> tuple[Rows, NDArray[np.int64]]:
    """Return the rows that have a group, and the ends of the groups among them."""
    ends = group_ends(rows.budgets, lefts)
    first = int(ends[0])
    return Rows(rows.records[first:], rows.budgets[first:]), ends - first
