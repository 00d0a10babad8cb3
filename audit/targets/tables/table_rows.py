"""Rows of the user's as a table of a schema: from CSV, records, arrays, data frames and Arrow."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np

from audit.files.bounded_json import read_text
from audit.targets.tables.column import Cell, Column, ColumnType
from audit.targets.tables.table_schema import Schema, Table
from mechanisms.errors import InvalidData
from mechanisms.validation import shown

WHOLE = re.compile(r"0|[1-9][0-9]{0,17}")
"""A name that is a number, as generated units are named; 007 is another name than 7."""

LARGEST = 2**1023
"""Integers below it are doubles, if not to the last digit."""

TRUE, FALSE = ("true", "t", "1", "yes"), ("false", "f", "0", "no")
"""Truth values as text, in small letters."""


def table_of(schema: Schema, data: Any, what: str) -> Table:
    """Read rows.

    `data`: the name of a CSV file, a list of mappings or of rows, a structured array, a data frame,
    or an Arrow table. `what`: begins the message. Raises InvalidData if a column is missing, or a
    cell is not of its type.
    """
    if isinstance(data, Table):
        return data
    if isinstance(data, str | Path):
        names, rows = csv_rows(Path(data))
        where = (f"{what}, row {i} (line {line})" for i, (line, _) in enumerate(rows, 1))
        return _table(schema, names, (row for _, row in rows), where, what, text=True)
    names, plain = _plain_rows(schema, data, what)
    return _table(
        schema, names, plain, (f"{what}, row {i}" for i in range(1, len(plain) + 1)), what
    )


def tables_of(schema: Schema, sides: Iterable[Any], what: str) -> tuple[Table, ...]:
    """Read the tables of a pair, as `table_of`; texts as names in one make them texts in all."""
    tables = tuple(table_of(schema, side, what) for side in sides)
    for table in tables:
        if table.schema.has_text_units:
            return tuple(Table(table.schema, other.rows) for other in tables)
    return tables


def _plain_rows(schema: Schema, data: Any, what: str) -> tuple[list[str], list[Sequence[Any]]]:
    """Names of the columns, and rows in their order."""
    if hasattr(data, "collect") and hasattr(data, "lazy"):  # a LazyFrame of polars
        data = data.collect()
    if hasattr(data, "iter_rows"):
        return list(data.columns), list(data.iter_rows())
    if hasattr(data, "itertuples"):
        return list(map(str, data.columns)), list(data.itertuples(index=False, name=None))
    if hasattr(data, "to_pylist"):
        return list(data.column_names), [list(row.values()) for row in data.to_pylist()]
    if isinstance(data, np.ndarray) and data.dtype.names:
        return list(data.dtype.names), [row.tolist() for row in data]
    rows = data.tolist() if isinstance(data, np.ndarray) else data
    if not isinstance(rows, list | tuple):
        msg = f"{what}: a table is a list of rows or a data frame, got {shown(data)}"
        raise InvalidData(msg)
    names = list(schema.names)
    if all(isinstance(row, Mapping) for row in rows):
        for place, row in enumerate(rows, start=1):
            if set(row) != set(names):
                columns = ", ".join(names)
                msg = f"{what}, row {place} must have the columns {columns}, got {shown(row)}"
                raise InvalidData(msg)
        return names, [[row[name] for name in names] for row in rows]
    single = len(names) == 1 and not any(isinstance(row, list | tuple) for row in rows)
    return names, [[row] if single else row for row in rows]


def csv_rows(path: Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Header and rows of a CSV file, these with their lines.

    Raises InvalidData if it cannot be read, has no header, or a row has another number of cells.
    """
    reader = csv.reader(
        io.StringIO(read_text(path).removeprefix("\ufeff"), newline=""), strict=True
    )
    try:
        names = [name.strip() for name in next(reader, [])]
        rows = [(reader.line_num, row) for row in reader if row or len(names) == 1]
    except csv.Error as exc:
        msg = f"{path} cannot be read: {exc}"
        raise InvalidData(msg) from exc
    if not names or len(set(names)) < len(names):
        msg = f"{path} must have a header line of different names, got {shown(names)}"
        raise InvalidData(msg)
    for line, row in rows:
        if len(row) != len(names) and not (not row and len(names) == 1):
            msg = f"{path}, line {line} has {len(row)} cells for {len(names)} columns"
            raise InvalidData(msg)
    return names, [(line, row or [""]) for line, row in rows]


