"""The pairs that are screened: of the domain, the same for the same seed, of every family."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from audit.pairs.worst_cases import Pair
from audit.screening.candidate_pairs import (
    candidates_of,
    key_of_pair,
    mixtures,
    others_than_candidates,
)
from audit.screening.size import SIZES
from audit.targets.domain import Declared
from mechanisms.claims import Order
from tests.audit.screening.releases import unit
from tests.slow import by_default

CASES = [
    *((*case, {}) for case in product(("add-remove", "swap"), Order, Declared)),
    *(("add-remove", order, Declared.ANY, {"min_size": 3}) for order in Order),
    *(("swap", order, Declared.DECLARED, {"min_size": 3}) for order in Order),
    *(("swap", order, Declared.FINITE, {"count": 4}) for order in Order),
    *((relation, Order.FREE, Declared.ANY, {"max_size": 6}) for relation in ("add-remove", "swap")),
]
"""Sizes are looked at by other lines than what is declared."""


@pytest.mark.parametrize(
    ("relation", "order", "declared", "sizes"), by_default([CASES[0], CASES[-5], CASES[-1]], CASES)
)
def test_every_candidate_is_of_the_domain(
    relation: str, order: Order, declared: Declared, sizes: dict[str, int]
) -> None:
    """It must hold that relation, order, sizes, a public count and bounds are the domain's."""
    domain = unit(relation, order=order, records=declared, **sizes)
    found = candidates_of(domain, 1)
    assert len(found) > 500
    for one in found:
        domain.check(one.pair.label, one.pair.data, one.pair.neighbor)
    strange = sum(domain.strangeness(one.pair.data, one.pair.neighbor) > 0 for one in found)
    assert (strange > 0) == (declared is not Declared.DECLARED)
    keys = {key_of_pair(one.pair) for one in found}
    assert len(keys) == len(found)
    assert all(first != second for first, second in keys)


def test_a_swap_of_four_records_has_no_other_number() -> None:
    """It must hold of a public count that no candidate has another one, hostile or not."""
    found = candidates_of(unit("swap", count=4), 1)
    assert {len(side) for one in found for side in (one.pair.data, one.pair.neighbor)} == {4}


@pytest.mark.long
def test_candidates_depend_on_the_seed_alone() -> None:
    """It must hold that a seed gives its list again, and another seed another one."""

    def keys(seed: int) -> list[Any]:
        return [key_of_pair(one.pair) for one in candidates_of(unit(), seed)]

    first = keys(1)
    candidates_of.cache_clear()
    assert keys(1) == first
    assert keys(2) != first


def test_the_first_candidates_are_those_of_the_whole_list() -> None:
    """It must hold of any number of them, and not of another seed."""
    whole = [key_of_pair(one.pair) for one in candidates_of(unit(), 1)]
    for most in (3, SIZES[2].pairs, 10**6):
        assert [key_of_pair(one.pair) for one in candidates_of(unit(), 1, most)] == whole[:most]
    assert [key_of_pair(one.pair) for one in candidates_of(unit(), 2, 128)] != whole[:128]


def test_a_pair_at_hand_is_no_candidate_twice() -> None:
    """It must hold of what a family or a mixture has, also as its mirror; any other pair is one."""
    whole = candidates_of(unit(), 1)
    known = [next(one.pair for one in whole if one.family == name) for name in ("scan", "mixtures")]
    mirror = replace(known[0], data=known[0].neighbor, neighbor=known[0].data)
    other = Pair("another one", np.array([0.123]), np.array([0.123, 0.124]))
    assert others_than_candidates([*known, mirror, other], unit(), 1) == [other]


def test_few_candidates_are_of_every_family() -> None:
    """It must hold of the shortest screening: what is cut is no family."""
    found = candidates_of(unit(), 1)
    assert {one.family for one in found[: SIZES[-1].pairs]} == {one.family for one in found}
    assert len(found) >= 1_700


def test_mixtures_hold_ties_orders_and_outsiders() -> None:
    """It must hold that a fault of each kind is met more than once."""
    made = list(mixtures(unit(), 1))
    ties = sum(len(np.unique(pair.data)) < len(pair.data) for pair in made)
    moved = sum(
        len(pair.data) > 2
        and not np.array_equal(pair.neighbor[: len(pair.data)], pair.data)
        and not np.array_equal(pair.data[: len(pair.neighbor)], pair.neighbor)
        for pair in made
    )
    odd = sum(unit().strangeness(pair.data, pair.neighbor) > 0 for pair in made)
    assert min(ties, moved, odd) > 100
    fixed = list(mixtures(unit("swap", order=Order.FIXED), 1))
    assert all(
        (pair.data != pair.neighbor).sum() <= 1 + np.isnan(pair.data).sum() for pair in fixed
    )
