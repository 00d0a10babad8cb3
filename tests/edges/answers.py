"""Kinds of answers: pairs that differ, pairs that are one answer, and faces that nobody looks at.

The page of the docs on what is looked at is made from this table, and the tests run it.
"""

from __future__ import annotations

import collections
import datetime as dt
import types
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import scipy.sparse as sp

from tests.edges import answer_objects as make
from tests.edges.answer_objects import (
    entries,
    frame,
    holding,
    masked,
    matrix,
    noted,
    series,
    structured,
)


class AnswerRow(NamedTuple):
    """A kind of answer: what it is called, how an answer looks, and two of them, made anew."""

    kind: str
    shown: str
    first: Callable[[], Any]
    second: Callable[[], Any]
    note: str = ""


def pairs(kind: str, shown: str, *answers: Any, note: str = "") -> AnswerRow:
    """A row of answers that no one changes."""
    return AnswerRow(kind, shown, lambda: answers[0], lambda: answers[1], note)


def beside(kind: str, shown: str, made: Callable[[str], Any], note: str) -> AnswerRow:
    """A row of answers with a text beside their values."""
    return AnswerRow(kind, shown, lambda: made("a"), lambda: made("b"), note)


DIFFER = (
    pairs("number", "1.5", 1.5, 2.5),
    pairs("integer beyond 2^53", "2**60", 2**60, 2**60 + 1),
    pairs("unsigned integer beyond 2^63", "uint64", np.uint64(2**63 + 1), np.uint64(2**63 + 3)),
    pairs("zero with a sign", "0.0", 0.0, -0.0),
    pairs("float of more digits", "longdouble", np.longdouble(1), 1 + np.longdouble(2.0**-60)),
    pairs("complex number", "1j", 1j, 2j),
    pairs(
        "complex number of more digits",
        "clongdouble",
        np.clongdouble(1),
        1 + np.clongdouble(2.0**-60),
    ),
    pairs("complex NaN", "complex(nan, 0)", complex(np.nan, 0), complex(0, np.nan)),
    pairs("Decimal", "Decimal('0.1')", Decimal("1e-30"), Decimal("2e-30")),
    pairs("Fraction", "Fraction(1, 3)", Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30)),
    pairs("truth value", "True", True, False),
    pairs("nothing, and the dots", "None", None, ...),
    pairs("text", "'yes'", "yes", "no"),
    pairs("text of numpy", "str_", np.str_("a"), np.str_("b")),
    pairs("text of a derived class", "Text('a')", make.Terse("a"), make.Terse("b")),
    pairs("text that is a number's", "'1' and 1", "1", 1),
    pairs("text with half a pair", r"'\udc80'", "\udc80", "\udc81"),
    pairs("long text", "'xx...'", "x" * 10**5 + "a", "x" * 10**5 + "b"),
    pairs("bytes", "b'a'", b"a", b"b"),
    pairs("bytes that may change", "bytearray(b'1')", bytearray(b"1"), bytearray(b"01")),
    pairs("memory", "memoryview(b'a')", memoryview(b"a"), memoryview(b"b")),
    pairs("record without fields", "np.void(b'a')", np.void(b"a"), np.void(b"b")),
    pairs(
        "text that reads as a number", "UserString('1')", *map(collections.UserString, ("1", "1.0"))
    ),
    pairs("number of a derived class", "Float(1.0)", make.Quiet(1.0), make.Quiet(2.0)),
    pairs(
        "number with a unit", "Amount(5, 'EUR')", make.Amount(5.0, "EUR"), make.Amount(5.0, "USD")
    ),
    pairs("path", "PurePath('a')", PurePosixPath("a"), PurePosixPath("b")),
    pairs("range", "range(3)", range(3), range(4)),
    pairs("member of an enumeration", "Level.LOW", make.Level.LOW, make.Level.HIGH),
    pairs("time of numpy", "datetime64", make.at(1), make.at(2)),
    pairs("time of pandas", "Timestamp", pd.Timestamp(1), pd.Timestamp(2)),
    pairs("date", "date(2020, 1, 1)", dt.date(2020, 1, 1), dt.date(2020, 1, 2)),
    pairs(
        "duration of numpy", "timedelta64(1, 's')", np.timedelta64(1, "s"), np.timedelta64(2, "s")
    ),
    pairs(
        "duration in months", "timedelta64(1, 'M')", np.timedelta64(1, "M"), np.timedelta64(1, "Y")
    ),
    pairs(
        "duration that is missing",
        "timedelta64('NaT')",
        np.timedelta64("NaT"),
        np.timedelta64(0, "s"),
    ),
    pairs("duration", "timedelta(1)", dt.timedelta(1), pd.Timedelta("1D1ns")),
    pairs(
        "array of durations", "array m8[s]", np.array([1, 2], "m8[s]"), np.array([1, 2], "m8[ms]")
    ),
    pairs("array of months", "array m8[M]", np.array([1], "m8[M]"), np.array([1], "m8[ns]")),
    pairs("list", "[1, 2]", [1, 2], [2, 1]),
    pairs("form of a list", "[[1], 2]", [[1], 2], [1, [2]]),
    pairs("named tuple", "Point(x=1)", make.Point(1.0), make.Place(1.0)),
    pairs("queue", "deque([1])", collections.deque([holding(1)]), collections.deque([holding(2)])),
    pairs("set", "{1, 2}", {1, 2}, {1, 3}),
    pairs("set of sets", "{frozenset({1})}", {frozenset({1})}, {frozenset({2})}),
    pairs("mapping", "{'a': 1}", {"a": 1}, {"a": 2}),
    pairs("keys", "{'a': 1}", {"a": 1}, {"b": 1}),
    pairs("order of keys", "{'a': 1, 'b': 2}", {"a": 1, "b": 2}, {"b": 2, "a": 1}),
    pairs("order of keys within", "[{...}]", [{"a": 1, "b": 2}, 0], [{"b": 2, "a": 1}, 0]),
    pairs("keys 1 and '1'", "{1: 0}", {1: 0}, {"1": 0}),
    pairs("Counter", "Counter('aab')", collections.Counter("aab"), collections.Counter("baa")),
    pairs(
        "OrderedDict",
        "OrderedDict(a=1)",
        *map(collections.OrderedDict, ([(1, 2), (3, 4)], [(3, 4), (1, 2)])),
    ),
    pairs(
        "view of a mapping", "{}.values()", {"a": holding(1)}.values(), {"a": holding(2)}.values()
    ),
    pairs(
        "namespace", "SimpleNamespace(a=1)", *(types.SimpleNamespace(a=holding(x)) for x in (1, 2))
    ),
    pairs("dataclass", "Fit(slope=1)", make.Fit(1.0), make.Fit(2.0)),
    pairs("object with slots", "Slotted(1)", make.Slotted(1.0), make.Slotted(2.0)),
    pairs("object that gives an array", "Tensor([1])", make.Tensor([1.0]), make.Tensor([2.0])),
    pairs("array", "array([1, 2])", np.array([1, 2]), np.array([2, 1])),
    pairs("shape of an array", "zeros((2, 3))", np.zeros((2, 3)), np.zeros((3, 2))),
    pairs("array without axes", "array(1.5)", np.array(1.5), np.array(2.5)),
    pairs("matrix", "matrix(...)", matrix(holding(1)), matrix(holding(2))),
    pairs(
        "array of objects",
        "array([...], object)",
        *(np.array([holding(x), 0], object) for x in (1, 2)),
    ),
    pairs(
        "names of a structured array",
        "array([(1, 2.0)])",
        structured("a", "b"),
        structured("a", "c"),
    ),
    pairs("record array", "recarray", *(structured("a", n).view(np.recarray) for n in "bc")),
    pairs(
        "where a mask is",
        "ma.array",
        np.ma.array([1.0, 2.0], mask=[False, True]),
        np.ma.array([1.0, 2.0], mask=[True, False]),
    ),
    pairs("values of a sparse matrix", "csr_matrix", entries((0, 1, 1.0)), entries((0, 1, 2.0))),
    pairs("places of a sparse matrix", "csr_matrix", entries((0, 1, 1.0)), entries((1, 0, 1.0))),
    pairs(
        "stored zero of a sparse matrix",
        "csr_matrix",
        entries((0, 1, 1.0)),
        entries((0, 1, 1.0), (1, 1, 0.0)),
    ),
    pairs(
        "labels of a Series",
        "Series([1], ['N'])",
        series([1.0], index=["N"]),
        series([1.0], index=["S"]),
    ),
    pairs(
        "labels of a Series: times",
        "Series",
        *(series([1.0], index=pd.to_datetime([x])) for x in (1, 2)),
    ),
    pairs("labels of a Series: intervals", "Series", make.cut(0.5), make.cut(0.6)),
    pairs("labels of a Series: levels", "Series", make.levels(1, 2), make.levels(1, 3)),
    pairs(
        "labels of a Series: numbers", "Series", series([1.0], index=[5]), series([1.0], index=[6])
    ),
    pairs("name of a Series", "Series(name='a')", series([1.0], name="a"), series([1.0], name="b")),
    pairs("name of the labels", "Index(name='u')", *(series([1.0]).rename_axis(x) for x in "uv")),
    pairs(
        "labels of a frame",
        "DataFrame",
        frame(n=[1, 2]).set_axis(["a", "b"]),
        frame(n=[1, 2]).set_axis(["a", "c"]),
    ),
    pairs(
        "labels of a frame of one row",
        "DataFrame",
        frame(n=[1]).set_axis(["N"]),
        frame(n=[1]).set_axis(["S"]),
    ),
    pairs(
        "labels that begin elsewhere", "frame.tail(2)", *(frame(n=[0] * n).tail(2) for n in (7, 9))
    ),
    pairs("columns 1 and '1'", "DataFrame", pd.DataFrame({1: [1, 2]}), pd.DataFrame({"1": [1, 2]})),
    pairs("order of columns", "DataFrame", frame(a=[1], b=[1]), frame(b=[1], a=[1])),
    pairs("name of the columns", "DataFrame", make.under("u"), make.under("v")),
    pairs(
        "integers beside floats in a frame",
        "DataFrame",
        *(frame(a=[2**60 + x], b=[0.5]) for x in (0, 1)),
    ),
    pairs("durations in a frame", "DataFrame", *(frame(a=[pd.Timedelta(x)]) for x in (1, 2))),
    pairs("categories", "Categorical", *(pd.Categorical(["a"], ["a", x]) for x in "bc")),
    pairs(
        "order of categories",
        "Categorical",
        *(pd.Categorical(["a"], ["a", "b"], ordered=x) for x in (True, False)),
    ),
    pairs(
        "categories of a Series", "Series", *(series(pd.Categorical(["a"], ["a", x])) for x in "bc")
    ),
    pairs(
        "categories of a column",
        "DataFrame",
        *(frame(k=pd.Categorical(["a"], ["a", x])) for x in "bc"),
    ),
    pairs("Index of pandas", "Index(['a'])", pd.Index(["a"], name="u"), pd.Index(["a"], name="v")),
    pairs("table of pyarrow", "pa.table", pa.table({"a": [1]}), pa.table({"b": [1]})),
    pairs("array of pyarrow", "pa.array", *(pa.array(holding(x)) for x in (1, 2))),
)
"""Two answers that differ in what is looked at."""

