"""Fewest edits after which a sum over the records is at most 0.

A property is at most y if and only if a sum of c(x) over the records is at most 0, with c
increasing in x. To lower a positive sum S by the fewest edits, take the largest of what is left:
remove a record with the largest c(x), or add one at the lowest place, which is worth A = -c(low).
So all records with c(x) > A come first, and then additions. If all n records had to be removed,
one more edit is needed, since data must not be empty.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Steps", "occupied", "steps_down", "suffix_sums"]

Array: TypeAlias = NDArray[np.int64]


@final
@dataclass(frozen=True, slots=True)
class Steps:
    """What the greedy rule did for each of m targets."""

    edits: Array
    """Shape (m,): number of edits; without the one more for empty data."""
    last: Array
    """Shape (m,): among the occupied places, the one of the last removal if there were removals
    alone; otherwise -1.
    """

    def crossing(self, count: int) -> Array:
        """Fewest edits that leave data that are not empty, of `count` records."""
        if count == 0:
            return np.ones_like(self.edits)
        emptied = (self.last >= 0) & (self.edits == count)
        return np.asarray(self.edits + emptied, dtype=np.int64)


def occupied(counts: Array) -> tuple[Array, Array]:
    """Places with records, ascending, and their numbers of records."""
    places = np.flatnonzero(counts).astype(np.int64)
    return places, counts[places]


def suffix_sums(values: Array) -> Array:
    """Sums of values[..., j:] for j = 0..d along the last axis, which becomes d + 1 long."""
    ended = np.concatenate([values, np.zeros((*values.shape[:-1], 1), np.int64)], axis=-1)
    sums: Array = np.cumsum(ended[..., ::-1], axis=-1)[..., ::-1]
    return sums


def steps_down(
    addition: Array,
    first: Array,
    number: Array,
    worth: Callable[[Array], Array],
    removed: Callable[[Array], Array],
) -> Steps:
    """Follow the greedy rule for m targets and records at d occupied places.

    `addition`, shape (m,): a, at least 0. `first`, shape (m,): the first occupied place with c > A;
    d if there is none. `number`, shape (d + 1,): records at the occupied places j..d-1. `worth`: c
    at an occupied place j < d, by target. `removed`: sum of c over the records at the occupied
    places j..d-1, by target, for j <= d.
    """
    places = number.size - 1
    total = removed(np.zeros_like(first))
    if places == 0:
        return Steps(np.zeros_like(first), np.full_like(first, -1))
    # The last place from which on removals reach the total, where they reach it at all.
    low, high = first, np.full_like(first, places)
    while np.any(high - low > 1):
        middle = (low + high) // 2
        reached = removed(middle) >= total
        low, high = np.where(reached, middle, low), np.where(reached, high, middle)
    last = np.minimum(low, places - 1)
    removals = number[last + 1] - -(total - removed(last + 1)) // np.maximum(worth(last), 1)
    additions = number[first] - -(total - removed(first)) // np.maximum(addition, 1)
    positive, by_removals = total > 0, (total > 0) & (removed(first) >= total)
    edits = np.where(positive, np.where(by_removals, removals, additions), 0)
    return Steps(edits, np.where(by_removals, last, -1))
