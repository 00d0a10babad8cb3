"""Decimals that are certainly right: nearest, to a place, outward, exact."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Balls, Undecided
from proofs_check.tables.rounding import nearest, nearest_place, outward, text_of

NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9)
DIGITS = st.integers(1, 20)


def rounded(number: Decimal, digits: int, way: str) -> Fraction:
    """What Python's decimal arithmetic rounds to."""
    return Fraction(Context(prec=digits, rounding=way).plus(number))


@given(number=NUMBERS, digits=DIGITS)
def test_nearest_is_half_even(number: Decimal, digits: int) -> None:
    """Digits must be those of decimal arithmetic, and as many as asked for."""
    text = nearest(Fraction(number), digits)
    assert Fraction(text) == rounded(number, digits, ROUND_HALF_EVEN)
    if number:
        assert len(Decimal(text).as_tuple().digits) == digits


@given(number=NUMBERS, digits=DIGITS)
def test_outward_ends_enclose(number: Decimal, digits: int) -> None:
    """They must be the next decimals below and above."""
    lower, upper = map(Fraction, outward(Fraction(number), digits))
    assert lower == rounded(number, digits, ROUND_FLOOR)
    assert upper == rounded(number, digits, ROUND_CEILING)
    assert lower <= Fraction(number) <= upper


@given(number=NUMBERS, place=st.integers(-12, 3))
def test_places_are_half_even(number: Decimal, place: int) -> None:
    """A multiple of 10^place must come out, at most half of it away."""
    found, unit = Fraction(nearest_place(Fraction(number), place)), Fraction(10) ** place
    assert (found / unit).denominator == 1
    assert abs(found - Fraction(number)) <= unit / 2


@given(number=st.fractions())
def test_exact_text_reads_back(number: Fraction) -> None:
    """Nothing may be lost."""
    assert Fraction(text_of(number)) == number


SHOWN_NUMBERS = [
    (Fraction(200), 15, "200.000000000000"),
    (Fraction("0.000164591994072703"), 15, "0.000164591994072703"),
    (Fraction("0.0000943912178825644"), 15, "9.43912178825644e-5"),
    (Fraction(99999, 10), 3, "1.00e4"),
    (Fraction(-1, 3), 3, "-0.333"),
    (Fraction(10**15), 4, "1.000e15"),
    (Fraction(5, 2), 1, "2"),
    (Fraction(0), 5, "0"),
]


def test_how_numbers_look(subtests: pytest.Subtests) -> None:
    """It must be as in the papers' tables: an exponent below 1e-4."""
    for number, digits, text in SHOWN_NUMBERS:
        with subtests.test(number=number, digits=digits, text=text):
            assert nearest(number, digits) == text


def test_a_ball_on_a_border_is_undecided() -> None:
    """It must hold of both kinds of rounding; outward rounding still encloses."""
    third = Balls(20).rational(Fraction(1, 3))
    assert nearest(third, 4) == "0.3333"
    border = Balls(40).between(Fraction("0.24999"), Fraction("0.25001"))
    with pytest.raises(Undecided):
        nearest(border, 1)
    with pytest.raises(Undecided):
        nearest_place(border, -1)
    assert outward(border, 3) == ("0.249", "0.251")


def test_a_zero_has_no_significant_digits_but_places() -> None:
    """A ball around 0 must be undecided, and 0 to any place."""
    zero = Balls(64).between(Fraction(-1, 10**18), Fraction(1, 10**18))
    with pytest.raises(Undecided):
        nearest(zero, 3)
    assert nearest_place(zero, -6) == "0.000000"


def test_numbers_of_many_digits_are_written() -> None:
    """Their exponent must be right below and above powers of ten, however large."""
    for power in (-9000, -4301, -1, 0, 1, 4301, 9000):
        ten = Fraction(10) ** power
        assert Fraction(nearest(ten, 3)) == ten
        assert Fraction(nearest(ten * Fraction(9996, 10000), 3)) == ten
        assert Fraction(nearest(ten * Fraction(9994, 10000), 3)) == ten * Fraction(999, 1000)


@pytest.mark.parametrize("exponent", [-(10**12), -30_000, 30_000, 10**12])
def test_numbers_too_large_or_small_to_write_are_told_at_once(exponent: int) -> None:
    """An exponential beyond the limit must not be expanded to its digits."""
    numbers = Balls(64)
    huge = numbers.exp(numbers.rational(Fraction(exponent)))
    for write in (nearest, outward, nearest_place):
        with pytest.raises(InvalidArgument, match=r"must lie between 10\^-9999 and 10\^9999, got"):
            write(huge, 3)
