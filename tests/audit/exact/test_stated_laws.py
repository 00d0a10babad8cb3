"""Laws are asked for once for each data set, and two data sets are one only if none can tell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import pytest

from audit.exact.auditors.by_law import key_of_pair
from audit.exact.exact_audit import audit
from audit.exact.question import Question
from audit.exact.sameness import same
from audit.results.verdict import Verdict
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.corpus.laws import TwoSidedLaw
from mechanisms.laws import Moved

CLAIM = PrivacyClaim(PureDP(Fraction(1, 10)), Relation.LISTED, Source("user", "here"))
HALF = Fraction(1, 2)


@final
@dataclass(frozen=True, slots=True)
class Told:
    """It tells its first data set from every other, whatever it is."""

    first: Any

    def exact_law(self, data: Any) -> dict[int, Fraction]:
        """State it: certain on the first, a coin on others."""
        sure = type(data) is type(self.first) and self._shape(data) == self._shape(self.first)
        return {0: Fraction(1)} if sure else {0: HALF, 1: HALF}

    def _shape(self, data: Any) -> Any:
        if not isinstance(data, list):
            return data
        return [(type(x), x, isinstance(x, float) and math.copysign(1, x)) for x in data]


@pytest.mark.parametrize(
    ("data", "neighbor"),
    [
        ("a", "b"),
        ({"x": 1}, {"x": 0}),
        (1, 0),
        ([1.0], [0.0]),
        ([-0.0], [0.0]),
        ([1], [True]),
        ([1], [1.0]),
    ],
)
def test_what_a_mechanism_can_tell_apart_are_two_data_sets(data: Any, neighbor: Any) -> None:
    """It must hold of texts, mappings, signs of zero and types: none of these pairs is proved."""
    asked = Question("told", Told(data), CLAIM, Order.FIXED, True, pairs=((data, neighbor),))
    assert audit(asked).verdict is Verdict.REFUTED
    same = Question("told", Told(data), CLAIM, Order.FIXED, True, pairs=((data, data),))
    assert audit(same).verdict is Verdict.PROVED


@dataclass
class Changing:
    """A law that has no hash."""

    law: TwoSidedLaw


def _moved(by: int) -> Any:
    law: Any = Changing(TwoSidedLaw(Fraction(1)))
    return Moved(law, Fraction(by))


def test_a_law_without_hash_is_no_earlier_one() -> None:
    """It must hold that what was decided of laws that are gone is said of no other pair."""
    keys = [key_of_pair(_moved(0), _moved(by)) for by in range(1, 9)]
    assert len(set(keys)) == len(keys)
    law = Moved(TwoSidedLaw(Fraction(1)), Fraction(0))
    assert key_of_pair(law, law) == key_of_pair(law, law)


def test_what_cannot_be_looked_into_is_the_same_as_itself_only() -> None:
    """It must hold of two objects of one class whose state nobody sees; one of ours is read."""
    first, second = iter([1]), iter([1])
    assert same(first, first)
    assert not same(first, second)
    assert same(Fraction(1, 2), Fraction(2, 4))
