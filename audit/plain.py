"""Any value with what JSON has."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

__all__ = ["plain"]


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
