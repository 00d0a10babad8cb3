"""Tests check what they say, and none is left out in silence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]
SKIPPING = frozenset(
    {"skip", "skipif", "skipIf", "skipUnless", "xfail", "importorskip", "skipTest", "SkipTest"}
)
LONG = "pytest.mark.long"
LATER = frozenset({LONG, "pytest.mark.slow", "pytest.mark.browser"})
CHECKING = ("check_", "assert_")
EXPECTING = frozenset({"raises", "warns"})

OF_THEOREMS = (
    "theorems/",
    "mechanisms/",
    "proofs_check/",
    "certificate/",
    "cross/",
    "audit/exact/",
    "audit/accounting/",
)
"""Folders whose tests guard theorems, the ledger, or what a proof rests on."""

THEOREM = re.compile(r"\b(?:ENG|KSW|TRI|PDP|SUB)-[A-Z][\w.-]*\w")


@cache
def sources() -> dict[str, ast.Module]:
    """Syntax trees of all files of the tests, by path."""
    return {
        str(path.relative_to(TESTS)): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(TESTS.rglob("*.py"))
    }


def files() -> dict[str, ast.Module]:
    """Those that pytest collects."""
    return {name: tree for name, tree in sources().items() if "test_" in f"/{name}".split("/")[-1]}


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """Test functions of a file, also in classes."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node)


def marks(function: ast.FunctionDef) -> set[str]:
    """What stands above a test."""
    return set(map(ast.unparse, function.decorator_list))


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
    """What a file uses to skip tests, or to expect them to fail."""
    names = (
        getattr(node, "attr", getattr(node, "id", getattr(node, "name", "")))
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute | ast.Name | ast.alias)
    )
    return [name for name in names if name in SKIPPING]


def test_tests_can_fail() -> None:
    """It must hold that a file has a test, and each asserts, expects an error, or calls a check."""
    for name, tree in files().items():
        found = list(functions(tree))
        assert found, name
        assert [f.name for f in found if not checks(f)] == [], name


ELSEWHERE = {
    "audit/screening/test_programs.py": (
        1,
        "R, for a program of an example",
    ),
    "audit/tables/test_dataframes.py": (3, "polars and pandera, which no extra has"),
    "audit/tables/test_opendp_polars.py": (1, "polars"),
    "audit/test_literal_kinds.py": (1, "polars and pyarrow, which no extra needs"),
    "audit/tables/test_forms.py": (1, "Arrow: the extra `tables`"),
    "audit/tables/test_text_units.py": (2, "polars, and Arrow"),
    "audit/tables/test_column_types.py": (2, "polars, and Arrow"),
    "audit/tables/test_stand_ins.py": (2, "what stands in for it is installed"),
    "audit/surveys/test_known.py": (1, "the surveyed libraries, at the page's versions"),
    "audit/tables/test_page.py": (2, "programs of examples that nothing of ours needs: R, DuckDB"),
    "audit/surveys/test_page.py": (3, "the surveyed libraries, at the page's versions"),
    "audit/surveys/test_run.py": (1, "OpenDP"),
    "audit/surveys/test_tables.py": (5, "the surveyed libraries, at the tables' versions"),
}
"""Tests of what may not be installed, and what that is; each says so where it is skipped."""


def test_no_test_is_left_out() -> None:
    """It must hold that no test is skipped or expected to fail, but for those listed."""
    found = {name: len(one) for name in sources() if (one := skips(sources()[name]))}
    assert found == {name: count for name, (count, _) in ELSEWHERE.items()}


def test_folders_are_packages() -> None:
    """It must hold that each folder with tests has an `__init__.py`, as the imports need."""
    folders = {path.parent for path in TESTS.rglob("*.py")}
    assert [str(folder) for folder in folders if not (folder / "__init__.py").is_file()] == []


def unguarded(trees: Mapping[str, ast.AST]) -> list[str]:
    """Theorems that long tests name and no default test does, and files with long tests alone.

    Of files only those below `OF_THEOREMS` count.
    """
    tests = [(name, one) for name, tree in trees.items() for one in functions(tree)]
    late = [(name, one) for name, one in tests if LONG in marks(one)]
    early = [(name, one) for name, one in tests if not LATER & marks(one)]
    named = {theorem for _, one in late for theorem in THEOREM.findall(ast.unparse(one))}
    told: set[str] = set()
    for _, one in early:
        if not named - told:
            break
        told.update(THEOREM.findall(ast.unparse(one)))
    files = {name for name, _ in late if name.startswith(OF_THEOREMS)}
    return sorted(named - told) + sorted(files - {name for name, _ in early})


def test_what_a_long_test_guards_has_a_default_test() -> None:
    """It must hold of each theorem that one names, and of each file that is about theorems.

    Every claim has one besides: `proofs_check/test_lock.py`.
    """
    assert unguarded(files()) == []
    text = '@pytest.mark.long\ndef test_it():\n    "It must hold, by {}."\n'
    light = 'def test_other():\n    "It must hold, by {}."\n'
    for name, said, more, found in (
        ("audit/test_x.py", "ENG-T4", "", ["ENG-T4"]),
        ("audit/test_x.py", "ENG-T4", light.format("ENG-T5"), ["ENG-T4"]),
        ("audit/test_x.py", "ENG-T4", light.format("ENG-T4"), []),
        ("theorems/test_x.py", "it", "", ["theorems/test_x.py"]),
        ("theorems/test_x.py", "it", light, []),
        ("audit/test_x.py", "it", "", []),
    ):
        assert unguarded({name: ast.parse(text.format(said) + more)}) == found


def test_ci_runs_long_tests() -> None:
    """It must hold that a stage of a whole run of CI does not leave out what is marked long."""
    script = (TESTS.parent / ".ci" / "run").read_text(encoding="utf-8")
    stages = re.search(r"stages=\((venv .*)\)", script)
    assert stages is not None
    assert "wheel" in stages[1].split()
    wheel = script.partition("stage_wheel() {")[2].partition("\n}\n")[0]
    run = re.search(r'wheel/bin/pytest" -n 2 -m "(.*)"', wheel)
    assert run is not None
    assert run[1].startswith("long and not slow")


PLANTED = '''
import pytest
from pytest import importorskip

@pytest.mark.skipif(True, reason="no")
def test_one():
    """It must hold that nothing is checked."""
    print("assert")

def test_two():
    assert True

def test_three():
    """It must hold that an error comes."""
    with pytest.raises(ValueError):
        importorskip("x")

def test_four():
    """It must hold that a helper checks."""
    np.testing.assert_allclose(1, 1)

class TestFive:
    def test_six(self):
        """It must hold that methods count."""
        check_law(3)
'''


def test_checkers_see_planted_faults() -> None:
    """It must hold that a test of nothing and a skip are found."""
    tree = ast.parse(PLANTED)
    assert [f.name for f in functions(tree) if not checks(f)] == ["test_one", "test_two"]
    assert set(skips(tree)) == {"skipif", "importorskip"}
