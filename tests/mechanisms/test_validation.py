"""Checks of public arguments: exact numbers, ranges, words, bounds."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument, TouchstoneError
from mechanisms.validation import (
    check_bounds,
    check_choice,
    check_fraction,
    check_integer,
    check_size,
    exact,
    shown,
)

TYPED_NUMBERS = [
    (3, Fraction(3)),
    (0.1, Fraction(1, 10)),
    (1e-5, Fraction(1, 100000)),
    (-0.0, Fraction(0)),
    (1e300, Fraction(10**300)),
    (5e-324, Fraction(5, 10**324)),
    ("0.1", Fraction(1, 10)),
    (" 1/3 ", Fraction(1, 3)),
    ("1e-5", Fraction(1, 100000)),
    ("-2", Fraction(-2)),
    (Fraction(2, 7), Fraction(2, 7)),
    (Decimal("0.1"), Fraction(1, 10)),
    (np.float64(0.1), Fraction(1, 10)),
    (np.float32(0.1), Fraction(1, 10)),
    (np.longdouble("0.1"), Fraction(1, 10)),
    (np.int8(3), Fraction(3)),
    (np.uint64(2**64 - 1), Fraction(2**64 - 1)),
]


def test_numbers_are_read_as_typed(subtests: pytest.Subtests) -> None:
    """It must hold that a number is the decimal or quotient that was typed, of type Fraction."""
    for value, number in TYPED_NUMBERS:
        with subtests.test(value=value, number=number):
            seen = exact(value)
            assert seen == number
            assert type(seen) is Fraction


NO_NUMBERS = [
    True,
    np.bool_(False),
    math.nan,
    math.inf,
    -math.inf,
    np.float32(math.nan),
    "nan",
    "inf",
    "",
    "one",
    "1/0",
    "1 2",
    "0x10",
    b"1",
    Decimal("NaN"),
    None,
    1j,
    [1],
    (1, 2),
    np.array([1.0]),
    object,
]


def test_anything_else_is_refused(subtests: pytest.Subtests) -> None:
    """It must hold that what is no finite number is refused with name and value."""
    for value in NO_NUMBERS:
        with subtests.test(value=value):
            message = re.escape(
                f"rho must be a finite number such as 1, 0.1 or '1/10', got rho={shown(value)}"
            )
            with pytest.raises(InvalidArgument, match=message):
                exact(value, "rho")


TOO_MANY_DIGITS = [
    "1e1000000000",
    "-1e1000000000",
    "1e-1000000000",
    "1e" + "9" * 5_000,
    "1e4000",
    "1e-4000",
    "7" * 4_001,
    "0." + "7" * 4_001,
    "1/" + "7" * 4_001,
    "7" * 10**6,
    -(10**4_000),
    Fraction(1, 10**4_000),
]


def test_numbers_of_too_many_digits_are_refused(subtests: pytest.Subtests) -> None:
    """It must hold before they are made: 10^1000000000 fills the memory."""
    for value in TOO_MANY_DIGITS:
        with subtests.test(value=value):
            message = "epsilon must be a number of at most 4000 digits, got epsilon="
            with pytest.raises(InvalidArgument, match=message) as caught:
                exact(value, "epsilon")
            assert len(str(caught.value)) < 200


@pytest.mark.parametrize("value", ["1e3999", "1e-3999", "7" * 4_000, "1/" + "7" * 4_000])
def test_numbers_of_many_digits_are_read(value: str) -> None:
    """It must hold up to the bound."""
    assert str(exact(value)) == str(Fraction(value))


@pytest.mark.parametrize("value", [10**5_000, ["x" * 1_000], "y" * 1_000], ids=range(3))
def test_values_in_messages_are_short(value: Any) -> None:
    """It must hold also of integers that Python does not print."""
    assert len(shown(value)) < 100
    with pytest.raises(InvalidArgument) as caught:
        check_choice(value, "mode", ("a", "b"))
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("value", [None, [1], 1j, b"1"])
def test_a_wrong_type_is_named(value: Any) -> None:
    """It must hold that the message names the type where the type is the fault."""
    with pytest.raises(InvalidArgument, match=rf"\(type {type(value).__name__}\)"):
        exact(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_survives_the_round_trip(value: float) -> None:
    """It must hold that the exact number rounds to the float it was read from."""
    assert float(exact(value)) == value


@given(st.integers(), st.integers(min_value=1))
def test_a_quotient_is_exact(numerator: int, denominator: int) -> None:
    """It must hold that the text of a Fraction is read as that Fraction."""
    number = Fraction(numerator, denominator)
    assert exact(str(number)) == exact(number) == number


LIMITS = {
    "above": ("greater than", False),
    "at_least": ("at least", True),
    "at_most": ("at most", True),
    "below": ("less than", False),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_range_has_two_sides(limit: str) -> None:
    """It must hold that a range takes what is just inside and refuses what is just outside."""
    word, closed = LIMITS[limit]
    step = Fraction(1, 10**30) * (1 if limit in ("above", "at_least") else -1)
    bound: dict[str, Any] = {limit: Fraction(1, 3)}
    inside = Fraction(1, 3) if closed else Fraction(1, 3) + step
    outside = Fraction(1, 3) - step if closed else Fraction(1, 3)
    assert check_fraction(inside, "x", **bound) == inside
    with pytest.raises(
        InvalidArgument, match=re.escape(f"x must be {word} 1/3, got x={shown(outside)}")
    ):
        check_fraction(outside, "x", **bound)


def test_limit_zero_is_a_limit() -> None:
    """It must hold that a limit of 0 is not taken for no limit."""
    for bound in ({"above": 0}, {"at_least": 0}):
        with pytest.raises(InvalidArgument, match="must be"):
            check_fraction(-1, "x", **bound)


def test_size_is_a_positive_integer(subtests: pytest.Subtests) -> None:
    """It must hold that a size is an integer of at least 1, and its type is shown otherwise."""
    for value in [True, 1.0, "1", None, 0, -3, np.float64(2), Fraction(1)]:
        with subtests.test(value=value):
            message = re.escape(
                f"size must be an integer of at least 1, got size={shown(value)} "
                f"(type {type(value).__name__})"
            )
            with pytest.raises(InvalidArgument, match=message):
                check_size(value)


@pytest.mark.parametrize("value", [1, 10**9, np.int16(7)], ids=repr)
def test_size_becomes_a_python_integer(value: Any) -> None:
    """It must hold that an accepted size is a plain int."""
    assert check_size(value) == value
    assert type(check_size(value)) is int


def test_integer_has_two_sides() -> None:
    """It must hold that the lower limit itself is accepted and the integer below it is not."""
    assert check_integer(-2, "k", at_least=-2) == -2
    with pytest.raises(InvalidArgument, match="k must be an integer of at least -2"):
        check_integer(-3, "k", at_least=-2)


def test_choice_lists_what_is_allowed() -> None:
    """It must hold that an unknown word is refused with the list of known ones."""
    assert check_choice("b", "letter", ("a", "b")) == "b"
    with pytest.raises(InvalidArgument, match="letter must be one of a, b, got letter='c'"):
        check_choice("c", "letter", ("a", "b"))


def test_bounds_are_exact_and_ordered() -> None:
    """It must hold that bounds are read exactly, may be equal, and may not cross."""
    assert check_bounds(0.1, "1/3") == (Fraction(1, 10), Fraction(1, 3))
    assert check_bounds(2, 2) == (2, 2)
    with pytest.raises(InvalidArgument, match=r"low must be at most high, got low=1, high=0\.5"):
        check_bounds(1, 0.5)
    with pytest.raises(InvalidArgument, match="high must be a finite number"):
        check_bounds(0, math.inf)


@pytest.mark.parametrize(
    ("low", "high"),
    [(-1.7e308, 1.7e308), (0, "1e400"), ("-1e400", 0)],
    ids=["width", "high", "low"],
)
def test_bounds_fit_into_doubles(low: Any, high: Any) -> None:
    """It must hold that bounds whose width or end is no double are refused."""
    with pytest.raises(InvalidArgument, match="must be finite in double precision"):
        check_bounds(low, high)
    assert check_bounds(-8e307, 8e307)[1] == 8 * 10**307


@pytest.mark.parametrize(
    "call",
    [lambda: exact("x"), lambda: check_size(0), lambda: check_bounds(1, 0)],
    ids=["exact", "size", "bounds"],
)
def test_errors_are_value_errors_of_one_root(call: Callable[[], object]) -> None:
    """It must hold that `except ValueError` and `except TouchstoneError` both catch them."""
    for kind in (ValueError, TouchstoneError):
        with pytest.raises(kind):
            call()
