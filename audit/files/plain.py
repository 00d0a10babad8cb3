"""Any value with what JSON has.

Numbers are finite: an infinite one is the string "inf" or "-inf", and a record that is no number
is "nan". Exact parameters are strings such as "1/10".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any
from unicodedata import category

__all__ = ["SCHEMA_VERSION", "ends_record", "plain", "printable", "spelled"]

SCHEMA_VERSION = 1
"""Of reports as JSON: counts changes that a reader of older ones would not understand."""


def plain(value: Any) -> Any:
    """Write any value with what JSON has; what it has not becomes its text."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case Mapping():
            return {str(key): plain(part) for key, part in value.items()}
        case list() | tuple():
            return [plain(part) for part in value]
        case _:
            return str(value) if isinstance(value, Fraction) else repr(value)


def printable(text: str, *, most: int | None = None) -> str:
    r"""Write what a reader would not see, or a terminal would obey, as Python's repr does.

    That are control characters but tab and line feed, characters that change the direction of the
    text or have no width, other ends of lines, halves of surrogate pairs, and what is no character.

    `most`: of the characters that are kept; what is longer ends with "...".

    Examples
    --------
    >>> from audit.files.plain import printable
    >>> printable("a\x1b[31m\u202eb")
    'a\\x1b[31m\\u202eb'
    """
    if not text.isprintable():
        text = "".join(map(_visible, text))
    return text if most is None or len(text) <= most else f"{text[: most - 3]}..."


def _visible(character: str) -> str:
    if character.isprintable() or character in "\n\t" or category(character) == "Zs":
        return character
    return character.encode("unicode_escape").decode("ascii")


def spelled(value: Any) -> str:
    """Write a law, or exact numbers, for people.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from audit.files.plain import spelled
    >>> from mechanisms.noise.laplace import LaplaceLaw
    >>> spelled(LaplaceLaw(Fraction(1, 2))), spelled((Fraction(-1), Fraction(1, 3)))
    ('LaplaceLaw(rate=1/2)', '(-1, 1/3)')
    """
    if isinstance(value, list | tuple):
        return f"({', '.join(map(spelled, value))})"
    if not is_dataclass(value) or isinstance(value, type):
        return str(value) if isinstance(value, Fraction) else repr(value)
    own = (f"{part.name}={spelled(getattr(value, part.name))}" for part in fields(value))
    return f"{type(value).__name__}({', '.join(own)})"


MOST_BITS = 8_000
"""Of an end that is written exactly: Python prints at most 4,300 digits."""


def ends_record(ends: tuple[Fraction, Fraction]) -> dict[str, str]:
    """Write the ends of an enclosure; ends of very many digits are rounded outward."""
    return {"lower": _end(ends[0], ROUND_FLOOR), "upper": _end(ends[1], ROUND_CEILING)}


def _end(value: Fraction, rounding: str) -> str:
    """An end of an enclosure: exactly, or as a decimal that is rounded outward."""
    top, bottom = value.numerator, value.denominator
    if max(top.bit_length(), bottom.bit_length()) < MOST_BITS:
        return str(value)
    size = bottom.bit_length() - top.bit_length()  # a power of 2 apart: decimals are slow to make
    scaled = value * Fraction(2) ** size
    against = ROUND_CEILING if rounding == ROUND_FLOOR else ROUND_FLOOR
    down, up = (Context(30, one, MIN_EMIN, MAX_EMAX) for one in (rounding, against))
    digits = down.divide(
        down.create_decimal(scaled.numerator), up.create_decimal(scaled.denominator)
    )
    power = up.power(Decimal(2), size) if size >= 0 else down.power(Decimal(2), -size)
    return str(down.divide(digits, power) if size >= 0 else down.multiply(digits, power))
