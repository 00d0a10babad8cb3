"""Single outputs in words: the functions that a witness's expression is written with.

They are the plain twins of the vectorized encoders (`encode`, `partitions.lattice`); a test
compares the two. A container (sequence, array, mapping, dataclass, complex number) is flattened
to its leaves, and its form says how; a leaf is a finite number or has a label.
"""

from __future__ import annotations

import dataclasses
import json
import math
import struct
from ast import literal_eval
from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from hashlib import sha256
from numbers import Integral
from typing import Any

import numpy as np

from audit.targets.outcomes import Label, NoAnswer, OutputParts

__all__ = [
    "COMMON_MULTIPLE",
    "FAILED",
    "LOWEST_EXPONENT",
    "MISSING",
    "NO_DETAIL",
    "VALUELESS",
    "detail_of",
    "flatten",
    "form",
    "is_container",
    "is_frame",
    "label_of",
    "lattice_class",
    "lowest_bit",
    "names_of",
    "nan_words",
    "number",
    "outcome",
    "representation",
    "residue",
]

LOWEST_EXPONENT, HIGHEST_EXPONENT = -80, 20
MOST_ZEROS = 12
MOST_BINADE = 40
LARGEST_EXACT = 2**53
LONGEST_LABEL, LONGEST_FORM = 100, 400
COMMON_MULTIPLE = 34_406_400
"""2^16 * 3 * 5^2 * 7: of every modulus that remainders are looked at by."""

NO_DETAIL = -(2**63)
"""Detail of a leaf that its number, or its label, says all of."""

SIGN, QUIET = 1 << 63, 1 << 51
"""Bits of a double: the sign, and what makes a NaN a quiet one."""
VALUELESS = "an object that shows no value: "
"""Beginning of the words for an object without a text of its own; its type follows."""

SINGLETONS = (Enum, type, type(Ellipsis), type(NotImplemented))
"""Whose values are no others than themselves. Of another object that is equal to itself alone, the
text may show anything or nothing of what it holds."""

DEEPEST = 16

SINGLE = "is a single value"
MISSING = "is missing"
"""Label of a coordinate that an output does not have."""
NO_ANSWER = "is missing: "
FAILED = ("raises ", NO_ANSWER)
"""Beginnings of the labels of draws that gave no output."""

STRUCTURAL = (*FAILED, "has ", "is NaN", "is +inf", "is -inf", "is missing", "is a single value")
"""Beginnings of the labels that an alphabet of any size keeps apart."""


def is_container(z: Any) -> bool:
    """Whether an output has parts: a sequence, array, mapping, dataclass or complex number."""
    if isinstance(z, np.ndarray):
        return z.ndim > 0 or z.dtype.kind in "Vc"
    if isinstance(z, tuple | list | Mapping | complex | np.complexfloating | np.void):
        return True
    if is_frame(z):
        return True
    if isinstance(z, type | Exception | np.generic | Label):
        return False
    return dataclasses.is_dataclass(z) or callable(getattr(z, "tolist", None))


def is_frame(z: Any) -> bool:
    """Whether an object is a table with named columns, of whatever library."""
    if isinstance(z, type | np.ndarray | np.generic):
        return False
    return hasattr(z, "columns") and hasattr(z, "__array__")


def flatten(z: Any, depth: int = 0) -> tuple[list[Any], str]:
    """Return the leaves of an output, and its shape in words (empty for a leaf)."""
    if not is_container(z) or depth > DEEPEST:
        return [z], ""
    if isinstance(z, OutputParts):
        return list(z.leaves), z.shape
    if isinstance(z, np.ndarray) and z.ndim != 1:
        leaves, _ = flatten(z.ravel(), depth + 1)
        return leaves, f"shape {z.shape}"
    shape, parts = _parts(z)
    flat = [flatten(part, depth + 1) for part in parts]
    if any(inner for _, inner in flat):
        shape += " of (" + ", ".join(inner or "a value" for _, inner in flat) + ")"
    return [leaf for leaves, _ in flat for leaf in leaves], _shortened(shape, LONGEST_FORM)


