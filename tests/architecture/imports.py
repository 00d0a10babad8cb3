"""Find the imports of a module and hold them against the table of layers."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import final

from tests.architecture.rules import (
    DOORS,
    EMPTY,
    INSIDE_FUNCTIONS,
    LAYERS,
    NEVER,
    PLAIN,
    Layer,
)
from tests.architecture.sources import PACKAGES, Module


@final
@dataclass(frozen=True, slots=True)
class Import:
    """One import: absolute name, line, and whether it waits (in a function, or for types only)."""

    name: str
    line: int
    inside: bool


def imports(tree: ast.AST, module: str, *, is_package: bool = False) -> Iterator[Import]:
    """Every import of a module; `from a import b` is the import of `a.b`."""
    found: list[Import] = []
    _walk(tree, module if is_package else module.rpartition(".")[0], found, inside=False)
    return iter(found)


@cache
def imports_of(module: Module) -> tuple[Import, ...]:
    """Every import of a module of ours: found once, asked for by many rules."""
    found = imports(module.tree(), module.name, is_package=module.is_package)
    return tuple(found)


def _walk(node: ast.AST, package: str, found: list[Import], *, inside: bool) -> None:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Name | ast.Constant | ast.expr_context):
            continue  # most nodes, and none with an import in it
        line = getattr(child, "lineno", 0)
        found.extend(Import(name, line, inside) for name in _names(child, package))
        function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for branch, waits in ((child.body, True), (child.orelse, inside)):
                _walk(ast.Module(branch, []), package, found, inside=waits)
        else:
            _walk(child, package, found, inside=inside or function)


def _names(node: ast.AST, package: str) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*parents, base] if base else parents)
        return [f"{base}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Call) and node.args:
        function = getattr(node.func, "attr", getattr(node.func, "id", ""))
        first = node.args[0]
        if function in ("import_module", "__import__") and isinstance(first, ast.Constant):
            return [str(first.value)]
    return []


def below(name: str, tops: tuple[str, ...]) -> bool:
    """Whether `name` is one of `tops` or stands below one."""
    return any(name == top or name.startswith(f"{top}.") for top in tops)


@cache
def layer_of(module: str) -> tuple[int, Layer] | None:
    """The layer with the longest name that fits, and its height."""
    fitting = [
        (len(name), height, layer)
        for height, row in enumerate(LAYERS)
        for layer in row
        for name in layer.names
        if below(module, (name,))
    ]
    return max(fitting, key=lambda found: found[0])[1:] if fitting else None


def violations(items: Iterable[Import], module: str) -> list[str]:
    """Sentences that say which imports of a module break the table."""
    found = []
    for item in items:
        reason = _ours(item, module) if below(item.name, PACKAGES) else _theirs(item, module)
        if reason:
            found.append(f"{module}, line {item.line}: imports {item.name}: {reason}")
    return found


def _ours(item: Import, module: str) -> str:
    if module in EMPTY:
        excused = item.inside or below(item.name, EMPTY[module])
        return "" if excused else "this __init__ imports nothing"
    found, other = layer_of(module), layer_of(item.name)
    if found is None:
        return "no layer holds this module"
    height, layer = found
    if other is not None and other[1] is layer:
        return ""
    if item.name.partition(".")[0] == module.partition(".")[0]:
        lower = other is not None and other[0] < height
        allowed = lower and (layer.only is None or below(item.name, layer.only))
    else:
        allowed = below(item.name, layer.others)
    return "" if allowed else "not a layer below"


def _theirs(item: Import, module: str) -> str:
    top = item.name.partition(".")[0]
    if module in EMPTY and top not in ("__future__", "typing", "importlib"):
        return "this __init__ imports nothing"
    if top in NEVER:
        return "never"
    if top in DOORS and not below(module, DOORS[top]):
        return f"only {', '.join(DOORS[top])} may"
    if top in INSIDE_FUNCTIONS and not item.inside:
        return "only inside functions"
    if module in PLAIN and not item.inside and top not in sys.stdlib_module_names:
        return "this module imports the standard library only"
    return ""
