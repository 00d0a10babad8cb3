"""The smallest pair that still shows a violation, in the manner of Hypothesis.

Passes over a pair of neighbors, each step tested on fresh draws and taken only if the violation
shows there again: replace what no declared domain has (NaN, records out of range); drop
records that both sides have, in chunks and then one by one; replace records by simpler ones (an
end, the midpoint, 0) likewise; round what is left. A step must make
the pair smaller in `cost`, so the passes end. Sides stay neighbors of the same kind
(`pairs.matched_records`).

The run's evidence never depends on this. A step is chosen because its draws look bad, so the draws
that chose it say nothing in the report: the counts of the witness are drawn afresh for the last
pair. Where these do not confirm the violation, more evidence is asked for, as on any pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from audit.pairs.matched_records import Records
from audit.targets.domain import Domain

__all__ = ["StopShrinking", "cost", "shrink"]

Evidence = TypeVar("Evidence")

DIGITS = (1, 2, 3)
"""Significant digits that a record may be rounded to."""


class StopShrinking(Exception):
    """The budget for shrinking is spent; what was found so far stands."""


def shrink(
    start: Records, domain: Domain, shows: Callable[[Records], Evidence | None]
) -> tuple[Records, Evidence | None]:
    """Find a small pair of neighbors that still shows the violation.

    Parameters
    ----------
    start : Records
        A pair on which the violation was found.
    domain : Domain
        Where records may lie, and how few there may be.
    shows : callable
        Evidence of the violation on a pair, from fresh draws, or None; raises `StopShrinking` when
        the budget is spent.

    Returns
    -------
    Records
        The smallest pair found.
    object or None
        Its evidence; None where no smaller pair was found.
    """
    search = _Search(start, domain, shows)
    try:
        while search.improved:
            search.improved = False
            for pass_over in (
                search.make_plain,
                search.drop_all,
                search.replace_all,
                search.drop_records,
                search.replace_records,
                search.round_records,
            ):
                pass_over()
    except StopShrinking:
        pass
    return search.current, search.evidence


def cost(records: Records, domain: Domain) -> tuple[int, int, int]:
    """What shrinking makes smaller: outsiders, then records, then how hard these are to read."""
    both = [row for side in (records.data, records.neighbor) for row in side]
    rows = {row.tobytes(): row for row in both}
    hard = sum(
        count * sum(_difficulty(float(x), domain) for x in np.ravel(rows[key]))
        for key, count in Counter(row.tobytes() for row in both).items()
    )
    return domain.strangeness(records.data, records.neighbor), len(both), hard


def _difficulty(value: float, domain: Domain) -> int:
    """Rank among the simple values; else by the number of characters."""
    simple = domain.simple
    return simple.index(value) if value in simple else len(simple) + len(repr(value))


@final
@dataclass(slots=True)
class _Search(Generic[Evidence]):
    """The current pair, and every pair tried."""

    current: Records
    domain: Domain
    shows: Callable[[Records], Evidence | None]
    evidence: Evidence | None = None
    improved: bool = True
    tried: set[tuple[bytes, bytes]] = field(default_factory=set)

    def consider(self, sides: tuple[NDArray[Any], NDArray[Any]]) -> bool:
        """Take a pair that is new, allowed, cheaper, and still shows the violation."""
        key = (sides[0].tobytes(), sides[1].tobytes())
        if key in self.tried:
            return False
        self.tried.add(key)
        if not self.domain.admits(*sides):
            return False
        candidate = Records.match(*sides)
        if candidate is None or not candidate.differ:
            return False
        if cost(candidate, self.domain) >= cost(self.current, self.domain):
            return False
        evidence = self.shows(candidate)
        if evidence is None:
            return False
        self.current, self.evidence, self.improved = candidate, evidence, True
        return True

    def make_plain(self) -> None:
        """Replace changed records that no declared domain has, before all else."""
        if self.domain.strangeness(self.current.data, self.current.neighbor):
            near = self.domain.outsiders(few=True).values()
            self.replace_changed((*self.domain.simple, *(x for x in near if np.isfinite(x))))

    def replace_changed(self, values: Sequence[float]) -> None:
        """Replace the records that only one side has by one of some values."""
        for arm in (0, 1):
            for value in values:
                if self.consider(self.current.with_changed(arm, value)):
                    break

    def drop_all(self) -> None:
        """Drop all common records that may be dropped: a short run pays for one attempt or two."""
        room = min(len(self.current.data), len(self.current.neighbor)) - self.domain.min_size
        if self.domain.count is None and room > 0:
            self.consider(self.current.without(slice(0, room)))

    def replace_all(self) -> None:
        """Replace all common records by one simple value."""
        for value in self.domain.simple:
            if self.consider(self.current.with_common(slice(None), value)):
                break

    def drop_records(self) -> None:
        """Drop common records, in halving chunks; of equal ones it does not matter which."""
        room = min(len(self.current.data), len(self.current.neighbor)) - self.domain.min_size
        fixed = self.domain.count is not None
        chunk = 0 if fixed else min(len(self.current.common), room)
        while chunk > 0:
            start = 0
            ends = _run_ends(self._common_keys())
            while start < len(ends):
                if self.consider(self.current.without(slice(start, start + chunk))):
                    ends = _run_ends(self._common_keys())
                else:
                    start = max(start + chunk, ends[start] - chunk + 1)
            chunk //= 2

    def replace_records(self) -> None:
        """Replace common records by simpler values, in halving chunks, and the changed ones."""
        for rank, value in enumerate(self.domain.simple):
            rows = self.current.data[self.current.common[:, 0]]
            hard = [max(_difficulty(float(x), self.domain) for x in np.ravel(row)) for row in rows]
            places = np.flatnonzero(np.array(hard, dtype=int) > rank)
            chunk = places.size
            while chunk:
                done = np.zeros(places.size, dtype=bool)
                for start in range(0, places.size, chunk):
                    which = slice(start, start + chunk)
                    done[which] = self.consider(self.current.with_common(places[which], value))
                places = places[~done]
                chunk = min(chunk // 2, places.size)
        self.replace_changed(self.domain.simple)

    def round_records(self) -> None:
        """Round the common records of each value, and the changed ones, to few digits."""
        rows = self.current.data[self.current.common[:, 0]]
        for key, record in {row.tobytes(): row for row in rows}.items():
            for rounded in _roundings(record):
                which = np.flatnonzero([other == key for other in self._common_keys()])
                if self.consider(self.current.with_common(which, rounded)):
                    break
        for arm in (0, 1):
            for place in self.current.changed[arm][:1]:
                record = (self.current.data, self.current.neighbor)[arm][place]
                for rounded in _roundings(record):
                    if self.consider(self.current.with_changed(arm, rounded)):
                        break

    def _common_keys(self) -> list[bytes]:
        return [row.tobytes() for row in self.current.data[self.current.common[:, 0]]]


def _run_ends(keys: list[bytes]) -> list[int]:
    """For each record the place after the run of equal ones that it lies in."""
    ends = list(range(1, len(keys) + 1))
    for place in range(len(keys) - 2, -1, -1):
        if keys[place] == keys[place + 1]:
            ends[place] = ends[place + 1]
    return ends


def _roundings(record: Any) -> Iterator[Any]:
    for digits in DIGITS:
        yield np.vectorize(lambda x, d=digits: float(f"{x:.{d}g}"), otypes=[float])(record)
