"""Charts of the plane: axes cut at 0 and at the move, and lines z1 + z2 = t.

Right of both cuts a coordinate is cut + period (n + f), n = 0, 1, ... and 0 <= f < 1; left of them
likewise; between them it is a variable of its own. On lines, t = n + u with an integer u (-n + u
to the left), so that t less the level of z1 depends on u alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import final

from audit.exact.cells.plane.law import Chart
from audit.exact.symbolic.region import Range, Vector, box

__all__ = ["AxisPart", "grid_axis", "line_charts", "plane_charts", "real_axis"]

ONWARD: Range = (0, None)
BACKWARD: Range = (None, -1)


@final
@dataclass(frozen=True, slots=True)
class AxisPart:
    """The coordinates coefficients . x + offset."""

    ranges: tuple[Range, ...]
    """Of the variables x."""
    integral: tuple[bool, ...]
    """Which of them are integers."""
    coefficients: tuple[Fraction, ...]
    """One for each variable."""
    offset: Fraction
    """Coordinate at x = 0."""
    side: int
    """1 or -1 where the first variable counts periods to the right or to the left, else 0."""
    density: Fraction = Fraction(1)
    """Length for each unit of the real variable; 1 without one."""


def real_axis(move: Fraction, period: Fraction) -> tuple[AxisPart, ...]:
    """Cut the real line at 0 and at the move."""
    lower, upper = min(move, Fraction(0)), max(move, Fraction(0))
    outer = ((ONWARD, (0, 1)), (True, False))
    parts = [
        AxisPart(*outer, (-period, -period), lower, -1, period),
        AxisPart(*outer, (period, period), upper, 1, period),
    ]
    if lower < upper:
        parts.append(AxisPart(((lower, upper),), (False,), (Fraction(1),), Fraction(0), 0))
    return tuple(parts)


def grid_axis(move: int, period: int) -> tuple[AxisPart, ...]:
    """Cut the integers before 0 and before the move; periods are whole."""
    lower, upper = min(move, 0), max(move, 0)
    outer = ((ONWARD, (0, period - 1)), (True, True))
    step = (Fraction(period), Fraction(1))
    parts = [
        AxisPart(*outer, (-step[0], -step[1]), Fraction(lower - 1), -1),
        AxisPart(*outer, step, Fraction(upper), 1),
    ]
    if lower < upper:
        parts.append(AxisPart(((lower, upper - 1),), (True,), (Fraction(1),), Fraction(0), 0))
    return tuple(parts)


def plane_charts(first: tuple[AxisPart, ...], second: tuple[AxisPart, ...]) -> tuple[Chart, ...]:
    """Charts (z1, z2) of all pairs of parts."""
    charts = []
    for one, two in product(first, second):
        pad_one, pad_two = (Fraction(0),) * len(one.ranges), (Fraction(0),) * len(two.ranges)
        rows = (
            (*one.coefficients, *pad_two, one.offset),
            (*pad_one, *two.coefficients, two.offset),
        )
        region = box((*one.ranges, *two.ranges), (*one.integral, *two.integral))
        charts.append(Chart(region, rows, one.density * two.density))
    return tuple(charts)


def line_charts(axis: tuple[AxisPart, ...]) -> tuple[Chart, ...]:
    """Charts (z1, t), t any integer; z1 moves by a period as t moves by 1."""
    charts = []
    for part, lines in product(axis, (ONWARD, BACKWARD)):
        rest = (Fraction(0),) * (len(part.ranges) - 1)
        rows: tuple[Vector, Vector] = (
            (*part.coefficients, Fraction(0), part.offset),
            (Fraction(part.side), *rest, Fraction(1), Fraction(0)),
        )
        region = box((*part.ranges, lines), (*part.integral, True))
        charts.append(Chart(region, rows, part.density))
    return tuple(charts)
