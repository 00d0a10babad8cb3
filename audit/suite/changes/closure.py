"""All files that a target may run: its own, and what these import, and so on.

Read from the sources, over the files of the project only: what is installed has a version. In
doubt a target is not followed: `unseen` says why.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import final

from audit.suite.changes.source_imports import candidates, read_source

__all__ = ["Closure", "closure_of", "is_installed", "loaded_files", "real"]

INSTALLED = ("stdlib", "platstdlib", "purelib", "platlib")


@final
@dataclass(frozen=True, slots=True)
class Closure:
    """What a target may run."""

    start: Path | None
    """The target's file; None where it has none, or none that can be found."""
    files: frozenset[Path]
    """Files of the project, and places where there is none but an import would look."""
    libraries: frozenset[str]
    """First parts of the names of modules that are none of the project's."""
    unseen: str = ""
    """Why this is not all; empty if it is."""

    @property
    def present(self) -> tuple[Path, ...]:
        """Files that are there, in order."""
        return tuple(sorted(path for path in self.files if path.is_file()))


def real(path: Path) -> Path:
    """A path without links, and with the folder it is seen from."""
    return Path(os.path.realpath(path))


def is_installed(path: Path) -> bool:
    """Whether a file belongs to Python, or to an installed distribution."""
    return _belongs(path) or _belongs(real(path))


def _belongs(path: Path) -> bool:
    parts = path.parts
    named = "site-packages" in parts or "dist-packages" in parts
    return named or any(parts[: len(home)] == home for home in _homes())


@cache
def _homes() -> frozenset[tuple[str, ...]]:
    return frozenset(real(Path(sysconfig.get_path(name))).parts for name in INSTALLED)


def closure_of(target: str, folder: Path) -> Closure:
    """Follow the imports of a target.

    `target`: as for `audit.targets.load.load_target`. `folder`: the working folder.
    """
    place = _module_of(target).rpartition(":")[0]
    roots = [real(folder)]
    if place.endswith(".ipynb"):
        start = real(folder / place)
        return Closure(start, frozenset({start}), frozenset(), f"{place} is not followed")
    if place.endswith(".py"):
        start = real(folder / place)
        roots.insert(0, start.parent)
    else:
        found = _start(place, _roots(roots)) if place else None
        if found is None:
            return Closure(None, frozenset(), frozenset(), f"{target} has no file to follow")
        start = found
    if is_installed(start):
        return Closure(start, frozenset(), frozenset({place.partition(".")[0]}))
    return _followed(start, _roots(roots), frozenset(_packages(start, place)))


def _module_of(target: str) -> str:
    """Where a registered name is defined, as "module:attribute"; other targets are as they are."""
    from audit.targets.libraries.adapters import ADAPTERS
    from mechanisms.corpus.registry import CORPUS
    from mechanisms.registry import MECHANISMS

    for registry in (MECHANISMS, ADAPTERS, CORPUS):
        if target in registry:
            return str(registry[target].path)
    return target


def _roots(first: Sequence[Path]) -> list[Path]:
    """Folders from which imports are made, those with installed distributions left out."""
    every = [*first, *(real(Path(entry or ".")) for entry in sys.path)]
    return [root for root in dict.fromkeys(every) if root.is_dir() and not is_installed(root)]


def _start(module: str, roots: Sequence[Path]) -> Path | None:
    loaded = getattr(sys.modules.get(module), "__file__", None)
    if loaded is not None:
        return real(Path(loaded))
    for root in roots:
        for path in reversed(list(candidates(root, module))[-2:]):  # a package comes first
            if path.is_file():
                return real(path)
    return None


def _packages(start: Path, module: str) -> list[Path]:
    """The `__init__` files that run before a module of this name; none for a file by path."""
    if module.endswith(".py"):
        return []
    parts = module.split(".")
    home = start.parent if start.name == "__init__.py" else start.with_suffix("")
    root = home.parents[len(parts) - 1]
    return [root.joinpath(*parts[:n], "__init__.py") for n in range(1, len(parts))]


def _followed(start: Path, roots: Sequence[Path], first: frozenset[Path]) -> Closure:
    files: set[Path] = {start, *first}
    names: set[str] = set()
    unseen = ""
    waiting = [path for path in (start, *first) if path.is_file()]
    done: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in done or path.suffix != ".py":
            continue
        done.add(path)
        source = read_source(path, roots)
        names |= source.names
        unseen = unseen or source.unseen
        waiting += [real(found) for found in source.files - files if found.is_file()]
        files |= source.files
    own = {
        name
        for name in names
        if any((root / f"{name}.py").is_file() or (root / name).is_dir() for root in roots)
    }
    return Closure(start, frozenset(files | done), frozenset(names - own), unseen)


def loaded_files() -> frozenset[Path]:
    """Files of all modules that were imported so far and are not installed."""
    found = set()
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and not is_installed(Path(file)):
            found.add(real(Path(file)))
    return frozenset(found)
