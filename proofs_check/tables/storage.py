"""Stored tables: written as CSV, and checked cell by cell against the table evaluated again.

The keys of a stored row are its grid, so a file needs nothing beside it. Besides the table's own
columns it has the columns "claims" and "row" (which row it is, of how many), and it may have
intervals measured by simulation ("NAME empirical lower" and "NAME empirical upper"), which must
contain the number of the column NAME; those of mechanisms without a number are not compared. Rows
and columns may stand in any order.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, final

from mechanisms.errors import InvalidArgument, InvalidData
from proofs_check.rational import printed_interval
from proofs_check.tables.column import Column, Rounding
from proofs_check.tables.numbering import ROW, row_text, wrong_rows
from proofs_check.tables.rounding import read_decimal
from proofs_check.tables.table import Built, Cell, Row, Table

__all__ = [
    "CLAIMS",
    "EMPIRICAL",
    "Mismatch",
    "claims_text",
    "compare",
    "compare_rows",
    "read_stored",
    "write_csv",
]

CLAIMS = "claims"
"""Header of the column that names the claims of each cell."""

EMPIRICAL = (" empirical lower", " empirical upper")
"""How the headers of a measured interval end."""

Record = Mapping[str, str]
"""A stored row: texts by header."""


@final
@dataclass(frozen=True, slots=True)
class Mismatch:
    """A stored cell that no longer holds.

    Parameters
    ----------
    table : str
        Name of the table.
    row : str
        Keys of the row, such as "epsilon = 0.1".
    column : str
        Header of the column.
    stored, right : str
        What the file has, and what it must have.
    difference : str
        Stored less right; empty where one of them is no number.
    """

    table: str
    row: str
    column: str
    stored: str
    right: str
    difference: str

    def __str__(self) -> str:
        """Say it in one line."""
        off = f", difference {self.difference}" if self.difference else ""
        stored = self.stored or "nothing"
        return (
            f"{self.table}, {self.row}, column {self.column!r}: "
            f"stored {stored}, right {self.right or 'nothing'}{off}"
        )


def claims_text(row: Row, columns: Sequence[Column]) -> str:
    """Claims of a row's cells: "name: ID ID; name: ID"."""
    pairs = zip(columns, row.cells, strict=True)
    return "; ".join(f"{c.name}: {' '.join(cell.claims)}" for c, cell in pairs if cell.claims)


