"""What of a module can be audited: functions of data, mechanisms and their classes.

A function is one of data if its first argument is called or annotated as data are. A mechanism has
a claim and a sampler; a class with `epsilon` and a sampler is one whose claim the entry states. The
rest of an entry comes from the arguments: `epsilon` and `delta` with
their defaults are the claim, `low` and `high` the bounds. Other public functions and classes are
candidates too, with the reason why they were not taken: none is passed over in silence.
"""

from __future__ import annotations

import ast
import inspect
import numbers
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, final

from audit.declaration import declaration_of
from audit.faults import TargetFault, attribute, has
from audit.scaffold.configuration_text import DEFAULT
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown

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

TABLES = ("df", "frame", "dataframe", "table")
LABELS = ("labels", "categories", "names", "words", "tokens", "texts", "strings")
"""Names of a first argument that is a table, or the texts of one column."""

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
    reason: str = ""
    """Why it was not taken; empty if it was."""
    takes: str = ""
    """The form of a table that its first argument seems to be, a word of `takes`; else empty."""


def candidates_of(content: Mapping[str, Any]) -> Iterator[AuditCandidate]:
    """Go through the public names of a module.

    `content`: its namespace.
    """
    stated = content.get("__all__")
    if stated is not None and not isinstance(stated, list | tuple | set | frozenset):
        msg = f"__all__ must be a list of names, got {shown(stated)}"
        raise InvalidArgument(msg)
    made, imported = _bound_names(content)
    for name, found in list(content.items()):
        if stated is not None and name not in stated:
            continue
        if stated is None:
            here = name not in imported and (name in made or isinstance(found, partial))
            if name.startswith("_") or not (here or _is_own(found, content)):
                continue
        candidate = _candidate(name, found)
        if candidate is not None:
            yield candidate


def _candidate(name: str, found: Any) -> AuditCandidate | None:
    """What a name is good for; None where it is no release at all."""
    if declaration_of(found) is not None:
        return _of_declared(name, found)
    if inspect.isclass(found):
        if _is_mechanism(found):
            return _of_class(name, found)
        if _has_sampler(found):
            return _of_sampler(name, found)
        if issubclass(found, BaseException | Enum | tuple):
            return None
        return replace(_of_arguments(name, _arguments(found)), reason=NO_SAMPLER)
    if _is_mechanism(found):
        return AuditCandidate(name, {})
    if not callable(found) or type(found).__module__ == "typing":  # an alias, a NewType
        return None
    arguments = _arguments(found)
    rest = dict(list(arguments.items())[1:])
    candidate = replace(_of_arguments(name, rest), reason=_why_not(found, arguments))
    first = next(iter(arguments.values()), None)
    return candidate if first is None else replace(candidate, takes=_form(first))


NO_SAMPLER = "a class needs an epsilon, and a method sample whose first argument is data"


def _why_not(function: Any, arguments: Mapping[str, inspect.Parameter]) -> str:
    """Why a function is not taken for a release; empty if it is."""
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        return "it is a generator: return the whole answer at once"
    first = next(iter(arguments.values()), None)
    if first is None:
        return "it has no argument, and so no data"
    if first.kind not in POSITIONAL:
        return f"first argument `{first}`: the data must be one argument, given by its place"
    if _is_data(first):
        return ""
    annotated = first.annotation is not inspect.Parameter.empty
    words = str(first.replace(default=inspect.Parameter.empty)) if annotated else first.name
    return f"first argument `{words}`: is it data? Then uncomment its entry"


def _form(first: inspect.Parameter) -> str:
    """The word of `takes` for what a first argument seems to be; "" for numbers."""
    annotation = inspect.formatannotation(first.annotation)
    if first.name in TABLES or "DataFrame" in annotation:
        return "pandas"
    return "values" if first.name in LABELS or "str]" in annotation else ""


def _arguments(found: Any) -> dict[str, inspect.Parameter]:
    """Arguments by name; none where they cannot be read."""
    try:
        return dict(inspect.signature(found).parameters)
    except Exception:  # noqa: BLE001 - code of a user's, or written in C
        return {}


def _bound_names(content: Mapping[str, Any]) -> tuple[set[str], set[str]]:
    """Names that the source of a module defines, and that it imports; none without a source.

    What a decorator returns may say that it comes from the decorator's module, and a partial
    function says nothing of where it was made.
    """
    try:
        nodes = list(ast.walk(ast.parse(Path(content["__file__"]).read_bytes())))
    except Exception:  # noqa: BLE001 - a notebook, a module in C
        return set(), set()
    made = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    imports = (node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    return made, {alias.asname or alias.name for node in imports for alias in node.names}


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
        arguments = list(inspect.signature(sampler).parameters.values())[1:]
        drawn = inspect.isfunction(sampler) and not inspect.isgeneratorfunction(sampler)
        return known and drawn and _is_data(arguments[0])
    except Exception:  # noqa: BLE001 - what cannot be looked at is none
        return False


POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _is_data(first: inspect.Parameter) -> bool:
    """Whether a first argument is called or annotated as data are."""
    if first.kind not in POSITIONAL:
        return False
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
        remarks[key] = f"{DEFAULT} {name}"
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