ONE = (
    pairs("order of a set", "{3, 1}", {8, 0}, {0, 8}),
    pairs(
        "formats of a sparse matrix",
        "csr and coo",
        *(kind([[0, 1.0]]) for kind in (sp.csr_matrix, sp.coo_matrix)),
    ),
    pairs(
        "entries of a place twice",
        "coo_matrix",
        entries((0, 1, 1.0), (0, 1, 1.0)),
        entries((0, 1, 2.0)),
    ),
    pairs(
        "units of durations", "1000 ms and 1 s", np.timedelta64(1000, "ms"), dt.timedelta(seconds=1)
    ),
    pairs("a year and 12 months", "timedelta64", np.timedelta64(1, "Y"), np.timedelta64(12, "M")),
    pairs("types of numbers", "1 and 1.0", 1, 1.0),
    pairs("types of sequences", "[1] and (1,)", [1], (1,)),
    pairs("types of arrays", "float32 and float64", np.ones(2, np.float32), np.ones(2)),
    pairs("types of mappings", "dict and Counter", {"a": 1}, collections.Counter("a")),
    pairs("types of texts", "'a' and str_('a')", "a", np.str_("a")),
    pairs("zeros behind a Decimal", "1.0 and 1.00", Decimal("1.0"), Decimal("1.00")),
    pairs(
        "rows from 0 on, written down",
        "Index([0, 1])",
        frame(n=[1, 2]),
        frame(n=[1, 2]).set_axis([0, 1]),
    ),
    pairs(
        "ways to store an array",
        "C and Fortran",
        np.zeros((2, 2)),
        np.asfortranarray(np.zeros((2, 2))),
    ),
)
"""Two ways to write one answer."""

