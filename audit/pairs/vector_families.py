"""Families of pairs of neighbors on which faults were found, the plain first.

Each family stands for a fault: a bound that is off at an end, at one size, at a tie of a rounded
mean, in a narrow interval, in machine numbers, or where a record is one that code forgets. All of
them are made from the domain; whoever takes them keeps nothing outside of it (`Domain.admits`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from audit.pairs.adversarial.generate import adversarial_pairs
from audit.pairs.worst_cases import Pair, worst_case_pairs
from audit.results.number_words import plural
from audit.targets.domain import Declared, Domain
from mechanisms.claims import Order, Relation

Vector = NDArray[np.float64]

POWERS = 12
"""Sizes are 2^j and its two neighbors up to 2^12: at 1,024 records and 4,096 the variance of
OpenDP 0.16.0 breaks its claim, and at fewer of the same values it does not (issue 2923)."""

SCANNED = 512
"""Records of the scan: an interval that is mishandled is met if it is wider than 1/512."""

LARGEST = 2_048
"""Records of an adversarial data set: larger ones take a list of records long to make."""

FEW, SEVERAL = (0, 1, 2, 10), (2, 10, 100, 1024)
"""Sizes beside which an outsider comes, and at which fractions do, where the size is free."""

FRACTIONS = (0.0, 1.0, 0.5, 0.25, 0.75, 1 / 3, 0.1)
"""Places between the bounds at which all records lie; with 1/n and 1/(2n), which are ties of a
mean that is rounded."""


def corput(place: int) -> float:
    """A number of van der Corput's sequence in base 2: each new one falls in a widest gap."""
    digits = f"{place:b}"[::-1]
    return math.ldexp(int(digits, 2), -len(digits))


