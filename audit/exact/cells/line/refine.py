"""Two laws on the line as cells: exact masses, and the range of the density ratio on each.

On a common cell the two densities together have at most two different slopes a < b, so their
ratio (A + B u) / (C + D u), u = e^{(b - a) z}, is monotone and takes its extremes at the ends.
Where it crosses e^level inside a cell, the cell is cut there: at an exact point if that is
rational, else the masses are balls, and say so by their type. Largest ratio, hockey-stick
divergence and total variation are then those of the cells (`audit.exact.cells.divergences`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import final

from audit.exact.cells.cell import Cell, CellPair, RatioRange, Where
from audit.exact.cells.divergences import exact_log
from audit.exact.cells.line.common import Common, common_cells
from audit.exact.cells.line.law import LineLaw
from audit.exact.cells.line.pieces import End, Term
from audit.exact.numbers import BITS, Mass, log_ball, quotient, simplest
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, Balls
from proofs_check.exponential import Exact, ExpSum

__all__ = ["cell_pair"]

Place = End | Ball
"""A point of the line, exact or enclosed; None is infinite."""

ZERO = ExpSum({})


def cell_pair(
    p: LineLaw, q: LineLaw, levels: Iterable[Fraction] = (), *, bits: int = BITS
) -> CellPair:
    """Cut two laws into cells, each of which lies on one side of every ratio e^level.

    `p`, `q`: as for `common_cells`; they need not be normalized. `levels`: epsilons at which
    hockey-stick divergences will be wanted (of both signs, for both directions; 0 for total
    variation). `bits`: precision of the masses that are no exact numbers. Returns: cells of one
    ratio first, the others after them. Raises InvalidArgument if the laws have no common cells, or
    more than two slopes on one of them.
    """
    cells = _first_periods(common_cells(p, q))
    masses_p, masses_q = zip(*(_masses(cell) for cell in cells), strict=True)
    total_p, total_q = sum(masses_p, start=ZERO), sum(masses_q, start=ZERO)
    scale_p = scale_q = ExpSum.rational(1)
    if total_p != total_q:
        scale_p, scale_q = total_q, total_p
    wanted = sorted({Fraction(level) for level in levels})
    found = [
        part for cell in cells for part in _parts(_scaled(cell, scale_p, scale_q), wanted, bits)
    ]
    found.sort(key=lambda part: part.ratio is not None)
    return CellPair(tuple(found), simplest(total_p * scale_p))


@final
@dataclass(frozen=True, slots=True)
class _Ratio:
    """The ratio (A e^az + B e^bz) / (C e^az + D e^bz), a <= b; monotone."""

    width: Fraction
    a: ExpSum
    b: ExpSum
    c: ExpSum
    d: ExpSum

    @classmethod
    def on(cls, cell: Common) -> _Ratio:
        slopes = sorted({term.slope for term in (*cell.p, *cell.q)})
        if len(slopes) > 2:
            where = cell.where(cell.lower, cell.upper)
            msg = f"a ratio of densities with more than two slopes, {slopes}, at {where}"
            raise InvalidArgument(msg)
        a, c = (_coefficient(terms, slopes[0]) for terms in (cell.p, cell.q))
        if len(slopes) == 1:
            return cls(Fraction(0), a, ZERO, c, ZERO)
        b, d = (_coefficient(terms, slopes[1]) for terms in (cell.p, cell.q))
        return cls(slopes[1] - slopes[0], a, b, c, d)

    @property
    def constant(self) -> bool:
        return self.a * self.d == self.b * self.c

    def at(self, z: End, *, upper: bool) -> Exact | None:
        """Ratio at an end (limit at an infinite one); None is infinite."""
        if z is None:
            over, under = (self.b, self.d) if upper else (self.a, self.c)
        else:
            u = ExpSum.exp(self.width * z)
            over, under = self.a + self.b * u, self.c + self.d * u
        return quotient(over, under) if under else None

    def crossing(self, level: Fraction, bits: int) -> Fraction | Ball:
        """Point where the ratio is e^level, which lies strictly between those at the ends."""
        ratio = ExpSum.exp(level)
        u = quotient(self.a - ratio * self.c, ratio * self.d - self.b)
        exponent = exact_log(u)
        return log_ball(u, bits) / self.width if exponent is None else exponent / self.width


def _parts(cell: Common, levels: list[Fraction], bits: int) -> Iterator[Cell]:
    """Cut one cell where its ratio crosses a level."""
    ratio = _Ratio.on(cell)
    if ratio.constant:
        p, q = _masses(cell)
        yield Cell(p, q, cell.where(cell.lower, cell.upper))
        return
    first, last = ratio.at(cell.lower, upper=False), ratio.at(cell.upper, upper=True)
    rising = last is None or (first is not None and first < last)
    least, most = (first, last) if rising else (last, first)
    inside = [
        level
        for level in levels
        if (least is None or least < ExpSum.exp(level))
        and (most is None or most > ExpSum.exp(level))
    ]
    inside = inside if rising else inside[::-1]
    places: list[Place] = [cell.lower, *(ratio.crossing(x, bits) for x in inside), cell.upper]
    values = [first, *(ExpSum.exp(x) for x in inside), last]
    for (lower, upper), (before, after) in zip(pairwise(places), pairwise(values), strict=True):
        ends = [value for value in (before, after) if value is not None]
        yield Cell(
            _mass(cell.p, lower, upper, bits),
            _mass(cell.q, lower, upper, bits),
            _where(cell, lower, upper),
            RatioRange(min(ends), max(ends) if len(ends) > 1 else None),
        )


def _masses(cell: Common) -> tuple[ExpSum, ExpSum]:
    """Masses of a whole cell (of the first period, if it repeats)."""
    if cell.atom:
        return _coefficient(cell.p, Fraction(0)), _coefficient(cell.q, Fraction(0))
    p, q = (
        sum((term.integral(cell.lower, cell.upper) for term in terms), start=ZERO)
        for terms in (cell.p, cell.q)
    )
    return p, q


def _where(cell: Common, lower: Place, upper: Place) -> Where:
    """Describe a part of a cell; an end that is only enclosed is given by its ball."""
    if not isinstance(lower, Ball) and not isinstance(upper, Ball):
        return cell.where(lower, upper)
    whole = cell.where(cell.lower, cell.upper)
    ends = tuple(_end(place) for place in (lower, upper))
    sides = (f"z {sign} {end}" for sign, end in zip("><", ends, strict=True) if end != "None")
    return Where(f"{whole}, {' and '.join(sides)}", ("part", whole.data, ends))


def _end(place: Place) -> str:
    return place.value.str(20, radius=False) if isinstance(place, Ball) else str(place)


def _mass(terms: tuple[Term, ...], lower: Place, upper: Place, bits: int) -> Mass:
    """Mass of a density between two points; a ball if one of them is."""
    if not isinstance(lower, Ball) and not isinstance(upper, Ball):
        return sum((term.integral(lower, upper) for term in terms), start=ZERO)
    numbers = Balls(bits)
    mass = numbers.rational(Fraction(0))
    for term in terms:
        mass = mass + term.coefficient.ball(bits) * (
            _antiderivative(term.slope, upper, numbers)
            - _antiderivative(term.slope, lower, numbers)
        )
    return mass


def _antiderivative(slope: Fraction, place: Place, numbers: Balls) -> Ball:
    """Integral of e^(slope z): z for slope 0, else e^(slope z) / slope."""
    if place is None:
        return numbers.rational(Fraction(0))
    point = place if isinstance(place, Ball) else numbers.rational(place)
    return numbers.exp(point * slope) / slope if slope else point


def _first_periods(cells: tuple[Common, ...]) -> list[Common]:
    """Weigh cells so that the first period of a repeated one has the mass of all its repeats.

    All weights are multiplied by the product of 1 - e^-decay over the different decays.
    """
    decays = {cell.repeat[1] for cell in cells if cell.repeat is not None}
    weighed = []
    for cell in cells:
        weight = ExpSum.rational(1)
        for decay in decays - ({cell.repeat[1]} if cell.repeat is not None else set()):
            weight = weight * (1 - ExpSum.exp(-decay))
        weighed.append(_scaled(cell, weight, weight))
    return weighed


def _scaled(cell: Common, scale_p: ExpSum, scale_q: ExpSum) -> Common:
    p, q = (
        tuple(Term(term.coefficient * scale, term.slope) for term in terms)
        for terms, scale in ((cell.p, scale_p), (cell.q, scale_q))
    )
    return Common(cell.lower, cell.upper, p, q, cell.repeat)


def _coefficient(terms: tuple[Term, ...], slope: Fraction) -> ExpSum:
    return sum((term.coefficient for term in terms if term.slope == slope), start=ZERO)
