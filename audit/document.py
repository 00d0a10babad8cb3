"""What reports are made of: a result describes itself in these parts, and each form renders them.

A form knows the parts and no kind of result; a kind of result knows the parts and no form. Texts
hold words of users: each form escapes what it must.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Flag, auto
from typing import Literal, final

from audit.verdict import Verdict

__all__ = [
    "Bar",
    "Bars",
    "Cards",
    "Case",
    "Curves",
    "Document",
    "Mark",
    "Marked",
    "Part",
    "Place",
    "Plot",
    "Provenance",
    "Row",
    "Rows",
    "Run",
    "Script",
    "Section",
    "Style",
    "Table",
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
class Table:
    """A table whose first column names its rows.

    Parameters
    ----------
    caption : str
        Its name.
    head : tuple of str
        Names of the columns; none where the cells say what they are.
    rows : tuple of tuple of Text
        Cells.
    numeric : frozenset of int
        Columns of numbers.
    widths : tuple of int
        Characters of the columns where these do not follow from the cells.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Text, ...], ...]
    numeric: frozenset[int] = frozenset()
    widths: tuple[int, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Script:
    """What a reader can run.

    Parameters
    ----------
    label : str
        Its name.
    language : {"console", "python"}
        A command of one line, or a file.
    source : str
        To be copied.
    about : str
        How to run it.
    """

    label: str
    language: Literal["console", "python"]
    source: str
    about: str = ""


Style = Literal["samples", "claimed", "proved", "broken", "band"]
"""What a mark of a plot stands for: a form gives each a color."""


@final
@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: words above it, its length (inf reaches the end), and what it stands for.

    A bar that is a `point` is a mark at its value.
    """

    words: str
    value: float
    style: Style
    point: bool = False


@final
@dataclass(frozen=True, slots=True)
class Bars:
    """Bars from 0 along one axis, and a line where the claim is.

    Parameters
    ----------
    key : str
        Tells it from the other plots of a document.
    title : str
        Name.
    bars : tuple of Bar
        From top to bottom.
    axis : str
        Name of the axis.
    claimed : (float, str) or None
        Where the line stands, and what is written at it.
    words : str
        Description, for those who do not see it.
    caption : str
        What stands below.
    """

    key: str
    title: str
    bars: tuple[Bar, ...]
    axis: str
    claimed: tuple[float, str] | None
    words: str
    caption: str = ""


@final
@dataclass(frozen=True, slots=True)
class Mark:
    """What is drawn in a plot of curves.

    Parameters
    ----------
    kind : str
        "line" or "area" through the points, "dots" or arrows to what is "beyond" the plot at
        them, or a "label" beside the one point.
    points : tuple of (float, float)
        Where.
    style : Style
        What it stands for.
    words : tuple of str
        Of a label; of each dot, said when it is pointed at; of what is beyond.
    offset : (float, float)
        Of a label: how far aside and above.
    """

    kind: Literal["line", "area", "dots", "beyond", "label"]
    points: tuple[tuple[float, float], ...]
    style: Style
    words: tuple[str, ...] = ()
    offset: tuple[float, float] = (0.0, 0.0)


@final
@dataclass(frozen=True, slots=True)
class Curves:
    """Curves over two axes.

    Parameters
    ----------
    key, title, words, caption : str
        As of `Bars`.
    axes : (str, str)
        Names of the horizontal and of the vertical one.
    left, right, top : float
        Ends of the horizontal axis, and the most that the vertical one must show from 0 on.
    marks : tuple of Mark
        From back to front.
    ticks : tuple of (float, str)
        Of the horizontal axis; none for round numbers.
    """

    key: str
    title: str
    axes: tuple[str, str]
    left: float
    right: float
    top: float
    marks: tuple[Mark, ...]
    words: str
    ticks: tuple[tuple[float, str], ...] = ()
    caption: str = ""


Plot = Bars | Curves
"""A picture as data."""


@final
@dataclass(frozen=True, slots=True)
class Cards:
    """Sections that stand side by side."""

    sections: tuple[Section, ...]


Part = Rows | Words | Table | Script | Bars | Curves | Cards
"""What a section is made of."""


@final
@dataclass(frozen=True, slots=True)
class Section:
    """Parts under a title.

    Parameters
    ----------
    title : str
        Heading, where the form has headings.
    parts : tuple of Part
        In their order.
    key : str
        Tells it from the other sections of its view.
    view : View
        Where it is shown.
    """

    title: str
    parts: tuple[Part, ...]
    key: str = ""
    view: View = View.WHOLE

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
class Provenance:
    """What a result does not know of itself: what asked for it, and what repeats it.

    Parameters
    ----------
    command : str
        Asks for the same again.
    mode : str
        Of the audit.
    ledger : tuple of str
        Claims of the ledger about the target.
    notes : tuple of str
        What was to say before the run.
    certificate : str or None
        The file that was written.
    """

    command: str
    mode: str = ""
    ledger: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    certificate: str | None = None


@final
@dataclass(frozen=True, slots=True)
class Document:
    """What a result says.

    Parameters
    ----------
    name : str
        What was audited, as the user gave it.
    verdict : Verdict
        The answer.
    headline : str
        What it means, in a sentence or two.
    reason : str
        Why this verdict, in one sentence.
    sections : tuple of Section
        All else, in the order of each view.
    claim, samples : str
        What was claimed and how many draws were made, in a word or two.
    command : str
        Repeats it.
    finding : str
        Which rule of a code host is broken where the claim is false.
    evidence : tuple of str
        What samples, exact laws and proofs give, each in a few words.
    facts : tuple of (str, str)
        What else repeats it: seed and rate.
    not_tried : tuple of str
        What the verdict says nothing of.
    seconds : float
        Time it took.
    """

    name: str
    verdict: Verdict
    headline: str
    reason: str
    sections: tuple[Section, ...]
    claim: str
    samples: str
    command: str
    finding: str
    evidence: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    not_tried: tuple[str, ...] = ()
    seconds: float = 0.0

    def view(self, view: View) -> tuple[Section, ...]:
        """The sections that a form with this much room shows."""
        return tuple(section for section in self.sections if view & section.view)


@final
@dataclass(frozen=True, slots=True)
class Place:
    """A file, and what of it.

    Parameters
    ----------
    uri : str
        Relative to this folder where the file lies below it, otherwise absolute.
    line : int or None
        Of the definition, counted from 1; None where it was not found.
    attribute : str
        The name in the file, "" for the file itself.
    """

    uri: str
    line: int | None
    attribute: str


@final
@dataclass(frozen=True, slots=True)
class Case:
    """One audit of a run, the claims of one name, a stored table, or what the baseline alone has.

    Parameters
    ----------
    kind : str
        "audit", "proof", "table" or "baseline".
    title, name : str
        As it is listed, and so that no other case of the run has it.
    mark : str
        "ok", "FAIL", "OPEN" or "ERROR".
    verdict, headline : str
        In a word or two, and what it means in a sentence or two.
    seconds : float
        Time it took.
    text : str
        What is said before its document; without one all there is to say.
    document : Document or None
        Of an audit that came to a result.
    section : str
        What it was to be; empty where it has no line.
    red : str
        Why it is not as expected; empty where it is.
    rule : str or None
        Which rule of a code host it breaks.
    place : Place or None
        Where it stands.
    lines : tuple of str
        What its line says, if not what the document does, and what stands below.
    below : tuple of Row
        What is said of earlier runs below its line.
    """

    kind: str
    title: str
    name: str
    mark: str
    verdict: str
    headline: str
    seconds: float
    text: str = ""
    document: Document | None = None
    section: str = ""
    red: str = ""
    rule: str | None = None
    place: Place | None = None
    lines: tuple[str, ...] = ()
    below: tuple[Row, ...] = ()

    @property
    def let_pass(self) -> bool:
        """Whether it is INCONCLUSIVE and passes, because the user said so."""
        return self.mark == "ok" and self.verdict == Verdict.INCONCLUSIVE

    @property
    def not_tried(self) -> tuple[str, ...]:
        """What the verdict of an audit says nothing of."""
        return () if self.document is None else self.document.not_tried


@final
@dataclass(frozen=True, slots=True)
class Run:
    """A run, of one audit or of many.

    Parameters
    ----------
    name : str
        The command and what it was given.
    cases : tuple of Case
        In their order.
    seconds : float
        Wall time.
    status : int
        Exit status.
    facts : tuple of (str, str)
        What repeats it: seed, rate, versions.
    subject : str
        Of many, where they are listed.
    head, tail : str
        Of many, the first lines, and the last.
    title, summary : str
        Of many, the same in a line each.
    is_verbose : bool
        Of many, whether all lines are shown where all is as expected.
    """

    name: str
    cases: tuple[Case, ...]
    seconds: float
    status: int
    facts: tuple[tuple[str, str], ...]
    subject: str = ""
    head: str = ""
    tail: str = ""
    title: str = ""
    summary: str = ""
    is_verbose: bool = False

    @property
    def is_many(self) -> bool:
        """Whether it is a run of the gate."""
        return bool(self.subject)
