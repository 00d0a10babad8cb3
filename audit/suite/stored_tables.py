"""Stored tables: checked against the closed forms of the ledger, from the command line or the gate.

The name of a file is the name of its table: docs/reference/tables/variance.csv is `variance`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, final

from audit.files.bounded_json import MOST_BYTES, read_text
from audit.results.number_words import plural
from audit.suite.exit_status import Exit

if TYPE_CHECKING:
    from proofs_check.tables.storage import Mismatch, Record
    from proofs_check.tables.table import Table

__all__ = [
    "TableOutcome",
    "check_file",
    "check_files",
    "checked_record",
    "checked_text",
    "differing",
    "run_tables",
    "table_lines",
]

SHOWN = 5
"""Cells that a line of the gate names."""


@final
@dataclass(frozen=True, slots=True)
class TableOutcome:
    """A stored table, and which of its cells no longer hold."""

    name: str
    """The file."""
    table: str
    cells: int
    """Cells that were checked."""
    mismatches: tuple[Mismatch, ...] = field(metadata={"form": "mismatches"})
    status: Exit = field(metadata={"key": "exit_status"})
    """OK if there are none; INCONCLUSIVE if some digit cannot be decided."""
    seconds: float = field(metadata={"places": 3})
    """Time of the check."""
    reason: str = ""
    """Why it is inconclusive."""


def check_files(files: Sequence[str]) -> None:
    """Find out before a long run that a file is no stored table.

    Raises InvalidArgument if no table has the name of a file. Raises InvalidData if a file cannot
    be read, or has not the columns of its table.
    """
    for file in files:
        _read(file, None)


def run_tables(files: Sequence[str]) -> Iterator[TableOutcome]:
    """Check stored tables, one after the other."""
    for file in files:
        yield check_file(file)


def check_file(file: str, name: str | None = None) -> TableOutcome:
    """Evaluate a stored table again, at the keys of its rows.

    `file`: the stored table. `name`: which table it is; its file's name says it if None.
    """
    from proofs_check.enclosure import Undecided
    from proofs_check.tables.storage import compare, compare_rows

    started = time.perf_counter()
    table, records = _read(file, name)
    mismatches: list[Mismatch] = list(compare_rows(table, records))
    reason = ""
    try:
        mismatches.extend(compare(table, records))
    except Undecided as exc:
        reason = str(exc)
    status = Exit.INCONCLUSIVE if reason else Exit.OK
    return TableOutcome(
        file,
        table.name,
        sum(len(record) for record in records),
        tuple(mismatches),
        Exit.REFUTED if mismatches else status,
        time.perf_counter() - started,
        reason,
    )


def _read(file: str, name: str | None) -> tuple[Table, list[Record]]:
    from proofs_check.tables.registry import find_table
    from proofs_check.tables.storage import read_stored

    path = Path(file)
    table = find_table(path.stem if name is None else name)
    text = read_text(path, most=MOST_BYTES).removeprefix("\ufeff")
    return table, read_stored(table, text, file)


def checked_text(outcome: TableOutcome, shown: int) -> str:
    """Report of one stored table; of the cells that differ, at most `shown` are named."""
    if outcome.reason and not outcome.mismatches:
        return f"UNDECIDED: {outcome.name}\n{outcome.reason}\n"
    if not outcome.mismatches:
        return (
            f"HOLDS: {outcome.name}\n{plural(outcome.cells, 'cell')} of the table {outcome.table}, "
            f"evaluated again in {outcome.seconds:.1f} s\n"
        )
    lines = [f"DIFFERS: {outcome.name}", *map(str, outcome.mismatches[:shown])]
    return "\n".join([*lines, differing(outcome, shown)]) + "\n"


def table_lines(outcome: TableOutcome) -> tuple[str, ...]:
    """What a gate run says of a stored table in its line, and below it of what differs."""
    hold = "hold" if outcome.cells != 1 else "holds"
    words = outcome.reason or f"{plural(outcome.cells, 'cell')} {hold}"
    if outcome.mismatches:
        words = differing(outcome, SHOWN)
    return (words, *map(str, outcome.mismatches[:SHOWN]))


def differing(outcome: TableOutcome, shown: int) -> str:
    """Count the cells that differ."""
    count = len(outcome.mismatches)
    named = f"; {shown} of them named" if count > shown else ""
    verb = "differs" if count == 1 else "differ"
    return f"{count} of {outcome.cells} cells {verb}{named}"


def checked_record(outcome: TableOutcome) -> dict[str, object]:
    """Report of one stored table in that of a gate run."""
    return {
        "name": outcome.name,
        "table": outcome.table,
        "passed": outcome.status == 0,
        "exit_status": int(outcome.status),
        "seconds": round(outcome.seconds, 3),
        "cells": outcome.cells,
        "reason": outcome.reason,
        "mismatches": [
            {
                "row": one.row,
                "column": one.column,
                "stored": one.stored,
                "right": one.right,
                "difference": one.difference,
            }
            for one in outcome.mismatches
        ],
    }
