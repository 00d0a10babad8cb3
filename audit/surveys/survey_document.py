"""What a survey says: each row as a document, what was not audited and why, and the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from audit.documents.phrases import sentence
from audit.documents.report_cases import Case, Report
from audit.documents.typed_json import value_as
from audit.results.document import Document, Row, Rows, Script, Section, Text, View, code
from audit.results.number_words import number, plural
from audit.results.verdict import Verdict
from audit.suite.exit_status import Exit
from audit.surveys.row import ERROR, SurveyRow
from audit.surveys.survey_record import read, record_of_survey
from audit.surveys.survey_result import SurveyResult

__all__ = ["report_of_survey", "stored_survey", "survey_head", "survey_tail"]

AUDITED, EXACT, LEFT_OUT = "audited", "without noise", "not audited"
"""Sections of the report."""

MARKS = {Exit.OK: "ok", Exit.REFUTED: "FAIL", Exit.INCONCLUSIVE: "OPEN", Exit.INTERNAL: "ERROR"}

DEPENDS = (
    "the library states no relation, and under another one the call is not refuted: which one is "
    "meant is open"
)


def report_of_survey(survey: SurveyResult) -> Report:
    """All of a survey, for the forms of reports."""
    return stored_survey(record_of_survey(survey))


def stored_survey(told: Mapping[str, Any]) -> Report:
    """The same of its report in JSON; raises Unlike if this version did not write it."""
    survey = read(told)
    versions = value_as(Mapping[str, str], told["versions"], "versions")
    rate, share = number(survey.false_alarm), number(survey.share)
    facts = {
        "seed": str(survey.seed),
        "false alarm": f"{rate} for all {plural(survey.sharing, 'row')} from samples, {share} each",
        "library": survey.subject,
        "touchstone": versions["touchstone"],
        "date": survey.date,
        "repeat": survey.repeat,
    }
    head, tail = survey_head(survey), survey_tail(survey)
    return Report(
        f"touchstone survey {survey.library}",
        tuple(_case(survey, row) for row in survey.rows),
        survey.seconds,
        int(survey.status),
        tuple(facts.items()),
        subject=survey.subject,
        head=head,
        tail=tail,
        title=f"Touchstone: survey of {survey.subject}",
        summary=" ".join(sentence(line) for line in (head + tail).splitlines()),
        is_verbose=True,
    )


def survey_head(survey: SurveyResult) -> str:
    """The first lines: of what, at which rate, and what that is worth."""
    return (
        f"{survey.subject}: {plural(survey.planned, 'row')}, false-alarm rate "
        f"{number(survey.false_alarm)} for the whole table, {number(survey.share)} for each of "
        f"{plural(survey.sharing, 'row')} from samples; seed {survey.seed}\n"
    )


def survey_tail(survey: SurveyResult) -> str:
    """The last lines: how many rows have which verdict, and the exit status."""
    counts = Counter(row.verdict for row in survey.rows)
    found = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    depends = sum(_depends(survey, row) for row in survey.rows)
    text = ""
    if depends:
        text = f"{plural(depends, 'REFUTED row')} under one relation of several: {DEPENDS}\n"
    if survey.interrupted:
        text += f"interrupted: {len(survey.rows)} of {plural(survey.planned, 'row')} done\n"
    done = f"{found or 'no row'} in {survey.seconds:.1f} s; exit status {int(survey.status)}\n"
    return f"{text}{done}repeat: {survey.repeat}\n"


def _depends(survey: SurveyResult, row: SurveyRow) -> bool:
    return row.verdict == Verdict.REFUTED and survey.status_of(row) is not Exit.REFUTED


def _case(survey: SurveyResult, row: SurveyRow) -> Case:
    """One row, as a case of a run."""
    status = survey.status_of(row)
    case = Case(
        "constructor",
        row.name,
        row.name,
        MARKS[status],
        row.verdict,
        sentence(row.reason),
        row.seconds,
        section=LEFT_OUT,
        lines=(row.verdict, row.reason),
    )
    if row.verdict == ERROR:
        return replace(case, kind="audit", text=row.reason, section=AUDITED, red="error")
    if not row.was_audited:
        return case
    document = _document(survey, row)
    return replace(
        case,
        kind="audit",
        headline=document.headline,
        document=document,
        section=AUDITED if row.kind == "audit" else EXACT,
        red={Exit.REFUTED: "refuted", Exit.INCONCLUSIVE: "open"}.get(status, ""),
        rule="claim-refuted" if status is Exit.REFUTED else None,
        lines=tuple(_below(survey, row)),
    )


def _below(survey: SurveyResult, row: SurveyRow) -> Iterator[str]:
    """What stands below the line of a row that is not ok."""
    yield row.reason
    if row.pair:
        yield f"on: {row.pair}"
    if _depends(survey, row):
        yield DEPENDS
    yield f"call: {row.call}"
    yield f"promise read from: {row.source}"


def _document(survey: SurveyResult, row: SurveyRow) -> Document:
    """What one row says."""
    claim = f"{row.claim} ({row.relation})"
    return Document(
        row.name,
        Verdict(row.verdict),
        _headline(survey, row, claim),
        row.reason,
        (
            Section("What was called", (Rows(tuple(_called(row, claim))),), "call"),
            Section("What was found", (Rows(tuple(_found(row))),), "found"),
            Section(
                "What could not have been seen",
                (
                    Rows(tuple(Row("not tried", sentence(part)) for part in row.not_tried)),
                    Rows(tuple(Row("note", sentence(note)) for note in row.notes)),
                ),
                "power",
                View.PAGE,
            ),
            Section("Repeat this row", (Script("", "console", survey.repeat_of(row)),), "again"),
        ),
        claim=claim,
        samples=f"{row.samples:,}",
        command=survey.repeat_of(row),
        finding="claim-refuted",
        evidence=(row.evidence,) if row.evidence else (),
        facts=(("seed", str(row.seed)),),
        not_tried=row.not_tried,
        seconds=row.seconds,
    )


def _headline(survey: SurveyResult, row: SurveyRow, claim: str) -> str:
    match row.verdict:
        case Verdict.REFUTED:
            words = f"The claim {claim} is false. {sentence(row.reason)}"
            return f"{words} {sentence(DEPENDS)}" if _depends(survey, row) else words
        case Verdict.INCONCLUSIVE:
            return f"Not decided: {sentence(row.reason)}"
        case _:
            return f"Nothing speaks against the claim {claim}. {sentence(row.reason)}"


def _called(row: SurveyRow, claim: str) -> Iterator[Row]:
    call: Text = (code(row.call),) if row.call else row.name
    yield Row("call", call)
    yield Row("claim", claim)
    yield Row("unit", row.unit)
    yield Row("read from", row.source)


def _found(row: SurveyRow) -> Iterator[Row]:
    if row.evidence:
        yield Row("exceeds" if row.kind == "audit" else "distance", row.evidence)
    if row.event:
        yield Row("witness", row.event)
        yield Row("on", row.pair)
        confirmed = "confirmed on fresh draws" if row.kind == "audit" else "answered again"
        yield Row("fresh", confirmed if row.is_confirmed else "not confirmed")
    if row.detectable:
        yield Row("power", f"an event of probability 0.1 that loses {row.detectable} would be seen")
    unit, cost = ("draw", "draws") if row.kind == "audit" else ("call", "calls")
    took = f"{row.samples:,} {cost} on {plural(row.pairs, 'pair')} in {row.seconds:.1f} s"
    yield Row("run", f"{took}, {1e6 * row.draw_seconds:.3g} us a {unit}, seed {row.seed}")
    if row.share:
        yield Row("rate", f"false alarm {number(row.share)}")
