"""One column of a table: which cells it may hold, which are simple, and which code forgets."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias, final

Cell: TypeAlias = bool | int | float | str | date | None
"""What a table holds in one place; None is null."""

LONG = 10_000
"""Characters of a text that is longer than a column of a data base often is."""

UNSEEN = "?"
"""A category that no list has."""

INTEGERS = range(-(2**63), 2**63)
"""What a column of integers holds: no wider one is in all of the forms of a table."""


WIDTHS = 10
"""Widths out of range: such a record moves a sum without a clip by 11 sensitivities, so that few
draws show it."""

HUGE, TINY = 1e300, 5e-324
"""A record whose square overflows, and the smallest one: a width made of it is denormal."""

INTEGER_EDGES = {
    "2^31": 2**31,
    "-2^31 - 1": -(2**31) - 1,
    "2^53 + 1": 2**53 + 1,
    "2^63 - 1": 2**63 - 1,
}
"""The first integers that 32 bits, a double, and 64 bits after one more step do not hold."""


def numbers_outside(
    low: float, high: float, *, few: bool = False, finite: bool = False
) -> dict[str, float]:
    """Records outside of bounds, by what they are in words.

    `few` leaves out those that one larger data set is enough for, `finite` those that are none.
    """
    width = (high - low) or 1.0
    none = {} if finite else {"NaN": math.nan}
    if few:
        return none | {"1 width above high": high + width, "1 width below low": low - width}
    infinite = {} if finite else {"inf": math.inf, "-inf": -math.inf}
    far = {
        f"{WIDTHS} widths above high": high + WIDTHS * width,
        f"{WIDTHS} widths below low": low - WIDTHS * width,
        f"{HUGE:g}": HUGE,
    }
    small = {f"{TINY:g}": TINY, "-0.0": -0.0} if low <= 0 <= high else {}
    found = none | infinite | far | small
    return {k: x for k, x in found.items() if math.isfinite(x)} if finite else found


class ColumnType(StrEnum):
    """What the cells of a column are."""

    ID = "id"
    FLOAT = "float"
    INT = "int"
    BOOL = "bool"
    CATEGORY = "category"
    TEXT = "text"
    DATE = "date"


BOUNDED = (ColumnType.FLOAT, ColumnType.INT, ColumnType.DATE)
"""Types of columns that have public ends."""

PYTHON: dict[ColumnType, tuple[type, ...]] = {
    ColumnType.ID: (int, str),
    ColumnType.FLOAT: (int, float),
    ColumnType.INT: (int,),
    ColumnType.BOOL: (bool,),
    ColumnType.CATEGORY: (bool, int, str),
    ColumnType.TEXT: (str,),
    ColumnType.DATE: (date,),
}
"""Types of the cells that are not null."""


def cell_key(cell: Cell) -> Hashable:
    """Equal for cells that code cannot tell apart by their values."""
    if isinstance(cell, float) and math.isnan(cell):
        return (float, "nan")
    if isinstance(cell, float) and cell == 0:
        return (float, repr(cell))
    return (type(cell) is bool, cell)  # True is no 1 here, and 1.0 is 1


@final
@dataclass(frozen=True, slots=True)
class Column:
    """What a schema says of one column."""

    name: str
    type: ColumnType
    low: int | float | date | None = None
    high: int | float | date | None = None
    """Public ends of numbers and dates."""
    values: tuple[bool | int | str, ...] = ()
    """Categories, the simplest first."""
    unseen: bool = True
    """Whether other categories can be written."""
    nullable: bool = False
    """Whether null is a cell like any other."""
    texts: bool = False
    """Whether the names of units are texts: then 7, and the column of an empty table, are too."""

    def fits(self, cell: Cell) -> bool:
        """Whether a cell is of the type at all: no other ones come, whatever is declared."""
        if cell is None:
            return self.type is not ColumnType.ID
        if isinstance(cell, bool) and self.type not in (ColumnType.BOOL, ColumnType.CATEGORY):
            return False
        if type(cell) is int and self.type is not ColumnType.FLOAT and cell not in INTEGERS:
            return False
        if self.type is ColumnType.CATEGORY:
            alike = type(cell) in set(map(type, self.values))
            return alike and (self.unseen or cell in self.values)
        return isinstance(cell, PYTHON[self.type])

    def strange(self, cell: Cell) -> str:
        """Why no declared domain has a cell, in words; "" where it does."""
        if cell is None:
            return "" if self.nullable else f"a null in {self.name}"
        if self.type is ColumnType.CATEGORY:
            return "" if cell in self.values else f"a {self.name} that is not listed"
        if isinstance(cell, float) and math.isnan(cell):
            return f"NaN in {self.name}"
        if self.type is ColumnType.TEXT:
            odd = isinstance(cell, str) and (len(cell) >= LONG or "\0" in cell)
            return f"a {self.name} that is long or holds NUL" if odd else ""
        return "" if self._within(cell) else f"{self.name} {self.outside}"

    @property
    def outside(self) -> str:
        """Where cells are that are beyond the bounds, in words."""
        return f"outside of [{self.shown(self.low)}, {self.shown(self.high)}]"

    def _within(self, cell: Cell) -> bool:
        match cell, self.low, self.high:
            case _, None, _:
                return True
            case date(), date() as low, date() as high:
                return low <= cell <= high
            case int() | float(), int() | float() as low, int() | float() as high:
                return low <= cell <= high
        return False

    @property
    def simple(self) -> tuple[Cell, ...]:
        """Simple cells, the simplest first; null is the last of them."""
        null: tuple[Cell, ...] = (None,) if self.nullable else ()
        match self.type:
            case ColumnType.CATEGORY:
                return (*self.values, *null)
            case ColumnType.BOOL:
                return (False, True, *null)
            case ColumnType.TEXT:
                return ("a", "b", "", *null)
            case ColumnType.ID:
                return ()
            case _:
                return (*self.between(Fraction(0), Fraction(1), Fraction(1, 2)), *null)

    def between(self, *places: Fraction) -> tuple[Cell, ...]:
        """Cells of a column with bounds at fractions of its width, those that differ."""
        found: list[Cell] = []
        for place in places:
            match self.low, self.high:
                case date() as low, date() as high:
                    found.append(low + timedelta(days=round((high - low).days * place)))
                case int() | float() as low, int() | float() as high:
                    exact = Fraction(low) + (Fraction(high) - Fraction(low)) * place
                    whole = self.type is ColumnType.INT
                    found.append(round(exact) if whole else float(exact))
        return tuple(dict.fromkeys(found))

    def outsiders(self, *, few: bool = False) -> dict[str, Cell]:
        """Cells that code forgets, by what they are in words; `few` as of a `Domain`."""
        null: dict[str, Cell] = {} if self.nullable else {"null": None}
        match self.type:
            case ColumnType.ID:
                return {}
            case ColumnType.CATEGORY:
                return (self._unseen() | null) if self.unseen else null
            case ColumnType.TEXT:
                texts: dict[str, Cell] = {f"{LONG:,} characters": "x" * LONG, "NUL": "\0"}
                return null if few else texts | null
            case ColumnType.DATE:
                return self._dates() | null
            case ColumnType.INT:
                return self._integers(few=few) | null
            case ColumnType.FLOAT:
                assert isinstance(self.low, int | float)
                assert isinstance(self.high, int | float)
                return {**numbers_outside(float(self.low), float(self.high), few=few), **null}
        return null

    def _unseen(self) -> dict[str, Cell]:
        """A category that is not listed."""
        numbers = [x for x in self.values if isinstance(x, int) and not isinstance(x, bool)]
        if numbers:
            near = (max(numbers) + 1, *range(len(numbers) + 1))
            return {"not listed": next(x for x in near if x in INTEGERS and x not in numbers)}
        if all(isinstance(x, bool) for x in self.values):
            return {}
        names = (UNSEEN * n for n in range(1, len(self.values) + 2))
        return {"not listed": next(name for name in names if name not in self.values)}

    def _dates(self) -> dict[str, Cell]:
        assert isinstance(self.low, date)
        assert isinstance(self.high, date)
        found: dict[str, Cell] = {}
        if self.low > date.min:
            found |= {"a day before low": self.low - timedelta(1), "the first day": date.min}
        if self.high < date.max:
            found |= {"a day after high": self.high + timedelta(1), "the last day": date.max}
        return found

    def _integers(self, *, few: bool) -> dict[str, Cell]:
        assert isinstance(self.low, int)
        assert isinstance(self.high, int)
        near = {"high + 1": self.high + 1, "low - 1": self.low - 1}
        edges = {} if few else {k: x for k, x in INTEGER_EDGES.items() if not self._within(x)}
        return {words: x for words, x in (near | edges).items() if x in INTEGERS}

    @staticmethod
    def shown(cell: Cell) -> str:
        """A cell as a person reads it."""
        match cell:
            case None:
                return "null"
            case date():
                return cell.isoformat()
            case bool():
                return "true" if cell else "false"
            case float():
                return "NaN" if math.isnan(cell) else f"{cell:.6g}"
            case str():
                return repr(cell if len(cell) <= SHOWN else f"{cell[:SHOWN]}...")
        return str(cell)


SHOWN = 20
"""Characters of a text that are shown."""
