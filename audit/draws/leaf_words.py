"""What one leaf of an answer is: a finite number, or a label in words.

A user's class may refuse, lie, or never return: what its own code is asked here is asked within the
call that drew it, and what it raises is no more than "shows no value".
"""

from __future__ import annotations

import datetime
import math
import struct
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from hashlib import sha256
from numbers import Integral, Number
from typing import Any

import numpy as np

from audit.results.verdict import NO_ANSWER
from audit.targets.outcomes import Label, NoAnswer

LARGEST_EXACT = 2**53
"""Beyond it doubles leave integers out."""

LONGEST_LABEL = 100
DEEPEST = 16
"""Layers of containers that are looked into."""

COMMON_MULTIPLE = 34_406_400
"""2^16 * 3 * 5^2 * 7: of every modulus that remainders are looked at by."""

NO_DETAIL = -(2**63)
"""Detail of a leaf that its number, or its label, says all of."""

VALUELESS = "an object that shows no value: "
"""Beginning of the words for an object without a text of its own; its type follows."""

SINGLETONS = (Enum, type, type(Ellipsis), type(NotImplemented))
"""Whose values are no others than themselves. Of another object that is equal to itself alone, the
text may show anything or nothing of what it holds."""

NANOSECONDS: dict[str, int | Fraction] = {
    "W": 604_800 * 10**9,
    "D": 86_400 * 10**9,
    "h": 3600 * 10**9,
    "m": 60 * 10**9,
    "s": 10**9,
    "ms": 10**6,
    "us": 1000,
    "ns": 1,
    "ps": Fraction(1, 1000),
    "fs": Fraction(1, 10**6),
    "as": Fraction(1, 10**9),
}
"""In a unit of numpy's durations; months and years have no fixed length."""


def shortened(text: str, longest: int = LONGEST_LABEL) -> str:
    """Keep a long label apart from others that begin like it."""
    if len(text) <= longest:
        return text
    digest = sha256(text.encode(errors="surrogatepass")).hexdigest()
    return f"{text[:longest]}... (sha256 {digest[:12]})"


def valueless(z: Any) -> str:
    """Label of what shows nothing."""
    return f"is {VALUELESS}{type(z).__name__}"


def failure_label(z: Exception) -> str:
    """Label of a draw that gave no output."""
    return f"{NO_ANSWER}{z}" if isinstance(z, NoAnswer) else f"raises {type(z).__name__}"


def has_own_eq(z: Any) -> bool:
    """Whether a class says which of its objects are equal: else each is equal to itself alone."""
    return any("__eq__" in vars(kind) for kind in type(z).__mro__[:-1])


def key_text(name: Any) -> str:
    """The text of a key or of another name of a place; a text's own, whatever class it is of."""
    if isinstance(name, np.generic):
        name = name.item()
    return str.__repr__(name) if isinstance(name, str) else _printable(repr(name))


def plain_leaf(z: Any) -> Any:
    """A leaf of which number and label are made: durations are whole nanoseconds, if they can be.

    A length in months or years, and a missing time, are labels.
    """
    if isinstance(z, np.ndarray):
        if np.ma.is_masked(z) and z.ndim == 0:
            return None
        z = z[()] if z.ndim == 0 and z.dtype.kind in "mM" else z.item() if z.ndim == 0 else repr(z)
    missing = isinstance(z, np.generic) and z.dtype.kind in "mM" and bool(np.isnat(z))
    if missing or type(z).__name__ == "NaTType":
        return Label("is NaT")
    if isinstance(z, np.timedelta64):
        unit, step = np.datetime_data(z.dtype)
        count = int(z.astype(np.int64)) * step
        if unit in "YM":
            return Label(f"is {count * (12 if unit == 'Y' else 1)} months")
        if unit not in NANOSECONDS:
            return Label(f"is {count} units of time")
        length = count * NANOSECONDS[unit]
        return int(length) if length == int(length) else length
    if isinstance(z, datetime.timedelta):  # pandas' own has nanoseconds besides
        seconds, rest = z.days * 86_400 + z.seconds, getattr(z, "nanoseconds", 0)
        return seconds * 10**9 + z.microseconds * 1000 + rest
    return z


def label_of(z: Any) -> tuple[str, float]:
    """Return (kind in words, value) of a leaf: ("", value) for a finite number.

    Integers beyond 2^53 are labels, for a double would merge neighbors; `detail_of` has the rest.
    So are fractions, decimals and longer floats that no double says all of.
    """
    kind = type(z)
    try:
        if kind is float:
            return ("", z) if math.isfinite(z) else _number_label(z)
        if kind is Label:
            return z.text, math.nan
        if kind is str:
            return f"is {shortened(repr(z))}", math.nan
        return _label(plain_leaf(z))
    except Exception:  # noqa: BLE001 - an object may refuse in any way
        return valueless(z), math.nan


