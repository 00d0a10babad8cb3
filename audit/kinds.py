"""Every kind of result: its document, its record as JSON has it, the command that repeats it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

from audit.accounting import document as of_accounts
from audit.accounting import json_record as added
from audit.accounting.result import AccountResult
from audit.documents.document import Document, Provenance
from audit.engine import document as of_samples
from audit.engine import json_record as sampled
from audit.exact import document as of_laws
from audit.exact import json_record as proved
from audit.exact_result import ExactResult
from audit.plain import SCHEMA_VERSION, plain
from audit.request.plans import AnyPlan
from audit.request.repeat import request_command, rerun_command, search_command
from audit.stability import document as of_sensitivity
from audit.stability import json_record as searched
from audit.stability.result import SensitivityResult
from audit.utility import document as of_errors
from audit.utility import json_record as estimated
from audit.utility.result import UtilityResult
from audit.verdict import AuditResult
from audit.versions import versions

__all__ = ["KINDS", "AnyResult", "ResultKind", "document_of", "record_of", "repeat_line"]

AnyResult = AuditResult | ExactResult | UtilityResult | SensitivityResult | AccountResult
"""What came of one audit."""


@final
@dataclass(frozen=True, slots=True)
class ResultKind:
    """What can be asked of one kind of result."""

    name: str
    """Of its record."""
    document: Callable[[Any, Provenance], Document]
    record: Callable[[Any, Provenance], dict[str, object]]
    """What the result says, and what it holds."""
    command: Callable[[Any, Any], list[str]]
    """Words of the command that repeats it, from what was asked and the result."""


KINDS: Mapping[type[AnyResult], ResultKind] = {
    AuditResult: ResultKind("audit", of_samples.document, sampled.record, rerun_command),
    ExactResult: ResultKind(
        "exact", of_laws.document, proved.record, lambda request, _: request_command(request)
    ),
    UtilityResult: ResultKind("utility", of_errors.document, estimated.record, rerun_command),
    SensitivityResult: ResultKind(
        "sensitivity", of_sensitivity.document, searched.record, search_command
    ),
    AccountResult: ResultKind(
        "account", of_accounts.document, added.record, lambda request, _: request_command(request)
    ),
}
"""By class; a new kind of result is one row."""


def document_of(result: AnyResult, plan: AnyPlan, certificate: str | None = None) -> Document:
    """What a result of any kind says.

    `result`: what came. `plan`: what was asked. `certificate`: the file that was written.
    """
    return KINDS[type(result)].document(result, _provenance(result, plan, certificate))


def record_of(result: AnyResult, plan: AnyPlan) -> dict[str, object]:
    """Report of a result of any kind as JSON has it (schema: `audit/report/schema.json`)."""
    kind, provenance = KINDS[type(result)], _provenance(result, plan)
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": kind.name,
        "target": result.target,
        "parameters": plain(plan.target.parameters),
        "verdict": None if result.verdict is None else result.verdict.value,
        "reason": result.reason,
        **kind.record(result, provenance),
        "ledger": list(provenance.ledger),
        "not_tried": list(result.not_tried),
        "notes": list(result.notes),
        "command": provenance.command,
        "versions": versions([plan.target.library]),
    }


def repeat_line(result: AnyResult, plan: AnyPlan) -> str:
    """The command that repeats an audit in one line, as a shell reads it; or the call in Python."""
    words = KINDS[type(result)].command(plan.request, result)
    return words[0] if plan.request.call else shlex.join(words)


def _provenance(result: AnyResult, plan: AnyPlan, certificate: str | None = None) -> Provenance:
    command, notes, ledger = repeat_line(result, plan), plan.notes, plan.target.ledger
    return Provenance(command, plan.request.mode, ledger, notes, certificate)
