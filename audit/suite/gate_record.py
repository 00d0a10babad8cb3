"""What a run of the gate holds, as its report in JSON has it, and the run again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit.documents.typed_json import Codec, JsonForm, Unlike, value_as
from audit.files.plain import SCHEMA_VERSION
from audit.request.configuration import SUITE
from audit.request.configured_audits import Expect
from audit.results.document import Place, Provenance
from audit.results.verdict import Verdict
from audit.results.versions import versions
from audit.runs.places import place_of
from audit.runs.result_kinds import (
    check_version,
    own_place,
    provenance_of,
    read_record,
    record_of,
    section_of,
)
from audit.suite.exit_status import Exit
from audit.suite.gate_outcome import GateResult, Outcome, Past
from audit.suite.ledger_claims import ProofOutcome
from audit.suite.stored_tables import TableOutcome
from mechanisms.errors import TouchstoneError

if TYPE_CHECKING:
    from proofs_check.decide import ClaimResult
    from proofs_check.tables.storage import Mismatch

__all__ = [
    "MARKS",
    "SIMPLE",
    "asked_of",
    "codec_of",
    "listed_in",
    "place_in",
    "read",
    "record_of_gate",
]

MARKS = {0: "ok", 1: "FAIL", 2: "ERROR", 3: "OPEN", 4: "ERROR"}
"""How a line begins, by exit status."""


def record_of_gate(gate: GateResult) -> dict[str, object]:
    """Report of a gate run as JSON has it; it holds the reports of its audits."""
    listed = listed_in(gate.configuration)
    found = versions()
    more = {name: v for one in gate.outcomes for name, v in asked_of(one).versions.items()}
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "gate",
        **codec_of(listed).write(GateResult, gate),
        "place": SIMPLE.write(Place, listed),
        "versions": found | dict(sorted((n, v) for n, v in more.items() if n not in found)),
    }


def read(record: Mapping[str, Any]) -> GateResult:
    """The run of a report.

    Raises Unlike if this version did not write it.
    """
    check_version(record)
    try:
        gate: GateResult = codec_of(None).read(GateResult, record, "the report")
    except (ArithmeticError, LookupError, TypeError, ValueError, TouchstoneError) as exc:
        if isinstance(exc, Unlike):
            raise
        msg = f"it cannot be read: {type(exc).__name__}: {exc}"
        raise Unlike(msg) from exc
    for one in (gate.outcomes, gate.proofs, gate.tables):
        if any(status not in MARKS for status in (int(each.status) for each in one)):
            msg = f"exit_status of an audit must be one of {', '.join(map(str, MARKS))}"
            raise Unlike(msg)
    return gate


def asked_of(outcome: Outcome) -> Provenance:
    """What the report of an audit says besides its result."""
    plan = outcome.plan
    if isinstance(plan, Provenance):
        return plan
    if outcome.result is not None:
        return provenance_of(outcome.result, plan)
    found = versions([plan.target.library])
    return Provenance("", place=own_place(plan), versions=found, section=section_of(plan))


def place_in(outcome: Outcome, listed: Place | None = None) -> Place | None:
    """Where an audit of a run stands; `listed`: where, if it has no file of its own."""
    plan = outcome.plan
    return plan.place if isinstance(plan, Provenance) else own_place(plan, listed)


def listed_in(configuration: str) -> Place | None:
    """The file in which the audits of a run are listed."""
    own = Path(configuration)
    if configuration == SUITE:
        own = Path(str(files("audit") / "reference.toml"))
    return place_of(str(own)) if own.is_file() else None


def _outcome(outcome: Outcome, listed: Place | None) -> dict[str, Any]:
    found, plan, report = outcome.result, outcome.plan, None
    if found is not None and not isinstance(plan, Provenance):
        report = record_of(found, plan, status=int(outcome.status))
    return {
        "name": outcome.name,
        "title": outcome.title or outcome.name,
        "red": outcome.red,
        "expect": outcome.expect,
        "passed": outcome.status == 0,
        "exit_status": int(outcome.status),
        "error": outcome.error,
        "section": asked_of(outcome).section,
        "place": SIMPLE.write(Place, place_in(outcome, listed)),
        **SIMPLE.write(Past, outcome.past),
        "report": report,
    }


def _read_outcome(record: Mapping[str, Any]) -> Outcome:
    name, title = (value_as(str, record[key], key) for key in ("name", "title"))
    expect: Expect = value_as(Expect, record["expect"], "expect")
    status = value_as(Exit, record["exit_status"], "exit_status")
    error = value_as(str | None, record["error"], "error")
    place = value_as(Place | None, record["place"], "place")
    section = value_as(str, record["section"], "section")
    result, asked = None, Provenance("")
    if record["report"] is not None:
        result, asked = read_record(value_as(Mapping[str, Any], record["report"], "report"))
        if result.verdict is Verdict.REFUTED and expect != "refuted" and status == 0:
            msg = f"{title} is REFUTED, which was not expected, and said to be as expected"
            raise Unlike(msg)
    asked = replace(asked, place=place, section=section)
    past = SIMPLE.read(Past, record, "past")
    return Outcome(name, expect, asked, result, error, status, past, title)


def _table(table: TableOutcome, listed: Place | None) -> dict[str, Any]:
    own = SIMPLE.write(TableOutcome, table)
    return {**own, "place": SIMPLE.write(Place, place_of(table.name) or listed)}


def _read_table(record: Mapping[str, Any]) -> TableOutcome:
    from proofs_check.tables.storage import Mismatch

    table = value_as(str, record["table"], "table")
    wrong = tuple(
        Mismatch(table, *(value_as(str, row[name], name) for name in CELL))
        for row in record["mismatches"]
    )
    found: TableOutcome = SIMPLE.read(TableOutcome, {**record, "mismatches": []}, "table")
    return replace(found, mismatches=wrong)


CELL = ("row", "column", "stored", "right", "difference")
"""What is said of a cell that differs."""


def _mismatches(found: Sequence[Mismatch]) -> list[dict[str, str]]:
    return [{name: getattr(one, name) for name in CELL} for one in found]


def _claims(results: Sequence[ClaimResult]) -> list[dict[str, str]]:
    return [{"id": r.id, "status": r.status.value, "expected": r.expected.value} for r in results]


def _read_claims(rows: Any) -> tuple[ClaimResult, ...]:
    from proofs_check.claim import Status
    from proofs_check.decide import ClaimResult

    return tuple(
        ClaimResult(
            value_as(str, row["id"], "id"), Status(row["status"]), Status(row["expected"]), ()
        )
        for row in rows
    )


PASSED = {"passed": (lambda one: one.status == 0, bool)}

SIMPLE = Codec(
    {"mismatches": JsonForm(_mismatches, tuple)},
    {
        Past: {"regressed": (lambda past: bool(past.regressions), bool)},
        TableOutcome: PASSED,
    },
)
"""For what is written alike in every run."""


def codec_of(listed: Place | None) -> Codec:
    """For a run whose audits are listed in a file."""
    return Codec(
        {
            Outcome: JsonForm(lambda one: _outcome(one, listed), _read_outcome),
            TableOutcome: JsonForm(lambda one: _table(one, listed), _read_table),
            "claims": JsonForm(_claims, _read_claims),
        },
        {
            GateResult: {**PASSED, "control_level": (lambda gate: gate.false_alarm, float)},
            ProofOutcome: PASSED,
        },
    )
