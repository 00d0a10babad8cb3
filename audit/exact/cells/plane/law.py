"""Laws on the plane whose log-density is constant on polygons that repeat: exact cells of a shift.

The plane is covered by charts: points that are affine in a few variables, integers and numbers of
an interval. On a chart the log-weights of the law and of the moved law are run for all points at
once (`audit.exact.symbolic.affine`); on each case the weight is e^(form of the integers), so that
its mass is the area of a polygon times a product of geometric sums. No case is left out and nothing
is truncated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.exact.cells.cell import Cell, CellPair, RatioRange, Where
from audit.exact.numbers import add_up, quotient
from audit.exact.symbolic.affine import Affine, constant, explore
from audit.exact.symbolic.case_mass import CaseMass, case_mass, one_denominator
from audit.exact.symbolic.levels import Number
from audit.exact.symbolic.region import Region, Vector
from proofs_check.exponential import Exact, ExpSum

__all__ = ["Chart", "PlaneLaw", "Point"]

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

    def where(self, region: Region) -> Where:
        """Describe the part of the chart over a part of its region."""
        names = [f"{'m' if flag else 'f'}{i}" for i, flag in enumerate(region.integral)]
        place = ", ".join(_sum_of(row, names) for row in self.rows)
        limits = [_between(name, *region.ends(i)) for i, name in enumerate(names)]
        reals = [i for i, flag in enumerate(region.integral) if not flag]
        if len(reals) > 1:
            corners = sorted({tuple(c[i] for i in reals) for c in region.corners})
            spanned = ", ".join(f"({', '.join(map(str, corner))})" for corner in corners)
            limits.append(f"({', '.join(names[i] for i in reals)}) in the hull of {spanned}")
        data = ("chart", self.rows, region.integral, region.constraints)
        return Where(f"({place}) with {', '.join(limits)}", data)


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
        found: list[tuple[Where, RatioRange | None]] = []
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
