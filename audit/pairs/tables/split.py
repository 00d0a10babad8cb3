"""Two neighboring tables, told apart into the rows that both have and those of the changed unit.

What is done to common rows is done to both tables, and a row keeps its place, so that each result
is again a pair of neighbors.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TypeAlias, final

from audit.pairs.worst_cases import Pair
from audit.results.number_words import plural
from audit.targets.tables.column import Cell, Column
from audit.targets.tables.table_schema import Row, Schema, Table, row_key

Sides: TypeAlias = tuple[Table, Table]
"""A table and its neighbor."""

SHOWN_COLUMNS = 6
"""Of a row in words; the table of a witness has all."""


@final
@dataclass(frozen=True, slots=True)
class Split:
    """Two tables, and which of their rows are the same."""

    data: Table
    neighbor: Table
    common: tuple[tuple[int, int], ...]
    """Places in `data` and in `neighbor` of the rows of units that both have."""

    @classmethod
    def of(cls, data: Table, neighbor: Table) -> Split:
        """Match the rows of the units that are the same in both."""
        schema = data.schema
        same = _same_units(schema, data, neighbor)
        places: dict[object, list[int]] = defaultdict(list)
        for j in range(len(neighbor) - 1, -1, -1):
            places[row_key(neighbor.rows[j])].append(j)
        common = []
        for i, row in enumerate(data.rows):
            key = row_key(row)
            if (same is None or schema.unit_of(row) in same) and places[key]:
                common.append((i, places[key].pop()))
        return cls(data, neighbor, tuple(common))

    @property
    def schema(self) -> Schema:
        """Of both."""
        return self.data.schema

    @property
    def differ(self) -> bool:
        """Whether the sides are two tables and not one."""
        return self.data.key != self.neighbor.key

    @property
    def changed(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Places of the rows that only `data` has, and of those that only `neighbor` has."""
        mine, others = {i for i, _ in self.common}, {j for _, j in self.common}
        return (
            tuple(i for i in range(len(self.data)) if i not in mine),
            tuple(j for j in range(len(self.neighbor)) if j not in others),
        )

    @property
    def is_plain(self) -> bool:
        """Whether the common rows come first, in one order."""
        return self.common == tuple((i, i) for i in range(len(self.common)))

    def plain(self) -> Sides:
        """Common rows first, in the order of the data, then those of the changed unit."""
        shared = [self.data.rows[i] for i, _ in self.common]
        lost, gained = self.changed
        return (
            self.data.with_rows([*shared, *(self.data.rows[i] for i in lost)]),
            self.neighbor.with_rows([*shared, *(self.neighbor.rows[j] for j in gained)]),
        )

    def without(self, which: Iterable[int]) -> Sides:
        """The sides without some common rows, by their number among these."""
        gone = [self.common[k] for k in which]
        return self.without_places({i for i, _ in gone}, {j for _, j in gone})

    def without_places(self, first: Collection[int], second: Collection[int]) -> Sides:
        """The sides without rows at some places."""
        return _kept(self.data, first), _kept(self.neighbor, second)

    def with_common(self, which: Iterable[int], edit: Callable[[Row], Row]) -> Sides:
        """The sides with some common rows changed alike."""
        places = [self.common[k] for k in which]
        return (
            _edited(self.data, {i for i, _ in places}, edit),
            _edited(self.neighbor, {j for _, j in places}, edit),
        )

    def with_changed(self, arm: int, which: Iterable[int], edit: Callable[[Row], Row]) -> Sides:
        """The sides with rows at some places of one of them changed."""
        places = set(which)
        if arm == 0:
            return _edited(self.data, places, edit), self.neighbor
        return self.data, _edited(self.neighbor, places, edit)

    def describe(self) -> str:
        """The pair in words."""
        lost, gained = self.changed
        whole = sizes_words(self.schema, self.data)
        if not lost and not gained:
            return f"{whole}, in another order"
        olds = rows_words(self.schema, [self.data.rows[i] for i in lost])
        news = rows_words(self.schema, [self.neighbor.rows[j] for j in gained])
        if not lost:
            return f"{whole}; one more {self.schema.noun}: {news}"
        if not gained:
            return f"{whole}; one {self.schema.noun} fewer: {olds}"
        return f"{whole}; one {self.schema.noun} replaced: {olds} by {news}"


def as_pair(sides: Sides) -> Pair:
    """Two tables with what they are in words."""
    return Pair(Split.of(*sides).describe(), *sides, generated=True)


def _same_units(schema: Schema, data: Table, neighbor: Table) -> set[object] | None:
    """Units with the same rows in both; None where each row is a unit."""
    if schema.unit is None:
        return None
    first, second = units_of(data), units_of(neighbor)
    return {
        name
        for name, rows in first.items()
        if Counter(map(row_key, rows)) == Counter(map(row_key, second.get(name, ())))
    }


def units_of(table: Table) -> dict[object, list[Row]]:
    """Rows of each unit, in the order of the table; equal rows are one where each is a unit."""
    found: dict[object, list[Row]] = {}
    for row in table.rows:
        found.setdefault(table.schema.unit_of(row), []).append(row)
    return found


def sizes_words(schema: Schema, table: Table) -> str:
    """How many units and rows there are."""
    if not table.rows:
        return "no rows"
    rows = plural(len(table), "row")
    if schema.unit is None:
        return rows
    return f"{plural(len(units_of(table)), schema.unit)} with {rows}"


def rows_words(schema: Schema, rows: list[Row]) -> str:
    """Rows without the unit's name, equal ones once."""
    names = [(i, c) for i, c in schema.cells][:SHOWN_COLUMNS]
    texts = [", ".join(f"{c.name} {Column.shown(row[i])}" for i, c in names) for row in rows]
    counted = Counter(texts)
    return " and ".join(
        f"({text})" if count == 1 else f"{count} times ({text})" for text, count in counted.items()
    )


def _kept(table: Table, gone: Collection[int]) -> Table:
    return table.with_rows(row for i, row in enumerate(table.rows) if i not in gone)


def _edited(table: Table, places: Collection[int], edit: Callable[[Row], Row]) -> Table:
    return table.with_rows(edit(r) if i in places else r for i, r in enumerate(table.rows))


def setting(place: int, cell: Cell) -> Callable[[Row], Row]:
    """An edit of a row: another cell at a place."""
    return lambda row: (*row[:place], cell, *row[place + 1 :])
