"""Frames, series and tables of pandas, polars and pyarrow as Python source."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, final

import numpy as np

Inner = Callable[[Any], str]

STANDARD_MODULES = (
    *("collections", "datetime", "decimal", "fractions", "pathlib", "uuid", "zoneinfo"),
)
"""Modules of Python that a text may name."""


@final
class Unwritten(Exception):
    """A value has no text in Python; the message says what it is."""

    @classmethod
    def of(cls, value: Any) -> Unwritten:
        """The error for a value, by its type."""
        return cls(f"a {type(value).__module__}.{type(value).__qualname__}")


def agreed(
    text: str, value: Any, names: Mapping[str, Any], same: Callable[[Any, Any], bool]
) -> str:
    """The text, if it evaluates to the value. Raises Unwritten if not."""
    found = False
    with suppress(Exception):  # of a class of the user's, or of a library's parser
        found = same(eval(text, dict(names)), value)
    if not found:
        raise Unwritten.of(value)
    return text


def frame_source(value: Any, inner: Inner) -> str:
    """The text of an object of pandas, polars or pyarrow; `inner` writes what it is made of.

    Raises Unwritten for all else, and for what none of the texts tried gives back.
    """
    library, _, _ = type(value).__module__.partition(".")
    written = {"pandas": _of_pandas, "polars": _of_polars, "pyarrow": _of_arrow}.get(library)
    if written is not None and library in sys.modules:
        module = sys.modules[library]
        names = {"pd": module, "pl": module, "pa": module, "np": np, **standard()}
        for text in written(module, value, inner):
            with suppress(Unwritten):
                return agreed(text, value, names, _same)
    raise Unwritten.of(value)


def standard() -> dict[str, Any]:
    """Modules of Python that a text may name."""
    return {name: importlib.import_module(name) for name in STANDARD_MODULES}


def _same(one: Any, other: Any) -> bool:
    """Equal values of equal types; a null is equal to a null, and NaN to NaN."""
    if type(one) is not type(other):
        return False
    if hasattr(one, "dtypes") and hasattr(one, "index"):
        of_columns = not hasattr(one, "columns") or _same(one.columns, other.columns)
        named = getattr(one, "name", None) == getattr(other, "name", None)
        types = repr(one.dtypes) == repr(other.dtypes)
        return bool(types and named and of_columns and one.equals(other)) and _same(
            one.index, other.index
        )
    if hasattr(one, "identical"):  # an index of pandas
        return bool(one.identical(other)) and repr(one.dtype) == repr(other.dtype)
    if hasattr(one, "schema") and hasattr(one, "null_count"):  # a frame of polars
        return bool(one.equals(other, null_equal=True)) and one.schema == other.schema
    if hasattr(one, "schema"):  # a table of pyarrow, of which NaN is not equal to itself
        return bool(one.schema.equals(other.schema, check_metadata=True)) and (
            repr(one.to_pydict()) == repr(other.to_pydict())
        )
    if hasattr(one, "equals") and hasattr(one, "dtype"):
        return one.dtype == other.dtype and bool(one.equals(other))
    return repr(one) == repr(other) and (
        repr(one) == "<NA>" or bool(one == other) or bool(one != one)
    )


def _of_pandas(pd: Any, value: Any, inner: Inner) -> Iterator[str]:
    """Texts of an object of pandas, the plainest first."""
    match value:
        case pd.DataFrame():
            columns = [_series(pd, value.iloc[:, i], inner) for i in range(value.shape[1])]
            index = _index(pd, value.index, inner)
            named = zip(value.columns, columns, strict=True)
            if value.columns.is_unique:
                of_names = ", ".join(f"{inner(name)}: {own}" for name, own in named)
                yield f"pd.DataFrame({{{of_names}}}, index={index})"
            numbered = ", ".join(f"{i}: {own}" for i, own in enumerate(columns))
            names = _index(pd, value.columns, inner)
            yield f"pd.DataFrame({{{numbered}}}, index={index}).set_axis({names}, axis=1)"
        case pd.Series():
            index = _index(pd, value.index, inner)
            yield f"pd.Series({_series(pd, value, inner)}, index={index}, name={inner(value.name)})"
        case pd.Index():
            yield _index(pd, value, inner)
        case pd.Timestamp() if value.tz is not None:
            yield f"pd.Timestamp({value.isoformat()!r}).tz_convert({_zone(value.tz)!r})"
        case pd.Timestamp() | pd.Timedelta():
            yield f"pd.{type(value).__name__}({value.isoformat()!r})"
        case pd.Interval():
            ends = f"{inner(value.left)}, {inner(value.right)}"
            yield f"pd.Interval({ends}, closed={value.closed!r})"
        case pd.Period():
            yield f"pd.{value!r}"
        case _ if value is pd.NaT or value is pd.NA:
            yield "pd.NaT" if value is pd.NaT else "pd.NA"
        case _ if isinstance(value, pd.api.extensions.ExtensionArray):
            yield _extension(pd, value, inner)


def _zone(zone: Any) -> str:
    return str(getattr(zone, "zone", None) or zone)


def _series(pd: Any, column: Any, inner: Inner) -> str:
    """The values of a column, as what a frame takes."""
    if isinstance(column.dtype, np.dtype):
        return inner(column.to_numpy())
    return _extension(pd, column.array, inner)


def _extension(pd: Any, array: Any, inner: Inner) -> str:
    """An array of a type that numpy does not have."""
    dtype = array.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes, categories = inner(array.codes.tolist()), _index(pd, array.categories, inner)
        kind = f"categories={categories}, ordered={array.ordered}"
        return f"pd.Categorical.from_codes({codes}, {kind})"
    if isinstance(dtype, pd.DatetimeTZDtype):
        utc = inner(array.tz_convert("UTC").tz_localize(None).to_numpy())
        return f"pd.DatetimeIndex({utc}).tz_localize('UTC').tz_convert({_zone(dtype.tz)!r}).array"
    if isinstance(dtype, pd.IntervalDtype):
        ends = f"{_index(pd, array.left, inner)}, {_index(pd, array.right, inner)}"
        return f"pd.arrays.IntervalArray.from_arrays({ends}, closed={array.closed!r})"
    if isinstance(dtype, pd.PeriodDtype):
        ordinals, freq = inner(array.asi8.tolist()), dtype.name[len("period[") : -1]
        return f"pd.PeriodIndex.from_ordinals({ordinals}, freq={freq!r}).array"
    if isinstance(dtype, np.dtype):
        return inner(array.to_numpy())
    values = [inner(x) for x in array]
    if isinstance(dtype, pd.StringDtype):
        kind = f"pd.StringDtype({dtype.storage!r}, na_value={inner(dtype.na_value)})"
        return f"pd.array([{', '.join(values)}], dtype={kind})"
    return f"pd.array([{', '.join(values)}], dtype={str(dtype)!r})"


def _index(pd: Any, index: Any, inner: Inner) -> str:
    """An index; plain rows are a range."""
    named = "" if index.name is None else f", name={inner(index.name)}"
    if isinstance(index, pd.MultiIndex):
        levels = ", ".join(_index(pd, level.rename(None), inner) for level in index.levels)
        codes = inner([code.tolist() for code in index.codes])
        names = inner(list(index.names))
        return f"pd.MultiIndex(levels=[{levels}], codes={codes}, names={names})"
    if isinstance(index, pd.RangeIndex):
        rows = f"range({index.start}, {index.stop}, {index.step})"
        return rows if not named else f"pd.RangeIndex({rows}{named})"
    if isinstance(index.dtype, np.dtype):
        kind = "" if index.dtype != object else ", dtype=object"
        if type(index) is pd.DatetimeIndex or type(index) is pd.TimedeltaIndex:
            freq = "" if index.freqstr is None else f", freq={index.freqstr!r}"
            return f"pd.{type(index).__name__}({inner(index.to_numpy())}{freq}{named})"
        return f"pd.Index({inner(index.to_numpy())}{kind}{named})"
    text = _extension(pd, index.array, inner)
    if type(index) is pd.DatetimeIndex and index.freqstr is not None:
        return f"pd.DatetimeIndex({text}, freq={index.freqstr!r}{named})"
    return f"pd.Index({text}{named})"


NAME = re.compile(r"'[^']*'|\"[^\"]*\"|\b[A-Z]\w*")


def _of_polars(pl: Any, value: Any, inner: Inner) -> Iterator[str]:
    """Texts of a frame or a series of polars: by values, or by what these are stored as."""
    for stored in (False, True):
        with suppress(Unwritten):
            if isinstance(value, pl.DataFrame):
                columns = (_polars_column(pl, x, inner, stored=stored) for x in value.get_columns())
                yield f"pl.DataFrame([{', '.join(columns)}])"
            elif isinstance(value, pl.Series):
                yield _polars_column(pl, value, inner, stored=stored)


def _polars_column(pl: Any, column: Any, inner: Inner, *, stored: bool) -> str:
    def named(word: re.Match[str]) -> str:
        return f"pl.{word[0]}" if hasattr(pl, word[0]) else word[0]

    kind = NAME.sub(named, str(column.dtype))
    name = inner(column.name)
    if not stored:
        return f"pl.Series({name}, {_plainly(column.to_list(), inner)}, dtype={kind})"
    own = column.to_physical()
    values = _plainly(own.to_list(), inner)
    return f"pl.Series({name}, {values}, dtype=pl.{own.dtype}).cast({kind})"


def _plainly(values: list[Any], inner: Inner) -> str:
    """A list without folds: cells of a column are read one by one."""
    return "[" + ", ".join(map(inner, values)) + "]"


def _of_arrow(pa: Any, value: Any, inner: Inner) -> Iterator[str]:
    """Texts of a table of pyarrow."""
    if not isinstance(value, pa.Table) or value.schema.metadata:
        return
    columns = ", ".join(
        f"pa.array({_plainly(column.to_pylist(), inner)}, type={_arrow_type(pa, column.type)})"
        for column in value.columns
    )
    fields = ", ".join(
        f"({inner(field.name)}, {_arrow_type(pa, field.type)})"
        if field.nullable
        else f"pa.field({inner(field.name)}, {_arrow_type(pa, field.type)}, nullable=False)"
        for field in value.schema
    )
    yield f"pa.Table.from_arrays([{columns}], schema=pa.schema([{fields}]))"


def _arrow_type(pa: Any, kind: Any) -> str:
    """A type of pyarrow by the function that makes it."""
    types = pa.types
    if types.is_timestamp(kind):
        return f"pa.timestamp({kind.unit!r}, tz={kind.tz!r})"
    if types.is_duration(kind) or types.is_time(kind):
        return f"pa.{str(kind).partition('[')[0]}({kind.unit!r})"
    if types.is_decimal(kind):
        return f"pa.{str(kind).partition('(')[0]}({kind.precision}, {kind.scale})"
    if types.is_dictionary(kind):
        inside = f"{_arrow_type(pa, kind.index_type)}, {_arrow_type(pa, kind.value_type)}"
        return f"pa.dictionary({inside}, ordered={kind.ordered})"
    if types.is_list(kind) or types.is_large_list(kind):
        name = "list_" if types.is_list(kind) else "large_list"
        return f"pa.{name}({_arrow_type(pa, kind.value_type)})"
    if types.is_struct(kind):
        inside = ", ".join(f"({f.name!r}, {_arrow_type(pa, f.type)})" for f in kind)
        return f"pa.struct([{inside}])"
    alias = {"double": "float64", "float": "float32", "halffloat": "float16", "bool": "bool_"}
    name = alias.get(str(kind), str(kind))
    name = "date32" if name.startswith("date32") else "date64" if name[:6] == "date64" else name
    return f"pa.{name}()"
