"""Every kind of result: its record as JSON has it, its document, the command that repeats it.

A report is made in one way: the result as a record, the record read again, and the document of what
was read. So a stored report says what the run said.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from audit.accounting import account_document as of_accounts
from audit.accounting import account_record as added
from audit.accounting.account_result import AccountResult
from audit.documents.typed_json import Codec, Unlike
from audit.engine import privacy_document as of_samples
from audit.engine import privacy_record as sampled
from audit.exact import proof_document as of_laws
from audit.exact import proof_record as proved
from audit.files.plain import SCHEMA_VERSION
from audit.request.plans import AnyPlan
from audit.request.repeat import request_command, rerun_command, search_command
from audit.results.document import Document, Place, Provenance
from audit.results.exact_result import ExactResult
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.results.versions import versions
from audit.runs.places import place_of, place_of_registered
from audit.stability import sensitivity_document as of_sensitivity
from audit.stability import sensitivity_record as searched
from audit.stability.sensitivity_result import SensitivityResult
from audit.utility import error_document as of_errors
from audit.utility import error_record as estimated
from audit.utility.error_result import UtilityResult
from mechanisms.errors import TouchstoneError

__all__ = [
    "KINDS",
    "AnyResult",
    "ResultKind",
    "check_version",
    "document_of",
    "kind_named",
    "own_place",
    "provenance_of",
    "read_record",
    "record_of",
    "repeat_line",
    "section_of",
]

AnyResult = AuditResult | ExactResult | UtilityResult | SensitivityResult | AccountResult
"""What came of one audit."""

Record = Mapping[str, Any]

STATUSES = {Verdict.REFUTED: 1, Verdict.INCONCLUSIVE: 3}
"""Exit status of an audit by itself (`audit.suite.exit_status`), where it is not 0."""

DAMAGED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, TouchstoneError)
"""What reading raises where a part is missing, is of another kind, or too large for doubles."""

PROVENANCE = Codec()


@final
@dataclass(frozen=True, slots=True)
class ResultKind:
    """What can be asked of one kind of result."""

    name: str
    """Of its record."""
    document: Callable[[Any, Provenance], Document]
    """What the result says."""
    write: Callable[[Any], dict[str, Any]]
    read: Callable[[Record], Any]
    """Its own keys of the record, and the result again."""
    command: Callable[[Any, Any], list[str]]
    """Words of the command that repeats it, from what was asked and the result."""
    asks: str = "audit"
    """The command that asks for one."""
    section: str = "consistent"
    """Of a run, in which it stands."""


def _by_fields(
    result: type[AnyResult], codec: Codec
) -> tuple[Callable[[Any], dict[str, Any]], Callable[[Record], Any]]:
    """How a result is written and read whose record has its fields."""
    return (
        lambda found: codec.write(result, found),
        lambda record: codec.read(result, record, "the report"),
    )


def _asked(request: Any, _: Any) -> list[str]:
    return request_command(request)


KINDS: Mapping[type[AnyResult], ResultKind] = {
    AuditResult: ResultKind(
        "audit", of_samples.document, *_by_fields(AuditResult, sampled.CODEC), rerun_command
    ),
    ExactResult: ResultKind(
        "exact",
        of_laws.document,
        *_by_fields(ExactResult, proved.CODEC),
        _asked,
        section="proved",
    ),
    UtilityResult: ResultKind(
        "utility",
        of_errors.document,
        *_by_fields(UtilityResult, estimated.CODEC),
        rerun_command,
        section="errors",
    ),
    SensitivityResult: ResultKind(
        "sensitivity",
        of_sensitivity.document,
        *_by_fields(SensitivityResult, searched.CODEC),
        search_command,
        asks="sensitivity",
    ),
    AccountResult: ResultKind(
        "account",
        of_accounts.document,
        added.written,
        added.read,
        _asked,
        asks="account",
        section="proved",
    ),
}
"""By class; a new kind of result is one row."""


def kind_named(name: object) -> ResultKind | None:
    """The kind whose records have a name; None if none has."""
    return next((kind for kind in KINDS.values() if kind.name == name), None)


def document_of(
    result: AnyResult, asked: AnyPlan | Provenance, certificate: str | None = None
) -> Document:
    """What a result of any kind says.

    `result`: what came. `asked`: the plan, or what a stored report says of it. `certificate`: the
    file that was written.
    """
    if not isinstance(asked, Provenance):
        result, asked = read_record(record_of(result, asked, certificate))
    return KINDS[type(result)].document(result, asked)


def record_of(
    result: AnyResult, plan: AnyPlan, certificate: str | None = None, status: int | None = None
) -> dict[str, object]:
    """Report of a result of any kind as JSON has it (schema: `audit/report/schema.json`).

    `status`: the exit status, where it is not that of the verdict.
    """
    kind = KINDS[type(result)]
    asked = provenance_of(result, plan, certificate)
    if status is not None:
        asked = replace(asked, status=status)
    told = kind.write(result) | PROVENANCE.write(Provenance, asked)
    first = {name: told.pop(name) for name in ("target", "parameters", "verdict", "reason")}
    return {"schema_version": SCHEMA_VERSION, "kind": kind.name, **first, **told}


def read_record(record: Record) -> tuple[AnyResult, Provenance]:
    """The result of a report, and what the report says besides.

    Raises Unlike if this version did not write it.
    """
    check_version(record)
    kind = kind_named(record.get("kind"))
    if kind is None:
        msg = f"its kind is {record.get('kind')!r:.40}"
        raise Unlike(msg)
    try:
        asked: Provenance = PROVENANCE.read(Provenance, record, "the report")
        return kind.read(record), replace(asked, section=kind.section)
    except Unlike:
        raise
    except DAMAGED as exc:
        msg = f"it cannot be read: {type(exc).__name__}: {exc}"
        raise Unlike(msg) from exc


def check_version(record: Record) -> None:
    """Raise Unlike unless a report is of this version of the format."""
    version = record.get("schema_version")
    if version != SCHEMA_VERSION or type(version) is not int:
        msg = f"its schema_version must be {SCHEMA_VERSION}, got {version!r:.40}"
        raise Unlike(msg)


def repeat_line(result: AnyResult, plan: AnyPlan) -> str:
    """The command that repeats an audit in one line, as a shell reads it; or the call in Python."""
    words = KINDS[type(result)].command(plan.request, result)
    return words[0] if plan.request.call else shlex.join(words)


def provenance_of(result: AnyResult, plan: AnyPlan, certificate: str | None = None) -> Provenance:
    """What the report of a result says besides."""
    return Provenance(
        repeat_line(result, plan),
        plan.target.ledger,
        plan.notes,
        certificate,
        0 if result.verdict is None else STATUSES.get(result.verdict, 0),
        own_place(plan),
        plan.target.parameters,
        versions([plan.target.library]),
        section_of(plan),
    )


def section_of(plan: AnyPlan) -> str:
    """In which section of a run an audit stands."""
    request = plan.request
    section = "consistent" if request.utility is None else "errors"
    return "proved" if request.mode == "exact" else section


def own_place(plan: AnyPlan, listed: Place | None = None) -> Place | None:
    """The file of a target, else where it is listed, else what of the command or of ours it is."""
    request = plan.request
    own = place_of(request.target) or listed
    if own is not None:
        return own
    if request.command:
        return next(filter(None, map(place_of, request.command)), Place(".", None, ""))
    return place_of_registered(request.target)
