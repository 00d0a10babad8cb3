"""Any value with what JSON has.

Numbers are finite: an infinite one is the string "inf" or "-inf", and a record that is no number
is "nan". Exact parameters are strings such as "1/10".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

__all__ = ["SCHEMA_VERSION", "ends_record", "plain"]

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


def ends_record(ends: tuple[Fraction, Fraction]) -> dict[str, str]:
    """Write the ends of an enclosure."""
    return {"lower": str(ends[0]), "upper": str(ends[1])}