def _parts(z: Any) -> tuple[str, list[Any]]:
    """Name and parts of one layer of a container."""
    if isinstance(z, complex | np.complexfloating):
        return "a real and an imaginary part", [float(z.real), float(z.imag)]
    if isinstance(z, Mapping):
        keys = sorted(z, key=repr)
        return f"keys {keys!r}", [z[key] for key in keys]
    if dataclasses.is_dataclass(z):
        names = [field.name for field in dataclasses.fields(z)]
        return f"fields {names}", [getattr(z, name) for name in names]
    if isinstance(z, np.void) and z.dtype.names is not None:
        return f"keys {list(z.dtype.names)!r}", [z[name] for name in z.dtype.names]
    if is_frame(z):
        return _frame_parts(z)
    parts = list(z) if isinstance(z, tuple | list) else z.tolist()
    if isinstance(parts, tuple | list):
        return f"length {len(parts)}", list(parts)
    return "length 1", [parts]


def _frame_parts(z: Any) -> tuple[str, list[Any]]:
    """Columns of a table, and its values row by row; then the names of its rows, if it has any."""
    columns, values = f"keys {list(map(str, z.columns))!r}", np.asarray(z)
    if len(values) == 1:
        return columns, values[0].tolist()
    rows: Any = getattr(z, "index", None)
    named = hasattr(rows, "tolist") and type(rows).__name__ != "RangeIndex"
    told = f"{columns} and {len(values)} rows" + " with names" * named
    return told, [*values.ravel().tolist(), *(rows.tolist() if named else ())]


def _shortened(text: str, longest: int = LONGEST_LABEL) -> str:
    """Keep a long label apart from others that begin like it."""
    if len(text) <= longest:
        return text
    return f"{text[:longest]}... (sha256 {sha256(text.encode()).hexdigest()[:12]})"


def names_of(forms: Sequence[str]) -> dict[str, str] | None:
    """Names of the parts, and how each is written, where the only form has names and no layers."""
    if len(forms) != 1:
        return None
    for beginning in ("has keys ", "has fields "):
        if forms[0].startswith(beginning) and forms[0].endswith("]"):
            try:
                names = literal_eval(forms[0].removeprefix(beginning))
            except (ValueError, SyntaxError):  # keys without a text that reads back
                return None
            if not all(type(name) is str for name in names):
                return None
            keyed = beginning == "has keys "
            return {n: f"output[{json.dumps(n)}]" if keyed else f"output.{n}" for n in names}
    return None


def _part(z: Any, index: int | str | None) -> list[Any]:
    """An output without parts, or one coordinate of it (by place or name); none if missing."""
    if index is None:
        return [] if is_container(z) else [z]
    leaves, shape = ([], "") if isinstance(z, Exception) else flatten(z)
    if isinstance(index, str):
        names = list(names_of([f"has {shape}"]) or ())
        index = names.index(index) if index in names else len(leaves)
    return leaves[index : index + 1]


def _leaf(z: Any, index: int | str | None) -> tuple[str, float]:
    """Label and value of an output, or of one coordinate of it."""
    for leaf in _part(z, index):
        return label_of(leaf)
    return (form(z) if index is None else MISSING), math.nan


def _detail(z: Any, index: int | str | None) -> int:
    """What else there is to say of an output, or of one coordinate of it."""
    for leaf in _part(z, index):
        return detail_of(leaf)
    return NO_DETAIL


def number(z: Any, index: int | str | None = None) -> float:
    """Finite value of an output (or of one coordinate, by place or name), NaN if it has none.

    Comparisons with the NaN are false, so an event on the value never holds for other outcomes.
    """
    return _leaf(z, index)[1]


def outcome(z: Any, index: int | str | None = None) -> str:
    """Kind of an output (or of one coordinate) in words; empty for a finite number."""
    return _leaf(z, index)[0]


def form(z: Any) -> str:
    """Form of an output in words: its shape, its failure, or a single value."""
    if isinstance(z, Exception):
        return _failure(z)
    shape = flatten(z)[1]
    return f"has {shape}" if shape else SINGLE


def _failure(z: Exception) -> str:
    """Label of a draw that gave no output."""
    return f"{NO_ANSWER}{z}" if isinstance(z, NoAnswer) else f"raises {type(z).__name__}"


