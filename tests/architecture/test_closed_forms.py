"""One calling convention for closed forms: arguments of the statement, then `*, numbers`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.imports import below
from tests.architecture.sources import modules

OURS = ("mechanisms", "proofs_check.papers", "proofs_check.tables")
FORMER = {"ln", "log", "exp", "sqrt"}
"""Single functions that were passed in place of all."""


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.Lambda]:
    """All functions that are no methods; those are shapes of protocols."""
    methods: set[ast.AST] = set()
    for node in ast.walk(tree):  # a class comes before what is in it
        if isinstance(node, ast.ClassDef):
            methods.update(node.body)
        elif isinstance(node, ast.FunctionDef | ast.Lambda) and node not in methods:
            yield node


def strays(tree: ast.AST) -> list[int]:
    """Lines of functions that take `numbers` by position, or a single function by its name."""
    return sorted(
        node.lineno
        for node in functions(tree)
        if "numbers" in {a.arg for a in (*node.args.posonlyargs, *node.args.args)}
        or FORMER & {a.arg for a in node.args.kwonlyargs}
    )


def test_closed_forms_take_numbers_by_name() -> None:
    """It must hold of every function of a paper, of a table and of a mechanism."""
    ours = [m for m in modules() if below(m.name, OURS)]
    assert {m.name: found for m in ours if (found := strays(m.tree()))} == {}


def test_strays_are_seen() -> None:
    """It must hold that both former conventions are found, and that methods may differ."""
    source = (
        "def f(x, numbers): ...\n"
        "g = lambda numbers, x: x\n"
        "def h(x, *, ln=None): ...\n"
        "def k(x, *, numbers): ...\n"
        "class A:\n    def masses(self, numbers): ...\n"
    )
    assert strays(ast.parse(source)) == [1, 2, 3]
