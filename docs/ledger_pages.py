"""The ledger and its errata, printed while the site is built, and a page for each claim.

A page has what the ledger says of the claim, with links to the claims that it names, those that
rest on it, and the command that writes its solver files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Page", "pages", "printed", "write"]

HEADING = re.compile(r"^### (?P<claim>\S+): (?P<status>.+)$", re.MULTILINE)
PAPER = re.compile(r"^## (?P<name>[A-Z]+): (?P<title>.+)$", re.MULTILINE)
RESTS = re.compile(r"^\* Rests on: (.+)$", re.MULTILINE)
WORD = re.compile(r"\$[^$]*\$|`[^`]*`|[A-Z]{3}-[\w.'-]*[\w']")
"""Formulas and code, which have no links, and what may be the name of a claim."""


@dataclass(frozen=True)
class Page:
    """Of one claim."""

    claim: str
    status: str
    paper: str
    text: str
    """As the ledger has it, below its heading."""
    rests_on: tuple[str, ...]
    """Names of the claims that it rests on."""

    @property
    def name(self) -> str:
        """Of its file, without the ending."""
        return self.claim.replace("'", "-prime")


def printed(folder: Path) -> Path:
    """Print the ledger and its errata into a folder; return the page of the ledger.

    Results that earlier runs kept (`TOUCHSTONE_CACHE`) count; what is not kept is proved.

    Raises
    ------
    ValueError
        If the checks show another status than the registered one: then no site is built.
    """
    from audit.cli import main

    ledger, errata = folder / "ledger.md", folder / "errata.md"
    for page, words in ((ledger, []), (errata, ["--errata"])):
        status = main(["prove", *words, "--format", "md", "--output", str(page)])
        if status:
            msg = f"`touchstone prove` ends with {status}, so {page.name} is not printed"
            raise ValueError(msg)
    return ledger


def pages(ledger: str) -> dict[str, Page]:
    """Cut the ledger into the pages of its claims."""
    papers = list(PAPER.finditer(ledger))
    headings = list(HEADING.finditer(ledger))
    ends = [*(match.start() for match in headings), len(ledger)]
    found = {}
    for heading, after in zip(headings, ends[1:], strict=True):
        before = [match for match in papers if match.start() < heading.start()]
        inside = [match.start() for match in papers if heading.end() < match.start() < after]
        text = ledger[heading.end() : min([after, *inside])].strip()
        claim, of = heading["claim"], f"{before[-1]['name']}: {before[-1]['title']}"
        rests_on = tuple(name for line in RESTS.findall(text) for name in line.split(", "))
        found[claim] = Page(claim, heading["status"], of, text, rests_on)
    return found


def linked(text: str, known: dict[str, Page], but: str) -> str:
    """Link the names of other claims to their pages."""

    def link(match: re.Match[str]) -> str:
        name = match[0]
        return f"[{name}]({known[name].name}.md)" if name in known and name != but else name

    lines = text.split("\n")
    return "\n".join(line if line.startswith("$$") else WORD.sub(link, line) for line in lines)


def page_text(page: Page, known: dict[str, Page]) -> str:
    """Write the page of a claim."""
    above = [other.claim for other in known.values() if page.claim in other.rests_on]
    rests = ", ".join(above) if above else "nothing"
    end = f"* On it rests: {rests}.\n* Solver files: `touchstone prove {page.claim} --smt2 DIR`\n"
    said = linked(f"{page.text}\n\n{end}", known, page.claim)
    return f"# {page.claim}: {page.status}\n\n{page.paper} ([all claims](index.md))\n\n{said}"


def index_text(known: dict[str, Page]) -> str:
    """Write the page that lists all of them."""
    text = "# A page for each claim\n\nThe same as [the ledger](../../ledger.md), one by one.\n"
    for paper in dict.fromkeys(page.paper for page in known.values()):
        own = [page for page in known.values() if page.paper == paper]
        names = "\n".join(page.name for page in own)
        text += f"\n## {paper}\n\n```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n"
    return text


def write(ledger: Path, folder: Path) -> None:
    """Write all pages; those that have not changed are left alone."""
    known = pages(ledger.read_text(encoding="utf-8"))
    texts = {page.name: page_text(page, known) for page in known.values()}
    texts["index"] = index_text(known)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        file = folder / f"{name}.md"
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
