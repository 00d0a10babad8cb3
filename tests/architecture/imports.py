"""Find the imports of a module and hold them against the table of rules."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from tests.architecture.rules import (
    DOORS,
    EMPTY,
    INSIDE_FUNCTIONS,
    NEVER,
    PLAIN,
    RULES,
    Rule,
)
from tests.architecture.sources import PACKAGES


@final
@dataclass(frozen=True, slots=True)
class Import:
    """One import: absolute name, line, and whether it waits (in a function, or for types only)."""

    name: str
    line: int
    inside: bool


def imports(tree: ast.AST, module: str, *, is_package: bool = False) -> Iterator[Import]:
    """Every import of a module; `from a import b` is the import of `a.b`."""
    yield from _walk(tree, module if is_package else module.rpartition(".")[0], inside=False)


def _walk(node: ast.AST, package: str, *, inside: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        for name in _names(child, package):
            yield Import(name, getattr(child, "lineno", 0), inside)
        function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for branch, waits in ((child.body, True), (child.orelse, inside)):
                yield from _walk(ast.Module(branch, []), package, inside=waits)
        else:
            yield from _walk(child, package, inside=inside or function)


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


def rule_for(module: str, rules: tuple[Rule, ...] = RULES) -> Rule | None:
    """Return the rule with the longest name that fits."""
    fitting = [rule for rule in rules if below(module, (rule.module,))]
    return max(fitting, key=lambda rule: len(rule.module), default=None)


def violations(tree: ast.AST, module: str, *, is_package: bool = False) -> list[str]:
    """Sentences that say which imports of a module break the rules."""
    found = []
    for item in imports(tree, module, is_package=is_package):
        reason = _ours(item, module) if below(item.name, PACKAGES) else _theirs(item, module)
        if reason:
            found.append(f"{module}, line {item.line}: imports {item.name}: {reason}")
    return found


def _ours(item: Import, module: str) -> str:
    if module in EMPTY:
        return "" if item.inside else "this __init__ imports nothing"
    rule = rule_for(module)
    if rule is None:
        return "no rule is for this module"
    own = (rule.module,) if rule.siblings else ()
    if below(item.name, (*rule.may, *own)):
        return ""
    if below(item.name, rule.inside):
        return "" if item.inside else "only inside functions"
    return "not allowed"


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
