"""Parts that pages are made of: verdict, facts, tables, cards, text to copy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from audit.report.html.elements import Child, Safe, el, joined
from audit.results.verdict import TOTAL, Verdict

__all__ = ["badge", "card", "copied", "facts", "kind_of", "section", "table", "verdict_box"]

KINDS = {
    "ok": "good",
    "FAIL": "bad",
    "ERROR": "bad",
    "OPEN": "open",
    Verdict.PROVED: "good",
    TOTAL: "good",
    Verdict.CONSISTENT: "good",
    Verdict.REFUTED: "bad",
    Verdict.INCONCLUSIVE: "open",
}
"""How a mark or a verdict is colored; its word always stands beside."""


def kind_of(word: str) -> str:
    """Class of a mark or a verdict: "good", "bad" or "open"."""
    return KINDS.get(word, "open")


def badge(word: str, kind: str | None = None) -> Safe:
    """A mark or a verdict as a colored word."""
    return el("span", word, class_=f"badge {kind or kind_of(word)}")


def verdict_box(word: str, title: str, *children: Child, kind: str | None = None) -> Safe:
    """What a page says first."""
    kind = kind or kind_of(word)
    return el(
        "header",
        el("h1", badge(word, kind), title),
        *children,
        class_=f"verdict {kind}",
    )


def section(heading: int, title: str, *children: Child, key: str) -> Safe:
    """A part of a page with a heading of this level."""
    inside = joined(*children)
    if not inside:
        return Safe("")
    top = heading == 2  # a landmark; those of many audits on one page would all have one name
    return el(
        "section",
        el(f"h{heading}", title, id=f"{key}-title"),
        inside,
        aria_labelledby=f"{key}-title" if top else None,
    )


def facts(rows: Iterable[tuple[str, Child]]) -> Safe:
    """Names and what they are; an empty name goes on with the last, no rows give nothing."""
    listed = [joined(el("dt", name) if name else None, el("dd", text)) for name, text in rows]
    return el("dl", *listed) if listed else Safe("")


def table(
    caption: str,
    head: Sequence[Child],
    rows: Iterable[Sequence[Child]],
    *,
    numeric: frozenset[int] = frozenset(),
) -> Safe:
    """A table whose first column names its rows; it scrolls by itself where it is too wide."""
    top = el(
        "tr", *(el("th", cell, scope="col", class_=_num(i, numeric)) for i, cell in enumerate(head))
    )
    body = [
        el(
            "tr",
            *(
                el("td", cell, class_=_num(i, numeric))
                if i
                else el("th", cell, scope="row", class_=_num(i, numeric))
                for i, cell in enumerate(cells)
            ),
        )
        for cells in rows
    ]
    inside = el("table", el("caption", caption), el("thead", top), el("tbody", *body))
    return el("div", inside, class_="scroll", role="group", aria_label=caption, tabindex="0")


def _num(column: int, numeric: frozenset[int]) -> str | None:
    return "num" if column in numeric else None


def card(heading: int, title: str, *children: Child) -> Safe:
    """One of several parts that stand side by side."""
    return el("div", el(f"h{heading}", title), *children, class_="card")


def copied(text: str, what: str, *, key: str, wrapped: bool = False) -> Safe:
    """A text with a button that copies it; `what` names it."""
    block = el(
        "pre",
        el("code", text, id=key),
        class_="wrapped" if wrapped else None,
        tabindex="0",
        role="group",
        aria_label=what,
    )
    button = el("button", f"Copy {what}", type="button", data_copies=key, data_tells=f"{key}-told")
    told = el("span", id=f"{key}-told", class_="told", role="status")
    return el("div", block, button, told, class_="code")
