"""What a figure is: rows of numbers as text, and how they are drawn; and how both are written."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

    from audit.request.request import Request

__all__ = ["ENDINGS", "Asked", "Data", "Figure", "collect", "data_file", "picture_format"]

ENDINGS = ("png", "svg", "pdf")
"""Formats of the picture, by the ending of its file."""


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a figure."""

    seed: int = 1
    """Of everything that is drawn at random."""
    audits: tuple[Request, ...] = ()
    """What to audit, for the figures of an audit; empty for their examples."""

    def requests(self, examples: Sequence[str]) -> tuple[Request, ...]:
        """What to audit: what is asked for, or else the examples, as real-number algorithms."""
        from audit.request.request import Request

        return self.audits or tuple(Request(name, ideal=True) for name in examples)


@final
@dataclass(frozen=True, slots=True)
class Data:
    """Rows of a figure: numbers as text, empty where there is none."""

    columns: tuple[str, ...]
    """Headers."""
    rows: tuple[tuple[str, ...], ...]
    """In the order drawn."""

    def where(self, **wanted: str) -> Data:
        """Keep the rows whose columns have these texts."""
        places = {self.columns.index(name): text for name, text in wanted.items()}
        kept = (row for row in self.rows if all(row[k] == text for k, text in places.items()))
        return Data(self.columns, tuple(kept))

    def texts(self, column: str) -> tuple[str, ...]:
        """Different texts of a column, in the order of their first rows."""
        place = self.columns.index(column)
        return tuple(dict.fromkeys(row[place] for row in self.rows))

    def numbers(self, column: str) -> NDArray[np.float64]:
        """Numbers of a column, NaN where there is none, shape (rows,)."""
        place = self.columns.index(column)
        return np.array([float(row[place]) if row[place] else np.nan for row in self.rows])

    def csv(self) -> str:
        """Write them with a header line."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([self.columns, *self.rows])
        return out.getvalue()


@final
@dataclass(frozen=True, slots=True)
class Figure:
    """A figure."""

    columns: tuple[str, ...]
    """Headers of its data."""
    rows: Callable[[Asked], Iterable[Sequence[str]]]
    """Makes the rows of the data."""
    draw: Callable[[Data, Canvas], None]
    """Draws them, and nothing else, on a canvas."""
    size: tuple[float, float] = (6.4, 4.2)
    """Width and height, in inches."""
    of_audit: bool = False
    """Whether it shows an audit, of a target that may be named."""


def collect(figure: Figure, asked: Asked) -> Data:
    """Make the data of a figure.

    Raises InvalidArgument if a target is given to a figure that shows no audit.
    """
    if asked.audits and not figure.of_audit:
        msg = "a target goes with a figure of an audit: privacy-profile or wealth-paths"
        raise InvalidArgument(msg)
    return Data(figure.columns, tuple(tuple(row) for row in figure.rows(asked)))


def picture_format(file: str) -> str:
    """Return the format of a picture by the ending of its file.

    Raises InvalidArgument if the ending is none of `ENDINGS`.
    """
    ending = Path(file).suffix.lower().removeprefix(".")
    if ending not in ENDINGS:
        msg = f"a figure is a file .png, .svg or .pdf, got {file}"
        raise InvalidArgument(msg)
    return ending


def data_file(file: str) -> str:
    """Name of the file beside a picture that holds its data."""
    return str(Path(file).with_suffix(".csv"))