def _table(
    schema: Schema,
    names: Sequence[str],
    rows: Iterable[Any],
    where: Iterable[str],
    what: str,
    *,
    text: bool = False,
) -> Table:
    missing = [name for name in schema.names if name not in names]
    if missing:
        has = ", ".join(names)
        msg = f"{what} has no column {missing[0]!r}, which the schema has; it has: {has}"
        raise InvalidData(msg)
    places = [list(names).index(name) for name in schema.names]
    found = []
    for row, place in zip(rows, where, strict=True):
        if not isinstance(row, list | tuple) or len(row) != len(names):
            msg = f"{place} must have {len(names)} cells, got {shown(row)}"
            raise InvalidData(msg)
        cells = [row[i] for i in places]
        found.append(
            tuple(_cell(c, x, place, text=text) for c, x in zip(schema.columns, cells, strict=True))
        )
    unit = schema.place_of_unit
    if unit is not None and any(isinstance(row[unit], str) for row in found):
        schema = schema.with_text_units()
        found = [(*row[:unit], _number_or_name(row[unit]), *row[unit + 1 :]) for row in found]
    return Table(schema, tuple(found))


def _number_or_name(cell: Cell) -> Cell:
    """A text that is a number, as that number: a unit has one name, that units made here have too.

    Both are given as the same text, see `Column.texts`.
    """
    return int(cell) if isinstance(cell, str) and WHOLE.fullmatch(cell) else cell


def _cell(column: Column, value: Any, where: str, *, text: bool) -> Cell:
    """A cell of the column's type."""
    if hasattr(value, "item") and not isinstance(value, date):
        value = value.item()
    if isinstance(value, datetime):
        value = value.date() if value == value else None  # NaT differs from itself
    if not text and type(value).__name__ in ("NaTType", "NAType"):
        value = None
    read = _from_text(column, value) if text else _from_value(column, value)
    if read is not _NOTHING and column.fits(read):
        cell: Cell = read
        return cell
    msg = f"{where}: column {column.name} is of type {column.type}, got {shown(value)}"
    raise InvalidData(msg)


_NOTHING: Any = object()


def _from_value(column: Column, value: Any) -> Any:
    if value is None or not isinstance(value, bool | int | float | str | date):
        return None if value is None else _NOTHING
    if isinstance(value, float) and column.type is not ColumnType.FLOAT:
        if math.isnan(value):
            return None  # as pandas has nulls
        if value.is_integer():
            return int(value)
    if column.type is ColumnType.FLOAT and type(value) is int:
        return float(value) if abs(value) < LARGEST else _NOTHING
    if column.type is ColumnType.DATE and isinstance(value, str):
        return _date(value)
    return value


def _date(text: str) -> Any:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return _NOTHING


def _from_text(column: Column, text: str) -> Any:
    """A cell of a CSV file; an empty one is null, but for a column of texts that has none."""
    if text == "" and not (column.type is ColumnType.TEXT and not column.nullable):
        return None
    try:
        match column.type:
            case ColumnType.FLOAT:
                return float(text)
            case ColumnType.INT:
                return int(text)
            case ColumnType.ID:
                return int(text) if WHOLE.fullmatch(text) else text
            case ColumnType.DATE:
                return date.fromisoformat(text)
            case ColumnType.BOOL:
                word = text.strip().lower()
                return True if word in TRUE else False if word in FALSE else _NOTHING
            case ColumnType.CATEGORY if type(column.values[0]) is int:
                return int(text)
            case ColumnType.CATEGORY if type(column.values[0]) is bool:
                return text.strip().lower() in TRUE
    except ValueError:
        return _NOTHING
    return text
