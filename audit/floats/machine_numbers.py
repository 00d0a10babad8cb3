"""Machine numbers in order: neighbors, binades, and all addends that lead to one sum.

Doubles (and singles) are numbered along the real line, so that a search over all of them is a
search over integers. Addition is that of IEEE 754, correctly rounded, so for a fixed value the sum
never falls when the addend grows: the addends that give one sum are an interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from mechanisms.errors import InvalidArgument

Float: TypeAlias = np.float64 | np.float32
"""A machine number."""

FloatType: TypeAlias = type[np.float64] | type[np.float32]
"""Its format."""

_INTEGERS: dict[FloatType, type[np.int64] | type[np.int32]] = {
    np.float64: np.int64,
    np.float32: np.int32,
}


def rank(value: Float) -> int:
    """Number of a machine number along the line: 0 for zero, -n for the opposite of n."""
    bits = int(np.abs(value).view(_INTEGERS[type(value)]))
    return -bits if value < 0 else bits


def nth(number: int, dtype: FloatType) -> Float:
    """Machine number of a rank; beyond the largest finite one, infinity."""
    infinite = rank(dtype(np.inf))
    bits = _INTEGERS[dtype](min(abs(number), infinite))
    size = dtype(bits.view(dtype))
    return dtype(-size) if number < 0 else size


def precision(dtype: FloatType) -> int:
    """Bits of the mantissa, the leading one among them."""
    return int(np.finfo(dtype).nmant) + 1


def binade(value: Float) -> int:
    """Exponent k with 2^k <= |value| < 2^(k + 1); not for zero."""
    return math.frexp(float(value))[1] - 1


def exactly(value: float | Fraction | Float, dtype: FloatType, name: str) -> Float:
    """Read a finite machine number that needs no rounding.

    Raises InvalidArgument if the value is not finite, or is no number of the format.
    """
    given = value if isinstance(value, int | Fraction) else float(value)
    with np.errstate(over="ignore"):
        found: Float = dtype(float(given))
    if not math.isfinite(found) or Fraction(float(found)) != Fraction(given):
        msg = f"{name} must be a finite {dtype.__name__}, got {name}={value!r}"
        raise InvalidArgument(msg)
    return found


def add(value: Float, addend: Float) -> Float:
    """Sum in the common format of the two, infinite where it overflows."""
    with np.errstate(over="ignore"):
        return value + addend


def first_where(holds: Callable[[int], bool], first: int, last: int) -> int:
    """Where a property that stays once it holds begins in first..last; last + 1 where nowhere.

    If it does not stay, still a place where it holds and before which, if that is `first` or
    later, it does not.
    """
    low, high = first, last + 1
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def addends(value: Float, output: Float) -> tuple[Float, Float] | None:
    """Smallest and largest finite machine number that gives `output` when added to `value`.

    Returns: None where no machine number does.
    """
    dtype = type(value)
    largest = rank(dtype(np.finfo(dtype).max))
    with np.errstate(over="ignore"):
        start = first_where(lambda n: bool(value + nth(n, dtype) >= output), -largest, largest)
        end = first_where(lambda n: bool(value + nth(n, dtype) > output), start, largest)
    return None if start == end else (nth(start, dtype), nth(end - 1, dtype))
