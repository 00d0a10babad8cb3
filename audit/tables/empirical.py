"""Numbers of a table measured by simulation: an interval for the mean of what a mechanism gives.

The intervals of a table hold jointly up to its false-alarm rate, which is shared equally by its
cells: Clopper and Pearson's where every draw is 0 or 1, Student's otherwise (approximate: of many
draws). An interval that does not contain the exact number makes the cell inconsistent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.binomial_tails import binomial_limits, student_limits

if TYPE_CHECKING:
    from audit.tables.samplers import TableSource
    from proofs_check.tables.table import Built, Cell

__all__ = ["Joined", "MeasuredInterval", "interval", "join"]

DIGITS = 6
"""Of the ends of a measured interval."""


@final
@dataclass(frozen=True, slots=True)
class MeasuredInterval:
    """An interval measured for a cell."""

    texts: tuple[str, str]
    """Its ends, rounded outward."""
    draws: int
    source: str
    """The mechanism, or the library's call."""
    consistent: bool
    """Whether it contains the exact number, if there is one."""


@final
@dataclass(frozen=True, slots=True)
class Joined:
    """What was measured beside a table."""

    measured: Mapping[tuple[int, str], MeasuredInterval]
    """By row and column, or rival."""
    columns: tuple[str, ...]
    """Columns and rivals with an interval in some row."""
    left_out: tuple[str, ...]
    """Why other columns that could be measured are not: a library is missing, or the mechanism does
    not take the parameters."""
    libraries: tuple[str, ...]
    """Distributions that were used."""
    seed: int
    """Of our own draws; released libraries may have no seed."""
    false_alarm: float
    """Of all intervals together."""

    def at(self, row: int, column: str) -> MeasuredInterval | None:
        """Return the interval of a cell, if there is one."""
        return self.measured.get((row, column))

    def says(self) -> str:
        """Say in a sentence how it was measured."""
        return (
            f"intervals of {len(self.measured)} cells by simulation, wrong anywhere with "
            f"probability {self.false_alarm:g} (about); seed {self.seed}."
        )

    def facts(self) -> dict[str, object]:
        """Write the same for programs."""
        return {
            "seed": self.seed,
            "false_alarm": self.false_alarm,
            "left_out": list(self.left_out),
        }


def join(built: Built, *, seed: int, false_alarm: float, samples: int | None = None) -> Joined:
    """Measure every cell for which there is a mechanism, or an installed library.

    `built`: the table. `seed`: every cell has a stream of its own, whatever else is measured.
    `false_alarm`: probability that some interval misses a number that is right. `samples`: draws of
    each cell; what its source takes by default if None.
    """
    from audit.draws.streams import Purpose, stream
    from audit.tables.measured_sources import sources_of
    from mechanisms.errors import InvalidArgument, MissingExtra

    sources, left_out = sources_of(built.table.name)
    table = built.table
    names = [*(column.name for column in table.columns), *(one.name for one in table.rivals)]
    points = [
        {k.name: k.read(text) for k, text in zip(table.keys, row.keys, strict=True)}
        for row in built.rows
    ]
    todo = [
        (number, name, source, cell)
        for number, row in enumerate(built.rows)
        for name, cell in zip(names, (*row.cells, *(None for _ in table.rivals)), strict=True)
        if (source := sources.get(name)) is not None and (cell is None or cell.texts[0])
    ]
    found: dict[tuple[int, str], MeasuredInterval] = {}
    for number, name, source, cell in todo:
        rng = stream(seed, Purpose.TABLE, pair=number, arm=names.index(name))
        size = source.draws if samples is None else samples
        try:
            draws = source.sample(points[number], size, rng)
        except (MissingExtra, InvalidArgument) as exc:
            left_out = tuple(dict.fromkeys((*left_out, f"{name}: {exc}")))
            continue
        found[number, name] = _measured(draws, source, cell, false_alarm / len(todo))
    columns = tuple(name for name in names if any(key[1] == name for key in found))
    libraries = {sources[name].library for name in columns} - {""}
    return Joined(found, columns, left_out, tuple(sorted(libraries)), seed, false_alarm)


def interval(draws: NDArray[np.float64], rate: float) -> tuple[float, float]:
    """Interval for a mean that misses it with a probability of about `rate`.

    `draws`, shape (n,): independent, at least 2. `rate`: exact where all draws are 0 or 1.
    """
    if np.isin(draws, (0.0, 1.0)).all():
        return binomial_limits(int(draws.sum()), draws.size, rate / 2)
    return student_limits(draws, rate / 2)


def _measured(
    draws: NDArray[np.float64], source: TableSource, cell: Cell | None, rate: float
) -> MeasuredInterval:
    """Make the interval of a cell, or of a rival, which has no number to contain."""
    from fractions import Fraction

    from proofs_check.tables.rounding import outward

    ends = interval(draws, rate)
    if source.root:
        ends = math.sqrt(max(ends[0], 0.0)), math.sqrt(ends[1])
    texts = outward(Fraction(ends[0]), DIGITS)[0], outward(Fraction(ends[1]), DIGITS)[1]
    if cell is None:
        return MeasuredInterval(texts, draws.size, source.label, consistent=True)
    least, most = Fraction(cell.texts[0]), Fraction(cell.texts[-1])
    consistent = Fraction(texts[0]) <= most and least <= Fraction(texts[1])
    return MeasuredInterval(texts, draws.size, source.label, consistent)
