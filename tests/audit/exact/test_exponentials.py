"""Exact exponentials as an arithmetic: what they decide, and what they refuse."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.cells.finite_laws import Exponentials, NotExponential
from audit.exact.exact_numbers import as_ball
from proofs_check.enclosure import Balls, endpoints

EXACT = Exponentials()
RATIONALS = st.fractions(-3, 3, max_denominator=8)


def odds(x: Fraction, y: Fraction, numbers: Any) -> Any:
    """Any formula of a law: (e^x + y) / (e^x + e^y)."""
    up, other = numbers.exp(numbers.rational(x)), numbers.exp(numbers.rational(y))
    return (up + numbers.rational(y)) / (up + other)


@given(x=RATIONALS, y=RATIONALS)
def test_they_agree_with_balls(x: Fraction, y: Fraction) -> None:
    """It must hold that the same formula lies in the ball of the other arithmetic."""
    lower, upper = endpoints(odds(x, y, Balls(128)))
    least, most = endpoints(as_ball(odds(x, y, EXACT)))
    assert max(lower, least) <= min(upper, most)
    assert most - least < Fraction(1, 10**20)


@given(x=RATIONALS)
def test_equality_is_seen(x: Fraction) -> None:
    """It must hold that e^x e^-x is 1, and not a little more."""
    product = EXACT.exp(x) * EXACT.exp(EXACT.rational(-x))
    assert product == 1
    assert not product > 1
    assert product * (1 + Fraction(1, 10**60)) > 1


@pytest.mark.parametrize("name", ["log", "sqrt", "erfc"])
def test_other_functions_are_refused(name: str) -> None:
    """It must hold that what is no exponential of a rational is an error, never rounded."""
    with pytest.raises(NotExponential, match="no quotient of sums"):
        getattr(EXACT, name)(EXACT.rational(Fraction(2)))
    with pytest.raises(NotExponential, match="no quotient of sums"):
        EXACT.exp(EXACT.exp(Fraction(1)))
