"""What a table is: keys, columns, and rows whose cells name their claims; and how it is built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import final

from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Undecided
from proofs_check.tables.column import Column, Point
from proofs_check.tables.keys import Key

__all__ = ["MOST_ROWS", "Built", "Cell", "Rival", "Row", "Table", "build"]

MOST_ROWS = 20_000
"""Of a table."""


@final
@dataclass(frozen=True, slots=True)
class Cell:
    """A result: its decimals (two of an enclosure; empty: no claim applies), and its claims."""

    texts: tuple[str, ...]
    claims: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class Row:
    """Keys of a row as text, and its cells in the order of the columns."""

    keys: tuple[str, ...]
    cells: tuple[Cell, ...]


@final
@dataclass(frozen=True, slots=True)
class Rival:
    """A mechanism whose error is measured beside the bounds of a table, and has no exact number.

    Parameters
    ----------
    name : str
        By which it is registered.
    unit : str
        Of what is measured.
    says : str
        What that is, in a sentence.
    """

    name: str
    unit: str
    says: str


@final
@dataclass(frozen=True, slots=True)
class Table:
    """A verified table.

    Parameters
    ----------
    name : str
        On the command line, and of its stored file.
    about : str
        What its reader must know: model, units, what an empty cell means.
    keys : tuple of Key
        Parameters; their values make a row what it is.
    columns : tuple of Column
        Results.
    default : tuple of mapping
        Grid of each key as text; the rows are all points of the first, then of the second, ....
    rivals : tuple of Rival
        What is measured besides, with `--empirical`.
    """

    name: str
    about: str
    keys: tuple[Key, ...]
    columns: tuple[Column, ...]
    default: tuple[Mapping[str, str], ...]
    rivals: tuple[Rival, ...] = ()

    @property
    def headers(self) -> tuple[str, ...]:
        """Headers of the columns in a file, keys first."""
        columns = (header for column in self.columns for header in column.headers)
        return (*(key.name for key in self.keys), *columns)

    def points(self, grids: Mapping[str, str] | None = None) -> Iterator[dict[str, object]]:
        """Points of the rows.

        Parameters
        ----------
        grids : mapping of str to str, optional
            Grids in place of those of the first default; without any, all defaults are used.

        Raises
        ------
        InvalidArgument
            If the table has no such key, or a grid is wrong or outside the key's range.
        """
        names = [key.name for key in self.keys]
        for name in grids or ():
            if name not in names:
                msg = f"the table {self.name} has no key {name!r}; its keys: {', '.join(names)}"
                raise InvalidArgument(msg)
        chosen = self.default if not grids else ({**self.default[0], **grids},)
        points = 0
        for grid in chosen:
            values = [key.grid(grid[key.name]) for key in self.keys]
            for point in product(*values):
                points += 1
                if points > MOST_ROWS:
                    msg = f"the table {self.name} must have at most {MOST_ROWS} rows"
                    raise InvalidArgument(msg)
                yield dict(zip(names, point, strict=True))

    def row(self, point: Point) -> Row:
        """Evaluate all columns at a point."""
        keys = tuple(key.text(point[key.name]) for key in self.keys)
        return Row(keys, tuple(self._cell(column, point, keys) for column in self.columns))

    def stored_row(self, point: Point, stored: Mapping[str, str]) -> Row:
        """What a stored row must be: columns with a check of their own read it."""
        keys = tuple(key.text(point[key.name]) for key in self.keys)
        cells = (self._cell(column, point, keys, stored) for column in self.columns)
        return Row(keys, tuple(cells))

    def _cell(
        self,
        column: Column,
        point: Point,
        keys: tuple[str, ...],
        stored: Mapping[str, str] | None = None,
    ) -> Cell:
        try:
            if stored is not None and column.check is not None:
                texts = column.check(point, stored)
            else:
                texts = column.rounded(point, column.digits)
        except (Undecided, InvalidArgument) as exc:
            names = (f"{key.name} = {text}" for key, text in zip(self.keys, keys, strict=True))
            what = "" if isinstance(exc, Undecided) else f"{column.name}: "
            msg = f"{self.name}, {', '.join(names)}: {what}{exc}"
            raise type(exc)(msg) from exc
        return Cell(texts, column.claims if any(texts) else ())


@final
@dataclass(frozen=True, slots=True)
class Built:
    """A table with its rows."""

    table: Table
    rows: tuple[Row, ...]


def build(table: Table, grids: Mapping[str, str] | None = None) -> Built:
    """Evaluate a table.

    Parameters
    ----------
    table : Table
        Which.
    grids : mapping of str to str, optional
        Grids of its keys, see `Table.points`.
    """
    return Built(table, tuple(table.row(point) for point in list(table.points(grids))))
