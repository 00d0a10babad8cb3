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


@pytest.mark.parametrize("package", ["mechanisms", "audit", "proofs_check"])
def test_examples_run(package: str) -> None:
    """Each example of a package's modules gives its printed result, and there are several."""
    runner = doctest.DocTestRunner()
    run = 0
    for name in MODULES:
        if name.startswith(f"{package}."):
            for test in examples(name):
                run += len(test.examples)
                assert runner.run(test).failed == 0, test.name
    assert run >= 10
