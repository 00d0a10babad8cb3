"""Single outputs in words: the functions that a witness's expression is written with.

They are the plain twins of the vectorized encoders (`encode`, `float_lattice`); a test
compares the two. A container (sequence, array, mapping, dataclass, complex number) is flattened
to its leaves, and its form says how (`layers`); a leaf is a finite number or has a label
(`leaf_words`).
"""

from __future__ import annotations

import json
import math
import re
from ast import literal_eval
from collections.abc import Sequence
from typing import Any

from audit.draws.layers import COME, is_container
from audit.draws.layers import flatten as flatten
from audit.draws.leaf_words import COMMON_MULTIPLE as COMMON_MULTIPLE
from audit.draws.leaf_words import LARGEST_EXACT, detail_of, failure_label
from audit.draws.leaf_words import NO_DETAIL as NO_DETAIL
from audit.draws.leaf_words import label_of as label_of
from audit.results.verdict import FAILED

LOWEST_EXPONENT, HIGHEST_EXPONENT = -80, 20
MOST_ZEROS = 12
MOST_BINADE = 40
SIGN, QUIET = 1 << 63, 1 << 51
"""Bits of a double: the sign, and what makes a NaN a quiet one."""

SINGLE = "is a single value"
MISSING = "is missing"
"""Label of a coordinate that an output does not have."""

STRUCTURAL = (*FAILED, "has ", "is NaN", "is +inf", "is -inf", "is missing", "is a single value")
"""Beginnings of the labels that an alphabet of any size keeps apart."""


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


LABELED = re.compile(
    r"has (?:length |keys \[.*\] and )(\d+)(?: rows?)?(?:(?! of \().)*"
    r" with (?:labels|names)(?: of (\d+) levels)?",
    re.DOTALL,
)
"""A form with labels of rows: how many rows, and how many labels each has."""

STORED = re.compile(r"has shape \(([\d, ]+)\), \d+ stored")
"""The form of a sparse matrix."""

KEYS = "the keys"
"""Name of the leaf that says in which order they come."""

ROW_LABEL = re.compile(r"the label of row (\d+)(?:, level (\d+))?")


def words_of(forms: Sequence[str], width: int) -> list[tuple[str, int | str]]:
    """Name of each leaf in words, and its place or key, by the forms that were seen."""
    names = names_of(forms)
    if names is not None:
        words: list[tuple[str, int | str]] = [(told, name) for name, told in names.items()]
        if len(words) + 1 == width and forms[0].startswith("has keys "):
            words.append((KEYS, len(words)))
        if len(words) == width:
            return words
    words = [(f"output[{place}]", place) for place in range(width)]
    layouts = {_labeled(told, width) for told in forms}
    first, levels = layouts.pop() if len(layouts) == 1 else (width, 1)
    for place in range(first, width):
        row, level = divmod(place - first, levels)
        words[place] = f"the label of row {row}" + f", level {level}" * (levels > 1), place
    if len(forms) == 1 and (stored := STORED.fullmatch(forms[0])):
        axes = len(stored[1].rstrip(", ").split(","))
        for place in range(width):
            entry, axis = divmod(place, axes + 1)
            value = f"stored value {entry}"
            of = ("row", "column", "")[axis] if axes == 2 else f"place {axis}"
            words[place] = (value if axis == axes else f"the {of} of {value}"), place
    return words


def _labeled(told: str, leaves: int) -> tuple[int, int]:
    """Where the labels of rows begin among the leaves of a form, and how many a row has."""
    found = LABELED.match(told)
    levels = int(found[2] or 1) if found else 1
    first = leaves - int(found[1]) * levels if found else leaves
    return (first, levels) if first >= 0 else (leaves, 1)


def said(name: str, coordinate: int | str | None, labels: Sequence[str]) -> tuple[str, str]:
    """That a leaf, or the form, has one of some labels: in words, and as an expression."""
    which = f"outcome({'z' if coordinate is None else f'z, {coordinate!r}'})"
    subject = name
    shown = list(labels)
    if name == "form":
        subject, which = "output", "form(z)"
    elif row := ROW_LABEL.fullmatch(name):
        which = f"label(z, {', '.join(number for number in row.groups() if number)})"
    elif name == KEYS and all(told.startswith(COME) for told in labels):
        which, shown = "key_order(z)", [told.removeprefix(COME) for told in labels]
    between = ": the keys " if name not in (KEYS, "form") else " "
    words = " or ".join(
        f"{subject}{between if told.startswith(COME) else ' '}{told}" for told in labels
    )
    return words, f"{which} == {shown[0]!r}" if len(shown) == 1 else f"{which} in {shown!r}"


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


def label(z: Any, row: int, level: int = 0) -> str:
    """Label of a row of a Series or a frame in words; empty where it is a finite number.

    That of the first row is `label(z, 0)`; where rows have labels of several levels, the level
    counts from 0.
    """
    leaves, shape = ([], "") if isinstance(z, Exception) else flatten(z)
    first, levels = _labeled(f"has {shape}", len(leaves))
    return outcome(z, first + row * levels + level)


def key_order(z: Any) -> str:
    """The keys of a mapping as they come, in words; empty for all else, and for fewer than two."""
    leaves, shape = ([], "") if isinstance(z, Exception) else flatten(z)
    last = label_of(leaves[-1])[0] if leaves and shape.startswith("keys ") else ""
    return last.removeprefix(COME) if last.startswith(COME) else ""


def form(z: Any) -> str:
    """Form of an output in words: its shape, its failure, or a single value."""
    if isinstance(z, Exception):
        return failure_label(z)
    shape = flatten(z)[1]
    return f"has {shape}" if shape else SINGLE


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
