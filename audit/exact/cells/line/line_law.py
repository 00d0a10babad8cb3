"""Laws on the real line that are piecewise exponential, as exact data.

A piece holds a density C_1 e^{y_1 z} + ... + C_k e^{y_k z} between two exact breakpoints, of which
the outermost may be infinite. A tail repeats the pieces and atoms of one period without end:
f(z + period) = e^{-decay} f(z). Weights need not add up to 1; every mass is exact, of infinitely
many repeats too (geometric series).

C is a sum of rational multiples of exponentials of rationals and y is rational, so that integrals
between rational points are such sums too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import final

from audit.exact.exact_numbers import add_up
from mechanisms.errors import InvalidArgument
from proofs_check.exponential import Exact, ExpSum

End = Fraction | None
"""An end of an interval; None stands for infinity on that side."""


@final
@dataclass(frozen=True, slots=True)
class Term:
    """Density C e^{y z}."""

    coefficient: ExpSum
    """C, at least 0."""
    slope: Fraction
    """y."""

    def moved(self, distance: Fraction) -> Term:
        """Law of Z + distance, where Z has this one."""
        factor = ExpSum.exp(-self.slope * distance)
        return Term(self.coefficient * factor, self.slope)

    def integral(self, lower: End, upper: End) -> ExpSum:
        """Integral from lower to upper.

        Raises InvalidArgument if it is infinite.
        """
        y = self.slope
        if (lower is None and y <= 0) or (upper is None and y >= 0):
            msg = f"the integral of {self!r} from {lower} to {upper} is infinite"
            raise InvalidArgument(msg)
        if not y:
            assert lower is not None
            assert upper is not None
            return self.coefficient * (upper - lower)
        at_upper = ExpSum({}) if upper is None else ExpSum.exp(y * upper)
        at_lower = ExpSum({}) if lower is None else ExpSum.exp(y * lower)
        return self.coefficient * (at_upper - at_lower) * (1 / y)


@final
@dataclass(frozen=True, slots=True)
class Piece:
    """One formula on an interval."""

    lower: End
    upper: End
    """Ends of the interval, lower < upper; None is infinite."""
    terms: tuple[Term, ...]
    """The density is their sum."""

    def __post_init__(self) -> None:
        if self.lower is not None and self.upper is not None and not self.lower < self.upper:
            msg = f"lower must be less than upper, got lower={self.lower}, upper={self.upper}"
            raise InvalidArgument(msg)
        if any(term.coefficient.sign() < 0 for term in self.terms):
            msg = f"coefficients must be at least 0, got terms={self.terms!r}"
            raise InvalidArgument(msg)

    def moved(self, distance: Fraction, factor: ExpSum) -> Piece:
        """Law moved by a distance and multiplied by a factor."""
        terms = (term.moved(distance) for term in self.terms)
        return Piece(
            None if self.lower is None else self.lower + distance,
            None if self.upper is None else self.upper + distance,
            tuple(Term(term.coefficient * factor, term.slope) for term in terms),
        )

    def within(self, lower: End, upper: End) -> Piece | None:
        """Part of the piece between two ends; None if there is none."""
        lowers = [end for end in (self.lower, lower) if end is not None]
        uppers = [end for end in (self.upper, upper) if end is not None]
        left, right = max(lowers, default=None), min(uppers, default=None)
        if left is not None and right is not None and left >= right:
            return None
        return Piece(left, right, self.terms)

    def mass(self) -> ExpSum:
        """Integral over the piece."""
        parts = (term.integral(self.lower, self.upper) for term in self.terms)
        return sum(parts, start=ExpSum({}))


@final
@dataclass(frozen=True, slots=True)
class Atom:
    """A point of positive weight."""

    point: Fraction
    weight: ExpSum
    """Greater than 0."""

    def moved(self, distance: Fraction, factor: ExpSum) -> Atom:
        """Law moved by a distance and multiplied by a factor."""
        return Atom(self.point + distance, self.weight * factor)


@final
@dataclass(frozen=True, slots=True)
class PeriodicTail:
    """One period of pieces and atoms, repeated without end."""

    start: Fraction
    """Where the first period begins."""
    period: Fraction
    """Its length; negative for a tail to the left, whose first period ends at `start`."""
    decay: Fraction
    """f(z + period) = e^{-decay} f(z); greater than 0."""
    pieces: tuple[Piece, ...]
    atoms: tuple[Atom, ...] = ()
    """Those of the first period, which holds its end nearer to the body and not the other one."""

    def __post_init__(self) -> None:
        if not self.period or self.decay <= 0:
            msg = f"period must not be 0 and decay be positive, got {self!r}"
            raise InvalidArgument(msg)
        ends = [end for piece in self.pieces for end in (piece.lower, piece.upper)]
        if any(end is None or not 0 <= (end - self.start) / self.period <= 1 for end in ends):
            msg = f"pieces of a tail must lie in its first period, got {self!r}"
            raise InvalidArgument(msg)
        if any(not 0 <= (atom.point - self.start) / self.period < 1 for atom in self.atoms):
            msg = f"atoms of a tail must lie in its first period, got {self!r}"
            raise InvalidArgument(msg)

    @property
    def side(self) -> int:
        """1 for a tail to the right, -1 to the left."""
        return 1 if self.period > 0 else -1

    def lengthened(self, period: Fraction) -> PeriodicTail:
        """Return the same tail with a multiple of its period."""
        count = period / self.period
        if count.denominator != 1 or count < 1:
            msg = f"period must be a multiple of {self.period}, got period={period}"
            raise InvalidArgument(msg)
        pieces, atoms = self.repeats(int(count))
        return PeriodicTail(self.start, period, count * self.decay, pieces, atoms)

    def mass(self) -> Exact:
        """Weight of all repeats: a geometric series."""
        once = [piece.mass() for piece in self.pieces] + [atom.weight for atom in self.atoms]
        return sum(once, start=ExpSum({})) / (1 - ExpSum.exp(-self.decay))

    def repeats(self, count: int) -> tuple[tuple[Piece, ...], tuple[Atom, ...]]:
        """Pieces and atoms of the first `count` periods."""
        steps = [(k * self.period, ExpSum.exp(-k * self.decay)) for k in range(count)]
        return (
            tuple(piece.moved(*step) for step in steps for piece in self.pieces),
            tuple(atom.moved(*step) for step in steps for atom in self.atoms),
        )

    def begin_at(self, start: Fraction) -> tuple[tuple[Piece, ...], tuple[Atom, ...], PeriodicTail]:
        """Begin later: the pieces and atoms before `start`, and the same tail from there on."""
        count = math.floor((start - self.start) / self.period)
        pieces, atoms = self.repeats(count + 2)
        first, second = sorted((start, start + self.period))
        before = (None, start) if self.period > 0 else (start, None)
        inner = [(atom, (atom.point - start) / self.period) for atom in atoms]
        return (
            tuple(part for piece in pieces if (part := piece.within(*before))),
            tuple(atom for atom, place in inner if place < 0),
            PeriodicTail(
                start,
                self.period,
                self.decay,
                tuple(part for piece in pieces if (part := piece.within(first, second))),
                tuple(atom for atom, place in inner if 0 <= place < 1),
            ),
        )


@final
@dataclass(frozen=True, slots=True)
class LineLaw:
    """A law on the line, up to a common factor.

    Raises InvalidArgument if pieces overlap, or two atoms are at one point.
    """

    pieces: tuple[Piece, ...] = ()
    """Between the tails; no two overlap, and where none is the density is 0."""
    atoms: tuple[Atom, ...] = ()
    tails: tuple[PeriodicTail, ...] = ()
    """At most one to either side."""

    def __post_init__(self) -> None:
        beyond = [(t.start, None) if t.side > 0 else (None, t.start) for t in self.tails]
        spans = [[*_spans(self.pieces), *beyond], *(_spans(tail.pieces) for tail in self.tails)]
        atoms = [*self.atoms, *(atom for tail in self.tails for atom in tail.atoms)]
        twice = len({atom.point for atom in atoms}) < len(atoms)
        if twice or any(_overlap(group) for group in spans):
            msg = f"pieces must not overlap, nor two atoms be at one point, got {self!r}"
            raise InvalidArgument(msg)

    @property
    def total(self) -> Exact:
        """Weight of the whole line."""
        return self.mass(None, None)

    def tail(self, side: int) -> PeriodicTail | None:
        """Tail to the right (side 1) or left (side -1)."""
        return next((tail for tail in self.tails if tail.side == side), None)

    def ends(self) -> list[Fraction]:
        """Breakpoints and atoms between the tails."""
        spans = [end for piece in self.pieces for end in (piece.lower, piece.upper)]
        return [end for end in spans if end is not None] + [atom.point for atom in self.atoms]

    def moved(self, distance: Fraction) -> LineLaw:
        """Law of Z + distance, where Z has this one."""
        one = ExpSum.rational(1)
        return LineLaw(
            tuple(piece.moved(distance, one) for piece in self.pieces),
            tuple(atom.moved(distance, one) for atom in self.atoms),
            tuple(
                PeriodicTail(
                    tail.start + distance,
                    tail.period,
                    tail.decay,
                    tuple(piece.moved(distance, one) for piece in tail.pieces),
                    tuple(atom.moved(distance, one) for atom in tail.atoms),
                )
                for tail in self.tails
            ),
        )

    def begin_tails(self, left: End, right: End) -> LineLaw:
        """Return the same law with tails that begin no nearer than the given points."""
        pieces, atoms, tails = list(self.pieces), list(self.atoms), []
        for tail in self.tails:
            start = right if tail.period > 0 else left
            if start is None or (start - tail.start) / tail.period < 0:
                tails.append(tail)
                continue
            more_pieces, more_atoms, rest = tail.begin_at(start)
            pieces.extend(more_pieces)
            atoms.extend(more_atoms)
            tails.append(rest)
        return LineLaw(tuple(pieces), tuple(atoms), tuple(tails))

    def mass(self, lower: End, upper: End) -> Exact:
        """Weight of lower < z <= upper, exactly."""
        ends = [end for end in (lower, upper) if end is not None]
        whole = self.begin_tails(min(ends, default=None), max(ends, default=None))
        parts: list[Exact] = [
            part.mass() for piece in whole.pieces if (part := piece.within(lower, upper))
        ]
        tails = [t for t in whole.tails if (upper if t.period > 0 else lower) is None]
        parts.extend(tail.mass() for tail in tails)
        parts.extend(
            atom.weight
            for atom in [*whole.atoms, *(a for t in whole.tails if t not in tails for a in t.atoms)]
            if (lower is None or lower < atom.point) and (upper is None or atom.point <= upper)
        )
        for tail in tails:  # a tail that begins at an open end loses the atom there
            parts.extend(-a.weight for a in tail.atoms if a.point == lower)
        return add_up(parts)


def _spans(pieces: tuple[Piece, ...]) -> list[tuple[End, End]]:
    return [(piece.lower, piece.upper) for piece in pieces]


def _overlap(spans: list[tuple[End, End]]) -> bool:
    """Whether two of some intervals have a point inside both."""
    least = (-1, Fraction(0))
    ordered = sorted(spans, key=lambda s: least if s[0] is None else (0, s[0]))
    for (_, upper), (lower, _) in pairwise(ordered):
        if upper is None or lower is None or lower < upper:
            return True
    return False
