"""What pytest collects, and what the test files say."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SKIPPING = frozenset(
    {"skip", "skipif", "skipIf", "skipUnless", "xfail", "importorskip", "skipTest", "SkipTest"}
)
FILES = [str(path.relative_to(TESTS)) for path in sorted(TESTS.rglob("test_*.py"))]
LONG = "pytest.mark.long"
LATER = frozenset({LONG, "pytest.mark.slow", "pytest.mark.browser"})
CHECKING = ("check_", "assert_")
EXPECTING = frozenset({"raises", "warns"})


def collected(session: pytest.Session, *where: str) -> Collection[str]:
    """Ids of the tests that a default run collects.

    Parameters
    ----------
    session : pytest.Session
        The present run: where it has tests of all these files, its own ids are taken.
    *where : str
        Files, by their path from the folder of the tests; left out all that have such tests.
    """
    ids = [item.nodeid for item in session.items]
    return ids if set(where or of_default()) <= files_of(ids) else _collected(*where)


@cache
def of_default() -> tuple[str, ...]:
    """Files with a test that a default run collects: none of the marks that leave it out."""
    return tuple(
        name for name in FILES if any(not LATER & marks(one) for one in functions(sources()[name]))
    )


def marks(function: ast.FunctionDef) -> set[str]:
    """What stands above a test."""
    return set(map(ast.unparse, function.decorator_list))


def is_long(function: ast.FunctionDef) -> bool:
    """Whether a test is marked long: a default run leaves it to `.ci/run`."""
    return LONG in marks(function)


def files_of(ids: Iterable[str]) -> set[str]:
    """Files of tests, by their path from the folder of the tests."""
    return {test_id.partition("::")[0].removeprefix(f"{TESTS.name}/") for test_id in ids}


@cache
def _collected(*where: str) -> tuple[str, ...]:
    """Ids that a run by itself collects."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
        + [str(TESTS / folder) for folder in where],
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return tuple(line for line in done.stdout.splitlines() if "::" in line)


@cache
def sources() -> dict[str, ast.Module]:
    """Syntax trees of all files of the tests, by path."""
    return {
        str(path.relative_to(TESTS)): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(TESTS.rglob("*.py"))
    }


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """Test functions of a file, also in classes."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node)


def checks(function: ast.FunctionDef) -> bool:
    """Whether a test asserts, expects an error, or calls a function that checks.

    A subprocess that runs with `check=True` raises when it fails; what is asserted of a constant,
    or of a tuple, always or never holds.
    """
    for node in ast.walk(function):
        if isinstance(node, ast.Assert) and not isinstance(node.test, ast.Constant | ast.Tuple):
            return True
        if isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            if name.startswith(CHECKING) or name in EXPECTING:
                return True
        if isinstance(node, ast.keyword) and ast.unparse(node) == "check=True":
            return True
    return False


def skips(tree: ast.AST) -> list[str]:
    """Where a file skips tests or expects them to fail."""
    found = []
    for node in ast.walk(tree):
        name = ""
        if isinstance(node, ast.Attribute):
            name = node.attr
        elif isinstance(node, ast.Name):
            name = node.id
        elif isinstance(node, ast.alias):
            name = node.name
        if name in SKIPPING:
            found.append(f"line {getattr(node, 'lineno', 0)}: {name}")
    return found
