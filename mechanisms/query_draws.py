"""Draws of a noisy query: one function between what is proved and what runs.

A lemma speaks of the sums of c x + d over the records plus the stated noise
(`mechanisms.noisy_query`). A sampler that draws these noisy sums here, and releases a function of
them and of public facts alone, has the law that the lemma is about: no center, no scale and no law
of the noise is written a second time.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.noisy_query import NoisyQuery, StatesNoisyQuery

__all__ = ["RecordSum", "draw_query", "stated_query"]


@final
@dataclass(frozen=True, slots=True)
class RecordSum:
    """What a query asks of the data: the sum of the x, exactly, and how many there are."""

    total: Fraction
    count: int


@lru_cache(maxsize=64)
def stated_query(mechanism: StatesNoisyQuery) -> NoisyQuery:
    """Return the query of a mechanism: an audit makes thousands of small calls."""
    return mechanism.noisy_query()


def draw_query(
    query: NoisyQuery, data: RecordSum, size: int, *, rng: np.random.Generator
) -> tuple[NDArray[Any], ...]:
    """Draw the noisy sums.

    `query`: moves and noise. `data`: of the records, in the x of the query. `size`: number of
    draws, at least 1. `rng`: source of randomness; advanced by the call. Returns shape (size,):
    each coordinate. One that no record moves is 0, without noise.
    """
    found: list[NDArray[Any]] = []
    for noise in query.noises:
        moves = query.moves[len(found) : len(found) + noise.dimension]
        if not any(slope * x + offset for slope, offset in moves for x in query.records):
            found += [np.zeros(size)] * len(moves)
            continue
        drawn = noise.sample(size, rng=rng).reshape(size, -1)
        for (slope, offset), column in zip(moves, drawn.T, strict=True):
            found.append(float(slope * data.total + offset * data.count) + column)
    return tuple(found)
