"""What must hold of every pair: five properties, each of which a released library has broken.

The answers on one data set count as the same where their distance is 0: a multiset may come in
another order each time. A property is looked at only on data sets of the query's own domain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import final

from audit.pairs.worst_cases import Pair
from audit.results.number_words import plural
from audit.stability.answers import Answer, is_float
from audit.stability.claim import StabilityClaim
from audit.stability.norms import INFINITE, Distance, Norm, distance
from audit.stability.query_calls import Twice
from audit.targets.domain import steps
from audit.targets.record_keys import size_of
from mechanisms.claims import Order

CLOSE = 1 + Fraction(1, 10**6)
"""A distance within this factor of the claim is called rounding: doubles have 16 digits, and sums
of a million of them ten. No verdict rests on it."""


FINE = 1 + Fraction(1, 2**40)
"""A distance of floating-point answers within this factor of the claim breaks it by rounding alone:
a thousand roundings of doubles, and a millionth of a millionth of the noise."""


class Property(StrEnum):
    """What was broken."""

    DISTANCE = "P1"
    """Answers to neighbors are at most as far apart as is claimed."""
    FUNCTION = "P2"
    """The same data have the same answer."""
    ORDER = "P3"
    """So far apart are answers to two orders of the same records, where order is no data."""
    FAILURE = "P4"
    """It fails on both of two neighbors, or on none."""
    RANGE = "P5"
    """Answers are of the domain that it declares for them."""


@final
@dataclass(frozen=True, slots=True)
class Measured:
    """A pair, its answers, and what they break."""

    pair: Pair
    """As it was asked about."""
    answers: tuple[Answer, Answer]
    """Those that are furthest apart; of a broken P2 both are on `pair.data`."""
    distance: Distance
    """Of the answers."""
    rank: float
    """The ratio of the distance to its bound."""
    broken: Property | None = None
    """The first property that they break."""
    family: str = ""
    """Which family of candidates it is of."""


def is_same(norm: Norm, one: Answer, other: Answer) -> bool:
    """Whether two answers to the same data are the same."""
    if one.is_silent or other.is_silent:
        return True  # time tells nothing
    if one.failure or other.failure:
        return one.failure == other.failure
    return distance(norm, one.value, other.value).is_zero


def is_reordered(pair: Pair) -> bool:
    """Whether two data sets have the same records."""
    return steps(pair.data, pair.neighbor, Order.FREE) == (0, 0)


def is_rounding(claim: StabilityClaim, found: Measured) -> bool:
    """Whether a claim is broken by so little that it is rounding."""
    bound = claim.bound(is_reordered=found.broken is Property.ORDER)
    of_distance = found.broken in (Property.DISTANCE, Property.ORDER)
    return of_distance and bound > 0 and not found.distance.exceeds(bound * CLOSE)


def is_fine(claim: StabilityClaim, found: Measured) -> bool:
    """Whether a claim is broken by the rounding of floating-point answers alone; never if strict.

    What is exact (integers, fractions, numbers of rows) is never rounded away.
    """
    bound = claim.bound(is_reordered=found.broken is Property.ORDER)
    return (
        not claim.is_strict
        and claim.norm in (Norm.L1, Norm.L2, Norm.LINF)
        and is_rounding(claim, found)
        and not found.distance.exceeds(bound * FINE)
        and all(is_float(answer.value) for answer in found.answers)
    )


def measured(claim: StabilityClaim, pair: Pair, first: Twice, second: Twice) -> list[Measured]:
    """What a pair shows: how far apart its answers are, and each property that is broken.

    The first entry is about the two data sets; there is none where one of them is not of the
    domain of the query.
    """
    if not (first[0].member and second[0].member):
        return []
    return [_apart(claim, pair, first, second), *_single(claim, pair, first, second)]


def _apart(claim: StabilityClaim, pair: Pair, first: Twice, second: Twice) -> Measured:
    same_records = is_reordered(pair)
    bound = claim.bound(is_reordered=same_records)
    if any(answer.is_silent for answer in (*first, *second)):
        return Measured(pair, (first[0], second[0]), Distance(bound * 0), 0.0)
    fails = [{bool(answer.failure) for answer in side} for side in (first, second)]
    if fails in ([{True}, {False}], [{False}, {True}]):
        rank = INFINITE.rank(bound)
        return Measured(pair, (first[0], second[0]), INFINITE, rank, Property.FAILURE)
    if True in fails[0] | fails[1]:  # on both, or only now and then: the latter is for P2
        return Measured(pair, (first[0], second[0]), Distance(bound * 0), 0.0)
    found, furthest = (first[0], second[0]), _distance(claim, first[0], second[0])
    if not (is_same(claim.norm, *first) and is_same(claim.norm, *second)):  # it is no function
        for one, other in ((a, b) for a in first for b in second):
            apart = _distance(claim, one, other)
            if apart.rank(bound) > furthest.rank(bound):
                found, furthest = (one, other), apart
    broken = Property.ORDER if same_records else Property.DISTANCE
    return Measured(
        pair, found, furthest, furthest.rank(bound), broken if furthest.exceeds(bound) else None
    )


def _distance(claim: StabilityClaim, one: Answer, other: Answer) -> Distance:
    return distance(claim.norm, one.value, other.value)


def _single(claim: StabilityClaim, pair: Pair, first: Twice, second: Twice) -> Iterator[Measured]:
    """What one data set alone shows."""
    for data, answers in ((pair.data, first), (pair.neighbor, second)):
        label = f"{plural(size_of(data) or 0, 'record')}, and the same again"
        alone = Pair(label, data, data, generated=pair.generated)
        if not is_same(claim.norm, *answers):
            failed = any(answer.failure for answer in answers)
            apart = INFINITE if failed else _distance(claim, *answers)
            yield Measured(alone, answers, apart, apart.rank(claim.at_most), Property.FUNCTION)
        if not all(answer.fits for answer in answers):
            odd = next(answer for answer in answers if not answer.fits)
            nothing = Distance(claim.at_most * 0)
            yield Measured(alone, (odd, odd), nothing, 0.0, Property.RANGE)
