"""What `touchstone prove` found, as a JSON document (its schema is `audit/report/schema.json`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audit.plain import SCHEMA_VERSION
from proofs_check.decide import CheckResult, ClaimResult
from proofs_check.prove import conditions
from proofs_check.registry import find

__all__ = ["ledger_document"]


def ledger_document(
    shown: Sequence[ClaimResult],
    results: Mapping[str, ClaimResult],
    seconds: float,
    versions: Mapping[str, str],
) -> dict[str, Any]:
    """Document of a run: the claims shown, in the order of the ledger."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "ledger",
        "seconds": round(seconds, 3),
        "versions": dict(versions),
        "claims": [_claim(result, results) for result in shown],
    }


def _claim(result: ClaimResult, results: Mapping[str, ClaimResult]) -> dict[str, Any]:
    claim = find(result.id)
    return {
        "id": claim.id,
        "paper": claim.paper,
        "source": claim.source,
        "ours": claim.ours,
        "status": result.status.value,
        "expected": result.expected.value,
        "says": claim.says,
        "latex": claim.latex,
        "domain": claim.domain,
        "printed_domain": claim.printed_domain,
        "argument": claim.argument,
        "why": claim.why,
        "right": claim.right,
        "corrected_by": claim.corrected_by,
        "errata": list(claim.errata),
        "assumes": list(claim.assumes),
        "conditional_on": conditions(claim.id, results),
        "seconds": round(result.seconds, 3),
        "checks": [_check(check) for check in result.checks],
    }


def _check(check: CheckResult) -> dict[str, Any]:
    return {
        "says": check.says,
        "method": check.method.value,
        "refutes": check.refutes,
        "holds": check.holds,
        "detail": check.detail,
        "mutants": [{"says": words, "holds": found} for words, found in check.mutants.items()],
        "seconds": round(check.seconds, 3),
    }
