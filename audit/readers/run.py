"""One run of several stored results: a case for each audit, claim of the ledger and table."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from audit.bounded_json import parse_json
from audit.documents.cases import Case, Report
from audit.documents.phrases import sentence
from audit.kinds import KINDS
from audit.plain import printable
from audit.readers.documents import check_version, stored_document
from audit.readers.values import Unlike
from audit.rounding import plural
from audit.suite.document import MARKS
from audit.suite.exits import Exit, worst
from audit.verdict import Verdict
from mechanisms.errors import InvalidData

__all__ = ["Stored", "stored_run"]

LONGEST = 280
"""Characters of a message about a file."""

STATUSES: dict[Verdict, Exit] = {
    Verdict.REFUTED: Exit.REFUTED,
    Verdict.INCONCLUSIVE: Exit.INCONCLUSIVE,
}


@final
@dataclass(frozen=True, slots=True)
class Stored:
    """A file of a report in JSON: its name, and its text."""

    name: str
    text: str


def stored_run(
    files: tuple[Stored, ...], *, title: str, origin: tuple[tuple[str, str], ...]
) -> Report:
    """Make one run of stored results, as every form renders it.

    `title`: what the report is about. `origin`: project, commit, date and who, as rows. Raises
    InvalidData if a file is no report of an audit or gate.
    """
    runs = [_run(file) for file in files]
    cases = tuple(_numbered(case for run in runs for case in run))
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


def _run(file: Stored) -> tuple[Case, ...]:
    record = parse_json(file.text, file.name)
    kind = record.get("kind") if isinstance(record, dict) else None
    try:
        if kind == "gate":
            check_version(record)
            cases = tuple(_of_gate(record))
            return (*cases, *_whole(record, cases))
        if kind in [known.name for known in KINDS.values()]:
            return (_of_audit(record, str(record.get("target"))),)
    except Unlike as exc:
        name = printable(file.name, most=LONGEST // 2)
        msg = f"{name} is no report that this version reads: {exc}"
        raise InvalidData(printable(msg, most=LONGEST)) from exc
    msg = f"{printable(file.name, most=LONGEST // 2)} is no report of an audit or a gate in JSON"
    raise InvalidData(msg)


def _of_audit(record: Mapping[str, Any], title: str) -> Case:
    """An audit by itself: as expected if it was not refuted."""
    document = stored_document(record)
    status = Exit.OK if document.verdict is None else STATUSES.get(document.verdict, Exit.OK)
    red = {Exit.OK: "", Exit.REFUTED: "refuted"}.get(status, "inconclusive")
    proved = "errors" if record["kind"] == "utility" else "consistent"
    return Case(
        "audit",
        title,
        title,
        MARKS[int(status)],
        document.word,
        document.headline,
        document.seconds,
        document=document,
        section="proved" if record["kind"] in ("exact", "account") else proved,
        red=red,
        rule=document.finding if status == Exit.REFUTED else None,
        lines=(document.reason,),
    )


def _of_gate(record: Mapping[str, Any]) -> Iterator[Case]:
    for one in _rows(record, "audits"):
        title, report = str(one.get("title") or one.get("name")), one.get("report")
        red = str(one.get("red") or "")
        if isinstance(report, dict):
            case = _of_audit(report, title)
            control, mark = one.get("expect") == "refuted", _mark(one)
            if case.verdict == Verdict.REFUTED and not control and mark == "ok":
                msg = f"{title} is REFUTED, which was not expected, and said to be as expected"
                raise Unlike(msg)
            yield replace(
                case,
                mark=mark,
                red=red,
                section="refuted as expected" if control else case.section,
                headline=f"A positive control. {case.headline}" if control else case.headline,
                rule=case.rule if red else None,
            )
        else:
            error = str(one.get("error") or "no result")
            yield _line("audit", title, one, "ERROR", error, "consistent")
    for one in _rows(record, "proofs"):
        claims = _rows(one, "claims")
        found = Counter(str(claim.get("status")) for claim in claims)
        words = ", ".join(f"{count} {status}" for status, count in found.items())
        yield _line("proof", str(one.get("name")), one, words, "claims of the ledger", "ledger")
    for one in _rows(record, "tables"):
        words = str(one.get("reason") or f"{one.get('cells')} cells compared")
        yield _line("table", str(one.get("name")), one, words, words, "tables")


def _whole(record: Mapping[str, Any], cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """A case for a run that did not end well, where no other case says so."""
    status = record.get("exit_status")
    if type(status) is not int:
        msg = f"exit_status must be an integer, got {status!r}"
        raise Unlike(msg)
    left = [str(name) for name in record.get("not_run") or ()]
    if not status or (any(case.mark != "ok" for case in cases) and not left):
        return ()
    title = f"{record.get('configuration')}, the run as a whole"
    words = f"it ended with exit status {status}"
    if record.get("interrupted"):
        words += f": interrupted, with {len(cases)} of {record.get('planned')} done"
        words += f". Not run: {', '.join(left)}" if left else ""
    mark = MARKS.get(status, "ERROR")
    return (
        Case(
            "audit",
            title,
            title,
            mark,
            "ERROR",
            sentence(words),
            0.0,
            text=words,
            section="consistent",
            red="run",
            lines=(words,),
        ),
    )


def _line(
    kind: str, title: str, one: Mapping[str, Any], verdict: str, words: str, section: str
) -> Case:
    return Case(
        kind,
        title,
        title,
        _mark(one),
        verdict,
        sentence(words),
        _seconds(one.get("seconds")),
        text=words,
        section=section,
        red="" if one.get("exit_status") == 0 else str(one.get("red") or "differs"),
        lines=(verdict if kind == "proof" else words,),
    )


def _seconds(found: object) -> float:
    try:
        return float(found) if isinstance(found, int | float) else 0.0
    except OverflowError as exc:
        msg = "seconds must be finite in double precision"
        raise Unlike(msg) from exc


def _rows(record: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    rows = record.get(name, [])
    if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
        msg = f"{name} must be a list of objects"
        raise Unlike(msg)
    return rows


def _mark(one: Mapping[str, Any]) -> str:
    status = one.get("exit_status")
    if type(status) is not int or status not in MARKS:
        msg = f"exit_status must be one of {', '.join(map(str, MARKS))}, got {status!r}"
        raise Unlike(msg)
    return MARKS[status]


def _numbered(cases: Iterator[Case]) -> Iterator[Case]:
    """Cases with names of their own, as several files may hold one audit."""
    seen: Counter[str] = Counter()
    for case in cases:
        seen[case.name] += 1
        count = seen[case.name]
        name = case.name if count == 1 else f"{case.name} [{count}]"
        yield replace(case, name=name, title=name)
