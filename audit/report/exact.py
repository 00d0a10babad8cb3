"""Reports of exact audits, as text and as JSON documents (schema as of `audit.report.json`)."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from audit.levels.records import claim_document
from audit.plain import plain
from audit.report.text import ledger_rows, not_tried_row, row, wrapped
from audit.report.values import SCHEMA_VERSION, ends_document
from audit.report.words import data_words, divergence_words, enclosed, headline
from audit.run import repeat_line
from audit.verdict import DivergenceWitness, ExactResult, ExactWitness, Proof
from audit.versions import versions

if TYPE_CHECKING:
    from audit.request.plan import Plan

__all__ = ["exact_document", "exact_text", "proof_rows"]


def exact_text(result: ExactResult, plan: Plan, certificate: str | None = None) -> str:
    """Report of one exact audit; `certificate` is the file that was written."""
    lines = [f"{result.verdict.value}: {result.target}", *wrapped("", headline(result)), ""]
    lines += row("claim", f"{result.claim}, order {result.order.value}; {result.claim.source}")
    lines += ledger_rows(plan.target.ledger)
    for label, words in proof_rows(result):
        lines += row(label, words)
    lines.append("")
    lines += not_tried_row(result)
    for note in result.notes:
        lines += row("note", note)
    if certificate is not None:
        checked = f"{certificate}; `touchstone verify {shlex.quote(certificate)}` rechecks it"
        lines += row("certificate", checked)
    lines += row("run", f"{result.seconds:.2f} s, no samples")
    lines.append(f"{'repeat':<12}{repeat_line(plan.request, result)}")
    return "\n".join(lines) + "\n"


def proof_rows(result: ExactResult) -> Iterator[tuple[str, str]]:
    """What an exact audit proved, or the event that breaks the claim: labels and texts."""
    if (proof := result.proof) is not None:
        yield "about", proof.about
        if proof.loss is not None:
            yield "loss", f"at worst {enclosed(proof.loss)}"
        for i, (user, budget, loss) in enumerate(proof.users):
            yield "" if i else "loss", f"of user {user}, at worst {enclosed(loss)} of {budget}"
        if proof.excess is not None:
            yield "delta", f"at worst {enclosed(proof.excess)} at the claimed epsilon"
        if proof.measured is not None:
            name, ends = proof.measured
            yield "divergence", f"{name}, at worst {enclosed(ends)}"
        if proof.records:
            each = ", ".join(f"{loss} for {record}" for record, loss in proof.records)
            yield "", f"of one record added or removed, exactly: {each}"
        enclosed_laws = proof.measured is not None or bool(proof.statements)
        cells = "enclosures of the stated laws" if enclosed_laws else "exact probabilities of cells"
        by = ", ".join(proof.lemmas) or cells
        yield "by", f"{by} ({proof.cases} cases)"
        for statement in proof.statements:
            yield "", statement
    witness = result.witness
    if isinstance(witness, DivergenceWitness):
        yield "witness", f"{witness.about}: {witness.measure}"
        yield "  data", data_words(witness.data)
        yield "  neighbor", data_words(witness.neighbor)
        yield "  value", f"{divergence_words(witness)}; the claim allows {witness.allowed}"
    elif witness is not None:
        yield "witness", f"{witness.about}: {witness.event}"
        yield "  data", data_words(witness.data)
        yield "  neighbor", data_words(witness.neighbor)
        other = "neighbor" if witness.likelier == "data" else "data"
        chances = f"{enclosed(witness.p)} on the {witness.likelier}, {enclosed(witness.q)} on the "
        yield "  P", chances + other
        if witness.loss is not None:
            yield "  loss", f"{enclosed(witness.loss)}, the logarithm of their ratio"
        yield "  excess", f"{enclosed(witness.excess)} beyond what the claim allows"


def exact_document(result: ExactResult, plan: Plan) -> dict[str, Any]:
    """Report of one exact audit as a document."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "exact",
        "target": result.target,
        "parameters": plain(plan.target.parameters),
        "verdict": result.verdict.value,
        "reason": result.reason,
        "claim": claim_document(result.claim),
        "order": result.order.value,
        "seconds": round(result.seconds, 3),
        "proof": None if result.proof is None else _proof_document(result.proof),
        "witness": _witness_document(result.witness),
        "ledger": list(plan.target.ledger),
        "not_tried": list(result.not_tried),
        "notes": list(result.notes),
        "command": repeat_line(plan.request, result),
        "versions": versions([plan.target.library]),
    }


def _proof_document(proof: Proof) -> dict[str, Any]:
    more: dict[str, Any] = {}
    if proof.measured is not None:
        name, ends = proof.measured
        more["measured"] = {"name": name, "ends": ends_document(ends)}
    return more | {
        "pairs": proof.pairs,
        "about": proof.about,
        "lemmas": list(proof.lemmas),
        "statements": list(proof.statements),
        "cases": proof.cases,
        "rechecked": proof.certificate is not None,
        "loss": None if proof.loss is None else ends_document(proof.loss),
        "delta": None if proof.excess is None else ends_document(proof.excess),
        "records": [{"record": str(x), "loss": str(loss)} for x, loss in proof.records],
        "users": [
            {"user": user, "budget": str(budget), "loss": ends_document(loss)}
            for user, budget, loss in proof.users
        ],
    }


def _witness_document(
    witness: ExactWitness | DivergenceWitness | None,
) -> dict[str, Any] | None:
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
        "p": ends_document(witness.p),
        "q": ends_document(witness.q),
        "excess": ends_document(witness.excess),
        "loss": None if witness.loss is None else ends_document(witness.loss),
        "user": witness.user,
        "budget": None if witness.budget is None else str(witness.budget),
    }
