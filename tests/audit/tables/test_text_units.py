"""Names of units are of one type in all tables of a run, in the empty one too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import audit
from audit.targets.tables.column import ColumnType
from audit.targets.tables.proposal import proposal
from audit.targets.tables.schema_file import read_schema
from audit.targets.tables.table_forms import given
from audit.targets.tables.table_rows import table_of, tables_of
from audit.targets.tables.table_schema import Form
from mechanisms.errors import InvalidArgument
from tests.slow import one_in

WORDS: dict[str, Any] = {
    "relation": "add-remove",
    "unit": "person",
    "columns": {"person": {"type": "id"}, "member": {"type": "bool"}},
}
TEXTS = {**WORDS, "columns": {**WORDS["columns"], "person": {"type": "id", "texts": True}}}
TEXT = str(pd.Series(["a"]).dtype)
"""`object`, or `str` from pandas 3 on."""
ROWS = [["ann", True], ["7", False], ["007", True]]


def _dtype(made: Any) -> str:
    """Type of the first column of what a target gets."""
    return str(
        made.schema.field("person").type if hasattr(made, "to_pylist") else made["person"].dtype
    )


@pytest.mark.parametrize("form", [Form.PANDAS, Form.POLARS, Form.NUMPY, Form.ARROW], ids=str)
@pytest.mark.parametrize("words", [WORDS, TEXTS], ids=["numbers", "texts"])
def test_an_empty_table_has_the_type_of_a_full_one(form: Form, words: dict[str, Any]) -> None:
    """It must hold of names that are numbers, and of texts; the two differ."""
    if form in (Form.POLARS, Form.ARROW):
        pytest.importorskip({Form.POLARS: "polars", Form.ARROW: "pyarrow"}[form])
    schema = replace(read_schema(words), takes=form)
    full = table_of(schema, [[1, True], [2, False]], "rows")
    empty = full.with_rows(())
    assert _dtype(given(full)) == _dtype(given(empty))
    assert ("int" in _dtype(given(empty)).lower()) == (words is WORDS)


@pytest.mark.parametrize("words", [{"type": "text"}, {"type": "category", "values": ["a", "b"]}])
def test_a_column_of_texts_has_one_type(words: dict[str, Any]) -> None:
    """It must hold without rows, of one text, and of nulls alone.

    A frame without rows had columns of objects in pandas 3, and `str` with one.
    """
    schema = read_schema({"columns": {"note": {**words, "nullable": True}}})
    tables = [table_of(schema, rows, "rows") for rows in ([], [["a"]], [[None]], [["a"], [None]])]
    assert {str(given(table)["note"].dtype) for table in tables} == {TEXT}


@pytest.mark.parametrize("form", list(Form), ids=str)
def test_one_text_makes_all_names_texts(form: Form) -> None:
    """It must hold of rows at hand in each form, and of units that are made beside them."""
    if form in (Form.POLARS, Form.ARROW):
        pytest.importorskip({Form.POLARS: "polars", Form.ARROW: "pyarrow"}[form])
    schema = replace(read_schema(WORDS), takes=form, label="member")
    table = table_of(schema, ROWS, "rows")
    assert [row[0] for row in table.rows] == ["ann", 7, "007"]
    more = table.with_rows([*table.rows, (1, True)])
    expected = ["ann", "7", "007", "1"]
    assert [row["person"] for row in more.tolist()] == expected
    if form is Form.VALUES:  # the cells alone, without names
        assert given(more) == [True, False, True, True]
        return
    if form in (Form.CSV, Form.JSON):
        names: list[object] = [line.split(",")[0] for line in given(more).splitlines()[1:]]
    else:
        made = given(more)
        made = made[0] if form is Form.SKLEARN else made
        plain = made.to_pylist() if form is Form.ARROW else made
        cells = [row["person"] for row in plain] if isinstance(plain, list) else plain["person"]
        names = list(cells)
    assert names == expected


def test_the_tables_of_a_pair_have_one_type() -> None:
    """It must hold where the texts stand in one of them, in either place."""
    schema = read_schema(WORDS)
    pairs: list[tuple[list[Any], list[Any]]] = [(ROWS, []), ([], ROWS), ([[7, True]], ROWS)]
    for sides in pairs:
        first, second = tables_of(schema, sides, "a pair")
        assert first.schema.has_text_units
        assert _dtype(given(first)) == _dtype(given(second)) == TEXT
    numbers = tables_of(schema, ([[7, True]], []), "a pair")
    assert [_dtype(given(table)) for table in numbers] == ["int64", "int64"]
    first, second = tables_of(schema, (ROWS[1:2], ROWS), "a pair")
    assert first.rows[0] == second.rows[1] == (7, False)


def test_a_witness_keeps_its_texts() -> None:
    """It must hold that renamed units are texts in the report, and read again the same."""
    schema = read_schema(WORDS)
    data, _ = tables_of(schema, (ROWS[:1], []), "a pair")
    assert data.tolist() == [{"person": "ann", "member": True}]
    renamed = data.with_rows([(1, True)])
    again, other = tables_of(schema, (renamed.tolist(), []), "again")
    assert again == renamed
    assert _dtype(given(again)) == _dtype(given(other)) == TEXT


def by_dtype(frame: Any, size: int, rng: np.random.Generator) -> Any:
    """A count with noise of a frame whose names are texts; of another frame it says so."""
    odd = 100 * (str(frame["person"].dtype) != TEXT)
    first, second = rng.geometric(1 - np.exp(-1.0), size=(2, size))
    return len(frame) + odd + first - second


@pytest.mark.long
@pytest.mark.parametrize("door", one_in(3, ["records", "file", "schema"]))
def test_a_release_that_reads_texts_keeps_its_promise(door: str, tmp_path: Path) -> None:
    """It must hold of rows at hand, of a CSV file, and of a schema that says it without rows.

    The empty table had a column of integers before, so that a sound release was REFUTED.
    """
    words = TEXTS if door == "schema" else WORDS
    data: Any = None
    if door == "records":
        data = [{"person": "ann", "member": True}]
    elif door == "file":
        data = str(tmp_path / "people.csv")
        Path(data).write_text("person,member\nann,true\n")
    result = audit.audit(
        by_dtype, epsilon=1, schema=words, data=data, budget_samples=20_000, seed=1
    )
    assert result.verdict != audit.Verdict.REFUTED, result.witness


@pytest.mark.long
def test_a_release_that_reads_numbers_is_found() -> None:
    """It must hold that the same release is REFUTED where a pair has other types."""
    result = audit.audit(
        lambda frame, size, rng: len(frame) + 100.0 * len(frame) + rng.laplace(size=size),
        epsilon=1,
        schema=TEXTS,
        budget_samples=20_000,
        seed=1,
    )
    assert result.verdict == audit.Verdict.REFUTED


def test_the_word_is_one_of_names_alone() -> None:
    """It must hold that another column has no use for it, and that it is true or false."""
    for column, value, message in (
        ("member", True, "columns.member: texts has no meaning for the type 'bool'"),
        ("person", 1, "columns.person: texts must be true or false, got texts=1"),
    ):
        columns = {**WORDS["columns"], column: {**WORDS["columns"][column], "texts": value}}
        with pytest.raises(InvalidArgument, match=message):
            read_schema({**WORDS, "columns": columns})


@pytest.mark.parametrize(("name", "texts"), [("7", False), ("007", True), ("ann", True)])
def test_a_proposal_says_it(name: str, texts: bool, tmp_path: Path) -> None:
    """It must hold of a file whose names are texts, and of none else."""
    data, file = tmp_path / "people.csv", tmp_path / "people.toml"
    data.write_text(f"person,member\n{name},true\n")
    file.write_text(proposal(data, "person").replace("proposed = true\n", "", 1))
    schema = read_schema(file)
    assert schema.columns[0].type is ColumnType.ID
    assert schema.has_text_units == texts
    assert table_of(schema, data, "the data").schema.has_text_units == texts
