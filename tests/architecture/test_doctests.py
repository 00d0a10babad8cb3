"""Examples in docstrings run, and print what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import audit
import mechanisms
import proofs_check

MODULES = [
    module.name
    for package in (mechanisms, audit, proofs_check)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


def examples(name: str) -> list[doctest.DocTest]:
    """Docstrings of a module that hold examples."""
    return [t for t in doctest.DocTestFinder().find(importlib.import_module(name)) if t.examples]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    """Each example of the module gives its printed result."""
    runner = doctest.DocTestRunner()
    for test in examples(name):
        assert runner.run(test).failed == 0, test.name


def test_there_are_examples() -> None:
    """The check is not empty: several docstrings have examples."""
    assert sum(len(test.examples) for name in MODULES for test in examples(name)) >= 10
