"""The parts of a page about one document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from audit.report.html.elements import Child, Safe, el, joined
from audit.report.html.html_parts import badge, card, copied, facts, section, table
from audit.report.html.html_plots import figure
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
)
from audit.results.plot_parts import Bars, Curves

__all__ = ["document_parts"]


def document_parts(document: Document, *, heading: int, key: str) -> Safe:
    """All sections of a page.

    `document`: what a result says. `heading`: level of the headings. `key`: beginning of all
    identifiers, which differ on a page with several documents.
    """
    return joined(
        *(
            section(heading, one.title, *_parts(one, heading, key), key=f"{key}-{one.key}")
            for one in document.view(View.PAGE)
        )
    )


def _parts(one: Section, heading: int, key: str) -> Iterator[Child]:
    for part in one.parts:
        yield from _part(part, heading, key)


def _part(part: Part, heading: int, key: str) -> Iterator[Child]:
    match part:
        case Rows(rows=rows, listed=True):
            yield el("ul", *(el("li", f"{row.label}: ", _child(row.text)) for row in rows))
        case Rows(rows=rows):
            yield facts([(row.label, _child(row.text)) for row in rows])
        case Words(text=text):
            yield el("p", _child(text))
        case DocumentTable(caption=caption, head=head, rows=cells, numeric=numeric):
            yield table(caption, head, [list(map(_child, row)) for row in cells], numeric=numeric)
        case Script():
            yield from _script(part, heading, key)
        case Bars() | Curves():
            yield figure(part, f"{key}-{part.key}")
        case Cards(sections=sections):
            each = (card(heading + 1, one.title, *_parts(one, heading, key)) for one in sections)
            yield el("div", *each, class_="cards")
        case _:
            assert_never(part)


def _script(script: Script, heading: int, key: str) -> Iterator[Safe]:
    if script.label:
        yield el(f"h{heading + 1}", script.label)
    if script.about:
        yield el("p", script.about)
    console = script.language == "console"
    what = "command" if console else "script"
    yield copied(script.source, what, key=f"{key}-{what}", wrapped=console)


def _child(text: Text) -> Child:
    return text if isinstance(text, str) else joined(*map(_piece, text))


def _piece(piece: str | Marked) -> Child:
    if isinstance(piece, str):
        return piece
    if piece.how == "verdict":
        return badge(piece.text)
    return el(piece.how, piece.text)
