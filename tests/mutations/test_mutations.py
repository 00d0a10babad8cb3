"""Each listed slip turns a test red."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.mutations.mutation import Mutation, change_of, file_of, mutated, read
from tests.mutations.mutations import MUTATIONS
from tests.mutations.run import GREEN, HERE, RED, apply, copy_tree, sources, untouched


def is_there(test: str) -> bool:
    """Whether pytest's argument below `tests` names a folder, a file, or a function in it."""
    file, _, function = test.partition("[")[0].partition("::")
    path = HERE / "tests" / file
    return path.exists() and (not function or f"def {function}(" in path.read_text("utf-8"))


@pytest.mark.long
def test_each_mutation_changes_one_place() -> None:
    """It must hold that every mutation fits its source, and its tests; no two are the same."""
    tree = cache(lambda module: ast.parse(file_of(module, sources()).read_text("utf-8")))
    wrong = []
    for mutation in MUTATIONS:
        try:
            change_of(mutation, tree(mutation.module))
        except (OSError, ValueError) as failure:
            wrong.append(str(failure))
    assert not wrong, "\n".join(wrong)
    missing = {test for m in MUTATIONS for test in m.tests if not is_there(test)}
    assert not missing, missing
    assert len({(m.place, m.old, m.new) for m in MUTATIONS}) == len(MUTATIONS) >= 550


SOURCE = """
LIMIT = 0.5

class Rule:
    def rejects(self, x):
        y = x - 1
        return y - 1 <= LIMIT and x

def rejects(x):
    return (x-1)   # twice

"""


def change(row: str) -> str:
    """The source, changed by a row of a table."""
    (mutation,) = read(f"test_rules.py\n    {row}\n")
    return mutated(mutation, SOURCE)


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ("m:rejects  x - 1 -> x", "    return x"),
        ("m:Rule.rejects  y-1 -> y", "        return y <= LIMIT and x"),
        ("m:Rule.rejects  y = x - 1 ->", ""),
        ("m:Rule  <= -> <", "        return y - 1 < LIMIT and x"),
        ("m:Rule  and -> or", "        return y - 1 <= LIMIT or x"),
        ("m  LIMIT = 0.5 -> LIMIT = 1.5", "LIMIT = 1.5"),
    ],
)
def test_a_mutation_changes_its_place(row: str, line: str) -> None:
    """It must hold that code is found by its syntax, in the place that is named alone."""
    before = ast.unparse(ast.parse(SOURCE)).splitlines()
    after = change(row).splitlines()
    (gone,) = set(before) - set(after)
    at = before.index(gone)
    assert after == [*before[:at], *([line] if line else []), *before[at + 1 :]]


@pytest.mark.parametrize(
    "row",
    [
        "m  x - 1 -> x",
        "m:Rule  x - 2 -> x",
        "m:Rule  - -> +",
        "m:Law.rejects  x -> y",
        "m  LIMIT -> 2",
        "m:rejects x - 1 -> x",
        "m:rejects  x - 1",
    ],
)
def test_no_place_and_two_places_are_errors(row: str) -> None:
    """It must hold that a row that might mean something else, or nothing, is refused."""
    with pytest.raises(ValueError, match=r"times|have this name|no row"):
        change(row)


def test_tests_stand_above_their_rows() -> None:
    """It must hold that tests are those above a row, up to the row before; no row is without."""
    table = "a.py::one\na.py::two\n    m:f  1 -> 2\n    m:g  1 -> '\\n'\nb.py\n    m:h  x ->\n"
    both = ("a.py::one", "a.py::two")
    assert read(table) == [
        Mutation("m:f", "1", "2", both),
        Mutation("m:g", "1", r"'\n'", both),
        Mutation("m:h", "x", "", ("b.py",)),
    ]
    with pytest.raises(ValueError, match="no row"):
        read("    m:f  1 -> 2\n")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources in which every test of the mutations is green."""
    folder = copy_tree(tmp_path_factory.mktemp("copy"))
    status, output = untouched(folder, MUTATIONS)
    assert status == GREEN, output
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("mutation", MUTATIONS, ids=str)
def test_mutation_is_killed(mutation: Mutation, copy: Path) -> None:
    """It must hold that the tests see the mutation."""
    status, output = apply(mutation, copy)
    assert status == RED, f"survived: {mutation}\n{output}"
