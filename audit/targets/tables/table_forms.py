"""A table as a target gets it: of pandas, polars, plain Python, numpy or Arrow, or as CSV.

Null is None in records, values, polars and Arrow, an empty cell in CSV, NaN in a float column of
pandas and numpy, NaT in one of dates, and None or NaN in a column of texts, as these libraries have
it. NaN is a number of its own in all but pandas and numpy.

The type of a column is that of its schema and not of its cells: of pandas and numpy, integers that
may be null are floats in every table, and truth values objects. Else the type alone would tell
whether anybody has a null, and a sound release that reads types would be one that does not keep its
promise. A null in a column that should have none changes it, as there is no other way to write it.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.targets.tables.column import Cell, Column, ColumnType
from audit.targets.tables.table_schema import Form, Table
from mechanisms.errors import MissingExtra

USUAL: dict[ColumnType, type] = {
    ColumnType.BOOL: bool,
    ColumnType.INT: int,
    ColumnType.FLOAT: float,
    ColumnType.TEXT: str,
    ColumnType.DATE: date,
}


def given(data: Any) -> Any:
    """What a target gets of a data set: a table in the form of its schema, others as they are."""
    if not isinstance(data, Table):
        return data
    match data.schema.takes:
        case Form.PANDAS:
            return _frame(data)
        case Form.POLARS:
            return _polars(data)
        case Form.RECORDS:
            columns = [cells for _, cells in _cells(data)]
            names = data.schema.names
            return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
        case Form.NUMPY:
            return _structured(data)
        case Form.ARROW:
            return _arrow(data)
        case Form.SKLEARN:
            frame = _frame(data)
            return frame.drop(columns=data.schema.label), frame[data.schema.label]
        case Form.VALUES:
            ((place, _),) = data.schema.cells
            return [row[place] for row in data.rows]
        case Form.JSON | Form.CSV:
            return as_csv(data)


def _cells(table: Table) -> Iterator[tuple[Column, list[Cell]]]:
    """Columns with their cells; names of units are of one type in all tables of a schema."""
    cells = zip(*table.rows, strict=True) if table.rows else ((),) * len(table.schema.columns)
    for column, own in zip(table.schema.columns, cells, strict=True):
        yield column, [str(x) for x in own] if column.texts else list(own)


def _columns(table: Table) -> list[tuple[Column, NDArray[Any]]]:
    return [(column, _array(column, cells)) for column, cells in _cells(table)]


def _array(column: Column, cells: list[Cell]) -> NDArray[Any]:
    """A column as numpy has it."""
    if column.type is ColumnType.FLOAT:
        return np.array([math.nan if x is None else float(x) for x in cells], dtype=np.float64)  # type: ignore[arg-type]
    if column.type is ColumnType.DATE:
        texts = ["NaT" if x is None else str(x) for x in cells]
        return np.array(texts, dtype="datetime64[s]")
    kind, null = _usual(column), column.nullable or None in cells
    if kind is bool and not null:
        return np.array(cells, dtype=bool)
    if kind is int and not null:
        return np.array(cells, dtype=np.int64)
    if kind is int:
        return np.array([math.nan if x is None else float(x) for x in cells], dtype=np.float64)  # type: ignore[arg-type]
    found = np.empty(len(cells), dtype=object)
    found[:] = cells
    return found


def _usual(column: Column) -> type:
    """Type of the cells of a column, whether it has some or not."""
    match column.type:
        case ColumnType.CATEGORY:
            return type(column.values[0])
        case ColumnType.ID:
            return str if column.texts else int
    return USUAL[column.type]


def _frame(table: Table) -> Any:
    try:
        import pandas as pd
    except ImportError as exc:
        raise MissingExtra(_missing("pandas", table, exc)) from exc
    texts = pd.Series(["a"]).dtype  # of pandas 3, which infers it where there is a text
    rows = range(len(table))
    columns = {
        c.name: pd.Series(own, rows, dtype=texts) if _usual(c) is str else own
        for c, own in _columns(table)
    }
    return pd.DataFrame(columns, index=rows)


def _polars(table: Table) -> Any:
    try:
        import polars as pl
    except ImportError as exc:
        raise MissingExtra(_missing("polars", table, exc)) from exc
    types = {
        bool: pl.Boolean,
        int: pl.Int64,
        float: pl.Float64,
        str: pl.String,
        date: pl.Date,
    }
    return pl.DataFrame(
        [
            pl.Series(column.name, cells, dtype=types[_usual(column)], strict=False)
            for column, cells in _cells(table)
        ]
    )


def _structured(table: Table) -> NDArray[Any]:
    columns = _columns(table)
    found = np.empty(len(table), dtype=[(c.name, cells.dtype) for c, cells in columns])
    for column, cells in columns:
        found[column.name] = cells
    return found


def _arrow(table: Table) -> Any:
    try:
        import pyarrow as pa
    except ImportError as exc:
        raise MissingExtra(_missing("pyarrow", table, exc)) from exc
    types = {
        bool: pa.bool_(),
        int: pa.int64(),
        float: pa.float64(),
        str: pa.string(),
        date: pa.date32(),
    }
    return pa.table(
        {
            column.name: pa.array(cells, type=types[_usual(column)], from_pandas=False)
            for column, cells in _cells(table)
        }
    )


def _missing(library: str, table: Table, exc: ImportError) -> str:
    what = "polars" if library == "polars" else "'touchstone-dp[tables]'"
    return (
        f"takes={table.schema.takes.value!r} needs {library} ({exc}); install it with: "
        f"pip install {what}, or let the target take records"
    )


SPECIAL = {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}
"""As R and pandas read them."""


def as_csv(table: Table) -> str:
    """A table as text with a header line; dates as ISO has them, truth values as true and false."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.schema.names)
    for row in table.rows:
        if len(row) == 1 and row[0] in (None, ""):
            text.write('""\n')  # an empty line is no row
        else:
            writer.writerow(map(_written, row))
    return text.getvalue()


def _written(cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case float():
            return SPECIAL.get(repr(cell), repr(cell))
        case date():
            return cell.isoformat()
    return str(cell)
