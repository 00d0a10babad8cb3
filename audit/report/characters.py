r"""Texts of users, targets and files, as forms can hold them and no reader obeys them.

A target's name, an exception or an event may hold any character. XML 1.0 (section 2.2) and HTML
allow no control characters but tab and line ends, and no surrogates; a terminal obeys escape
characters; characters that turn the direction of a text or have no width make it read as another.
All of these are written as Python does, such as `\x1b`. A build server of GitHub obeys lines that
begin with two colons, and what stands behind `##[`.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from audit.files.plain import printable

__all__ = ["as_lines", "cleaned", "complaint", "one_line"]

T = TypeVar("T")

ONE_LINE = ("name", "title", "label", "subject", "command")
"""Fields whose texts are parts of a line, as those in tuples are; others are broken into lines."""

COMMAND = re.compile(r"^(\s*)::|(#)#\[", re.MULTILINE)

LONGEST = 300
"""Characters of a complaint: what a user typed may be as long as a shell allows."""
DIGITS = re.compile(r"(?:(?<![0-9a-f])|(?<=[0-9]e)|(?<=e-))([0-9]{20})[0-9]+(?![0-9a-f])")
"""More than anybody counts; the digits of a hash stay."""
WORD = re.compile(r"(\S{100})\S{21,}")
"""Longer than the path of a file, so that what is wrong with it still stands in the line."""


def complaint(message: str) -> str:
    """Write what a user's input led to in one short line."""
    line = f"touchstone: {as_lines(' '.join(message.split()))}"
    line = DIGITS.sub(lambda found: f"{found[1]}... ({len(found[0])} digits)", line)
    line = WORD.sub(r"\1...", line)
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."


def as_lines(text: str) -> str:
    """Write lines that neither a terminal nor a build server obeys."""
    return COMMAND.sub(_disarmed, printable(text))


def _disarmed(found: re.Match[str]) -> str:
    return r"#\x23[" if found[2] else rf"{found[1]}:\x3a"


def one_line(text: str) -> str:
    """Put one space for each run of white space."""
    return " ".join(printable(text).split())


def cleaned(value: T) -> T:
    """A document, case or report whose texts hold nothing that a reader would obey or not see."""
    return _cleaned(value, is_line=False)  # type: ignore[no-any-return]


def _cleaned(value: Any, *, is_line: bool) -> Any:
    if isinstance(value, str):
        text = as_lines(value)
        # an enumeration is a str, too, and holds nothing of a user's
        same = text == value and not (is_line and "\n" in text)
        return value if same else text.replace("\n", r"\n") if is_line else text
    if isinstance(value, tuple):
        return tuple(_cleaned(part, is_line=True) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        found = {part.name: getattr(value, part.name) for part in fields(value)}
        new = {name: _cleaned(old, is_line=name in ONE_LINE) for name, old in found.items()}
        changed = {name: new[name] for name, old in found.items() if new[name] is not old}
        return replace(value, **changed) if changed else value
    return value
