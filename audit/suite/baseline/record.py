"""Whether what a file says of an audit can be a record of a baseline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from audit.results.verdict import TOTAL, Verdict
from audit.suite.baseline.compare import EXACT_VALUES, compare
from mechanisms.errors import TouchstoneError
from mechanisms.validation import exact

__all__ = ["is_record"]

NOT_FINITE = ("inf", "-inf", "nan")
"""How reports write what is no finite number."""


def is_record(record: object) -> bool:
    """Whether every key is known, every value of its kind, and the whole can be compared."""
    if not isinstance(record, dict) or "verdict" not in record:
        return False
    if not all(name in FIELDS and FIELDS[name](value) for name, value in record.items()):
        return False
    try:
        compare(record, record)
    except (TouchstoneError, KeyError, ValueError, TypeError, AttributeError, ArithmeticError):
        return False
    return True


def _is_number(value: Any) -> bool:
    return type(value) in {int, float} or (isinstance(value, str) and value in NOT_FINITE)


def _is_exact(value: Any) -> bool:
    if value is None or value == "inf":
        return True
    try:
        exact(value)
    except TouchstoneError:
        return False
    return True


def _is_words(value: Any) -> bool:
    """Text, as exact numbers are written, or lists of it."""
    return isinstance(value, str) or (isinstance(value, list) and all(map(_is_words, value)))


def _is_error(value: Any) -> bool:
    known = isinstance(value, dict) and value.keys() == {"value", "lower", "upper"}
    return known and all(map(_is_number, value.values()))


def _maps(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))


FIELDS: Mapping[str, Callable[[Any], bool]] = {
    "verdict": lambda value: isinstance(value, str) and value in {*Verdict, TOTAL},
    "claim": lambda value: isinstance(value, dict) and all(map(_is_words, value.values())),
    "order": lambda value: isinstance(value, str),
    "exact": lambda value: (
        value is None or (_maps(_is_exact)(value) and value.keys() <= EXACT_VALUES.keys())
    ),
    "limits": _maps(_is_number),
    "mse": _maps(_is_error),
    "bounds": _maps(_is_exact),
}
