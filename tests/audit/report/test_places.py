"""Where a target stands: files, modules and lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.results.document import Place
from audit.runs.places import place_of
from audit.targets.load import load_target
from tests.user_files import imports_restored

SOURCE = """\
def f(data):
    return 0.0


if True:
    g = f
h: object = f
f.k = 1


def f(data):
    return 1.0
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder below the one that the process works in, and one beside it."""
    (tmp_path / "here" / "below").mkdir(parents=True)
    (tmp_path / "here" / "below" / "m.py").write_text(SOURCE)
    (tmp_path / "beside.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


@pytest.mark.parametrize(
    ("attribute", "line"), [("f", 11), ("h", 7), ("g", None), ("f.k", 11), ("nothing", None)]
)
def test_the_last_definition_counts(folder: Path, attribute: str, line: int | None) -> None:
    """It must hold that a name is found where it is last defined, or not at all."""
    assert place_of(f"below/m.py:{attribute}") == Place("below/m.py", line, attribute)


def test_a_file_elsewhere_is_absolute(folder: Path) -> None:
    """It must hold that a file that is not below this folder has a whole URI."""
    place = place_of("../beside.py:f")
    assert place is not None
    assert place.uri == (folder / "beside.py").as_uri()


def test_a_file_that_is_no_python_has_no_line(folder: Path) -> None:
    """It must hold that a broken or binary file is a place without a line."""
    for content in (b"def f(:\n", b"\xff\xfe\x00", b"x = 1\x00"):
        (folder / "here" / "broken.py").write_bytes(content)
        assert place_of("broken.py:f") == Place("broken.py", None, "f")


def test_a_notebook_is_a_place_without_a_line(folder: Path) -> None:
    """It must hold that the file of a notebook's attribute is found."""
    (folder / "here" / "n.ipynb").write_text('{"cells": []}')
    assert place_of("n.ipynb:f") == Place("n.ipynb", None, "f")


@pytest.mark.parametrize(
    "target", ["ksw.swap-laplace", "none.py:f", "json:loads", "nowhere:f", "", "x" * 5000, "\0"]
)
def test_what_is_no_file_of_the_user_has_no_place(folder: Path, target: str) -> None:
    """It must hold of registered names, missing files, other people's modules, and no names."""
    assert place_of(target) is None


def test_a_module_of_this_folder_has_its_file(folder: Path) -> None:
    """It must hold that "pkg.mod:attr" is found once it is loaded, and not before."""
    with imports_restored(folder):
        assert place_of("below.m:f") is None
        load_target("below.m:f")
        assert place_of("below.m:f") == Place("below/m.py", 11, "f")
