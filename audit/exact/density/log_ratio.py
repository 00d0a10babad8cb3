"""The largest log-ratio of two densities on the line: enclosed, or compared with a claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.exact.density.pair import DensityPair, Finite
from audit.exact.density.tail import TailRange
from audit.exact.jets.bound import at_most, supremum
from audit.exact.jets.findings import Covered, Peak, Supremum
from audit.exact.jets.search import BUDGET
from proofs_check.enclosure import certainly_less, endpoints

__all__ = ["LogRatio", "LogRatioDecision", "largest_log_ratio", "log_ratio_at_most"]


@final
@dataclass(frozen=True, slots=True)
class LogRatio:
    """The largest log-ratio ln(p / q), enclosed on the whole support."""

    lower: Fraction | None
    """Reached at `peak`, or approached on a tail; None if the log-ratio is unbounded."""
    upper: Fraction | None
    """None if the log-ratio is unbounded, or some cell stayed without a bound."""
    unbounded: bool
    """Whether a tail lemma shows that there is no bound."""
    peak: Peak | None
    """Where `lower` is reached; None if on no finite piece."""
    tails: tuple[TailRange, ...]
    """The lemmas that cover the infinite pieces."""
    cells: int
    cover: tuple[Covered, ...]
    undecided: tuple[Covered, ...]
    """Parts that make up the finite pieces, and those of them that stayed too wide."""


def largest_log_ratio(
    pair: DensityPair, *, tolerance: Fraction = Fraction(1, 10**9), budget: int = BUDGET
) -> LogRatio:
    """Enclose the supremum of ln(p / q) over the whole support.

    `pair`: the densities. `tolerance`: where the enclosure is this narrow the search ends.
    `budget`: most cells to evaluate on each piece. Raises NotCovered if no lemma covers an infinite
    piece.
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
    """Answer to "is ln(p / q) at most epsilon everywhere?"."""

    epsilon: Fraction
    """The bound that was asked about."""
    holds: bool | None
    """None where a cell or a tail touches the bound too closely to tell."""
    witness: Peak | None
    """A point at which the log-ratio exceeds epsilon."""
    tails: tuple[TailRange, ...]
    """The lemmas that cover the infinite pieces; with `holds` False and no witness, one of them
    exceeds epsilon."""
    cover: tuple[Covered, ...]
    undecided: tuple[Covered, ...]
    """Parts that make up the finite pieces, and those that stayed open."""
    cells: int


def log_ratio_at_most(
    pair: DensityPair, epsilon: Fraction, *, budget: int = BUDGET
) -> LogRatioDecision:
    """Decide whether ln(p / q) <= epsilon on the whole support.

    `pair`: the densities. `epsilon`: the claim. `budget`: most cells to evaluate. Raises NotCovered
    if no lemma covers an infinite piece.
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
