"""Enclosures of the standard library contain what flint's do, and are about as narrow."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.attestation import dyadic
from audit.certificate import fixed_point
from audit.certificate.fixed_point import FixedPoint
from proofs_check.enclosure import Balls, endpoints

BITS = (64, 192, 700)
TRUE = Balls(4096)
"""Far more digits than the enclosures under test have."""

NUMBERS = st.fractions(-40, 40, max_denominator=10**9) | st.fractions(-2000, 2000)
POSITIVE = st.builds(lambda x, k: abs(x) * Fraction(2) ** k, NUMBERS, st.integers(-300, 300))


def true(function: str, x: Fraction) -> tuple[Fraction, Fraction]:
    """Ends of a very narrow enclosure, by flint."""
    return endpoints(getattr(TRUE, function)(TRUE.rational(x)))


def own(function: str, x: Fraction, bits: int) -> dyadic.Ball:
    """The enclosure of an exact number."""
    found = getattr(dyadic.Balls(bits), function)(dyadic.Ball(x, x, bits))
    assert isinstance(found, dyadic.Ball)
    return found


@pytest.mark.parametrize("bits", BITS)
@given(x=NUMBERS)
def test_encloses_the_exponential(bits: int, x: Fraction) -> None:
    """It must hold that the true value lies inside, and that the width is a few units."""
    (low, high), ball = true("exp", x), own("exp", x, bits)
    assert ball.lower <= low <= high <= ball.upper
    assert ball.upper - ball.lower <= high / Fraction(2) ** (bits - 3)


@pytest.mark.parametrize("bits", BITS)
@given(x=POSITIVE.filter(bool))
def test_encloses_the_logarithm(bits: int, x: Fraction) -> None:
    """It must hold that the true value lies inside, and that the width is a few units."""
    (low, high), ball = true("log", x), own("log", x, bits)
    assert ball.lower <= low <= high <= ball.upper
    assert ball.upper - ball.lower <= max(1, abs(high)) / Fraction(2) ** (bits - 12)


@given(x=NUMBERS, y=POSITIVE.filter(bool))
def test_ends_enclose_before_they_are_rounded(x: Fraction, y: Fraction) -> None:
    """It must hold of the sums themselves: rounding to fewer digits would hide a wrong side."""
    for function, argument in (("exp", x), ("log", y)):
        (low, high), (lower, upper) = (
            true(function, argument),
            getattr(dyadic, f"_{function}")(argument, 64),
        )
        assert lower <= low <= high <= upper


@pytest.mark.parametrize("places", [40, 400])
def test_sums_enclose_without_the_digits_that_would_hide_a_wrong_side(
    places: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of every sum that it is rounded to its side; 400 places have 40 terms each."""
    monkeypatch.setattr(fixed_point, "SPARE", 0)
    numbers = FixedPoint(places)
    for number in range(1, 60):
        x = Fraction((number << places) // 7, 1 << places)
        low, high = (end * (1 << places) for end in true("exp", x))
        least, most = numbers.exponential(numbers.pair(x))
        assert least <= low <= high <= most


def test_neither_end_alone_encloses() -> None:
    """It must hold that sums rounded to one side alone would fail the comparisons above."""
    for x in (Fraction(1, 3), Fraction(-7, 5), Fraction(123)):
        ball, (low, high) = own("exp", x, 64), true("exp", x)
        assert ball.lower < low <= high < ball.upper


def test_what_needs_no_rounding_stays_exact() -> None:
    """It must hold of e^0, ln 1 and short dyadic numbers, as it does for flint."""
    for x, function, value in ((Fraction(0), "exp", 1), (Fraction(1), "log", 0)):
        ball = own(function, x, 64)
        assert (ball.lower, ball.upper) == (value, value) == true(function, x)
    short = dyadic.Balls(64).rational(Fraction(-3, 8))
    assert dyadic.endpoints(short) == (Fraction(-3, 8), Fraction(-3, 8))
    third = dyadic.Balls(64).rational(Fraction(1, 3))
    assert third.lower < Fraction(1, 3) < third.upper


def test_balls_that_overlap_are_not_compared() -> None:
    """It must hold that an order is said only where it is certain."""
    third = dyadic.Balls(64).rational(Fraction(1, 3))
    assert dyadic.certainly_less(third, third) is None
    assert dyadic.certainly_less(0, third) is True
    assert dyadic.certainly_less(third, 0) is False
    assert dyadic.certainly_less(third, 1) is True


def test_what_has_no_value_is_refused() -> None:
    """It must hold of quotients and logarithms at 0."""
    zero, one = (dyadic.Balls(64).rational(Fraction(x)) for x in (0, 1))
    with pytest.raises(ArithmeticError, match="divisor"):
        one / zero
    with pytest.raises(ArithmeticError, match="logarithm"):
        dyadic.Balls(64).log(zero)
