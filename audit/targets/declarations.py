"""What a mechanism's attributes say of its data and its draws, checked one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from audit.faults import attribute, reading
from mechanisms.claims import Order
from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_bounds, check_integer, shown


def _truth(value: Any) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise TypeError
    return bool(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _range(value: Any) -> Any:
    if value is None:
        return None
    low, high = _two(value)
    return check_bounds(low, high)


def _two(value: Any) -> tuple[Any, Any]:
    if not isinstance(value, tuple | list):
        raise TypeError
    first, second = value
    return first, second


def _pair(value: Any) -> Any:
    return None if value is None else _two(value)


def _count(value: Any) -> Any:
    return None if value is None else check_integer(value, "count", at_least=0)


READERS: Mapping[str, tuple[Callable[[Any], Any], str]] = {
    "order": (Order, f"one of {', '.join(Order)}"),
    "seedable": (_truth, "True or False"),
    "record_range": (_range, "a pair of numbers, or None"),
    "count": (_count, "an integer of at least 0, or None"),
    "counterexample": (_pair, "a pair of data sets, or None"),
    "placeholder": (_truth, "True or False"),
    "domain_source": (_text, "text"),
}
"""How each attribute is read, and what it must be."""


def declarations_of(
    mechanism: Any, *, order: Order | None = None, seedable: bool = True
) -> dict[str, Any]:
    """Attributes of a mechanism, by the names that `Target` has for them; only those it has.

    `mechanism`: the object. `order`: what the user says in its place. `seedable`: what it is where
    it does not say. Raises InvalidArgument if an attribute is none of what it must be. Raises
    TargetFault if it raises.
    """
    told: dict[str, Any] = {"seedable": seedable}
    for name, (read, must_be) in READERS.items():
        value = attribute(mechanism, name, _MISSING)
        if value is not _MISSING and (name != "order" or order is None):
            told[name] = _read(mechanism, name, value, read, must_be)
    return told | ({} if order is None else {"order": order})


_MISSING = object()


def _read(mechanism: Any, name: str, value: Any, read: Callable[[Any], Any], must_be: str) -> Any:
    with reading(mechanism, name):
        try:
            return read(value)
        except (TypeError, ValueError) as exc:
            msg = f"{name} must be {must_be}, got {shown(value)}"
            raise InvalidArgument(msg) from exc
