"""Reports of gate runs as text: one line an audit, more where it is not as expected."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING

from audit.run import request_command, rerun_command
from audit.verdict import (
    AuditResult,
    ExactResult,
)

if TYPE_CHECKING:
    from audit.gate import GateResult, Outcome
    from audit.proofs import ProofOutcome
from audit.report.text import limits_of, number, witness_rows, wrapped

__all__ = ["gate_head", "gate_left_out", "gate_line", "gate_summary", "proof_line"]


def gate_head(
    configuration: str, audits: int, false_alarm: float, seed: int, share: float | None = None
) -> str:
    """First line of a gate run; `share` is the rate of each audit that draws samples."""
    noun = "audit" if audits == 1 else "audits"
    return (
        f"{configuration}: {audits} {noun}, false-alarm rate {number(false_alarm)} for the run, "
        f"{number(false_alarm / audits if share is None else share)} for each; seed {seed}\n"
    )


def gate_left_out(count: int) -> str:
    """Say how many slow audits a run leaves out; nothing if none."""
    noun = "audit" if count == 1 else "audits"
    return f"{count} slow {noun} left out (--slow runs all)\n" if count else ""


MARKS = {0: "ok", 1: "FAIL", 2: "ERROR", 3: "OPEN", 4: "ERROR"}


def gate_line(outcome: Outcome, width: int) -> str:
    """One audit of a gate run; names are padded to `width`."""
    mark, result = MARKS[int(outcome.status)], outcome.result
    if result is None:
        return f"{mark:<6}{outcome.name}: {outcome.error}\n"
    expected = " (as expected)" if outcome.expect == "refuted" and outcome.status == 0 else ""
    samples = "exact"
    if isinstance(result, AuditResult):
        samples = f"{result.samples:,} samples"
    line = (
        f"{mark:<6}{outcome.name:<{width}}  {result.verdict.value + expected:<21}  "
        f"{_gate_limit(result):<39} claim {result.claim}  {samples:>17} {result.seconds:6.1f} s\n"
    )
    if outcome.status == 0:
        return line
    if isinstance(result, AuditResult) and result.witness is not None:
        rows = [f"      {row}" for row in witness_rows(result.witness)]
    elif outcome.expect == "refuted":
        rows = wrapped(" " * 6, f"a positive control must be REFUTED; {result.reason}")
    else:
        rows = wrapped(" " * 6, result.reason)
    request = outcome.plan.request
    command = request_command(request)
    if isinstance(result, AuditResult):
        command = rerun_command(request, result)
    rows.append(f"      {shlex.join(command)}")
    return line + "\n".join(rows) + "\n"


def proof_line(proof: ProofOutcome, width: int) -> str:
    """Claims of one name in a gate run; the ones whose status differs below."""
    counts = Counter(result.status.value for result in proof.results)
    found = ", ".join(
        status if len(proof.results) == 1 else f"{n} {status}" for status, n in counts.items()
    )
    line = f"{MARKS[int(proof.status)]:<6}{proof.name:<{width}}  {found}\n"
    wrong = [result for result in proof.results if not result.as_registered]
    rows = (
        f"      {r.id} is {r.status.value}, registered {r.expected.value}: touchstone prove {r.id}"
        "\n"
        for r in wrong
    )
    return line + "".join(rows)


def _gate_limit(result: AuditResult | ExactResult) -> str:
    """The first of the claim's lower limits, a loss that is reached exactly, and what is proved."""
    if isinstance(result, ExactResult):
        loss = None if result.proof is None else result.proof.loss
        return "" if loss is None else f"proved <= {number(float(loss[1]))}"
    limits = [f"{name} >= {number(limit)}" for name, _, limit in limits_of(result)]
    words = limits[:1]
    if result.exact is not None and result.exact.reached is not None:
        words.append(f"exact {result.exact.reached}")
    if result.exact is not None:
        words.append(f"proved <= {result.exact.proved}")
    return ", ".join(words)


def gate_summary(gate: GateResult) -> str:
    """Last lines of a gate run."""
    statuses = [*(o.status for o in gate.outcomes), *(proof.status for proof in gate.proofs)]
    good, done = sum(status == 0 for status in statuses), len(statuses)
    text = f"{good} of {done} as expected in {gate.seconds:.1f} s; exit status {int(gate.status)}\n"
    if gate.interrupted:
        text = f"interrupted: {len(gate.outcomes)} of {gate.planned} audits done; {text}"
    return text
