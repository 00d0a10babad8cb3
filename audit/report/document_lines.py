"""Documents as text: verdict first, then what a tired maintainer needs, on one screen."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import assert_never

from audit.documents.report_cases import Case
from audit.report.characters import as_lines, cleaned
from audit.results.document import (
    Cards,
    Document,
    DocumentTable,
    Marked,
    Part,
    Rows,
    Script,
    Section,
    Text,
    View,
    Words,
    plain_text,
)
from audit.results.plot_parts import Bars, Curves

__all__ = ["below_text", "case_text", "document_text", "row", "wrapped"]

WIDTH = 96
LABEL = 10
"""Characters of a label and of a step of indentation together."""
NARROW = 9
"""Characters of a cell where a table does not say it."""


def document_text(document: Document) -> str:
    """Report of one document."""
    document = cleaned(document)
    head = f"{document.word}: {document.name}"
    blocks = [[head, *wrapped("", document.headline)]]
    blocks += [wrapped("", hint) for hint in document.hints]
    blocks += [list(_section(section)) for section in document.view(View.LINES)]
    return as_lines("\n\n".join("\n".join(block) for block in blocks).rstrip() + "\n")


def case_text(case: Case) -> str:
    """Report of one case of a run."""
    text = as_lines(case.text)
    return text if case.document is None else text + document_text(case.document)


def below_text(document: Document) -> list[str]:
    """Lines below the line of a run; none if the document has nothing for them."""
    lines = [row for hint in document.hints for row in wrapped(" " * 6, hint)]
    for section in document.view(View.BELOW):
        for part in section.parts:
            match part:
                case Words(text=text):
                    lines += wrapped(" " * 6, plain_text(text))
                case _:
                    lines += [f"      {line}" for line in _part(part)]
    return lines


def _section(section: Section) -> Iterator[str]:
    """Lines of a section; a title needs a line of its own."""
    if section.title:
        yield from wrapped("", section.title)
    for part in section.parts:
        yield from _part(part)


def _part(part: Part) -> Iterator[str]:
    match part:
        case Rows(rows=rows):
            for one in rows:
                yield from row(one.label, one.text, one.depth)
        case Words(text=text, depth=depth):
            yield from wrapped("  " * depth, _shown(text))
        case DocumentTable():
            yield from _table(part)
        case Script():
            yield from _script(part)
        case Cards(sections=sections):
            for section in sections:
                yield from _section(section)
        case Bars(title=title, words=words) | Curves(title=title, words=words):
            yield from wrapped("", f"{title}: {words}")
        case _:
            assert_never(part)


def row(label: str, text: Text, depth: int = 0) -> list[str]:
    """A label, and text beside it."""
    return wrapped(_label(label, depth), _shown(text))


def _label(label: str, depth: int) -> str:
    """A label in its column, which is as wide at the first two depths."""
    return f"{'  ' * depth}{label:<{LABEL if depth else LABEL + 2}}"


def _table(table: DocumentTable) -> Iterator[str]:
    rows = [tuple(map(_shown, cells)) for cells in table.rows]
    if table.widths:
        for cells in [table.head, *rows] if table.head else rows:
            columns = zip(cells, table.widths, strict=False)
            padded = (cell.ljust(max(width, len(cell) + 1)) for cell, width in columns)
            yield f"    {''.join(padded)}".rstrip()
        return
    for first, *others in [table.head, *rows]:
        yield _label(first, 1) + "".join(f"{cell:>{NARROW}}" for cell in others)


def _script(script: Script) -> Iterator[str]:
    if script.language == "console":
        yield _label(script.label, 0) + script.source.replace("\n", r"\n")
        return
    yield f"{script.label}:"
    yield ""
    for line in script.source.rstrip().splitlines():
        yield f"    {line}".rstrip()


def _shown(text: Text) -> str:
    """A text in which code stands between accents."""
    return text if isinstance(text, str) else "".join(map(_piece, text))


def _piece(piece: str | Marked) -> str:
    if isinstance(piece, str):
        return piece
    return f"`{piece.text}`" if piece.how == "code" else piece.text


def wrapped(label: str, text: str, width: int = WIDTH) -> list[str]:
    """Text broken into lines, all indented by the label."""
    indent = " " * len(label)
    lines = textwrap.wrap(text, width - len(label), break_long_words=False, break_on_hyphens=False)
    return [(label if i == 0 else indent) + line for i, line in enumerate(lines)]
