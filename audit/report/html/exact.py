"""The parts of a page about one exact audit: the proof, or the event that breaks the claim."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from audit.report.exact import proof_rows
from audit.report.html.audit import ledger_words
from audit.report.html.elements import Child, Safe, el, joined
from audit.report.html.parts import card, copied, facts, section
from audit.report.html.plots import event_plot, users_plot
from audit.report.words import divergence_words, enclosed, sentence
from audit.run import repeat_line
from audit.verdict import DivergenceWitness, ExactResult, Proof, Verdict

if TYPE_CHECKING:
    from audit.request.plan import Plan

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
    command = repeat_line(plan.request, result)
    return joined(
        section(
            heading, found, facts(rows), event_plot(result, f"{key}-event"), key=f"{key}-witness"
        ),
        section(heading, "Evidence", _evidence(result, plan, heading, key), key=f"{key}-evidence"),
        section(heading, "What was tested", facts(tested), key=f"{key}-tested"),
        section(
            heading,
            "What could not have been seen",
            el("p", UNSEEN.get(result.verdict, UNDECIDED)),
            facts([("not tried", sentence(part)) for part in result.not_tried]),
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


def _evidence(result: ExactResult, plan: Plan, heading: int, key: str) -> Safe:
    exact, proved = "Undecided.", "Nothing."
    plot: Safe | None = None
    if result.witness is not None:
        if isinstance(result.witness, DivergenceWitness):
            found = divergence_words(result.witness)
            exact = f"The {result.witness.measure} is {found}: more than the claim allows."
        else:
            exact = f"An event goes {enclosed(result.witness.excess)} beyond what the claim allows."
        proved = "That the claim is false."
    elif result.proof is not None:
        exact = _largest(result.proof)
        proved = f"The claim, for {result.proof.pairs}."
        plot = users_plot(result.proof, f"{key}-scale")
    cards = el(
        "div",
        card(heading + 1, "Samples (black box)", el("p", "None drawn: --mode exact needs none.")),
        card(heading + 1, "Exact", el("p", exact)),
        card(heading + 1, "Proved", el("p", proved), ledger_words(plan.target.ledger)),
        class_="cards",
    )
    return joined(cards, None if plot is None else el("figure", plot))


def _largest(proof: Proof) -> str:
    """What is lost at worst, in a sentence."""
    if proof.measured is not None:
        name, ends = proof.measured
        return f"The largest {name} is {enclosed(ends)}."
    if proof.loss is not None:
        return f"The largest privacy loss is {enclosed(proof.loss)}."
    if proof.users:
        each = (f"user {user} {enclosed(loss)} of {budget}" for user, budget, loss in proof.users)
        return f"At worst lose {'; '.join(each)}."
    return "The largest privacy loss is infinite; the claim allows it with probability delta."
