"""What a wealth file holds of an audit, and whether it can be that.

A file whose digest is right may still be none that was written: the digest tells what was damaged,
and is no signature.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from audit.verdict import Verdict

__all__ = ["Record", "wrong_in"]

Record = dict[str, Any]
"""What a file holds of one audit."""

LARGEST_SEED = 2**32
LEAST, MOST = -800.0, 1e9
"""Of the logarithm of a wealth: a night's is at least -700 (see `audit.engine.nights`), and the
weights of a million nights are not below e^-25."""


def wrong_in(record: object) -> str:
    """What is wrong with a record; empty if nothing is."""
    if not isinstance(record, dict):
        return "an audit is no object"
    wrong = _wrong_fields(record, FIELDS)
    if wrong:
        return wrong
    for night in record["nights"]:
        wrong = _wrong_fields(night, NIGHT)
        if wrong:
            return wrong
    lengths = len(record["log_invested"]), len(record["rejected"])
    if lengths[0] != lengths[1] or bool(record["nights"]) != bool(lengths[0]):
        return "nights, log_invested and rejected do not fit together"
    return ""


def _wrong_fields(record: object, fields: Mapping[str, Callable[[Any], bool]]) -> str:
    if not isinstance(record, dict) or record.keys() != fields.keys():
        return f"an object must have the keys {', '.join(fields)}"
    wrong = [name for name, fits in fields.items() if not fits(record[name])]
    return f"{wrong[0]} is of the wrong kind" if wrong else ""


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_wealth(value: Any) -> bool:
    return type(value) in {int, float} and math.isfinite(value) and LEAST <= value <= MOST


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_seed(value: Any) -> bool:
    return _is_count(value) and value < LARGEST_SEED


def _are(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


FIELDS: Mapping[str, Callable[[Any], bool]] = {
    "about": lambda value: isinstance(value, dict) and all(map(_is_text, value.values())),
    "seed": _is_seed,
    "nights": _are(lambda value: isinstance(value, dict)),
    "log_invested": _are(_is_wealth),
    "rejected": _are(lambda value: isinstance(value, bool)),
}
"""Of an audit."""

NIGHT: Mapping[str, Callable[[Any], bool]] = {
    "ended": _is_text,
    "samples": _is_count,
    "log_value": _is_wealth,
    "log_wealth": _is_wealth,
    "verdict": lambda value: isinstance(value, str) and value in set(Verdict),
}
"""Of one of its nights."""
