"""Results as JSON has them, and read again: both follow from the types of their fields.

A dataclass is an object with a key for each field; what its types do not say stands in the
`metadata` of a field, or in a `JsonForm` of its class:

* `key`: the name in JSON, where it is another one.
* `columns`: names of the parts of a tuple, which is then an object.
* `mapping`: pairs of a name and a value are an object.
* `flat`: the keys of an inner object stand among those of the outer one.
* `form`: the name of a `JsonForm`.
* `digits`: significant digits that are kept; `places`: decimals.
* `kept`: False for what no report has.

A pair of fractions is an enclosure, an object of its two ends. Numbers are finite: an infinite one
is "inf", exact ones are texts such as "1/10" (`audit.files.plain`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from dataclasses import field as dataclass_field
from enum import Enum
from fractions import Fraction
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, cast, final, get_args, get_origin, get_type_hints

from audit.files.plain import ends_record, plain

__all__ = ["Codec", "JsonForm", "Unlike", "hints_of", "is_ends", "kept_fields", "value_as"]

MOST_CHARACTERS = 4_000
"""Of an exact number: `Fraction` would compute "1e1000000000"."""

TINY = re.compile(r"-?[0-9]\.[0-9]+E-(0|1?[0-9]{1,6})")
"""An end of an enclosure that has too many digits to be exact (`audit.files.plain.ends_record`)."""

NOT_FINITE = ("nan", "inf", "-inf")

ENDS = ("lower", "upper")

LATER = {"Certificate": object, "ClaimResult": object, "Mismatch": object}
"""Names that modules import for type checkers alone; the form of the field writes and reads it."""


class Unlike(ValueError):
    """A value that the type never wrote; the message says where."""


@final
@dataclass(frozen=True, slots=True)
class JsonForm:
    """How values are written and read whose fields do not say it.

    Parameters
    ----------
    write : callable
        From the value to what JSON has.
    read : callable
        Back; what it raises is a fault of the file.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


Computed = Mapping[str, tuple[Callable[[Any], Any], Any]]
"""Keys that follow from the fields: by name what computes them, and the type of it."""


