"""Records and pairs that Python has in memory, read as `pair_files` reads those of files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from audit.pairs.pair_files import RecordsAtHand, RowsAtHand, as_data, number_of, place_of
from audit.pairs.worst_cases import Pair
from audit.targets.tables.schema_file import read_schema
from audit.targets.tables.table_schema import Schema
from mechanisms.errors import InvalidArgument, InvalidData
from mechanisms.validation import shown

PAIR = "a pair is (data, neighbor), a mapping with these keys (and user), or the name of a file"


def schema_at_hand(schema: Any) -> str | Schema:
    """A schema: text is the name of a file, which is read later.

    Raises InvalidArgument if it is neither that nor a mapping with the words of a schema, nor a
    schema of pandera or polars.
    """
    return str(schema) if isinstance(schema, str | Path) else read_schema(schema)


def records_of(
    data: Any, column: str | None = None, *, of_table: bool = False
) -> str | RecordsAtHand | RowsAtHand:
    """Read the user's own records.

    `data`: text is the name of a file. `column`: of a data frame. `of_table`: whether they are
    rows of a table, which its schema reads. Raises InvalidData if a record is no finite number, or
    there are none.
    """
    if isinstance(data, str | Path):
        return str(data)
    if of_table:
        return RowsAtHand(data)
    label = "an array"
    if hasattr(data, "columns"):
        label, names = "a data frame", [str(name) for name in data.columns]
        place = place_of(f"the {label[2:]}", names, column)
        data = data[list(data.columns)[place]]
    elif column is not None:
        msg = f"column names a column of a file or of a data frame, got data={shown(data)}"
        raise InvalidArgument(msg)
    values = np.asarray(data)
    if values.ndim != 1 or not values.size:
        msg = f"data must be numbers in one dimension, at least one, got shape {values.shape}"
        raise InvalidData(msg)
    of_texts = "; texts need schema, with data as its rows"
    rows = (
        number_of(cell, f"data, row {row}", of_texts=of_texts)
        for row, cell in enumerate(values.tolist(), 1)
    )
    return RecordsAtHand(np.fromiter(rows, dtype=np.float64), label)


def pairs_of(given: Any) -> tuple[str | Pair, ...]:
    """Read a pair, or a list of pairs.

    `given`, str, Path, tuple (data, neighbor), mapping, or a list of these: lists of numbers within
    become arrays, as in a pair file. Raises InvalidArgument if it is none of these.
    """
    several = isinstance(given, list)
    each = given if several else [given]
    return tuple(
        _pair(one, f"pair {place}" if several else "the given pair")
        for place, one in enumerate(each, start=1)
    )


def _pair(given: Any, label: str) -> str | Pair:
    match given:
        case str() | Path():
            return str(given)
        case Mapping() if {"data", "neighbor"} <= given.keys() <= {"data", "neighbor", "user"}:
            user = given.get("user")
            if user is not None and (not isinstance(user, int) or user < 1):
                msg = f"user must be an integer of at least 1, got user={shown(user)}"
                raise InvalidArgument(msg)
            sides = given["data"], given["neighbor"]
            number = None if user is None else user - 1
        case tuple() if len(given) == 2 and not all(isinstance(side, str) for side in given):
            sides, number = given, None
        case _:
            msg = f"{PAIR}, and a list holds several; got pair={shown(given)}"
            raise InvalidArgument(msg)
    data, neighbor = as_data(*sides)
    return Pair(label, data, neighbor, user=number)
