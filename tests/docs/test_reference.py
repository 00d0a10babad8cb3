"""Pages of reference are what the code says, and every page can be reached."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import audit
from audit.cli import COMMANDS
from audit.request.word_table import WORDS
from audit.targets.libraries.adapters import ADAPTERS
from mechanisms.corpus.registry import CORPUS
from mechanisms.registry import MECHANISMS
from tests.docs.pages import DOCS
from tests.docs.reference import MODULES, PAGES, undocumented

TREE = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SECTION = re.compile(
    r"currentmodule:: (\S+)\n\n.. autosummary::\n   :toctree: generated\n\n([ \w\n]*?)\n\n"
)
WORDS_OF = ("OrderWord", "RelationWord")
"""Literals, which `callable` takes for functions."""
PAGE_NAMES = sorted(p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md"))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_code_says(name: str) -> None:
    """It must hold; `python -m tests.docs.reference` writes it anew."""
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name]()


def test_pages_name_all_there_is() -> None:
    """It must hold of words, commands and public names."""
    words, names = PAGES["reference/words.md"](), PAGES["reference/python.rst"]()
    assert all(f"| `{word}` |" in words for word in WORDS)
    assert all(f"   {name}\n" in names for name in audit.__all__)
    sections = {title: set(text.split()) for title, text in SECTION.findall(names)}
    for module in MODULES:
        loaded = importlib.import_module(module)
        called = {n for n in loaded.__all__ if callable(getattr(loaded, n)) and n not in WORDS_OF}
        assert called
        assert sections[module] == called
    assert all(f"touchstone {name}\n" in PAGES["reference/command-line.rst"]() for name in COMMANDS)


def test_every_public_name_is_documented() -> None:
    """It must hold of `audit` and of the public modules beside it."""
    assert list(undocumented()) == []


def reached() -> set[str]:
    """Pages that the tables of contents lead to from the first one."""
    found, waiting = set[str](), [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        name = page.relative_to(DOCS).as_posix()
        if name in found or not page.exists():
            continue
        found.add(name)
        for tree in TREE.findall(page.read_text(encoding="utf-8")):
            for entry in tree.splitlines():
                if entry.strip() and not entry.startswith(":"):
                    place = page.parent / entry.strip()
                    waiting += [place.with_suffix(end) for end in (".md", ".rst")]
    return found


def test_every_page_can_be_reached() -> None:
    """It must hold of each page and each one of reference that is made."""
    pages = {
        p.relative_to(DOCS).as_posix() for end in ("md", "rst") for p in DOCS.rglob(f"*.{end}")
    }
    left_out = {p for p in pages if p.startswith(("reference/generated/", "_"))}
    assert pages - left_out == reached()


def test_links_between_pages_lead_somewhere(subtests: pytest.Subtests) -> None:
    """It must hold of each link to a file, on the site as on a code host."""
    for name in PAGE_NAMES:
        with subtests.test(name=name):
            page = DOCS / name
            text = FENCED.sub("", page.read_text(encoding="utf-8"))
            for link in LINK.findall(re.sub(r"`[^`\n]*`", "", text)):
                if "://" not in link and not link.startswith("#"):
                    assert (page.parent / link.partition("#")[0]).exists(), link


def test_targets_of_the_pitfalls_are_known() -> None:
    """It must hold of each registered name on the page."""
    text = (DOCS / "how-to" / "pitfalls.md").read_text(encoding="utf-8")
    known = {*CORPUS, *ADAPTERS, *MECHANISMS}
    names = re.findall(r"`((?:corpus|ksw|sub|tri|pdp|diffprivlib|opendp)\.[\w.-]+)`", text)
    assert len(names) >= 3
    assert set(names) <= known


@pytest.mark.parametrize(
    "option", sorted({*re.findall(r"`(--[a-z-]+)", (DOCS / "how-to" / "pitfalls.md").read_text())})
)
def test_options_of_the_pitfalls_are_words(option: str) -> None:
    """It must hold of each option on the page; of `prove` and `gate` there are others."""
    word = option.removeprefix("--").replace("-", "_")
    assert word in WORDS or option in ("--errata", "--mode", "--utility", "--carry")


def test_the_readme_and_the_site_begin_alike() -> None:
    """It must hold of the sentences that say what it is."""
    first = "bets against the claim, and comes back with a witness"
    for page in (DOCS / "index.md", Path(DOCS).parent / "README.md"):
        assert first in " ".join(page.read_text(encoding="utf-8").split())
