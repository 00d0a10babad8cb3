"""Reports of gate runs as text: one line an audit, more where it is not as expected."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING

from audit.report.evidence import evidence_words
from audit.report.history import head_text, past_rows, tail_text
from audit.report.tables.checked import table_line
from audit.report.text import number, witness_rows, wrapped
from audit.run import NEEDS, request_command, rerun_command
from audit.utility.result import UtilityResult
from audit.verdict import AuditResult, ExactResult

if TYPE_CHECKING:
    from audit.gate import GateResult, Outcome
    from audit.proofs import ProofOutcome
    from audit.tables import TableOutcome

__all__ = ["gate_head", "gate_left_out", "gate_line", "gate_summary", "gate_text", "proof_line"]


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
    if not isinstance(result, ExactResult):
        samples = f"{result.samples:,} samples"
    evidence = ", ".join(evidence_words(result))
    line = (
        f"{mark:<6}{outcome.name:<{width}}  {result.verdict.value + expected:<21}  "
        f"{evidence:<39} claim {result.claim}  {samples:>17} {result.seconds:6.1f} s\n"
    )
    if outcome.status == 0:
        return line
    if isinstance(result, AuditResult) and result.witness is not None:
        rows = wrapped(" " * 6, result.reason) if NEEDS in result.reason else []
        rows += [f"      {row}" for row in witness_rows(result.witness)]
    elif isinstance(result, UtilityResult) and result.witness is not None:
        rows = wrapped(" " * 6, f"{result.witness.case}: {result.witness.says}")
    elif outcome.expect == "refuted":
        rows = wrapped(" " * 6, f"a positive control must be REFUTED; {result.reason}")
    elif outcome.past is not None and outcome.past.regressions:
        rows = []
    else:
        rows = wrapped(" " * 6, result.reason)
    rows += past_rows(outcome)
    request = outcome.plan.request
    command = request_command(request)
    if not isinstance(result, ExactResult):
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


def gate_summary(gate: GateResult) -> str:
    """Last lines of a gate run."""
    statuses = [one.status for one in _everything(gate)]
    good, done = sum(status == 0 for status in statuses), len(statuses)
    text = f"{good} of {done} as expected in {gate.seconds:.1f} s; exit status {int(gate.status)}\n"
    if gate.interrupted:
        text = f"interrupted: {len(gate.outcomes)} of {gate.planned} audits done; {text}"
    return tail_text(gate.told) + text


def _everything(gate: GateResult) -> list[Outcome | ProofOutcome | TableOutcome]:
    return [*gate.outcomes, *gate.proofs, *gate.tables]


def gate_text(gate: GateResult) -> str:
    """Report of a whole run, as the command writes it while it runs."""
    names = [one.name for one in _everything(gate)]
    width = max(map(len, names), default=0)
    head = gate_head(gate.configuration, gate.planned, gate.false_alarm, gate.seed, gate.share)
    lines = [gate_line(outcome, width) for outcome in gate.outcomes]
    lines += [proof_line(proof, width) for proof in gate.proofs]
    lines += [table_line(table, MARKS[int(table.status)], width) for table in gate.tables]
    head += gate_left_out(gate.left_out) + head_text(gate.told)
    return f"{head}\n{''.join(lines)}\n{gate_summary(gate)}"
