"""Guards for polars and pandera where neither is installed, by stand-ins for what is read of them.

`test_dataframes.py` has the libraries themselves, where they are. A stand-in has the names that our
code asks for, and no behavior; a thread is a real one, named as polars names its own.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from audit.draws.containment import cannot_fork, supervised
from audit.draws.supervisor import THREADS
from audit.targets.separation import CAN_FORK, has_pool_of_threads
from audit.targets.tables.schema_file import read_schema
from audit.targets.tables.table_forms import given
from audit.targets.tables.table_rows import table_of
from audit.targets.tables.table_schema import Form
from mechanisms.errors import InvalidArgument, MissingExtra
from tests.audit.screening.defects import clean_sum
from tests.audit.screening.releases import CARE, target_of

COLUMNS: dict[str, Any] = {
    "region": {"type": "category", "values": ["N", "S"], "nullable": True},
    "level": {"type": "category", "values": [0, 1]},
    "income": {"type": "float", "low": 0, "high": 1, "nullable": True},
    "age": {"type": "int", "low": 0, "high": 9, "nullable": True},
    "member": {"type": "bool"},
    "day": {"type": "date", "low": date(2020, 1, 1), "high": date(2021, 1, 1)},
    "note": {"type": "text"},
}
ROWS = [
    [None, 0, None, None, True, date(2020, 1, 1), "a"],
    ["N", 1, math.nan, 3, False, date(2020, 1, 2), "b"],
]
TYPES = ["String", "Int64", "Float64", "Int64", "Boolean", "Date", "String"]
"""Of these columns in polars, by their names."""


def _stand_in() -> Any:
    """A module whose frames keep what they were made of."""
    names = ("Float64", "Date", "Boolean", "Int64", "String")

    def series(name: str, cells: list[Any], *, dtype: str, strict: bool) -> Any:
        assert not strict
        return SimpleNamespace(name=name, cells=cells, dtype=dtype)

    return SimpleNamespace(**{name: name for name in names}, Series=series, DataFrame=list)


def test_types_of_a_frame_are_those_of_the_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold with rows and without, and that null and NaN are two things."""
    monkeypatch.setitem(sys.modules, "polars", _stand_in())
    schema = read_schema({"columns": COLUMNS, "takes": "polars"})
    for rows in ([], ROWS):
        made = given(table_of(schema, rows, "rows"))
        assert [column.name for column in made] == list(COLUMNS)
        assert [column.dtype for column in made] == TYPES
        assert [len(column.cells) for column in made] == [len(rows)] * len(COLUMNS)
    null, nan = made[2].cells
    assert null is None
    assert math.isnan(nan)


def test_a_library_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the message says what to install."""
    monkeypatch.setitem(sys.modules, "polars", None)
    table = table_of(read_schema({"columns": COLUMNS, "takes": "polars"}), ROWS, "rows")
    with pytest.raises(MissingExtra, match=r"takes='polars' needs polars .*pip install polars"):
        given(table)


@contextmanager
def thread_named(name: str) -> Iterator[None]:
    """A thread of this name, as the system has it."""
    ends, begun = threading.Event(), threading.Event()
    tasks: list[Path] = []

    def wait() -> None:
        tasks.append(Path(f"/proc/self/task/{threading.get_native_id()}"))
        (tasks[0] / "comm").write_text(name, encoding="utf-8")
        begun.set()
        ends.wait()

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    assert begun.wait(60)
    try:
        yield
    finally:
        ends.set()
        thread.join()
        while tasks[0].exists():  # the system ends it after Python has
            time.sleep(0.001)


@pytest.mark.skipif(not Path("/proc/self/task").exists() or not CAN_FORK, reason="it is not Linux")
@pytest.mark.parametrize(
    ("name", "takes", "why"),
    [("polars-0", "polars", THREADS), ("polars-0", "records", ""), ("other-0", "polars", "")],
    ids=["its threads", "another form", "other threads"],
)
def test_threads_that_no_fork_copies_are_seen(name: str, takes: str, why: str) -> None:
    """It must hold of targets that get frames of polars alone, and of its threads alone."""
    if has_pool_of_threads():
        pytest.skip("polars has run a query in this process")
    schema = read_schema({"columns": COLUMNS, "takes": takes})
    target = target_of(clean_sum, schema=schema)
    with thread_named(name):
        assert has_pool_of_threads() is name.startswith("polars")
        assert cannot_fork(target) == why
        with supervised(target, CARE) as (drawn, notes):
            assert (drawn is target) is bool(why)
            assert any(THREADS in note for note in notes()) is bool(why)
    assert cannot_fork(target) == ""


def _of(module: str, name: str, base: type = object) -> Any:
    """A class that says it is of a module."""
    return type(name, (base,), {"__module__": module})


PolarsSchema = _of("polars.schema", "Schema", dict)
PanderaSchema = _of("pandera.api.pandas.container", "DataFrameSchema")


def _check(name: str, **statistics: Any) -> Any:
    return SimpleNamespace(name=name, statistics=statistics)


def _column(dtype: str, *checks: Any, **more: Any) -> Any:
    usual = {"nullable": False, "unique": False, "required": True}
    return SimpleNamespace(dtype=dtype, checks=checks, **(usual | more))


def _pandera(column: Any, **more: Any) -> Any:
    schema = PanderaSchema()
    schema.__dict__.update({"columns": {"income": column}, "metadata": None, **more})
    return schema


WITHIN = _check("in_range", min_value=0, max_value=1)


def test_a_schema_of_polars_says_types() -> None:
    """It must hold that a column which needs bounds is refused, and a type without a word."""
    schema = read_schema(PolarsSchema(member="Boolean", note="String"))
    assert schema.takes is Form.POLARS
    assert [column.type.value for column in schema.columns] == ["bool", "text"]
    assert all(column.nullable for column in schema.columns)
    with pytest.raises(InvalidArgument, match="column income needs low and high"):
        read_schema(PolarsSchema(income="Float64"))
    with pytest.raises(InvalidArgument, match=r"the type List\(Int64\) has no word here"):
        read_schema(PolarsSchema(income="List(Int64)"))


def test_checks_of_pandera_are_bounds() -> None:
    """It must hold of the tightest of them."""
    bounds = (_check("greater_than_or_equal_to", min_value=0.5), WITHIN)
    (column,) = read_schema(_pandera(_column("float64", *bounds, nullable=True))).columns
    assert (column.low, column.high, column.nullable) == (0.5, 1, True)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (_pandera(_column("float64", WITHIN, _check("str_length"))), "'str_length' has no word"),
        (_pandera(_column("float64", WITHIN, WITHIN)), "each once"),
        (
            _pandera(
                _column("float64", _check("in_range", min_value=0, max_value=1, include_min=False))
            ),
            "without its ends has no word",
        ),
        (_pandera(_column("float64", WITHIN, unique=True)), "it is unique has no word"),
        (_pandera(_column("float64", WITHIN, required=False)), "not required has no word"),
        (_pandera(_column("complex128")), "the type complex128 has no word"),
        (_pandera(_column("float64", WITHIN), checks=[WITHIN]), "checks of a whole schema"),
        (_pandera(_column("category")), "does not say which categories there are"),
    ],
    ids=["unknown", "twice", "open", "unique", "optional", "type", "whole", "categories"],
)
def test_what_has_no_word_is_refused(schema: Any, message: str) -> None:
    """It must hold of each: data that it excludes may break a claim that is kept."""
    with pytest.raises(InvalidArgument, match=message):
        read_schema(schema)
