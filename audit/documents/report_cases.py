"""What a report of a run is made of: its audits, claims of the ledger and stored tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from audit.results.document import Document, Place, Row
from audit.results.verdict import Verdict

__all__ = ["Case", "Report"]


@final
@dataclass(frozen=True, slots=True)
class Case:
    """One audit of a run, the claims of one name, a table, or what is not audited and why."""

    kind: str
    """One of "audit", "proof", "table", "baseline" or "constructor"."""
    title: str
    name: str
    """As it is listed, and so that no other case of the run has it."""
    mark: str
    """One of "ok", "FAIL", "OPEN" or "ERROR"."""
    verdict: str
    headline: str
    """In a word or two, and what it means in a sentence or two."""
    seconds: float
    text: str = ""
    """What is said before its document; without one all there is to say."""
    document: Document | None = None
    """Of an audit that came to a result."""
    section: str = ""
    """What it was to be; empty where it has no line."""
    red: str = ""
    """Why it is not as expected; empty where it is."""
    rule: str | None = None
    """Which rule of a code host it breaks."""
    place: Place | None = None
    lines: tuple[str, ...] = ()
    """What its line says, if not what the document does, and what stands below."""
    below: tuple[Row, ...] = ()
    """What is said of earlier runs below its line."""

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
class Report:
    """A run, of one audit or of many."""

    name: str
    """The command and what it was given."""
    cases: tuple[Case, ...]
    seconds: float
    status: int
    facts: tuple[tuple[str, str], ...]
    """(name, value) of what repeats it: seed, rate, versions."""
    subject: str = ""
    """Of many, where they are listed."""
    head: str = ""
    tail: str = ""
    """Of many, the first lines, and the last."""
    title: str = ""
    summary: str = ""
    """Of many, the same in a line each."""
    is_verbose: bool = False
    """Of many, whether all lines are shown where all is as expected."""
    planned: int = 0
    """Of many, how many audits there were to be."""
    not_run: tuple[str, ...] = ()
    """Of many, those that an interruption left."""
    origin: tuple[tuple[str, str], ...] = ()
    """Project, commit, date and who: rows at the top."""

    @property
    def is_many(self) -> bool:
        """Whether it is a run of the gate."""
        return bool(self.subject)
