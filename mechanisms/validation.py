"""Checks of public arguments, kept apart from the mathematics.

A mechanism checks its public parameters before it touches data, so an error never depends on a
record. Privacy parameters become exact rationals: a float is read as the decimal that was typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import TypeAlias

from mechanisms.errors import InvalidArgument

__all__ = [
    "Number",
    "check_bounds",
    "check_choice",
    "check_flag",
    "check_fraction",
    "check_integer",
    "check_several",
    "check_size",
    "exact",
    "shown",
]

MOST_DIGITS = 4_000
"""Of a numerator, of a denominator, and so of an exponent: "1e999999999" would fill the memory, and
Python prints at most 4,300."""
LARGEST = 10**MOST_DIGITS
LONGEST_SHOWN = 80
"""Characters of a value in a message."""
MOST_SHOWN = 20
"""Digits of a number in a message."""
DIGITS = re.compile(rf"[0-9]{{{MOST_SHOWN + 1},}}")
TYPED = re.compile(r"[-+]?[0-9]*[.]?[0-9]+(e[-+]?[0-9]+)?(/[0-9]+)?")
"""A text that is a number: it is shown without quotes."""
QUOTIENT = re.compile(r"Fraction\((-?[0-9]+), ([0-9]+)\)")

Number: TypeAlias = int | float | str | Fraction | Decimal
"""What an exact parameter may be given as."""


def exact(value: object, name: str = "value") -> Fraction:
    """Read a number exactly as the user typed it.

    Parameters
    ----------
    value : int, float, str, Fraction or Decimal
        A float stands for its shortest decimal, in its own precision: 0.1 is 1/10, not the
        binary double.
        A string is a decimal ("0.1", "1e-5") or a quotient ("1/10").
    name : str
        The argument's name, for the message.

    Returns
    -------
    Fraction

    Raises
    ------
    InvalidArgument
        If the value is not a finite number, or has more than 4,000 digits.

    Examples
    --------
    >>> from mechanisms.validation import exact
    >>> exact(0.1), exact("1/3"), exact("1e-5")
    (Fraction(1, 10), Fraction(1, 3), Fraction(1, 100000))
    """
    if type(value) is Fraction and max(abs(value.numerator), value.denominator) < LARGEST:
        return value  # a mechanism makes its noise anew in every call
    msg = f"{name} must be a finite number such as 1, 0.1 or '1/10', got {name}={shown(value)}"
    if isinstance(value, bool) or not isinstance(value, (str, Real, Decimal)):
        kind = "" if isinstance(value, bool) else f" (type {type(value).__name__})"
        raise InvalidArgument(msg + kind)
    try:
        number = _rational(value)
    except (ValueError, ZeroDivisionError) as exc:
        raise InvalidArgument(msg) from exc
    if number is None or max(abs(number.numerator), number.denominator) >= LARGEST:
        msg = f"{name} must be a number of at most {MOST_DIGITS} digits, got {name}={shown(value)}"
        raise InvalidArgument(msg)
    return number


def _rational(value: str | Real | Decimal) -> Fraction | None:
    """The number; None where it has so many digits that making it takes time or memory."""
    if isinstance(value, Integral):
        return Fraction(int(value))
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    text = str(value).strip()
    digits, _, exponent = text.lower().partition("e")
    if len(digits) > 2 * MOST_DIGITS + len("-./") or len(exponent) > MOST_DIGITS:
        return None
    if exponent and abs(int(exponent)) > 2 * MOST_DIGITS:
        return None
    return Fraction(text)


def shown(value: object) -> str:
    """A value in a message, as it was typed: long ones are cut, and long digits are counted."""
    try:
        text = str(value) if isinstance(value, Fraction | Decimal) else repr(value)
    except ValueError:  # Python prints no integer of more than 4,300 digits
        bits = value.bit_length() if isinstance(value, int) else 0
        return f"an integer of {bits} bits" if bits else "a number of more than 4,300 digits"
    except Exception:  # noqa: BLE001 - of a class of the user's
        return f"an object of type {type(value).__name__}, which has no text"
    if isinstance(value, str) and TYPED.fullmatch(value):
        text = value
    text = QUOTIENT.sub(lambda found: str(Fraction(int(found[1]), int(found[2]))), text)
    text = DIGITS.sub(lambda found: f"{found[0][:MOST_SHOWN]}... ({len(found[0])} digits)", text)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def check_fraction(
    value: object,
    name: str,
    *,
    above: Fraction | int | None = None,
    at_least: Fraction | int | None = None,
    at_most: Fraction | int | None = None,
    below: Fraction | int | None = None,
) -> Fraction:
    """Read an exact number and check its range (`above` and `below` are strict)."""
    number = exact(value, name)
    for limit, ok, word in (
        (above, above is None or number > above, "greater than"),
        (at_least, at_least is None or number >= at_least, "at least"),
        (at_most, at_most is None or number <= at_most, "at most"),
        (below, below is None or number < below, "less than"),
    ):
        if not ok:
            msg = f"{name} must be {word} {limit}, got {name}={shown(value)}"
            raise InvalidArgument(msg)
    return number


def check_choice(value: object, name: str, choices: tuple[str, ...]) -> str:
    """Check a word against the allowed ones."""
    if not isinstance(value, str) or value not in choices:
        msg = f"{name} must be one of {', '.join(choices)}, got {name}={shown(value)}"
        raise InvalidArgument(msg)
    return str(value)


def check_several(value: object, name: str, each: str) -> tuple[object, ...]:
    """Check a list or another series; text is none, though Python reads its letters one by one."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        msg = f"{name} must be a list of {each}, got {name}={shown(value)}"
        raise InvalidArgument(msg)
    return tuple(value)


def check_flag(value: object, name: str) -> bool:
    """Check that a value is True or False."""
    if not isinstance(value, bool):
        msg = f"{name} must be true or false, got {name}={shown(value)}"
        raise InvalidArgument(msg)
    return value


def check_integer(value: object, name: str, *, at_least: int) -> int:
    """Check an integer (no bool, no float) with a lower limit."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < at_least:
        msg = (
            f"{name} must be an integer of at least {at_least}, "
            f"got {name}={shown(value)} (type {type(value).__name__})"
        )
        raise InvalidArgument(msg)
    return int(value)


def check_size(size: object) -> int:
    """Check the number of draws: an integer of at least 1."""
    return check_integer(size, "size", at_least=1)


def check_bounds(low: object, high: object) -> tuple[Fraction, Fraction]:
    """Check public bounds: both finite, `low <= high`, and the width finite as a float."""
    exact_low, exact_high = exact(low, "low"), exact(high, "high")
    if exact_low > exact_high:
        msg = f"low must be at most high, got low={shown(low)}, high={shown(high)}"
        raise InvalidArgument(msg)
    try:
        float(exact_low), float(exact_high), float(exact_high - exact_low)
    except OverflowError as exc:
        got = f"got low={shown(low)}, high={shown(high)}"
        msg = f"high - low must be finite in double precision, {got}"
        raise InvalidArgument(msg) from exc
    return exact_low, exact_high
