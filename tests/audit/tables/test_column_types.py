"""The type of a column follows from the schema, so that it tells nothing about a record."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pytest

import audit
from audit.results.verdict import Verdict
from audit.targets.tables.column import INTEGERS
from audit.targets.tables.schema_file import read_schema
from audit.targets.tables.table_forms import given
from audit.targets.tables.table_rows import table_of
from audit.targets.tables.table_schema import Form
from mechanisms.errors import InvalidArgument, InvalidData

NULLABLE: dict[str, tuple[dict[str, Any], Any]] = {
    "integers": ({"type": "int", "low": 0, "high": 9}, 1),
    "truth values": ({"type": "bool"}, True),
    "floats": ({"type": "float", "low": 0, "high": 1}, 0.5),
    "dates": (
        {"type": "date", "low": date(2020, 1, 1), "high": date(2021, 1, 1)},
        date(2020, 2, 1),
    ),
    "texts": ({"type": "text"}, "a"),
    "listed texts": ({"type": "category", "values": ["a", "b"]}, "a"),
    "listed integers": ({"type": "category", "values": [0, 1]}, 1),
    "listed truth values": ({"type": "category", "values": [False, True]}, True),
}
"""Words of a column, and a cell of it."""

FORMS = [Form.PANDAS, Form.POLARS, Form.NUMPY, Form.ARROW, Form.SKLEARN]


def _type(form: Form, words: dict[str, Any], rows: Any) -> str:
    """Type of the column in what a target gets."""
    if form in (Form.POLARS, Form.ARROW):
        pytest.importorskip({Form.POLARS: "polars", Form.ARROW: "pyarrow"}[form])
    columns = {"cell": words, "label": {"type": "bool"}}
    schema = replace(read_schema({"columns": columns}), takes=form, label="label")
    made = given(table_of(schema, [[row, True] for row in rows], "rows"))
    made = made[0] if form is Form.SKLEARN else made
    return str(made.schema.field("cell").type if form is Form.ARROW else made["cell"].dtype)


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("kind", list(NULLABLE))
def test_a_nullable_column_has_one_type(kind: str, form: Form) -> None:
    """It must hold without rows, with a null or without, and of nulls alone."""
    words, cell = NULLABLE[kind]
    tables = ([], [cell], [None], [cell, None], [cell, cell])
    found = {_type(form, {**words, "nullable": True}, rows) for rows in tables}
    assert len(found) == 1, found


def test_a_null_that_should_not_be_there_has_no_other_place() -> None:
    """It must hold that integers without nulls are integers, and floats where one is tried."""
    words = {"type": "int", "low": 0, "high": 9}
    assert [_type(Form.PANDAS, words, rows) for rows in ([], [1], [1, None])] == [
        "int64",
        "int64",
        "float64",
    ]


def by_type(frame: Any, size: int, rng: np.random.Generator) -> Any:
    """A count with noise; of a frame with another type of column it says so."""
    odd = 100 * (str(frame["cell"].dtype) != WANTED[type(frame).__module__.partition(".")[0]])
    first, second = rng.geometric(1 - np.exp(-1.0), size=(2, size))
    return len(frame) + odd + first - second


WANTED = {"pandas": "float64", "numpy": "float64"}
"""Of integers that may be null."""


@pytest.mark.long
@pytest.mark.parametrize("takes", ["pandas", "numpy"])
def test_a_release_that_reads_types_keeps_its_promise(takes: str) -> None:
    """It must hold of a column that may have nulls: they changed its type, and it was REFUTED."""
    columns = {"cell": {"type": "int", "low": 0, "high": 9, "nullable": True}}
    result = audit.audit(
        by_type,
        epsilon=1,
        schema={"relation": "add-remove", "takes": takes, "columns": columns},
        budget_samples=20_000,
        seed=1,
    )
    assert result.verdict is not Verdict.REFUTED, result.witness


@pytest.mark.long
@pytest.mark.parametrize("declared", [False, True], ids=["any", "declared"])
def test_it_breaks_on_a_null_that_should_not_be_there(
    declared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that the report names the null, and that a declared domain has none."""
    monkeypatch.setitem(WANTED, "pandas", "int64")
    result = audit.audit(
        by_type,
        epsilon=1,
        schema={
            "relation": "add-remove",
            "columns": {"cell": {"type": "int", "low": 0, "high": 9}},
        },
        domain="declared" if declared else "any",
        budget_samples=20_000,
        seed=1,
    )
    assert (result.verdict is Verdict.REFUTED) is not declared
    told = [(hint.option, "has a null in cell" in hint.text) for hint in result.warnings]
    assert (("--domain declared", True) in told) is not declared


def by_arrow(table: Any, size: int, rng: np.random.Generator) -> Any:
    """A count of rows, with noise."""
    return table.num_rows + rng.laplace(size=size)


@pytest.mark.long
def test_an_integer_of_more_than_64_bits_is_no_cell() -> None:
    """It must hold of bounds at the last ones, one beyond which no Arrow column holds.

    A target was said to raise OverflowError, where no table could be made for it.
    """
    pytest.importorskip("pyarrow")
    low, high = INTEGERS[0], INTEGERS[-1]
    for words in (
        {"type": "int", "low": low, "high": high},
        {"type": "category", "values": [low, high]},
    ):
        schema = {"relation": "add-remove", "takes": "arrow", "columns": {"cell": words}}
        column = read_schema(schema).columns[0]
        made = [x for x in column.outsiders().values() if x is not None]
        assert all(x in INTEGERS and x not in column.values for x in made)
        result = audit.audit(
            by_arrow, epsilon=1, schema=schema, ideal=True, budget_samples=3_000, seed=1
        )
        assert result.verdict is not Verdict.REFUTED, result.witness
        with pytest.raises(InvalidData, match="column cell is of type"):
            table_of(read_schema(schema), [[high + 1]], "rows")
    with pytest.raises(InvalidArgument, match="values must be integers of 64 bits"):
        read_schema({"columns": {"cell": {"type": "category", "values": [high + 1]}}})
