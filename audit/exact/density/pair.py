"""Two one-dimensional densities and their divergences, enclosed on the whole line.

Densities are stated as log-density formulas over an `Arithmetic`, with exact breakpoints between
which each has one formula. The line is cut at all breakpoints. On finite pieces the log-ratio is
bounded by branch and bound, and cells on which its sign against epsilon is certain are integrated
by primitives where the densities have a closed form (`audit.exact.jets.forms`), else by Taylor
enclosures; an infinite piece counts only as far as a tail lemma covers it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, final

from audit.exact.density.tails import (
    LEMMAS,
    NotCovered,
    Shifts,
    Side,
    Tail,
    TailLemma,
    TailRange,
    cover_tail,
)
from audit.exact.jets.bound import BUDGET, Covered, Formula, Peak, Supremum, at_most, supremum
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import ExactLaw
from proofs_check.enclosure import Balls, certainly_less, endpoints

__all__ = [
    "Density",
    "DensityPair",
    "Finite",
    "LogRatio",
    "LogRatioDecision",
    "largest_log_ratio",
    "log_ratio_at_most",
]

STEPS_OUTWARD = 12
"""How often a tail's start is moved out, each time to twice the distance, before giving up."""


@final
@dataclass(frozen=True, slots=True)
class _OfLaw:
    """The log-density of a law; equal for equal laws."""

    law: ExactLaw

    def __call__(self, x: Any, numbers: Any) -> Any:
        return self.law.log_density(x, numbers)


