"""The user's data: a column of a CSV file or of a statsmodels data set, and pair files.

Every cell must be a finite number; the first that is not is named with its row. Pair files are
JSON objects {"data": ..., "neighbor": ...}: a list of numbers becomes a 1-d float64 array, a list
of lists of numbers a 2-d array, anything else is passed as it is. For a personalized claim they
may also hold "budgets", which must be those of the claim, and "user", whose record changes (counted
from 1).
"""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from audit.files.bounded_json import read_json, read_text
from audit.targets.tables.proposal import NULLS
from mechanisms.errors import InvalidData
from mechanisms.validation import exact, shown

if TYPE_CHECKING:
    from audit.pairs.worst_cases import Pair

STATSMODELS = "statsmodels:"
"""Prefix of the data sets that ship with statsmodels."""

COUNTEREXAMPLE = "counterexample"
"""In place of a pair file: the pair that a printed form itself knows."""

MOST_COLUMNS = 10_000
"""Of a data file."""

SHOWN = 50
"""Columns named in a message."""

TEXTS = "; a column of text needs --schema (touchstone schema {} proposes one)"

PAIR_KEYS = ("data", "neighbor")
USER_KEYS = ("budgets", "user")
"""Of a pair file for a personalized claim."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class RecordsAtHand:
    """A user's records that Python has in memory, in place of those of a file."""

    values: NDArray[np.float64]
    label: str

    def __str__(self) -> str:
        return self.label


@final
@dataclass(frozen=True, slots=True, eq=False)
class RowsAtHand:
    """A user's rows that Python has in memory: what they are, a schema tells later."""

    rows: Any
    label: str = "data"

    def __str__(self) -> str:
        return self.label


def read_column(
    source: str | RecordsAtHand | RowsAtHand, column: str | None, *, of_tables: bool = False
) -> NDArray[np.float64]:
    """Read one column of numbers.

    `source`: a CSV file with a header line, or "statsmodels:NAME" for a data set that ships with
    statsmodels; records at hand are read already. `column`: its name; may be left out where there
    is only one. `of_tables`: whether a schema can be given instead, for texts. Returns shape (n,):
    at least one record, all finite. Raises InvalidData if the file, the column or a number is
    missing; the message gives the row.
    """
    if isinstance(source, RecordsAtHand):
        return source.values
    if isinstance(source, RowsAtHand):
        msg = "rows of a table need a schema that reads them"
        raise InvalidData(msg)
    name = source.removeprefix(STATSMODELS)
    header, rows = _statsmodels(name) if source != name else _csv(Path(source))
    place = place_of(source, header, column)
    what = f"{source}, column {header[place]!r}"
    of_texts = TEXTS.format(source if name == source else "FILE.csv") if of_tables else ""
    numbers = (
        number_of(row[place] if place < len(row) else "", f"{what}, {where}", of_texts=of_texts)
        for where, row in rows
    )
    records = np.fromiter(numbers, dtype=np.float64)
    if not records.size:
        msg = f"{source} has a header and no rows"
        raise InvalidData(msg)
    return records


