"""Source mutations: one change in one function, and tests that must turn red.

Scales, thresholds, signs and budgets: each is a slip that somebody has made, or could make, in
print or in code. What is changed is found in the syntax tree of the one function (class, module)
of that name, so that neither moves of lines nor comments nor the formatter touch a mutation.

`listed` holds a table for each folder of the sources::

    theorems/test_pairs.py::test_a_batch_is_settled_with_the_bet_made_before_it
        audit.engine.loop:bet_on  book(run, batch) -> run.learn(batch); book(run, batch)

A test (or several, one a line: all of them together) stands above the rows that must turn it red,
and a row is a place, two spaces, code that stands there once, an arrow, and what it becomes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, final

__all__ = ["Mutation", "change_of", "file_of", "mutated", "read"]

OPERATORS = {*"+-*/%@&|^<>", "**", "//", "<=", ">=", "==", "!=", "and", "or", "is", "in", "not in"}


@final
@dataclass(frozen=True, slots=True)
class Mutation:
    """One change of one place.

    Parameters
    ----------
    place : str
        A module, or "module:name" of a function or class in it; a method is "module:Class.method".
    old, new : str
        Code that stands once in the place, and what it becomes (nothing: it goes): an expression,
        statements, or an operator alone.
    tests : tuple of str
        Tests that must turn red, as pytest's arguments below `tests`.
    """

    place: str
    old: str
    new: str
    tests: tuple[str, ...]

    @property
    def module(self) -> str:
        """Dotted name of the module."""
        return self.place.partition(":")[0]

    def __str__(self) -> str:
        return f"{self.place}: {self.old} -> {self.new}"


def read(table: str) -> list[Mutation]:
    """Return the rows of a table."""
    mutations, tests = [], list[str]()
    above = ""
    for line in table.splitlines():
        if line.startswith("    "):
            place, _, change = line.strip().partition("  ")
            old, arrow, new = change.partition(" ->")
            if not (tests and old and arrow):
                msg = f"no row of a mutation: {line}"
                raise ValueError(msg)
            mutations.append(Mutation(place, old.strip(), new.strip(), tuple(tests)))
        else:
            tests = [*tests, line] if tests and not above.startswith(" ") else [line]
        above = line
    return mutations


def file_of(module: str, folder: Path) -> Path:
    """The file of a module below the folder that holds the packages."""
    path = folder.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def change_of(mutation: Mutation, tree: ast.Module) -> Callable[[], None]:
    """What makes the change in the tree of its module.

    Raises
    ------
    ValueError
        If the place or the old code is not there exactly once.
    """
    changes = list(_changes(mutation, _scope(mutation, tree)))
    if len(changes) != 1:
        msg = f"{mutation}: the old code stands there {len(changes)} times"
        raise ValueError(msg)
    return changes[0]


def mutated(mutation: Mutation, source: str) -> str:
    """Return the source of its module with the change made (without comments)."""
    tree = ast.parse(source)
    change_of(mutation, tree)()
    return ast.unparse(ast.fix_missing_locations(tree))


def _scope(mutation: Mutation, tree: ast.Module) -> ast.AST:
    """The part of a module that a mutation names."""
    scope: ast.AST = tree
    for name in filter(None, mutation.place.partition(":")[2].split(".")):
        found = [node for node in _defined(scope) if node.name == name]
        if len(found) != 1:
            msg = f"{mutation}: {len(found)} functions or classes have this name"
            raise ValueError(msg)
        scope = found[0]
    return scope


def _defined(scope: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Functions and classes of a scope, without those inside them."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node
        elif isinstance(node, ast.stmt):
            yield from _defined(node)


def _changes(mutation: Mutation, scope: ast.AST) -> Iterator[Callable[[], None]]:
    """What would change the scope, once for each place where the old code stands."""
    old, new = mutation.old, mutation.new
    if kind := _operator(old):
        for holder, at, part in _parts(scope):
            if isinstance(part, kind):
                yield partial(holder.__setitem__, at, _operator(new)())
    elif (expression := _expression(old)) and (other := _expression(new)):
        for holder, at, part in _parts(scope):
            if isinstance(part, ast.expr) and _same(part, expression):
                yield partial(holder.__setitem__, at, other)
    else:
        gone, come = ast.parse(old).body, ast.parse(new).body
        for body in _bodies(scope):
            for first in range(len(body) - len(gone) + 1):
                window = slice(first, first + len(gone))
                if all(map(_same, body[window], gone)):
                    left = come or ([] if len(body) > len(gone) else [ast.Pass()])
                    yield partial(body.__setitem__, window, left)


def _parts(scope: ast.AST) -> Iterator[tuple[Any, Any, ast.AST]]:
    """Each node below the scope, and what holds it: `holder[at]`."""
    for node in ast.walk(scope):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                yield vars(node), field, value
            elif isinstance(value, list):
                yield from ((value, i, x) for i, x in enumerate(value) if isinstance(x, ast.AST))


def _bodies(scope: ast.AST) -> Iterator[list[ast.stmt]]:
    """Each list of statements in the scope."""
    for node in ast.walk(scope):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield value


@cache
def _operator(text: str) -> Any:
    """The class of the syntax tree of an operator, or nothing."""
    expression = _expression(f"a {text} b") if text in OPERATORS else None
    if isinstance(expression, ast.Compare):
        return type(expression.ops[0])
    return type(expression.op) if expression else None


def _expression(text: str) -> Any:
    """The syntax tree of an expression, or nothing if it is none."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None


def _same(one: Any, other: Any) -> bool:
    """Whether two parts are the same code, assigned to or read."""
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if not isinstance(one, ast.AST):
        return type(one) is type(other) and bool(one == other)
    return type(one) is type(other) and all(
        _same(getattr(one, field, None), getattr(other, field, None))
        for field in one._fields
        if field != "ctx"
    )
