"""The witness of tables as one table: the rows of both, and which of them only one has."""

from __future__ import annotations

from typing import Any

from audit.pairs.tables.reductions import matters
from audit.pairs.tables.split import Split, sizes_words
from audit.results.refutation import TwoTables
from audit.targets.tables.column import Column
from audit.targets.tables.table_schema import Table

__all__ = ["two_tables"]

MOST_ROWS = 10
"""Of the table: those of the unit that changes come first."""

BOTH, ONLY_DATA, ONLY_NEIGHBOR = "both", "data only", "neighbor only"


def two_tables(data: Any, neighbor: Any) -> TwoTables | None:
    """Two tables told apart; None where data sets are none."""
    if not (isinstance(data, Table) and isinstance(neighbor, Table)):
        return None
    split = Split.of(data, neighbor)
    lost, gained = split.changed
    rows = [
        *((ONLY_DATA, data.rows[i]) for i in lost),
        *((ONLY_NEIGHBOR, neighbor.rows[j]) for j in gained),
        *((BOTH, data.rows[i]) for i, _ in split.common),
    ]
    return TwoTables(
        sizes_words(split.schema, data),
        sizes_words(split.schema, neighbor),
        tuple(matters(split)),
        split.schema.names,
        tuple((where, *map(Column.shown, row)) for where, row in rows[:MOST_ROWS]),
        len(rows),
    )
