"""No dictionary of anything crosses a border of layers: a reader has to look at what it takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.imports import imports_of, layer_of
from tests.architecture.sources import modules

ANYTHING = "dict[str, Any]"

WORDS = frozenset(
    {
        "audit.arguments.checked",
        "audit.call.Call",
        "audit.call.stated_words",
        "audit.request.errors.asked_of",
        "audit.request.request.by_field",
        "audit.request.stability.question_of",
    }
)
"""What users have typed, by word: the doors have each word's type (`audit.keywords`)."""


def untyped(tree: ast.Module) -> Iterator[str]:
    """Public functions, and classes, whose signature or fields hold a dictionary of anything."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name):
                if any(ANYTHING in ast.unparse(one) for one in signature(node)):
                    yield name
            case ast.ClassDef(name=name, body=body):
                fields = [one.annotation for one in body if isinstance(one, ast.AnnAssign)]
                methods = [one for one in body if isinstance(one, ast.FunctionDef)]
                public = [one for one in methods if not one.name.startswith("_")]
                parts = [*fields, *(part for one in public for part in signature(one))]
                if any(ANYTHING in ast.unparse(part) for part in parts):
                    yield name


def signature(function: ast.FunctionDef) -> list[ast.expr]:
    """Annotations of what a function takes and gives."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    found = [one.annotation for one in every] + [function.returns]
    return [one for one in found if one is not None]


def crossing() -> set[str]:
    """Those that a module of another layer imports."""
    held = {
        f"{module.name}.{name}": module.name
        for module in modules()
        for name in untyped(module.tree())
    }
    return {
        item.name
        for module in modules()
        for item in imports_of(module)
        if item.name in held and layer_of(held[item.name]) != layer_of(module.name)
    }


def test_no_dictionary_of_anything_crosses_a_border() -> None:
    """It must hold that what layers give each other has types, or is `object` and is read."""
    assert crossing() == WORDS


def test_it_is_told() -> None:
    """It must hold that arguments, results, fields and public methods are looked at."""
    source = """
def takes(x: dict[str, Any]) -> int: ...
def gives() -> list[dict[str, Any]]: ...
class Holds:
    x: dict[str, Any]
class Says:
    def to(self) -> dict[str, Any]: ...
class Hides:
    def _to(self) -> dict[str, Any]: ...
def typed(x: dict[str, object]) -> dict[str, int]: ...
"""
    assert list(untyped(ast.parse(source))) == ["takes", "gives", "Holds", "Says"]
