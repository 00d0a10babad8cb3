"""A project with a package of one of our names: a clear error where it asks for an audit."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.plugin.projects import PAIR, TINY, run_apart

PYTHON = (sys.executable, "-m", "pytest")
PLAIN = (str(Path(sys.executable).with_name("pytest")),)
TESTS = f"""
import sys

import pytest


@pytest.mark.privacy({TINY})
def test_audit():
    return lambda data, size, rng: data + rng.laplace(scale=0.3, size=size)


def test_own():
    assert "touchstone" not in getattr(sys.modules.get("audit"), "__file__", "")
"""


def project(folder: Path, *own: str) -> Path:
    """Write a project with packages of its own."""
    for name in own:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("OWN = True\n")
    (folder / "tests").mkdir(exist_ok=True)
    (folder / "tests" / "test_it.py").write_text(TESTS)
    (folder / "pair.json").write_text(PAIR)
    (folder / "pytest.ini").write_text("[pytest]\n")
    return folder


@pytest.mark.long
@pytest.mark.parametrize(
    ("own", "package", "place"),
    [
        ("audit/__init__.py", "audit", "audit/__init__.py"),
        ("mechanisms/__init__.py", "mechanisms", "mechanisms/__init__.py"),
        ("audit.py", "audit", "audit.py"),
    ],
)
def test_a_clash_is_told_and_everything_else_runs(
    tmp_path: Path, own: str, package: str, place: str
) -> None:
    """It must hold that the audit fails with the name, the place and what to do; no traceback."""
    done = run_apart(project(tmp_path, own), python=PYTHON)
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    message = f"no audit: the name '{package}' stands for {tmp_path / place} here, not for "
    assert f"{message}Touchstone's package in " in done.stdout
    assert "or use the command `touchstone`\nOr keep the package off sys.path" in done.stdout
    assert "Traceback" not in done.stdout
    assert "ImportError" not in done.stdout


@pytest.mark.long
def test_tests_in_a_folder_of_our_name_clash(tmp_path: Path) -> None:
    """It must hold that tests/audit, imported by pytest as the package `audit`, is told too."""
    folder = project(tmp_path, "tests/audit/__init__.py")
    (folder / "tests" / "test_it.py").rename(folder / "tests" / "audit" / "test_it.py")
    done = run_apart(folder, python=PYTHON)
    place = tmp_path / "tests" / "audit" / "__init__.py"
    assert f"the name 'audit' stands for {place} here" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "words"),
    [(PLAIN, ()), (PLAIN, ("--import-mode=importlib",))],
    ids=["pytest", "importlib"],
)
def test_a_folder_that_is_not_on_the_path_is_no_clash(
    tmp_path: Path, command: tuple[str, ...], words: tuple[str, ...]
) -> None:
    """It must hold that what the error recommends works."""
    done = run_apart(project(tmp_path, "audit/__init__.py"), *words, python=command)
    assert "REFUTED: test_it:test_audit" in done.stdout.replace("tests.test_it", "test_it")
    assert "1 failed, 1 passed" in done.stdout
