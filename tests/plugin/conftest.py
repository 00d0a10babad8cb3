"""What an audit imports is imported once."""

from __future__ import annotations

import importlib
import os
import sys

import pytest

from tests.architecture.sources import modules


@pytest.fixture(scope="session", autouse=True)
def loaded() -> None:
    """Import all that an audit uses, before pytester notes which modules there are.

    A run of pytest in this process forgets what it imports: each one would import it again (half
    of its time), and large libraries can be imported once a process.
    """
    for module in modules():
        if module.name.startswith("audit."):
            importlib.import_module(module.name)
    for name in ("scipy.optimize", "scipy.stats", "z3", "mechanisms.add_remove.shifted_mean"):
        importlib.import_module(name)


@pytest.fixture(autouse=True)
def forgotten(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Forget modules that other tests wrote, or a run would not import its own of that name."""
    folder = f"{tmp_path_factory.getbasetemp()}{os.sep}"  # paths of 2,000 modules take long
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(folder):
            del sys.modules[name]
