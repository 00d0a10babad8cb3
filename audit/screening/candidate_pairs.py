"""The pairs that are screened: many, of every family, from the domain and the seed alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain, islice, repeat, zip_longest
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.streams import Purpose, stream
from audit.pairs.matched_records import Records
from audit.pairs.tables.mixed_tables import table_families
from audit.pairs.vector_families import hostile, machine, reordered, scan
from audit.pairs.worst_cases import Pair, worst_case_pairs
from audit.screening.caller import key_of
from audit.targets.domain import Domain
from mechanisms.claims import Order, Relation

__all__ = ["Candidate", "candidates_of", "key_of_pair", "mixtures", "others_than_candidates"]

Vector = NDArray[np.float64]

STAGE = 100
"""Of the stream of mixtures: no stage of draws has this number."""

MIXED = 1_300
"""Pairs of mixed records. A fault of the order of few records is met in about every eighth of
them, and one in an interval of a hundredth of the width in every hundredth
(tests/audit/screening/test_defects.py counts them)."""

SIZES = (0, 1, 2, 2, 3, 3, 4, 5, 7, 10)
"""Of mixed data sets: small ones hold orders, ties and mixtures."""

FEWEST_VALUES, MOST_VALUES = 1, 4
"""Distinct records of a mixed data set, so that there are ties."""

AT_AN_END, OUTSIDE = 0.45, 0.1
"""Shares of mixed records that are a public place, and out of range."""

LARGEST_COUNT = 4_096
"""Records of a public number up to which mixtures are made."""


@final
@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A pair, and what made it."""

    pair: Pair
    family: str
    place: int
    """In the list: of pairs that look alike the first is taken."""


@lru_cache(maxsize=4)
def candidates_of(domain: Domain, seed: int, most: int | None = None) -> tuple[Candidate, ...]:
    """All candidates of a domain, in turn one of each family, so that a few are of all.

    The list is a function of the domain and the seed: the targets of a process share it. `most` is
    how many of the first are made: a run of few draws screens a twentieth of them.
    """
    return tuple(islice(_each(domain, seed), most))


def _each(domain: Domain, seed: int) -> Iterator[Candidate]:
    made: Mapping[str, Iterable[Pair]]
    if domain.schema is None:
        made = {**_families(domain), "mixtures": mixtures(domain, seed)}
    else:
        made = table_families(domain, stream(seed, Purpose.SCREEN, batch=STAGE))
    found: set[tuple[bytes, bytes]] = set()
    rows = zip_longest(*(zip(pairs, repeat(name)) for name, pairs in made.items()))
    for pair, name in (entry for entry in chain.from_iterable(rows) if entry is not None):
        key = key_of_pair(pair)
        if key[0] != key[1] and key not in found:
            if domain.admits(pair.data, pair.neighbor):
                yield Candidate(pair, name, len(found))
            found.add(key)


def others_than_candidates(pairs: Iterable[Pair], domain: Domain, seed: int) -> list[Pair]:
    """Pairs of the domain that are no candidates; mixtures are made only if no family has one."""
    known = _keys_of_families(domain) if domain.schema is None else frozenset()
    others = [pair for pair in pairs if key_of_pair(pair) not in known]
    keys = {key_of_pair(one.pair) for one in candidates_of(domain, seed)} if others else set()
    return [pair for pair in others if key_of_pair(pair) not in keys]


@lru_cache(maxsize=4)
def _families(domain: Domain) -> dict[str, tuple[Pair, ...]]:
    """Those that no seed changes."""
    worst = worst_case_pairs(domain)
    return {
        "worst cases": tuple(worst),
        "hostile records": tuple(
            pair for pair in _kept(hostile(domain)) if domain.strangeness(pair.data, pair.neighbor)
        ),
        "scan": _kept(scan(domain)),
        "orders": _kept(reordered(domain)),
        "machine numbers": _kept(machine(domain)),
    }


@lru_cache(maxsize=4)
def _keys_of_families(domain: Domain) -> frozenset[tuple[bytes, bytes]]:
    return frozenset(key_of_pair(pair) for pairs in _families(domain).values() for pair in pairs)


def _kept(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    return tuple(replace(pair, generated=True) for pair in pairs)


def key_of_pair(pair: Pair) -> tuple[bytes, bytes]:
    """The same for a pair and its mirror."""
    first, second = sorted((key_of(pair.data), key_of(pair.neighbor)))
    return first, second


def mixtures(domain: Domain, seed: int) -> Iterator[Pair]:
    """Few records with ties, some at the ends and some out of range; one changes, at any place.

    Where their order is no data, the records of the neighbor come in another order half of the
    time.
    """
    if domain.count is not None and domain.count > LARGEST_COUNT:
        return
    rng = stream(seed, Purpose.SCREEN, batch=STAGE)
    sizes = _sizes(domain)
    low, high = domain.ends
    places = np.array([low, high, (low + high) / 2])
    strange = np.array(list(domain.outsiders().values()))
    records = partial(_records, places, strange, rng)
    for _ in range(MIXED if sizes else 0):
        size = sizes[int(rng.integers(len(sizes)))]
        values = records(int(rng.integers(FEWEST_VALUES, MOST_VALUES + 1)))
        base = values[rng.integers(values.size, size=size)]
        record = records(1)[0] if rng.random() < 0.5 else rng.choice(values)
        sides = _changed(domain, base, float(record), rng)
        if key_of(sides[0]) == key_of(sides[1]):
            continue
        if rng.random() < 0.5:
            sides = (sides[1], sides[0])
        matched = Records.match(*sides)
        assert matched is not None
        yield Pair(matched.describe(domain), *sides, generated=True)


def _sizes(domain: Domain) -> Sequence[int]:
    if domain.count is not None:
        return (domain.count,)
    least = 1 if domain.relation is Relation.SWAP else 0
    return [n for n in SIZES if n >= max(domain.min_size, least)] or [domain.min_size]


def _records(places: Vector, strange: Vector, rng: np.random.Generator, count: int) -> Vector:
    """Records at a public place (the first two are ends), between the ends, or out of range."""
    low, high = places[:2]
    kind, which = rng.random(count), rng.integers(2**32, size=count)
    values = low + (high - low) * rng.random(count)
    values = np.where(kind < AT_AN_END, places[which % places.size], values)
    if strange.size:
        values = np.where(kind > 1 - OUTSIDE, strange[which % strange.size], values)
    return values


def _changed(
    domain: Domain, base: Vector, record: float, rng: np.random.Generator
) -> tuple[Vector, Vector]:
    """One record more, or one in the place of another."""
    place = int(rng.integers(base.size + (domain.relation is Relation.ADD_REMOVE)))
    if domain.relation is Relation.ADD_REMOVE:
        neighbor = np.concatenate((base[:place], [record], base[place:]))
    else:
        neighbor = base.copy()
        neighbor[place] = record
    how = rng.random()
    if domain.order is Order.FREE and how < 0.25:
        neighbor = neighbor[::-1].copy()
    elif domain.order is Order.FREE and how < 0.5:
        neighbor = rng.permutation(neighbor)
    return base, neighbor
