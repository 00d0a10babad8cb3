"""How far a record moves a query, against the ends of the range, and mutants."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.all_neighbors import check_sensitivity
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument
from mechanisms.noise.laplace import Laplace
from mechanisms.noisy_query import NoisyQuery
from tests.audit.exact.laws import few

F = Fraction
ONE = F(1)
numbers = st.fractions(min_value=-3, max_value=3, max_denominator=12)
moves = st.lists(st.tuples(numbers, numbers), min_size=1, max_size=3)


def query(
    moved: list[tuple[Fraction, Fraction]], low: Fraction, high: Fraction, *, whole: bool = False
) -> NoisyQuery:
    """A query with these moves."""
    noises = (Laplace(1, 1),) * len(moved)
    return NoisyQuery("a query", tuple(moved), (low, high), noises, whole)


@given(moved=moves, ends=st.tuples(numbers, numbers), relation=st.sampled_from(["add", "swap"]))
@few
def test_the_largest_move_is_proved_and_a_percent_less_refuted(
    moved: list[tuple[Fraction, Fraction]], ends: tuple[Fraction, Fraction], relation: str
) -> None:
    """It must hold that the norm is largest at an end, or from one end to the other."""
    low, high = sorted(ends)
    asked = query(moved, low, high)
    if relation == "swap":
        kind = Relation.SWAP
        largest = sum((abs(c) * (high - low) for c, _ in moved), F(0))
    else:
        kind = Relation.ADD_REMOVE
        largest = max(sum((abs(c * x + d) for c, d in moved), F(0)) for x in (low, high))
    assert check_sensitivity(asked, kind, largest)
    if largest:
        with pytest.raises(InvalidArgument, match="; not for ") as refused:
            check_sensitivity(asked, kind, largest * F(99, 100))
        records = str(refused.value).partition("; not for ")[2].split(", ")
        assert all(low <= F(x) <= high for x in records)


def test_whole_records_move_less() -> None:
    """It must hold that records between the integers do not count."""
    between = [(F(2), F(-3)), (F(-2), F(3))]  # |2 x - 3| twice: least between 1 and 2
    assert check_sensitivity(query(between, F(0), F(3)), Relation.ADD_REMOVE, F(6))
    asked = query([(ONE, F(-1, 2))], F(1, 4), F(7, 4), whole=True)
    assert check_sensitivity(asked, Relation.ADD_REMOVE, F(1, 2))
    real = query([(ONE, F(-1, 2))], F(1, 4), F(7, 4))
    with pytest.raises(InvalidArgument, match="not for"):
        check_sensitivity(real, Relation.ADD_REMOVE, F(1, 2))


def test_what_is_refused_says_the_record() -> None:
    """It must hold of a sensitivity that is too small, and of other relations."""
    asked = query([(ONE, F(0))], F(0), F(2))
    words = check_sensitivity(asked, Relation.SWAP, F(2))
    assert words == "a record replaced of [0, 2] moves a query by at most 2 in l1 (z3)"
    with pytest.raises(InvalidArgument, match=r"by at most 1 in l1 \(z3\); not for "):
        check_sensitivity(asked, Relation.ADD_REMOVE, ONE)
    with pytest.raises(InvalidArgument, match="got listed"):
        check_sensitivity(asked, Relation.LISTED, ONE)
