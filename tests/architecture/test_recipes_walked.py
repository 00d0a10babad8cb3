"""Recipes of CONTRIBUTING.md walked in a copy of the packages: what they list is enough."""

from __future__ import annotations

import filecmp
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mechanisms
from tests.architecture.recipes import NOT_WALKED, WALKS, copied
from tests.architecture.sources import PACKAGES

ROOT = Path(__file__).parents[2]
OURS = Path(mechanisms.__path__[0]).resolve().parent
"""Where the packages lie: beside the tests, or where they are installed."""

RUN = "import sys; from audit.cli import main; sys.exit(main())"
RECIPE = re.compile(r"^### (.*)\n((?:(?!##).*\n)*)", re.MULTILINE)
PLACE = re.compile(r"`((?:[\w.]+/)*[\w]+\.(?:py|toml))`")


def recipes() -> dict[str, str]:
    """The text of each recipe, by its heading."""
    return dict(RECIPE.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))


def places(text: str) -> Iterator[str]:
    """Files of the packages that a recipe names; a bare name lies in the folder before it."""
    folder = ""
    for found in PLACE.findall(text):
        place = found if "/" in found else f"{folder}/{found}"
        folder = place.rpartition("/")[0]
        if place.startswith(PACKAGES):
            yield place


def fits(place: str, file: str) -> bool:
    """Whether a file is at a place; words in capitals stand for names and folders."""
    pattern = re.sub(r"[A-Z]{3,}", r"[\\w/]+", re.escape(place))
    return re.fullmatch(pattern, file) is not None


def changed(root: Path) -> set[str]:
    """Files of a copy that are new or other than ours."""
    files = [path for name in PACKAGES for path in (root / name).rglob("*") if path.is_file()]
    names = {path.relative_to(root).as_posix() for path in files if path.suffix != ".pyc"}
    return {
        name
        for name in names
        if not (OURS / name).exists() or not filecmp.cmp(root / name, OURS / name, shallow=False)
    }


@pytest.mark.long
@pytest.mark.parametrize("name", WALKS)
def test_a_recipe_is_enough(name: str, tmp_path: Path) -> None:
    """It must hold that what is added at its places alone is reached by a command."""
    walk = WALKS[name]
    copied(tmp_path)
    assert changed(tmp_path) == set()
    walk.make(tmp_path)
    text = recipes()[walk.title]
    made = changed(tmp_path)
    assert made
    assert [file for file in made if not any(fits(place, file) for place in places(text))] == []
    words = walk.words if walk.words[0] == "-c" else ("-c", RUN, *walk.words)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    printed = done.stdout + done.stderr
    assert (done.returncode, walk.said in printed) == (walk.status, True), printed


def test_every_recipe_is_walked_or_excused() -> None:
    """It must hold of what CONTRIBUTING tells how to add, each once."""
    walked = [walk.title for walk in WALKS.values()]
    assert sorted([*walked, *NOT_WALKED]) == sorted(recipes())


def test_places_are_read() -> None:
    """It must hold that a bare name has a folder, and that an open name is any one."""
    text = (
        "`mechanisms/corpus/TOPIC.py` or `entries.py`; `tests/x/test_a.py`, `test_b.py`, `CLAIMS`"
    )
    assert list(places(text)) == ["mechanisms/corpus/TOPIC.py", "mechanisms/corpus/entries.py"]
    assert fits("mechanisms/corpus/TOPIC.py", "mechanisms/corpus/walked.py")
    assert not fits("mechanisms/corpus/TOPIC.py", "audit/levels/walked.py")
    assert not fits("mechanisms/corpus/entries.py", "mechanisms/corpus/entries_local.py")
