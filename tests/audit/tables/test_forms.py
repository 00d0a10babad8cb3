"""What a target gets of a table holds what the table holds."""

from __future__ import annotations

import builtins
import math
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import audit
from audit.pairs.literal import imports_of, literal
from audit.targets.tables.schema_file import read_schema
from audit.targets.tables.table_forms import as_csv, given
from audit.targets.tables.table_rows import table_of
from audit.targets.tables.table_schema import Form, Schema, Table

WORDS: dict[str, Any] = {
    "label": "bought",
    "columns": {
        "region": {"type": "category", "values": ["N", "S"], "nullable": True},
        "income": {"type": "float", "low": 0, "high": 1},
        "age": {"type": "int", "low": 0, "high": 99},
        "born": {"type": "date", "low": date(1900, 1, 1), "high": date(2020, 1, 1)},
        "bought": {"type": "bool"},
        "note": {"type": "text"},
    },
}
ROWS = (
    ("N", 0.5, 20, date(1990, 1, 31), True, 'a, "b"'),
    ("?", -0.0, 2**53 + 1, date(1, 1, 1), False, ""),
    ("S", math.inf, 0, date(9999, 12, 31), True, "x\ny"),
)
NULLS = (*ROWS, (None, math.nan, None, None, False, "\0"))


def table(form: Form, rows: Any) -> Table:
    """A table that is given in a form."""
    return Table(replace(read_schema(WORDS), takes=form), rows)


@pytest.mark.parametrize("form", [Form.PANDAS, Form.RECORDS, Form.NUMPY], ids=str)
def test_a_form_holds_every_cell(form: Form) -> None:
    """It must hold that rows without nulls can be read again as they were, and an empty table."""
    for rows in (ROWS, ()):
        before = table(form, rows)
        assert table_of(before.schema, given(before), "again").key == before.key


def test_records_and_csv_hold_nulls_too(tmp_path: Path) -> None:
    """It must hold that null and NaN are two things there, as they are in a table."""
    before = table(Form.RECORDS, NULLS)
    assert table_of(before.schema, given(before), "again").key == before.key
    file = tmp_path / "rows.csv"
    file.write_text(as_csv(before), newline="")
    words = {**WORDS, "columns": {**WORDS["columns"]}}
    again = table_of(read_schema(words), file, "again")
    assert again.key == before.key


def test_pandas_has_its_own_nulls() -> None:
    """It must hold that columns keep their types, and nulls are what pandas has for them."""
    frame = given(table(Form.PANDAS, NULLS))
    assert frame["income"].dtype == np.float64
    assert frame["bought"].dtype == bool
    assert np.issubdtype(frame["born"].dtype, np.datetime64)
    assert frame.isna().to_numpy().sum() == 4
    assert given(table(Form.PANDAS, ROWS))["age"].dtype == np.int64
    x, y = given(table(Form.SKLEARN, ROWS))
    assert list(x.columns) == ["region", "income", "age", "born", "note"]
    assert list(y) == [True, False, True]


@pytest.mark.parametrize("form", [Form.PANDAS, Form.RECORDS, Form.NUMPY, Form.CSV], ids=str)
def test_the_literal_of_a_table_is_what_the_target_gets(form: Form) -> None:
    """It must hold of a script that repeats a finding."""
    before = table(form, ROWS)
    text = literal(before)
    names: dict[str, Any] = {"np": np}
    exec("\n".join(["import datetime", *imports_of(text)]), names)
    again = eval(text, names)
    after = given(before)
    if form is Form.PANDAS:
        pd.testing.assert_frame_equal(again, after)
    else:
        assert np.array_equal(again, after) if form is Form.NUMPY else again == after


def test_a_library_that_is_missing_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold of Arrow and of pandas, before the first draw; records need neither."""
    whole = builtins.__import__

    def without(name: str, *others: Any) -> Any:
        if name in ("pandas", "pyarrow"):
            msg = f"No module named {name!r}"
            raise ImportError(msg)
        return whole(name, *others)

    monkeypatch.setattr(builtins, "__import__", without)
    for form, library in ((Form.ARROW, "pyarrow"), (Form.PANDAS, "pandas")):
        with pytest.raises(audit.MissingExtra) as told:
            given(table(form, ()))
        assert library in str(told.value)
        assert "pip install 'touchstone-dp[tables]'" in str(told.value)
        assert "\n" not in str(told.value)
    assert given(table(Form.RECORDS, ())) == []


def test_arrow_holds_every_cell() -> None:
    """It must hold of all rows, those with nulls too, where pyarrow is installed."""
    pytest.importorskip("pyarrow", reason="the extra `tables` has pyarrow")
    before = table(Form.ARROW, NULLS)
    assert table_of(before.schema, given(before), "again").key == before.key


def test_a_schema_of_data_is_no_schema_of_numbers() -> None:
    """It must hold that a row of too few cells is named with its place."""
    schema: Schema = read_schema(WORDS)
    with pytest.raises(audit.InvalidData, match="row 1 must have 6 cells"):
        table_of(schema, [["N"]], "the data")