@final
@dataclass(frozen=True, slots=True)
class Density:
    """A density on the line, or on an interval of it.

    Parameters
    ----------
    log_density : callable
        The formula, over an `Arithmetic`.
    breakpoints : tuple of Fraction
        All points inside the support where the formula changes, ascending.
    lower, upper : Fraction or None
        Support; None stands for infinity.
    noise, shift : callable and Fraction, optional
        Where the density is that of shift + Z, the log-density of Z: set by `Density.shifted`.

    Raises
    ------
    InvalidArgument
        If the breakpoints are not ascending within the support.
    """

    log_density: Formula
    breakpoints: tuple[Fraction, ...] = ()
    lower: Fraction | None = None
    upper: Fraction | None = None
    noise: Formula | None = None
    shift: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        ends = [x for x in (self.lower, *self.breakpoints, self.upper) if x is not None]
        if any(a >= b for a, b in pairwise(ends)):
            msg = f"breakpoints must ascend within the support, got {ends!r}"
            raise InvalidArgument(msg)

    @classmethod
    def from_law(cls, law: ExactLaw, shift: Fraction | int = 0, reach: int = 1000) -> Density:
        """State shift + Z, Z of a law that has a density on the whole line.

        Parameters
        ----------
        law : ExactLaw
            Law of Z.
        shift : Fraction or int
            What is added.
        reach : int
            All breakpoints of the law lie in [-reach, reach].

        Returns
        -------
        Density
        """
        far = Fraction(reach)
        return cls.shifted(_OfLaw(law), shift, law.breakpoints(-far, far))

    @classmethod
    def shifted(
        cls, noise: Formula, shift: Fraction | int, breakpoints: Sequence[Fraction] = ()
    ) -> Density:
        """State shift + Z, Z with a log-density on the whole line.

        Parameters
        ----------
        noise : callable
            Log-density of Z, over an `Arithmetic`.
        shift : Fraction or int
            What is added.
        breakpoints : sequence of Fraction
            All points where the formula of Z changes, ascending.

        Returns
        -------
        Density
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

    Parameters
    ----------
    p, q : Density
        Under the data set and under its neighbor.
    lemmas : tuple of TailLemma
        What may cover the infinite pieces.
    numbers : Balls
        Working precision.

    Raises
    ------
    InvalidArgument
        If the supports differ: then a log-ratio is infinite.
    """

    p: Density
    q: Density
    lemmas: tuple[TailLemma, ...] = LEMMAS
    numbers: Balls = field(default_factory=lambda: Balls(128))

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
        if p.noise is not None and p.noise == q.noise:
            shifts = Shifts(p.noise, p.shift, q.shift)
        return Tail(p.log_density, q.log_density, side, start, self.numbers, shifts)

    def infinite_sides(self) -> tuple[Side, ...]:
        """Sides on which the support has no end."""
        ends = ((Side.LEFT, self.p.lower), (Side.RIGHT, self.p.upper))
        return tuple(side for side, end in ends if end is None)

    def covered_tails(self) -> tuple[TailRange, ...]:
        """Cover each infinite piece by a lemma, its start moved out as far as needed.

        Returns
        -------
        tuple of TailRange
            One for each side without an end.

        Raises
        ------
        NotCovered
            If no lemma covers a side.
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


@final
@dataclass(frozen=True, slots=True)
class LogRatio:
    """The largest log-ratio ln(p / q), enclosed on the whole support.

    Parameters
    ----------
    lower : Fraction or None
        Reached at `peak`, or approached on a tail; None if the log-ratio is unbounded.
    upper : Fraction or None
        None if the log-ratio is unbounded, or some cell stayed without a bound.
    unbounded : bool
        Whether a tail lemma shows that there is no bound.
    peak : Peak or None
        Where `lower` is reached; None if on no finite piece.
    tails : tuple of TailRange
        The lemmas that cover the infinite pieces.
    cells : int
        Number of cells evaluated.
    cover, undecided : tuple of Covered
        Parts that make up the finite pieces, and those of them that stayed too wide.
    """

    lower: Fraction | None
    upper: Fraction | None
    unbounded: bool
    peak: Peak | None
    tails: tuple[TailRange, ...]
    cells: int
    cover: tuple[Covered, ...]
    undecided: tuple[Covered, ...]


def largest_log_ratio(
    pair: DensityPair, *, tolerance: Fraction = Fraction(1, 10**9), budget: int = BUDGET
) -> LogRatio:
    """Enclose the supremum of ln(p / q) over the whole support.

    Parameters
    ----------
    pair : DensityPair
        The densities.
    tolerance : Fraction
        Where the enclosure is this narrow the search ends.
    budget : int
        Most cells to evaluate on each piece.

    Returns
    -------
    LogRatio

    Raises
    ------
    NotCovered
        If no lemma covers an infinite piece.
    """
    tails = tuple(_narrow(pair, tail, tolerance) for tail in pair.covered_tails())
    unbounded = any(tail.upper is None for tail in tails)
    lowers: list[Fraction] = []
    uppers: list[Fraction | None] = []
    for tail in tails:
        if tail.upper is not None:
            low, high = endpoints(tail.upper)
            lowers.append(low)
            uppers.append(high)
    found = _supremum(pair, pair.finite_pieces(tails), tolerance, budget)
    peaks = [part.peak for part in found if part.peak is not None]
    peak = max(peaks, key=lambda at: at.lower, default=None)
    lower = max([*lowers, *(at.lower for at in peaks)], default=None)
    if peak is not None and lower is not None and lower > peak.lower:
        peak = None
    uppers.extend(part.upper for part in found)
    known = [u for u in uppers if u is not None]
    upper = None if unbounded or len(known) < len(uppers) else max(known, default=None)
    floor = None if upper is None or lower is None else max(lower, upper - tolerance)
    undecided = tuple(
        part
        for piece in found
        for part in piece.undecided
        if part.upper is None or (floor is not None and part.upper > floor)
    )
    return LogRatio(
        None if unbounded else lower,
        upper,
        unbounded,
        peak,
        tails,
        sum(part.cells for part in found),
        tuple(part for piece in found for part in piece.cover),
        undecided,
    )


def _narrow(pair: DensityPair, tail: TailRange, tolerance: Fraction) -> TailRange:
    """Move a tail's start out until its supremum is known to the tolerance."""
    for moved in pair.outward(tail):
        tail = moved
        if tail.upper is None:
            break
        low, high = endpoints(tail.upper)
        if high - low <= tolerance / 2:
            break
    return tail


