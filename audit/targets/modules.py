"""Objects of the user's: attributes of modules, of Python files and of notebooks.

The code runs as it does when it is imported: `__name__` is not "__main__", the command line is
empty, and what it prints goes to standard error, so that it is never part of a report.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

from audit.interrupts import is_asked_for
from audit.targets.libraries.call_tables import is_table
from audit.targets.notebooks import load_notebook
from audit.targets.refused_exits import exits_refused
from mechanisms.errors import InvalidArgument, close_names
from mechanisms.validation import shown

FILES = (".py", ".ipynb", ".toml")
"""Ends of the names of files whose attributes, or calls, can be targets."""

PROGRAM_HINT = (
    'what ends the program or reads the command line belongs under `if __name__ == "__main__":`'
)
PACKAGE_HINT = (
    "a module of a package is named as it is imported, package.module, where that is installed or "
    "lies in this folder"
)


def find_object(spec: str, known: Iterable[str] = ()) -> tuple[Any, tuple[str, ...]]:
    """Import what "pkg.mod:attr", "file.py:attr" or "notebook.ipynb:attr" names.

    `spec`: the part before the last colon is a module or a file; an attribute may be dotted.
    `known`: other names of targets: a message about one that is close to them names these. Returns
    `found`: the object. `notes`: what a reader of a report should know of the import. Raises
    InvalidArgument if there is no such thing, or importing it fails.
    """
    place, colon, attribute = spec.rpartition(":")
    if not (colon and place and attribute):
        msg = (
            f"unknown target {shown(spec)}: expected a registered name (see `touchstone list "
            "mechanisms`), pkg.mod:attribute, file.py:attribute or notebook.ipynb:attribute"
            f"{close_names(spec, known)}"
        )
        raise InvalidArgument(msg)
    notes: tuple[str, ...] = ()
    if is_table(place):
        from audit.targets.libraries.evaluation import called

        return called(place, attribute), notes
    with _as_imported(place):
        found: Any
        if place.endswith(".ipynb"):
            _put_first(_existing(place).resolve().parent)
            found, notes = load_notebook(Path(place))
        else:
            found = _file(_existing(place)) if place.endswith(".py") else _module(place)
    for part in attribute.split("."):
        try:
            found = getattr(found, part)
        except AttributeError as exc:
            msg = f"{place} has no attribute {shown(attribute)}"
            msg += close_names(part, [name for name in dir(found) if not name.startswith("_")])
            raise InvalidArgument(msg) from exc
    return found, notes


def library_of(found: Any) -> str | None:
    """Distribution of the module's root, if it is installed under that name and not ours."""
    from importlib.metadata import PackageNotFoundError, version

    root = (getattr(found, "__module__", None) or "").partition(".")[0]
    try:
        version(root)
    except (PackageNotFoundError, ValueError):
        return None
    return root


@contextmanager
def _as_imported(place: str) -> Iterator[None]:
    """Let code run without a command line, and print to standard error."""
    before = sys.argv
    sys.argv = [place]
    try:
        with redirect_stdout(sys.stderr), exits_refused():
            yield
    finally:
        sys.argv = before


def _existing(place: str) -> Path:
    path = Path(place)
    if not os.path.isfile(path):  # noqa: PTH113 - Path.is_file raises for names that are too long
        msg = f"there is no file {shown(place)}"
        raise InvalidArgument(msg)
    return path


def _module(name: str) -> ModuleType:
    _put_first(Path.cwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as exc:
        if exc.name is not None and (name == exc.name or name.startswith(f"{exc.name}.")):
            msg = f"there is no module {shown(name)} (looked in this folder and on sys.path)"
            raise InvalidArgument(msg) from exc
        raise _import_failure(name, exc) from exc
    except MemoryError:
        raise
    except BaseException as exc:  # as a library in Rust raises when it panics
        if isinstance(exc, KeyboardInterrupt) and is_asked_for():
            raise
        raise _import_failure(name, exc) from exc


def _file(path: Path) -> ModuleType:
    """The module of a file; one of this name that is another's, perhaps ours, stays as it is."""
    _put_first(path.resolve().parent)
    name = path.stem
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "__file__", None) != str(path.resolve()):
        name = f"_touchstone_target_{name}"
        loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "__file__", None) == str(path.resolve()):
        return loaded
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look the module up
    try:
        spec.loader.exec_module(module)
    except BaseException as exc:  # as a library in Rust raises when it panics
        del sys.modules[name]
        if isinstance(exc, MemoryError) or (isinstance(exc, KeyboardInterrupt) and is_asked_for()):
            raise
        raise _import_failure(str(path), exc) from exc
    return module


def _import_failure(place: str, exc: BaseException) -> InvalidArgument:
    hint = f"; {PROGRAM_HINT}" if isinstance(exc, SystemExit) else ""
    if isinstance(exc, ImportError) and "no known parent package" in str(exc):
        hint = f"; {PACKAGE_HINT}"
    return InvalidArgument(f"{place} cannot be imported: {type(exc).__name__}: {exc}{hint}")


def _put_first(folder: Path) -> None:
    if sys.path[:1] != [str(folder)]:
        sys.path.insert(0, str(folder))
