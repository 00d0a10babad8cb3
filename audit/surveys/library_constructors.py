"""The public constructors of a library: what a survey must have a row for."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from audit.declaration import declaration_of
from audit.targets.libraries.call_tables import CallTable
from audit.targets.libraries.library_imports import load_library
from mechanisms.errors import InvalidArgument

__all__ = ["constructors_of", "constructors_of_module"]

MAKERS = "make_"
"""How the constructors of OpenDP begin; modules without such names have others."""

BUDGET = "epsilon"
"""A parameter by which a class or a function of any module states a budget."""


def constructors_of(table: CallTable) -> list[str]:
    """Public classes and functions of the modules of a table, by the names of its calls.

    Raises MissingExtra if the library is not installed.
    """
    found: dict[str, None] = {}
    for name, prefix in table.modules.items():
        module = load_library(name, table.library)
        found |= {f"{prefix}{own}": None for own, _ in _public(module, table.library)}
    return list(found)


def _public(module: ModuleType, library: str) -> Iterator[tuple[str, Any]]:
    """Classes and functions that a module offers: those that begin as makers, if any do."""
    names = getattr(module, "__all__", None) or [n for n in dir(module) if not n.startswith("_")]
    things = [(name, getattr(module, name)) for name in names if not name.startswith("_")]
    own = [
        (name, thing)
        for name, thing in things
        if (inspect.isclass(thing) or inspect.isroutine(thing)) and _is_of(thing, module, library)
    ]
    makers = [(name, thing) for name, thing in own if name.startswith(MAKERS)]
    yield from makers or own


def _is_of(thing: Any, module: ModuleType, library: str) -> bool:
    """Whether it is defined in the module or below, or in the library's compiled part."""
    home = getattr(thing, "__module__", None) or ""
    compiled = home.startswith(f"_{library}") or f".{library}." in f".{home}."
    package = module.__name__.rpartition(".")[0]
    inside = home == module.__name__ or home.startswith(f"{module.__name__}.")
    return inside or (inspect.isclass(thing) and (compiled or home.startswith(f"{package}.")))


def constructors_of_module(name: str) -> dict[str, bool]:
    """Classes and functions of any module that state a budget, and whether they have a claim.

    Raises InvalidArgument if there is no such module.
    """
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        module = importlib.import_module(name)
    except Exception as exc:  # what a module does when it is imported is its own
        msg = f"library: the module {name!r} cannot be imported: {type(exc).__name__}: {exc}"
        raise InvalidArgument(msg) from exc
    found = {}
    for own, thing in sorted(vars(module).items()):
        is_ours = getattr(thing, "__module__", None) == name
        if own.startswith("_") or not is_ours or not callable(thing):
            continue
        claims = declaration_of(thing) is not None or hasattr(thing, "claim")
        if claims or BUDGET in _parameters(thing):
            found[own] = claims
    return found


def _parameters(thing: Any) -> set[str]:
    try:
        return set(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        return set()
