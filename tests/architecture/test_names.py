"""A name means one thing in a package, and few files stand at the door."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable

import pytest

from tests.architecture.imports import below
from tests.architecture.sources import PACKAGES, modules

MOST_AT_THE_TOP = 8
"""Files of `audit` beside its folders: what a newcomer can look at one by one."""


def classes_twice(trees: Iterable[ast.Module]) -> list[str]:
    """Names of classes that several sources, or places of one, define."""
    nodes = (node for tree in trees for node in ast.walk(tree))
    found = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    return [name for name, times in found.items() if times > 1]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_class_name_has_one_meaning(package: str) -> None:
    """It must hold that no two classes of a package have the same name, private ones neither."""
    assert classes_twice(m.tree() for m in modules() if below(m.name, (package,))) == []
    sources = (
        "class A: ...\nclass _B: ...",
        "def f():\n    class A: ...\nclass C:\n  class _B: ...",
    )
    assert classes_twice(map(ast.parse, sources)) == ["A", "_B"]


def test_no_file_name_stands_twice_in_audit() -> None:
    """It must hold but for `__init__`: a name says the subject, wherever it is read."""
    files = Counter(m.path.name for m in modules() if below(m.name, ("audit",)) if not m.is_package)
    assert [name for name, times in files.items() if times > 1] == []


def test_few_files_stand_beside_the_folders_of_audit() -> None:
    """It must hold of those at the top, `__init__` among them."""
    top = [m.name for m in modules() if m.path.parent.name == "audit"]
    assert "audit" in top
    assert len(top) <= MOST_AT_THE_TOP
