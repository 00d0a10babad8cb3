"""Figures that are curves over one quantity: exact cells of the verified tables, and simulations.

A curve is an error of a mechanism, or a ratio of two, at n records, epsilon, and a mean of the
records, one of which runs along the axis; N is n epsilon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, final

from audit.figures.axis_numbers import Point, exact, measured, scaled, text
from audit.figures.figure_kind import Asked, Data, Figure
from audit.figures.style import Label, Look, curve, frame, label_ends, simulated

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

__all__ = ["CurveCell", "TableCurves", "Unit", "figure_of"]

Unit = Callable[[Point], Fraction]
"""What a number is multiplied by, at a point."""
SIMULATIONS = ("simulated", "low", "high")


LABELS = {"algorithm": "Algorithm {}", "noise": "{}", "mean": "mean {}"}
"""What stands at the end of a curve, by what tells curves apart."""


@final
@dataclass(frozen=True, slots=True)
class CurveCell:
    """A column of a verified table, as text with {name} and {mechanism} of a curve, and a unit."""

    table: str
    column: str
    unit: Unit | None = None


@final
@dataclass(frozen=True, slots=True)
class TableCurves:
    """What is drawn over what."""

    over: str
    """The quantity along the axis."""
    places: Callable[[], Iterable[Fraction]]
    """Its values."""
    fixed: Mapping[str, Fraction]
    """The other quantities."""
    cells: Mapping[str, CurveCell]
    """Columns of the data, by their headers."""
    names: Mapping[str, Look]
    """The curves and how they look, by the text of the column `series`."""
    words: tuple[str, str, str]
    """Names of the axes, and the title."""
    series: str = ""
    """Header of the column that tells curves apart; "" for a single one."""
    drawn: str = "exact"
    label_at: str = "exact"
    """Which column is the curve, and at the end of which its label stands."""
    unit: Unit | None = None
    """Of the simulated points, where there are any."""
    where: Callable[[int, Fraction], bool] = lambda k, _: k % 3 == 0
    """At which places these are; every third, unless it is said."""
    log: bool = False
    """Whether both axes are logarithmic."""
    beside: Callable[[Axes, Data, Look], None] | None = None
    """What else is drawn of a curve, below it."""
    around: Callable[[Axes, Data, list[Label]], None] | None = None
    """What else is drawn on the axes, or added to the labels."""
    below: Callable[[Axes, Data], None] | None = None
    """What a second panel shows."""
    size: tuple[float, float] = (7.2, 4.2)
    """Width and height, in inches."""


def figure_of(curves: TableCurves) -> Figure:
    """Make the figure.

    `curves`: what it shows.
    """
    columns = (
        *([curves.series] if curves.series else []),
        curves.over,
        *curves.cells,
        *(SIMULATIONS if curves.unit else ()),
    )
    return Figure(columns, partial(_rows, curves), partial(_draw, curves), curves.size)


def _rows(curves: TableCurves, asked: Asked) -> Iterator[tuple[str, ...]]:
    for m, name in enumerate(curves.names):
        mechanism, at = "algorithm_3_laplace", dict(curves.fixed)
        if curves.series == "algorithm":
            m, mechanism = int(name), f"algorithm_{name}_laplace"
        elif curves.series == "noise":
            mechanism = f"algorithm_3_{name.replace(' ', '_')}".lower()
        elif curves.series:
            at[curves.series] = Fraction(name)
        for k, place in enumerate(curves.places()):
            at[curves.over] = place
            point = {**at, "N": at["n"] * at["epsilon"]}
            cells = [_written(cell, name, mechanism, point) for cell in curves.cells.values()]
            points: tuple[str, ...] = ("", "", "") if curves.unit else ()
            if curves.unit and curves.where(k, place):
                number = int(place) if curves.over == "n" else k
                points = measured(mechanism, at, curves.unit(point), (asked.seed, m, number))
            first = [name] if curves.series else []
            yield *first, _place(curves.over, place), *cells, *points


def _written(cell: CurveCell, name: str, mechanism: str, point: Point) -> str:
    column = cell.column.format(name=name, mechanism=mechanism)
    if cell.table == "mse":  # the same at both ends, and slow
        point = {**point, "mean": min(point["mean"], 1 - point["mean"])}
    number = exact(cell.table, column, point)
    return scaled(number, cell.unit(point)) if cell.unit else number


def _place(over: str, place: Fraction) -> str:
    return f"{float(place):g}" if over == "epsilon" else text(place)


def _draw(curves: TableCurves, data: Data, canvas: Canvas) -> None:
    if curves.below is None:
        axes = canvas.subplots()
    else:
        axes, second = canvas.subplots(2, 1, sharex=True, height_ratios=(3, 1.3))
    if curves.log:
        axes.set_xscale("log")
        axes.set_yscale("log")
    labels: list[Label] = []
    for name, look in curves.names.items():
        one = data.where(**{curves.series: name}) if curves.series else data
        if curves.beside is not None:
            curves.beside(axes, one, look)
        curve(axes, one.numbers(curves.over), one.numbers(curves.drawn), look)
        if curves.unit is not None:
            simulated(axes, one, curves.over, look)
        if curves.series in LABELS:
            end = float(one.numbers(curves.label_at)[-1])
            labels.append((LABELS[curves.series].format(name), end, look.color))
    if curves.around is not None:
        curves.around(axes, data, labels)
    if curves.below is not None:
        curves.below(second, data)
    frame(axes, *curves.words)
    label_ends(axes, labels)
