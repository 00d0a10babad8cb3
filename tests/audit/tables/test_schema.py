"""Schemas: what a file or a mapping may say, and one sentence about what it may not."""

from __future__ import annotations

import copy
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from audit.targets.tables.column import ColumnType
from audit.targets.tables.proposal import proposal
from audit.targets.tables.schema_file import read_schema
from audit.targets.tables.table_rows import table_of
from audit.targets.tables.table_schema import Form
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument, InvalidData
from tests.audit.tables.sql_releases import PEOPLE

TEXT = """\
relation = "swap"
unit = "person"
max_rows_per_unit = 2
[columns.person]
type = "id"
[columns.born]
type = "date"
low = 1900-01-01
high = 2020-12-31
[columns.bought]
type = "bool"
nullable = true
"""


def test_a_file_of_toml_is_read(tmp_path: Path) -> None:
    """It must hold that its words are those of the schema."""
    file = tmp_path / "people.toml"
    file.write_text(TEXT)
    schema = read_schema(file)
    assert schema.relation is Relation.SWAP
    assert (schema.unit, schema.max_rows_per_unit, schema.takes) == ("person", 2, Form.PANDAS)
    assert [c.type for c in schema.columns] == [ColumnType.ID, ColumnType.DATE, ColumnType.BOOL]
    assert schema.columns[1].high == date(2020, 12, 31)
    assert schema.source == str(file)


WRONG: dict[str, tuple[tuple[str, ...], Any, str]] = {
    "unknown key": (("units",), 3, "unknown key 'units'; close: unit"),
    "no key is near": (("wxyz",), 3, "unknown key 'wxyz'; known: "),
    "no columns": (("columns",), {}, "columns must be a table"),
    "unit": (("unit",), "persons", "unit must be one of the columns"),
    "relation": (("relation",), "listed", "relation must be one of add-remove, swap"),
    "rows": (("max_rows_per_unit",), 0, "max_rows_per_unit must be an integer from 1"),
    "true": (("max_units",), True, "max_units must be an integer from 1"),
    "label": (("label",), "sold", "label must be one of the columns"),
    "takes": (("takes",), "panda", "takes must be one of pandas"),
    "no label": (("takes",), "sklearn", "takes='sklearn' needs a label in the schema"),
    "many values": (("takes",), "values", "takes='values' needs one column besides the unit's"),
    "type": (("columns", "age", "type"), "integer", "columns.age: type must be one of"),
    "bound": (("columns", "age", "low"), 0.5, "columns.age: low must be an integer: got low=0.5"),
    "nan": (("columns", "income", "low"), float("nan"), "low must be a finite number"),
    "missing": (("columns", "income", "low"), None, "columns.income: low must be a finite number"),
    "order": (("columns", "age", "low"), 100, "columns.age: low must not exceed high"),
    "values": (("columns", "region", "values"), [], "columns.region: values must be a list"),
    "mixed": (("columns", "region", "values"), ["N", 1], "columns.region: values must be a list"),
    "twice": (("columns", "region", "values"), ["N", "N"], "columns.region: values must differ"),
    "meaning": (("columns", "region", "low"), 0, "low has no meaning for the type 'category'"),
    "ids": (("columns", "age"), {"type": "id"}, "the column of the unit, and no other"),
    "null id": (("columns", "person", "nullable"), True, "nullable has no meaning for the type"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_one_sentence(case: str) -> None:
    """It must hold of every word; the same schema without it is read."""
    words = copy.deepcopy(PEOPLE)
    read_schema(words)
    (*path, last), value, message = WRONG[case]
    table = words
    for key in path:
        table = table[key]
    table[last] = value
    if value is None:
        del table[last]
    with pytest.raises(InvalidArgument) as told:
        read_schema(words)
    assert message in str(told.value)
    assert "\n" not in str(told.value)


def test_rows_need_a_unit() -> None:
    """It must hold that several rows of a unit need the column that says whose they are."""
    words = copy.deepcopy(PEOPLE)
    del words["unit"], words["columns"]["person"]
    with pytest.raises(InvalidArgument, match="max_rows_per_unit needs unit"):
        read_schema(words)


CSV = """\
person,region,income,born,bought,note
7,N,0.5,1990-01-31,true,
7,S,0.25,1990-01-31,false,x
8,W,,2001-05-05,true,"a, b"
"""


def test_a_proposal_is_read_when_it_was_looked_at(tmp_path: Path) -> None:
    """It must hold that nothing uses bounds of the data silently: the line must go first."""
    data, file = tmp_path / "people.csv", tmp_path / "people.toml"
    data.write_text(CSV)
    text = proposal(data, "person")
    file.write_text(text)
    with pytest.raises(InvalidData, match="proposed from data that may be private"):
        read_schema(file)
    file.write_text(text.replace("proposed = true\n", "", 1))
    schema = read_schema(file)
    assert [c.type.value for c in schema.columns] == [
        *("id", "category", "float", "date", "bool", "category")
    ]
    income = schema.columns[2]
    assert (income.low, income.high, income.nullable) == (0.25, 0.5, True)
    assert schema.max_rows_per_unit == 2
    table = table_of(schema, data, "the data")
    assert table.rows[2] == (8, "W", None, date(2001, 5, 5), True, "a, b")
    assert not schema.fault(table)
    assert not schema.strange(table)


def test_names_of_a_file_cannot_add_lines(tmp_path: Path) -> None:
    """It must hold that a column's name is no more than a name in the proposal."""
    data = tmp_path / "odd.csv"
    data.write_text('"a\nproposed = false\nb","c.d"\n1,2\n')
    text = proposal(data, "a\nproposed = false\nb")
    assert [line for line in text.splitlines() if line.startswith("proposed")] == [
        "proposed = true"
    ]
    file = tmp_path / "odd.toml"
    file.write_text(text.replace("proposed = true\n", "", 1))
    assert read_schema(file).names == ("a\nproposed = false\nb", "c.d")


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("7,N,much", "row 1 (line 2): column income is of type float, got 'much'"),
        ("7,N", "line 2 has 2 cells for 3 columns"),
        (",N,0.5", "column person is of type id"),
    ],
)
def test_a_cell_of_another_type_is_named(cells: str, message: str, tmp_path: Path) -> None:
    """It must hold that the message has row and column."""
    words = copy.deepcopy(PEOPLE)
    del words["columns"]["age"]
    data = tmp_path / "people.csv"
    data.write_text(f"person,region,income\n{cells}\n")
    with pytest.raises(InvalidData) as told:
        table_of(read_schema(words), data, str(data))
    assert message in str(told.value)