def label_of(z: Any) -> tuple[str, float]:
    """Return (kind in words, value) of a leaf: ("", value) for a finite number.

    Integers beyond 2^53 are labels, for a double would merge neighbors; `detail_of` has the rest.
    So are fractions, decimals and longer floats that no double says all of.
    """
    if isinstance(z, np.ndarray):
        z = z.item() if z.ndim == 0 else repr(z)
    if isinstance(z, bool | np.bool_):
        return f"is {bool(z)}", math.nan
    if isinstance(z, Exception):
        return _failure(z), math.nan
    if isinstance(z, Label):
        return z.text, math.nan
    if isinstance(z, Integral) and abs(int(z)) > LARGEST_EXACT:
        return f"is {_shortened(hex(int(z)))}", math.nan
    if z is None or isinstance(z, str | bytes):
        return f"is {_shortened(repr(z))}", math.nan
    try:
        value = float(z)
        if not _says_all(value, z):
            return f"is {_described(z)}", math.nan
    except Exception:  # noqa: BLE001 - an object may refuse in any way
        return f"is {_described(z)}", math.nan
    if math.isnan(value):
        return "is NaN", math.nan
    if math.isinf(value):
        return ("is +inf" if value > 0 else "is -inf"), math.nan
    return "", value


def detail_of(z: Any) -> int:
    """What neither number nor label of a leaf says: a large integer's remainder, a NaN's bits.

    The remainder is by `COMMON_MULTIPLE`; the bits are those of the double, as a signed integer.
    """
    if isinstance(z, np.ndarray) and z.ndim == 0:
        z = z.item()
    if isinstance(z, Integral):
        return int(z) % COMMON_MULTIPLE if abs(int(z)) > LARGEST_EXACT else NO_DETAIL
    if label_of(z)[0] == "is NaN":
        return int(struct.unpack("<q", struct.pack("<d", float(z)))[0])
    return NO_DETAIL


def _says_all(value: float, z: Any) -> bool:
    """Whether a double is the number, or that which is nearest to a decimal of 15 digits."""
    if isinstance(z, Fraction):
        return math.isinf(value) or Fraction(value) == z
    if isinstance(z, Decimal):
        return not z.is_finite() or Decimal(value) == z or Decimal(f"{value:.15g}") == z
    if isinstance(z, np.longdouble):
        return not np.isfinite(z) or np.longdouble(value) == z
    return True


def _described(z: Any) -> str:
    """The text of an object if it is about its value, else its type."""
    if isinstance(z, set | frozenset):  # equal ones may be in any order
        members = ", ".join(sorted(map(_described, z)))
        return _shortened(f"{type(z).__name__} {{{members}}}")
    try:
        text = repr(z)
    except Exception:  # noqa: BLE001 - likewise
        text = " at 0x"
    compared = any("__eq__" in vars(kind) for kind in type(z).__mro__[:-1])
    shown = (compared or isinstance(z, SINGLETONS)) and " at 0x" not in text
    return _shortened(text) if shown else f"{VALUELESS}{type(z).__name__}"


def lowest_bit(z: Any, index: int | str | None = None) -> float:
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


def lattice_class(z: Any, index: int | str | None = None) -> tuple[int, int, int] | None:
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


def residue(z: Any, modulus: int, index: int | str | None = None) -> float:
    """Remainder of an integer output (or coordinate), at least 0; NaN for what is no integer.

    Exact for integers of any size, by a divisor of `COMMON_MULTIPLE`; a double beyond 2^53 is not
    taken for an integer: all of them are.
    """
    value = number(z, index)
    if not math.isnan(value):
        whole = value == math.floor(value) and abs(value) <= LARGEST_EXACT
        return float(int(value) % modulus) if whole else math.nan
    detail = _detail(z, index)
    return float(detail % modulus) if 0 <= detail < COMMON_MULTIPLE else math.nan


def representation(z: Any, index: int | str | None = None) -> str:
    """Which zero ("0" or "-0") or NaN (with its payload) an output is; empty for all else."""
    value = number(z, index)
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    bits = _detail(z, index) if math.isnan(value) else NO_DETAIL
    return "" if bits == NO_DETAIL or 0 <= bits < COMMON_MULTIPLE else nan_words(bits)


def nan_words(bits: int) -> str:
    """Name a NaN by its sign, its quiet bit and its payload."""
    sign, kind = ("-" if bits & SIGN else ""), ("" if bits & QUIET else "signaling ")
    return f"{kind}{sign}NaN with payload {bits & (QUIET - 1):#x}"
