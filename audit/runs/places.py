"""Where a target stands: its file, seen from this folder, and the line of its definition.

A code host refuses a whole file of findings if one of them stands nowhere, so a registered name
stands in the installed module that defines it.
"""

from __future__ import annotations

import ast
import os
import sys
from functools import cache
from pathlib import Path
from urllib.parse import quote

from audit.results.document import Place

__all__ = ["place_of", "place_of_registered"]


def place_of(target: str) -> Place | None:
    """Find the file of "file.py:attr" or a notebook's, of "pkg.mod:attr", or of a path.

    `target`: as the user gave it. Nothing is imported: a module counts if it is loaded. Returns:
    None for a registered name, and for a module that lies elsewhere.
    """
    name, colon, attribute = target.rpartition(":")
    if not colon:
        name, attribute = target, ""
    if name.endswith((".py", ".ipynb")) or not colon:
        path = Path(name)
    else:
        found = getattr(sys.modules.get(name), "__file__", None)
        if found is None or not Path(found).is_relative_to(Path.cwd()):
            return None
        path = Path(found)
    try:
        if not path.is_file():
            return None
    except OSError:  # a word of a command may be longer than any name of a file
        return None
    return Place(_uri(path), _line(path, attribute) if attribute else None, attribute)


def place_of_registered(name: str) -> Place | None:
    """Find the module that defines a registered mechanism, an adapter or a name of the corpus.

    `name`: any other name has no place.
    """
    from audit.targets.libraries.adapters import ADAPTERS
    from mechanisms.corpus.registry import CORPUS
    from mechanisms.registry import MECHANISMS, NOISES

    for registry in (MECHANISMS, NOISES, ADAPTERS, CORPUS):
        if name in registry:
            module, _, attribute = registry[name].path.partition(":")
            break
    else:
        return None
    path, line = _defined(module, attribute)
    return None if path is None else Place(_uri(path), line, attribute)


@cache  # an installed module is read once
def _defined(module: str, attribute: str) -> tuple[Path | None, int | None]:
    from importlib.util import find_spec

    spec = find_spec(module)
    if spec is None or spec.origin is None or not Path(spec.origin).is_file():
        return None, None
    path = Path(spec.origin)
    return path, _line(path, attribute)


def _uri(path: Path) -> str:
    seen = Path(os.path.relpath(path.resolve(), Path.cwd().resolve()))
    if ".." in seen.parts:
        return path.resolve().as_uri()
    return quote(seen.as_posix())


def _line(path: Path, attribute: str) -> int | None:
    """Line of the last definition of a dotted name; a file that cannot be read has none."""
    try:
        tree: ast.AST = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    line = None
    for part in attribute.split("."):
        defined = [node for node in ast.iter_child_nodes(tree) if part in _names(node)]
        if not defined:
            return line
        tree = defined[-1]
        line = getattr(tree, "lineno", None)
    return line


def _names(node: ast.AST) -> list[str]:
    """Names that a statement defines."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign():
            return [target.id for target in node.targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []
