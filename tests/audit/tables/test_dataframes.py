"""Frames of polars as what a target gets, and schemas of pandera and polars as schemas."""

from __future__ import annotations

import datetime
import math
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.cli import main
from audit.pairs.literal import imports_of, literal
from audit.results.verdict import Verdict
from audit.suite.exit_status import Exit
from audit.targets.tables.schema_file import read_schema
from audit.targets.tables.table_forms import given
from audit.targets.tables.table_rows import table_of
from audit.targets.tables.table_schema import Form, Table
from mechanisms.claims import Relation
from tests.user_files import imports_restored

try:
    import polars as pl
except ImportError:
    pl = None


@pytest.fixture(autouse=True)
def _installed() -> None:
    """Skip where there is no polars."""
    pytest.importorskip("polars", reason="polars is not installed")


COLUMNS: dict[str, Any] = {
    "person": {"type": "id"},
    "region": {"type": "category", "values": ["N", "S"], "nullable": True},
    "income": {"type": "float", "low": 0, "high": 1, "nullable": True},
    "age": {"type": "int", "low": 18, "high": 2**63 - 1},
    "member": {"type": "bool"},
    "day": {
        "type": "date",
        "low": datetime.date(2020, 1, 1),
        "high": datetime.date(2021, 1, 1),
        "nullable": True,
    },
}
PEOPLE = {
    "relation": "add-remove",
    "unit": "person",
    "max_rows_per_unit": 3,
    "takes": "polars",
    "columns": COLUMNS,
}
ROWS = (
    (1, "N", 0.5, 20, True, datetime.date(2020, 1, 1)),
    (1, None, None, 2**63 - 1, False, None),
    (2, "?", math.nan, -1, True, datetime.date(1, 1, 1)),
)


def table(*rows: Any) -> Table:
    """Rows of people."""
    return Table(read_schema(PEOPLE), rows)


def test_a_frame_has_the_cells_of_its_table() -> None:
    """It must hold of null and NaN, which differ, of a cell beyond 64 bits, and of no rows."""
    frame = given(table(*ROWS))
    assert type(frame) is pl.DataFrame
    assert repr(table_of(read_schema(PEOPLE), frame, "frame").rows) == repr(ROWS)
    assert repr(table_of(read_schema(PEOPLE), frame.lazy(), "frame").rows) == repr(ROWS)
    assert frame["income"].null_count() == 1
    assert frame["income"].is_nan().sum() == 1
    empty = given(table())
    assert empty.columns == list(COLUMNS)
    assert empty.schema == given(table(ROWS[0])).schema
    named = given(table_of(read_schema(PEOPLE), [["x", *ROWS[0][1:]], [*ROWS[0]]], "rows"))
    assert named["person"].to_list() == ["x", "1"]


def test_the_text_of_a_frame_is_that_frame() -> None:
    """It must hold under its imports, and that the text can be read."""
    for rows in ((), ROWS[:1], ROWS):
        frame = given(table(*rows))
        text = literal(frame)
        names: dict[str, Any] = {}
        exec("\n".join(["import numpy as np", *imports_of(text)]), names)
        again = eval(text, names)
        assert again.equals(frame, null_equal=True)
        assert again.schema == frame.schema
        assert text.startswith("pl.DataFrame(")
        assert "pickle" not in text


def counted(frame: Any, size: int, rng: Any) -> Any:
    """Rows of a frame, with noise for one of a person who may have three."""
    return frame.lazy().select(pl.len()).collect().item() + rng.laplace(size=size)


def test_a_release_of_frames_is_refuted_from_its_schema() -> None:
    """It must hold without a pair, with a script that makes both frames."""
    result = audit.audit(counted, epsilon=1, schema=PEOPLE, ideal=True, seed=1)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert "import polars as pl" in result.witness.rerun
    assert "pl.DataFrame(" in result.witness.rerun


CLEAN = """
import numpy as np
import polars as pl

import audit
from tests.audit.tables.test_dataframes import PEOPLE


def total(frame, size, rng):
    if not len(frame):
        return rng.laplace(scale=3, size=size)
    rows = frame.lazy().filter(pl.col("age") > 0).select(pl.len()).collect().item()
    return rows + rng.laplace(scale=3, size=size)


if QUERY:
    pl.DataFrame({"a": [1]}).lazy().select(pl.len()).collect()
words = {"epsilon": 1, "schema": PEOPLE, "ideal": True, "seed": 1, "budget_samples": 3_000}
try:
    print(audit.audit(total, **words, timeout=3, screen=0, takes=TAKES))
except audit.InvalidArgument as fault:
    print(fault)
"""


@pytest.mark.parametrize(
    ("query", "takes", "said"),
    [
        (True, "polars", "polars has threads here"),
        (False, "polars", "budget 3,000"),
        pytest.param(
            True, "pandas", "no answer in 3 s: polars has threads", marks=pytest.mark.slow
        ),
    ],
    ids=["query before", "no query", "within"],
)
def test_threads_of_polars_that_no_fork_copies_are_no_outcome(
    query: bool, takes: str, said: str, tmp_path: Path
) -> None:
    """It must hold that a frame without rows, which needs none of them, tells no data apart."""
    import subprocess
    import sys

    code = CLEAN.replace("QUERY", str(query)).replace("TAKES", repr(takes))
    if takes == "pandas":
        code = code.replace("rows = frame", "rows = pl.from_pandas(frame[['age']])")
    (tmp_path / "run.py").write_text(code)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "run.py")],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    printed = " ".join(done.stdout.split())
    assert said in printed
    assert "REFUTED" not in printed
    assert ("polars has threads" in printed) is query


