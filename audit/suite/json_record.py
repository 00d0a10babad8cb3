"""What a run of the gate holds, as its report in JSON has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.kinds import record_of
from audit.plain import SCHEMA_VERSION
from audit.suite.past import past_record, told_record
from audit.suite.shares import UNCOVERED
from audit.suite.tables import checked_record
from audit.versions import versions

if TYPE_CHECKING:
    from audit.suite.outcome import GateResult, Outcome
    from audit.suite.proofs import ProofOutcome

__all__ = ["record"]


def record(gate: GateResult) -> dict[str, object]:
    """Report of a gate run as JSON has it; it holds the reports of its audits."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "gate",
        "configuration": gate.configuration,
        "passed": gate.status == 0,
        "exit_status": int(gate.status),
        "interrupted": gate.interrupted,
        "not_run": list(gate.not_run),
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
        "tables": [checked_record(table) for table in gate.tables],
        **told_record(gate.told),
        "versions": versions(outcome.plan.target.library for outcome in gate.outcomes),
    }


def _outcome(outcome: Outcome) -> dict[str, object]:
    return {
        "name": outcome.name,
        "title": outcome.title or outcome.name,
        "red": outcome.red,
        "expect": outcome.expect,
        "passed": outcome.status == 0,
        "exit_status": int(outcome.status),
        "error": outcome.error,
        **past_record(outcome),
        "report": None if outcome.result is None else record_of(outcome.result, outcome.plan),
    }


def _proof(proof: ProofOutcome) -> dict[str, object]:
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
