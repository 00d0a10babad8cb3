"""Parts that the documents of all kinds of results share."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable
from fractions import Fraction

from audit.documents.phrases import sentence
from audit.levels import line_of
from audit.results.document import (
    Marked,
    Part,
    Provenance,
    Row,
    Rows,
    Script,
    Section,
    View,
    Words,
    code,
)
from audit.results.number_words import number
from audit.results.plot_parts import Bar, Bars
from mechanisms.claims import Level
from proofs_check.knowledge import known

__all__ = [
    "event_bars",
    "ledger_rows",
    "ledger_words",
    "page_of",
    "run_lines",
    "strong",
    "unseen_rows",
    "witness_script",
]

MOST = 700.0
"""Beyond it the exponential is no number of the machine; any share is then allowed."""


def strong(text: str) -> Marked:
    """A text that says most."""
    return Marked(text, "strong")


def _check(ledger: tuple[str, ...]) -> Marked:
    return code(shlex.join(["touchstone", "prove", *ledger]))


def _known(ledger: tuple[str, ...]) -> str:
    """Claims of the ledger with what is known of each, and how."""
    found = known()
    return "; ".join(f"{name}: {found[name]}" if name in found else name for name in ledger)


def ledger_rows(ledger: tuple[str, ...]) -> tuple[Row, ...]:
    """Name the claims of the ledger about a target, what is known of them, and what checks them."""
    if not ledger:
        return ()
    return (Row("ledger", (f"{_known(ledger)} (", _check(ledger), " checks them)")),)


def ledger_words(ledger: tuple[str, ...]) -> tuple[Words, ...]:
    """The same in a sentence."""
    if not ledger:
        return ()
    return (Words((f"Of the ledger: {_known(ledger)}; ", _check(ledger), " checks them.")),)


def run_lines(
    not_tried: tuple[str, ...],
    notes: Iterable[str],
    run: str,
    command: str,
    *,
    before: tuple[Row, ...] = (),
    certificate: tuple[Row, ...] = (),
    reproducible: bool = True,
) -> Section:
    """The last lines: what was not tried, what is to be said, what was run, and how to run it."""
    tried = (Row("not tried:", "; ".join(not_tried)),) if not_tried else ()
    rows = (*before, *tried, *(Row("note", note) for note in notes), *certificate, Row("run", run))
    again = Script("repeat" if reproducible else "run again", "console", command)
    return Section("", (Rows(rows), again), view=View.LINES)


def unseen_rows(not_tried: tuple[str, ...], notes: Iterable[str]) -> tuple[Part, ...]:
    """What a page says the verdict says nothing of."""
    return (
        Rows(tuple(Row("not tried", sentence(part)) for part in not_tried)),
        Rows(tuple(Row("note", sentence(note)) for note in notes)),
    )


def page_of(
    found: Section,
    evidence: tuple[Part, ...],
    tested: tuple[Row, ...],
    unseen: tuple[Part, ...],
    *more: Section,
    provenance: Provenance,
    reproducible: bool = True,
) -> tuple[Section, ...]:
    """The sections of every page, in their order."""
    page = View.PAGE
    again = "Repeat this run" if reproducible else "Run it again"
    return (
        found,
        Section("Evidence", evidence, "evidence", page),
        Section("What was tested", (Rows(tested),), "tested", page),
        Section("What could not have been seen", unseen, "power", page),
        *more,
        Section(again, (Script("", "console", provenance.command),), "again", page),
    )


def witness_script(source: str, does: str) -> Script:
    """A witness as a file that finds it again."""
    about = f"Run it in the folder of the audit: it {does}."
    return Script("The witness as a script", "python", source, about)


def event_bars(
    level: Level,
    shares: tuple[float, float],
    likelier: str,
    budget: Fraction | None,
    axis: str,
    texts: tuple[str, str] | None = None,
) -> Bars:
    """How often an event comes on either data set, and how often the claim lets it.

    `texts`: both shares in words, where they are not those of doubles.
    """
    mine, other = shares
    first, second = texts or (number(mine), number(other))
    names = ("data", "neighbor") if likelier == "data" else ("neighbor", "data")
    rows = (
        Bar(f"on the {names[0]}: {first}", mine, "broken"),
        Bar(f"on the {names[1]}: {second}", other, "samples"),
    )
    allowed = _allowed(level, budget, other) if other or second == "0" else None
    claimed = None if allowed is None else (allowed, f"allowed: {number(allowed)}")
    words = "; ".join(row.words for row in rows) + (f"; {claimed[1]}" if claimed else "")
    caption = ""
    if allowed is not None:
        caption = (
            f"If it has probability {second} on the {names[1]}, the claim allows at most "
            f"{number(allowed)} on the {names[0]}."
        )
    return Bars("event", "Event", rows, axis, claimed, words, caption)


def _allowed(level: Level, budget: Fraction | None, other: float) -> float | None:
    """Largest probability that the claim allows, for claims that bound that of single events."""
    line = line_of(level)
    if line is None and budget is not None:
        line = budget, Fraction(0)
    if line is None:
        return None
    epsilon, delta = map(float, line)
    return min(1.0, math.exp(min(epsilon, MOST)) * other + delta)
