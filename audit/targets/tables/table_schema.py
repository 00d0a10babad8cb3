"""What a table looks like: its columns, whose rows they are, and which tables are neighbors.

The privacy unit is what joins, leaves or is replaced: a row, or all rows that one value of the
unit's column has. Two tables are compared unit by unit: a unit is its name and the multiset of its
rows, so that one who has other rows is another one. Under add-remove one unit joins or leaves with
all its rows; under swap one is replaced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import TypeAlias, final

from audit.targets.tables.column import Cell, Column, cell_key
from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown

Row: TypeAlias = tuple[Cell, ...]
"""Cells in the order of the columns."""

Unit: TypeAlias = Hashable
"""What tells a unit from others: its name, or the row."""


class Form(StrEnum):
    """What a target gets of a table."""

    PANDAS = "pandas"
    """A DataFrame."""
    POLARS = "polars"
    """A DataFrame of polars."""
    RECORDS = "records"
    """A list of dictionaries."""
    NUMPY = "numpy"
    """A structured array."""
    ARROW = "arrow"
    """A Table of pyarrow."""
    SKLEARN = "sklearn"
    """(X, y): a DataFrame, and the label's column."""
    VALUES = "values"
    """The cells of the one column besides the unit's, as a list; a command: {"data": ...}."""
    JSON = "json"
    """A command: {"csv": ..., "size": ..., "seed": ...} in one line of its standard input."""
    CSV = "csv"
    """A command: the table on its standard input, size and seed in its environment."""


FORMS = tuple(form.value for form in Form)
"""The same as text."""


@final
@dataclass(frozen=True, slots=True)
class Schema:
    """Of the tables that a claim is about."""

    columns: tuple[Column, ...]
    relation: Relation | None = None
    """Which of them are neighbors, where the schema says so."""
    unit: str | None = None
    """The column of the privacy unit; None where each row is one."""
    max_rows_per_unit: int = 1
    """Most rows of a unit."""
    max_units: int = 6
    """Units of generated tables."""
    label: str | None = None
    """The column that a classifier learns."""
    takes: Form = Form.PANDAS
    """What the target gets."""
    source: str = "a mapping"
    """Where it was read from."""

    def __post_init__(self) -> None:
        """Check that there is what the target is to get."""
        if self.takes is Form.SKLEARN and self.label is None:
            msg = "takes='sklearn' needs a label in the schema: the column that is y"
            raise InvalidArgument(msg)
        own = [column.name for _, column in self.cells]
        if self.takes is Form.VALUES and len(own) != 1:
            msg = f"takes='values' needs one column besides the unit's, got {shown(own)}"
            raise InvalidArgument(msg)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def place_of_unit(self) -> int | None:
        """Place of the unit's column."""
        return None if self.unit is None else self.names.index(self.unit)

    @property
    def cells(self) -> Iterator[tuple[int, Column]]:
        """Columns that hold something of a unit, with their places."""
        return ((i, c) for i, c in enumerate(self.columns) if c.name != self.unit)

    @property
    def noun(self) -> str:
        """What a unit is called."""
        return self.unit or "row"

    def with_text_units(self) -> Schema:
        """The same, its units named by texts."""
        columns = (replace(c, texts=True) if c.name == self.unit else c for c in self.columns)
        return replace(self, columns=tuple(columns))

    @property
    def has_text_units(self) -> bool:
        """Whether units are named by texts."""
        return any(column.texts for column in self.columns)

    def unit_of(self, row: Row) -> Unit:
        """Whose row it is."""
        place = self.place_of_unit
        return row_key(row) if place is None else cell_key(row[place])

    def fault(self, table: Table) -> str:
        """Why a table is none of these, whatever is declared of its cells; "" if it is one."""
        for row in table.rows:
            for column, cell in zip(self.columns, row, strict=True):
                if not column.fits(cell):
                    of = f"a cell of column {column.name}, of type {column.type}"
                    return f"{of}, is {Column.shown(cell)}"
        if self.unit is not None:
            rows = Counter(map(self.unit_of, table.rows))
            if max(rows.values(), default=0) > self.max_rows_per_unit:
                most = f"max_rows_per_unit is {self.max_rows_per_unit}"
                return f"a {self.noun} has {max(rows.values())} rows, and {most}"
        return ""

    def strange(self, table: Table) -> dict[str, int]:
        """How many cells no declared domain has, by what they are in words."""
        found: Counter[str] = Counter()
        for row in table.rows:
            for column, cell in zip(self.columns, row, strict=True):
                if words := column.strange(cell):
                    found[words] += 1
        return dict(found)

    def steps(self, data: Table, other: Table, order: Order) -> tuple[int, int] | None:
        """Units to remove and to add; None where the others come in another order, which counts.

        Each row is a unit of its own, as often as it comes, where there is no unit's column.
        """
        first, second = self._units(data), self._units(other)
        lost, gained = first - second, second - first
        if order is Order.FIXED:
            names = {name for name, _ in (*lost, *gained)}
            rest = [[r for r in t.rows if self.unit_of(r) not in names] for t in (data, other)]
            if [row_key(r) for r in rest[0]] != [row_key(r) for r in rest[1]]:
                return None
        return lost.total(), gained.total()

    def _units(self, table: Table) -> Counter[tuple[Unit, Hashable]]:
        """Units with the multisets of their rows; each row is one without a unit's column."""
        if self.unit is None:
            return Counter((row_key(row), 1) for row in table.rows)
        rows: dict[Unit, list[Hashable]] = {}
        for row in table.rows:
            rows.setdefault(self.unit_of(row), []).append(row_key(row))
        return Counter((name, frozenset(Counter(own).items())) for name, own in rows.items())


def row_key(row: Row) -> Hashable:
    """Equal for equal rows."""
    return tuple(map(cell_key, row))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rows of a schema."""

    schema: Schema
    rows: tuple[Row, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Table({self.tolist()!r})"

    @property
    def key(self) -> tuple[Hashable, ...]:
        """Equal for tables that code cannot tell apart by their values."""
        return (self.schema.names, *map(row_key, self.rows))

    @property
    def column_names(self) -> tuple[str, ...]:
        """Of its columns."""
        return self.schema.names

    def to_list(self) -> list[Row]:
        """Its rows."""
        return list(self.rows)

    def tolist(self) -> list[dict[str, object]]:
        """Its rows, as reports have them: dates are texts, names of units where they are."""
        return [
            {
                c.name: str(x) if c.texts else x.isoformat() if isinstance(x, date) else x
                for c, x in zip(self.schema.columns, row, strict=True)
            }
            for row in self.rows
        ]

    def with_rows(self, rows: Iterable[Row]) -> Table:
        """Other rows of the same schema."""
        return Table(self.schema, tuple(rows))
