"""Pairs of unbounded personalized claims: one user joins or leaves."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.pairs.pair_sources import with_user
from audit.pairs.users import pairs_of_members, with_member
from audit.pairs.worst_cases import Pair
from audit.targets.domain import Declared, Domain, RecordKind
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument, InvalidData

BUDGETS = (Fraction(1), Fraction(1, 10), Fraction(1), Fraction(2))
ROWS = np.array([[0.25, 1.0], [0.5, 0.1], [0.75, 2.0]])


def domain(*, hostile: bool = False, placeholder: bool = False) -> Domain:
    """Rows of at most four users, records in [0, 1]."""
    return Domain(
        Relation.ADD_REMOVE,
        bounds=(Fraction(0), Fraction(1)),
        max_size=len(BUDGETS),
        kind=RecordKind.MEMBERS,
        records=Declared.ANY if hostile else Declared.DECLARED,
        placeholder=placeholder,
    )


def rows_of(side: Any) -> Counter[bytes]:
    """Rows as a multiset."""
    return Counter(row.tobytes() for row in side)


@pytest.mark.parametrize("hostile", [False, True])
@pytest.mark.parametrize("placeholder", [False, True])
def test_one_user_joins_or_leaves(hostile: bool, placeholder: bool) -> None:
    """It must hold that one row differs, that of the pair's user, whatever the others are."""
    records = np.array([0.2, 0.4, 0.6, 0.8])
    pairs = pairs_of_members(
        BUDGETS, domain(hostile=hostile, placeholder=placeholder), records=records
    )
    sizes = set()
    for pair in pairs:
        gone = rows_of(pair.data) - rows_of(pair.neighbor)
        come = rows_of(pair.neighbor) - rows_of(pair.data)
        ((row, _),) = (gone + come).items()
        assert pair.user is not None
        assert np.frombuffer(row)[1] == float(BUDGETS[pair.user])
        assert f"user {pair.user + 1} (budget {BUDGETS[pair.user]})" in pair.label
        assert with_member(pair, BUDGETS).user == pair.user
        sizes.add((pair.user, len(pair.data)))
    assert {user for user, _ in sizes} == {0, 1, 3}
    assert {(0, 0), (0, 1), (0, 3), (1, 0), (1, 3)} <= sizes
    records_there = np.concatenate([pair.neighbor[:, 0] for pair in pairs])
    assert np.isinf(records_there).any() == hostile
    assert np.isnan(records_there).any() == (hostile or placeholder)


def test_no_pair_comes_twice() -> None:
    """It must hold that each pair is listed once."""
    pairs = pairs_of_members(BUDGETS, domain())
    sides = [frozenset((pair.data.tobytes(), pair.neighbor.tobytes())) for pair in pairs]
    assert len(set(sides)) == len(sides)


def test_records_are_one_for_each_user() -> None:
    """It must hold that data of another number of users are an error."""
    with pytest.raises(InvalidArgument, match="one record for each of its 4 users, got 3 records"):
        pairs_of_members(BUDGETS, domain(), records=np.zeros(3))


@given(place=st.integers(0, 2), keys=st.randoms(use_true_random=False), leaves=st.booleans())
def test_the_order_of_the_rows_is_nothing(place: int, keys: Any, leaves: bool) -> None:
    """It must hold that the user is found whatever the order, joining or leaving."""
    order = list(range(3))
    keys.shuffle(order)
    fewer = np.delete(ROWS, place, axis=0)
    sides = (ROWS[order], fewer) if leaves else (fewer, ROWS[order])
    found = with_user(Pair("p", *sides), BUDGETS, Relation.ADD_REMOVE)
    assert found.user == {0: 0, 1: 1, 2: 3}[place]


def test_a_file_may_name_the_user_among_equal_budgets() -> None:
    """It must hold that the named user counts, and nobody is the first user with that budget."""
    empty: list[Any] = []
    assert with_member(Pair("p", empty, np.array([[5.0, 1.0]]), user=2), BUDGETS).user == 2
    found = with_member(Pair("p", empty, np.array([[5.0, 1.0]])), BUDGETS)
    assert found.user == 0
    assert found.data.shape == (0, 2)


WRONG: dict[str, tuple[Any, Any, int | None, str]] = {
    "one row replaced": (
        ROWS,
        ROWS + np.array([[0, 0], [0, 0], [1, 0]]),
        None,
        "got 1 to remove and 1",
    ),
    "two rows": (ROWS, ROWS[:1], None, "got 2 to remove and 0"),
    "no row": (ROWS, ROWS[::-1], None, "got 0 to remove and 0"),
    "no rows": (np.zeros(3), np.zeros(2), None, r"must be a list of rows \[record, budget\]"),
    "no data": ({"x": 1}, {}, None, "must be a list of rows"),
    "another user": (ROWS, ROWS[1:], 1, r"the row of budget 1.0 differs, .* user 2 \(budget 1/10"),
    "an unknown budget": (ROWS[:0], np.array([[0.0, 3.0]]), None, r"budget 3.0 take part .* \(0\)"),
    "too many of a budget": (
        ROWS,
        np.concatenate((ROWS, [[0.3, 0.1]])),
        None,
        r"budget 0.1 take part than the claim has \(1\)",
    ),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_pair_is_told(fault: str) -> None:
    """It must hold that a pair about which the claim says nothing is an error that says why."""
    data, neighbor, user, message = WRONG[fault]
    with pytest.raises(InvalidData, match=message):
        with_member(Pair("p", data, neighbor, user=user), BUDGETS)
