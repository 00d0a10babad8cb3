"""Two one-dimensional densities and their divergences, enclosed on the whole line.

Densities are stated as log-density formulas over an `Arithmetic`, with exact breakpoints between
which each has one formula. The line is cut at all breakpoints. On finite pieces the log-ratio is
bounded by branch and bound, and cells on which its sign against epsilon is certain are integrated
by primitives where the densities have a closed form (`audit.exact.forms.pieces`), else by Taylor
enclosures; an infinite piece counts only as far as a tail lemma covers it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, final

from audit.exact.density.tail import NotCovered, Shifts, Side, Tail, TailLemma, TailRange
from audit.exact.density.tails import LEMMAS, cover_tail
from audit.exact.jets.search import Formula
from audit.exact.sameness import same
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import ExactLaw
from proofs_check.enclosure import Balls

__all__ = ["Density", "DensityPair", "Finite"]

STEPS_OUTWARD = 12
"""How often a tail's start is moved out, each time to twice the distance, before giving up."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class _OfLaw:
    """The log-density of a law."""

    law: ExactLaw

    def __call__(self, x: Any, numbers: Any) -> Any:
        return self.law.log_density(x, numbers)


@final
@dataclass(frozen=True, slots=True)
class Density:
    """A density on the line, or on an interval of it.

    Raises InvalidArgument if the breakpoints are not ascending within the support.
    """

    log_density: Formula
    """The formula, over an `Arithmetic`."""
    breakpoints: tuple[Fraction, ...] = ()
    """All points inside the support where the formula changes, ascending."""
    lower: Fraction | None = None
    upper: Fraction | None = None
    """Support; None stands for infinity."""
    noise: Formula | None = None
    shift: Fraction = Fraction(0)
    """Where the density is that of shift + Z, the log-density of Z: set by `Density.shifted`."""

    def __post_init__(self) -> None:
        ends = [x for x in (self.lower, *self.breakpoints, self.upper) if x is not None]
        if any(a >= b for a, b in pairwise(ends)):
            msg = f"breakpoints must ascend within the support, got {ends!r}"
            raise InvalidArgument(msg)

    @classmethod
    def from_law(
        cls, law: ExactLaw, shift: Fraction | int = 0, breakpoints: Sequence[Fraction] = ()
    ) -> Density:
        """State shift + Z, Z of a law that has a density on the whole line.

        `law`: law of Z. `shift`: what is added. `breakpoints`: all of the law, ascending.
        """
        return cls.shifted(_OfLaw(law), shift, breakpoints)

    @classmethod
    def shifted(
        cls, noise: Formula, shift: Fraction | int, breakpoints: Sequence[Fraction] = ()
    ) -> Density:
        """State shift + Z, Z with a log-density on the whole line.

        `noise`: log-density of Z, over an `Arithmetic`. `shift`: what is added. `breakpoints`: all
        points where the formula of Z changes, ascending.
        """
        by = Fraction(shift)

        def log_density(x: Any, numbers: Any) -> Any:
            return noise(x - by, numbers)

        moved = tuple(b + by for b in breakpoints)
        return cls(log_density, moved, noise=noise, shift=by)


@final
@dataclass(frozen=True, slots=True)
class Finite:
    """A bounded piece on which both densities have one formula."""

    lower: Fraction
    upper: Fraction


@final
@dataclass(frozen=True, slots=True)
class DensityPair:
    """The densities of a release under two data sets, on the same support.

    Raises InvalidArgument if the supports differ: then a log-ratio is infinite.
    """

    p: Density
    q: Density
    """Under the data set and under its neighbor."""
    lemmas: tuple[TailLemma, ...] = LEMMAS
    """What may cover the infinite pieces."""
    numbers: Balls = field(default_factory=lambda: Balls(128))
    """Working precision."""

    def __post_init__(self) -> None:
        first, second = ((d.lower, d.upper) for d in (self.p, self.q))
        if first != second:
            msg = f"both densities must have one support, got {first!r} and {second!r}"
            raise InvalidArgument(msg)

    def log_ratio(self, x: Any, numbers: Any) -> Any:
        """Return ln p - ln q, over an `Arithmetic`."""
        return self.p.log_density(x, numbers) - self.q.log_density(x, numbers)

    def swapped(self) -> DensityPair:
        """Exchange the two densities."""
        return DensityPair(self.q, self.p, self.lemmas, self.numbers)

    def cuts(self) -> tuple[Fraction, ...]:
        """Ends of the pieces, ascending: finite ends of the support and all breakpoints."""
        own = {*self.p.breakpoints, *self.q.breakpoints}
        ends = {x for x in (self.p.lower, self.p.upper) if x is not None}
        return tuple(sorted(own | ends)) or (Fraction(0),)

    def tail(self, side: Side, start: Fraction) -> Tail:
        """Return the tail on a side, from y = start on."""
        p, q, shifts = self.p, self.q, None
        if p.noise is not None and same(p.noise, q.noise):
            shifts = Shifts(p.noise, p.shift, q.shift)
        return Tail(p.log_density, q.log_density, side, start, self.numbers, shifts)

    def infinite_sides(self) -> tuple[Side, ...]:
        """Sides on which the support has no end."""
        ends = ((Side.LEFT, self.p.lower), (Side.RIGHT, self.p.upper))
        return tuple(side for side, end in ends if end is None)

    def covered_tails(self) -> tuple[TailRange, ...]:
        """Cover each infinite piece by a lemma, its start moved out as far as needed.

        Returns: one for each side without an end. Raises NotCovered if no lemma covers a side.
        """
        return tuple(self._covered(side) for side in self.infinite_sides())

    def _covered(self, side: Side) -> TailRange:
        cuts = self.cuts()
        start = cuts[-1] if side is Side.RIGHT else -cuts[0]
        step = Fraction(1)
        for _ in range(STEPS_OUTWARD):
            found = self.covered_from(side, start)
            if found is not None:
                return found
            start, step = start + step, 2 * step
        return cover_tail(self.tail(side, start), self.lemmas)

    def covered_from(self, side: Side, start: Fraction) -> TailRange | None:
        """Cover the tail from a given start, y = x or -x; None where no lemma does."""
        try:
            return cover_tail(self.tail(side, start), self.lemmas)
        except NotCovered:
            return None

    def outward(self, tail: TailRange) -> Iterator[TailRange]:
        """Yield a tail, then tails that begin further and further out, while a lemma holds."""
        step, found = Fraction(1), tail
        yield found
        for _ in range(STEPS_OUTWARD):
            moved = self.covered_from(tail.side, found.start + step)
            if moved is None:
                return
            found, step = moved, 2 * step
            yield found

    def finite_pieces(self, tails: Sequence[TailRange]) -> tuple[Finite, ...]:
        """Pieces between the tails, or the ends of the support, cut at all breakpoints."""
        points = {*self.cuts(), *(tail.start * tail.side.value for tail in tails)}
        return tuple(Finite(a, b) for a, b in pairwise(sorted(points)))
