"""The page of what is looked at of an answer, from the table that tests run."""

from __future__ import annotations

from collections.abc import Callable

from audit.draws.hidden_values import UNSEEN
from tests.edges.answers import DIFFER, HIDE, ONE, UNSEEN_FACES, AnswerRow

__all__ = ["answers_page"]

PAGE = """# What is looked at of an answer

**An answer is its values and their labels, in their order.** What a reader of the answer can
read without knowing the program is part of it. This page is made from a table that tests run:
of each kind they make two answers, one on the data and the other on the neighbor.

## Looked at

Two answers that differ in this are told apart: a run where they always do is REFUTED.

| kind | such as |
|---|---|
{differ}
What an audit makes of an answer are its *form*, in words, and its *leaves*, of which 256 are
looked at. A label that names a place (a key, a column, a field, a category, the name of an
axis) stands in the
form. A label that may be computed (an entry of an index) and the order of keys are leaves
behind the
values, so that noisy edges of bins are numbers. Durations are whole nanoseconds; months and years,
which have no fixed length, are texts. Labels 0, 1, 2 ... without a name are none.

Containers nest 16 levels. What is deeper shows no value; what holds itself, a leaf that says
so; of more than 16,384 parts in all layers the first are walked through.

## One answer

Two ways to write the same: they are never told apart.

| kind | such as |
|---|---|
{one}
Types are no face of an answer: 1 and 1.0, a list and a tuple, the type of an array or a column, the
unit of a duration. What a target prints or warns of is none of its answer.

## Not looked at

Two answers that differ in this alone are one. A report that found nothing says `not looked at:
...` where the face was there.

| kind | the report says |
|---|---|
{unseen}
Of a table whose rows are the draws, the index of the rows is not looked at either. Neither is the
text of an exception; a report says so where one was raised.

## Texts that hide values

An object that is none of the above is known by its text. An object that is equal to itself
alone shows nothing. Of others, the answers that are learned from are compared: where two of one
text are not equal by `==`, what they hold cannot be seen, and the run is INCONCLUSIVE. At most
16 draws a side in a block are looked through, and 120 comparisons made.

| kind | such as |
|---|---|
{hide}
"""


def answers_page() -> str:
    """The page of the docs."""

    def told(rows: tuple[AnswerRow, ...], second: Callable[[AnswerRow], str]) -> str:
        return "".join(f"| {row.kind} | `{second(row)}` |\n" for row in rows)

    return PAGE.format(
        differ=told(DIFFER, lambda row: row.shown),
        one=told(ONE, lambda row: row.shown),
        unseen=told(UNSEEN_FACES, lambda row: UNSEEN + row.note),
        hide=told(HIDE, lambda row: row.shown),
    )
