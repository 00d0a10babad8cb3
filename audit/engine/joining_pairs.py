"""Local search: more pairs around the most suspicious one, while nothing else looks suspicious.

A move changes a generated pair a little and keeps it a pair of neighbors: another value for the
record that differs, one more common record, one fewer, half of them, one moved to another value.
A pair that joins is drawn from like any other; where it looks worse than its base, the next moves
begin there.

T6 for pairs that join late. Which pair joins, and when, is a function of the past. Its first draws
only learn: the wealth does not move by them. From then on the experts that bet on all pairs may
choose it; each batch is of fresh draws of a pair of neighbors, so under the claim its e-value has
conditional mean at most 1, and the wealth stays a non-negative supermartingale. The bets that
belong to one pair have weights fixed before the first bet, so a late pair has none of them.
Giving it a fresh wealth of 1, as a test of its own or as one more term of the mean over the pairs,
would be one more test at the full level, or wealth out of nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.engine.pair_state import PairState
from audit.pairs.matched_records import Records
from audit.pairs.worst_cases import Pair
from audit.targets.domain import Domain
from mechanisms.claims import Order

__all__ = ["FIRST_DRAWS_OF_JOINED", "MOST_JOINED", "Search", "moves"]

Sides = tuple[NDArray[Any], NDArray[Any]]

MOST_JOINED = 40
"""Pairs that may join a run."""

FIRST_DRAWS_OF_JOINED = 200
"""Draws of each arm that such a pair learns from; as few as others where draws are slow. It joins
where nothing looks suspicious, and a few draws would make it look so by chance."""

SHARE = 0.1
"""Share of the draws that the first draws of pairs that join may take."""

DISTINCT = 3
"""Common records that are moved one by one: the first of each of so many values."""


def moves(records: Records, domain: Domain) -> Iterator[Sides]:
    """Pairs of neighbors near a pair, of the same kind."""
    simple = domain.simple
    for arm in (0, 1):
        if records.changed[arm].size:
            for value in simple:
                yield records.with_changed(arm, value)
    for value in simple:
        yield records.with_more(value)
    rows = records.data[records.common[:, 0]]
    firsts = {row.tobytes(): place for place, row in reversed(list(enumerate(rows)))}
    places = sorted(firsts.values())[:DISTINCT]
    for place in places:
        yield records.without(np.array([place]))
    if len(rows) > 2:
        yield records.without(slice(0, len(rows) // 2))
    for place in places:
        for value in simple:
            yield records.with_common(np.array([place]), value)


@final
@dataclass(slots=True)
class Search:
    """Which pairs were tried.

    Attributes
    ----------
    tried : set
        Keys of all pairs of the run.
    joined : int
        Pairs that joined it.
    """

    tried: set[tuple[bytes, bytes]] = field(default_factory=set)
    joined: int = 0

    def may_join(self, draws: int, samples: int) -> bool:
        """Whether a pair with so many first draws of each arm may join a run of so many samples."""
        return self.joined < MOST_JOINED and 2 * draws * (self.joined + 1) <= SHARE * samples

    def next_pair(self, states: Sequence[PairState], domain: Domain) -> Pair | None:
        """A new pair around the most suspicious generated one; None where all were tried."""
        if domain.listed:
            return None
        order = domain.order
        generated = [state for state in states if state.generated]
        for state in generated:
            self.tried.add(_key((state.data, state.neighbor), order))
        for base in sorted(generated, key=_suspicion, reverse=True):
            records = Records.match(base.data, base.neighbor)
            if records is None or not domain.neighbors(base.data, base.neighbor):
                continue
            near = domain.near(base.data, base.neighbor, generated=True)
            for sides in moves(records, near):
                key = _key(sides, order)
                if key in self.tried or not near.admits(*sides):
                    continue
                moved = Records.match(*sides)
                if moved is not None and moved.differ:
                    self.tried.add(key)
                    self.joined += 1
                    return Pair(moved.describe(near), *sides, generated=True)
        return None


def _suspicion(state: PairState) -> float:
    return -math.inf if state.bets is None else state.bets.suspicion


def _key(sides: tuple[Any, Any], order: Order) -> tuple[bytes, bytes]:
    """The same key for a pair and its mirror, and for another order where that is no change."""
    arrange = np.sort if order is Order.FREE and np.ndim(sides[0]) == 1 else np.asarray
    first, second = sorted(arrange(side).tobytes() for side in sides)
    return first, second
