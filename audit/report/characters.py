"""Characters that a format cannot hold, replaced by one that says so.

A target's name, an exception or an event may hold any character. XML 1.0 (section 2.2) and HTML
allow no control characters but tab and line ends, and no surrogates; no terminal of a reader
should obey them either.
"""

from __future__ import annotations

import re

__all__ = ["in_xml", "one_line"]

FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(
        f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000)
    )
    + "]"
)
"""Control characters, surrogates and code points that are no characters."""

REPLACEMENT = "\ufffd"


def in_xml(text: str) -> str:
    """Put U+FFFD where XML and HTML allow no character."""
    return FORBIDDEN.sub(REPLACEMENT, text)


def one_line(text: str) -> str:
    """Put one space for each run of white space."""
    return " ".join(in_xml(text).split())
