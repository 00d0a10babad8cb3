"""Runs as text: sections with their counts, and what is not as expected in full.

Every case has a line of at most 120 characters, in a section by what it was to be. These lines are
left out where they are many and all is as expected, unless --verbose asks.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import Final

from audit.documents.report_cases import Case, Report
from audit.report.characters import as_lines, cleaned
from audit.report.document_lines import below_text, wrapped
from audit.results.document import Document

__all__ = ["WIDTH", "case_lines", "run_sections", "run_text"]

WIDTH = 120
"""Most characters of a line."""
PAST_WIDTH = 100
"""Of what is said of earlier runs."""

WIDEST_NAME = 58
"""Longer names lose their middle."""

FEW = 24
"""So many lines are shown without --verbose: they fit on a screen."""

SECTIONS: Final = (
    *("refuted as expected", "consistent", "proved", "ledger", "errors", "tables"),
    *("audited", "without noise", "not audited"),
)
"""What a case was to be, in the order of the report; the last three are those of a survey."""

INDENT = " " * 6


def run_text(run: Report) -> str:
    """Report of a whole run, as the command writes it."""
    sections = run_sections(run.cases, verbose=run.is_verbose)
    return as_lines(f"{run.head}\n{sections}\n{run.tail}")


def run_sections(cases: tuple[Case, ...], *, verbose: bool = False) -> str:
    """Counts of each section, its lines where they are few or asked for, and what is not well."""
    cases = tuple(cleaned(case) for case in cases if case.section)
    width = max((len(case.title) for case in cases), default=0)
    shown = verbose or len(cases) <= FEW
    text = ""
    for section in SECTIONS:
        own = [case for case in cases if case.section == section]
        good = [case for case in own if case.mark == "ok"]
        if own:
            text += f"{section:<21}{len(good):>4} of {len(own)}\n"
        if shown:
            text += "".join(case_lines(case, width) for case in good)
    bad = [case for case in cases if case.mark != "ok"]
    if bad:
        counts = Counter(case.red for case in bad)
        reasons = ", ".join(f"{count} {words}" for words, count in counts.items())
        text += f"{'not as expected':<21}{len(bad):>4}: {reasons}\n"
        text += "".join(case_lines(case, width) for case in bad)
    return as_lines(text)


def case_lines(case: Case, width: int) -> str:
    """One case of a run; names are padded to `width`."""
    width = min(width, WIDEST_NAME)
    if case.document is not None:
        return _of_audit(case, case.document, width)
    if case.kind == "audit":
        return _of_error(case, width)
    first, *rows = case.lines
    below = [line for row in rows for line in _whole(row)]
    return "\n".join([f"{case.mark:<6}{case.title:<{width}}  {first}", *below]) + "\n"


def _whole(row: str) -> list[str]:
    """A line below that of a case, broken where it is too long."""
    return [INDENT + row] if len(INDENT + row) <= WIDTH else wrapped(INDENT, row, WIDTH)


def _of_error(case: Case, width: int) -> str:
    name = f"{case.mark:<6}{_cut(case.title, width)}: "
    if len(line := name + case.text) <= WIDTH and "\n" not in line:
        return f"{line}\n"
    return "\n".join([f"{name}error", *wrapped(INDENT, case.text)]) + "\n"


def _of_audit(case: Case, document: Document, width: int) -> str:
    name = _cut(case.title, width)
    first = f"{case.mark:<6}{name:<{width}}  {document.word:<12} "
    last = f" {document.samples:>10} {document.seconds:6.1f} s"
    said = "".join(document.evidence[:1])
    said = f"{said}; claim {document.claim}" if said else f"claim {document.claim}"
    room = max(WIDTH - len(first) - len(last), len("..."))  # seconds may be of any length
    line = f"{first}{textwrap.shorten(said, room, placeholder='...'):<{room}}{last}\n"
    if case.mark == "ok":
        return line
    rows = below_text(document) or [row for words in case.lines for row in wrapped(INDENT, words)]
    for past in case.below:
        label = f"{past.label}  " if past.label else ""
        rows += wrapped(INDENT + label, str(past.text), PAST_WIDTH)
    return line + "\n".join([*rows, INDENT + document.command]) + "\n"


def _cut(text: str, width: int) -> str:
    """Text of at most so many characters, without its middle where it is longer."""
    if len(text) <= width:
        return text
    tail = (width - 3) // 3
    return f"{text[: width - 3 - tail]}...{text[-tail:]}"
