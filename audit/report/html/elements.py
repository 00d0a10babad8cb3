"""Elements of HTML and SVG as text in which every user's word is escaped.

A child that is a plain string is escaped, and so is the value of every attribute; only what these
functions made is taken as it is. So no name of a target can become an element.
"""

from __future__ import annotations

from html import escape

from audit.files.plain import printable

__all__ = ["Child", "Safe", "el", "joined", "raw"]

VOID = frozenset({"link", "meta"})


class Safe(str):
    """Markup."""

    __slots__ = ()


Child = Safe | str | None
"""Markup, text to be escaped, or nothing."""


def raw(text: str) -> Safe:
    """Take a text of ours (a style sheet, a script) as markup."""
    return Safe(text)


def joined(*children: Child) -> Safe:
    """Put markup and escaped text side by side."""
    return Safe("".join(c if isinstance(c, Safe) else _text(c) for c in children if c is not None))


def el(name: str, /, *children: Child, **attributes: str | float | bool | None) -> Safe:
    """Write an element.

    `name`: its tag. `*children`: what it holds. `**attributes`: `class_` is "class", and `_` inside
    a name "-"; True stands alone, None and False are left out.
    """
    words = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        spelled = key.rstrip("_").replace("_", "-")
        words.append(spelled if value is True else f'{spelled}="{_text(_shown(value))}"')
    opened = f"<{' '.join(words)}>"
    return Safe(opened if name in VOID else f"{opened}{joined(*children)}</{name}>")


def _shown(value: str | float) -> str:
    """Write a coordinate with no more digits than a screen has."""
    return value if isinstance(value, str) else f"{round(value, 2):g}"


def _text(text: str) -> str:
    return escape(printable(text), quote=True)
