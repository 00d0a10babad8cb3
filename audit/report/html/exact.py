"""The parts of a page about one exact audit: the proof, or the event that breaks the claim."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from audit.report.exact import proof_rows
from audit.report.html.audit import ledger_words
from audit.report.html.elements import Child, Safe, el, joined
from audit.report.html.parts import card, copied, facts, section
from audit.report.words import enclosed, sentence
from audit.run import request_command
from audit.verdict import ExactResult, Verdict

if TYPE_CHECKING:
    from audit.plan import Plan

__all__ = ["exact_parts"]

UNSEEN = {
    Verdict.PROVED: (
        "Nothing among what the proof speaks of: it is no sample. It speaks of the mechanism's "
        "stated law and of nothing else."
    ),
    Verdict.REFUTED: "A violation is proved, so nothing is left to be seen.",
}
UNDECIDED = "Neither a proof nor an event that breaks the claim was found; both may exist."


def exact_parts(
    result: ExactResult, plan: Plan, *, heading: int, key: str, certificate: str | None = None
) -> Safe:
    """All parts; parameters as of `audit.report.html.audit.audit_parts`."""
    found = "Witness" if result.witness is not None else "Proof"
    rows: list[tuple[str, Child]] = [(name.strip(), text) for name, text in proof_rows(result)]
    if certificate is not None:
        check = shlex.join(["touchstone", "verify", certificate])
        rows.append(("certificate", joined(certificate, "; ", el("code", check), " rechecks it")))
    tested = [
        ("claim", f"{result.claim}, order {result.order.value}; source: {result.claim.source}"),
        ("run", f"{result.seconds:.2f} s, no samples"),
        ("mode", plan.request.mode),
    ]
    command = shlex.join(request_command(plan.request))
    return joined(
        section(heading, found, facts(rows), key=f"{key}-witness"),
        section(heading, "Evidence", _evidence(result, plan, heading), key=f"{key}-evidence"),
        section(heading, "What was tested", facts(tested), key=f"{key}-tested"),
        section(
            heading,
            "What could not have been seen",
            el("p", UNSEEN.get(result.verdict, UNDECIDED)),
            facts([("note", sentence(note)) for note in result.notes]),
            key=f"{key}-power",
        ),
        section(
            heading,
            "Repeat this run",
            copied(command, "command", key=f"{key}-command", wrapped=True),
            key=f"{key}-again",
        ),
    )


def _evidence(result: ExactResult, plan: Plan, heading: int) -> Safe:
    exact = "Undecided."
    if result.witness is not None:
        exact = f"An event goes {enclosed(result.witness.excess)} beyond what the claim allows."
    elif result.proof is not None and result.proof.loss is not None:
        exact = f"The largest privacy loss is {enclosed(result.proof.loss)}."
    elif result.proof is not None:
        exact = "The largest privacy loss is infinite; the claim allows it with probability delta."
    proved = "Nothing."
    if result.proof is not None:
        proved = f"The claim, for {result.proof.pairs}."
    elif result.witness is not None:
        proved = "That the claim is false."
    return el(
        "div",
        card(heading + 1, "Samples (black box)", el("p", "None drawn: --mode exact needs none.")),
        card(heading + 1, "Exact", el("p", exact)),
        card(heading + 1, "Proved", el("p", proved), ledger_words(plan.target.ledger)),
        class_="cards",
    )
