"""Releases that lie between two independent thresholds with stated laws: events that refute.

With l and u the thresholds in the order in which they were drawn, and whatever is returned between
them, for every t

    P(l > t) P(u > t) <= P(release > t) <= P(l > t) + P(l <= t) P(u > t),

and the same for "<". So an event {release > t} breaks a claim for certain if the left side on one
data set exceeds e^epsilon times the right side on the other, plus delta. Where no t does this the
claim stays open: the law of the release is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from typing import Any, Protocol, final, runtime_checkable

from audit.exact.auditors.by_law import pairs_of
from audit.exact.cells.level_laws import Levels
from audit.exact.exact_numbers import BITS
from audit.exact.question import Outcome, Question, Refuted, Undecided
from audit.exact.stated_laws import stated
from audit.faults import reading
from audit.results.exact_result import RELEASE, ExactWitness
from audit.results.number_words import plural, probability_words
from audit.results.refutation import Enclosure
from proofs_check.enclosure import Ball, Balls, endpoints

NUMBERS = Balls(BITS)
Ends = tuple[Ball, Ball]
"""Least and largest value that a probability can have."""


@runtime_checkable
class StatesThresholds(Protocol):
    """A mechanism whose release lies between two independent thresholds."""

    def threshold_laws(self, data: Any) -> tuple[Levels, Levels]:
        """State the laws of both on a data set; a release that is constant has constant ones."""
        ...


@final
@dataclass(frozen=True, slots=True)
class Between:
    """What is certain of one event on two data sets."""

    words: str
    """The event."""
    p: Enclosure
    q: Enclosure
    """Hold its probabilities on the first and on the second data set."""
    excess: Enclosure
    """Holds p - e^epsilon q - delta."""


def by_thresholds(asked: Question) -> Outcome:
    """Listed pairs, or all multisets of a grid: a refutation or nothing."""
    pairs, words = pairs_of(asked)
    count, witness = search_between(asked.mechanism, pairs, *asked.level)
    if witness is None:
        reason = (
            f"on {words}, for none of {plural(count, 'pair')}, the laws of the two thresholds that "
            "enclose the release break the claim; its own law, which could prove it, is not stated"
        )
        return Undecided(reason)
    least, most = probability_words(witness.p[0]), probability_words(witness.q[1])
    reason = (
        f"the release lies in an event with probability at least {least} on the data and at most "
        f"{most} on the neighbor"
    )
    return Refuted(witness, reason)


def _laws(mechanism: StatesThresholds, records: list[float]) -> tuple[Levels, Levels]:
    with reading(mechanism, "threshold_laws"):
        first, second = (stated(law) for law in mechanism.threshold_laws(records))
    return first, second


def search_between(
    mechanism: StatesThresholds,
    pairs: Iterable[tuple[Any, Any]],
    epsilon: Fraction,
    delta: Fraction,
) -> tuple[int, ExactWitness | None]:
    """Look for an event that breaks the claim, both ways round.

    `mechanism`: what states the laws. `pairs`, iterable of (data, neighbor): records are numbers.
    `epsilon`, `delta`: the claim. Returns `count`: pairs that were gone through. `witness`: of the
    first pair that breaks the claim, the likelier side first; its event is the one with the largest
    certain excess.
    """
    count, laws = 0, cache(lambda records: _laws(mechanism, list(records)))
    for data, neighbor in pairs:
        count += 1
        sides = [[float(x) for x in side] for side in (data, neighbor)]
        first, second = (laws(tuple(side)) for side in sides)
        both = list(events(first, second, epsilon, delta))
        for place, found in enumerate(zip(*both, strict=True)):
            best = max(found, key=lambda event: event.excess[0])
            if best.excess[0] > 0:
                likelier, other = sides[place], sides[1 - place]
                return count, ExactWitness(
                    likelier, other, RELEASE, best.words, "data", best.p, best.q, best.excess
                )
    return count, None


def events(
    laws: tuple[Levels, Levels],
    neighbor: tuple[Levels, Levels],
    epsilon: Fraction,
    delta: Fraction = Fraction(0),
) -> Iterator[tuple[Between, Between]]:
    """Enclose the probabilities of {release > t} and {release < t}, both ways round.

    `laws`, `neighbor`: laws of both thresholds on two data sets. `epsilon`, `delta`: the claim.
    Yields: of one event, with the first data set as the likelier one, and with the second. For each
    t at which one of the four densities changes; none of constant releases.
    """
    ends = {end for law in (*laws, *neighbor) for p in law.pieces for end in (p.lower, p.upper)}
    cuts = sorted(ends)
    if not cuts:
        return
    tails = [[_tails(law, cuts) for law in side] for side in (laws, neighbor)]
    factor = NUMBERS.exp(NUMBERS.rational(epsilon))
    for place, cut in enumerate(cuts[1:-1]):
        for side, word in ((0, "<"), (1, ">")):
            p, q = (_beyond([law[place] for law in both], side) for both in tails)
            words, hulls = f"z {word} {cut}", (_hull(*p), _hull(*q))
            yield (
                Between(words, *hulls, _excess(p, q, factor, delta)),
                Between(words, *hulls[::-1], _excess(q, p, factor, delta)),
            )


def _tails(law: Levels, cuts: Sequence[Fraction]) -> list[tuple[Ball, Ball]]:
    """Probability below and above each cut but the first and last, among which all ends are."""
    masses, pieces = [], iter(law.pieces)
    piece = next(pieces)
    for lower, upper in pairwise(cuts):
        if lower == piece.upper:
            piece = next(pieces)
        level = NUMBERS.exp(NUMBERS.rational(-law.epsilon * piece.loss / 2))
        masses.append(level * (piece.factor * (upper - lower)))
    below = list(accumulate(masses))
    above = list(accumulate(reversed(masses)))[::-1]
    total = below[-1]
    return [(b / total, a / total) for b, a in zip(below[:-1], above[1:], strict=True)]


def _beyond(thresholds: Sequence[tuple[Ball, Ball]], side: int) -> Ends:
    """Least and largest probability that the release lies beyond a cut, on one side of it.

    Both thresholds do, or at least one of them.
    """
    (first, second), other = (law[side] for law in thresholds), thresholds[0][1 - side]
    return first * second, first + other * second


def _excess(p: Ends, q: Ends, factor: Ball, delta: Fraction) -> Enclosure:
    """Enclose p - factor q - delta."""
    return _hull(p[0] - factor * q[1] - delta, p[1] - factor * q[0] - delta)


def _hull(lower: Ball, upper: Ball) -> Enclosure:
    return endpoints(lower)[0], endpoints(upper)[1]
