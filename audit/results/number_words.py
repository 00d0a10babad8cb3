"""Numbers for people: three significant digits; lower limits rounded down, upper ones up.

And how many there are of a thing: 0 pairs, 1 pair, 2 pairs.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction

__all__ = ["float_below", "number", "number_above", "number_below", "plural", "probability_words"]


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


TINY = Fraction(1, 10**300)
"""Below it doubles lose their digits, and end at 0."""


def probability_words(value: Fraction, digits: int = 6) -> str:
    """Write a probability; a tiny one by its logarithm, so that it is no 0."""
    if not 0 < value < TINY:
        return f"{float(value):.{digits}g}"
    logarithm = math.log(value.numerator) - math.log(value.denominator)
    return f"exp({float(f'{logarithm:.6g}'):,.{max(0, 5 - int(math.log10(-logarithm)))}f})"


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
