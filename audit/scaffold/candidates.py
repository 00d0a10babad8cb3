"""What of a module can be audited: functions of data, mechanisms and their classes.

A function is one of data if its first argument is called or annotated as data are. A mechanism has
a claim and a sampler; a class with `epsilon` and a sampler is one whose claim the entry states. The
rest of an entry comes from the arguments: `epsilon` and `delta` with
their defaults are the claim, `low` and `high` the bounds.
"""

from __future__ import annotations

import inspect
import numbers
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

from audit.declaration import declaration_of
from audit.faults import TargetFault, attribute, has

__all__ = ["AuditCandidate", "candidates_of"]

DATA_NAMES = frozenset(
    {
        *("data", "dataset", "database", "db", "records", "rows", "values", "xs", "x", "ys", "y"),
        *("samples", "sample", "observations", "obs", "array", "arr", "series", "points", "items"),
        *("entries", "users", "inputs", "df", "frame", "column", "population", "scores", "counts"),
        *("vector", "ages", "measurements", "private_data", "sensitive_data"),
    }
)
"""Names of a first argument that is data."""

DATA_TYPES = (
    *("ndarray", "NDArray", "ArrayLike", "Sequence", "Iterable", "Collection", "Series"),
    *("DataFrame", "list", "List", "tuple", "Tuple", "Array"),
)
"""What its annotation may hold."""

SCALARS = ("int", "float", "str", "bool", "complex", "Fraction", "Decimal")
"""Annotations of a single value."""

NAMES: Mapping[str, tuple[str, ...]] = {
    "epsilon": ("epsilon", "eps"),
    "delta": ("delta",),
    "low": ("low", "lower", "lo", "minimum"),
    "high": ("high", "upper", "hi", "maximum"),
}
"""Arguments that say what the key of an entry is."""
FILLED = ("size", "n", "rng", "seed", "random_state", "low", "high")
"""Arguments that an audit fills in."""

GUESSES: Mapping[str, Any] = {"epsilon": 1, "delta": 1e-6, "low": 0, "high": 1}
"""Where an argument has no default."""


@final
@dataclass(frozen=True, slots=True)
class AuditCandidate:
    """Something of a module that may be audited."""

    attribute: str
    keys: dict[str, Any]
    """Of an entry of the configuration, but for its target."""
    remarks: dict[str, str] = field(default_factory=dict)
    """What to know of a key, by key."""
    lacking: tuple[str, ...] = ()
    """Arguments that need a value, which nothing tells."""


def candidates_of(content: Mapping[str, Any]) -> Iterator[AuditCandidate]:
    """Go through the public names of a module.

    `content`: its namespace.
    """
    stated = content.get("__all__")
    for name, found in list(content.items()):
        if stated is not None and name not in stated:
            continue
        if stated is None and (name.startswith("_") or not _is_own(found, content)):
            continue
        if declaration_of(found) is not None:
            yield _of_declared(name, found)
        elif inspect.isclass(found):
            if _is_mechanism(found):
                yield _of_class(name, found)
            elif _has_sampler(found):
                yield _of_sampler(name, found)
        elif _is_mechanism(found):
            yield AuditCandidate(name, {})
        elif inspect.isfunction(found) and _takes_data(found):
            yield _of_function(name, found)


def _is_own(found: Any, content: Mapping[str, Any]) -> bool:
    """Whether something is of this module, and not imported by it."""
    kind = found if hasattr(found, "__module__") else type(found)
    own = getattr(kind, "__module__", None) == content.get("__name__")
    return own or (_is_mechanism(found) and not inspect.isclass(found))


def _is_mechanism(found: Any) -> bool:
    try:
        known = has(found, "claim") or "claim" in getattr(found, "__annotations__", {})
        return known and callable(attribute(found, "sample"))
    except TargetFault:  # where it has a claim, the trial says what it raises
        return inspect.getattr_static(found, "claim", None) is not None


def _has_sampler(kind: type[Any]) -> bool:
    """Whether a class has an epsilon, its own or an argument, and samples from data."""
    try:
        own = has(kind, "epsilon") or "epsilon" in getattr(kind, "__annotations__", {})
        known = own or "epsilon" in inspect.signature(kind).parameters
        sampler = inspect.getattr_static(kind, "sample", None)
        return known and inspect.isfunction(sampler) and _takes_data(sampler, skipped=1)
    except Exception:  # noqa: BLE001 - what cannot be looked at is none
        return False