@final
@dataclass(frozen=True, slots=True)
class Codec:
    """Writes and reads values by their types.

    Parameters
    ----------
    forms : dict
        By class, or by the name that a field has for one.
    computed : dict
        By class: what is written besides its fields, and never read.
    """

    forms: Mapping[type | str, JsonForm] = dataclass_field(default_factory=dict)
    computed: Mapping[type, Computed] = dataclass_field(default_factory=dict)

    def write(self, hint: Any, value: Any, told: Mapping[str, Any] | None = None) -> Any:
        """Write a value of a type; `told`: the metadata of its field."""
        told = told or {}
        if value is None:
            return None
        form = self._form(hint, told)
        if form is not None:
            return form.write(value)
        if _is_union(hint):
            return self.write(_member(hint, value), value, told)
        if get_origin(hint) is tuple:
            return self._write_tuple(hint, value, told)
        if is_dataclass(hint) and not isinstance(value, type):
            return self._write_fields(cast("type", hint), value)
        if isinstance(value, Enum):
            return value.value
        if isinstance(value, float) and "digits" in told:
            return plain(float(f"{value:.{told['digits']}g}"))
        if isinstance(value, float) and "places" in told:
            return plain(round(value, told["places"]))
        return plain(value)

    def _form(self, hint: Any, told: Mapping[str, Any]) -> JsonForm | None:
        return self.forms.get(told.get("form", hint)) if isinstance(hint, Hashable) else None

    def _write_tuple(self, hint: Any, value: Any, told: Mapping[str, Any]) -> Any:
        hints = get_args(hint)
        if told.get("mapping"):
            return {name: self.write(get_args(hints[0])[1], one) for name, one in value}
        if hints[-1] is ...:
            return [self.write(hints[0], one, told) for one in value]
        if "columns" in told:
            rows = zip(told["columns"], hints, value, strict=True)
            return {name: self.write(part, one) for name, part, one in rows}
        if is_ends(hint):
            return ends_record(value)
        return [self.write(part, one) for part, one in zip(hints, value, strict=True)]

    def _write_fields(self, kind: type, value: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for part, key, hint in kept_fields(kind):
            written = self.write(hint, getattr(value, part.name), part.metadata)
            found |= written if part.metadata.get("flat") else {key: written}
        for name, (compute, hint) in self.computed.get(kind, {}).items():
            found[name] = self.write(hint, compute(value))
        return found

    def read(self, hint: Any, value: Any, where: str, told: Mapping[str, Any] | None = None) -> Any:
        """Read a value of a type: a dataclass, exact or other number, text, tuple, or None.

        `where`: name of the value, for the message. Raises Unlike if the type did not write it.
        """
        told = told or {}
        if hint in (Any, object):
            return _with_numbers(value)
        if value is None and type(None) in get_args(hint):
            return None
        form = self._form(hint, told)
        if form is not None:
            return form.read(value)
        if get_origin(hint) in (dict, Mapping):
            return _mapping(value, where)
        if _is_union(hint):
            return self._one_of(get_args(hint), value, where, told)
        if get_origin(hint) is tuple:
            return self._read_tuple(hint, value, where, told)
        if is_dataclass(hint):
            return self._read_fields(cast("type", hint), value, where)
        return _scalar(hint, value, where)

    def _one_of(
        self, hints: tuple[Any, ...], value: Any, where: str, told: Mapping[str, Any]
    ) -> Any:
        reasons = []
        for hint in hints:
            if hint is not type(None):
                try:
                    return self.read(hint, value, where, told)
                except Unlike as exc:
                    reasons.append(str(exc))
        raise Unlike("; ".join(reasons) or f"{where} is {value!r:.100}")

    def _read_tuple(self, hint: Any, value: Any, where: str, told: Mapping[str, Any]) -> Any:
        hints = get_args(hint)
        if told.get("mapping"):
            pairs = _mapping(value, where).items()
            return tuple((name, self.read(get_args(hints[0])[1], v, where)) for name, v in pairs)
        if hints[-1] is ...:
            rows = _list(value, where)
            return tuple(self.read(hints[0], one, where, told) for one in rows)
        names = told.get("columns", ENDS if is_ends(hint) else None)
        if names is not None and isinstance(value, Mapping) and set(value) == set(names):
            value = [value[name] for name in names]
        parts = _list(value, where)
        if len(hints) != len(parts):
            msg = f"{where} must have {len(hints)} parts, got {len(parts)}"
            raise Unlike(msg)
        return tuple(self.read(h, one, where) for h, one in zip(hints, parts, strict=True))

    def _read_fields(self, kind: type, value: Any, where: str) -> Any:
        value = _mapping(value, where)
        found = {}
        for part, key, hint in kept_fields(kind):
            if part.metadata.get("flat"):
                found[part.name] = self.read(hint, value, where)
            elif key in value:
                name = f"{where}.{key}"
                found[part.name] = self.read(hint, value[key], name, part.metadata)
            else:
                msg = f"{where} has no {key}"
                raise Unlike(msg)
        return kind(**found)


def value_as(hint: Any, value: Any, where: str) -> Any:
    """Read a value whose type says all."""
    return Codec().read(hint, value, where)


@cache
def hints_of(kind: type) -> Mapping[str, Any]:
    """Types of the fields of a class."""
    return get_type_hints(kind, localns=LATER)


def kept_fields(kind: type) -> Iterator[tuple[Field[Any], str, Any]]:
    """Fields that a report has, their keys, and their types."""
    hints = hints_of(kind)
    for part in fields(kind):
        if part.metadata.get("kept", True):
            yield part, part.metadata.get("key", part.name), hints[part.name]
        elif part.default is MISSING and part.default_factory is MISSING:
            msg = f"{kind.__name__}.{part.name} is in no report, and has no default"
            raise TypeError(msg)


def is_ends(hint: Any) -> bool:
    """Whether a type is that of an enclosure."""
    return get_args(hint) == (Fraction, Fraction)


def _is_union(hint: Any) -> bool:
    return isinstance(hint, UnionType) or get_origin(hint) is Union


def _member(hint: Any, value: Any) -> Any:
    """Which type of a union a value is of."""
    kinds = [kind for kind in get_args(hint) if kind is not type(None)]
    for kind in kinds:
        if kind is type(value) or get_origin(kind) is type(value):
            return kind
    return kinds[0] if len(kinds) == 1 else Any


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        msg = f"{where} must be an object, got {value!r:.100}"
        raise Unlike(msg)
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        msg = f"{where} must be a list, got {value!r:.100}"
        raise Unlike(msg)
    return value


def _with_numbers(value: Any) -> Any:
    """A value of no type whose numbers are numbers again where JSON has none for them."""
    if isinstance(value, list):
        return [_with_numbers(one) for one in value]
    # a text of a user's that reads so is shown without its quotes
    return float(value) if isinstance(value, str) and value in NOT_FINITE else value


def _scalar(hint: Any, value: Any, where: str) -> Any:
    try:
        if hint is Fraction and isinstance(value, str) and len(value) <= MOST_CHARACTERS:
            if set(value) <= set("-0123456789/") or TINY.fullmatch(value):
                return Fraction(value)
        elif hint is float and (value in NOT_FINITE or _is_number(value)):
            return float(value)
        elif (hint in (int, str, bool) and type(value) is hint) or (
            get_origin(hint) is Literal and value in get_args(hint)
        ):
            return value
        elif isinstance(hint, type) and issubclass(hint, Enum) and isinstance(value, int | str):
            return hint(value)
    except (ValueError, ZeroDivisionError, OverflowError) as exc:
        msg = f"{where} is {value!r:.100}: {exc}"
        raise Unlike(msg) from exc
    msg = f"{where} must be {getattr(hint, '__name__', hint)}, got {value!r:.100}"
    raise Unlike(msg)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