def write_csv(built: Built, ends: Mapping[str, Sequence[tuple[str, str]]] | None = None) -> str:
    """Write a table with a header line.

    Parameters
    ----------
    built : Built
        The table.
    ends : mapping, optional
        Measured intervals by column: lower and upper end for each row, empty where there are none.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    headers = [f"{name}{end}" for name in ends or () for end in EMPIRICAL]
    writer.writerow([*built.table.headers, *headers, CLAIMS, ROW])
    for k, row in enumerate(built.rows):
        texts = [text for cell in row.cells for text in cell.texts]
        texts += [text for found in (ends or {}).values() for text in found[k]]
        claims, number = claims_text(row, built.table.columns), row_text(k + 1, len(built.rows))
        writer.writerow([*row.keys, *texts, claims, number])
    return out.getvalue()


def read_stored(table: Table, text: str, source: str) -> list[Record]:
    """Read a stored table.

    Parameters
    ----------
    table : Table
        Which table it is.
    text : str
        Content of the file.
    source : str
        Its name, for messages.

    Raises
    ------
    InvalidData
        If it is no CSV, a column is missing, unknown or named twice, a row has more or fewer cells
        than the header, or there is no row.
    """
    limit = csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))  # long vectors
    try:
        lines = [row for row in csv.reader(io.StringIO(text), strict=True) if row]
    except csv.Error as exc:
        msg = f"{source} cannot be read: {exc}"
        raise InvalidData(msg) from exc
    finally:
        csv.field_size_limit(limit)
    if not lines:
        msg = f"{source} has no header line"
        raise InvalidData(msg)
    header, *rows = lines
    wanted = [*table.headers, CLAIMS, ROW]
    beside = [*(column.name for column in table.columns), *(one.name for one in table.rivals)]
    allowed = {f"{name}{end}" for name in beside for end in EMPIRICAL}
    missing = [name for name in wanted if name not in header]
    unknown = [name for name in header if name not in wanted and name not in allowed]
    for names, fault in ((missing, "lacks the column"), (unknown, "has the unknown column")):
        if names:
            msg = f"{source} {fault} {names[0]!r}; the table {table.name} has: {', '.join(wanted)}"
            raise InvalidData(msg)
    if len(set(header)) != len(header):
        msg = f"{source} names a column twice"
        raise InvalidData(msg)
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            msg = f"{source}, row {number} has {len(row)} cells for {len(header)} columns"
            raise InvalidData(msg)
    if not rows:
        msg = f"{source} has a header and no rows"
        raise InvalidData(msg)
    return [dict(zip(header, row, strict=True)) for row in rows]


def compare(table: Table, records: Sequence[Record]) -> Iterator[Mismatch]:
    """Evaluate a table at the keys of stored rows, and yield what no longer holds.

    A number with fewer digits than the table writes holds if they are right.
    """
    for record in records:
        where = _where(table, record)
        point: dict[str, Any] = {}
        for key in table.keys:
            try:
                point[key.name] = key.read(record[key.name])
            except InvalidArgument as exc:
                yield Mismatch(table.name, where, key.name, record[key.name], str(exc), "")
        if len(point) < len(table.keys):
            continue
        try:
            row = table.stored_row(point, record)
        except InvalidArgument as exc:  # keys so large or small that no decimal is written
            first = table.keys[0].name
            yield Mismatch(table.name, where, first, record[first], str(exc), "")
            continue
        for column, cell in zip(table.columns, row.cells, strict=True):
            for header, right in zip(column.headers, cell.texts, strict=True):
                if not _holds(column, record[header], right):
                    off = _difference(record[header], right)
                    yield Mismatch(table.name, where, header, record[header], right, off)
            yield from _measured(table, column, cell, record, where)
        claims = claims_text(row, table.columns)
        if record[CLAIMS] != claims:
            yield Mismatch(table.name, where, CLAIMS, record[CLAIMS], claims, "")


def compare_rows(table: Table, records: Sequence[Record]) -> Iterator[Mismatch]:
    """Yield rows of a whole file that are missing, or one too many."""
    for place, stored, right in wrong_rows([record[ROW] for record in records]):
        where = f"row {right}" if place is None else _where(table, records[place])
        yield Mismatch(table.name, where, ROW, stored, right, "")


def _where(table: Table, record: Record) -> str:
    return ", ".join(f"{key.name} = {record[key.name]}" for key in table.keys)


def _holds(column: Column, stored: str, right: str) -> bool:
    """Whether a stored text is the right number, or that number rounded to fewer digits."""
    if stored == right:
        return True
    number, value = read_decimal(stored), read_decimal(right)
    if number is None or value is None:
        return False
    if number == value:
        return True
    if column.rounding is not Rounding.NEAREST or _digits(stored) >= _digits(right):
        return False
    lower, upper = printed_interval(stored)
    return lower <= value <= upper


def _digits(text: str) -> int:
    return len(Decimal(text).as_tuple().digits)


def _difference(stored: str, right: str) -> str:
    number, value = read_decimal(stored), read_decimal(right)
    if number is None or value is None:
        return ""
    return f"{float(number - value):.6g}"


def _measured(
    table: Table, column: Column, cell: Cell, record: Record, where: str
) -> Iterator[Mismatch]:
    """Compare a stored interval of the column, if there is one, with the number."""
    for end, sign, text in zip(EMPIRICAL, (1, -1), (cell.texts[-1], cell.texts[0]), strict=True):
        header = f"{column.name}{end}"
        stored = record.get(header, "")
        if not stored or not text:
            continue
        limit, value = read_decimal(stored), read_decimal(text)
        if limit is None or value is None or sign * limit > sign * value:
            word = "at most" if sign == 1 else "at least"
            off = _difference(stored, text)
            yield Mismatch(table.name, where, header, stored, f"{word} {text}", off)
