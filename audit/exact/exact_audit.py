"""The exact audit: a proof for all neighbors, or a pair with exact probabilities that break it.

`STATEMENTS` says what a mechanism may state of itself, and what audits it: one row a statement. A
mechanism that makes several statements is audited by the first that decides. Where `recheck` is
true, PROVED is said after a second program has gone through the certificate
(`audit.exact.recheck`), of the mechanisms that this program states again; any other proof says that
there is none.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, assert_never, final

from audit.exact.auditors.by_law import by_law
from audit.exact.auditors.by_machine import StatesNoiseValues, by_machine
from audit.exact.auditors.by_thresholds import StatesThresholds, by_thresholds
from audit.exact.auditors.by_weights import by_weights
from audit.exact.auditors.composition import by_composition
from audit.exact.auditors.query import by_query
from audit.exact.auditors.value import StatesValues, by_values
from audit.exact.cells.cell import OpenCell
from audit.exact.density.tail_lemmas import NotCovered
from audit.exact.exact_search import StatesLaw
from audit.exact.question import Outcome, Proved, Question, Refuted, Undecided
from audit.faults import attribute, users_faults
from audit.levels import LEVELS
from audit.results.exact_result import (
    MOVED,
    RELEASE,
    DivergenceWitness,
    ExactResult,
    ExactWitness,
    Proof,
)
from audit.results.verdict import Verdict
from mechanisms.claims import (
    GaussianDP,
    Order,
    PersonalizedDP,
    Relation,
    RenyiDP,
    TradeOff,
    ZeroConcentratedDP,
)
from mechanisms.composition import StatesComposition
from mechanisms.errors import InvalidArgument
from mechanisms.noisy_query import StatesNoisyQuery
from mechanisms.weighted_query import StatesWeightedQuery
from proofs_check.enclosure import Undecided as OpenBall

EVENTS = tuple(kind.level for kind in LEVELS if kind.line is not None)
"""Claims that are one line."""

LAWS = (*EVENTS, RenyiDP, ZeroConcentratedDP, GaussianDP)


@final
@dataclass(frozen=True, slots=True)
class Statement:
    """A way to state a law."""

    name: str
    attribute: str
    """Where it is stated."""
    protocol: Any
    """What a mechanism has that makes it."""
    audit: Callable[[Question], Outcome]
    """From what is asked to what was found."""
    levels: tuple[type, ...]
    """Claims that can be audited."""
    relations: tuple[Relation, ...]
    """Neighbors that can be spoken of."""
    recheck: bool = False
    """Whether there are certificates."""


ANY = tuple(Relation)
STATEMENTS = (
    Statement(
        "noisy query",
        "noisy_query",
        StatesNoisyQuery,
        by_query,
        LAWS,
        (Relation.ADD_REMOVE, Relation.SWAP),
        recheck=True,
    ),
    Statement(
        "weighted sum",
        "weighted_query",
        StatesWeightedQuery,
        by_weights,
        (*EVENTS, PersonalizedDP),
        (Relation.SWAP,),
        recheck=True,
    ),
    Statement(
        "private steps",
        "private_steps",
        StatesComposition,
        by_composition,
        (*EVENTS, PersonalizedDP),
        (Relation.ADD_REMOVE, Relation.SWAP),
        recheck=True,
    ),
    Statement("law", "exact_law", StatesLaw, by_law, (*LAWS, PersonalizedDP), ANY, recheck=True),
    Statement("laws of thresholds", "threshold_laws", StatesThresholds, by_thresholds, EVENTS, ANY),
    Statement(
        "least levels of its pairs",
        "epsilon_exact",
        StatesValues,
        by_values,
        LAWS,
        (Relation.LISTED,),
    ),
)
"""In the order in which they are tried."""

MACHINE = Statement(
    "values of its noise",
    "noise_values",
    StatesNoiseValues,
    by_machine,
    (*LAWS, TradeOff),
    (Relation.LISTED,),
)
"""What is asked with --adversarial: machine numbers, not a law."""


def decided(asked: Question) -> Outcome:
    """Audit by the first statement that decides.

    Raises InvalidArgument if the mechanism states nothing, or nothing that can be held against the
    claim.
    """
    for statement in (*STATEMENTS, MACHINE):
        attribute(asked.mechanism, statement.attribute)  # one that raises is not missing
    if asked.machine:
        if not isinstance(asked.mechanism, MACHINE.protocol):
            msg = (
                f"{asked.name} does not state the values of its noise, so --adversarial finds "
                "nothing in mode 'exact'; leave it out, or use 'sequential'"
            )
            raise InvalidArgument(msg)
        rows = [MACHINE]
    else:
        rows = [row for row in STATEMENTS if isinstance(asked.mechanism, row.protocol)]
    if not rows:
        msg = f"{asked.name} states no law, so mode 'exact' cannot audit it; use 'sequential'"
        raise InvalidArgument(msg)
    level = asked.claim.level
    fit = [row for row in rows if isinstance(level, row.levels)]
    if not fit:
        known = ", ".join(dict.fromkeys(kind.__name__ for row in rows for kind in row.levels))
        states = " and ".join(row.name for row in rows)
        msg = (
            f"{asked.name} states its {states}, by which mode 'exact' audits {known}, "
            f"got {level} (type {type(level).__name__})"
        )
        raise InvalidArgument(msg)
    best = [row for row in fit if asked.claim.relation in row.relations] or fit
    first: Undecided | None = None
    for row in best:
        try:
            with users_faults(asked.mechanism, row.attribute):
                found = row.audit(asked)
        except (NotCovered, OpenCell, OpenBall) as exc:
            found = Undecided(str(exc))
        if not isinstance(found, Undecided):
            return found
        first = first or found
    assert first is not None
    return first


THE_PROGRAM = "the program: the law is the one that the mechanism states"
FLOAT_NOTE = (
    "this is about the mechanism in real numbers: what double precision adds is seen by "
    "--mode sequential without --ideal"
)


def audit(asked: Question) -> ExactResult:
    """Audit a mechanism that states its law.

    Raises InvalidArgument for a mechanism, level or relation that no statement in
    `audit.exact.exact_audit` covers.
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