UNSEEN_FACES = (
    beside(
        "attrs",
        "frame.attrs",
        lambda x: make.with_attrs(frame(n=[1]), x),
        "attrs of a DataFrame",
    ),
    beside(
        "attrs of a Series",
        "series.attrs",
        lambda x: make.with_attrs(series([1]), x),
        "attrs of a Series",
    ),
    AnswerRow(
        "data under a mask",
        "ma.array",
        lambda: masked(1.0),
        lambda: masked(2.0),
        "the data under the mask, and the fill value, of a masked array",
    ),
    AnswerRow(
        "fill value",
        "ma.array",
        lambda: masked(1.0),
        lambda: masked(1.0, 3.0),
        "the data under the mask, and the fill value, of a masked array",
    ),
    beside(
        "attributes of a derived list",
        "list",
        lambda x: noted(make.Listed([1.0]), x),
        "attributes of a Listed beside its values",
    ),
    beside(
        "attributes of a derived number",
        "float",
        lambda x: noted(make.Quiet(1.0), x),
        "attributes of a Quiet beside its values",
    ),
    beside(
        "attributes beside the fields",
        "dataclass",
        lambda x: noted(make.Fit(1.0), x),
        "attributes of a Fit beside its values",
    ),
    beside(
        "metadata",
        "pa.table",
        lambda x: pa.table({"a": [1]}).replace_schema_metadata({"k": x}),
        "metadata of a Table",
    ),
    beside(
        "categories of a column of pyarrow",
        "pa.table",
        lambda x: pa.table({"k": make.encoded("z", x)}),
        "categories of a column of a Table",
    ),
    beside(
        "categories of pyarrow",
        "pa.array",
        lambda x: make.encoded("z", x),
        "categories of a DictionaryArray",
    ),
    beside(
        "categories in chunks",
        "pa.chunked_array",
        lambda x: pa.chunked_array([make.encoded("z", x)]),
        "categories of a ChunkedArray",
    ),
    AnswerRow(
        "order of categories of pyarrow",
        "pa.array",
        lambda: make.encoded("z"),
        lambda: make.encoded("z", is_ordered=True),
        "categories of a DictionaryArray",
    ),
    beside(
        "categories within lists",
        "pa.array",
        lambda x: pa.ListArray.from_arrays(pa.array([0, 1]), make.encoded("z", x)),
        "categories of a ListArray",
    ),
    beside(
        "labels of an array with axes that have names",
        "DataArray",
        make.DataArray,
        "names, labels and attrs of a DataArray",
    ),
    AnswerRow(
        "what an object with an odd == holds",
        "Several()",
        lambda: make.Several([1, 2]),
        lambda: make.Several([2, 1]),
        "what a Several holds beside its text",
    ),
)
"""Two answers that differ where nobody looks, and how the report says so."""

