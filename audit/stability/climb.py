"""From the pairs whose answers are furthest apart to others that may be further apart still."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from audit.pairs.neighbors import Pair
from audit.pairs.records import Records
from audit.stability.properties import Measured
from audit.stability.space import Array
from audit.targets.domain import Domain

__all__ = ["BEST", "ROUNDS", "best_of", "proposals"]

BEST, ROUNDS, EACH = 6, 10, 8
"""Pairs that are climbed from, how often, and steps tried of each at a time: 480 in all, as many as
Hypothesis makes; chosen, not measured."""

MORE = 11
"""Common records that a step replaces at most."""


def best_of(measured: Sequence[Measured], count: int) -> list[Measured]:
    """Those furthest apart among the finite ones; of equal ones the smaller, then the earlier."""
    finite = [one for one in measured if 0 < one.rank < np.inf]
    return sorted(finite, key=lambda one: (-one.rank, len(one.pair.data)))[:count]


def proposals(one: Measured, domain: Domain, rng: np.random.Generator) -> Iterator[Pair]:
    """Steps from a pair."""
    records = Records.match(one.pair.data, one.pair.neighbor)
    if records is None:
        return
    low, high = domain.ends
    for _ in range(EACH):
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
        elif len(one.pair.data):
            turn = int(rng.integers(len(one.pair.data)))
            sides = (np.roll(one.pair.data, turn), np.roll(one.pair.neighbor, turn))
        else:
            continue
        yield Pair(_described(sides, domain), *sides, generated=True)


def _described(sides: tuple[Array, Array], domain: Domain) -> str:
    """A pair in words."""
    records = Records.match(*sides)
    assert records is not None
    return records.describe(domain)
