"""Pairs of personalized claims: made here, read from files, listed by the target."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.pairs.pair_sources import with_user
from audit.pairs.users import pairs_of_users
from audit.pairs.worst_cases import Pair
from audit.request.privacy_plan import PrivacyPlan, plan_audit
from audit.request.request import Request, by_field
from audit.targets.domain import Declared, Domain
from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidArgument, InvalidData

BUDGETS = (Fraction(1), Fraction(1, 10), Fraction(1), Fraction(2))
TARGET = "corpus.personalized-sum"


def domain(count: int, hostile: bool = False) -> Domain:
    """One record a user, in [0, 1]."""
    return Domain(
        Relation.SWAP,
        Order.FIXED,
        (Fraction(0), Fraction(1)),
        count=count,
        records=Declared.ANY if hostile else Declared.DECLARED,
    )


def changed(pair: Pair) -> list[int]:
    """Places of the records that differ (NaN is one value)."""
    return [
        place
        for place, (x, y) in enumerate(zip(pair.data, pair.neighbor, strict=True))
        if not np.array_equal(x, y, equal_nan=True)
    ]


@pytest.mark.parametrize("hostile", [False, True])
def test_generated_pairs_change_the_first_user_of_each_budget(hostile: bool) -> None:
    """It must hold that one record differs, that of the pair's user, and each budget has pairs."""
    records = np.array([0.2, 0.4, 0.6, 0.8])
    pairs = pairs_of_users(BUDGETS, domain(4, hostile), records=records)
    for pair in pairs:
        assert pair.user is not None
        assert changed(pair) == [pair.user]
        assert f"user {pair.user + 1} (budget {BUDGETS[pair.user]})" in pair.label
    assert {pair.user for pair in pairs} == {0, 1, 3}
    for user in (0, 1, 3):
        bases = [set(np.delete(pair.data, user)) for pair in pairs if pair.user == user]
        assert all({base} in bases for base in (0.0, 0.5, 1.0))
        assert any(len(base) == 3 for base in bases)
    assert any(not np.isfinite(pair.neighbor).all() for pair in pairs) == hostile


def test_no_generated_pair_comes_twice() -> None:
    """It must hold that a pair is not listed again in the other direction."""
    pairs = pairs_of_users((Fraction(1),), domain(1))
    sides = [frozenset((pair.data.tobytes(), pair.neighbor.tobytes())) for pair in pairs]
    assert len(set(sides)) == len(sides) == 3


def test_records_are_one_for_each_user() -> None:
    """It must hold that data of another number of users are an error."""
    with pytest.raises(InvalidArgument, match="one record for each of its 4 users, got 3 records"):
        pairs_of_users(BUDGETS, domain(4), records=np.zeros(3))


def plan(folder: Path, *pairs: dict[str, Any], **words: Any) -> PrivacyPlan:
    """Plan an audit of a personalized claim on pair files."""
    files = []
    for number, content in enumerate(pairs):
        files.append(str(folder / f"p{number}.json"))
        Path(files[-1]).write_text(json.dumps(content))
    asked = {"budgets": ("1/2", "1", "2"), "relation": "swap", **words}
    return plan_audit(Request(TARGET, pair=tuple(files), **by_field(asked)), stated_in="test")


ZEROS = [0, 0, 0]


