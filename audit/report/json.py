"""Reports as JSON documents (their schema is `audit/report/schema.json`).

Numbers are finite: an infinite one is the string "inf" or "-inf", and a record that is no number
is "nan". Exact parameters are strings such as "1/10".
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from audit.levels.records import claim_document
from audit.plain import plain
from audit.report.exact import exact_document
from audit.report.history import past_document, told_document
from audit.report.red import red_words
from audit.report.table_check import checked_document
from audit.report.utility import utility_document
from audit.report.values import SCHEMA_VERSION, ends_document
from audit.report.words import OTHERS, severity_of
from audit.run import repeat_line
from audit.suite.shares import UNCOVERED
from audit.verdict import (
    AuditResult,
    Detectable,
    ExactBounds,
    ExactResult,
    Upper,
    Witness,
)
from audit.versions import versions

if TYPE_CHECKING:
    from audit.request.error_plan import UtilityPlan
    from audit.request.plan import Plan
    from audit.suite.outcome import GateResult, Outcome
    from audit.suite.proofs import ProofOutcome
    from audit.utility.result import UtilityResult

__all__ = [
    "audit_document",
    "gate_document",
    "result_document",
]


FIRST_LIMITS = ("epsilon", "delta", "mu", "rho", "renyi_epsilon", "budget_factor")
"""Limits that a report of version 1 has a key for, in their order there."""


def audit_document(result: AuditResult, plan: Plan) -> dict[str, Any]:
    """Report of one audit."""
    severity = severity_of(result)
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "audit",
        "target": result.target,
        "parameters": plain(plan.target.parameters),
        "verdict": result.verdict.value,
        "reason": result.reason,
        "claim": claim_document(result.claim),
        "order": result.order.value,
        **{f"{name}_lower": plain(result.limits.get(name)) for name in FIRST_LIMITS},
        "profile": _profile(result.profile),
        "false_alarm": result.false_alarm,
        "samples": result.samples,
        "budget_samples": result.planned,
        "witness_samples": result.witness_samples,
        "limits_are": "strict",
        "severity": None if severity is None else plain(severity[1]),
        "cut_by_time": result.cut_by_time,
        "seconds": round(result.seconds, 3),
        "seed": result.seed,
        "reproducible": result.reproducible,
        "ideal": result.ideal,
        "pairs": result.pairs,
        "mode": plan.request.mode,
        "stopped_by": result.stopped_by,
        "witness": None if result.witness is None else _witness(result.witness),
        "detectable": None if result.detectable is None else _detectable(result.detectable),
        "upper": None if result.upper is None else _record(result.upper),
        "exact": None if result.exact is None else _record(result.exact),
        "ledger": list(plan.target.ledger),
        "not_tried": list(result.not_tried),
        "notes": list(result.notes),
        "command": repeat_line(plan.request, result),
        "versions": versions([plan.target.library]),
    }


def gate_document(gate: GateResult) -> dict[str, Any]:
    """Report of a gate run; it holds the reports of its audits."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "gate",
        "configuration": gate.configuration,
        "passed": gate.status == 0,
        "exit_status": int(gate.status),
        "interrupted": gate.interrupted,
        "planned": gate.planned,
        "left_out": gate.left_out,
        "false_alarm": gate.false_alarm,
        "share": gate.share,
        "sharing": gate.sharing,
        "control_level": gate.false_alarm,
        "uncovered": list(UNCOVERED),
        "budget_seconds": gate.budget_seconds,
        "seconds": round(gate.seconds, 3),
        "seed": gate.seed,
        "audits": [_outcome(outcome) for outcome in gate.outcomes],
        "proofs": [_proof(proof) for proof in gate.proofs],
        "tables": [checked_document(table) for table in gate.tables],
        **told_document(gate.told),
        "versions": versions(outcome.plan.target.library for outcome in gate.outcomes),
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "name": outcome.name,
        "title": outcome.title or outcome.name,
        "red": red_words(outcome),
        "expect": outcome.expect,
        "passed": outcome.status == 0,
        "exit_status": int(outcome.status),
        "error": outcome.error,
        **past_document(outcome),
        "report": None if outcome.result is None else result_document(outcome.result, outcome.plan),
    }


def _proof(proof: ProofOutcome) -> dict[str, Any]:
    return {
        "name": proof.name,
        "passed": proof.status == 0,
        "exit_status": int(proof.status),
        "seconds": round(proof.seconds, 3),
        "claims": [
            {"id": r.id, "status": r.status.value, "expected": r.expected.value}
            for r in proof.results
        ],
    }


def result_document(
    result: AuditResult | ExactResult | UtilityResult, plan: Plan | UtilityPlan
) -> dict[str, Any]:
    """Report of one audit, of whatever kind."""
    from audit.request.error_plan import UtilityPlan
    from audit.utility.result import UtilityResult

    if isinstance(result, UtilityResult):
        assert isinstance(plan, UtilityPlan)
        return utility_document(result, plan)
    assert not isinstance(plan, UtilityPlan)
    match result:
        case ExactResult():
            return exact_document(result, plan)
        case AuditResult():
            return audit_document(result, plan)


def _profile(profile: tuple[tuple[float, float], ...] | None) -> list[dict[str, float]] | None:
    if profile is None:
        return None
    return [{"epsilon": epsilon, "delta_lower": delta} for epsilon, delta in profile]


def _record(item: Witness | Detectable | Upper | ExactBounds) -> dict[str, Any]:
    return {part.name: plain(getattr(item, part.name)) for part in fields(item)}


def _detectable(power: Detectable) -> dict[str, Any]:
    return _record(power) | {"others": f"{OTHERS}."}


def _witness(witness: Witness) -> dict[str, Any]:
    exact = witness.exact
    ends = None
    if exact is not None:
        ends = {item.name: ends_document(getattr(exact, item.name)) for item in fields(exact)}
    return _record(replace(witness, exact=None)) | {"exact": ends}
