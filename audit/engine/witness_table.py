"""The witness of tables as one table: the rows of both, and which of them only one has."""

from __future__ import annotations

from collections.abc import Iterator

from audit.documents.document import DocumentTable, Row
from audit.documents.phrases import data_words
from audit.engine.witness.instead import ANOTHER, OTHERS
from audit.pairs.tables.reductions import matters
from audit.pairs.tables.split import Split, sizes_words
from audit.results.verdict import AuditResult, Witness
from audit.targets.tables import table_schema as tables
from audit.targets.tables.column import Column

__all__ = ["answers_words", "instead_words", "matter_rows", "side_words", "witness_table"]

MOST_ROWS = 10
"""Of the table: those of the unit that changes come first."""

BOTH, ONLY_DATA, ONLY_NEIGHBOR = "both", "data only", "neighbor only"
TAILS = ("output > ", "output < ", "output >= ", "output <= ")
"""What an event begins with that is a tail of one number."""

CAPTION = "Rows of the two tables"


def split_of(witness: Witness) -> Split | None:
    """Both tables, told apart; None where data sets are none."""
    data, neighbor = witness.data, witness.neighbor
    if isinstance(data, tables.Table) and isinstance(neighbor, tables.Table):
        return Split.of(data, neighbor)
    return None


def side_words(side: object) -> str:
    """A data set in one line; of a table how many rows it has."""
    if isinstance(side, tables.Table):
        return sizes_words(side.schema, side)
    return data_words(side)


def matter_rows(witness: Witness, depth: int = 0) -> Iterator[Row]:
    """Which columns are not at their simplest cell everywhere."""
    split = split_of(witness)
    if split is not None:
        names = matters(split)
        words = f"{', '.join(names)} are not at their simplest cells everywhere"
        if len(names) < 2:
            words = f"{names[0]} alone is not" if names else "all are"
            words += " at its simplest cell everywhere" if names else " at their simplest cells"
        yield Row("columns", words, depth)


def instead_words(witness: Witness) -> Iterator[str]:
    """What came in place of the event, where that or the event is more than a number."""
    of_number = witness.event.startswith(TAILS)
    if all(words in (ANOTHER, OTHERS) for found in witness.instead for words, _ in found):
        return
    for side, found in zip(("data", "neighbor"), witness.instead, strict=True):
        told = [one for one in found if _tells(one[0], len(found))]
        if told or (found and not of_number):
            each = (f"{count:,} times: {words}" for words, count in told or found)
            yield f"on the {side} {'; '.join(each)}"


def _tells(words: str, outcomes: int) -> bool:
    """Whether an outcome is a failure, a form, a text, or the only one."""
    tells = outcomes == 1 or words.startswith(("raises ", "is ", "has "))
    return tells and words not in (ANOTHER, OTHERS)


def answers_words(result: AuditResult) -> str:
    """Say that a release has no randomness, as far as is seen; "" where it has."""
    if not result.deterministic:
        return ""
    asked = "a fixed seed, a cache, or no noise?"
    if result.witness is None:
        return f"each data set gave one answer in all of its draws: {asked}"
    draws = f"each of {result.witness.draws:,} new draws"
    return f"{draws} of the data gave one answer, each of the neighbor one: {asked}"


def witness_table(witness: Witness) -> Iterator[DocumentTable]:
    """The rows of both tables, each once."""
    split = split_of(witness)
    if split is None:
        return
    lost, gained = split.changed
    rows = [
        *((ONLY_DATA, split.data.rows[i]) for i in lost),
        *((ONLY_NEIGHBOR, split.neighbor.rows[j]) for j in gained),
        *((BOTH, split.data.rows[i]) for i, _ in split.common),
    ]
    more = f" ({MOST_ROWS} of {len(rows)})" if len(rows) > MOST_ROWS else ""
    cells = [(where, *map(Column.shown, row)) for where, row in rows[:MOST_ROWS]]
    head = ("", *split.schema.names)
    widths = tuple(2 + max(map(len, column)) for column in zip(head, *cells, strict=True))
    yield DocumentTable(f"{CAPTION}{more}", head, tuple(cells), widths=widths)