HIDE = (
    AnswerRow(
        "object with a short text", "Short()", lambda: make.Short(1.0), lambda: make.Short(2.0)
    ),
    AnswerRow(
        "the same in a list",
        "[Short()]",
        lambda: [make.Short(1.0), 0],
        lambda: [make.Short(2.0), 0],
    ),
    AnswerRow(
        "the same in a set", "{Short()}", lambda: {make.Short(1.0)}, lambda: {make.Short(2.0)}
    ),
    AnswerRow(
        "the same as a key",
        "{Short(): 0}",
        lambda: {make.Short(1.0): 0},
        lambda: {make.Short(2.0): 0},
    ),
    AnswerRow("fitted model", "Model()", lambda: make.Model(1.0), lambda: make.Model(2.0)),
    AnswerRow("function", "lambda: 1", lambda: lambda: 1, lambda: lambda: 2),
    AnswerRow("generator", "(x for x in z)", lambda: iter([1]), lambda: iter([2])),
)
"""Two answers whose text hides what they hold: INCONCLUSIVE."""


def _rows() -> Iterator[tuple[str, AnswerRow]]:
    for word, rows in (("differ", DIFFER), ("one", ONE), ("unseen", UNSEEN_FACES), ("hide", HIDE)):
        for row in rows:
            yield word, row


ROWS = tuple(_rows())
"""All of them, with the word of their part of the table."""
