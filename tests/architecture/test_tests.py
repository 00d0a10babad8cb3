"""Tests say what they test, check it, and none is left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

import pytest

from tests.architecture.collected import (
    FILES,
    LATER,
    TESTS,
    checks,
    collected,
    files_of,
    functions,
    is_long,
    marks,
    of_default,
    skips,
    sources,
)

FEWEST = 150

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


def test_tests_say_what_they_test() -> None:
    """It must hold that every test function has a docstring, and every file has a test."""
    for name in FILES:
        found = list(functions(sources()[name]))
        assert found, name
        assert [function.name for function in found if not ast.get_docstring(function)] == [], name


def test_tests_can_fail() -> None:
    """It must hold that every test function asserts, expects an error, or calls a check."""
    for name in FILES:
        assert [f.name for f in functions(sources()[name]) if not checks(f)] == [], name


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
    """It must hold that no test is skipped, but for those listed, or expected to fail."""
    found = {name: len(one) for name in sources() if (one := skips(sources()[name]))}
    assert found == {name: count for name, (count, _) in ELSEWHERE.items()}


def test_no_two_tests_of_a_file_share_a_name() -> None:
    """It must hold that no test function hides another one."""
    for name in FILES:
        found = [node.name for node in sources()[name].body if isinstance(node, ast.FunctionDef)]
        assert len(found) == len(set(found)), name


def test_folders_are_packages() -> None:
    """It must hold that each folder with tests has an `__init__.py`, as the imports need."""
    folders = {path.parent for path in TESTS.rglob("*.py")}
    assert [str(folder) for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_many_tests_are_collected(request: pytest.FixtureRequest) -> None:
    """It must hold that a default run has a test of each file that is not long or slow alone."""
    ids = collected(request.session)
    assert len(ids) >= FEWEST
    assert set(of_default()) <= files_of(ids) <= set(FILES)


def unguarded(trees: Mapping[str, ast.AST]) -> list[str]:
    """Theorems that long tests name and no default test does, and files with long tests alone.

    Of files only those below `OF_THEOREMS` count.
    """
    tests = [(name, one) for name, tree in trees.items() for one in functions(tree)]
    late = [(name, one) for name, one in tests if is_long(one)]
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
    assert unguarded({name: sources()[name] for name in FILES}) == []
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
    """It must hold that a missing docstring, a test of nothing and a skip are found."""
    tree = ast.parse(PLANTED)
    assert [f.name for f in functions(tree) if not ast.get_docstring(f)] == ["test_two"]
    assert [f.name for f in functions(tree) if not checks(f)] == ["test_one", "test_two"]
    assert {found.rpartition(" ")[2] for found in skips(tree)} == {"skipif", "importorskip"}
