"""The exact audit: a proof for all neighbors, or a pair with exact probabilities that break it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from audit.exact.certify import certificate_of_query
from audit.exact.neighbor_pair import NeighborPair, loss_reached, pair_that_shows
from audit.exact.neighbors import AllNeighbors, all_neighbors
from audit.exact.numbers import Mass, as_ball
from audit.verdict import Enclosure, ExactResult, ExactWitness, Proof, Verdict
from mechanisms.claims import ApproxDP, Order, PrivacyClaim, PureDP
from mechanisms.errors import InvalidArgument
from mechanisms.noisy_query import NoisyQuery, StatesNoisyQuery
from proofs_check.enclosure import endpoints

__all__ = ["audit"]

PAIRS = "all neighbors of all data sets"
FLOAT_NOTE = (
    "the proof is of the mechanism in real numbers: what double precision adds is seen by "
    "--mode sequential without --ideal"
)


def audit(
    name: str,
    mechanism: Any,
    claim: PrivacyClaim,
    order: Order,
    *,
    floating_point: bool,
    information: Mapping[str, Any] | None = None,
) -> ExactResult:
    """Audit a mechanism that states its law.

    Parameters
    ----------
    name : str
        Of the target.
    mechanism : Any
        It must state a noisy query.
    claim : PrivacyClaim
        Pure or approximate.
    order : Order
        How the data are read.
    floating_point : bool
        Whether the mechanism computes in double precision, which the proof leaves out.
    information : mapping, optional
        For the certificate: versions.

    Raises
    ------
    InvalidArgument
        For another level, or a mechanism or relation that no lemma covers.
    """
    started = time.monotonic()
    if not isinstance(claim.level, PureDP | ApproxDP):
        msg = (
            "mode 'exact' audits pure and approximate claims (PureDP, ApproxDP), got "
            f"{claim.level} (type {type(claim.level).__name__})"
        )
        raise InvalidArgument(msg)
    if not isinstance(mechanism, StatesNoisyQuery):
        msg = f"{name} states no noisy query, so mode 'exact' cannot audit it; use 'sequential'"
        raise InvalidArgument(msg)
    query = mechanism.noisy_query()
    epsilon = claim.level.epsilon
    delta = claim.level.delta if isinstance(claim.level, ApproxDP) else Fraction(0)
    found = all_neighbors(query, claim.relation, epsilon)
    notes = (FLOAT_NOTE,) if floating_point else ()

    def result(verdict: Verdict, reason: str, **evidence: Any) -> ExactResult:
        seconds = time.monotonic() - started
        return ExactResult(name, verdict, claim, order, reason, seconds, notes=notes, **evidence)

    if found.check.verdict is Verdict.PROVED and found.loss is not None:
        reached = loss_reached(query, claim.relation)
        proof = Proof(
            PAIRS,
            f"the noisy {query.words}",
            (found.lemma.id, "post-processing"),
            (found.lemma.statement, *found.lemma.hypotheses),
            found.check.cases,
            (Fraction(0) if reached is None else reached, found.loss),
            certificate_of_query(name, mechanism, query, claim, found, information or {}),
        )
        reason = f"no record loses more than epsilon = {found.loss}, whatever the other records are"
        return result(Verdict.PROVED, reason, proof=proof)
    pair = pair_that_shows(query, claim.relation, epsilon, delta)
    if pair is not None:
        witness = _witness(query, pair, claim)
        other = "neighbor" if witness.likelier == "data" else "data"
        reason = (
            f"{witness.about} lies in an event with probability {float(witness.p[0]):.6g} on the "
            f"{witness.likelier} and {float(witness.q[1]):.6g} on the {other}"
        )
        return result(Verdict.REFUTED, reason, witness=witness)
    return result(Verdict.INCONCLUSIVE, _open(found))


def _open(found: AllNeighbors) -> str:
    """Say what stayed undecided."""
    at = ""
    if found.check.witness is not None:
        values = zip(found.lemma.variables, found.check.witness, strict=True)
        at = " at " + ", ".join(f"{name} = {value}" for name, value in values)
    return (
        f"the lemma {found.lemma.id} does not hold{at}, but no pair that was tried breaks the claim"
    )


def _witness(query: NoisyQuery, pair: NeighborPair, claim: PrivacyClaim) -> ExactWitness:
    level: Any = claim.level
    delta = level.delta if isinstance(level, ApproxDP) else Fraction(0)
    event = [str(where) for where in pair.excess.event]
    words = event[0]
    if len(event) > 1:
        words = (
            f"where the {pair.likelier} is more than e^({level.epsilon}) times as likely: "
            f"{len(event)} cells"
        )
    return ExactWitness(
        data=[_plain(x) for x in pair.data],
        neighbor=[_plain(x) for x in pair.neighbor],
        about=f"the noisy {query.words}, less the sums of the data,",
        event=words,
        likelier=pair.likelier,
        p=_ends(pair.excess.p),
        q=_ends(pair.excess.q),
        excess=_ends(pair.excess.value, delta),
    )


def _plain(record: Fraction) -> float | str:
    """A record as a double, where it is one."""
    return float(record) if Fraction(float(record)) == record else str(record)


def _ends(value: Mass, less: Fraction = Fraction(0)) -> Enclosure:
    lower, upper = endpoints(as_ball(value))
    return lower - less, upper - less
