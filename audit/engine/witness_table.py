"""The witness of tables as one table: the rows of both, and which of them only one has."""

from __future__ import annotations

from collections.abc import Iterator

from audit.documents.phrases import data_words
from audit.engine.witness.instead import ANOTHER, OTHERS
from audit.results.document import DocumentTable, Row
from audit.results.refutation import Witness
from audit.results.sampled_result import AuditResult

__all__ = ["answers_words", "instead_words", "matter_rows", "side_words", "witness_table"]

TAILS = ("output > ", "output < ", "output >= ", "output <= ")
"""What an event begins with that is a tail of one number."""

CAPTION = "Rows of the two tables"


def side_words(witness: Witness) -> tuple[str, str]:
    """Both data sets, each in one line; of a table how many rows it has."""
    if witness.tables is not None:
        return witness.tables.data, witness.tables.neighbor
    return data_words(witness.data), data_words(witness.neighbor)


def matter_rows(witness: Witness, depth: int = 0) -> Iterator[Row]:
    """Which columns are not at their simplest cell everywhere."""
    if witness.tables is not None:
        names = witness.tables.hard
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
    told = witness.tables
    if told is None:
        return
    more = f" ({len(told.rows)} of {told.of})" if told.of > len(told.rows) else ""
    head = ("", *told.columns)
    widths = tuple(2 + max(map(len, column)) for column in zip(head, *told.rows, strict=True))
    yield DocumentTable(f"{CAPTION}{more}", head, told.rows, widths=widths)