@pytest.mark.parametrize(
    "content",
    [
        {"data": ZEROS, "neighbor": [0, 1, 0]},
        {"data": ZEROS, "neighbor": [0, 1, 0], "user": 2},
        {"data": ZEROS, "neighbor": [0, 1, 0], "user": 2, "budgets": [0.5, "1", 2]},
        {"data": [[0, 1], [2, 3], [4, 5]], "neighbor": [[0, 1], [2, 4], [4, 5]]},
    ],
)
def test_a_pair_file_is_about_the_user_whose_record_differs(
    tmp_path: Path, content: dict[str, Any]
) -> None:
    """It must hold that the user is found, or checked where the file names one."""
    planned = plan(tmp_path, content)
    assert [pair.user for pair in planned.pairs] == [1]
    assert planned.target.order is Order.FIXED


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "another user": (
        {"data": ZEROS, "neighbor": [0, 1, 0], "user": 3},
        "the record of user 2 differs, and the file names user 3",
    ),
    "two records": ({"data": ZEROS, "neighbor": [0, 1, 1]}, "those that do: 2, 3"),
    "no record": ({"data": ZEROS, "neighbor": ZEROS, "user": 1}, "those that do: none"),
    "another number": ({"data": [0, 0], "neighbor": [0, 1]}, "must have 3 records"),
    "a removed record": ({"data": ZEROS, "neighbor": [0, 0]}, "must have 3 records"),
    "no records": ({"data": 0.5, "neighbor": 1.5, "user": 1}, "must have 3 records"),
    "no such user": ({"data": ZEROS, "neighbor": [0, 1, 0], "user": 4}, "from 1 to 3, got user=4"),
    "no user 0": ({"data": ZEROS, "neighbor": [1, 0, 0], "user": 0}, "from 1 to 3, got user=0"),
    "user in words": ({"data": ZEROS, "neighbor": [0, 1, 0], "user": "1"}, "from 1 to 3"),
    "user true": ({"data": ZEROS, "neighbor": [0, 1, 0], "user": True}, "from 1 to 3"),
    "other budgets": (
        {"data": ZEROS, "neighbor": [0, 1, 0], "budgets": [0.5, 1, 1]},
        r"must be those of the claim \(1/2, 1, 2\), got budgets=\[0.5, 1, 1\]",
    ),
    "fewer budgets": ({"data": ZEROS, "neighbor": [0, 1, 0], "budgets": [0.5, 1]}, "those of"),
    "one budget": ({"data": ZEROS, "neighbor": [0, 1, 0], "budgets": 1}, "a list of numbers"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_pair_of_users_is_told(tmp_path: Path, fault: str) -> None:
    """It must hold that a pair about which the claim says nothing is an error that says why."""
    content, message = WRONG[fault]
    right = {"data": ZEROS, "neighbor": [0, 1, 0]}
    with pytest.raises(InvalidData, match=message):
        plan(tmp_path, right, content)


@pytest.mark.parametrize("key", ["user", "budgets"])
def test_users_are_of_personalized_claims_only(tmp_path: Path, key: str) -> None:
    """It must hold that a file that names a user is not silently read as any pair."""
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"data": [0], "neighbor": [1], key: 0}))
    with pytest.raises(InvalidData, match=f"'{key}' is for a personalized claim"):
        plan_audit(Request("ksw.swap-laplace", pair=(str(path),)), stated_in="test")


def test_the_targets_own_pairs_have_their_users() -> None:
    """It must hold that each listed pair of the corpus is about the user whose record changes."""
    planned = plan_audit(Request(TARGET), stated_in="test")
    assert [pair.user for pair in planned.pairs] == [0, 1, 2]


def test_a_listed_pair_is_the_users_own_definition() -> None:
    """It must hold that data of any kind are about the named user where pairs are listed."""
    pair = Pair("p", {"a": 1}, {"a": 2}, user=1)
    assert with_user(pair, BUDGETS, Relation.LISTED) is pair
    with pytest.raises(InvalidData, match="must have 4 records"):
        with_user(pair, BUDGETS, Relation.SWAP)
    with pytest.raises(InvalidData, match="must have 4 records"):
        with_user(Pair("p", {"a": 1}, {"a": 2}), BUDGETS, Relation.LISTED)


def test_generated_pairs_need_bounds(tmp_path: Path) -> None:
    """It must hold that without bounds there is the usual error, and with them pairs of users."""
    with pytest.raises(InvalidArgument, match=r"give --low and --high, --data FILE\.csv"):
        plan(tmp_path)
    planned = plan(tmp_path, low=0, high=1)
    assert {pair.user for pair in planned.pairs} == {0, 1, 2}
    both = plan(tmp_path, {"data": ZEROS, "neighbor": [0, 1, 0]}, low=0, high=1, generate=True)
    assert len(both.pairs) == 1 + len(planned.pairs)


def test_a_budget_belongs_to_a_place(tmp_path: Path) -> None:
    """It must hold that a personalized claim about a multiset of records is an error."""
    bounds = {"low": 0, "high": 1}
    with pytest.raises(InvalidArgument, match="order is fixed"):
        plan(tmp_path, order="free", **bounds)
