"""Cut the line by the breakpoints of two laws, so that on each cell both have one formula.

Periodic tails are opened to one common start and period; a cell of the period stands for all its
repeats.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import final

from audit.exact.cells.cell import Where, interval, outcomes
from audit.exact.cells.line.law import LineLaw, PeriodicTail
from audit.exact.cells.line.pieces import Atom, End, Piece, Term
from mechanisms.errors import InvalidArgument

__all__ = ["Common", "common_cells"]

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

    def where(self, lower: End, upper: End) -> Where:
        """Describe the part of the cell between two ends."""
        place = outcomes(self.lower) if self.atom else interval(lower, upper)
        if self.repeat is None:
            return place
        period = self.repeat[0]
        words = f"{place} {'+' if period > 0 else '-'} {abs(period)} m for m = 0, 1, 2, ..."
        return Where(words, ("repeated", place.data, period))


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
    period = _common_multiple(abs(tails[0].period), abs(tails[-1].period)) * side
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


def _common_multiple(x: Fraction, y: Fraction) -> Fraction:
    """Least common multiple of two positive rationals."""
    return Fraction(math.lcm(x.numerator, y.numerator), math.gcd(x.denominator, y.denominator))
