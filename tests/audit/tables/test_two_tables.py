"""The data sets of a witness as one table, in the report of the run and in a stored one."""

from __future__ import annotations

import pytest

from audit.engine.privacy_record import CODEC
from audit.engine.witness_table import matter_rows, side_words, witness_table
from audit.pairs.tables.two_tables import two_tables
from audit.results.refutation import Witness
from audit.targets.tables.schema_file import read_schema
from audit.targets.tables.table_rows import table_of
from tests.audit.tables.sql_releases import PEOPLE

SIMPLE = ["1", None, 0.0, 18]


def witness(rows: list[list[object]], *more: list[object]) -> Witness:
    """Of a table and the neighbor that has more rows, as a stored report has it."""
    schema = read_schema(PEOPLE)
    sides = [table_of(schema, each, "rows") for each in (rows, [*rows, *more])]
    words = ("a pair", *sides, "output > 1", "z > 1", "value", "data", 9, 1, 9, 1.0, "")
    made = Witness(*words, tables=two_tables(*sides))
    record = CODEC.write(Witness, made)
    read = CODEC.read(Witness, record, "the witness")
    assert isinstance(read, Witness)
    assert read.tables == made.tables
    return read


def test_rows_of_the_unit_that_changes_come_first() -> None:
    """It must hold of the text, with what is rich in words."""
    found = witness([SIMPLE], ["2", "W", 1.0, 18])
    (table,) = witness_table(found)
    assert table.caption == "Rows of the two tables"
    assert table.head == ("", "person", "region", "income", "age")
    assert [row[0] for row in table.rows] == ["neighbor only", "both"]
    assert table.rows[0][2:4] == ("'W'", "1")
    assert side_words(found) == ("1 person with 1 row", "2 persons with 2 rows")


@pytest.mark.parametrize(
    ("income", "region", "words"),
    [
        (0.5, "S", "region, income are not at their simplest cells everywhere"),
        (0.5, "N", "income alone is not at its simplest cell everywhere"),
        (0.0, "N", "all are at their simplest cells"),
    ],
)
def test_the_columns_that_matter_are_named(income: float, region: str, words: str) -> None:
    """It must hold of several, of one, and of none."""
    (row,) = matter_rows(witness([], ["1", region, income, 18]))
    assert row.text == words


def test_ten_rows_are_shown_and_counted() -> None:
    """It must hold of twelve; the last two are left out."""
    rows = [[str(i), "N", 0.0, 18] for i in range(11)]
    (table,) = witness_table(witness(rows, ["11", "N", 0.0, 18]))
    assert table.caption == "Rows of the two tables (10 of 12)"
    assert len(table.rows) == 10


def test_other_data_sets_are_no_tables() -> None:
    """It must hold of lists."""
    assert two_tables([1.0], [2.0]) is None
