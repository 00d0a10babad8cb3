"""Reports as Markdown: the summary of a job of a build server.

A run is one table, what is not as expected first, and below it the text reports of what failed, to
be unfolded. Every word that comes from a user is escaped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape

from audit.documents.legend import LEGEND
from audit.documents.report_cases import Case, Report
from audit.files.plain import printable
from audit.report.characters import one_line
from audit.report.document_lines import case_text

__all__ = ["render"]

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&@:])")
"""What means something inside a line, or on a code host: names of users, numbers of issues."""

COLUMNS = ("", "what", "verdict", "says", "seconds")
WORST_FIRST = ("ERROR", "FAIL", "OPEN", "ok")


def render(run: Report) -> str:
    """Report of one audit, or of a run: a title, a line, a table, and what failed."""
    if run.is_many:
        origin = "".join(f"* {escaped(name)}: {escaped(value)}\n" for name, value in run.origin)
        return _gate(run.title, run.summary, run.cases, origin) + (_legend() if origin else "")
    (case,) = run.cases
    title = f"## {case.verdict}: {escaped(case.name)}"
    return f"{title}\n\n{escaped(case.headline)}\n\n{fenced(case_text(case))}"


def _legend() -> str:
    """For those who were shown the report, and did not run it."""
    terms = "".join(f"* **{escaped(name)}**: {escaped(text)}\n" for name, text in LEGEND)
    return f"\n### What the words mean\n\n{terms}"


def _gate(title: str, summary: str, cases: Sequence[Case], origin: str) -> str:
    ordered = sorted(cases, key=lambda case: WORST_FIRST.index(case.mark))
    parts = [f"## {escaped(title)}\n\n{escaped(summary)}\n"]
    parts += [origin] if origin else []
    if cases:
        parts.append("\n".join(_table(ordered)) + "\n")
    parts += [_details(case) for case in ordered if case.mark != "ok"]
    parts += [f"Not tried: {escaped(words)}.\n"] if (words := not_tried(cases)) else []
    return "\n".join(parts)


def not_tried(cases: Sequence[Case]) -> str:
    """What the audits of a run by samples did not try, and how many of them."""
    counts = Counter(part for case in cases for part in case.not_tried)
    of = sum(bool(case.not_tried) for case in cases)
    return "; ".join(
        part if count == of else f"{part} (in {count} of {of} audits)"
        for part, count in counts.items()
    )


def _table(cases: Sequence[Case]) -> Iterator[str]:
    yield f"| {' | '.join(COLUMNS)} |"
    yield f"|{'|'.join(' --- ' for _ in COLUMNS)}|"
    for case in cases:
        cells = (case.mark, case.name, case.verdict, case.headline, f"{case.seconds:.1f}")
        yield f"| {' | '.join(map(escaped, cells))} |"


def _details(case: Case) -> str:
    title = escape(one_line(f"{case.mark} {case.name}"))  # in a block of HTML, not of Markdown
    return f"<details><summary>{title}</summary>\n\n{fenced(case_text(case))}\n</details>\n"


def escaped(text: str) -> str:
    """Text in which no character means anything to Markdown or HTML, in one line."""
    return SPECIAL.sub(r"\\\1", one_line(text))


def fenced(text: str) -> str:
    """Text as a block of code, whatever it holds."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{printable(text).rstrip()}\n{fence}\n"
