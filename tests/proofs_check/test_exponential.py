"""Exact sums of exponentials: a field whose order is decided."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import endpoints
from proofs_check.exponential import ExpRatio, ExpSum

SMALL = st.fractions(-3, 3, max_denominator=12)
SUMS = st.dictionaries(SMALL, SMALL, max_size=4).map(ExpSum)
NONZERO = SUMS.filter(bool)


def value(x: ExpSum) -> float:
    """The number in doubles."""
    return math.fsum(float(r) * math.exp(x) for x, r in x.terms)


@given(SUMS, SUMS, SUMS)
def test_sums_are_a_commutative_ring(x: ExpSum, y: ExpSum, z: ExpSum) -> None:
    """It must hold exactly, for equality is exact."""
    assert x + y == y + x
    assert x * y == y * x
    assert (x + y) + z == x + (y + z)
    assert x * (y + z) == x * y + x * z
    assert x - x == 0
    assert x * 1 == x + 0 == x


@given(SUMS, NONZERO, NONZERO)
def test_quotients_are_a_field(x: ExpSum, y: ExpSum, z: ExpSum) -> None:
    """It must hold exactly, whatever form the quotients have."""
    assert (x / y) * y == x
    assert x / y == (x * z) / (y * z)
    assert x / y + x / z == x * (y + z) / (y * z)
    assert (y / z) / (y / z) == 1
    assert 1 - x / y == (y - x) / y
    assert 1 / (y / z) == z / y


@given(SUMS, SUMS)
def test_the_order_is_that_of_the_numbers(x: ExpSum, y: ExpSum) -> None:
    """It must hold wherever doubles can tell, and equality excludes both orders."""
    gap = value(x) - value(y)
    if abs(gap) > 1e-9 * (1 + abs(value(x)) + abs(value(y))):
        assert (x < y) is (gap < 0)
        assert (x > y) is (gap > 0)
    assert (x <= y) is not (x > y)
    assert (x == y) is (not x < y and not y < x)


@given(SUMS, NONZERO)
def test_balls_contain_the_number(x: ExpSum, y: ExpSum) -> None:
    """It must hold of sums and of quotients."""
    for ball, number in ((x.ball(64), value(x)), ((x / y).ball(300), value(x) / value(y))):
        lower, upper = endpoints(ball)
        slack = 1e-9 * (1 + abs(number)) if abs(value(y)) > 1e-3 else math.inf
        assert float(lower) - slack <= number <= float(upper) + slack


def test_equality_is_exact_where_balls_never_decide() -> None:
    """It must hold that a plateau that touches its bound is equal, not undecided."""
    e = ExpSum.exp(Fraction(1))
    kept = e / (1 + e)
    assert kept == e * (1 - kept)
    assert kept <= e * (1 - kept)
    assert not kept < e * (1 - kept)
    nearly = kept + Fraction(1, 10**200)
    assert nearly > e * (1 - kept)


def test_a_sign_is_found_however_small() -> None:
    """It must hold that e is told from a rational that agrees in 300 digits."""
    lower, upper = endpoints(ExpSum.exp(Fraction(1)).ball(1024))
    for bound, sign in ((lower, 1), (upper, -1)):
        assert (ExpSum.exp(Fraction(1)) - bound).sign() == sign


def test_a_denominator_of_zero_is_refused() -> None:
    """It must hold, also where its terms cancel."""
    x = ExpSum.exp(Fraction(1, 3))
    with pytest.raises(InvalidArgument, match="denominator is 0"):
        ExpRatio(x, x - x)


def test_numbers_cannot_be_changed() -> None:
    """It must hold of sums and quotients."""
    x = ExpSum.rational(2)
    with pytest.raises(AttributeError, match="immutable"):
        x.terms = ()
    with pytest.raises(AttributeError, match="immutable"):
        (x / 3).numerator = x
