"""Whether a value is of the kind that a class states for its field."""

from __future__ import annotations

import types
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from audit.engine.archive.classes import name_of

__all__ = ["fits", "kinds_of"]

LISTS = (list, Sequence, Collection)
SETS = (set, frozenset, AbstractSet)
MAPPINGS = (dict, Mapping)


def kinds_of(record: type[Any]) -> Mapping[str, Any]:
    """The kind of each field of a dataclass."""
    key: Any = record  # mypy does not see that classes can be hashed
    return _kinds_of(key)


@cache
def _kinds_of(record: type[Any]) -> Mapping[str, Any]:
    hints = get_type_hints(record)
    return {f.name: hints[f.name] for f in fields(record)}


def fits(value: Any, kind: Any) -> bool:
    """Whether a value is of a kind, with all that it holds."""
    kind = _without_aliases(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any:
        return True
    if kind is None:
        return value is None
    if origin in {Union, types.UnionType}:
        return any(fits(value, one) for one in arguments)
    if origin is Literal:
        return any(type(value) is type(one) and value == one for one in arguments)
    if origin is np.ndarray:
        return isinstance(value, np.ndarray) and _fits_numbers(value, arguments[-1])
    if origin is tuple:
        return isinstance(value, tuple) and _fits_places(value, arguments)
    if origin in LISTS:
        return isinstance(value, list | tuple) and all(fits(x, arguments[0]) for x in value)
    if origin in SETS:
        return isinstance(value, set | frozenset) and all(fits(x, arguments[0]) for x in value)
    if origin in MAPPINGS:
        of_key, of_value = arguments
        return isinstance(value, dict) and all(
            fits(key, of_key) and fits(x, of_value) for key, x in value.items()
        )
    return _fits_class(value, origin or kind)


def _without_aliases(kind: Any) -> Any:
    """What a name for a kind stands for.

    From numpy 2.5 on `NDArray` is such a name where Python has them (3.12); before it was the array
    itself.
    """
    while hasattr(kind, "__value__"):  # of a name with arguments it is found through them
        arguments = get_args(kind)
        kind = kind.__value__[arguments] if arguments else kind.__value__
    return kind


def _fits_class(value: Any, kind: Any) -> bool:
    if kind is float:
        return type(value) in {float, int}  # as everywhere in Python
    if kind in {int, bool}:
        return type(value) is kind
    if getattr(kind, "_is_protocol", False):
        members = (name for name in _members(kind) if not name.startswith("_"))
        return name_of(type(value)) is not None and all(hasattr(value, name) for name in members)
    return isinstance(kind, type) and isinstance(value, kind)


@cache
def _members(protocol: Any) -> frozenset[str]:
    return frozenset(
        name
        for base in protocol.__mro__
        if getattr(base, "_is_protocol", False)
        for name in (*vars(base), *vars(base).get("__annotations__", {}))
    )


def _fits_numbers(value: np.ndarray[Any, Any], dtype: Any) -> bool:
    (scalar,) = get_args(dtype)
    return scalar is Any or np.issubdtype(value.dtype, scalar)


def _fits_places(value: tuple[Any, ...], kinds: tuple[Any, ...]) -> bool:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return all(fits(x, kinds[0]) for x in value)
    return len(value) == len(kinds) and all(map(fits, value, kinds))
