"""Crossings and maxima are certified by signs; the search decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.enclosure import Ball, Balls, Undecided, certainly_less
from proofs_check.tables.search import crossing, first_positive, local_maximum

NUMBERS = Balls(128)
WIDTH = Fraction(1, 10**15)


def logarithm(shift: Fraction) -> Callable[[Fraction], Ball]:
    """log(x) - shift, which crosses 0 at e^shift."""
    return lambda x: NUMBERS.log(NUMBERS.rational(x)) - shift


@given(st.fractions(min_value=Fraction(-3, 2), max_value=3))
def test_a_crossing_lies_in_the_interval(shift: Fraction) -> None:
    """The root must, the interval must be narrow, and few evaluations must do."""
    calls = []

    def function(x: Fraction) -> Ball:
        calls.append(x)
        return logarithm(shift)(x)

    ends = first_positive(function, Fraction(1, 5), Fraction(4), Fraction(100))
    assert ends is not None
    lower, upper = crossing(function, *ends, WIDTH)
    root = NUMBERS.exp(NUMBERS.rational(shift))
    assert upper - lower <= WIDTH
    assert certainly_less(root, lower) is not True
    assert logarithm(shift)(lower) < 0
    assert certainly_less(upper, root) is not True
    assert len(calls) <= 30


def test_nothing_is_found_where_nothing_crosses() -> None:
    """Neither without a change of sign, nor where the start is positive already."""
    assert first_positive(logarithm(Fraction(9)), Fraction(1), Fraction(4), Fraction(64)) is None
    assert first_positive(logarithm(Fraction(-1)), Fraction(1), Fraction(4), Fraction(64)) is None


def test_a_sign_that_is_not_certain_is_told() -> None:
    """A function known too coarsely must not have its crossing narrowed."""

    def coarse(x: Fraction) -> Ball:
        return NUMBERS.between(x - 1 - Fraction(1, 1000), x - 1 + Fraction(1, 1000))

    with pytest.raises(Undecided, match="the sign at"):
        crossing(coarse, Fraction(1, 2), Fraction(3), WIDTH)


@given(st.fractions(min_value=2, max_value=20))
def test_a_maximum_lies_in_the_interval(top: Fraction) -> None:
    """That of x e^(-x / top) is at x = top."""

    def function(x: Fraction) -> Ball:
        return x * NUMBERS.exp(NUMBERS.rational(-x / top))

    reach = Fraction(1, 10**8)
    lower, upper = local_maximum(function, top + Fraction(1, 3), reach)
    assert upper - lower == 2 * reach
    assert lower < top < upper


def test_no_maximum_is_told() -> None:
    """Neither of a convex function, nor of one known too coarsely."""
    with pytest.raises(Undecided, match="no local maximum"):
        local_maximum(lambda x: NUMBERS.rational(x * x), Fraction(1), WIDTH)

    def coarse(x: Fraction) -> Ball:
        return NUMBERS.between(-x * x - Fraction(1, 10), -x * x + Fraction(1, 10))

    with pytest.raises(Undecided, match="not certainly near"):
        local_maximum(coarse, Fraction(1, 8), Fraction(1, 100))
