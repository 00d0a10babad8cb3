"""The exact audit: a proof for all neighbors, or a pair with exact probabilities that break it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from audit.exact.asked import Asked, Found, check_no_pairs, listed, no_law, refuted
from audit.exact.between import StatesThresholds, search_between
from audit.exact.by_user import by_user, personal_budgets
from audit.exact.certify import certificate_of_multisets, certificate_of_query
from audit.exact.neighbor_pair import loss_reached, losses_of_records, pair_that_shows
from audit.exact.neighbors import AllNeighbors, all_neighbors, query_of
from audit.exact.search import Searched, StatesLaw, search
from audit.exact.weighted import by_weights
from audit.verdict import MOVED, RELEASE, ExactResult, ExactWitness, Proof, Verdict
from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidArgument
from mechanisms.noisy_query import NoisyQuery, StatesNoisyQuery
from mechanisms.weighted_query import StatesWeightedQuery
from proofs_check.enclosure import Balls, Undecided, endpoints

__all__ = ["audit"]

PAIRS = "all neighbors of all data sets"

THE_PROGRAM = "the program: the law is the one that the mechanism states"
FLOAT_NOTE = (
    "this is about the mechanism in real numbers: what double precision adds is seen by "
    "--mode sequential without --ideal"
)


def audit(asked: Asked) -> ExactResult:
    """Audit a mechanism that states its law.

    Raises
    ------
    InvalidArgument
        For a level other than pure, approximate and personalized, or a mechanism or relation that
        neither a lemma nor an enumeration covers.
    """
    started = time.monotonic()
    verdict, reason, evidence = _found(asked)
    return ExactResult(
        asked.name,
        verdict,
        asked.claim,
        asked.order,
        reason,
        time.monotonic() - started,
        not_tried=_not_tried(asked, evidence.get("proof")),
        notes=_notes(asked, evidence.get("witness")),
        **evidence,
    )


def _found(asked: Asked) -> Found:
    """Choose the way that the mechanism's statement allows."""
    budgets = personal_budgets(asked)
    if budgets is not None:
        return by_user(asked, budgets)
    asked.level  # noqa: B018 - an unknown level is an error whatever the mechanism
    if isinstance(asked.mechanism, StatesNoisyQuery | StatesWeightedQuery):
        check_no_pairs(asked)
    if isinstance(asked.mechanism, StatesNoisyQuery):
        return _by_lemma(asked, query_of(asked.mechanism))
    if isinstance(asked.mechanism, StatesWeightedQuery):
        query, (epsilon, delta) = asked.mechanism.weighted_query(), asked.level
        return by_weights(asked, query, [epsilon] * len(query.weights), delta)
    if isinstance(asked.mechanism, StatesLaw):
        return _by_search(asked, asked.mechanism)
    if isinstance(asked.mechanism, StatesThresholds):
        return _by_thresholds(asked, asked.mechanism)
    raise no_law(asked)


def _not_tried(asked: Asked, proof: Proof | None) -> tuple[str, ...]:
    """What an exact audit says nothing of."""
    parts = [THE_PROGRAM]
    if proof is not None and not proof.lemmas:  # by cases, not of all neighbors
        parts.insert(0, "other data sets")
        if asked.order is Order.FREE:
            parts.insert(1, "orders of their records besides the listed one and its reverse")
    if asked.floating_point:
        parts.append("floating point representation: the law is one of real numbers")
    return tuple(parts)


def _notes(asked: Asked, witness: ExactWitness | None) -> tuple[str, ...]:
    notes = [FLOAT_NOTE] if asked.floating_point else []
    if witness is not None and witness.about != RELEASE:
        notes.insert(
            0,
            f"the event is one of {witness.about.removesuffix(MOVED)}; the release is a function "
            "of it, which may lose less: --mode sequential audits the release itself",
        )
    return tuple(notes)


