"""Which data sets an audit may try: one object that every maker of pairs takes.

A claim is about neighboring data sets of its domain, and about no others: a public number of
records is kept, no data set is smaller than the smallest, and where the domain is declared every
record is a number between the bounds. Where it is not declared any records may come, as released
code meets them: NaN, infinities, records far out of range ("hostile" records, `Domain.outsiders`).

Generators, the local search, shrinking and the reader of pair files all end at `Domain.holds` and
`Domain.neighbors`; `audit.pairs.coverage` says which parts of the domain a run tried, and which
not.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from audit.faults import attribute
from audit.results.number_words import plural
from audit.targets.record_keys import columns_of, keys_of, numbers_in, size_of
from audit.targets.tables.column import numbers_outside
from audit.targets.tables.table_schema import Schema, Table
from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidArgument, InvalidData


class Declared(StrEnum):
    """What is declared of the records of a domain."""

    ANY = "any"
    """Nothing: any double may be a record."""
    FINITE = "finite"
    """They are finite numbers, within the bounds or not."""
    DECLARED = "declared"
    """They are numbers between the bounds."""


DomainWord: TypeAlias = Literal["any", "declared"]
"""The same as text, for type checkers; a test compares."""

ASKED = (Declared.ANY.value, Declared.DECLARED.value)
"""What a user may ask for; "finite" is for adapters and commands."""


class RecordKind(StrEnum):
    """What a data set is."""

    NUMBERS = "numbers"
    """A vector of records."""
    MEMBERS = "members"
    """Rows (record, budget) of the users who take part."""
    ROWS = "rows"
    """A table of a schema."""


@final
@dataclass(frozen=True, slots=True)
class Domain:
    """The data sets that a claim is about, as far as an audit tries them."""

    relation: Relation
    order: Order = Order.FREE
    """Which of them are neighbors."""
    bounds: tuple[Fraction, Fraction] | None = None
    """Public low and high of the records; None where there are none."""
    min_size: int = 0
    max_size: int | None = None
    """Fewest and most records."""
    count: int | None = None
    """The public number of records, where every data set must have so many."""
    kind: RecordKind = RecordKind.NUMBERS
    """What a data set is."""
    records: Declared = Declared.ANY
    source: str = ""
    """Who declared it, in words; "" for the user."""
    placeholder: bool = False
    """Whether NaN is a record that is missing, and no outsider."""
    named: bool = True
    """Whether the bounds are the public ones, to be called low and high."""
    rows: int = 1
    """In how many records, or units of a schema, neighbors may differ: more than one for the
    stability of a query."""
    schema: Schema | None = None
    """Of tables, where data sets are these: their columns, and whose rows they are."""

    def near(self, data: NDArray[Any], neighbor: NDArray[Any], *, generated: bool) -> Domain:
        """The part of the domain that is tried around a pair.

        Without public bounds records stay between the extremes of the pair; under SWAP the number
        of records of a user's own pair is public.
        """
        domain = self
        if domain.bounds is None and domain.schema is None:
            values = np.concatenate([data.ravel(), neighbor.ravel()])
            finite = values[np.isfinite(values)].tolist() or [0]
            ends = (Fraction(min(finite)), Fraction(max(finite)))
            domain = replace(domain, bounds=ends, named=False)
        if self.relation is Relation.SWAP and not generated and domain.schema is None:
            domain = replace(domain, count=len(data))
        return domain

    @property
    def listed(self) -> bool:
        """Whether the neighbors are exactly the listed pairs, whatever these are."""
        return self.relation is Relation.LISTED

    # -- membership ---------------------------------------------------------------------------

    def holds(self, data: Any) -> bool:
        """Whether a data set is one of the domain."""
        return not self.fault(data)

    def neighbors(self, data: Any, other: Any) -> bool:
        """Whether two data sets are neighbors, or equal as the order counts.

        Listed pairs are the user's own definition; data without records are no neighbors under any
        other relation.
        """
        if self.listed:
            return True
        found = self.apart(data, other)
        if found is None:
            return False
        if self.relation is Relation.ADD_REMOVE:
            return sum(found) <= self.rows
        return found[0] == found[1] <= self.rows

    def apart(self, data: Any, other: Any) -> tuple[int, int] | None:
        """Records, or units of a schema, to remove and to add; None where that is not told."""
        tables = isinstance(data, Table) and isinstance(other, Table)
        if tables and self.schema is not None and self.schema.unit is not None:
            return self.schema.steps(data, other, self.order)
        return steps(data, other, self.order)

    def admits(self, data: Any, other: Any) -> bool:
        """Whether the claim is about a pair."""
        return self.holds(data) and self.holds(other) and self.neighbors(data, other)

    def check(self, label: str, data: Any, other: Any) -> None:
        """Refuse a pair that the claim says nothing about.

        Raises InvalidData if a side is outside of the domain, or they are no neighbors.
        """
        for side in (data, other):
            if fault := self.fault(side):
                msg = f"{label}: {fault}"
                raise InvalidData(msg)
        if not self.neighbors(data, other):
            msg = (
                f"{label}: the two data sets are not neighbors under {self.relation} "
                f"({self._difference(data, other)}); "
                "use --relation listed if they are neighbors in another sense"
            )
            raise InvalidData(msg)

    def fault(self, data: Any) -> str:
        """Why a data set is not one of the domain; "" if it is."""
        if self.schema is not None:
            return self._fault_of_table(self.schema, data)
        size = None if self.listed else size_of(data)
        if size is None:
            return ""
        size_words = f"a data set has {plural(size, 'record')}"
        if self.count is not None and size != self.count:
            return f"{size_words}, and the public number of records is {self.count}"
        if size < self.min_size:
            return f"{size_words}, and min_size is {self.min_size}"
        if self.max_size is not None and size > self.max_size:
            return f"{size_words}, and there are at most {self.max_size}"
        declared = self.records is Declared.DECLARED
        wrong = declared or (self.records is Declared.FINITE and not self.finite(data))
        words = self.strange(data) if wrong else ""
        return words and f"it has {words}, and the domain is declared; --domain any allows it"

    def _fault_of_table(self, schema: Schema, data: Any) -> str:
        """Its sizes are numbers of rows."""
        if not isinstance(data, Table):
            return (
                f"a data set must be a table of the schema, got one of type {type(data).__name__}"
            )
        if self.listed:
            return ""
        if len(data) < self.min_size:
            return f"a data set has {plural(len(data), 'row')}, and min_size is {self.min_size}"
        if fault := schema.fault(data):
            return fault
        words = self.strange(data) if self.records is Declared.DECLARED else ""
        return words and f"it has {words}, and the domain is declared; --domain any allows it"

    def _difference(self, data: Any, other: Any) -> str:
        """What keeps two data sets from being neighbors, in words."""
        if self.schema is not None and self.schema.unit is not None:
            found = self.apart(data, other)
            of = f"of column {self.schema.unit}"
            if found is None:
                return "the rows that both have come in another order"
            return f"units {of} to remove: {found[0]}, to add: {found[1]}"
        return _difference(data, other, self.order)

    # -- records ------------------------------------------------------------------------------

    @property
    def ends(self) -> tuple[float, float]:
        """The bounds as doubles.

        Raises InvalidArgument if there are none.
        """
        if self.bounds is None:
            msg = "there are no bounds to make records between"
            raise InvalidArgument(msg)
        return float(self.bounds[0]), float(self.bounds[1])

    @property
    def simple(self) -> tuple[float, ...]:
        """Simple values of a record, the simplest first."""
        low, high = self.ends
        values = dict.fromkeys((low, high, 0.5 * (low + high), 0.0))
        return tuple(value for value in values if low <= value <= high)

    def name(self, record: Any) -> str:
        """A record in words."""
        low, high = self.ends
        names = {0.5 * (low + high): "the midpoint", high: "high", low: "low"}
        if self.named and np.ndim(record) == 0 and float(record) in names:
            return names[float(record)]
        return str(record.tolist()) if np.ndim(record) else f"{float(record):.6g}"

    def outsiders(self, *, few: bool = False) -> dict[str, float]:
        """Records that code forgets, by what they are in words; none where the domain is declared.

        `few` leaves out those that one larger data set is enough for.
        """
        if self.records is Declared.DECLARED:
            return {}
        low, high = self.ends
        return numbers_outside(low, high, few=few, finite=self.records is Declared.FINITE)

    def strange(self, *sides: Any) -> str:
        """Records of data sets that no declared domain has, in words; "" if there are none."""
        if self.schema is not None:
            return " and ".join(dict.fromkeys(w for one in sides for w in self.schema.strange(one)))
        values = np.concatenate([self.values(side) for side in sides])
        words = ["a record that is NaN"] if self.missing(values) else []
        if self.beyond(values):
            words.append(f"a record {self.outside('is')}")
        return " and ".join(words)

    def strangeness(self, *sides: Any) -> int:
        """How far records are from a declared domain: 1 beyond the bounds, 2 infinite, 3 NaN.

        Of tables, how many cells are none of it.
        """
        if self.schema is not None:
            return sum(sum(self.schema.strange(one).values()) for one in sides)
        values = np.concatenate([self.values(side) for side in sides])
        low, high = self.ends if self.named and self.bounds is not None else (-math.inf, math.inf)
        beyond = (values < low) | (values > high)
        missing = np.isnan(values) & (not self.placeholder)
        return int((beyond.astype(int) + np.isinf(values) + 3 * missing).sum())

    def outside(self, verb: str) -> str:
        """Where records are that are beyond the bounds, in words; `verb` is "is" or "are"."""
        if self.bounds is None or not self.named:
            return f"that {verb} infinite"
        low, high = self.ends
        return f"outside of [{low:g}, {high:g}]"

    def missing(self, values: NDArray[np.float64]) -> bool:
        """Whether a record is NaN where this is no placeholder."""
        return bool(np.isnan(values).any()) and not self.placeholder

    def beyond(self, values: NDArray[np.float64]) -> bool:
        """Whether a record is beyond the public bounds; infinite where there are none."""
        if self.bounds is None or not self.named:
            return bool(np.isinf(values).any())
        low, high = self.ends
        return bool(((values < low) | (values > high)).any())

    def finite(self, data: Any) -> bool:
        """Whether all records are finite; a missing one is."""
        values = self.values(data)
        return not (np.isinf(values).any() or self.missing(values))

    def values(self, data: Any) -> NDArray[np.float64]:
        """The records of a data set that are numbers; rows of other things have none."""
        if type(data) is not np.ndarray or data.dtype.hasobject:
            return np.array(numbers_in(data), dtype=np.float64)
        if data.dtype.kind in "fiu":
            if data.ndim == 1:
                return data.astype(np.float64)
            if self.kind is RecordKind.MEMBERS and data.ndim == 2 and data.shape[1]:
                return data[:, 0].astype(np.float64)
        return np.empty(0)


def declared_by(mechanism: Any, name: str) -> Declared:
    """What a mechanism's attribute `domain` declares of its records.

    Raises InvalidArgument if it is a text that declares nothing; what is no text has another
    meaning.
    """
    word = attribute(mechanism, "domain", Declared.ANY)
    if not isinstance(word, str):
        return Declared.ANY
    try:
        return Declared(word)
    except ValueError as exc:
        msg = f"{name}: domain must be one of {', '.join(Declared)}, got domain={word!r}"
        raise InvalidArgument(msg) from exc


def steps(data: Any, other: Any, order: Order) -> tuple[int, int] | None:
    """Records to remove and to add, as a multiset or between the longest common ends.

    None for data sets that have no records, or are of different kinds.
    """
    keys = keys_of(*_without_common_ends(data, other))
    if keys is None:
        return None
    rows, others = keys
    if order is Order.FREE:
        first, second = Counter(rows), Counter(others)
        return (first - second).total(), (second - first).total()
    shorter = min(len(rows), len(others))
    head = next((i for i in range(shorter) if rows[i] != others[i]), shorter)
    most = shorter - head
    tail = next((i for i in range(most) if rows[-1 - i] != others[-1 - i]), most)
    return len(rows) - head - tail, len(others) - head - tail


def _without_common_ends(data: Any, other: Any) -> tuple[Any, Any]:
    """Two vectors of one type without what they begin and end with alike; all else as it was.

    A key for each record of long ones takes far longer.
    """
    sides = (data, other)
    if not all(type(x) is np.ndarray and x.ndim == 1 and x.dtype.kind in "fiu" for x in sides):
        return sides
    size = data.dtype.itemsize
    if data.dtype != other.dtype or size > 8:
        return sides
    first, second = (np.ascontiguousarray(x).view(f"u{size}") for x in sides)  # -0.0 is not 0.0
    shorter = min(len(first), len(second))
    apart = np.flatnonzero(first[:shorter] != second[:shorter])
    head = int(apart[0]) if apart.size else shorter
    most = shorter - head
    apart = np.flatnonzero(first[len(first) - most :][::-1] != second[len(second) - most :][::-1])
    tail = int(apart[0]) if apart.size else most
    return data[head : len(data) - tail], other[head : len(other) - tail]


def _difference(data: Any, other: Any, order: Order) -> str:
    """What keeps two data sets from being neighbors, in words."""
    if found := steps(data, other, order):
        return f"records to remove: {found[0]}, to add: {found[1]}"
    kinds = [type(side).__name__ for side in (data, other)]
    if kinds[0] != kinds[1]:
        return f"one is of type {kinds[0]}, the other of type {kinds[1]}"
    if columns_of(data) != columns_of(other):
        return "their columns differ"
    return f"data of type {kinds[0]} have no records that can be compared"
