"""Steps from a pair of neighbors to others like it, chosen at random."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from audit.pairs.matched_records import Records
from audit.pairs.worst_cases import Pair
from audit.targets.domain import Domain

MORE = 11
"""Common records that a step replaces at most."""


def steps_from(pair: Pair, domain: Domain, rng: np.random.Generator, count: int) -> Iterator[Pair]:
    """At most so many steps: the record that differs, or those that both have, are changed.

    A step may leave the domain, and may be no step at all: whoever takes it asks
    `Domain.admits`.
    """
    records = Records.match(pair.data, pair.neighbor)
    if records is None:
        return
    low, high = domain.ends
    for _ in range(count):
        kind = int(rng.integers(5))
        value = low + (high - low) * rng.random()
        if rng.random() < 0.2:
            value = float(rng.choice([low, high]))
        places = rng.permutation(len(records.common))
        if kind == 0:
            sides = records.with_changed(int(rng.integers(2)), value)
        elif kind == 1 and places.size:
            sides = records.with_more(records.data[records.common[places[0], 0]])
        elif kind == 2 and places.size:
            sides = records.without(places[: 1 + int(rng.integers(places.size))])
        elif kind == 3:
            sides = records.with_common(places[: 1 + int(rng.integers(MORE))], value)
        elif len(pair.data):
            turn = int(rng.integers(len(pair.data)))
            sides = (np.roll(pair.data, turn), np.roll(pair.neighbor, turn))
        else:
            continue
        moved = Records.match(*sides)
        assert moved is not None
        yield Pair(moved.describe(domain), *sides, generated=True)
