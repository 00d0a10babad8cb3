"""Numbers for people: three significant digits; lower limits rounded down, upper ones up."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

__all__ = ["number", "number_above", "number_below"]


def number(value: float) -> str:
    """Write a number with three significant digits; an infinite one is "inf"."""
    return "inf" if math.isinf(value) else f"{value:.3g}"


def number_below(value: float, digits: int = 3) -> str:
    """Write a number rounded down; a float is read as its shortest decimal."""
    return _rounded(value, ROUND_FLOOR, digits)


def number_above(value: float, digits: int = 3) -> str:
    """Write a number rounded up."""
    return _rounded(value, ROUND_CEILING, digits)


def _rounded(value: float, rounding: str, digits: int) -> str:
    if not math.isfinite(value) or value == 0:
        return number(value)
    exact = Decimal(repr(float(value)))
    kept = exact.quantize(Decimal(1).scaleb(exact.adjusted() - digits + 1), rounding=rounding)
    return f"{float(kept):.{digits}g}"
