"""Decimals that are certainly right: correctly rounded digits, and enclosures rounded outward.

A number is a ball, an integer or a Fraction. Digits are printed only where every number in the
enclosure rounds to them; otherwise `Undecided` asks for more bits of precision.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import floor, log10
from typing import TypeVar

from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, Undecided, endpoints

__all__ = [
    "LARGEST_EXPONENT",
    "Number",
    "nearest",
    "nearest_place",
    "outward",
    "read_decimal",
    "text_of",
]

Number = Ball | Fraction | int
"""What a decimal is made of."""

LARGEST_PLAIN = 15
"""From this exponent on a decimal is written with an exponent, as below 1e-4."""

SMALLEST_PLAIN = -4

LARGEST_EXPONENT = 9_999
"""No number beyond 10 to this power, or below 10 to its negative, is written."""

LOG10_OF_2 = log10(2)

T = TypeVar("T")

LONGEST = 40
"""Digits of a fraction that is written as a decimal; a longer one stays a quotient."""


def nearest(value: Number, digits: int) -> str:
    """Round to significant digits, correctly (half to even).

    Raises
    ------
    Undecided
        If the numbers in the enclosure round differently.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from proofs_check.enclosure import Balls
    >>> from proofs_check.tables.rounding import nearest
    >>> nearest(Balls(64).pi(), 6), nearest(Fraction(1, 4), 3), nearest(Fraction(2, 10**7), 2)
    ('3.14159', '0.250', '2.0e-7')
    """
    lower, upper = _ends(value)
    texts = {_significant(end, digits, _half_even) for end in (lower, upper)}
    return _certain(texts, f"{digits} digits", value)


def nearest_place(value: Number, place: int) -> str:
    """Round to a multiple of 10^place, correctly (half to even).

    Raises
    ------
    Undecided
        If the numbers in the enclosure round differently.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from proofs_check.tables.rounding import nearest_place
    >>> nearest_place(Fraction(1, 3), -4), nearest_place(Fraction(-1, 10**9), -4)
    ('0.3333', '0.0000')
    """
    counts = {_half_even(end / Fraction(10) ** place) for end in _ends(value)}
    return _decimal(_certain(counts, f"the digit of 10^{place}", value), place)


def _certain(found: set[T], what: str, value: Number) -> T:
    if len(found) > 1:
        msg = f"not certain: {what} of {value!r}"
        raise Undecided(msg)
    return found.pop()


def outward(value: Number, digits: int) -> tuple[str, str]:
    """Decimals below and above the number, of some significant digits: lower, upper.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from proofs_check.tables.rounding import outward
    >>> outward(Fraction(1, 3), 4), outward(Fraction(1, 4), 4)
    (('0.3333', '0.3334'), ('0.2500', '0.2500'))
    """
    lower, upper = _ends(value)
    return _significant(lower, digits, _floor), _significant(upper, digits, _ceil)


def text_of(value: Fraction | int) -> str:
    """Write a number exactly: as a decimal if it is a short one, otherwise as a quotient.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from proofs_check.tables.rounding import text_of
    >>> text_of(Fraction(1, 8)), text_of(Fraction(1, 3)), text_of(10**6), text_of(Fraction("1e-9"))
    ('0.125', '1/3', '1000000', '1e-9')
    """
    number = Fraction(value)
    rest, twos, fives = number.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    place = -max(twos, fives)
    if rest != 1 or -place > LONGEST:
        return str(number)
    count = int(number / Fraction(10) ** place)
    if place == 0:
        return str(count)
    return _decimal(count, place)


def read_decimal(text: str) -> Fraction | None:
    """Read a number as this suite writes it; None if it is no such number."""
    if not (text.isascii() and "_" not in text and text == text.strip()):
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    small = number.is_finite() and abs(number.adjusted()) <= LARGEST_EXPONENT
    return Fraction(number) if small else None


def _ends(value: Number) -> tuple[Fraction, Fraction]:
    if not isinstance(value, Ball):
        return Fraction(value), Fraction(value)
    for part in (value.value.mid(), value.value.rad()):
        mantissa, exponent = (int(number) for number in part.man_exp())
        if mantissa and abs(exponent) > LARGEST_EXPONENT / LOG10_OF_2:
            range_ = f"10^-{LARGEST_EXPONENT} and 10^{LARGEST_EXPONENT}"
            msg = f"the number must lie between {range_}, got {value.value.str(6)}"
            raise InvalidArgument(msg)
    return endpoints(value)


def _floor(x: Fraction) -> int:
    return x.numerator // x.denominator


def _ceil(x: Fraction) -> int:
    return -(-x.numerator // x.denominator)


def _half_even(x: Fraction) -> int:
    return round(x)  # of a Fraction: exact, half to even


def _significant(x: Fraction, digits: int, to_integer: object) -> str:
    """Round to significant digits by a function that makes integers."""
    assert callable(to_integer)
    if x == 0:
        return "0"
    place = _exponent(abs(x)) - digits + 1
    count = to_integer(x / Fraction(10) ** place)
    if abs(count) == 10**digits:  # rounded up to the next power of ten
        count, place = count // 10, place + 1
    return _decimal(count, place)


def _exponent(x: Fraction) -> int:
    """The largest e with 10^e <= x, for x > 0."""
    bits = x.numerator.bit_length() - x.denominator.bit_length()
    e = floor((bits - 1) * LOG10_OF_2) - 1  # 2^(bits - 1) < x < 2^(bits + 1)
    while Fraction(10) ** (e + 1) <= x:
        e += 1
    return e


def _decimal(count: int, place: int) -> str:
    """Write count * 10^place with all digits of the count."""
    sign, figures = ("-" if count < 0 else ""), str(abs(count))
    exponent = len(figures) - 1 + place
    if count == 0:
        return f"0.{'0' * -place}" if place < 0 else "0"
    if SMALLEST_PLAIN <= exponent < LARGEST_PLAIN and place <= 0:
        figures = figures.rjust(1 - place, "0")
        whole, rest = figures[: len(figures) + place], figures[len(figures) + place :]
        return sign + whole + (f".{rest}" if rest else "")
    rest = figures[1:]
    return f"{sign}{figures[0]}{f'.{rest}' if rest else ''}e{exponent}"
