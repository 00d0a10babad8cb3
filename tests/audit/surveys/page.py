"""The page of surveys, from files that surveys have kept.

`python -m tests.audit.surveys.page FILE.jsonl ...` writes docs/reference/survey.md anew; a test
compares its rows with the tables of calls.
"""

from __future__ import annotations

import datetime
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from audit.results.number_words import number
from audit.results.verdict import Verdict
from audit.surveys.row import SurveyRow, row_from
from audit.surveys.survey_run import SECONDS
from audit.surveys.survey_scope import scope_of

__all__ = ["PAGE", "page"]

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "survey.md"

HEAD = """\
# Surveys of three libraries

What `touchstone survey` says of three released libraries, as they are installed from PyPI. The
rows are calls as their users make them, under the promise that the library itself states; where
that was read stands in the tables of calls (`audit/targets/libraries/*.toml`). [How to read and
repeat them](../how-to/survey.md).

A row speaks of one call, on the pairs of data sets that were tried. REFUTED means: up to the
false-alarm rate of the table, the promise in the row does not hold on the pair in the row, for
someone who sees the output as the doubles that it is. Many of these rows are about the last bits
of a double (their witness names bits, or a lattice), which `--ideal` leaves out; a row whose
witness names other events is about more than bits. A row that depends on the relation is no
verdict about the library: its documentation leaves open whether the number of records is public.
CONSISTENT says that nothing was found, INCONCLUSIVE that the draws were too few to say so;
neither is a proof. OpenDP and PyDP draw from sources of their own, so no seed repeats what their
rows drew: one near its claim may be REFUTED in one survey and not confirmed in the next. What a
draw costs is wall time on a busy machine. The authors of these libraries have published them with
their sources and their limits, which is why they can be looked at so closely.

This page is written by `python -m tests.audit.surveys.page`.
"""

AUDITED = (
    "row",
    "claim",
    "relation",
    "verdict",
    "surely",
    "witness",
    "draws",
    "a draw",
    "seen from",
)
EXACT = ("row", "claim", "relation", "verdict", "largest distance", "pairs", "calls")


def page(files: list[Path]) -> str:
    """The whole page."""
    return "\n".join([HEAD, *(part for file in files for part in _section(file))])


def _section(file: Path) -> Iterator[str]:
    head, *lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    rows = [row_from(line) for line in lines]
    when = datetime.datetime.fromtimestamp(file.stat().st_mtime, tz=datetime.UTC).date()
    how = "as real numbers" if head["ideal"] else "as doubles"
    sampled = [row for row in rows if row.kind == "audit" and row.was_audited]
    exact = [row for row in rows if row.kind == "sensitivity" and row.was_audited]
    others = [row for row in rows if not row.was_audited]
    yield f"## {head['of']}, {how}\n"
    yield (
        f"{when}, touchstone {head['touchstone']}: `{_command(head)}`. False-alarm rate "
        f"{number(head['false_alarm'])} for all rows from samples together. {_counts(rows)}"
        f"{_missing(head, rows)}.\n"
    )
    if sampled:
        yield from _table(AUDITED, [_sampled(row, rows) for row in sampled])
    if exact and not head["ideal"]:
        yield "Without noise; a refutation is exact:\n"
        yield from _table(EXACT, [_exact(row) for row in exact])
    if others and not head["ideal"]:
        yield "Not audited:\n"
        yield from _table(("constructor", "why"), [(row.name, row.reason) for row in others])


def _command(head: dict[str, Any]) -> str:
    words = ["touchstone survey", head["library"], *(["--ideal"] if head["ideal"] else [])]
    for name in ("budget_samples", "resolution"):
        words += [] if head[name] is None else [f"--{name.replace('_', '-')} {head[name]:g}"]
    if head["budget_seconds"] != SECONDS:
        words.append(f"--budget-seconds {head['budget_seconds']:g}")
    return " ".join([*words, f"--seed {head['seed']}"])


def _missing(head: dict[str, Any], rows: list[SurveyRow]) -> str:
    """Rows that a survey did not come to."""
    left = int(head["rows"].split()[0]) - len(rows)
    if not left:
        return ""
    scope = scope_of(head["library"])
    found = {row.name for row in rows}
    names = [case.name for case in scope.cases if case.name not in found]
    known = f" ({', '.join(names)})" if scope.subject == head["of"] and len(names) == left else ""
    return f"; {left} rows were not reached{known}"


def _counts(rows: list[SurveyRow]) -> str:
    counts = Counter(_verdict(row, rows) for row in rows)
    return ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))


def _verdict(row: SurveyRow, rows: list[SurveyRow]) -> str:
    own = [one for one in rows if one.called == row.called]
    refuted = [one for one in own if one.verdict == Verdict.REFUTED]
    if row.verdict == Verdict.REFUTED and len(refuted) < row.relations:
        return "depends on the relation"
    return row.verdict


def _sampled(row: SurveyRow, rows: list[SurveyRow]) -> tuple[str, ...]:
    witness = f"{row.event}; {row.pair}" if row.event else ""
    cost = f"{1e6 * row.draw_seconds:.3g} us"
    verdict = _verdict(row, rows)
    seen = row.detectable and f"epsilon {row.detectable}"
    numbers = (f"{row.samples:,}", cost, seen)
    return row.name, row.claim, row.relation, verdict, row.evidence, witness, *numbers


def _exact(row: SurveyRow) -> tuple[str, ...]:
    numbers = (f"{row.pairs:,}", f"{row.samples:,}")
    return row.name, row.claim, row.relation, row.verdict, row.evidence, *numbers


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    lines: list[Any] = [head, ["---"] * len(head), *rows]
    yield "\n".join(f"| {' | '.join(map(_cell, cells))} |" for cells in lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


if __name__ == "__main__":
    PAGE.write_text(page([Path(name) for name in sys.argv[1:]]), "utf-8")
