"""The exact audit: a proof for all neighbors, or a pair with exact probabilities that break it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

from audit.exact.between import StatesThresholds, search_between
from audit.exact.certify import certificate_of_multisets, certificate_of_query
from audit.exact.divergences import Excess
from audit.exact.multisets import Multisets
from audit.exact.neighbor_pair import loss_reached, losses_of_records, pair_that_shows
from audit.exact.neighbors import AllNeighbors, all_neighbors
from audit.exact.numbers import Mass, as_ball
from audit.exact.search import Searched, StatesLaw, search
from audit.verdict import MOVED, RELEASE, Enclosure, ExactResult, ExactWitness, Proof, Verdict
from mechanisms.claims import ApproxDP, Order, PrivacyClaim, PureDP, Relation
from mechanisms.errors import InvalidArgument
from mechanisms.noisy_query import NoisyQuery, StatesNoisyQuery
from proofs_check.enclosure import Balls, Undecided, endpoints

__all__ = ["Asked", "audit"]

PAIRS = "all neighbors of all data sets"
Found = tuple[Verdict, str, dict[str, Any]]
"""Verdict, reason, and the proof or the witness."""

FLOAT_NOTE = (
    "this is about the mechanism in real numbers: what double precision adds is seen by "
    "--mode sequential without --ideal"
)


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """What is audited exactly.

    Parameters
    ----------
    name : str
        Of the target.
    mechanism : Any
        It states a noisy query, its law on every data set, or the laws of two thresholds that
        enclose the release.
    claim : PrivacyClaim
        Pure or approximate.
    order : Order
        How the data are read.
    floating_point : bool
        Whether the mechanism computes in double precision, which the proof leaves out.
    pairs : tuple of (data, neighbor)
        Listed pairs; they replace all others.
    multisets : Multisets or None
        Data sets to go through where no lemma speaks of all.
    information : mapping
        For the certificate: versions.
    """

    name: str
    mechanism: Any
    claim: PrivacyClaim
    order: Order
    floating_point: bool
    pairs: tuple[tuple[Any, Any], ...] = ()
    multisets: Multisets | None = None
    information: Mapping[str, Any] = field(default_factory=dict)

    @property
    def level(self) -> tuple[Fraction, Fraction]:
        """Epsilon and delta."""
        level = self.claim.level
        if not isinstance(level, PureDP | ApproxDP):
            msg = (
                "mode 'exact' audits pure and approximate claims (PureDP, ApproxDP), got "
                f"{level} (type {type(level).__name__})"
            )
            raise InvalidArgument(msg)
        return level.epsilon, level.delta if isinstance(level, ApproxDP) else Fraction(0)


def audit(asked: Asked) -> ExactResult:
    """Audit a mechanism that states its law.

    Raises
    ------
    InvalidArgument
        For a level other than pure and approximate, or a mechanism or relation that neither a
        lemma nor an enumeration covers.
    """
    started = time.monotonic()
    asked.level  # noqa: B018 - an unknown level is an error whatever the mechanism
    if isinstance(asked.mechanism, StatesNoisyQuery):
        if asked.pairs:
            msg = f"mode 'exact' proves {asked.name} for all neighbors at once; leave out --pair"
            raise InvalidArgument(msg)
        verdict, reason, evidence = _by_lemma(asked, asked.mechanism.noisy_query())
    elif isinstance(asked.mechanism, StatesLaw):
        verdict, reason, evidence = _by_search(asked, asked.mechanism)
    elif isinstance(asked.mechanism, StatesThresholds):
        verdict, reason, evidence = _by_thresholds(asked, asked.mechanism)
    else:
        msg = f"{asked.name} states no law, so mode 'exact' cannot audit it; use 'sequential'"
        raise InvalidArgument(msg)
    return ExactResult(
        asked.name,
        verdict,
        asked.claim,
        asked.order,
        reason,
        time.monotonic() - started,
        notes=_notes(asked, evidence.get("witness")),
        **evidence,
    )


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
    sides = [[_plain(x) for x in side] for side in (pair.data, pair.neighbor)]
    return _refuted(asked, about, sides, pair.excess, pair.likelier)


def _by_search(asked: Asked, mechanism: StatesLaw) -> Found:
    """Listed pairs, or all multisets of a grid."""
    epsilon, delta = asked.level
    (pairs, words), multisets = _pairs(asked), asked.multisets
    try:
        found = search(mechanism, pairs, epsilon, delta)
    except Undecided as open_pair:
        return Verdict.INCONCLUSIVE, f"{words}: {open_pair}", {}
    if found.broken is not None:
        likelier, other, event = found.broken
        return _refuted(asked, RELEASE, [_listed(likelier), _listed(other)], event, "data")
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
        ("other data sets are not covered",),
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
        return asked.pairs, f"the {len(asked.pairs)} listed"
    if asked.multisets is None:
        msg = f"{asked.name} needs bounds, or --pair, for mode 'exact'"
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


def _refuted(asked: Asked, about: str, sides: list[Any], excess: Excess, likelier: str) -> Found:
    epsilon, delta = asked.level
    words = str(excess.event[0])
    if len(excess.event) > 1:
        words = (
            f"where the {likelier} is more than e^({epsilon}) times as likely: "
            f"{len(excess.event)} cells"
        )
    p, q = _ends(excess.p), _ends(excess.q)
    value = _ends(excess.value, delta)
    witness = ExactWitness(sides[0], sides[1], about, words, likelier, p, q, value)
    other = "neighbor" if likelier == "data" else "data"
    reason = (
        f"{about}{',' * about.endswith(MOVED)} lies in an event with probability "
        f"{float(p[0]):.6g} on the {likelier} and {float(q[1]):.6g} on the {other}"
    )
    return Verdict.REFUTED, reason, {"witness": witness}


def _listed(data: Any) -> Any:
    return [_plain(x) for x in data] if isinstance(data, tuple) else data


def _plain(record: Any) -> Any:
    """A record as a double, where it is one."""
    if not isinstance(record, Fraction):
        return record
    return float(record) if Fraction(float(record)) == record else str(record)


def _ends(value: Mass, less: Fraction = Fraction(0)) -> Enclosure:
    lower, upper = endpoints(as_ball(value))
    return lower - less, upper - less
