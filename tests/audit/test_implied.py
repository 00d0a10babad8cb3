"""Whether one claim implies another."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.levels.implication import implies
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    Order,
    PersonalizedDP,
    PrivacyClaim,
    PureDP,
    Relation,
    RenyiDP,
    Source,
    TradeOff,
    ZeroConcentratedDP,
)


def claim(level: Level, relation: Relation = Relation.ADD_REMOVE) -> PrivacyClaim:
    """State a claim."""
    return PrivacyClaim(level, relation, Source("test", "stated"))


def follows(level: Level, other: Level, *relations: Relation) -> bool:
    """Whether a claim of the first level implies one of the second."""
    first, second = relations or (Relation.ADD_REMOVE, Relation.ADD_REMOVE)
    return implies(claim(level, first), Order.FREE, claim(other, second), Order.FREE)


CURVE = TradeOff(((0, 1), ("1/4", "1/4"), (1, 0)))
LOWER_CURVE = TradeOff(((0, 1), ("1/4", "1/5"), (1, 0)))

STRONGER_FIRST: list[tuple[Level, Level]] = [
    (PureDP(1), PureDP("1.0000001")),
    (ApproxDP(1, "1e-6"), ApproxDP(1, "1.1e-6")),
    (ApproxDP(1, "1e-6"), ApproxDP("1.1", "1e-6")),
    (ZeroConcentratedDP(1), ZeroConcentratedDP("1.1")),
    (GaussianDP(1), GaussianDP("1.1")),
    (RenyiDP(2, 1), RenyiDP(2, "1.1")),
    (RenyiDP(3, 1), RenyiDP(2, 1)),
    (PersonalizedDP((1, 2)), PersonalizedDP((1, "2.1"))),
    (CURVE, LOWER_CURVE),
    (PureDP(1), ApproxDP(1, 0)),
    (PureDP(1), ApproxDP(1, "1e-9")),
    (PureDP(1), ZeroConcentratedDP("1/2")),
    (PureDP(1), PersonalizedDP((1, 2))),
    (ZeroConcentratedDP("1/2"), ApproxDP("5.76", "1e-6")),
    (GaussianDP(1), ApproxDP(1, "0.127")),
]


def test_the_stronger_claim_implies_the_weaker(subtests: pytest.Subtests) -> None:
    """It must hold one way, and of each with itself; the other way round nothing is known."""
    for stronger, weaker in STRONGER_FIRST:
        with subtests.test(stronger=stronger, weaker=weaker):
            assert follows(stronger, weaker)
            assert follows(stronger, stronger)
            assert follows(weaker, weaker)
            same = (stronger, weaker) == (PureDP(1), ApproxDP(1, 0))
            assert same or not follows(weaker, stronger)


@pytest.mark.parametrize(
    ("level", "other"),
    [
        (PureDP(1), ZeroConcentratedDP("0.499")),
        (ZeroConcentratedDP("1/2"), ApproxDP("5.7", "1e-6")),
        (ZeroConcentratedDP("1/2"), ApproxDP(100, 0)),
        (GaussianDP(1), ApproxDP(1, "0.126")),
        (GaussianDP(1), PureDP(100)),
        (ApproxDP(1, 0), PureDP(1)),
        (PersonalizedDP((1, 1)), PersonalizedDP((1, 1, 1))),
        (TradeOff(((0, 1), (1, 0))), PureDP(1)),
    ],
)
def test_what_is_not_known_to_follow_does_not(level: Level, other: Level) -> None:
    """It must hold that a claim of another kind counts as implied by a theorem only."""
    assert not follows(level, other)


SWAP, ADD_REMOVE, LISTED = Relation.SWAP, Relation.ADD_REMOVE, Relation.LISTED


def test_a_swap_is_two_steps() -> None:
    """It must hold that add-remove at 1 implies swap at 2, and no less, and nothing comes back."""
    assert follows(PureDP(1), PureDP(2), ADD_REMOVE, SWAP)
    assert not follows(PureDP(1), PureDP("1.999"), ADD_REMOVE, SWAP)
    assert not follows(PureDP(1), PureDP(1), ADD_REMOVE, SWAP)
    for first, second in ((SWAP, ADD_REMOVE), (SWAP, LISTED), (ADD_REMOVE, LISTED)):
        assert not follows(PureDP(1), PureDP(5), first, second)
    personal = PersonalizedDP((1, 1))
    assert not follows(personal, personal, ADD_REMOVE, SWAP)


def test_a_multiset_has_more_neighbors_than_a_sequence() -> None:
    """It must hold that order free implies fixed, and not the other way round."""
    stated: Any = claim(PureDP(1))
    assert implies(stated, Order.FREE, stated, Order.FIXED)
    assert implies(stated, Order.FIXED, stated, Order.FIXED)
    assert not implies(stated, Order.FIXED, stated, Order.FREE)


epsilons = st.fractions(0, 3, max_denominator=100)


@given(epsilons, epsilons)
def test_pure_claims_are_ordered_by_epsilon(first: Any, second: Any) -> None:
    """It must hold that one implies another exactly where its epsilon is no larger."""
    assert follows(PureDP(first), PureDP(second)) == (first <= second)
