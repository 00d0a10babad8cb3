"""What `touchstone prove` found, as a JSON document (its schema is `audit/report/schema.json`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit.files.plain import SCHEMA_VERSION
from proofs_check.claim import Check
from proofs_check.decide import CheckResult, ClaimResult
from proofs_check.evidence import Evidence
from proofs_check.prove import conditions, evidence
from proofs_check.registry import find
from proofs_check.statements.decision import statement_of
from proofs_check.statements.notation import formula_text
from proofs_check.steps import Step, stands_on

__all__ = ["ledger_document"]


def ledger_document(
    shown: Sequence[ClaimResult],
    results: Mapping[str, ClaimResult],
    seconds: float,
    versions: Mapping[str, str],
) -> dict[str, object]:
    """Document of a run: the claims shown, in the order of the ledger."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "ledger",
        "seconds": round(seconds, 3),
        "versions": dict(versions),
        "claims": [_claim(result, results) for result in shown],
    }


def _claim(result: ClaimResult, results: Mapping[str, ClaimResult]) -> dict[str, object]:
    claim = find(result.id)
    return {
        "id": claim.id,
        "paper": claim.paper,
        "source": claim.source,
        "own": claim.ours,
        "status": result.status.value,
        "expected": result.expected.value,
        "text": claim.says,
        "latex": claim.latex,
        "domain": claim.domain,
        "printed_domain": claim.printed_domain,
        "stated_by": [c.name for c in claim.checks if id(c.decide) in set(map(id, claim.states))],
        "evidence": _evidence(evidence(claim.id, results)),
        "obligations": [{"what": o.what, "check": o.check} for o in claim.obligations],
        "steps": [_step(step) for step in claim.steps],
        "note": claim.note,
        "why": claim.why,
        "right": claim.right,
        "corrected_by": claim.corrected_by,
        "errata": list(claim.errata),
        "assumes": list(claim.assumes),
        "conditional_on": conditions(claim.id, results),
        "seconds": round(result.seconds, 3),
        "checks": [
            _check(check, result) for check, result in zip(claim.checks, result.checks, strict=True)
        ],
    }


def _evidence(found: Evidence | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {
        "level": found.level.value,
        "own": found.own.value,
        "rests_on": list(found.rests_on),
    }


def _step(step: Step) -> dict[str, str]:
    kind, on = stands_on(step)
    return {"text": step.says, "by": kind, "on": on}


def _check(stated: Check, check: CheckResult) -> dict[str, object]:
    return {
        "name": stated.name,
        "role": stated.role.value,
        "cases": stated.cases,
        "text": check.says,
        "method": check.method.value,
        "refutes": check.refutes,
        "holds": check.holds,
        "detail": check.detail,
        "object": _object(stated),
        "mutants": [{"text": words, "holds": found} for words, found in check.mutants.items()],
        "seconds": round(check.seconds, 3),
    }


def _object(stated: Check) -> dict[str, str] | None:
    made = statement_of(stated)
    if made is None:
        return None
    return {
        "text": formula_text(made.quantified.conclusion),
        "latex": made.latex(),
        "domain": made.domain_words(),
    }