def _by_lemma(asked: Asked, query: NoisyQuery) -> Found:
    """All neighbors of all data sets."""
    epsilon, delta = asked.level
    relation = asked.claim.relation
    found = all_neighbors(query, relation, epsilon)
    if found.check.verdict is Verdict.PROVED and found.loss is not None:
        if relation is Relation.ADD_REMOVE:
            records = losses_of_records(query)
            reached = max((loss for _, loss in records), default=None)
        else:
            records, reached = (), loss_reached(query, relation)
        proof = Proof(
            PAIRS,
            f"the noisy {query.words}; the release is a function of it",
            found.lemmas,
            (found.lemma.statement, *found.lemma.hypotheses),
            found.check.cases,
            (Fraction(0) if reached is None else reached, found.loss),
            certificate_of_query(
                asked.name, asked.mechanism, query, asked.claim, found, asked.information
            ),
            records,
        )
        reason = f"no record loses more than epsilon = {found.loss}, whatever the others are"
        return Verdict.PROVED, reason, {"proof": proof}
    pair = pair_that_shows(query, relation, epsilon, delta)
    if pair is None:
        return Verdict.INCONCLUSIVE, _open(found), {}
    about = f"the noisy {query.words}{MOVED}"
    sides = [listed(tuple(side)) for side in (pair.data, pair.neighbor)]
    return refuted(about, sides, pair.excess, pair.likelier, asked.level)


def _by_search(asked: Asked, mechanism: StatesLaw) -> Found:
    """Listed pairs, or all multisets of a grid."""
    epsilon, delta = asked.level
    (pairs, words), multisets = _pairs(asked), asked.multisets
    try:
        found = search(mechanism, pairs, epsilon, delta, order=asked.order)
    except Undecided as open_pair:
        return Verdict.INCONCLUSIVE, f"{words}: {open_pair}", {}
    if found.broken is not None:
        likelier, other, event = found.broken
        return refuted(RELEASE, [listed(likelier), listed(other)], event, "data", asked.level)
    certificate = None
    if not asked.pairs and multisets is not None:
        certificate = certificate_of_multisets(
            asked.name, asked.mechanism, multisets, asked.claim, found, asked.information
        )
    loss = None if found.ratio is None else endpoints(Balls(found.ratio.bits).log(found.ratio))
    proof = Proof(
        f"{words}: {found.pairs} pairs, either way round",
        RELEASE,
        (),
        (),
        found.cells,
        loss,
        certificate,
        excess=found.excess if delta else None,
    )
    return Verdict.PROVED, _most(found, epsilon, delta), {"proof": proof}


def _by_thresholds(asked: Asked, mechanism: StatesThresholds) -> Found:
    """Listed pairs, or all multisets of a grid: a refutation or nothing."""
    pairs, words = _pairs(asked)
    count, witness = search_between(mechanism, pairs, *asked.level)
    if witness is None:
        reason = (
            f"{words}: on none of {count} pairs the laws of the two thresholds that enclose the "
            "release break the claim; its own law, which could prove it, is not stated"
        )
        return Verdict.INCONCLUSIVE, reason, {}
    reason = (
        f"the release lies in an event with probability at least {float(witness.p[0]):.6g} on the "
        f"data and at most {float(witness.q[1]):.6g} on the neighbor"
    )
    return Verdict.REFUTED, reason, {"witness": witness}


def _pairs(asked: Asked) -> tuple[Iterable[tuple[Any, Any]], str]:
    """Listed pairs, or all of a grid, and what they are in words."""
    if asked.pairs:
        return asked.pairs, "the listed"
    if asked.multisets is None:
        msg = f"{asked.name} needs bounds, or --pair, for mode 'exact'"
        raise InvalidArgument(msg)
    if asked.order is Order.FIXED:  # each multiset is gone through in one order
        msg = (
            f"{asked.name} reads its records in order, and mode 'exact' goes through multisets; "
            "give --pair"
        )
        raise InvalidArgument(msg)
    return asked.multisets.pairs(asked.claim.relation), str(asked.multisets)


def _most(found: Searched, epsilon: Fraction, delta: Fraction) -> str:
    """Say how much is lost at worst."""
    on = f"on {found.pairs} pairs of neighbors"
    if delta:
        return f"the largest delta at epsilon = {epsilon} {on} is {float(found.excess[1]):.6g}"
    assert found.ratio is not None
    _, upper = endpoints(Balls(found.ratio.bits).log(found.ratio))
    return f"the largest privacy loss {on} is {float(upper):.6g}"


def _open(found: AllNeighbors) -> str:
    """Say what stayed undecided."""
    at = ""
    if found.check.witness is not None:
        values = zip(found.lemma.variables, found.check.witness, strict=True)
        at = " at " + ", ".join(f"{name} = {value}" for name, value in values)
    return (
        f"the lemma {found.lemma.id} does not hold{at}, but no pair that was tried breaks the claim"
    )
