"""What reports are made of: a result describes itself in these parts, and each form renders them.

A form knows the parts and no kind of result; a kind of result knows the parts and no form. Texts
hold words of users: each form escapes what it must.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Flag, auto
from typing import Literal, final

from audit.results.plot_parts import Bars, Curves
from audit.results.verdict import TOTAL, Verdict

__all__ = [
    "Cards",
    "Document",
    "DocumentTable",
    "Marked",
    "Part",
    "Place",
    "Provenance",
    "Row",
    "Rows",
    "Script",
    "Section",
    "Text",
    "View",
    "Words",
    "code",
    "plain_text",
]


class View(Flag):
    """How much room a reader has; a form shows the sections of one view."""

    LINES = auto()
    """A terminal, or what is quoted from one."""
    PAGE = auto()
    """A page."""
    BELOW = auto()
    """A few lines below one line of a run."""
    WHOLE = LINES | PAGE
    """Every report of one result."""


@final
@dataclass(frozen=True, slots=True)
class Marked:
    """A text that a form may set off: as code, as strong, or as a verdict."""

    text: str
    how: Literal["code", "strong", "verdict"]


Text = str | tuple[str | Marked, ...]
"""A text, or its pieces in their order."""


def code(text: str) -> Marked:
    """A text to be typed."""
    return Marked(text, "code")


def plain_text(text: Text) -> str:
    """A text without what a form may add to it."""
    pieces = (text,) if isinstance(text, str) else text
    return "".join(piece if isinstance(piece, str) else piece.text for piece in pieces)


@final
@dataclass(frozen=True, slots=True)
class Row:
    """A name and what it is; one without a name goes on with the last. A deeper one is indented."""

    label: str
    text: Text
    depth: int = 0


@final
@dataclass(frozen=True, slots=True)
class Rows:
    """Rows that belong together; as a list where their order is what they say."""

    rows: tuple[Row, ...]
    listed: bool = False


@final
@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph."""

    text: Text
    depth: int = 0


@final
@dataclass(frozen=True, slots=True)
class DocumentTable:
    """A table whose first column names its rows."""

    caption: str
    head: tuple[str, ...]
    """Names of the columns; none where the cells say what they are."""
    rows: tuple[tuple[Text, ...], ...]
    numeric: frozenset[int] = frozenset()
    """Columns of numbers."""
    widths: tuple[int, ...] = ()
    """Characters of the columns where these do not follow from the cells."""


@final
@dataclass(frozen=True, slots=True)
class Script:
    """What a reader can run."""

    label: str
    language: Literal["console", "python"]
    """A command of one line, or a file."""
    source: str
    about: str = ""
    """How to run it."""


@final
@dataclass(frozen=True, slots=True)
class Cards:
    """Sections that stand side by side."""

    sections: tuple[Section, ...]


Part = Rows | Words | DocumentTable | Script | Bars | Curves | Cards
"""What a section is made of."""


@final
@dataclass(frozen=True, slots=True)
class Section:
    """Parts under a title."""

    title: str
    """Heading, where the form has headings."""
    parts: tuple[Part, ...]
    key: str = ""
    """Tells it from the other sections of its view."""
    view: View = View.WHOLE
    """Where it is shown."""

    def rows(self) -> Iterator[Row]:
        """All rows, those of its cards among them."""
        for part in self.parts:
            match part:
                case Rows(rows=rows):
                    yield from rows
                case Cards(sections=sections):
                    for section in sections:
                        yield from section.rows()


@final
@dataclass(frozen=True, slots=True)
class Place:
    """A file, and what of it."""

    uri: str
    """Relative to this folder where the file lies below it, otherwise absolute."""
    line: int | None
    """Of the definition, counted from 1; None where it was not found."""
    attribute: str
    """The name in the file, "" for the file itself."""


@final
@dataclass(frozen=True, slots=True)
class Provenance:
    """What a result does not know of itself: what asked for it, and what repeats it."""

    command: str
    """Asks for the same again."""
    ledger: tuple[str, ...] = ()
    """Claims of the ledger about the target."""
    notes: tuple[str, ...] = field(default=(), metadata={"key": "notes_before"})
    """What was to say before the run."""
    certificate: str | None = field(default=None, metadata={"key": "certificate_file"})
    """The file that was written."""
    status: int = field(default=0, metadata={"key": "exit_status"})
    """What the audit is worth by itself."""
    place: Place | None = None
    """Where its target is defined."""
    parameters: Mapping[str, object] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    """Of the target, and of all that it was run with."""
    section: str = field(default="consistent", metadata={"kept": False})
    """In which section of a run it stands (`audit.report.gate_text`)."""


@final
@dataclass(frozen=True, slots=True)
class Document:
    """What a result says."""

    name: str
    """What was audited, as the user gave it."""
    verdict: Verdict | None
    """None of a total of which nothing was claimed."""
    headline: str
    """What it means, in a sentence or two."""
    reason: str
    """Why this verdict, in one sentence."""
    sections: tuple[Section, ...]
    """All else, in the order of each view."""
    claim: str
    samples: str
    """What was claimed and how many draws were made, in a word or two."""
    command: str
    """Repeats it."""
    finding: str
    """Which rule of a code host is broken where the claim is false."""
    evidence: tuple[str, ...] = ()
    """What samples, exact laws and proofs give, each in a few words."""
    facts: tuple[tuple[str, str], ...] = ()
    """(name, value) of what else repeats it: seed and rate."""
    not_tried: tuple[str, ...] = ()
    """What the verdict says nothing of."""
    hints: tuple[str, ...] = ()
    """What stands behind the headline: what to check first, or what would give a verdict."""
    seconds: float = 0.0

    @property
    def word(self) -> str:
        """What a report says first."""
        return TOTAL if self.verdict is None else self.verdict.value

    def view(self, view: View) -> tuple[Section, ...]:
        """The sections that a form with this much room shows."""
        return tuple(section for section in self.sections if view & section.view)
