"""A schema proposed from a CSV file: types, bounds and categories as they come in its rows.

What is read off private data is private: the proposal says so, and no audit takes it before
somebody has looked at it and taken out the line that says that it is one.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date
from pathlib import Path

from audit.targets.tables.column import ColumnType
from audit.targets.tables.schema_file import PROPOSED
from audit.targets.tables.table_rows import FALSE, TRUE, WHOLE, csv_rows
from mechanisms.errors import InvalidArgument, close_names

MOST_CATEGORIES = 12
"""Different texts up to which a column is proposed as a category."""

HEAD = """\
# proposed from {file}
# Its bounds, categories and numbers of rows were read off the data, which may be private. Put
# public ones in their place, then take out the line "{proposed} = true".
{proposed} = true
relation = "add-remove"  # of {noun}s; or "swap"
"""

VALUES = '# takes = "values"  # the one column as a list; without it a DataFrame\n'

NULLS = ("", "NA", "null", "NULL")
"""Cells that hold no value, and no text either."""
BARE = re.compile(r"[A-Za-z0-9_-]+")


def proposal(path: Path, unit: str | None = None) -> str:
    """A schema as TOML, to be looked at.

    `path`: of a CSV file with a header line. `unit`: the column that says whose row it is, if any.
    Raises InvalidArgument if there is no such column, or there are no rows.
    """
    names, lines = csv_rows(path)
    rows = [row for _, row in lines]
    if not rows:
        msg = f"{path} has a header and no rows to propose a schema from"
        raise InvalidArgument(msg)
    if unit is not None and unit not in names:
        msg = f"unit must be a column of {path} ({', '.join(names)}), got unit={unit!r}"
        raise InvalidArgument(msg + close_names(unit, names))
    noun = "row" if unit is None else unit if BARE.fullmatch(unit) else "unit"
    text = HEAD.format(file=json.dumps(path.name), proposed=PROPOSED, noun=noun)
    if unit is not None:
        most = max(Counter(row[names.index(unit)] for row in rows).values())
        text += f"unit = {_text(unit)}\nmax_rows_per_unit = {most}\n"
    if len(names) == 1 + (unit is not None):
        text += VALUES
    for name, cells in zip(names, zip(*rows, strict=True), strict=True):
        text += f"\n[columns.{_key(name)}]\n"
        text += _unit(cells) if name == unit else _column(cells)
    return text


def _unit(cells: tuple[str, ...]) -> str:
    texts = "" if all(map(WHOLE.fullmatch, cells)) else "texts = true\n"
    return f'type = "id"\n{texts}'


def _column(cells: tuple[str, ...]) -> str:
    known = [cell for cell in cells if cell not in NULLS]
    nullable = "" if len(known) == len(cells) else "nullable = true\n"
    kind = _type_of(known)
    said = f'type = "{kind}"\n'
    match kind:
        case ColumnType.FLOAT:
            numbers = [float(x) for x in known]
            said += f"low = {min(numbers)!r}\nhigh = {max(numbers)!r}\n"
        case ColumnType.INT:
            whole = [int(x) for x in known]
            said += f"low = {min(whole)}\nhigh = {max(whole)}\n"
        case ColumnType.DATE:
            said += f"low = {min(known)}\nhigh = {max(known)}\n"
        case ColumnType.CATEGORY:
            values = ", ".join(_text(x) for x in sorted(set(known)))
            said += f"values = [{values}]\n"
    return said + nullable


def _type_of(cells: list[str]) -> ColumnType:
    """The narrowest type that all cells fit."""
    if not cells:
        return ColumnType.TEXT
    if {cell.lower() for cell in cells} <= {TRUE[0], FALSE[0]}:
        return ColumnType.BOOL
    for kind, reads in ((ColumnType.INT, _is_int), (ColumnType.FLOAT, _is_float)):
        if all(map(reads, cells)):
            return kind
    if all(map(_is_date, cells)):
        return ColumnType.DATE
    return ColumnType.CATEGORY if len(set(cells)) <= MOST_CATEGORIES else ColumnType.TEXT


def _is_int(cell: str) -> bool:
    return re.fullmatch(r"[+-]?\d{1,18}", cell, re.ASCII) is not None


def _is_float(cell: str) -> bool:
    try:
        return abs(float(cell)) < float("inf")
    except ValueError:
        return False


def _is_date(cell: str) -> bool:
    try:
        return date.fromisoformat(cell).isoformat() == cell
    except ValueError:
        return False


def _text(value: str) -> str:
    """As a basic string of TOML, which JSON's are but for DEL."""
    return json.dumps(value).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else _text(name)
