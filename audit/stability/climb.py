"""From the pairs whose answers are furthest apart to others that may be further apart still."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from audit.pairs.neighbors import Pair
from audit.pairs.steps import steps_from
from audit.pairs.tables.steps import table_steps
from audit.stability.properties import Measured
from audit.targets.domain import Domain

BEST, ROUNDS, EACH = 6, 10, 8
"""Pairs that are climbed from, how often, and steps tried of each at a time: 480 in all, as many as
Hypothesis makes; chosen, not measured."""


def best_of(measured: Sequence[Measured], count: int) -> list[Measured]:
    """Those furthest apart among the finite ones; of equal ones the smaller, then the earlier."""
    finite = [one for one in measured if 0 < one.rank < np.inf]
    return sorted(finite, key=lambda one: (-one.rank, len(one.pair.data)))[:count]


def proposals(one: Measured, domain: Domain, rng: np.random.Generator) -> Iterator[Pair]:
    """Steps from a pair."""
    steps = steps_from if domain.schema is None else table_steps
    return steps(one.pair, domain, rng, EACH)
