"""One run of several stored results: a case for each audit, claim of the ledger and table."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from audit.documents.phrases import sentence
from audit.documents.report_cases import Case, Report
from audit.documents.typed_json import Unlike
from audit.files.bounded_json import parse_json
from audit.files.plain import printable
from audit.results.document import Document
from audit.results.number_words import plural
from audit.runs.result_kinds import DAMAGED, document_of, kind_named, read_record
from audit.suite.exit_status import Exit, worst
from audit.suite.gate_document import report_of_audit, stored_gate
from audit.suite.gate_outcome import Outcome
from audit.suite.gate_record import MARKS
from audit.surveys.survey_document import stored_survey
from mechanisms.errors import InvalidData

__all__ = ["Stored", "report_of", "stored_document", "stored_run"]

LONGEST = 280
"""Characters of a message about a file."""


@final
@dataclass(frozen=True, slots=True)
class Stored:
    """A file of a report in JSON: its name, and its text."""

    name: str
    text: str


def report_of(file: Stored) -> Report:
    """The report of one run, as the run wrote it.

    Raises InvalidData if the file is no report of an audit, a gate or a survey.
    """
    record = parse_json(file.text, file.name)
    kind = record.get("kind") if isinstance(record, dict) else None
    try:
        if kind == "gate":
            return stored_gate(record)
        if kind == "survey":
            return stored_survey(record)
        if kind_named(kind) is not None:
            return _audit(record)
    except DAMAGED as exc:
        name = printable(file.name, most=LONGEST // 2)
        why = str(exc) if isinstance(exc, Unlike) else f"{type(exc).__name__}: {exc}"
        msg = f"{name} is no report that this version reads: {why}"
        raise InvalidData(printable(msg, most=LONGEST)) from exc
    msg = f"{printable(file.name, most=LONGEST // 2)} is no report of an audit or a gate in JSON"
    raise InvalidData(msg)


def stored_document(record: Mapping[str, Any]) -> Document:
    """What a stored report of an audit says; raises Unlike if this version did not write it."""
    return document_of(*read_record(record))


def _audit(record: Mapping[str, Any]) -> Report:
    result, asked = read_record(record)
    status = Exit(asked.status)
    return report_of_audit(Outcome(result.target, "consistent", asked, result, None, status))


def stored_run(
    files: tuple[Stored, ...], *, title: str, origin: tuple[tuple[str, str], ...]
) -> Report:
    """Make one run of stored results, as every form renders it.

    `title`: what the report is about. `origin`: project, commit, date and who, as rows. Raises
    InvalidData if a file is no report of an audit, a gate or a survey.
    """
    runs = [report_of(file) for file in files]
    every = (case for run in runs for case in (*run.cases, *_whole(run)))
    cases = tuple(_numbered(every))
    good = sum(case.mark == "ok" for case in cases)
    status = worst([Exit.OK, *(Exit(_status(case)) for case in cases)])
    tail = f"{good} of {len(cases)} as expected, from {plural(len(files), 'stored report')}\n"
    digests = ((file.name, f"sha256 {_digest(file.text)}") for file in files)
    rows = "".join(f"{name}: {value}\n" for name, value in origin)
    return Report(
        f"touchstone report {' '.join(file.name for file in files)}",
        cases,
        sum(case.seconds for case in cases),
        int(status),
        tuple(digests),
        subject=title,
        head=f"{title}\n{rows}",
        tail=tail,
        title=title,
        summary=sentence(tail.strip()),
        is_verbose=True,
        origin=origin,
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _status(case: Case) -> int:
    return next(status for status, mark in MARKS.items() if mark == case.mark)


def _whole(run: Report) -> tuple[Case, ...]:
    """A case for a run that did not end well, where no other case says so."""
    if not run.status or (any(case.mark != "ok" for case in run.cases) and not run.not_run):
        return ()
    title = f"{run.subject}, the run as a whole"
    words = f"it ended with exit status {run.status}"
    if run.status == Exit.INTERRUPTED:
        words += f": interrupted, with {len(run.cases)} of {run.planned} done"
        words += f". Not run: {', '.join(run.not_run)}" if run.not_run else ""
    return (
        Case(
            "audit",
            title,
            title,
            MARKS.get(run.status, "ERROR"),
            "ERROR",
            sentence(words),
            0.0,
            text=words,
            section="consistent",
            red="run",
            lines=(words,),
        ),
    )


def _numbered(cases: Iterator[Case]) -> Iterator[Case]:
    """Cases with names of their own, as several files may hold one audit."""
    seen: Counter[str] = Counter()
    for case in cases:
        seen[case.name] += 1
        count = seen[case.name]
        name = case.name if count == 1 else f"{case.name} [{count}]"
        yield replace(case, name=name, title=name)
