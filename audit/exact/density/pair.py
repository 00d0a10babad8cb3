"""Two one-dimensional densities and their divergences, enclosed on the whole line.

Densities are stated as log-density formulas over an `Arithmetic`, with exact breakpoints between
which each has one formula. The line is cut at all breakpoints. On finite pieces the log-ratio is
bounded by branch and bound, and cells on which its sign against epsilon is certain are integrated
by primitives where the densities have a closed form (`audit.exact.forms.closed_forms`), else by
Taylor enclosures; an infinite piece counts only as far as a tail lemma covers it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, final

from audit.exact.density.tail_lemmas import Density, NotCovered, Side, Tail, TailRange, cover_tail
from audit.exact.jets.points import Interval
from proofs_check.enclosure import Balls

STEPS_OUTWARD = 12
"""How often a tail's start is moved out, each time to twice the distance, before giving up."""


@final
@dataclass(frozen=True, slots=True)
class DensityPair:
    """The densities of a release under two data sets."""

    p: Density
    q: Density
    """Under the data set and under its neighbor."""
    numbers: Balls = field(default_factory=lambda: Balls(128))
    """Working precision."""

    def log_ratio(self, x: Any, numbers: Any) -> Any:
        """Return ln p - ln q, over an `Arithmetic`."""
        return self.p.log_density(x, numbers) - self.q.log_density(x, numbers)

    def cuts(self) -> tuple[Fraction, ...]:
        """Where the line is cut, ascending: all breakpoints, or 0."""
        return tuple(sorted({*self.p.breakpoints, *self.q.breakpoints})) or (Fraction(0),)

    def tail(self, side: Side, start: Fraction) -> Tail:
        """Return the tail on a side, from y = start on."""
        return Tail(self.p, self.q, side, start, self.numbers)

    def covered_tails(self) -> tuple[TailRange, ...]:
        """Cover each infinite piece by a lemma, its start moved out as far as needed.

        Raises NotCovered if no lemma covers a side.
        """
        return tuple(map(self._covered, Side))

    def _covered(self, side: Side) -> TailRange:
        cuts = self.cuts()
        start = cuts[-1] if side is Side.RIGHT else -cuts[0]
        step = Fraction(1)
        for _ in range(STEPS_OUTWARD):
            found = self._covered_from(side, start)
            if found is not None:
                return found
            start, step = start + step, 2 * step
        return cover_tail(self.tail(side, start))

    def _covered_from(self, side: Side, start: Fraction) -> TailRange | None:
        """Cover the tail from a given start, y = x or -x; None where no lemma does."""
        try:
            return cover_tail(self.tail(side, start))
        except NotCovered:
            return None

    def outward(self, tail: TailRange) -> Iterator[TailRange]:
        """Yield a tail, then tails that begin further and further out, while a lemma holds."""
        step, found = Fraction(1), tail
        yield found
        for _ in range(STEPS_OUTWARD):
            moved = self._covered_from(tail.side, found.start + step)
            if moved is None:
                return
            found, step = moved, 2 * step
            yield found

    def finite_pieces(self, tails: Sequence[TailRange]) -> tuple[Interval, ...]:
        """Pieces between the tails, cut at all breakpoints: on each both have one formula."""
        points = {*self.cuts(), *(tail.start * tail.side.value for tail in tails)}
        return tuple(pairwise(sorted(points)))