def _label(z: Any) -> tuple[str, float]:
    if isinstance(z, bool | np.bool_):
        return f"is {bool(z)}", math.nan
    if isinstance(z, Exception):
        return failure_label(z), math.nan
    if isinstance(z, Label):
        return z.text, math.nan
    if isinstance(z, Integral):
        whole = _whole(z)
        if abs(whole) > LARGEST_EXACT:
            return f"is {shortened(hex(whole))}", math.nan
        return "", float(whole)
    if z is None:
        return "is None", math.nan
    if isinstance(z, str | bytes):  # a class of the user's may have another text
        text = str.__repr__(z) if isinstance(z, str) else bytes.__repr__(z)
        return f"is {shortened(text)}", math.nan
    try:
        value = float.__float__(z) if isinstance(z, float) else _value(z)
    except Exception:  # noqa: BLE001 - likewise
        return f"is {_described(z)}", math.nan
    if not _says_all(value, z):
        return f"is {_described(z)}", math.nan
    return _number_label(value)


def _number_label(value: float) -> tuple[str, float]:
    if math.isnan(value):
        return "is NaN", math.nan
    if math.isinf(value):
        return ("is +inf" if value > 0 else "is -inf"), math.nan
    return "", value


def _whole(z: Any) -> int:
    """An integer, whatever a class that is derived from it says it was."""
    return int.__int__(z) if isinstance(z, int) else int(z)


def _value(z: Any) -> float:
    """Raises where an object is no number."""
    if isinstance(z, bytearray | memoryview):  # which `float` reads as a text
        raise TypeError
    return float(z)


def detail_of(z: Any) -> int:
    """What neither number nor label of a leaf says: a large integer's remainder, a NaN's bits.

    The remainder is by `COMMON_MULTIPLE`; the bits are those of the double, as a signed integer.
    """
    try:
        z = plain_leaf(z)
        if isinstance(z, Integral):
            whole = _whole(z)
            return whole % COMMON_MULTIPLE if abs(whole) > LARGEST_EXACT else NO_DETAIL
        if label_of(z)[0] == "is NaN":
            return int(struct.unpack("<q", struct.pack("<d", float(z)))[0])
    except Exception:  # noqa: BLE001 - likewise
        return NO_DETAIL
    return NO_DETAIL


def _says_all(value: float, z: Any) -> bool:
    """Whether a double is the number, or that which is nearest to a decimal of 15 digits."""
    if isinstance(z, float):
        return True
    if isinstance(z, Fraction):
        return math.isinf(value) or Fraction(value) == z
    if isinstance(z, Decimal):
        return not z.is_finite() or Decimal(value) == z or Decimal(f"{value:.15g}") == z
    if isinstance(z, np.longdouble):
        return not np.isfinite(z) or bool(np.longdouble(value) == z)
    if isinstance(z, Number | np.generic) or not has_own_eq(z) or math.isnan(value):
        return True
    return bool(z == value)  # an amount in a currency is no number


def _described(z: Any, depth: int = 0) -> str:
    """The text of an object if it is about its value, else its type."""
    if isinstance(z, set | frozenset):  # equal ones may be in any order
        if depth > DEEPEST:
            return f"{VALUELESS}{type(z).__name__} (nested more than {DEEPEST} deep)"
        members = ", ".join(sorted(_member(part, depth + 1) for part in z))
        return shortened(f"{type(z).__name__} {{{members}}}")
    try:
        text = repr(z)
    except Exception:  # noqa: BLE001 - likewise
        text = " at 0x"
    shown = (has_own_eq(z) or isinstance(z, SINGLETONS)) and " at 0x" not in text
    return shortened(_printable(text)) if shown else f"{VALUELESS}{type(z).__name__}"


def _member(z: Any, depth: int) -> str:
    """The text of a member of a set: what stands in a label, but for numbers."""
    if isinstance(z, set | frozenset):
        return _described(z, depth)
    if isinstance(z, np.generic):
        z = z.item()
    label, _ = label_of(z)
    return label.removeprefix("is ") or repr(z)


def _printable(text: str) -> str:
    """A text that files and terminals take: without control characters and halves of pairs."""
    return text if text.isprintable() else repr(text)[1:-1]
