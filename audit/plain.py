"""Any value with what JSON has.

Numbers are finite: an infinite one is the string "inf" or "-inf", and a record that is no number
is "nan". Exact parameters are strings such as "1/10".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any
from unicodedata import category

__all__ = ["SCHEMA_VERSION", "ends_record", "plain", "printable", "spelled"]

SCHEMA_VERSION = 2
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
    >>> from audit.plain import printable
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
    >>> from audit.plain import spelled
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


def ends_record(ends: tuple[Fraction, Fraction]) -> dict[str, str]:
    """Write the ends of an enclosure."""
    return {"lower": str(ends[0]), "upper": str(ends[1])}
