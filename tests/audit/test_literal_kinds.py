"""A data set of any kind as Python source: it comes back bit for bit, and without pickle."""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import math
import struct
import sys
import uuid
import zoneinfo
from typing import Any

import numpy as np
import pandas as pd
import pytest

from audit.pairs.literal import imports_of, key_text, literal

D = decimal.Decimal
BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
PAYLOAD = np.array([0x7FF8000000000123, 0x3FF0000000000000], dtype=np.uint64).view(np.float64)
RECORD = [("a", "i8"), ("b", "f8"), ("c", "U3")]

KINDS: dict[str, Any] = {
    "int": 1,
    "minus zero": -0.0,
    "NaN": math.nan,
    "negative NaN": -struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000001))[0],
    "infinite": -math.inf,
    "complex": complex(-0.0, math.nan),
    "text": "a\"b'\n",
    "bytes": b"\x00x",
    "range": range(1, 9, 2),
    "Decimal": D("1.10"),
    "Decimal NaN": D("NaN"),
    "Fraction": fractions.Fraction(1, 3),
    "date": datetime.date(2020, 1, 2),
    "date and time": datetime.datetime(2020, 1, 2, 3, tzinfo=datetime.UTC),
    "folded hour": datetime.datetime(2020, 10, 25, 2, 30, fold=1, tzinfo=BERLIN),
    "timedelta": datetime.timedelta(1, 2, 3),
    "UUID": uuid.UUID(int=3),
    "empty": np.array([]),
    "no rows": np.zeros((0, 2)),
    "beyond 2^53": np.array([2**63 - 1, -(2**63), 2**53 + 1]),
    "unsigned": np.array([0, 2**64 - 1], dtype=np.uint64),
    "specials": np.array([1.5, np.nan, -0.0, np.inf, -np.inf]),
    "payload": PAYLOAD,
    "big endian": np.array([1, 2], dtype=">i4"),
    "half": np.array([0.1], dtype=np.float16),
    "texts": np.array(["a", "bc"]),
    "bytes of numpy": np.array([b"a\x00b"]),
    "days": np.array(["2020-01-01", "NaT"], dtype="M8[D]"),
    "nanoseconds": np.array(["2020-01-01T00:00:00.123456789"], dtype="M8[ns]"),
    "durations": np.array([np.timedelta64("NaT"), 5], dtype="m8[s]"),
    "long doubles": np.array([1, 2], dtype=np.longdouble) / 3,
    "objects": np.array([None, "a", 1.5, [1, 2]], dtype=object),
    "objects in a table": np.array([[None, 1], ["x", 2]], dtype=object),
    "repeated rows": np.array([[1, 2], *[[3, 4]] * 9]),
    "no dimension": np.array(3.0),
    "records": np.array([(1, 2.5, "x"), (2, math.nan, "yy")], dtype=RECORD),
    "nested records": np.array([((1, 2.0),)], dtype=[("a", [("x", "i4"), ("y", "f4")])]),
    "records with arrays": np.array([(1, [1, 2])], dtype=[("a", "i8"), ("b", "f4", 2)]),
    "records with days": np.array([(1, "2020-01-01")], dtype=[("a", "i8"), ("b", "M8[D]")]),
    "recarray": np.rec.array([(1, 2.0)], dtype=[("a", "i8"), ("b", "f8")]),
    "masked": np.ma.array([1, 2, 3], mask=[False, True, False]),
    "float32": np.float32(0.1),
    "day": np.datetime64("2020-01-01"),
    "nested": {"a": [1, {"b": (1, D("2"))}], 3: {"c": {1}}},
    "ordered": collections.OrderedDict(a=1, b=2),
    "counter": collections.Counter("aab"),
    "deque": collections.deque([1, 2], 3),
    "frame": pd.DataFrame({"a": [1, 2], "b": ["x", None]}),
    "no columns": pd.DataFrame(index=range(3)),
    "no rows of a frame": pd.DataFrame({"a": [], "b": np.array([], dtype="M8[s]")}),
    "two names alike": pd.DataFrame([[1, 2]], columns=["a", "a"]),
    "names 1 and '1'": pd.DataFrame({1: [1], "1": [2]}),
    "levels of names": pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", 1)])),
    "categories": pd.DataFrame({"a": pd.Categorical(["x", None], ["y", "x"], ordered=True)}),
    "NaT": pd.Series(pd.to_datetime(["2020-01-01", None])),
    "time zone": pd.Series(pd.to_datetime(["2020-01-01", None]).tz_localize("Europe/Berlin")),
    "offset": pd.Series(pd.to_datetime(["2020-01-01"]).tz_localize("+02:00")),
    "timedeltas": pd.Series(pd.to_timedelta([1, None], unit="s")),
    "nullable": pd.Series([1, None], dtype="Int64"),
    "nullable truth": pd.Series([True, None], dtype="boolean"),
    "string": pd.Series(["a", None], dtype="string"),
    "str": pd.Series(["a", None], dtype="str"),
    "object column": pd.Series([D("1.1"), None, [1, 2]], dtype=object),
    "sparse": pd.Series(pd.arrays.SparseArray([0, 0, 1.5])),
    "periods": pd.Series(pd.period_range("2020-01", periods=3, freq="M")),
    "intervals": pd.Series(pd.interval_range(0, 3)),
    "large integers": pd.Series([2**62 + 1]),
    "levels": pd.Series([1, 2], index=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])),
    "dated rows": pd.Series([1, 2], index=pd.date_range("2020", periods=2, tz="UTC")),
    "named rows": pd.Series([1, 2], index=pd.Index(["a", "b"], name="x"), name=("n", 1)),
    "category rows": pd.Series([1], index=pd.CategoricalIndex(["a"])),
    "interval rows": pd.Series([1], index=pd.IntervalIndex.from_tuples([(0, 1)])),
    "timestamp": pd.Timestamp("2020-01-01 00:00:00.000000001", tz="UTC"),
    "missing": pd.NA,
}


