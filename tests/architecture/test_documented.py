"""Every public name is documented, and what is stated to be public exists."""

from __future__ import annotations

import ast
import importlib

from tests.architecture.docs import (
    defined_names,
    parameter_mismatches,
    stated_names,
    undocumented,
)
from tests.architecture.sources import modules


def test_public_names_are_documented() -> None:
    """It must hold that modules, classes, functions, methods and constants say what they are."""
    assert {m.name: missing for m in modules() if (missing := undocumented(m.tree()))} == {}


def test_parameter_sections_are_complete() -> None:
    """It must hold that a section "Parameters" names exactly the function's parameters."""
    assert {m.name: wrong for m in modules() if (wrong := parameter_mismatches(m.tree()))} == {}


def test_stated_names_exist() -> None:
    """It must hold that each of the names that a module lists exists."""
    for module in modules():
        tree = module.tree()
        stated = stated_names(tree)
        if stated is None:
            continue
        assert len(stated) == len(set(stated)), module.name
        assert set(stated) <= defined_names(tree), module.name
        loaded = importlib.import_module(module.name)
        assert all(hasattr(loaded, name) for name in stated), module.name


def test_exported_functions_say_what_they_raise() -> None:
    """It must hold that the entry points for users document their errors."""
    for place in (
        "mechanisms.registry:build_mechanism",
        "audit.targets.libraries.registry:build_adapter",
        "audit.targets.load:load_target",
        "mechanisms.validation:exact",
    ):
        module, _, name = place.partition(":")
        docstring = getattr(importlib.import_module(module), name).__doc__
        assert "Raises\n" in docstring
        assert "InvalidArgument" in docstring


PLANTED = '''"""A module."""

__all__ = ["A", "LIMIT", "STATED", "f"]

LIMIT = 3
STATED = 4
"""A constant with its text."""


class A:
    """A class."""

    def method(self):
        return 1

    @property
    def value(self):
        return 1

    def _hidden(self):
        return 1


def f(x, y, *, z):
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


@overload
def h(x: int) -> int: ...
def h():
    pass


@overload
def k(x: int) -> int: ...
def k(x):
    """Do."""
'''


def test_checkers_see_what_is_missing() -> None:
    """It must hold that the checks above find planted faults, and only those."""
    tree = ast.parse(PLANTED)
    assert undocumented(tree) == ["A.method", "A.value", "h", "LIMIT"]
    assert parameter_mismatches(tree) == ["f"]
    assert stated_names(tree) == ["A", "LIMIT", "STATED", "f"]
    assert defined_names(tree) == {"__all__", "A", "LIMIT", "STATED", "f", "g", "h", "k"}
    assert undocumented(ast.parse("x = 1")) == ["the module"]
