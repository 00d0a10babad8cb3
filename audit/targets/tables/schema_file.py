"""A schema as a document of TOML, or the same as a mapping of Python; every word is checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from audit.files.bounded_toml import read_toml
from audit.targets.modules import find_object
from audit.targets.tables.column import BOUNDED, INTEGERS, Column, ColumnType
from audit.targets.tables.dataframe_schemas import is_dataframe_schema, words_of
from audit.targets.tables.table_schema import Form, Schema
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument, InvalidData, close_names
from mechanisms.validation import shown

PROPOSED = "proposed"
"""Key of a schema that was read off data, until somebody has looked at it."""

KEYS = (
    *("relation", "unit", "max_rows_per_unit", "max_units", "label", "takes", PROPOSED, "columns"),
)
RELATIONS = (Relation.ADD_REMOVE.value, Relation.SWAP.value)
COLUMN_KEYS = ("type", "low", "high", "values", "unseen", "nullable", "texts")
MOST_UNITS, MOST_ROWS, MOST_COLUMNS = 1_000, 1_000, 1_000
"""Of generated tables, which are made row by row."""

OBJECT = re.compile(r"\.py:[^/\\]+$")
"""How the name of an object of Python ends."""


def read_schema(given: object) -> Schema:
    """Read a schema.

    `given`, str, Path or mapping: a file of TOML, or its words; a schema of pandera or polars, or
    the name of one, such as "FILE.py:people"; a Schema is read already. Raises
    InvalidArgument or InvalidData if a word is unknown or missing, or its value is none of what it
    must be.
    """
    match given:
        case Schema():
            return given
        case str() if OBJECT.search(given):
            return replace(_of_library(_object(given)), source=given)
        case _ if is_dataframe_schema(given):
            return _of_library(given)
        case str() | Path():
            path = Path(given)
            try:
                return replace(_schema(read_toml(path)), source=str(path))
            except InvalidArgument as exc:
                msg = f"{path}: {exc}"
                raise InvalidData(msg) from exc
        case Mapping():
            try:
                return _schema(given)
            except InvalidArgument as exc:
                msg = f"schema: {exc}"
                raise InvalidArgument(msg) from exc
    msg = f"schema must be a file of TOML or a mapping with its words, got schema={shown(given)}"
    raise InvalidArgument(msg)


def _object(name: str) -> object:
    """The object of a name such as FILE.py:people."""
    found, _ = find_object(name)
    if not is_dataframe_schema(found):
        msg = f"schema {name} must be a schema of pandera or polars, got {shown(found)}"
        raise InvalidArgument(msg)
    return found


def _of_library(given: object) -> Schema:
    try:
        return _schema(words_of(given))
    except InvalidArgument as exc:
        msg = f"schema: {exc}"
        raise InvalidArgument(msg) from exc


def _schema(words: Mapping[str, Any]) -> Schema:
    _check_keys(words, KEYS, "")
    if _value(words, PROPOSED, bool, "true or false", False):
        msg = (
            "it was proposed from data that may be private: look at its bounds and categories, "
            f"which must be public, and take out the line {PROPOSED} = true"
        )
        raise InvalidArgument(msg)
    tables = words.get("columns")
    if not isinstance(tables, Mapping) or not 0 < len(tables) <= MOST_COLUMNS:
        msg = f"columns must be a table with one table for each column, got {shown(tables)}"
        raise InvalidArgument(msg)
    columns = tuple(_column(str(name), own) for name, own in tables.items())
    relation = _choice(words, "relation", RELATIONS)
    takes = _choice(words, "takes", tuple(form.value for form in Form))
    unit, label = (_value(words, key, str, "the name of a column") for key in ("unit", "label"))
    schema = Schema(
        columns,
        None if relation is None else Relation(relation),
        unit,
        _count(words, "max_rows_per_unit", 1, MOST_ROWS),
        _count(words, "max_units", 6, MOST_UNITS),
        label,
        Form.PANDAS if takes is None else Form(takes),
    )
    _check_whole(schema)
    return schema


def _check_whole(schema: Schema) -> None:
    """Check what concerns several words."""
    for key, name in (("unit", schema.unit), ("label", schema.label)):
        if name is not None and name not in schema.names:
            msg = f"{key} must be one of the columns ({', '.join(schema.names)}), got {name!r}"
            raise InvalidArgument(msg)
    ids = [column.name for column in schema.columns if column.type is ColumnType.ID]
    if ids != ([] if schema.unit is None else [schema.unit]):
        msg = f"the column of the unit, and no other, has type 'id'; unit={schema.unit!r}, {ids=}"
        raise InvalidArgument(msg)
    if schema.unit is None and schema.max_rows_per_unit > 1:
        msg = "max_rows_per_unit needs unit, the column that says whose row it is"
        raise InvalidArgument(msg)
    if not any(True for _ in schema.cells):
        msg = "a schema needs a column besides that of the unit"
        raise InvalidArgument(msg)


def _column(name: str, words: object) -> Column:
    where = f"columns.{name}: "
    if not isinstance(words, Mapping):
        msg = f"{where}it must be a table, got {shown(words)}"
        raise InvalidArgument(msg)
    _check_keys(words, COLUMN_KEYS, where)
    kind = _choice(words, "type", tuple(t.value for t in ColumnType), where)
    if kind is None:
        msg = f"{where}type is required, one of {', '.join(ColumnType)}"
        raise InvalidArgument(msg)
    column_type = ColumnType(kind)
    column = Column(
        name,
        column_type,
        nullable=_value(words, "nullable", bool, "true or false", False, where),
        unseen=_value(words, "unseen", bool, "true or false", True, where),
        texts=_value(words, "texts", bool, "true or false", False, where),
    )
    for keys, types in (
        (("low", "high"), BOUNDED),
        (("values", "unseen"), (ColumnType.CATEGORY,)),
        (("texts",), (ColumnType.ID,)),
    ):
        odd = [key for key in keys if key in words and column_type not in types]
        if odd:
            msg = f"{where}{odd[0]} has no meaning for the type {kind!r}"
            raise InvalidArgument(msg)
    if column_type is ColumnType.ID and column.nullable:
        msg = f"{where}each row has a unit: nullable has no meaning for the type 'id'"
        raise InvalidArgument(msg)
    if column_type in BOUNDED:
        return _bounded(column, words, where)
    if column_type is ColumnType.CATEGORY:
        return replace(column, values=_categories(words, where))
    return column


def _bounded(column: Column, words: Mapping[str, Any], where: str) -> Column:
    low, high = words.get("low"), words.get("high")
    must_be = {
        ColumnType.FLOAT: "a finite number",
        ColumnType.INT: "an integer",
        ColumnType.DATE: "a date such as 2020-01-31",
    }[column.type]
    for key, value in (("low", low), ("high", high)):
        if not _is_bound(value, column.type):
            got = "it is missing" if value is None else f"got {key}={shown(value)}"
            msg = f"{where}{key} must be {must_be}: {got}"
            raise InvalidArgument(msg)
    if low > high:  # type: ignore[operator]
        msg = f"{where}low must not exceed high, got low={shown(low)}, high={shown(high)}"
        raise InvalidArgument(msg)
    return replace(column, low=low, high=high)


def _is_bound(value: object, kind: ColumnType) -> bool:
    if kind is ColumnType.DATE:
        return isinstance(value, date) and not isinstance(value, datetime)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if kind is ColumnType.INT:
        return isinstance(value, int) and value in INTEGERS
    try:
        return abs(float(value)) < float("inf")
    except OverflowError:
        return False


def _categories(words: Mapping[str, Any], where: str) -> tuple[bool | int | str, ...]:
    values = words.get("values")
    fits = isinstance(values, list | tuple) and 0 < len(values) <= MOST_ROWS
    kinds = {type(value) for value in values} if isinstance(values, list | tuple) else set()
    if not fits or not (len(kinds) == 1 and kinds <= {bool, int, str}):
        must_be = "a list of texts, of integers or of truth values"
        msg = f"{where}values must be {must_be}, got {shown(values)}"
        raise InvalidArgument(msg)
    found = tuple(values)  # type: ignore[arg-type]
    if kinds == {int} and not all(value in INTEGERS for value in found):
        msg = f"{where}values must be integers of 64 bits, got {shown(values)}"
        raise InvalidArgument(msg)
    if len(set(found)) < len(found):
        msg = f"{where}values must differ, got {shown(values)}"
        raise InvalidArgument(msg)
    return found


def _check_keys(words: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in words:
        if key not in known:
            near = close_names(str(key), known) or f"; known: {', '.join(known)}"
            msg = f"{where}unknown key {shown(key)}{near}"
            raise InvalidArgument(msg)


def _value(
    words: Mapping[str, Any],
    key: str,
    kind: type,
    must_be: str,
    default: Any = None,
    where: str = "",
) -> Any:
    value = words.get(key, default)
    if key in words and not isinstance(value, kind):
        msg = f"{where}{key} must be {must_be}, got {key}={shown(value)}"
        raise InvalidArgument(msg)
    return value


def _choice(
    words: Mapping[str, Any], key: str, known: tuple[str, ...], where: str = ""
) -> str | None:
    value = words.get(key)
    if value is not None and (not isinstance(value, str) or value not in known):
        close = close_names(str(value), known)
        msg = f"{where}{key} must be one of {', '.join(known)}, got {key}={shown(value)}{close}"
        raise InvalidArgument(msg)
    return value


def _count(words: Mapping[str, Any], key: str, default: int, most: int) -> int:
    value = words.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        msg = f"{key} must be an integer from 1 to {most}, got {key}={shown(value)}"
        raise InvalidArgument(msg)
    return value