def _supremum(
    pair: DensityPair, pieces: Sequence[Finite], tolerance: Fraction, budget: int
) -> tuple[Supremum, ...]:
    """Branch and bound on all finite pieces together, cut at their ends; empty without any."""
    if not pieces:
        return ()
    box, cuts = ((pieces[0].lower, pieces[-1].upper),), [[piece.lower for piece in pieces[1:]]]
    found = supremum(
        pair.log_ratio, box, tolerance=tolerance, cuts=cuts, budget=budget, numbers=pair.numbers
    )
    return (found,)


@final
@dataclass(frozen=True, slots=True)
class LogRatioDecision:
    """Answer to "is ln(p / q) at most epsilon everywhere?".

    Parameters
    ----------
    epsilon : Fraction
        The bound that was asked about.
    holds : bool or None
        None where a cell or a tail touches the bound too closely to tell.
    witness : Peak or None
        A point at which the log-ratio exceeds epsilon.
    tails : tuple of TailRange
        The lemmas that cover the infinite pieces; with `holds` False and no witness, one of them
        exceeds epsilon.
    cover, undecided : tuple of Covered
        Parts that make up the finite pieces, and those that stayed open.
    cells : int
        Number of cells evaluated.
    """

    epsilon: Fraction
    holds: bool | None
    witness: Peak | None
    tails: tuple[TailRange, ...]
    cover: tuple[Covered, ...]
    undecided: tuple[Covered, ...]
    cells: int


def log_ratio_at_most(
    pair: DensityPair, epsilon: Fraction, *, budget: int = BUDGET
) -> LogRatioDecision:
    """Decide whether ln(p / q) <= epsilon on the whole support.

    Parameters
    ----------
    pair : DensityPair
        The densities.
    epsilon : Fraction
        The claim.
    budget : int
        Most cells to evaluate.

    Returns
    -------
    LogRatioDecision

    Raises
    ------
    NotCovered
        If no lemma covers an infinite piece.
    """
    settled = [_settled(pair, tail, epsilon) for tail in pair.covered_tails()]
    tails = tuple(tail for tail, _ in settled)
    answers = [answer for _, answer in settled]
    pieces = pair.finite_pieces(tails)
    cover: tuple[Covered, ...] = ()
    undecided: tuple[Covered, ...] = ()
    witness, cells = None, 0
    if pieces:
        decision = at_most(
            pair.log_ratio,
            ((pieces[0].lower, pieces[-1].upper),),
            epsilon,
            cuts=[[piece.lower for piece in pieces[1:]]],
            budget=budget,
            numbers=pair.numbers,
        )
        answers.append(decision.holds)
        cover, undecided, cells = decision.cover, decision.undecided, decision.cells
        witness = decision.witness
    for tail, answer in zip(tails, answers, strict=False):
        if answer is False and witness is None:
            witness = _beyond(pair, tail, epsilon)
    holds = False if False in answers else None if None in answers else True
    return LogRatioDecision(epsilon, holds, witness, tails, cover, undecided, cells)


def _settled(
    pair: DensityPair, tail: TailRange, epsilon: Fraction
) -> tuple[TailRange, bool | None]:
    """Move a tail's start out until its supremum is on one side of epsilon, if that happens."""
    for moved in pair.outward(tail):
        above = True if moved.upper is None else certainly_less(epsilon, moved.upper)
        if above is not None:
            return moved, not above
    return tail, None


def _beyond(pair: DensityPair, tail: TailRange, epsilon: Fraction) -> Peak | None:
    """Find a point of a tail at which the log-ratio exceeds epsilon."""
    sign, start, step = tail.side.value, tail.start, Fraction(0)
    for _ in range(64):
        low, high = endpoints(pair.tail(tail.side, start + step).log_ratio())
        if low > epsilon:
            left, right = sorted((sign * (start + step), sign * (start + step + 1)))
            return Peak((sign * (start + step),), low, high, ((left, right),))
        step = 2 * step or Fraction(1)
    return None
