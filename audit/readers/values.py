"""JSON values as the types that wrote them: the inverse of `audit.plain`, by type hints."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

__all__ = ["Unlike", "value_as"]

T = TypeVar("T")

MOST_CHARACTERS = 4_000
"""Of an exact number: `Fraction` would compute "1e1000000000"."""


TINY = re.compile(r"-?[0-9]\.[0-9]+E-(0|1?[0-9]{1,6})")
"""An end of an enclosure that has too many digits to be exact (`audit.plain.ends_record`)."""


class Unlike(ValueError):
    """A value that the type never wrote; the message says where."""


def value_as(hint: Any, value: Any, where: str) -> Any:
    """Read a value of a type: a dataclass, exact or other number, text, tuple, or None.

    `where`: name of the value, for the message. Raises Unlike if the type did not write it.
    """
    if hint in (Any, object) or (
        isinstance(hint, type) and is_dataclass(value) and type(value) is hint
    ):
        return value
    if get_origin(hint) in (dict, Mapping):
        if not isinstance(value, Mapping):
            msg = f"{where} must be an object, got {value!r:.100}"
            raise Unlike(msg)
        return value
    if isinstance(hint, UnionType) or get_origin(hint) is Union:
        return _one_of(get_args(hint), value, where)
    if get_origin(hint) is tuple:
        return _tuple(get_args(hint), value, where)
    if is_dataclass(hint):
        return _made(hint, value, where)
    return _scalar(hint, value, where)


def _one_of(hints: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and type(None) in hints:
        return None
    reasons = []
    for hint in hints:
        if hint is not type(None):
            try:
                return value_as(hint, value, where)
            except Unlike as exc:
                reasons.append(str(exc))
    raise Unlike("; ".join(reasons) or f"{where} is {value!r}")


def _tuple(hints: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if isinstance(value, Mapping) and set(value) == {"lower", "upper"}:
        value = [value["lower"], value["upper"]]  # ends of an enclosure
    if not isinstance(value, list):
        msg = f"{where} must be a list, got {value!r:.100}"
        raise Unlike(msg)
    each = [hints[0]] * len(value) if hints[-1] is ... else list(hints)
    if len(each) != len(value):
        msg = f"{where} must have {len(each)} parts, got {len(value)}"
        raise Unlike(msg)
    return tuple(value_as(hint, one, where) for hint, one in zip(each, value, strict=True))


def _made(kind: Any, value: Any, where: str) -> Any:
    if not isinstance(value, Mapping):
        msg = f"{where} must be an object, got {value!r:.100}"
        raise Unlike(msg)
    hints = get_type_hints(kind)
    found = {}
    for part in fields(kind):
        if part.name in value:
            found[part.name] = value_as(hints[part.name], value[part.name], f"{where}.{part.name}")
        elif part.default is MISSING and part.default_factory is MISSING:
            msg = f"{where} has no {part.name}"
            raise Unlike(msg)
    return kind(**found)


def _scalar(hint: Any, value: Any, where: str) -> Any:
    try:
        if hint is Fraction and isinstance(value, str) and len(value) <= MOST_CHARACTERS:
            if set(value) <= set("-0123456789/") or TINY.fullmatch(value):
                return Fraction(value)
        elif hint is float and (value in ("inf", "-inf", "nan") or _is_number(value)):
            return float(value)
        elif hint in (int, str, bool) and type(value) is hint:
            return value
        elif isinstance(hint, type) and issubclass(hint, str) and isinstance(value, str):
            return hint(value)
    except (ValueError, ZeroDivisionError, OverflowError) as exc:
        msg = f"{where} is {value!r:.100}: {exc}"
        raise Unlike(msg) from exc
    msg = f"{where} must be {getattr(hint, '__name__', hint)}, got {value!r:.100}"
    raise Unlike(msg)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
