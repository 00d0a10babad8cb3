"""Strategies for tables of a schema, and for neighbors unit by unit.

Only the base and the change are drawn, so a pair that shrinks stays a pair: to few units of one row
each, with cells that are simple.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from audit.pairs.tables.split import as_pair
from audit.pairs.tables.table_families import with_cell
from audit.pairs.worst_cases import Pair
from audit.strategies.pairs import MADE
from audit.targets.tables.column import Cell, Column, ColumnType
from audit.targets.tables.schema_file import read_schema
from audit.targets.tables.table_forms import given
from audit.targets.tables.table_schema import Form, Row, Schema, Table
from mechanisms.claims import Relation, RelationWord
from mechanisms.errors import InvalidArgument, InvalidData
from mechanisms.validation import check_choice, check_flag

__all__ = ["neighboring_tables", "tables"]

PUBLIC = str | Path | Mapping[str, Any]
"""A file of TOML, or its words as a mapping."""


def tables(schema: PUBLIC, *, takes: str = "records", hostile: bool = False) -> SearchStrategy[Any]:
    """Tables of a schema.

    Parameters
    ----------
    schema : str, Path or mapping
        A file of TOML, or its words.
    takes : str
        What is drawn: "pandas", "records", "numpy", "arrow", "sklearn", "values" or the text of
        "csv".
    hostile : bool
        Also cells that code forgets: NaN, a null where there is none, a category that is not
        listed, a number far out of range.

    Returns
    -------
    SearchStrategy
        Shrinks to no rows, then to few units of one row with simple cells.

    Raises
    ------
    InvalidArgument
        If the schema, or what is drawn, is none.

    Examples
    --------
    >>> from hypothesis import find
    >>> from audit.strategies import tables
    >>> people = {"unit": "person", "max_rows_per_unit": 2, "columns": {
    ...     "person": {"type": "id"}, "region": {"type": "category", "values": ["N", "S"]}}}
    >>> find(tables(people), lambda rows: len({row["person"] for row in rows}) == 2)
    [{'person': 1, 'region': 'N'}, {'person': 2, 'region': 'N'}]
    """
    known = _schema(schema, takes, hostile)
    units = st.lists(_units(known, hostile), max_size=known.max_units)
    return units.map(lambda each: given(Table(known, _numbered(known, each))))


def neighboring_tables(
    schema: PUBLIC,
    relation: Relation | RelationWord | None = None,
    *,
    takes: str = "records",
    hostile: bool = False,
) -> SearchStrategy[Pair]:
    """Pairs of neighboring tables: one unit joins, leaves, or has other rows.

    Parameters
    ----------
    schema, takes, hostile
        As in `tables`.
    relation : Relation or str or None
        "add-remove" or "swap"; None for that of the schema.

    Returns
    -------
    SearchStrategy of Pair
        With `data`, `neighbor` and a `label` in words.

    Raises
    ------
    InvalidArgument
        If an argument is out of its domain, or no relation is said.
    """
    known = _schema(schema, takes, hostile)
    word = relation if relation is not None else known.relation
    if word is None:
        msg = "relation must be add-remove or swap: the schema does not say which"
        raise InvalidArgument(msg)
    kind = Relation(check_choice(word, "relation", MADE))
    return _pairs(known, kind, hostile)


def _schema(schema: PUBLIC, takes: str, hostile: bool) -> Schema:
    check_flag(hostile, "hostile")
    form = Form(check_choice(takes, "takes", tuple(form.value for form in Form)))
    try:
        known = replace(read_schema(schema), takes=form)
    except InvalidData as exc:  # of a file
        msg = f"schema: {exc}"
        raise InvalidData(msg) from exc
    return known


@st.composite
def _pairs(draw: DrawFn, schema: Schema, relation: Relation, hostile: bool) -> Pair:
    units = draw(st.lists(_units(schema, hostile), max_size=schema.max_units - 1))
    common = _numbered(schema, units)
    name = len(units) + 1
    new = _named(schema, name, draw(_units(schema, hostile)))
    old: tuple[Row, ...] = ()
    if relation is Relation.SWAP:
        old = _named(schema, name, draw(_units(schema, hostile)))
    data, neighbor = Table(schema, (*common, *old)), Table(schema, (*common, *new))
    if data.key == neighbor.key:  # drawn twice: another cell, or one row less, makes the difference
        neighbor = _other(schema, data, new)
    if draw(st.booleans()):
        neighbor = neighbor.with_rows(draw(st.permutations(neighbor.rows)))
    if draw(st.booleans()):
        data, neighbor = neighbor, data
    pair = as_pair((data, neighbor))
    return replace(pair, data=given(data), neighbor=given(neighbor), generated=False)


def _other(schema: Schema, data: Table, rows: tuple[Row, ...]) -> Table:
    """The table with another cell in the last row."""
    for place, column in schema.cells:
        for cell in (*column.simple, *column.outsiders().values()):
            changed = with_cell(rows[-1], place, cell)
            other = data.with_rows((*data.rows[:-1], changed))
            if other.key != data.key:
                return other
    msg = "a schema under swap needs a column with two cells"
    raise InvalidArgument(msg)


def _numbered(schema: Schema, units: list[list[Row]]) -> tuple[Row, ...]:
    return tuple(row for n, rows in enumerate(units, 1) for row in _named(schema, n, rows))


def _named(schema: Schema, unit: int, rows: list[Row]) -> tuple[Row, ...]:
    place = schema.place_of_unit
    return tuple(rows) if place is None else tuple(with_cell(row, place, unit) for row in rows)


def _units(schema: Schema, hostile: bool) -> SearchStrategy[list[Row]]:
    """Rows of a unit, often equal ones: these cost most."""
    row = st.tuples(
        *(st.just(0) if c.name == schema.unit else _cells(c, hostile) for c in schema.columns)
    )
    most = schema.max_rows_per_unit
    equal = st.tuples(row, st.integers(1, most)).map(lambda drawn: [drawn[0]] * drawn[1])
    return equal | st.lists(row, min_size=1, max_size=most) if most > 1 else equal


def _cells(column: Column, hostile: bool) -> SearchStrategy[Cell]:
    simple = list(column.simple)
    if hostile:
        simple += [cell for cell in column.outsiders().values() if cell not in simple]
    cells: SearchStrategy[Cell] = st.sampled_from(simple)
    match column.type, column.low, column.high:
        case ColumnType.FLOAT, int() | float() as low, int() | float() as high:
            return cells | st.floats(float(low), float(high))
        case ColumnType.INT, int() as low, int() as high:
            return cells | st.integers(low, high)
        case ColumnType.DATE, date() as low, date() as high:
            return cells | st.dates(low, high)
    return cells
