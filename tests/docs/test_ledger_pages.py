"""Each claim of the ledger has a page of the site, with all that the ledger says of it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from audit.report.ledger.ledger_markdown import ledger_page
from proofs_check.claim import Status
from proofs_check.registry import identifiers
from tests.proofs_check.ledgers import all_as_registered, fact, ledger, stated

DOCS = Path(__file__).parents[2] / "docs"


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


@pytest.fixture(scope="module")
def page() -> str:
    """The page of the ledger, as if all were as registered."""
    results = all_as_registered()
    return ledger_page(list(results.values()), results)


def test_each_claim_has_a_page(made: ModuleType, page: str, tmp_path: Path) -> None:
    """It must hold of all that are registered, each in a file of its own, in the index once."""
    (tmp_path / "ledger.md").write_text(page, encoding="utf-8")
    claims = tmp_path / "claims"
    made.write(tmp_path / "ledger.md", claims)
    assert set(made.pages(page)) == set(identifiers())
    assert len(list(claims.iterdir())) == len(identifiers()) + 1
    index = (claims / "index.md").read_text().splitlines()
    for one in made.pages(page).values():
        assert index.count(one.name) == 1
        assert (claims / f"{one.name}.md").is_file()


def test_a_page_has_what_the_ledger_says(made: ModuleType, page: str) -> None:
    """It must hold that the pages hold all lines of the ledger below its first claim, in order."""
    _, _, below = page.partition("\n### ")
    wanted = [line for line in below.splitlines() if line and not line.startswith("#")][1:]
    texts = [one.text for one in made.pages(page).values()]
    assert [line for text in texts for line in text.splitlines() if line] == wanted


def test_who_rests_on_a_claim_is_told(made: ModuleType, page: str) -> None:
    """It must hold that both ends of each edge name each other, with a link; no name is unknown."""
    known = made.pages(page)
    edges = [(one, name) for one in known.values() for name in one.rests_on]
    assert len(edges) > 100
    for one, name in edges:
        assert f"[{name}]({known[name].name}.md)" in made.page_text(one, known)
        below = made.page_text(known[name], known).partition("* On it rests: ")[2]
        assert f"[{one.claim}]({one.name}.md)" in below.splitlines()[0]


def test_formulas_have_no_links(made: ModuleType, page: str) -> None:
    """It must hold that a name within a formula, or of the page itself, is left as it is."""
    known = made.pages(page)
    text = "KSW-A1 and $KSW-A1$, `KSW-A1`, KSW-A2.\n$$KSW-A1$$"
    want = "[KSW-A1](KSW-A1.md) and $KSW-A1$, `KSW-A1`, KSW-A2.\n$$KSW-A1$$"
    assert made.linked(text, known, "KSW-A2") == want


def test_the_site_prints_what_is_proved(
    made: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It must hold that both pages are printed, and none where a check does not hold."""
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(tmp_path / "kept"))
    erratum = stated("KSW-B", Status.REFUTED)
    with ledger(monkeypatch, stated("KSW-A"), erratum):
        assert "### KSW-A: PROVED" in made.printed(tmp_path).read_text()
        assert "### KSW-B" in (tmp_path / "errata.md").read_text()
    with (
        ledger(monkeypatch, stated("KSW-C", checks=(fact(holds=False),)), erratum),
        pytest.raises(ValueError, match=r"prove` ends with 1, so ledger.md is not printed"),
    ):
        made.printed(tmp_path)
