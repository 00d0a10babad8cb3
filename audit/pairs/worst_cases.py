"""Neighboring data sets: worst cases, and pairs made from the user's own records.

Worst cases are all records at one end or at the midpoint, or one record at the other end, for the
sizes 0, 1, 2, 3, 10 and 100, and under swap one record at either end while the others are between;
for the larger sizes also half of the records at either end, as what counts records may show a slip
only where two counts are large. The record that changes is at an end or at the midpoint. Where the
domain is not declared it is also one that code forgets (`Domain.outsiders`), beside a few records
and beside more. Every pair is audited in both directions, so each is listed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.pairs.literal import key_text
from audit.results.number_words import plural
from audit.targets.domain import Domain
from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidArgument

Records = NDArray[np.float64]

SIZES = (0, 1, 2, 3, 10, 100)
HOSTILE_SIZE = 10
"""Records beside which every outsider is tried: a denormal width, or a square that overflows, needs
others. Beside none, or one, a few are tried: each pair takes its share of the draws."""
BALANCED_FROM = 10
"""Fewest records of which half are at either end."""


@final
@dataclass(frozen=True, slots=True)
class Pair:
    """Two neighboring data sets, and what they are in words."""

    label: str
    data: Any
    neighbor: Any
    generated: bool = False
    """Whether the pair was made here, and is searched around; the number of records of a user's own
    is not changed under SWAP, where it is public."""
    user: int | None = None
    """Whose record changes, for a personalized claim."""


def check_pairs(pairs: Sequence[Pair]) -> None:
    """Refuse to audit no pairs, and pairs of equal data sets.

    Raises InvalidArgument for either.
    """
    if not pairs:
        msg = "at least one pair of neighboring data sets is needed, got pairs=[]"
        raise InvalidArgument(msg)
    for pair in pairs:
        if key_text(pair.data) == key_text(pair.neighbor):
            msg = f"the two data sets of a pair must differ, and they are equal: {pair.label}"
            raise InvalidArgument(msg)


def worst_case_pairs(domain: Domain) -> list[Pair]:
    """Pairs that a mean between bounds finds hardest to hide.

    `domain`: of vectors, with bounds; order FIXED adds changes at the first place (otherwise the
    last one changes). Raises InvalidArgument if only the user's own pairs are neighbors, or there
    are no bounds.
    """
    _check_relation(domain)
    ends = ends_of(domain)
    pairs = []
    sizes = (n for n in SIZES if n >= domain.min_size) if domain.count is None else (domain.count,)
    for size in sizes:
        for words, base in _bases(size, ends):
            pairs += _changes(domain, words, base, ends)
        if domain.relation is Relation.SWAP and size > 1:
            pairs.append(_across(size, ends))
    if not pairs:
        return []
    fewest = max(domain.min_size, int(domain.relation is Relation.SWAP))
    more = max(domain.min_size, HOSTILE_SIZE)
    beside = {fewest: True, more: False} if domain.count is None else {domain.count: False}
    for size, few in beside.items():
        words, base = next(iter(_bases(size, ends)))
        pairs += _changes(domain, words, base, domain.outsiders(few=few))
    return distinct(pairs, domain)


def pairs_from_records(records: Records, domain: Domain) -> list[Pair]:
    """Pairs made from the user's own records: change the extreme ones, and add at the ends.

    `records`, shape (n,): the user's data. `domain`: as in `worst_case_pairs`.
    """
    _check_relation(domain)
    ends, relation = ends_of(domain), domain.relation
    words = f"the data ({plural(records.size, 'record')})"
    pairs = _changes(domain, words, records, ends) if relation is Relation.ADD_REMOVE else []
    if records.size:
        extremes = {"smallest": int(np.nanargmin(records)), "largest": int(np.nanargmax(records))}
        for name, place in extremes.items():
            rest = np.delete(records, place)
            if relation is Relation.ADD_REMOVE:
                pairs.append(Pair(f"{words} without its {name} record", rest, records))
                continue
            for end, value in ends.items():
                swapped = records.copy()
                swapped[place] = value
                label = f"{words}, its {name} record replaced by {end}"
                pairs.append(Pair(label, records, swapped))
    return distinct(pairs, domain)


def _check_relation(domain: Domain) -> None:
    if domain.relation is Relation.LISTED:
        msg = "the relation 'listed' has no generated pairs: give each pair in a file (--pair)"
        raise InvalidArgument(msg)


def ends_of(domain: Domain) -> dict[str, float]:
    """The public places of a record, by name."""
    low, high = domain.ends
    assert domain.bounds is not None
    return {"low": low, "high": high, "the midpoint": float(sum(domain.bounds) / 2)}


def _bases(size: int, ends: dict[str, float]) -> Iterable[tuple[str, Records]]:
    if size == 0:
        yield "no records", np.empty(0)
        return
    for word, value in ends.items():
        yield f"{plural(size, 'record')} at {word}", np.full(size, value)
    if size > 1:
        mixed = np.full(size, ends["low"])
        mixed[-1] = ends["high"]
        yield f"{size - 1} at low and 1 at high", mixed
    if size >= BALANCED_FROM:
        balanced = np.full(size, ends["low"])
        balanced[1::2] = ends["high"]
        yield f"{size - size // 2} at low and {size // 2} at high in turn", balanced


def _across(size: int, ends: dict[str, float]) -> Pair:
    """One record from end to end while the others are between: for what follows the others."""
    data = np.full(size, ends["the midpoint"])
    data[-1] = ends["low"]
    neighbor = data.copy()
    neighbor[-1] = ends["high"]
    return Pair(f"{size - 1} at the midpoint and 1 at low; it is replaced by high", data, neighbor)


def _changes(domain: Domain, words: str, base: Records, changed: dict[str, float]) -> list[Pair]:
    """Add each record to `base`, or put it in the place of one."""
    free = domain.order is Order.FREE
    places = {"": base.size} if free else {" first": 0, " last": base.size}
    pairs = []
    for where, place in places.items():
        for name, value in changed.items():
            if domain.relation is Relation.ADD_REMOVE:
                neighbor = np.insert(base, place, value)
                pairs.append(Pair(f"{words}; one more at {name}{where}", base, neighbor))
            elif base.size:
                neighbor = base.copy()
                neighbor[min(place, base.size - 1)] = value
                label = f"{words};{where or ' one'} replaced by {name}"
                pairs.append(Pair(label, base, neighbor))
    return pairs


def distinct(pairs: list[Pair], domain: Domain) -> list[Pair]:
    """Leave out equal arms, repeated pairs, and what is not of the domain."""
    kept: dict[tuple[bytes, bytes], Pair] = {}
    for pair in pairs:
        if not domain.admits(pair.data, pair.neighbor):
            continue
        if pair.data.tobytes() == pair.neighbor.tobytes():
            continue
        free = domain.order is Order.FREE and pair.data.ndim == 1
        arrange = np.sort if free else np.asarray
        sides = sorted(arrange(side).tobytes() for side in (pair.data, pair.neighbor))
        kept.setdefault((sides[0], sides[1]), replace(pair, generated=True))
    return list(kept.values())
