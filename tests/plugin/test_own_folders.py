"""The pytest plugin does not get in the way of a project with folders of the same names."""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import _touchstone_pytest

OWN_TEST = """
import sys
from pathlib import Path

import audit
import mechanisms.engine


def test_own_packages_are_imported():
    here = Path(__file__).resolve().parents[1]
    assert Path(audit.__file__).resolve().parent == here / "audit"
    assert audit.ANSWER == 42
    assert mechanisms.engine.SPEED == 3
    assert "_touchstone_pytest" in sys.modules
    assert "proofs_check" not in sys.modules
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with its own packages `audit` and `mechanisms`."""
    for name, content in {
        "audit/__init__.py": "ANSWER = 42\n",
        "mechanisms/__init__.py": "",
        "mechanisms/engine.py": "SPEED = 3\n",
        "tests/test_own.py": OWN_TEST,
        "conftest.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


def is_installed() -> bool:
    """Whether pytest finds the plugin by itself."""
    plugins = importlib.metadata.entry_points(group="pytest11")
    return any(plugin.value == "_touchstone_pytest" for plugin in plugins)


def run_pytest(folder: Path, command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a project's tests as its owner does."""
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "PYTHON"))
    }
    plugin = [] if is_installed() else ["-p", "_touchstone_pytest"]
    if plugin:
        environment["PYTHONPATH"] = str(Path(_touchstone_pytest.__file__).parent)
    return subprocess.run(
        [*command, "-p", "no:cacheprovider", *plugin],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-m", "pytest"],
        [str(Path(sys.executable).with_name("pytest"))],
        [sys.executable, "-m", "pytest", "--import-mode=importlib"],
    ],
    ids=["python -m pytest", "pytest", "importlib"],
)
def test_project_with_own_audit_folder_runs(project: Path, command: list[str]) -> None:
    """It must hold that such a project runs green, and that the header names our version."""
    done = run_pytest(project, command)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    assert re.search(
        rf"^{re.escape(_touchstone_pytest.pytest_report_header())}$", done.stdout, re.MULTILINE
    )


def test_header_names_the_version() -> None:
    """It must hold that the header's line is the installed version, or says there is none."""
    try:
        version = importlib.metadata.version("touchstone-dp")
    except importlib.metadata.PackageNotFoundError:
        version = "not installed"
    assert _touchstone_pytest.pytest_report_header() == f"touchstone: {version}"


def test_own_failure_is_red(project: Path) -> None:
    """It must hold that the project's own failing test is still a failure."""
    (project / "audit" / "__init__.py").write_text("ANSWER = 41\n", encoding="utf-8")
    done = run_pytest(project, [sys.executable, "-m", "pytest"])
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed" in done.stdout
