"""Sentences about a run of the gate, without layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.documents.phrases import UNCOVERED_WORDS
from audit.results.number_words import number
from audit.suite.earlier_runs import head_text, tail_text

if TYPE_CHECKING:
    from audit.suite.gate_outcome import GateResult, Outcome
    from audit.suite.ledger_claims import ProofOutcome
    from audit.suite.stored_tables import TableOutcome

__all__ = ["gate_head", "gate_left_out", "gate_summary", "gate_top"]


def gate_head(
    configuration: str,
    audits: int,
    false_alarm: float,
    seed: int,
    share: float | None = None,
    *,
    controls: int = 0,
) -> str:
    """First lines of a gate run.

    `configuration`: where its audits are listed. `audits`: number of them. `false_alarm`, `share`:
    of the run, and of each audit that can raise a false alarm. `seed`: of the run. `controls`:
    audits that must be refuted, each at a level of its own.
    """
    noun = "audit" if audits == 1 else "audits"
    each = number(false_alarm / max(audits, 1) if share is None else share)
    text = (
        f"{configuration}: {audits} {noun}, false-alarm rate {number(false_alarm)} for the run, "
        f"{each} for each; seed {seed}\n"
    )
    if controls:
        noun = "positive control" if controls == 1 else "positive controls"
        text += (
            f"{controls} {noun} at a level of {number(false_alarm)} each, outside of that rate\n"
        )
    return text


def gate_left_out(count: int) -> str:
    """Say how many slow audits a run leaves out; nothing if none."""
    noun = "audit" if count == 1 else "audits"
    return f"{count} slow {noun} left out (--slow runs all)\n" if count else ""


def gate_summary(gate: GateResult) -> str:
    """Last lines of a gate run."""
    every: list[Outcome | ProofOutcome | TableOutcome]
    every = [*gate.outcomes, *gate.proofs, *gate.tables]
    statuses = [one.status for one in every]
    good, done = sum(status == 0 for status in statuses), len(statuses)
    text = f"{good} of {done} as expected in {gate.seconds:.1f} s; exit status {int(gate.status)}\n"
    if gate.interrupted:
        left = f"Not run: {', '.join(gate.not_run)}. " if gate.not_run else ""
        others = f"{good} of {done} others as expected. " if done else ""
        text = f"Interrupted after {gate.seconds:.0f} s. {left}{others}"
        text += f"Exit status {int(gate.status)}.\n"
    return f"{tail_text(gate.told)}{UNCOVERED_WORDS}\n{text}"


def gate_top(gate: GateResult) -> str:
    """First lines of a whole run."""
    controls = sum(outcome.expect == "refuted" for outcome in gate.outcomes)
    head = gate_head(
        gate.configuration,
        gate.planned,
        gate.false_alarm,
        gate.seed,
        gate.share,
        controls=controls,
    )
    return head + gate_left_out(gate.left_out) + head_text(gate.told)
