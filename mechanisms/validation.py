"""Checks of public arguments, kept apart from the mathematics.

A mechanism checks its public parameters before it touches data, so an error never depends on a
record. Privacy parameters become exact rationals: a float is read as the decimal that was typed.
"""

from __future__ import annotations

from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import TypeAlias

from mechanisms.errors import InvalidArgument

__all__ = [
    "Number",
    "check_bounds",
    "check_choice",
    "check_fraction",
    "check_integer",
    "check_size",
    "exact",
]

LARGEST_EXPONENT = 5_000
"""Of a decimal; "1e999999999" would fill the memory."""

Number: TypeAlias = int | float | str | Fraction
"""What an exact parameter may be given as."""


def exact(value: object, name: str = "value") -> Fraction:
    """Read a number exactly as the user typed it.

    Parameters
    ----------
    value : int, float, str or Fraction
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
        If the value is not a finite number.

    Examples
    --------
    >>> from mechanisms.validation import exact
    >>> exact(0.1), exact("1/3"), exact("1e-5")
    (Fraction(1, 10), Fraction(1, 3), Fraction(1, 100000))
    """
    msg = f"{name} must be a finite number such as 1, 0.1 or '1/10', got {name}={value!r}"
    if isinstance(value, bool):
        raise InvalidArgument(msg)
    if isinstance(value, Integral):
        return Fraction(int(value))
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, (str, Real)):
        text = str(value).strip()
        exponent = text.lower().partition("e")[2]
        try:
            if exponent and abs(int(exponent)) > LARGEST_EXPONENT:
                raise ValueError
            return Fraction(text)
        except (ValueError, ZeroDivisionError) as exc:
            raise InvalidArgument(msg) from exc
    msg = f"{msg} (type {type(value).__name__})"
    raise InvalidArgument(msg)


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
            msg = f"{name} must be {word} {limit}, got {name}={value!r}"
            raise InvalidArgument(msg)
    return number


def check_choice(value: object, name: str, choices: tuple[str, ...]) -> str:
    """Check a word against the allowed ones."""
    if value not in choices:
        msg = f"{name} must be one of {', '.join(choices)}, got {name}={value!r}"
        raise InvalidArgument(msg)
    return str(value)


def check_integer(value: object, name: str, *, at_least: int) -> int:
    """Check an integer (no bool, no float) with a lower limit."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < at_least:
        msg = (
            f"{name} must be an integer of at least {at_least}, "
            f"got {name}={value!r} (type {type(value).__name__})"
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
        msg = f"low must be at most high, got low={low!r}, high={high!r}"
        raise InvalidArgument(msg)
    try:
        float(exact_low), float(exact_high), float(exact_high - exact_low)
    except OverflowError as exc:
        msg = f"high - low must be finite in double precision, got low={low!r}, high={high!r}"
        raise InvalidArgument(msg) from exc
    return exact_low, exact_high