def test_what_is_not_installed_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that it is missed before anything is drawn."""
    import sys

    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(audit.TouchstoneError, match="takes='polars' needs polars"):
        audit.audit(counted, epsilon=1, schema=PEOPLE, seed=1)


def test_a_schema_of_polars_says_types_and_categories() -> None:
    """It must hold where no column needs bounds; where one does, the message says what to do."""
    schema = read_schema(pl.Schema({"region": pl.Enum(["N", "S"]), "member": pl.Boolean}))
    assert schema.takes is Form.POLARS
    assert schema.columns[0].values == ("N", "S")
    assert not schema.columns[0].unseen
    with pytest.raises(audit.InvalidArgument, match="column income needs low and high"):
        read_schema(pl.Schema({"income": pl.Float64}))
    with pytest.raises(audit.InvalidArgument, match=r"the type List\(Int64\) has no word here"):
        read_schema(pl.Schema({"income": pl.List(pl.Int64)}))


@pytest.fixture(params=["pandas", "polars"])
def pandera(request: pytest.FixtureRequest) -> Any:
    """The door of pandera for either library."""
    reason = "pandera is not installed"
    return pytest.importorskip(f"pandera.{request.param}", reason=reason)


def people(pandera: Any, **more: Any) -> Any:
    """People as pandera has them."""
    check, column = pandera.Check, pandera.Column
    dates = "datetime64[ns]" if pandera.__name__.endswith("pandas") else pl.Date
    first, last = datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)
    if dates != pl.Date:
        import pandas as pd

        first, last = pd.Timestamp(first), pd.Timestamp(last)
    columns = {
        "person": column(int),
        "region": column(str, check.isin(["N", "S"]), nullable=True),
        "income": column(float, check.in_range(0, 1), nullable=True),
        "age": column(int, [check.ge(18), check.le(2**63 - 1)]),
        "member": column(bool),
        "day": column(dates, [check.ge(first), check.le(last)], nullable=True),
    }
    words = {key: word for key, word in PEOPLE.items() if key not in ("columns", "takes")}
    return pandera.DataFrameSchema({**columns, **more}, metadata={"touchstone": words})


def test_a_schema_of_pandera_says_the_same(pandera: Any) -> None:
    """It must hold of each column, and of the words that only ours has."""
    schema = read_schema(people(pandera))
    own = read_schema(PEOPLE)
    assert schema.columns == own.columns
    assert (schema.relation, schema.unit) == (Relation.ADD_REMOVE, "person")
    assert schema.max_rows_per_unit == 3
    assert schema.takes.value == pandera.__name__.rpartition(".")[2]


def test_a_model_of_pandera_is_a_schema(pandera: Any) -> None:
    """It must hold of a class."""

    class Income(pandera.DataFrameModel):  # type: ignore[misc,name-defined]
        income: float = pandera.Field(ge=0, le=1)

    schema = read_schema(Income)
    assert (schema.columns[0].low, schema.columns[0].high) == (0, 1)


def test_the_schema_of_the_page_is_one(pandera: Any) -> None:
    """It must hold of the block of docs/how-to/tables.md, for either library."""
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "tables.md").read_text()
    _, _, block = page.partition("```text\npeople = ")
    names: dict[str, Any] = {"pandera": pandera}
    exec("people = " + block.partition("```")[0], names)
    schema = read_schema(names["people"])
    assert [column.type.value for column in schema.columns] == ["id", "float"]
    assert schema.columns[1].nullable
    assert schema.max_rows_per_unit == 3


def odd(pandera: Any) -> dict[str, Any]:
    """Columns of pandera that have no word here, by what the message says."""
    check, column = pandera.Check, pandera.Column
    return {
        "the check 'greater_than' has": column(float, [check.gt(0), check.le(1)]),
        "the check 'in_range' without its ends has": column(
            float, check.in_range(0, 1, include_max=False)
        ),
        "the check '<lambda>' has": column(float, check(lambda values: values > 0)),
        "that it is unique has": column(int, [check.ge(0), check.le(1)], unique=True),
        "that it is not required has": column(bool, required=False),
        "low must be a finite number: it is missing": column(float),
    }


def test_what_has_no_word_is_refused(pandera: Any) -> None:
    """It must hold of each: data that a check excludes may break a claim that is kept."""
    for message, column in odd(pandera).items():
        with pytest.raises(audit.InvalidArgument) as told:
            read_schema(people(pandera, odd=column))
        assert message in str(told.value)
        assert "columns.odd" in str(told.value)


PROGRAM = """
import pandera.polars as pa

people = pa.DataFrameSchema(
    {"income": pa.Column(float, pa.Check.in_range(0, 1), nullable=True)},
    metadata={"touchstone": {"relation": "add-remove"}},
)
other = 3


def total(frame, size, rng):
    return (frame["income"].fill_nan(0).sum() or 0.0) + rng.laplace(size=size)
"""


def test_a_command_names_a_schema_of_pandera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of FILE.py:NAME; what is none is one line."""
    pytest.importorskip("pandera.polars", reason="pandera is not installed")
    (tmp_path / "release.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    words = ["audit", "release.py:total", "--epsilon", "1", "--ideal", "--seed", "1"]
    with imports_restored(tmp_path):
        assert main([*words, "--schema", "release.py:people"]) == Exit.REFUTED
        printed = capsys.readouterr().out
        assert "income outside of [0, 1]" in printed.replace("\n            ", " ")
        assert "--schema release.py:people" in printed
        assert main([*words, "--schema", "release.py:other"]) == Exit.USAGE
        assert "must be a schema of pandera or polars, got 3" in capsys.readouterr().err