def _csv(path: Path) -> tuple[list[str], Iterator[tuple[str, Sequence[Any]]]]:
    lines = _lines(path)
    _, names = next(lines, (0, []))
    if not names:
        msg = f"{path} has no header line"
        raise InvalidData(msg)
    header = [name.strip() for name in names]

    def rows() -> Iterator[tuple[str, Sequence[Any]]]:
        for number, (line, row) in enumerate(lines, start=1):
            if not row and len(header) > 1:
                continue  # a blank line; in a file of one column it is an empty cell
            if len(row) > len(header):
                cells = f"{len(row)} cells for {len(header)} columns"
                msg = f"{path}, row {number} (line {line}) has {cells}"
                raise InvalidData(msg)
            yield f"row {number} (line {line})", row

    return header, rows()


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each line, one after the other: a row takes more memory than its text."""
    text = read_text(path).removeprefix("\ufeff")
    if text.count(",", 0, text.find("\n") + 1 or None) > MOST_COLUMNS:
        msg = f"{path} has more than {MOST_COLUMNS} columns"
        raise InvalidData(msg)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as exc:
        msg = f"{path} cannot be read: {exc}"
        raise InvalidData(msg) from exc


def _statsmodels(name: str) -> tuple[list[str], Iterator[tuple[str, Sequence[Any]]]]:
    import importlib

    from statsmodels import datasets

    module = f"{datasets.__name__}.{name}"
    try:
        if not name.isidentifier():
            raise ModuleNotFoundError(name=module)
        table = importlib.import_module(module).load_pandas().data
    except (ModuleNotFoundError, AttributeError) as exc:
        msg = f"statsmodels has no data set {name!r} (for example statsmodels:anes96)"
        raise InvalidData(msg) from exc
    values = (list(row) for row in table.itertuples(index=False))
    rows = ((f"row {number}", row) for number, row in enumerate(values, start=1))
    return [str(column) for column in table.columns], rows


def place_of(source: str, header: Sequence[str], column: str | None) -> int:
    """Place of a column among the names of a header; of the only one if none is named."""
    if column is None and len(header) == 1:
        if _reads_as_number(header[0]):
            msg = f"{source} has no header line: its first line is the number {shown(header[0])}"
            raise InvalidData(msg)
        return 0
    if column is None:
        msg = (
            f"{source} has several columns; name one with --column: {_listed(header)}; audits of "
            "privacy take all with --schema (`touchstone schema FILE.csv` proposes one)"
        )
        raise InvalidData(msg)
    if Counter(header)[column] != 1:
        fault = "no column" if column not in header else "more than one column"
        msg = f"{source} has {fault} {column!r}; it has: {_listed(header)}"
        raise InvalidData(msg)
    return list(header).index(column)


def _listed(names: Sequence[str]) -> str:
    more = f", and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _reads_as_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def number_of(cell: Any, where: str, *, of_texts: str = "") -> float:
    """Read a cell as a finite number; `where` is the beginning of the message if it is none.

    `of_texts`: its end where the cell is a text.
    """
    try:
        value = float(cell)
    except (TypeError, ValueError):
        value = math.nan
    if math.isfinite(value):
        return value
    word = str(cell).strip()
    got = shown(cell) if word else "an empty cell"
    is_text = isinstance(cell, str) and word not in NULLS and not _reads_as_number(word)
    msg = f"{where}: expected a finite number, got {got}{of_texts if is_text else ''}"
    raise InvalidData(msg)


def read_pair(source: str | Pair, budgets: Sequence[Fraction] | None = None) -> Pair:
    """Read a pair file.

    `source`: its name; a pair at hand is read already. `budgets`: of a personalized claim: the file
    may repeat them, and name the user whose record changes. Raises InvalidData if it is no JSON
    object with exactly the keys "data" and "neighbor" (and for a personalized claim "budgets" and
    "user"), or is about other budgets.
    """
    from audit.pairs.worst_cases import Pair

    if isinstance(source, Pair):
        return source
    path = Path(source)
    content = read_json(path)
    expected = f'{path} must hold {{"data": ..., "neighbor": ...}}'
    if not isinstance(content, dict):
        msg = f"{expected}, got a {type(content).__name__}"
        raise InvalidData(msg)
    missing = [key for key in PAIR_KEYS if key not in content]
    unknown = [key for key in content if key not in (*PAIR_KEYS, *USER_KEYS)]
    if missing or unknown:
        unexpected = f"it has the unknown key {shown(next(iter(unknown), None))}"
        fault = f"it lacks {missing[0]!r}" if missing else unexpected
        msg = f"{expected}; {fault}"
        raise InvalidData(msg)
    user = _user(content, budgets, path)
    data, neighbor = as_data(*(content[key] for key in PAIR_KEYS))
    return Pair(f"the pair of {path.name}", data, neighbor, user=user)


def _user(content: Mapping[str, Any], budgets: Sequence[Fraction] | None, path: Path) -> int | None:
    """Whose record a pair file says that changes, as an index; None where it does not say."""
    if budgets is None:
        for key in USER_KEYS:
            if key in content:
                msg = f"{path}: {key!r} is for a personalized claim (--budgets)"
                raise InvalidData(msg)
        return None
    if "budgets" in content:
        own = content["budgets"]
        if not isinstance(own, list):
            msg = f"{path}: budgets must be a list of numbers, got budgets={shown(own)}"
            raise InvalidData(msg)
        if [exact(budget, "budgets") for budget in own] != list(budgets):
            claimed = ", ".join(map(str, budgets))
            got = f"got budgets={shown(own)}"
            msg = f"{path}: budgets must be those of the claim ({claimed}), {got}"
            raise InvalidData(msg)
    user = content.get("user")
    if user is None:
        return None
    if isinstance(user, bool) or not isinstance(user, int) or not 1 <= user <= len(budgets):
        msg = f"{path}: user must be an integer from 1 to {len(budgets)}, got user={shown(user)}"
        raise InvalidData(msg)
    return user - 1


def as_data(data: Any, neighbor: Any) -> tuple[Any, Any]:
    """Make arrays of lists of numbers; leave everything else.

    Of two lists both become arrays or neither, and an empty one has the columns of the other.
    """
    sides = [data, neighbor]
    if not all(type(x) is np.ndarray or (isinstance(x, list) and _numeric(x)) for x in sides):
        return data, neighbor
    try:
        made = [np.array(x, dtype=np.float64) if isinstance(x, list) else x for x in sides]
    except OverflowError as exc:
        msg = "a pair file holds an integer beyond double precision; write it as a decimal"
        raise InvalidData(msg) from exc
    for place, side in enumerate(sides):
        if isinstance(side, list) and not side:
            made[place] = np.empty((0, *made[1 - place].shape[1:]))
    return made[0], made[1]


def _numeric(side: list[Any]) -> bool:
    """Whether a list is one of numbers, or of lists of so many numbers each."""
    if all(_is_number(x) for x in side):
        return True
    rows = all(isinstance(row, list) and all(_is_number(x) for x in row) for row in side)
    return rows and len({len(row) for row in side}) == 1


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
