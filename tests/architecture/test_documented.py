"""What ruff does not see of docstrings: constants have one, and sections name all parameters."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from itertools import pairwise

from tests.architecture.sources import modules

Function = ast.FunctionDef | ast.AsyncFunctionDef


def stated_names(tree: ast.Module) -> set[str]:
    """The names in `__all__`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def undocumented(tree: ast.Module) -> list[str]:
    """Stated constants without a text below them.

    What each module of a registry states under the same name is described where it is read.
    """
    missing, stated = [], stated_names(tree) - {"CLAIMS", "MODULES"}
    for node, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            if ast.unparse(target) in stated and not text:
                missing.append(ast.unparse(target))
    return missing


def public_functions(
    tree: ast.Module | ast.ClassDef, prefix: str = ""
) -> Iterator[tuple[str, Function]]:
    """Public functions of a module, and public methods of its public classes."""
    for node in tree.body:
        if isinstance(node, Function) and not node.name.startswith("_"):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node, f"{node.name}.")


def parameter_mismatches(tree: ast.Module) -> list[str]:
    """Functions whose section "Parameters" does not name exactly their parameters."""
    return [
        name
        for name, node in public_functions(tree)
        if (named := _section(ast.get_docstring(node) or "", "Parameters")) is not None
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


def test_public_names_are_documented() -> None:
    """It must hold of constants, and of the parameters of functions that list any."""
    assert {m.name: missing for m in modules() if (missing := undocumented(m.tree()))} == {}
    assert {m.name: wrong for m in modules() if (wrong := parameter_mismatches(m.tree()))} == {}


def test_exported_functions_say_what_they_raise() -> None:
    """It must hold that the entry points for users document their errors."""
    for place in (
        "mechanisms.registry:build_mechanism",
        "audit.targets.libraries.adapters:build_adapter",
        "audit.targets.load:load_target",
        "mechanisms.validation:exact",
    ):
        module, _, name = place.partition(":")
        docstring = getattr(importlib.import_module(module), name).__doc__
        assert "Raises\n" in docstring
        assert "InvalidArgument" in docstring


PLANTED = '''
__all__ = ["LIMIT", "STATED", "f"]

LIMIT = 3
STATED = 4
"""A constant with its text."""


class A:
    def f(self, x, y, *, z):
        """Do.

        Parameters
        ----------
        x, y : int
            Two
            lines.
        w : int
            Not a parameter.

        Returns
        -------
        int
        """


def g(x, *args):
    """Do.

    Parameters
    ----------
    x : int
    *args : int
    """
'''


def test_checkers_see_what_is_missing() -> None:
    """It must hold that the checks above find planted faults, and only those."""
    tree = ast.parse(PLANTED)
    assert undocumented(tree) == ["LIMIT"]
    assert parameter_mismatches(tree) == ["A.f"]
