"""Two laws on the line as cells: exact masses, and the range of the density ratio on each.

On a common cell the two densities together have at most two different slopes a < b, so their
ratio (A + B u) / (C + D u), u = e^{(b - a) z}, is monotone and takes its extremes at the ends.
Where it crosses e^level inside a cell, the cell is cut there: at an exact point if that is
rational, else the masses are balls, and say so by their type. Largest ratio, hockey-stick
divergence and total variation are then those of the cells (`audit.exact.cells.cell_divergences`).

The line is cut by the breakpoints of both laws first. Periodic tails are opened to one common start
and period; a cell of the period stands for all its repeats.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import final

from audit.exact.cells.cell import Cell, CellPair, RatioRange, interval, outcomes
from audit.exact.cells.cell_divergences import exact_log
from audit.exact.cells.line.line_law import Atom, End, LineLaw, PeriodicTail, Piece, Term
from audit.exact.exact_numbers import BITS, Mass, log_ball, quotient, simplest
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, Balls
from proofs_check.exponential import Exact, ExpSum

Repeat = tuple[Fraction, Fraction]
"""Period and decay of a tail."""


@final
@dataclass(frozen=True, slots=True)
class Common:
    """A cell on which both laws have one formula."""

    lower: End
    upper: End
    """Its ends; the same for an atom."""
    p: tuple[Term, ...]
    q: tuple[Term, ...]
    """Densities; of an atom the weights, as terms of slope 0."""
    repeat: Repeat | None = None
    """Period and decay, where the cell stands for all its repeats in a tail."""

    @property
    def atom(self) -> bool:
        """Whether the cell is a point of positive probability."""
        return self.lower is not None and self.lower == self.upper

    def where(self, lower: End, upper: End) -> str:
        """Describe the part of the cell between two ends."""
        place = outcomes(self.lower) if self.atom else interval(lower, upper)
        if self.repeat is None:
            return place
        period = self.repeat[0]
        return f"{place} {'+' if period > 0 else '-'} {abs(period)} m for m = 0, 1, 2, ..."


def common_cells(p: LineLaw, q: LineLaw) -> tuple[Common, ...]:
    """Cut the line by the breakpoints of two laws.

    `p`, `q`: tails to one side fall at the same rate, with periods of rational ratio; a single
    exponential counts as a tail of any period. Returns: the cells on which one law at least has a
    positive density. Raises InvalidArgument if the tails differ otherwise.
    """
    for side in (-1, 1):
        p, q = _aligned(p, q, side)
    starts = {tail.start for tail in p.tails}
    cells = [*_cut(p.pieces, q.pieces, starts), *_match(p.atoms, q.atoms)]
    for side in (-1, 1):
        tail, other = p.tail(side), q.tail(side)
        if tail is not None and other is not None:  # aligned: both have it, or none
            repeat = (tail.period, tail.decay)
            cells.extend(_cut(tail.pieces, other.pieces, (), repeat))
            cells.extend(_match(tail.atoms, other.atoms, repeat))
    return tuple(cells)


def _cut(
    p: Sequence[Piece],
    q: Sequence[Piece],
    more: Sequence[Fraction] | set[Fraction],
    repeat: Repeat | None = None,
) -> Iterator[Common]:
    """Cells between all breakpoints of the pieces."""
    finite = {end for piece in (*p, *q) for end in (piece.lower, piece.upper) if end is not None}
    points = sorted(finite | set(more))
    ends: list[End] = [None, *points, None]
    for lower, upper in pairwise(ends):
        terms_p, terms_q = _terms(p, lower, upper), _terms(q, lower, upper)
        if terms_p or terms_q:
            yield Common(lower, upper, terms_p, terms_q, repeat)


def _terms(pieces: Sequence[Piece], lower: End, upper: End) -> tuple[Term, ...]:
    """Density on an interval that no breakpoint cuts."""
    for piece in pieces:
        if piece.within(lower, upper) is not None:
            return piece.terms
    return ()


def _match(p: Sequence[Atom], q: Sequence[Atom], repeat: Repeat | None = None) -> Iterator[Common]:
    """Cells of one point each."""
    weights_p, weights_q = ({atom.point: atom.weight for atom in atoms} for atoms in (p, q))
    for point in sorted(weights_p.keys() | weights_q.keys()):
        at_p, at_q = (
            (Term(weights[point], Fraction(0)),) if point in weights else ()
            for weights in (weights_p, weights_q)
        )
        yield Common(point, point, at_p, at_q, repeat)


def _aligned(p: LineLaw, q: LineLaw, side: int) -> tuple[LineLaw, LineLaw]:
    """Bring the tails of one side to the same start and period."""
    tails = [tail for tail in (p.tail(side), q.tail(side)) if tail is not None]
    if not tails:
        return p, q
    x, y = abs(tails[0].period), abs(tails[-1].period)
    period = side * Fraction(
        math.lcm(x.numerator, y.numerator), math.gcd(x.denominator, y.denominator)
    )
    decays = {tail.decay * period / tail.period for tail in tails}
    if len(decays) > 1:
        msg = f"tails that fall at different rates have no common cells: {tails!r}"
        raise InvalidArgument(msg)
    starts = [tail.start for tail in tails]
    starts.extend(end for law in (p, q) for end in law.ends())
    start = max(starts) if side > 0 else min(starts)
    if any(atom.point == start for law in (p, q) for atom in law.atoms):
        start += period  # an atom of the body stays in it
    decay = decays.pop()
    first, second = (_with_tail(law, start, period, decay) for law in (p, q))
    return first, second


def _with_tail(law: LineLaw, start: Fraction, period: Fraction, decay: Fraction) -> LineLaw:
    """Return the same law with the given tail; a single exponential is one of any period."""
    side = 1 if period > 0 else -1
    others = tuple(tail for tail in law.tails if tail.side != side)
    own = law.tail(side)
    if own is not None:
        pieces, atoms, tail = own.lengthened(period).begin_at(start)
        return LineLaw(law.pieces + pieces, law.atoms + atoms, (*others, tail))
    ends = sorted((start, start + period))
    outside = (start, None) if side > 0 else (None, start)
    outer = [piece for piece in law.pieces if piece.within(*outside)]
    if any(-term.slope * period != decay for piece in outer for term in piece.terms):
        msg = f"an exponential tail {outer!r} does not fall by {decay} in {abs(period)}"
        raise InvalidArgument(msg)
    before = (None, start) if side > 0 else (start, None)
    kept = tuple(part for piece in law.pieces if (part := piece.within(*before)))
    tail_pieces = tuple(part for piece in outer if (part := piece.within(ends[0], ends[1])))
    return LineLaw(kept, law.atoms, (*others, PeriodicTail(start, period, decay, tail_pieces)))


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


def _where(cell: Common, lower: Place, upper: Place) -> str:
    """Describe a part of a cell; an end that is only enclosed is given by its ball."""
    if not isinstance(lower, Ball) and not isinstance(upper, Ball):
        return cell.where(lower, upper)
    whole = cell.where(cell.lower, cell.upper)
    ends = tuple(
        place.value.str(20, radius=False) if isinstance(place, Ball) else str(place)
        for place in (lower, upper)
    )
    sides = (f"z {sign} {end}" for sign, end in zip("><", ends, strict=True) if end != "None")
    return f"{whole}, {' and '.join(sides)}"


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