def _sizes(domain: Domain, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """Those of the sizes that the domain has; its own where it has one."""
    if domain.count is not None:
        return (domain.count,)
    fewest, most = domain.min_size, domain.max_size
    return tuple(n for n in wanted if n >= fewest and (most is None or n <= most))


def _changed(domain: Domain, base: Vector, record: float, words: str, *, first: bool) -> Pair:
    """A record put in the place of the first or last one, or one more there."""
    if domain.relation is Relation.ADD_REMOVE:
        place = 0 if first else base.size
        return Pair(f"{words}; one more at {float(record)!r}", base, np.insert(base, place, record))
    neighbor = base.copy()
    if base.size:
        neighbor[0 if first else -1] = record
    return Pair(f"{words}; one replaced by {float(record)!r}", base, neighbor)


def worst(domain: Domain) -> Iterator[Pair]:
    """All records at an end, or half of them at either, at a few sizes."""
    yield from worst_case_pairs(replace(domain, records=Declared.DECLARED))


def sizes(domain: Domain) -> Iterator[Pair]:
    """Powers of two, one more and one less; nothing where the number of records is public."""
    if domain.count is not None:
        return
    low, high = domain.ends
    powers = sorted({2**j + step for j in range(1, POWERS + 1) for step in (-1, 0, 1)})
    for size in _sizes(domain, tuple(n for n in powers if n <= 2**POWERS)):
        turns = np.where(np.arange(size) % 2, high, low)
        for words, base in (("at low", low), ("at high", high), ("at low and high in turn", turns)):
            data = np.full(size, base)
            for record in (low, high):
                yield _changed(
                    domain, data, record, f"{plural(size, 'record')} {words}", first=False
                )


def fractions(domain: Domain) -> Iterator[Pair]:
    """All records at one fraction between the bounds, or half at each of two; one moves."""
    low, high = domain.ends
    width = high - low
    for size in _sizes(domain, SEVERAL):
        own = (*FRACTIONS, 1 / size, 0.5 / size) if size else FRACTIONS
        moves = (*FRACTIONS, 2.0**-10, corput(11), corput(23))
        for f in own:
            data = np.full(size, low + width * f)
            words = f"{plural(size, 'record')} at {f:.4g} of the width"
            for first in (False, True):
                for w in moves:
                    yield _changed(domain, data, low + width * w, words, first=first)
        for f, g in combinations(own, 2) if domain.count is not None else ():
            halves = np.where(np.arange(size) < size // 2, f, g)
            words = f"{plural(size, 'record')}, half at {f:.4g} and half at {g:.4g} of the width"
            for w in FRACTIONS:
                yield _changed(domain, low + width * halves, low + width * w, words, first=False)


def scan(domain: Domain) -> Iterator[Pair]:
    """One record that walks through the domain, beside none and beside others."""
    low, high = domain.ends
    few = _sizes(domain, (int(domain.relation is Relation.SWAP), 9))
    for place in range(1, SCANNED + 1):
        for size in few[place % len(few) :][:1] if few else ():
            base = np.full(size, low if place % 4 < 2 else high)
            record = low + (high - low) * corput(place)
            yield _changed(domain, base, record, plural(size, "record"), first=False)


def reordered(domain: Domain) -> Iterator[Pair]:
    """The same records in two orders, where these are one data set."""
    if domain.order is Order.FIXED:
        return
    low, high = domain.ends
    for size in _sizes(domain, (2, 3, 10, 100)):
        for numerator in (1, 3, 7):
            parts = [corput(numerator + 2 * i) for i in range(size)]
            data = low + (high - low) * np.array(parts, dtype=np.float64)
            for words, turned in (("reversed", data[::-1]), ("sorted", np.sort(data))):
                yield Pair(f"{plural(size, 'record')}, {words}", data, turned.copy())
        ends = np.where(np.arange(size) < size // 2, low, high)
        yield Pair(f"{plural(size, 'record')} at low and high, reversed", ends, ends[::-1].copy())


def machine(domain: Domain) -> Iterator[Pair]:
    """Sums that go wrong in machine numbers."""
    for pair in adversarial_pairs(domain):
        if max(len(pair.data), len(pair.neighbor)) <= LARGEST:
            yield pair


def hostile(domain: Domain) -> Iterator[Pair]:
    """Records that code forgets: beside none, one, two and ten, at low and at both ends."""
    if domain.records is Declared.DECLARED:
        return
    yield from worst_case_pairs(domain)
    low, high = domain.ends
    for size in _sizes(domain, FEW):
        for words, other in (("low", low), ("low and high", high)):
            base = np.where(np.arange(size) % 2, other, low)
            for name, record in {**domain.outsiders(), **INTEGERS}.items():
                label = f"{plural(size, 'record')} at {words}; {name}"
                yield replace(_changed(domain, base, record, "", first=False), label=label)


INTEGERS = {"2^31 - 1": 2.0**31 - 1, "-2^31": -(2.0**31), "2^53 + 1": 2.0**53 + 2, "2^62": 2.0**62}
"""Outsiders of whole numbers; doubles beyond 2^53 are even."""

FAMILIES: dict[str, Callable[[Domain], Iterator[Pair]]] = {
    "worst cases": worst,
    "fractions": fractions,
    "scan": scan,
    "sizes": sizes,
    "orders": reordered,
    "machine numbers": machine,
    "hostile records": hostile,
}
"""By name, in the order in which they are tried: what needs no record out of range comes first."""


OTHERS = "likewise"
"""End of the label of a pair that differs in as many records as neighbors may."""


def widened(pair: Pair, domain: Domain) -> Pair:
    """The same pair with as many changed records as neighbors may have: more like the first one."""
    data, neighbor = pair.data, pair.neighbor
    more = domain.rows - 1
    if domain.relation is Relation.ADD_REMOVE:
        if len(neighbor) == len(data):
            return pair
        longer = max(data, neighbor, key=len)
        added = np.concatenate([longer, np.repeat(_odd(data, neighbor), more)])
        sides = (data, added) if longer is neighbor else (added, neighbor)
    else:
        apart = np.flatnonzero(data != neighbor)
        others = [i for i in range(len(neighbor)) if i not in apart[:1]][:more]
        turned = neighbor.copy()
        turned[others] = neighbor[apart[:1]] if apart.size else turned[others]
        sides = (data, turned)
    return replace(
        pair,
        label=f"{pair.label}, {more} more {OTHERS}",
        data=sides[0],
        neighbor=sides[1],
    )


def _odd(data: Vector, neighbor: Vector) -> Vector:
    """The record that only the longer one has."""
    shorter, longer = sorted((data, neighbor), key=len)
    apart = np.flatnonzero(longer[: len(shorter)] != shorter)
    return longer[apart[0] if apart.size else len(shorter) :][:1]
