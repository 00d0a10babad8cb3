"""The domain of a claim: membership, neighbors, records that code forgets, and what was tried."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.pairs.adversarial.generate import adversarial_pairs
from audit.pairs.coverage import coverage
from audit.pairs.worst_cases import pairs_from_records, worst_case_pairs
from audit.request.privacy_plan import plan_audit
from audit.request.request import Request, by_field
from audit.strategies import neighboring_pairs
from audit.targets.domain import Declared, Domain, RecordKind, steps
from audit.targets.wrap import UNSEEDABLE
from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidArgument, InvalidData
from mechanisms.registry import MECHANISMS

UNIT = Domain(Relation.ADD_REMOVE, bounds=(Fraction(0), Fraction(1)))
RELATIONS = (Relation.ADD_REMOVE, Relation.SWAP)
SIZES = ({}, {"min_size": 3}, {"count": 4})
CASES = [
    (relation, order, declared, sizes)
    for relation, order, declared, sizes in product(RELATIONS, Order, Declared, SIZES)
    if "count" not in sizes or relation is Relation.SWAP
]


@pytest.mark.parametrize(("relation", "order", "declared", "sizes"), CASES)
def test_every_maker_of_pairs_keeps_to_the_domain(
    relation: Relation, order: Order, declared: Declared, sizes: dict[str, int]
) -> None:
    """It must hold that sizes, a public count, bounds and neighbors are those of the domain."""
    domain = Domain(relation, order, UNIT.bounds, records=declared, **sizes)
    made = [*worst_case_pairs(domain), *adversarial_pairs(domain)]
    made += pairs_from_records(np.array([0.25, 0.75, 0.5, 1.0]), domain)
    assert made
    for pair in made:
        domain.check(pair.label, pair.data, pair.neighbor)
        for side in (pair.data, pair.neighbor):
            assert len(side) >= sizes.get("min_size", 0)
            assert len(side) == sizes.get("count", len(side))
            inside = bool(((side >= 0) & (side <= 1)).all())
            assert inside or declared is not Declared.DECLARED
            assert np.isfinite(side).all() or declared is Declared.ANY
    strange = sum(domain.strangeness(pair.data, pair.neighbor) > 0 for pair in made)
    assert (strange > 0) == (declared is not Declared.DECLARED)


def test_few_pairs_try_what_code_forgets() -> None:
    """It must hold that each outsider is tried, and that they cost at most a sixth of the draws."""
    plain = worst_case_pairs(replace(UNIT, records=Declared.DECLARED))
    every = worst_case_pairs(UNIT)
    assert len(plain) < len(every) <= 7 * len(plain) / 6
    added = np.concatenate([pair.neighbor for pair in every if "one more at" in pair.label])
    assert np.isnan(added).any()
    for record in (np.inf, -np.inf, 11.0, -10.0, 2.0, -1.0, 1e300, 5e-324):
        assert (added == record).any()
    assert np.signbit(added[added == 0]).any()
    assert any(len(pair.data) == 0 and np.isnan(pair.neighbor).any() for pair in every)


@given(st.data())
def test_steps_agree_with_a_plain_search(data: Any) -> None:
    """It must hold that what the strategies call neighbors is so here, and two changes are not."""
    relation, order = data.draw(st.sampled_from(RELATIONS)), data.draw(st.sampled_from(Order))
    pair = data.draw(neighboring_pairs(relation, order=order, hostile=True))
    domain = replace(UNIT, relation=relation, order=order)
    assert domain.admits(pair.data, pair.neighbor)
    longer = np.append(pair.neighbor, [7.0, 8.0])
    assert not domain.neighbors(pair.data, longer)
    if order is Order.FIXED and len(set(pair.data.tolist())) == len(pair.data) > 1:
        assert not domain.neighbors(pair.data, pair.data[::-1].copy()) or len(pair.data) < 2


WRONG = {
    "too few": (replace(UNIT, min_size=2), [0.0], "has 1 record, and min_size is 2"),
    "another count": (replace(UNIT, count=4), [0.0] * 3, "the public number of records is 4"),
    "too many": (replace(UNIT, max_size=1), [0.0] * 2, "has 2 records, and there are at most 1"),
    "out of range": (
        replace(UNIT, records=Declared.DECLARED),
        [2.0],
        r"a record outside of \[0, 1\], and the domain is declared; --domain any allows it",
    ),
    "NaN": (replace(UNIT, records=Declared.FINITE), [np.nan], "a record that is NaN"),
    "infinite": (
        Domain(Relation.SWAP, records=Declared.DECLARED),
        [np.inf],
        "a record that is infinite",
    ),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_pair_that_the_claim_says_nothing_about_is_an_error(fault: str) -> None:
    """It must hold that the message names the fault, and that the domain of any holds the rest."""
    domain, records, message = WRONG[fault]
    side = np.array(records)
    assert not domain.holds(side)
    with pytest.raises(InvalidData, match=f"the pair of p.json: .*{message}"):
        domain.check("the pair of p.json", side, np.append(side, 0.0))
    assert UNIT.holds(side)


def test_a_placeholder_is_no_outsider() -> None:
    """It must hold that NaN is a member where it is a record that is missing."""
    domain = replace(UNIT, records=Declared.DECLARED, placeholder=True)
    assert domain.holds(np.array([np.nan, 0.5]))
    assert not domain.holds(np.array([np.nan, 2.0]))


def test_budgets_of_members_are_no_records() -> None:
    """It must hold that of rows (record, budget) the first is the record."""
    domain = replace(UNIT, kind=RecordKind.MEMBERS, records=Declared.DECLARED)
    assert domain.holds(np.array([[0.5, 7.0]]))
    assert not domain.holds(np.array([[7.0, 0.5]]))


def test_neighbors_may_differ_in_several_records() -> None:
    """It must hold of `rows` alone, up to so many, and that it is a flag of its own."""
    data = np.array([0.0, 0.5, 1.0])
    for relation, other in (
        (Relation.ADD_REMOVE, np.array([0.0, 0.5, 1.0, 0.25, 0.75])),
        (Relation.SWAP, np.array([0.25, 0.75, 1.0])),
    ):
        for order in Order:
            domains = [Domain(relation, order, UNIT.bounds, rows=rows) for rows in (1, 2, 3)]
            assert [domain.neighbors(data, other) for domain in domains] == [False, True, True]
            assert [domain.neighbors(other, data) for domain in domains] == [False, True, True]
            told = coverage(domains[1], [(data, other)], made=True, ideal=False)
            assert "rows" in told.tried
            told = coverage(domains[2], [(data, other)], made=True, ideal=False)
            assert "rows" in told.not_tried
    assert not Domain(Relation.SWAP, rows=2).neighbors(data, data[:2])
    assert not Domain(Relation.ADD_REMOVE, rows=2).neighbors(data, data[:0])


@given(st.lists(st.integers(0, 2), max_size=7), st.lists(st.integers(0, 2), max_size=7))
@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u1"])
def test_steps_do_not_hang_on_common_ends(dtype: str, first: list[int], second: list[int]) -> None:
    """It must hold that arrays, whose common ends are cut off first, have the steps of lists."""
    for order in Order:
        arrays = (np.array(side, dtype=dtype) for side in (first, second))
        assert steps(*arrays, order) == steps(first, second, order)
    assert steps(np.array([0.0]), np.array([-0.0]), Order.FREE) == (1, 1)


FLAGS = {"pairs", "bounds", "nan", "order", "ideal", "state", "max_size", "min_size"}


def test_each_flag_is_tried_or_not(subtests: pytest.Subtests) -> None:
    """It must hold that each flag is in exactly one list, and that what is declared is untried."""
    for relation, order, declared, sizes in CASES:
        with subtests.test(relation=relation, order=order):
            for ideal in [False, True]:
                domain = Domain(relation, order, UNIT.bounds, records=declared, **sizes)
                made = [(pair.data, pair.neighbor) for pair in worst_case_pairs(domain)]
                told = coverage(domain, made, made=True, ideal=ideal)
                assert not set(told.tried) & set(told.not_tried)
                public = {"count"} if "count" in sizes else {"max_size", "min_size"}
                assert (
                    set(told.tried) | set(told.not_tried)
                    == FLAGS - {"max_size", "min_size"} | public
                )
                assert ("bounds" in told.not_tried) == (declared is Declared.DECLARED)
                assert ("nan" in told.not_tried) == (declared is not Declared.ANY)
                assert ("ideal" in told.not_tried) == ideal
                assert "state" in told.not_tried
                assert ("min_size" in told.not_tried) == ("min_size" in sizes)
                assert "order" in told.not_tried
                turned = (np.array([0.0, 1.0]), np.array([1.0, 0.0]))
                assert "order" in coverage(domain, [*made, turned], made=True, ideal=ideal).tried


def test_what_was_not_tried_is_told_in_words() -> None:
    """It must hold that a declared domain, its source and given pairs are named."""
    domain = replace(UNIT, records=Declared.DECLARED, source="opendp: nan=False")
    pair = (np.zeros(2), np.zeros(3))
    told = coverage(domain, [pair], made=False, ideal=True).not_tried
    assert list(told.values()) == [
        "pairs that are made or searched, only the one given",
        "records outside of [0, 1] (opendp: nan=False)",
        "records that are NaN (opendp: nan=False)",
        "more than 3 records",
        "fewer than 2 records",
        "two orders of the same records",
        "floating point representation (--ideal)",
        "state that is kept between runs, and time",
    ]


WITHOUT_BOUNDS = ("pdp.discretization", "pdp.radius")
SOUND = [
    name for name, entry in MECHANISMS.items() if entry.form == "sound" and name not in UNSEEDABLE
]


@pytest.mark.parametrize("name", SOUND)
def test_no_sound_mechanism_forgets_a_record(name: str) -> None:
    """It must hold that an outsider moves a release no further than a record within the bounds.

    Both sides are drawn from one seed. The negative control is a sum without a clip.
    """
    bounds = {"low": -8, "high": 8} if name in WITHOUT_BOUNDS else {}
    plan = plan_audit(Request(name, **by_field(bounds)), stated_in="test")
    moved = moves_of(plan.target.draw, plan.pairs, plan.domain)
    assert moved[True] <= 1.05 * moved[False]


def test_an_unclipped_sum_forgets_them() -> None:
    """It must hold that the check above sees a clip that is missing."""

    def unclipped(data: Any, size: int, rng: np.random.Generator) -> Any:
        return data.sum() + rng.laplace(size=size)

    moved = moves_of(unclipped, worst_case_pairs(UNIT), UNIT)
    assert moved[True] > 10 * moved[False]


def moves_of(draw: Any, pairs: Any, domain: Domain) -> dict[bool, float]:
    """How far one record moves a release, by whether it is an outsider."""
    moved = {False: 0.0, True: 0.0}
    for pair in pairs:
        sides = []
        for data in (pair.data, pair.neighbor):
            try:
                drawn = np.asarray(draw(data, 32, np.random.default_rng(1)), dtype=float)
                sides.append(drawn.reshape(32, -1))
            except Exception as exc:  # noqa: BLE001 - an outcome
                sides.append(np.full((32, 1), float(len(repr(exc)))))
        gone = np.isnan(sides[0]).mean() - np.isnan(sides[1]).mean()
        far = float(np.median(np.nansum(np.abs(sides[0] - sides[1]), axis=1))) + 1e3 * abs(gone)
        strange = domain.strangeness(pair.data, pair.neighbor) > 0
        moved[strange] = max(moved[strange], far)
    return moved


class Declaring:
    """A mechanism that declares its domain."""

    order, low, high = "free", 0, 1

    def __init__(self, domain: Any) -> None:
        from mechanisms.claims import PrivacyClaim, PureDP, Source

        self.domain = domain
        self.claim = PrivacyClaim(PureDP(1), Relation.ADD_REMOVE, Source("test", "here"))

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> Any:
        """A sum without a clip."""
        return data.sum() + rng.laplace(size=size)


def declared_as(attribute: Any, **words: Any) -> Domain:
    """The domain of an audit of a mechanism that declares one."""
    from functools import partial

    from audit.targets.wrap import target_of

    load = partial(target_of, Declaring(attribute))
    return plan_audit(
        Request("declaring", **by_field(words)),
        stated_in="test",
        load=lambda _, **asked: load("declaring", **asked),
    ).domain


def test_a_class_declares_its_domain_and_a_user_may_say_otherwise() -> None:
    """It must hold that the attribute counts unless the request has a word of its own."""
    assert declared_as("declared").records is Declared.DECLARED
    assert declared_as("declared", domain="any").records is Declared.ANY
    assert declared_as("any", domain="declared").records is Declared.DECLARED
    assert declared_as(["categories"]).records is Declared.ANY
    with pytest.raises(InvalidArgument, match="domain must be one of any, finite, declared"):
        declared_as("declred")
    with pytest.raises(InvalidArgument, match="domain must be one of"):
        declared_as("any", domain="finite")


def test_a_command_gets_what_json_can_hold() -> None:
    """It must hold that NaN and infinities are sent to a command only where they are asked for."""
    words = {"epsilon": 1, "relation": "add-remove", "low": 0, "high": 1, "command": ("cat",)}
    pairs = plan_audit(Request("cat", **by_field(words)), stated_in="test").pairs
    assert all(np.isfinite(side).all() for p in pairs for side in (p.data, p.neighbor))
    assert any((p.neighbor > 1).any() for p in pairs)
    asked = plan_audit(Request("cat", domain="any", **by_field(words)), stated_in="test").pairs
    assert any(np.isnan(p.neighbor).any() for p in asked)


def test_data_outside_of_a_declared_domain_are_an_error(tmp_path: Any) -> None:
    """It must hold that the user's own records are checked like those of a pair."""
    file = tmp_path / "d.csv"
    file.write_text("x\n0.5\n3\n")
    words = {"epsilon": 1, "relation": "swap", "low": 0, "high": 1, "data": str(file)}
    plan_audit(Request("ksw.swap-laplace", **by_field(words)), stated_in="test")
    with pytest.raises(InvalidData, match=r"--data: it has a record outside of \[0, 1\]"):
        plan_audit(
            Request("ksw.swap-laplace", domain="declared", **by_field(words)), stated_in="test"
        )