def evaluated(text: str) -> Any:
    """What a script has."""
    names: dict[str, Any] = {"np": np}
    for line in imports_of(text):
        exec(line, names)
    return eval(text, names)


def looks(value: Any) -> Any:
    """All of a value that a target can see."""
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        mask = repr(np.ma.getmaskarray(value))
        return type(value), value.dtype, value.shape, value.tobytes(), mask
    if isinstance(value, float):
        return type(value), struct.pack("<d", value)
    index = getattr(value, "index", None)
    of_rows = (type(index), repr(index)) if isinstance(value, pd.DataFrame | pd.Series) else None
    return type(value), repr(value), repr(getattr(value, "dtypes", None)), of_rows


@pytest.mark.parametrize("name", KINDS)
def test_a_data_set_is_written_as_a_constructor(name: str) -> None:
    """It must hold that it comes back bit for bit, in the kind of object that it was."""
    text = literal(KINDS[name])
    assert "pickle" not in text
    assert "exit(" not in text
    assert looks(evaluated(text)) == looks(KINDS[name])


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_a_table_of_another_library_is_written_as_a_constructor(library: str) -> None:
    """It must hold of texts, dates, nulls, NaN, lists, decimals, and of no rows."""
    module = pytest.importorskip(library)
    when = datetime.datetime(2020, 1, 1, tzinfo=BERLIN)
    columns = {
        "a": [1, None],
        "b": ["x", "y"],
        "c": [1.5, math.nan],
        "d": [datetime.date(2020, 1, 1), None],
        "e": [when, when],
        "f": [[1, 2], None],
        "g": [D("1.10"), D("2.00")],
        "h": [{"x": 1}, {"x": 2}],
    }
    make = module.DataFrame if library == "polars" else module.table
    for table in (make(columns), make({"a": columns["a"]})[:0]):
        again = evaluated(literal(table))
        assert "pickle" not in literal(table)
        assert again.schema == table.schema
        assert repr(again.to_pydict() if library == "pyarrow" else again.to_dicts()) == repr(
            table.to_pydict() if library == "pyarrow" else table.to_dicts()
        )


class Own:
    """Of a user's."""


@pytest.mark.parametrize(
    "value", [Own(), [lambda: None], {"a": (Own(),)}, sys], ids=["a", "b", "c", "d"]
)
def test_what_has_no_text_stops_the_script_in_one_sentence(value: Any) -> None:
    """It must hold, wherever it stands, and that the sentence names the pair's JSON."""
    with pytest.raises(SystemExit, match=r"has no text in Python: .*witness\.data") as caught:
        evaluated(literal(value))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) <= 300


def test_a_list_within_itself_stops_the_script() -> None:
    """It must hold that it is one sentence, too."""
    value: list[Any] = []
    value.append(value)
    with pytest.raises(SystemExit, match="more than 100 levels"):
        evaluated(literal(value))


def test_texts_tell_data_sets_apart() -> None:
    """It must hold of what has no source, by its pickle or its text; equal ones are equal."""
    assert key_text(fractions) != key_text(decimal)
    assert key_text({"a": 1.0}) == key_text({"a": 1.0}) != key_text({"a": -1.0})
    assert key_text(np.zeros(3)) != key_text(-np.zeros(3))
