"""What code cites stands in the repository: theorems on their page, recipes by their paths."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import mechanisms
from tests.architecture.test_product_is_self_contained import product_files

ROOT = Path(__file__).parents[2]
SOURCES = Path(mechanisms.__file__).parents[1]
"""Where the packages are: here, or installed."""
PAGE = ROOT / "docs" / "explanation" / "statistics.md"
RECIPES = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Recipes")[2]

CITED = re.compile(r"\bENG-(T\d\w?)\b")
ELSEWHERE = re.compile(r"\bENGINE2? (?:T\d|sections? \d|\d)|\b(?:INPUTS|LEDGER2|ACCOUNTING) \d")
"""Documents that the repository does not hold."""

PLACEHOLDERS = ("NAME", "FAMILY", "PAPER", "TOPIC", "KIND", "LIBRARY")
"""What stands in a recipe for a name of the reader's."""


def test_theorems_stand_on_their_page_and_are_cited() -> None:
    """It must hold of each, and that nothing is cited from a document that is not here."""
    anchors = {
        name.upper() for name in re.findall(r"^\(eng-(t\d\w?)\)=$", PAGE.read_text(), re.MULTILINE)
    }
    cited = dict[str, list[Path]]()
    for path in product_files():
        text = path.read_text(encoding="utf-8")
        if path != Path(__file__):
            assert not ELSEWHERE.findall(text), path
        if path.suffix == ".py":
            for name in CITED.findall(text):
                cited.setdefault(name.upper(), []).append(path)
    assert cited.keys() == anchors
    code = SOURCES / "audit"
    assert [n for n in anchors if not any(p.is_relative_to(code) for p in cited[n])] == []
    assert ELSEWHERE.search("see ENGINE2 4 and ENGINE T3")


def recipes() -> dict[str, list[str]]:
    """Steps of each recipe, by its title."""
    parts = re.split(r"^### ", RECIPES.partition("\n## ")[0], flags=re.MULTILINE)[1:]
    return {
        part.partition("\n")[0]: re.split(r"^\d\. ", part, flags=re.MULTILINE)[1:] for part in parts
    }


def spans(step: str) -> list[str]:
    """What stands between accents."""
    return [" ".join(found.split()) for found in re.findall(r"`([^`]+)`", step)]


def is_path(span: str) -> bool:
    """Whether it names a file or a folder of the repository."""
    return re.fullmatch(r"[\w./-]+", span) is not None and ("/" in span or span.endswith(".py"))


def found(span: str, folders: set[Path]) -> list[Path]:
    """Files that a path of a recipe may mean; one without a folder stands beside another."""
    pattern = re.sub("|".join(PLACEHOLDERS), "*", span.partition("::")[0])
    if "/" not in span:
        return [path for folder in folders for path in folder.glob(pattern)]
    return [*{*ROOT.glob(pattern), *SOURCES.glob(pattern)}]


def missing(step: str) -> Iterator[str]:
    """What a step names and the repository does not have: files, tables in them, dotted names."""
    files, folders = list[Path](), {ROOT}
    for span in filter(is_path, spans(step)):
        here = found(span, folders)
        files += [path for path in here if path.suffix == ".py"]
        folders |= {path if path.is_dir() else path.parent for path in here}
        if not here:
            yield span
    defined = {name for path in files for name in _assigned(path)}
    for span in spans(step):
        is_table = re.fullmatch(r"[A-Z][A-Z_]{3,}", span) and span not in PLACEHOLDERS
        is_dotted = re.fullmatch(r"(audit|mechanisms|proofs_check)(\.\w+)+", span)
        if (is_table and span not in defined) or (is_dotted and not _importable(span)):
            yield span


def _assigned(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


NAMED = re.compile(r"`((?:audit|mechanisms|proofs_check)(?:\.\w+)+)(?:\(\))?`")


@pytest.mark.long
def test_names_in_texts_are_there() -> None:
    """It must hold of every dotted name in a docstring, a comment or a page."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    assert [
        (path.name, name)
        for path in {*product_files(), *pages}
        for name in NAMED.findall(path.read_text(encoding="utf-8"))
        if path != Path(__file__) and not set(PLACEHOLDERS) & set(name.split("."))
        if not _importable(name)
    ] == []


@cache
def _importable(name: str) -> bool:
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            thing: object = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            fields = getattr(thing, "__annotations__", {})
            thing = getattr(thing, part, fields.get(part))
        return thing is not None
    return False


@pytest.mark.parametrize("title", recipes())
def test_a_recipe_names_what_is_there(title: str) -> None:
    """It must hold of every file, every table in it, and every dotted name."""
    assert [name for step in recipes()[title] for name in missing(step)] == []


def test_the_walk_finds_what_is_missing() -> None:
    """It must hold of a file, of a table and of a module."""
    step = "`audit/levels/gone.py`; `audit/levels/__init__.py`: a line in `KINDS`; `audit.gone`"
    assert list(missing(step)) == ["audit/levels/gone.py", "KINDS", "audit.gone"]
    assert list(missing("`audit/levels/NAME.py`, `audit/levels/__init__.py`: `LEVELS`")) == []
