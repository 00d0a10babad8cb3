"""The exact audit: a proof for all neighbors, or a pair with exact probabilities that break it."""

from __future__ import annotations

import time
from typing import assert_never

from audit.exact.outcome import Proved, Refuted, Undecided
from audit.exact.question import Question
from audit.exact.statements import decided
from audit.exact_result import MOVED, RELEASE, DivergenceWitness, ExactResult, ExactWitness, Proof
from audit.verdict import Verdict
from mechanisms.claims import Order

__all__ = ["audit"]

THE_PROGRAM = "the program: the law is the one that the mechanism states"
FLOAT_NOTE = (
    "this is about the mechanism in real numbers: what double precision adds is seen by "
    "--mode sequential without --ideal"
)


def audit(asked: Question) -> ExactResult:
    """Audit a mechanism that states its law.

    Raises InvalidArgument for a mechanism, level or relation that no statement in
    `audit.exact.statements` covers.
    """
    started = time.monotonic()
    outcome = decided(asked)
    proof: Proof | None = None
    witness: ExactWitness | DivergenceWitness | None = None
    match outcome:
        case Proved():
            verdict, proof = Verdict.PROVED, outcome.proof
        case Refuted():
            verdict, witness = Verdict.REFUTED, outcome.witness
        case Undecided():
            verdict = Verdict.INCONCLUSIVE
        case _:
            assert_never(outcome)
    return ExactResult(
        asked.name,
        verdict,
        asked.claim,
        asked.order,
        outcome.reason,
        time.monotonic() - started,
        proof,
        witness,
        not_tried=_not_tried(asked, proof),
        notes=(*outcome.notes, *_notes(asked, witness)),
    )


def _not_tried(asked: Question, proof: Proof | None) -> tuple[str, ...]:
    """What an exact audit says nothing of."""
    if asked.machine:
        return ("other data, and outputs that were not tried",)
    parts = [THE_PROGRAM]
    if proof is not None and not proof.lemmas:  # by cases, not of all neighbors
        parts.insert(0, "other data sets")
        if asked.order is Order.FREE:
            parts.insert(1, "orders of their records besides the listed one and its reverse")
    if asked.floating_point:
        parts.append("floating point representation: the law is one of real numbers")
    return tuple(parts)


def _notes(asked: Question, witness: ExactWitness | DivergenceWitness | None) -> tuple[str, ...]:
    notes = [FLOAT_NOTE] if asked.floating_point and not asked.machine else []
    if witness is not None and witness.about != RELEASE and not asked.machine:
        shown = (
            "the divergence is" if isinstance(witness, DivergenceWitness) else "the event is one"
        )
        notes.insert(
            0,
            f"{shown} of {witness.about.removesuffix(MOVED)}; the release is a function "
            "of it, which may lose less: --mode sequential audits the release itself",
        )
    return tuple(notes)
