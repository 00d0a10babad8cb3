"""Single outputs in words: the functions that a witness's expression is written with.

They are the plain twins of the vectorized encoders (`encode`, `partitions.lattice`); a test
compares the two.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = [
    "LOWEST_EXPONENT",
    "form",
    "label_of",
    "lattice_class",
    "length",
    "lowest_bit",
    "number",
    "outcome",
]

LOWEST_EXPONENT, HIGHEST_EXPONENT = -80, 20
MOST_ZEROS = 12
MOST_BINADE = 40

SINGLE = "is a single value"


def is_sequence(z: Any) -> bool:
    """Whether an output is a tuple, a list or an array with an axis."""
    return isinstance(z, tuple | list) or (isinstance(z, np.ndarray) and z.ndim > 0)


def length(z: Any) -> int | None:
    """Number of coordinates of a sequence, None of anything else."""
    return len(_flat(z)) if is_sequence(z) else None


def _flat(z: Any) -> Any:
    return z.ravel() if isinstance(z, np.ndarray) else z


def _coordinate(z: Any, index: int | None) -> Any:
    if index is None:
        return z
    flat = _flat(z) if is_sequence(z) else (z,)
    return flat[index] if index < len(flat) and not isinstance(z, Exception) else _MISSING


class _Missing:
    """A coordinate that an output does not have."""


_MISSING = _Missing()


def number(z: Any, index: int | None = None) -> float:
    """Finite value of an output (or of one coordinate), NaN if it has none.

    Comparisons with the NaN are false, so an event on the value never holds for other outcomes.
    """
    z = _coordinate(z, index)
    return label_of(z)[1] if label_of(z)[0] == "" else math.nan


def outcome(z: Any, index: int | None = None) -> str:
    """Kind of an output (or of one coordinate) in words; empty for a finite number."""
    return label_of(_coordinate(z, index))[0]


def form(z: Any) -> str:
    """Shape of an output in words: its length, its failure, or a single value."""
    if isinstance(z, Exception):
        return f"raises {type(z).__name__}"
    size = length(z)
    return SINGLE if size is None else f"has length {size}"


def label_of(z: Any) -> tuple[str, float]:
    """Return (kind in words, value): ("", value) for a finite number."""
    if isinstance(z, bool | np.bool_):
        return f"is {bool(z)}", math.nan
    if isinstance(z, np.ndarray) and z.ndim == 0:
        return label_of(z.item())
    if isinstance(z, Exception):
        return f"raises {type(z).__name__}", math.nan
    if z is _MISSING:
        return "is missing", math.nan
    if z is None or isinstance(z, str | bytes):
        return f"is {z!r}"[:120], math.nan
    if is_sequence(z):
        return f"has length {length(z)}", math.nan
    try:
        value = float(z)
    except OverflowError:
        return "is an integer beyond double precision", math.nan
    except (TypeError, ValueError):
        text = repr(z)
        known = " at 0x" not in text and len(text) <= 100
        return (f"is {text}" if known else f"is a {type(z).__name__}"), math.nan
    if math.isnan(value):
        return "is NaN", math.nan
    if math.isinf(value):
        return ("is +inf" if value > 0 else "is -inf"), math.nan
    return "", value


def lowest_bit(z: Any, index: int | None = None) -> float:
    """Exponent g of the lowest set bit: the value is an odd multiple of 2^g; NaN for 0 and others.

    Clipped to [-80, 20].
    """
    value = number(z, index)
    if math.isnan(value) or value == 0:
        return math.nan
    mantissa, exponent = math.frexp(abs(value))
    bits = int(mantissa * 2**53)
    zeros = (bits & -bits).bit_length() - 1
    return min(max(exponent - 53 + zeros, LOWEST_EXPONENT), HIGHEST_EXPONENT)


def lattice_class(z: Any, index: int | None = None) -> tuple[int, int, int] | None:
    """(sign, binade, trailing zeros of the 53-bit mantissa, at most 12); None for 0 and others.

    The binade is clipped to [-40, 40].
    """
    value = number(z, index)
    if math.isnan(value) or value == 0:
        return None
    mantissa, exponent = math.frexp(abs(value))
    bits = int(mantissa * 2**53)
    zeros = min((bits & -bits).bit_length() - 1, MOST_ZEROS)
    return (1 if value > 0 else -1), min(max(exponent, -MOST_BINADE), MOST_BINADE), zeros
