"""A smaller pair that breaks the same property: fewer records, more of them at low, round ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from audit.pairs.matched_records import Records
from audit.pairs.tables.reductions import reductions
from audit.pairs.worst_cases import Pair
from audit.stability.claim import StabilityClaim
from audit.stability.properties import Measured, Property, measured
from audit.stability.query_calls import QueryCalls
from audit.stability.space import Array
from audit.targets.domain import Domain
from audit.targets.outcomes import OutOfTime

STEPS = 60
"""Steps that are taken at most; each halves what is left, or moves a record for good."""

DIGITS = (1, 2, 3, 6)
"""To which a record is rounded."""


def shrunk(calls: QueryCalls, claim: StabilityClaim, found: Measured) -> Measured:
    """The smallest pair found that breaks what this one breaks; itself behind the deadline."""
    best = found
    try:
        for _ in range(STEPS):
            smaller = _smaller(calls, claim, best)
            if smaller is None:
                break
            best = smaller
    except OutOfTime:
        pass
    return best


def _smaller(calls: QueryCalls, claim: StabilityClaim, found: Measured) -> Measured | None:
    """The first simpler pair that breaks the same."""
    assert found.broken is not None
    domain, alone = calls.space.domain, found.broken in (Property.FUNCTION, Property.RANGE)
    if domain.schema is not None:
        pairs = [] if alone else list(reductions(found.pair, domain))
    else:
        pairs = [
            Pair("", *sides, generated=True)
            for sides in _simpler(found.pair, domain)
            if domain.admits(*sides) and (alone or sides[0].tobytes() != sides[1].tobytes())
        ]
    is_described = alone or domain.schema is not None
    answers = calls.twice([side for pair in pairs for side in (pair.data, pair.neighbor)])
    for place, pair in enumerate(pairs):
        for entry in measured(claim, pair, answers[2 * place], answers[2 * place + 1]):
            infinite = found.distance.exact is None and entry.distance.exact is None
            finite = found.distance.exact is not None and entry.distance.exact is not None
            if entry.broken is found.broken and (infinite or finite):
                return Measured(
                    entry.pair if is_described else _described(entry.pair, domain),
                    entry.answers,
                    entry.distance,
                    entry.rank,
                    entry.broken,
                    found.family,
                )
    return None


def _described(pair: Pair, domain: Domain) -> Pair:
    records = Records.match(pair.data, pair.neighbor)
    if records is None or domain.bounds is None:  # of given pairs, whose words stay
        return pair
    return Pair(records.describe(domain), pair.data, pair.neighbor, generated=True)


def _simpler(pair: Pair, domain: Domain) -> Iterator[tuple[Array, Array]]:
    """Simpler pairs, the simplest first; none of data that are no vectors of numbers."""
    records = Records.match(pair.data, pair.neighbor)
    if records is None or pair.data.ndim != 1:
        return
    common = len(records.common)
    for parts in (1, 2, 4, 8):
        size = common // parts
        for part in range(parts if size else 0):
            yield records.without(slice(part * size, (part + 1) * size))
    if 0 < common <= parts:
        for place in range(common):
            yield records.without(slice(place, place + 1))
    if domain.bounds is None:
        return
    low = domain.ends[0]
    odd = [place for place, (i, _) in enumerate(records.common) if records.data[i] != low]
    for some in _halves(odd):
        yield records.with_common(np.array(some, dtype=np.intp), low)
    for arm, places in enumerate(records.changed):
        side = (records.data, records.neighbor)[arm]
        for place in places[:1]:
            for value in _rounder(float(side[place]), domain):
                yield records.with_changed(arm, value)


def _halves(places: Sequence[int]) -> Iterator[Sequence[int]]:
    """All, each half, each quarter ..., single ones where they are few."""
    size = len(places)
    while size:
        yield from (places[i : i + size] for i in range(0, len(places), size))
        if len(places) > 16 * size:
            return
        size //= 2


def _rounder(value: float, domain: Domain) -> Iterator[float]:
    """Simpler values than one, the simplest first."""
    if not np.isfinite(value):
        return
    simple = domain.simple
    if value in simple:
        yield from simple[: simple.index(value)]
        return
    yield from simple
    for digits in DIGITS:
        rounder = float(f"{value:.{digits}g}")
        if rounder == value:
            return
        yield rounder
