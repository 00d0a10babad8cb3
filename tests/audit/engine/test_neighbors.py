"""Generated pairs are neighbors, and the worst cases are among them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.pairs.worst_cases import Pair, pairs_from_records, worst_case_pairs
from audit.strategies import datasets
from audit.targets.domain import Declared, Domain
from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidArgument

LOW, HIGH = Fraction(-1), Fraction(3)
RELATIONS = [Relation.ADD_REMOVE, Relation.SWAP]


def distances(pair: Pair) -> tuple[int, int]:
    """Records only in the data, and only in the neighbor (as multisets; NaN equals NaN)."""
    one, other = (Counter(map(repr, map(float, side))) for side in (pair.data, pair.neighbor))
    return sum((one - other).values()), sum((other - one).values())


def domain(relation: Relation, *, hostile: bool = False, **words: Any) -> Domain:
    """Vectors between the bounds; declared unless hostile."""
    declared = Declared.ANY if hostile else Declared.DECLARED
    return Domain(relation, **{"bounds": (LOW, HIGH), "records": declared, **words})


def check_neighbors(pairs: list[Pair], relation: Relation) -> None:
    """Exactly one record differs."""
    allowed = {(0, 1), (1, 0)} if relation is Relation.ADD_REMOVE else {(1, 1)}
    for pair in pairs:
        assert distances(pair) in allowed, pair.label


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("hostile", [False, True])
def test_worst_cases_are_neighbors(relation: Relation, order: Order, hostile: bool) -> None:
    """One record is added, or one replaced, and nothing is listed twice."""
    pairs = worst_case_pairs(domain(relation, order=order, hostile=hostile))
    check_neighbors(pairs, relation)
    assert len({pair.label for pair in pairs}) == len(pairs)
    assert any(np.isnan(pair.neighbor).any() for pair in pairs) == hostile


@given(datasets(LOW, HIGH, max_size=8), st.sampled_from(RELATIONS))
def test_pairs_from_records_are_neighbors(records: np.ndarray, relation: Relation) -> None:
    """The user's data differ from each neighbor in one record."""
    check_neighbors(pairs_from_records(records, domain(relation)), relation)


def test_the_pairs_that_the_literature_needs_are_there() -> None:
    """{} against {low}, and n records at low against one more at high."""
    pairs = worst_case_pairs(domain(Relation.ADD_REMOVE))
    sides = {tuple(map(tuple, (pair.data, pair.neighbor))) for pair in pairs}
    assert ((), (-1.0,)) in sides
    assert ((-1.0,) * 10, (-1.0,) * 10 + (3.0,)) in sides
    assert {len(pair.data) for pair in pairs} == {0, 1, 2, 3, 10, 100}


@pytest.mark.parametrize("order", Order)
def test_counts_are_balanced_in_large_data_sets(order: Order) -> None:
    """(50, 50) records against (51, 49), and with one at the midpoint, must be there, in turn."""
    pairs = worst_case_pairs(domain(Relation.SWAP, order=order))
    counts = {
        tuple(tuple(sorted(Counter(side.tolist()).items())) for side in (pair.data, pair.neighbor))
        for pair in pairs
    }
    half = ((-1.0, 50), (3.0, 50))
    assert (half, ((-1.0, 50), (1.0, 1), (3.0, 49))) in counts
    assert (half, ((-1.0, 51), (3.0, 49))) in counts
    assert any(list(pair.data[:2]) == [-1.0, 3.0] for pair in pairs if "in turn" in pair.label)


@pytest.mark.parametrize("order", Order)
def test_a_record_crosses_between_the_others(order: Order) -> None:
    """Under SWAP a record must go from low to high while all others are at the midpoint."""
    pairs = worst_case_pairs(domain(Relation.SWAP, order=order))
    sides = {tuple(map(tuple, (pair.data, pair.neighbor))) for pair in pairs}
    for size in (2, 3, 10, 100):
        rest = (1.0,) * (size - 1)
        assert ((*rest, -1.0), (*rest, 3.0)) in sides


@pytest.mark.parametrize("hostile", [False, True])
def test_a_public_count_is_kept(hostile: bool) -> None:
    """All data sets must have the number of records that the mechanism asks for."""
    pairs = worst_case_pairs(domain(Relation.SWAP, order=Order.FIXED, count=12, hostile=hostile))
    assert {len(side) for pair in pairs for side in (pair.data, pair.neighbor)} == {12}
    places = {int(np.flatnonzero(pair.data != pair.neighbor)[0]) for pair in pairs}
    assert {0, 11} <= places


def test_real_records_lose_their_extremes() -> None:
    """Without the largest and without the smallest record, and with one more at each end."""
    pairs = pairs_from_records(np.array([0.0, 1.0, 2.0]), domain(Relation.ADD_REMOVE))
    sides = {tuple(map(tuple, (pair.data, pair.neighbor))) for pair in pairs}
    assert ((1.0, 2.0), (0.0, 1.0, 2.0)) in sides
    assert ((0.0, 1.0), (0.0, 1.0, 2.0)) in sides
    for end in (-1.0, 3.0, 1.0):
        assert ((0.0, 1.0, 2.0), (0.0, 1.0, 2.0, end)) in sides


@pytest.mark.parametrize("relation", RELATIONS)
def test_smallest_size_is_kept(relation: Relation) -> None:
    """No data set is smaller than asked."""
    pairs = worst_case_pairs(domain(relation, min_size=3))
    assert pairs
    assert min(min(len(p.data), len(p.neighbor)) for p in pairs) == 3


def test_listed_pairs_are_not_generated() -> None:
    """The relation `listed` asks for the user's pairs."""
    with pytest.raises(InvalidArgument, match="listed"):
        worst_case_pairs(domain(Relation.LISTED))


def test_equal_bounds_leave_no_swap() -> None:
    """With low = high a swap changes nothing, and an added record still does."""
    assert worst_case_pairs(domain(Relation.SWAP, bounds=(LOW, LOW))) == []
    assert worst_case_pairs(domain(Relation.ADD_REMOVE, bounds=(LOW, LOW)))
