"""Numbers for people: three significant digits; lower limits rounded down, upper ones up.

And how many there are of a thing: 0 pairs, 1 pair, 2 pairs.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction

__all__ = ["float_below", "number", "number_above", "number_below", "plural"]


def plural(count: int, noun: str) -> str:
    """A number of things, whose plural ends in s."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def float_below(value: Fraction) -> float:
    """The largest float that is not above a number."""
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, -math.inf)


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
