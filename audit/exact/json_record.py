"""What an exact audit holds, as its report in JSON has it."""

from __future__ import annotations

from dataclasses import asdict

from audit.documents.document import Provenance
from audit.exact_result import DivergenceWitness, ExactResult, ExactWitness, Proof
from audit.levels.records import claim_document
from audit.plain import ends_record, plain


def record(result: ExactResult, _: Provenance) -> dict[str, object]:
    """Its own keys, without those of every kind of result."""
    return {
        "claim": claim_document(result.claim),
        "order": result.order.value,
        "seconds": round(result.seconds, 3),
        "proof": None if result.proof is None else _proof(result.proof),
        "witness": _witness(result.witness),
    }


def _proof(proof: Proof) -> dict[str, object]:
    more: dict[str, object] = {}
    if proof.measured is not None:
        name, ends = proof.measured
        more["measured"] = {"name": name, "ends": ends_record(ends)}
    return more | {
        "pairs": proof.pairs,
        "about": proof.about,
        "lemmas": list(proof.lemmas),
        "statements": list(proof.statements),
        "cases": proof.cases,
        "rechecked": proof.certificate is not None,
        "certificate": None if proof.certificate is None else asdict(proof.certificate),
        "loss": None if proof.loss is None else ends_record(proof.loss),
        "delta": None if proof.excess is None else ends_record(proof.excess),
        "records": [{"record": str(x), "loss": str(loss)} for x, loss in proof.records],
        "users": [
            {"user": user, "budget": str(budget), "loss": ends_record(loss)}
            for user, budget, loss in proof.users
        ],
    }


def _witness(
    witness: ExactWitness | DivergenceWitness | None,
) -> dict[str, object] | None:
    if witness is None:
        return None
    if isinstance(witness, DivergenceWitness):
        lower, upper = witness.value or (None, None)
        return {
            "data": plain(witness.data),
            "neighbor": plain(witness.neighbor),
            "about": witness.about,
            "measure": witness.measure,
            "likelier": witness.likelier,
            "lower": "inf" if lower is None else str(lower),
            "upper": None if upper is None else str(upper),
            "allowed": str(witness.allowed),
        }
    return {
        "data": plain(witness.data),
        "neighbor": plain(witness.neighbor),
        "about": witness.about,
        "event": witness.event,
        "likelier": witness.likelier,
        "p": ends_record(witness.p),
        "q": ends_record(witness.q),
        "excess": ends_record(witness.excess),
        "loss": None if witness.loss is None else ends_record(witness.loss),
        "user": witness.user,
        "budget": None if witness.budget is None else str(witness.budget),
    }
