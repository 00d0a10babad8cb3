"""Laws on the plane whose log-density is constant on polygons that repeat: exact cells of a shift.

The plane is covered by charts: points that are affine in a few variables, integers and numbers of
an interval. On a chart the log-weights of the law and of the moved law are run for all points at
once (`audit.exact.symbolic.affine`); on each case the weight is e^(form of the integers), so that
its mass is the area of a polygon times a product of geometric sums. No case is left out and nothing
is truncated.

A geometric series over n >= 0 of e^(-decay n) is 1 / (1 - e^-decay). Masses keep such denominators
apart, so that many of them can be brought to one denominator without a division.

Charts cut an axis at 0 and at the move: right of both a coordinate is cut + period (n + f), n = 0,
1, ... and 0 <= f < 1; left of them likewise; between them it is a variable of its own. On lines
z1 + z2 = t, t = n + u with an integer u (-n + u to the left), so that t less the level of z1
depends on u alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import final

from audit.exact.cells.cell import Cell, CellPair, RatioRange
from audit.exact.exact_numbers import add_up, quotient
from audit.exact.symbolic.affine import (
    Affine,
    NotAffine,
    Range,
    Region,
    Vector,
    box,
    constant,
    explore,
    variables,
)
from audit.exact.symbolic.log_numbers import Number
from proofs_check.exponential import Exact, ExpSum


@final
@dataclass(frozen=True, slots=True)
class CaseMass:
    """A mass: finite / product of (1 - e^-decay) over the decays of `series`."""

    finite: ExpSum
    """Numerator."""
    series: Counter[Fraction]
    """One decay for each geometric series."""


def case_mass(region: Region, log_weight: Number, density: Fraction) -> CaseMass:
    """Mass of a case: its volume times the sum of the weights over the integers.

    `region`: a product of a polygon of the reals and of ranges of the integers. `log_weight`:
    logarithm of the weight, the same at all points of the polygon. `density`: volume for each unit
    of the reals. Raises NotAffine if the region is no product, the weight varies over the polygon,
    or the sum is infinite.
    """
    form = log_weight if isinstance(log_weight, Affine) else variables(region)[0] * 0 + log_weight
    if not region.is_product():
        msg = f"the case is no product of polygon and integers: {region!r}"
        raise NotAffine(msg)
    mass = ExpSum.exp(form.vector[-1], region.volume() * density)
    series: Counter[Fraction] = Counter()
    for i, is_integer in enumerate(region.integral):
        rate, (lower, upper) = form.vector[i], region.ends(i)
        if not is_integer:
            if rate:
                msg = f"the weight varies with a real variable: {form!r}"
                raise NotAffine(msg)
        elif lower is not None and upper is not None:
            first_n, last_n = math.ceil(lower), math.floor(upper)
            if rate:
                terms = {rate * n: Fraction(1) for n in range(first_n, last_n + 1)}
                mass = mass * ExpSum(terms)
            else:  # as many as the grid has points: they are counted, not gone through
                mass = mass * ExpSum.rational(last_n - first_n + 1)
        else:
            first, decay = (lower, -rate) if upper is None else (upper, rate)
            if first is None or decay <= 0:
                msg = f"the sum of e^({rate} n) from {lower} to {upper} is infinite"
                raise NotAffine(msg)
            mass = mass * ExpSum.exp(rate * first)
            series[decay] += 1
    return CaseMass(mass, series)


def one_denominator(masses: Sequence[CaseMass]) -> tuple[tuple[ExpSum, ...], ExpSum]:
    """Bring masses to one denominator: their numerators, and the denominator."""
    common: Counter[Fraction] = Counter()
    for mass in masses:
        common = common | mass.series
    numerators = (mass.finite * _product(common - mass.series) for mass in masses)
    return tuple(numerators), _product(common)


def _product(decays: Counter[Fraction]) -> ExpSum:
    result = ExpSum.rational(1)
    for decay in decays.elements():
        result = result * (1 - ExpSum.exp(-decay))
    return result


Point = tuple[Number, Number]
"""A point of the plane, by exact numbers or by forms."""


@final
@dataclass(frozen=True, slots=True)
class Chart:
    """Points (a . (x, 1), b . (x, 1)) for the variables x of a region."""

    region: Region
    """Where the variables range."""
    rows: tuple[Vector, Vector]
    """a and b; different variables give different points."""
    density: Fraction = Fraction(1)
    """Area (length on a line, 1 for atoms) for each unit of the real variables."""

    def point(self, x: tuple[Affine, ...]) -> Point:
        """Point of the chart, as forms."""
        first, second = (Affine(x[0].region, row) for row in self.rows)
        return first, second

    def where(self, region: Region) -> str:
        """Describe the part of the chart over a part of its region."""
        names = [f"{'m' if flag else 'f'}{i}" for i, flag in enumerate(region.integral)]
        place = ", ".join(_sum_of(row, names) for row in self.rows)
        limits = [_between(name, *region.ends(i)) for i, name in enumerate(names)]
        reals = [i for i, flag in enumerate(region.integral) if not flag]
        if len(reals) > 1:
            corners = sorted({tuple(c[i] for i in reals) for c in region.corners})
            spanned = ", ".join(f"({', '.join(map(str, corner))})" for corner in corners)
            limits.append(f"({', '.join(names[i] for i in reals)}) in the hull of {spanned}")
        return f"({place}) with {', '.join(limits)}"


@final
@dataclass(frozen=True, slots=True)
class PlaneLaw:
    """A law on the plane by its log-weights."""

    log_weight: Callable[[Point], Number]
    """Logarithm of the weight at a point, up to one constant."""
    cover: Callable[[Fraction, Fraction], tuple[Chart, ...]]
    """Charts that cover the plane once, given two shifts: neither the law nor the law moved by them
    needs to be cut across integer variables."""

    def cells(self, first: Fraction, second: Fraction) -> CellPair:
        """Cut the law and the law moved by (first, second) into common cells.

        `first`, `second`: the move: the second law is that of Z + (first, second). Returns: the law
        (p) and the moved law (q), masses over the total weight. Raises NotAffine if a cell is no
        product of polygon and integers.
        """
        found: list[tuple[str, RatioRange | None]] = []
        masses: list[CaseMass] = []
        for chart in self.cover(first, second):

            def program(x: tuple[Affine, ...], here: Chart = chart) -> tuple[Number, Number]:
                z1, z2 = here.point(x)
                return self.log_weight((z1, z2)), self.log_weight((z1 - first, z2 - second))

            for region, (p, q) in explore(program, chart.region):
                masses.extend(case_mass(region, form, chart.density) for form in (p, q))
                found.append((chart.where(region), _ratio(p - q)))
        weights, _ = one_denominator(masses)
        cells = zip(weights[::2], weights[1::2], found, strict=True)
        return CellPair(tuple(Cell(p, q, *rest) for p, q, rest in cells), add_up(weights[::2]))

    def total(self) -> Exact:
        """Weight of the whole plane."""
        masses: list[CaseMass] = []
        for chart in self.cover(Fraction(0), Fraction(0)):

            def program(x: tuple[Affine, ...], here: Chart = chart) -> Number:
                return self.log_weight(here.point(x))

            for region, form in explore(program, chart.region):
                masses.append(case_mass(region, form, chart.density))
        weights, denominator = one_denominator(masses)
        return quotient(add_up(weights), denominator)


def _ratio(difference: Number) -> RatioRange | None:
    """Range of e^difference over a case; None where it is the same everywhere."""
    if constant(difference) is not None or not isinstance(difference, Affine):
        return None
    least, most = difference.range()
    lower = Fraction(0) if least is None else ExpSum.exp(least)
    return RatioRange(lower, None if most is None else ExpSum.exp(most))


def _sum_of(row: Vector, names: list[str]) -> str:
    """Write a form: "1/2 - m0 + 2 f1"."""
    parts = [(c, name) for c, name in zip(row, names, strict=False) if c]
    text = "".join(
        f" {'-' if c < 0 else '+'} {'' if abs(c) == 1 else f'{abs(c)} '}{name}" for c, name in parts
    )
    if row[-1] or not parts:
        return f"{row[-1]}{text}"
    return f"-{text[3:]}" if parts[0][0] < 0 else text[3:]


def _between(name: str, lower: Fraction | None, upper: Fraction | None) -> str:
    if lower == upper:
        return f"{name} = {lower}"
    left = "" if lower is None else f"{lower} <= "
    return f"{left}{name}" + ("" if upper is None else f" <= {upper}")


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
