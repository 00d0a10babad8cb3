"""Schemas of pandera and polars in the words of ours; neither library is imported.

A DataFrameSchema of pandera (or a DataFrameModel) says types, nulls and, by its checks, bounds and
categories; what only ours has (relation, unit, rows of a unit) stands in its metadata, under
"touchstone". A Schema of polars says types alone, and categories by `pl.Enum`. A check that has no
word here is refused and not left out: data that it excludes may break a claim that is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from audit.targets.tables.column import BOUNDED, ColumnType
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown

METADATA = "touchstone"
"""Key of our words in the metadata of a pandera schema."""

TYPES = {
    "float": ColumnType.FLOAT,
    "int": ColumnType.INT,
    "uint": ColumnType.INT,
    "bool": ColumnType.BOOL,
    "str": ColumnType.TEXT,
    "utf8": ColumnType.TEXT,
    "object": ColumnType.TEXT,
    "datetime": ColumnType.DATE,
    "date": ColumnType.DATE,
    "category": ColumnType.CATEGORY,
    "enum": ColumnType.CATEGORY,
}
"""By how the name of a type begins, in small letters; the longer of two that fit."""

LOWEST = ("greater_than_or_equal_to", "in_range", "between")
HIGHEST = ("less_than_or_equal_to", "in_range", "between")
AMONG = "isin"


def is_dataframe_schema(given: object) -> bool:
    """Whether something is a schema of pandera, a model of it, or a schema of polars."""
    kinds = given.__mro__ if isinstance(given, type) else type(given).__mro__
    modules = {kind.__module__.partition(".")[0] for kind in kinds}
    if isinstance(given, type):
        return "pandera" in modules and hasattr(given, "to_schema")
    return bool(modules & {"pandera", "polars"}) and (
        hasattr(given, "columns") or isinstance(given, Mapping)
    )


def words_of(given: Any) -> dict[str, Any]:
    """The words of our schema that say what another one does.

    Raises InvalidArgument if it says what these words cannot.
    """
    if isinstance(given, Mapping):
        return _of_types(given)
    schema: Any = given
    if isinstance(given, type):  # a model
        schema = given.to_schema()  # type: ignore[attr-defined]
    for name in ("checks", "unique"):
        if getattr(schema, name, None):
            msg = f"{name} of a whole schema of pandera has no word here: write it as TOML"
            raise InvalidArgument(msg)
    own = dict((schema.metadata or {}).get(METADATA, {}))
    unit = own.get("unit")
    own.setdefault("takes", "polars" if ".polars." in type(schema).__module__ else "pandas")
    columns = {
        str(name): _unit(str(name), column) if name == unit else _column(str(name), column)
        for name, column in schema.columns.items()
    }
    return {**own, "columns": columns}


def _unit(name: str, column: Any) -> dict[str, Any]:
    """The column of the unit's names, which are numbers or texts."""
    kind = _type(name, column.dtype) if column.dtype is not None else ColumnType.INT
    if kind not in (ColumnType.INT, ColumnType.TEXT):
        msg = f"columns.{name}: names of units are integers or texts, got the type {column.dtype}"
        raise InvalidArgument(msg)
    return {"type": "id", "texts": kind is ColumnType.TEXT}


def _of_types(types: Mapping[str, Any]) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for name, dtype in types.items():
        kind = _type(name, dtype)
        if kind in BOUNDED:
            msg = (
                f"a schema of polars has no bounds, and column {name} needs low and high: state "
                "them by a mapping, or by checks of pandera"
            )
            raise InvalidArgument(msg)
        columns[str(name)] = _typed(name, kind, dtype) | {"nullable": True}
    return {"takes": "polars", "columns": columns}


def _type(name: str, dtype: Any) -> ColumnType:
    text = str(dtype).lower()
    fits = [start for start in TYPES if text.startswith(start)]
    if not fits or text.startswith("categorical"):
        msg = f"columns.{name}: the type {dtype} has no word here"
        raise InvalidArgument(msg)
    return TYPES[max(fits, key=len)]


def _typed(name: str, kind: ColumnType, dtype: Any) -> dict[str, Any]:
    """A column's type, and its categories where the type has them."""
    if kind is not ColumnType.CATEGORY:
        return {"type": kind.value}
    own = getattr(dtype, "categories", None)
    own = getattr(getattr(dtype, "type", None), "categories", None) if own is None else own
    values = [] if own is None else list(own)
    if not values:
        msg = f"columns.{name}: the type {dtype} does not say which categories there are"
        raise InvalidArgument(msg)
    # values of such a type are those and no others
    return {"type": kind.value, "values": values, "unseen": False}


def _column(name: str, column: Any) -> dict[str, Any]:
    if column.unique or not column.required:
        odd = "unique" if column.unique else "not required"
        msg = f"columns.{name}: that it is {odd} has no word here"
        raise InvalidArgument(msg)
    dtype, statistics = column.dtype, _statistics(name, column.checks)
    kind = _type(name, dtype)
    categories = kind is ColumnType.CATEGORY and AMONG not in statistics
    words = _typed(name, kind, dtype) if categories else {"type": kind.value}
    if AMONG in statistics:
        words = {"type": "category", "values": list(statistics.pop(AMONG)["allowed_values"])}
    low = [statistics[check]["min_value"] for check in LOWEST if check in statistics]
    high = [statistics[check]["max_value"] for check in HIGHEST if check in statistics]
    words |= {"low": _plain(max(low), kind)} if low else {}
    words |= {"high": _plain(min(high), kind)} if high else {}
    return words | {"nullable": bool(column.nullable)}


def _statistics(name: str, checks: Iterable[Any]) -> dict[str, Any]:
    """What each check says, by its name."""
    found: dict[str, Any] = {}
    for check in checks:
        told = check.statistics or {}
        strict = not all(told.get(f"include_{end}", True) for end in ("min", "max"))
        if check.name not in {*LOWEST, *HIGHEST, AMONG} or strict or check.name in found:
            msg = (
                f"columns.{name}: the check {shown(check.name)}{' without its ends' * strict} has "
                "no word here; known: ge, le, in_range and isin, each once"
            )
            raise InvalidArgument(msg)
        found[check.name] = told
    return found


def _plain(value: Any, kind: ColumnType) -> Any:
    """A bound as a plain value of its column's type."""
    if hasattr(value, "item"):
        value = value.item()
    if kind is ColumnType.DATE:
        if hasattr(value, "to_pydatetime"):
            value = value.to_pydatetime()
        if isinstance(value, datetime):
            return value.date()
    return value