def _takes_data(function: Callable[..., Any], skipped: int = 0) -> bool:
    if inspect.isgeneratorfunction(function):
        return False
    arguments = list(inspect.signature(function).parameters.values())[skipped:]
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if not arguments or arguments[0].kind not in kinds:
        return False
    first = arguments[0]
    annotation = inspect.formatannotation(first.annotation)
    if first.annotation is inspect.Parameter.empty:
        return first.name in DATA_NAMES
    if annotation.strip("'\"") in SCALARS:
        return False
    return first.name in DATA_NAMES or any(word in annotation for word in DATA_TYPES)


def _of_declared(name: str, found: Any) -> AuditCandidate:
    """Of what says itself what it promises; arguments of its own may lack a value."""
    arguments = list(inspect.signature(found).parameters.items())
    return AuditCandidate(
        name, {}, lacking=_lacking(dict(arguments[not inspect.isclass(found) :]), {})
    )


def _of_sampler(name: str, kind: type[Any]) -> AuditCandidate:
    """Of a class without a claim: as of a function whose arguments are those of its making."""
    return _of_arguments(name, dict(inspect.signature(kind).parameters))


def _of_function(name: str, function: Callable[..., Any]) -> AuditCandidate:
    return _of_arguments(name, dict(list(inspect.signature(function).parameters.items())[1:]))


def _of_arguments(name: str, arguments: Mapping[str, inspect.Parameter]) -> AuditCandidate:
    keys: dict[str, Any] = {}
    remarks: dict[str, str] = {}
    param: dict[str, Any] = {}
    for key in ("epsilon", "delta"):
        _claim(key, NAMES[key], arguments, (keys, remarks, param))
    if "epsilon" not in keys:
        keys["epsilon"] = GUESSES["epsilon"]
        remarks["epsilon"] = "a guess: say what the function promises"
    keys["relation"] = "add-remove"
    remarks["relation"] = 'one record more or less; or "swap": one record replaced'
    for key in ("low", "high"):
        _claim(key, NAMES[key], arguments, (keys, remarks, param))
        if key not in keys:
            keys[key] = GUESSES[key]
            remarks[key] = "a guess: public bounds of the records"
    if param:
        keys["param"] = param
    return AuditCandidate(name, keys, remarks, _lacking(arguments, param))


def _claim(
    key: str,
    names: tuple[str, ...],
    arguments: Mapping[str, inspect.Parameter],
    told: tuple[dict[str, Any], dict[str, str], dict[str, Any]],
) -> None:
    """Read one key from an argument: its default, or a guess that is passed on."""
    keys, remarks, param = told
    name = next((name for name in names if name in arguments), None)
    if name is None:
        return
    default = arguments[name].default
    if _is_number(default):
        keys[key] = _plain(default)
        remarks[key] = f"the default of its argument {name}"
    else:
        keys[key] = GUESSES[key]
        none = default is inspect.Parameter.empty
        why = "has no default" if none else "has a default that is no number"
        remarks[key] = f"a guess: its argument {name} {why}"
        if name not in FILLED:
            param[name] = GUESSES[key]


def _of_class(name: str, kind: type[Any]) -> AuditCandidate:
    arguments = dict(inspect.signature(kind).parameters)
    keys: dict[str, Any] = {}
    remarks: dict[str, str] = {}
    param: dict[str, Any] = {}
    for key in ("low", "high"):
        _claim(key, (key,), arguments, (keys, remarks, param))
    for guess in ("epsilon", "delta"):
        if guess in arguments and arguments[guess].default is inspect.Parameter.empty:
            param[guess] = GUESSES[guess]
    if param:
        keys["param"] = param
        remarks["param"] = "a guess: its own parameters; it makes its claim from them"
    return AuditCandidate(name, keys, remarks, _lacking(arguments, param))


def _lacking(
    arguments: Mapping[str, inspect.Parameter], param: Mapping[str, Any]
) -> tuple[str, ...]:
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return tuple(
        name
        for name, argument in arguments.items()
        if argument.default is inspect.Parameter.empty
        and argument.kind not in variable
        and name not in FILLED
        and name not in param
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _plain(value: Any) -> int | float | str:
    """A number as a configuration can hold it."""
    if isinstance(value, Fraction):
        return str(value)
    return int(value) if isinstance(value, numbers.Integral) else float(value)
