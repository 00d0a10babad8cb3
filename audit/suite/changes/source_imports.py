"""What one Python file imports, and where that may lie, read from its syntax tree.

A dotted name a.b.c runs a, a.b and a.b.c, each a file or a package's `__init__`, in any of the
folders from which imports are made. Files that are not there are named too: a module that was
deleted was imported until then, and one that is new comes before one of the same name elsewhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

__all__ = ["SourceFile", "candidates", "read_source"]

BUILT_IN = frozenset({"__import__", "exec", "eval"})
"""Functions that run what a text says; as attributes these names mean other things."""

BY_NAME = frozenset(
    {
        *("import_module", "exec_module", "load_module", "spec_from_file_location", "reload"),
        *("SourceFileLoader", "run_path", "run_module", "iter_modules", "walk_packages"),
        *("entry_points", "iter_entry_points", "load_source", "zipimporter", "addsitedir"),
        *("meta_path", "path_hooks"),
    }
)
"""What imports code that its place in the source does not name."""

PROGRAMS = frozenset(
    {"popen", "Popen", "check_output", "check_call", "execv", "execve", "execvp", "posix_spawn"}
)
"""What starts another program, which may be a file of the project."""

SUSPECTS = frozenset({"subprocess", "runpy", "imp", "zipimport", "pkgutil"})
"""Modules that are imported for one of these."""


@final
@dataclass(frozen=True, slots=True)
class SourceFile:
    """What a file imports."""

    files: frozenset[Path] = frozenset()
    """Where modules that it imports may lie, whether or not there is anything."""
    names: frozenset[str] = frozenset()
    """First parts of absolute imports."""
    unseen: str = ""
    """Why the imports are not all; empty if they are."""


@final
@dataclass(slots=True)
class _Found:
    files: set[Path] = field(default_factory=set)
    names: set[str] = field(default_factory=set)


def read_source(path: Path, roots: Sequence[Path]) -> SourceFile:
    """Read what a file imports, at its top or within its functions.

    `path`: a file of Python. `roots`: folders from which absolute imports are made.
    """
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError) as exc:
        return SourceFile(unseen=f"{path.name} cannot be read ({type(exc).__name__})")
    found = _Found()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    _add(found, alias.name, roots)
            case ast.ImportFrom():
                _add_from(found, node, path, roots)
    doubts = sorted(doubt for node in ast.walk(tree) if (doubt := _doubt(node)))
    unseen = f"{path.name} {doubts[0][1]} (line {doubts[0][0]})" if doubts else ""
    return SourceFile(frozenset(found.files), frozenset(found.names), unseen)


def _add(found: _Found, dotted: str, roots: Sequence[Path]) -> None:
    found.names.add(dotted.partition(".")[0])
    for root in roots:
        found.files |= set(candidates(root, dotted))


def _add_from(found: _Found, node: ast.ImportFrom, path: Path, roots: Sequence[Path]) -> None:
    """Add what `from x import y` may run: x, and y where that is a module."""
    folders: Sequence[Path] = roots
    if node.level:
        folders = [path.parents[node.level - 1]] if node.level <= len(path.parents) else []
        for folder in folders:
            found.files.add(folder / "__init__.py")
    elif node.module:
        found.names.add(node.module.partition(".")[0])
    for folder in folders:
        inside = folder
        if node.module:
            found.files |= set(candidates(folder, node.module))
            inside = folder.joinpath(*node.module.split("."))
        for alias in node.names:
            if alias.name == "*":  # it imports what the package's __all__ names
                found.files |= set(inside.glob("*.py"))
            else:
                found.files |= set(candidates(inside, alias.name))


def candidates(root: Path, dotted: str) -> Iterator[Path]:
    """Files that an import of a dotted name from a folder may run."""
    place = root
    for part in dotted.split("."):
        place = place / part
        yield place.with_name(f"{part}.py")
        yield place / "__init__.py"


def _doubt(node: ast.AST) -> tuple[int, str] | None:
    """Line and words of what may run code that nothing names; None where nothing does."""
    match node:
        case ast.Name(id=name) if name in BUILT_IN:
            names = {name}
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in BY_NAME | PROGRAMS:
            names = {name}
        case ast.Import(names=aliases):
            names = {alias.name.partition(".")[0] for alias in aliases} & SUSPECTS
        case ast.ImportFrom(module=module, names=aliases, level=0):
            own = {(module or "").partition(".")[0]} & SUSPECTS
            names = own | {alias.name for alias in aliases} & (BY_NAME | PROGRAMS)
        case ast.Attribute(value=ast.Name(id="sys"), attr="path"):
            return node.lineno, "uses sys.path"
        case ast.Attribute(value=ast.Name(id="os"), attr="system"):
            names = {"system"}
        case _:
            return None
    if not names:
        return None
    assert isinstance(node, ast.expr | ast.stmt)
    name = min(names)
    does = (
        "runs other programs"
        if name in PROGRAMS | {"subprocess", "system"}
        else ("runs code that it does not name")
    )
    return node.lineno, f"{does}, by {name}"
