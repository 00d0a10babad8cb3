"""Each claim of the ledger has a page of the site, with all that the ledger says of it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from proofs_check.registry import identifiers

DOCS = Path(__file__).parents[2] / "docs"
LEDGER = (DOCS / "reference" / "ledger.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def made() -> ModuleType:
    """The module that the site's configuration uses."""
    spec = importlib.util.spec_from_file_location("ledger_pages", DOCS / "ledger_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where its dataclass looks for itself
    spec.loader.exec_module(module)
    return module


def test_each_claim_has_a_page(made: ModuleType, tmp_path: Path) -> None:
    """It must hold of all that are registered, each in a file of its own, in the index once."""
    made.write(DOCS / "reference" / "ledger.md", tmp_path)
    assert set(made.pages(LEDGER)) == set(identifiers())
    assert len(list(tmp_path.iterdir())) == len(identifiers()) + 1
    index = (tmp_path / "index.md").read_text().splitlines()
    for page in made.pages(LEDGER).values():
        assert index.count(page.name) == 1
        assert (tmp_path / f"{page.name}.md").is_file()


def test_a_page_has_what_the_ledger_says(made: ModuleType) -> None:
    """It must hold that the pages hold all lines of the ledger below its first claim, in order."""
    _, _, below = LEDGER.partition("\n### ")
    wanted = [line for line in below.splitlines() if line and not line.startswith("#")][1:]
    texts = [page.text for page in made.pages(LEDGER).values()]
    assert [line for text in texts for line in text.splitlines() if line] == wanted


def test_who_rests_on_a_claim_is_told(made: ModuleType) -> None:
    """It must hold that both ends of each edge name each other, with a link; no name is unknown."""
    known = made.pages(LEDGER)
    edges = [(page, name) for page in known.values() for name in page.rests_on]
    assert len(edges) > 100
    for page, name in edges:
        assert f"[{name}]({known[name].name}.md)" in made.page_text(page, known)
        below = made.page_text(known[name], known).partition("* On it rests: ")[2]
        assert f"[{page.claim}]({page.name}.md)" in below.splitlines()[0]


def test_formulas_have_no_links(made: ModuleType) -> None:
    """It must hold that a name within a formula, or of the page itself, is left as it is."""
    known = made.pages(LEDGER)
    text = "KSW-A1 and $KSW-A1$, `KSW-A1`, KSW-A2.\n$$KSW-A1$$"
    want = "[KSW-A1](KSW-A1.md) and $KSW-A1$, `KSW-A1`, KSW-A2.\n$$KSW-A1$$"
    assert made.linked(text, known, "KSW-A2") == want
