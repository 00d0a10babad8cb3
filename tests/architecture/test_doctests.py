"""Examples in docstrings run, and print what they say."""

from __future__ import annotations

import doctest
import importlib

import pytest

from tests.architecture.imports import below
from tests.architecture.sources import PACKAGES, Module, modules


def examples(module: Module) -> list[doctest.DocTest]:
    """Docstrings of a module that hold examples; to look for them is slow where none are."""
    if ">>> " not in module.text():
        return []
    loaded = importlib.import_module(module.name)
    return [test for test in doctest.DocTestFinder().find(loaded) if test.examples]


@pytest.mark.long
@pytest.mark.parametrize("package", PACKAGES)
def test_examples_run(package: str) -> None:
    """Each example of a package's modules gives its printed result, and there are several."""
    runner = doctest.DocTestRunner()
    run = 0
    for module in modules():
        if below(module.name, (package,)):
            for test in examples(module):
                run += len(test.examples)
                assert runner.run(test).failed == 0, test.name
    assert run >= 10
