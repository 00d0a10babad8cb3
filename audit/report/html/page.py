"""The frame of a page: head, style, script, and what the browser may load, which is nothing.

The policy in the head names the digests of the one style sheet and the one script; whatever else
got into the page would neither run nor reach the network.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from audit.report.html.elements import Child, el, joined, raw
from audit.results.versions import touchstone_version

__all__ = ["page"]


def page(title: str, *body: Child) -> str:
    """Write a page with this title around a body."""
    style, script = _shipped("page.css"), _shipped("page.js")
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="referrer", content="no-referrer"),
        el("link", rel="icon", href="data:,"),
        el("title", title),
        el("style", raw(style)),
    )
    foot = el(
        "footer", el("p", f"Written by touchstone {touchstone_version()}. It needs no network.")
    )
    whole = el(
        "body",
        el("a", "To the report", href="#report", class_="skip"),
        el("main", joined(*body), id="report", tabindex="-1"),
        foot,
        el("script", raw(script)),
    )
    return f"<!DOCTYPE html>\n{el('html', head, whole, lang='en')}\n"


@cache
def _shipped(name: str) -> str:
    return (files("audit.report.html") / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
