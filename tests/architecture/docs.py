"""What a module documents, read from its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

Function = ast.FunctionDef | ast.AsyncFunctionDef
Documented = ast.Module | ast.ClassDef | Function


def stated_names(tree: ast.Module) -> list[str] | None:
    """The names in `__all__`, or None if there is none."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    return None


def defined_names(tree: ast.Module) -> set[str]:
    """Every name that the module's top level binds."""
    names = set()
    for node in ast.walk(ast.Module([n for n in tree.body if not _scope(n)], [])):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
    return names | {node.name for node in tree.body if _scope(node)}


def _scope(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef | Function)


def _overload(node: ast.AST) -> bool:
    """Whether a function only states one signature of the documented one that follows."""
    return isinstance(node, Function) and "overload" in map(ast.unparse, node.decorator_list)


def public_things(tree: ast.Module) -> Iterator[tuple[str, Documented]]:
    """The module itself, its public classes and functions, and their public members."""
    yield "the module", tree
    for node in tree.body:
        if _overload(node):
            continue
        if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_"):
            yield node.name, node
            if isinstance(node, ast.ClassDef):
                for member in node.body:
                    if isinstance(member, Function) and not member.name.startswith("_"):
                        yield f"{node.name}.{member.name}", member


def undocumented(tree: ast.Module) -> list[str]:
    """Public things without a docstring, and stated constants without one below them.

    What each module of a registry states under the same name is described where it is read.
    """
    missing = [name for name, node in public_things(tree) if not ast.get_docstring(node)]
    stated = stated_names(tree) or []
    for node, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            if ast.unparse(target) in {*stated} - {"CLAIMS", "MODULES"} and not text:
                missing.append(ast.unparse(target))
    return missing


def parameter_mismatches(tree: ast.Module) -> list[str]:
    """Functions whose section "Parameters" does not name exactly their parameters."""
    return [
        name
        for name, node in public_things(tree)
        if isinstance(node, Function)
        and (named := _section(ast.get_docstring(node) or "", "Parameters")) is not None
        and named != _parameters(node)
    ]


def _parameters(node: Function) -> set[str]:
    known = node.args
    extra = [a for a in (known.vararg, known.kwarg) if a is not None]
    names = {a.arg for a in (*known.posonlyargs, *known.args, *known.kwonlyargs, *extra)}
    return names - {"self", "cls"}


def _section(docstring: str, title: str) -> set[str] | None:
    """Names that a numpydoc section lists; None if there is no such section."""
    lines = docstring.splitlines()
    headers = [
        number for number, line in enumerate(lines[:-1]) if line and set(lines[number + 1]) == {"-"}
    ]
    for start, end in pairwise([*headers, len(lines)]):
        if lines[start] == title:
            entries = [line for line in lines[start + 2 : end] if line and line[0] != " "]
            words = [word for line in entries for word in line.partition(" : ")[0].split(",")]
            return {word.strip().lstrip("*") for word in words}
    return None
