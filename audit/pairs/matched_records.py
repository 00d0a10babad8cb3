"""Two neighboring arrays of records, told apart into common records and changed ones.

What is done to common records is done to both data sets, and what is done to a changed record
keeps its place, so every result is a pair of neighbors of the same kind. Where the order of the
records counts, the changed places lie between the longest common beginning and end; otherwise the
rest is matched as a multiset.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.results.number_words import plural
from audit.targets.domain import Domain

Array = NDArray[Any]
Places = NDArray[np.intp]

SHOWN_VALUES = 3
NUMERIC = "fiu"


@final
@dataclass(frozen=True, slots=True)
class Records:
    """Two data sets and which of their records are the same."""

    data: Array
    neighbor: Array
    """Records along the first axis."""
    common: Places
    """Places in `data` and in `neighbor` of the records that both have, of shape (m, 2)."""

    @classmethod
    def match(cls, data: Any, neighbor: Any) -> Records | None:
        """Match the records of two arrays of numbers of one type; None for other data."""
        sides = (data, neighbor)
        if not all(type(x) is np.ndarray and x.dtype.kind in NUMERIC for x in sides):
            return None
        if data.dtype != neighbor.dtype or data.ndim not in {1, 2}:
            return None
        if data.shape[1:] != neighbor.shape[1:]:
            return None
        return cls(data, neighbor, _matching(_keys(data), _keys(neighbor)))

    @property
    def changed(self) -> tuple[Places, Places]:
        """Places in `data` and in `neighbor` of the records that only this one has."""
        first, second = (
            _others(len(side), self.common[:, arm])
            for arm, side in enumerate((self.data, self.neighbor))
        )
        return first, second

    def without(self, which: slice | Places) -> tuple[Array, Array]:
        """The sides without some common records."""
        places = self.common[which]
        return (
            np.delete(self.data, places[:, 0], axis=0),
            np.delete(self.neighbor, places[:, 1], axis=0),
        )

    def with_common(self, which: slice | Places, record: Any) -> tuple[Array, Array]:
        """The sides with some common records replaced."""
        places = self.common[which]
        return (
            _replaced(self.data, places[:, 0], record),
            _replaced(self.neighbor, places[:, 1], record),
        )

    def with_changed(self, arm: int, record: Any) -> tuple[Array, Array]:
        """The sides with the records replaced that only one has."""
        sides = (self.data, self.neighbor)
        changed = _replaced(sides[arm], self.changed[arm], record)
        return (changed, self.neighbor) if arm == 0 else (self.data, changed)

    def with_more(self, record: Any) -> tuple[Array, Array]:
        """The sides with one more common record, the first."""
        data, neighbor = (np.insert(x, 0, record, axis=0) for x in (self.data, self.neighbor))
        return data, neighbor

    @property
    def differ(self) -> bool:
        """Whether the sides are two data sets and not one."""
        return _keys(self.data) != _keys(self.neighbor)

    def describe(self, domain: Domain) -> str:
        """The pair in words."""
        lost, gained = self.changed
        if lost.size == gained.size == 0:
            return f"{_counted(self.data, domain)}, in another order"
        news = ", ".join(domain.name(self.neighbor[place]) for place in gained)
        olds = ", ".join(domain.name(self.data[place]) for place in lost)
        text = _counted(self.data, domain)
        if lost.size == 0:
            return f"{text}; one more at {news}"
        if gained.size == 0:
            return f"{text}; one fewer at {olds}"
        return f"{text}; one at {olds} replaced by {news}"


def _others(size: int, places: Places) -> Places:
    """The places that are none of these: a set of them, sorted, takes ten times as long."""
    left = np.ones(size, dtype=bool)
    left[places] = False
    return np.flatnonzero(left)


def _keys(side: Array) -> list[bytes]:
    return [row.tobytes() for row in side]


def _matching(data: list[bytes], neighbor: list[bytes]) -> Places:
    shorter = min(len(data), len(neighbor))
    head = 0
    while head < shorter and data[head] == neighbor[head]:
        head += 1
    tail = 0
    while tail < shorter - head and data[-1 - tail] == neighbor[-1 - tail]:
        tail += 1
    pairs = [(i, i) for i in range(head)]
    places: dict[bytes, list[int]] = defaultdict(list)
    for j in range(len(neighbor) - tail - 1, head - 1, -1):
        places[neighbor[j]].append(j)
    middle = range(head, len(data) - tail)
    pairs += [(i, places[data[i]].pop()) for i in middle if places[data[i]]]
    pairs += [(len(data) - k, len(neighbor) - k) for k in range(tail, 0, -1)]
    return np.array(pairs, dtype=np.intp).reshape(-1, 2)


def _replaced(side: Array, places: Places, record: Any) -> Array:
    changed = side.copy()
    changed[places] = record
    return changed


def _counted(side: Array, domain: Domain) -> str:
    """Records in words: how many of which value."""
    counts = Counter(_keys(side))
    if not counts or len(counts) > SHOWN_VALUES:
        return plural(len(side), "record") if len(side) else "no records"
    rows = {row.tobytes(): row for row in side}
    words = [f"{count} at {domain.name(rows[key])}" for key, count in counts.items()]
    number, _, rest = words[0].partition(" ")
    head = f"{number} {'record' if number == '1' else 'records'} {rest}"
    return " and ".join([head, *words[1:]])
