"""What an exact audit says, as a document: the proof, or the event that breaks the claim."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from audit.documents.claim_parts import document_of_claim
from audit.documents.phrases import (
    DIGITS,
    data_words,
    enclosed,
    sentence,
    undecided_words,
    user_words,
)
from audit.documents.shared_sections import (
    event_bars,
    ledger_rows,
    ledger_words,
    page_of,
    run_lines,
    unseen_rows,
)
from audit.results.document import (
    Cards,
    Document,
    Part,
    Provenance,
    Row,
    Rows,
    Section,
    View,
    Words,
    code,
)
from audit.results.exact_result import (
    MOVED,
    RELEASE,
    DivergenceWitness,
    ExactResult,
    ExactWitness,
    Proof,
)
from audit.results.number_words import number, number_above, number_below, plural, probability_words
from audit.results.plot_parts import Bar, Bars, Plot
from audit.results.verdict import Verdict

LAW = "by the law that the mechanism states"
"""What every proof is about: not the program."""

UNCHECKED = "Without a certificate (no second program rechecked the proof)"
RECHECKED = "a second program rechecked the proof"
"""`audit.exact.recheck` lets no proof through whose certificate was rejected."""

UNSEEN = {
    Verdict.PROVED: (
        "Nothing among what the proof speaks of: it is no sample. It speaks of the mechanism's "
        "stated law and of nothing else."
    ),
    Verdict.REFUTED: "A violation is proved, so nothing is left to be seen.",
}
UNDECIDED = "Neither a proof nor an event that breaks the claim was found; both may exist."


def document(result: ExactResult, provenance: Provenance) -> Document:
    """What it says."""
    return document_of_claim(
        result,
        headline(result),
        (*_lines(result, provenance), *_page(result, provenance)),
        provenance,
        evidence=evidence(result),
    )


def headline(result: ExactResult) -> str:
    """Say in a sentence or two what the verdict means."""
    claim, reason = result.claim, sentence(result.reason)
    match result.verdict:
        case Verdict.REFUTED:
            witness = result.witness
            whose = ""
            if isinstance(witness, ExactWitness):
                whose = user_words(witness.user, witness.budget)
            about = RELEASE if witness is None else witness.about
            of = "" if about == RELEASE else f" of {about.removesuffix(MOVED)}"
            return f"The claim {claim} is false{whose}{of}. {reason}"
        case Verdict.PROVED:
            where = "" if result.proof is None else f" for {result.proof.pairs}"
            if result.proof is None or result.proof.certificate is None:
                return f"{UNCHECKED}, the claim {claim} holds{where}, {LAW}. {reason}"
            return f"The claim {claim} holds{where}, {LAW}; {RECHECKED}. {reason}"
        case _:
            return undecided_words(result.reason)


def evidence(result: ExactResult) -> Iterator[str]:
    """The largest loss, of personalized claims as a factor on all budgets, or the witness's."""
    if (proof := result.proof) is not None:
        if proof.loss is not None:
            yield f"proved <= {number_above(float(proof.loss[1]))}"
        if proof.users:
            factor = max((loss[1] / budget for _, budget, loss in proof.users if budget), default=0)
            yield f"proved factor <= {number_above(float(factor))}"
        if proof.excess is not None:
            yield f"proved delta <= {number_above(float(proof.excess[1]))}"
        if proof.measured is not None:
            name, ends = proof.measured
            yield f"proved {name} <= {number_above(float(ends[1]))}"
    match result.witness:
        case DivergenceWitness(measure=measure, value=None):
            yield f"exact {measure} inf"
        case DivergenceWitness(measure=measure, value=(lower, _)):
            yield f"exact {measure} >= {number_below(float(lower))}"
        case ExactWitness(loss=(lower, _)):
            yield f"exact loss {number_below(float(lower))}"
        case ExactWitness(excess=(lower, _)):
            yield f"exact excess {number_below(float(lower))}"


def divergence_words(witness: DivergenceWitness) -> str:
    """A divergence as far as it is known."""
    if witness.value is None:
        return "infinite"
    lower, upper = witness.value
    return enclosed((lower, upper)) if upper is not None else f"at least {float(lower):.{DIGITS}g}"


def _lines(result: ExactResult, provenance: Provenance) -> tuple[Section, ...]:
    claim = f"{result.claim}, order {result.order.value}; {result.claim.source}"
    rows = (Row("claim", claim), *ledger_rows(provenance.ledger), *_proof_rows(result))
    return (
        Section("", (Rows(rows),), view=View.LINES),
        run_lines(
            result.not_tried,
            result.notes,
            _run(result),
            provenance.command,
            certificate=_certificate(provenance.certificate),
        ),
    )


def _run(result: ExactResult) -> str:
    return f"{round(result.seconds, 3):.2f} s, no samples"


def _certificate(file: str | None) -> tuple[Row, ...]:
    if file is None:
        return ()
    check = code(shlex.join(["touchstone", "verify", file]))
    return (Row("certificate", (f"{file}; ", check, " rechecks it")),)


def _proof_rows(result: ExactResult) -> Iterator[Row]:
    """What an exact audit proved, or the event that breaks the claim."""
    if (proof := result.proof) is not None:
        yield Row("about", proof.about)
        if proof.loss is not None:
            yield Row("loss", f"at worst {enclosed(proof.loss)}")
        for i, (user, budget, loss) in enumerate(proof.users):
            words = f"of user {user}, at worst {enclosed(loss)} of {budget}"
            yield Row("" if i else "loss", words)
        if proof.excess is not None:
            yield Row("delta", f"at worst {enclosed(proof.excess)} at the claimed epsilon")
        if proof.measured is not None:
            name, ends = proof.measured
            yield Row("divergence", f"{name}, at worst {enclosed(ends)}")
        if proof.records:
            each = ", ".join(f"{loss} for {record}" for record, loss in proof.records)
            yield Row("", f"of one record added or removed, exactly: {each}")
        enclosed_laws = proof.measured is not None or bool(proof.statements)
        cells = "enclosures of the stated laws" if enclosed_laws else "exact probabilities of cells"
        by = ", ".join(proof.lemmas) or cells
        yield Row("by", f"{by} ({plural(proof.cases, 'case')})")
        for statement in proof.statements:
            yield Row("", statement)
    if (witness := result.witness) is None:
        return
    what = witness.event if isinstance(witness, ExactWitness) else witness.measure
    yield Row("witness", f"{witness.about}: {what}")
    yield Row("data", data_words(witness.data), 1)
    yield Row("neighbor", data_words(witness.neighbor), 1)
    if isinstance(witness, DivergenceWitness):
        allowed = f"the claim allows {witness.allowed}"
        yield Row("value", f"{divergence_words(witness)}; {allowed}", 1)
        return
    other = "neighbor" if witness.likelier == "data" else "data"
    chances = f"{enclosed(witness.p)} on the {witness.likelier}, {enclosed(witness.q)} on the "
    yield Row("P", chances + other, 1)
    if witness.loss is not None:
        yield Row("loss", f"{enclosed(witness.loss)}, the logarithm of their ratio", 1)
    yield Row("excess", f"{enclosed(witness.excess)} beyond what the claim allows", 1)


def _page(result: ExactResult, provenance: Provenance) -> tuple[Section, ...]:
    rows = (*_proof_rows(result), *_certificate(provenance.certificate))
    found: tuple[Part, ...] = (Rows(rows),)
    if isinstance(witness := result.witness, ExactWitness):
        chances = float(witness.p[0]), float(witness.q[1])
        axis = "probability of the event"
        level = result.claim.level
        texts = probability_words(witness.p[0], 3), probability_words(witness.q[1], 3)
        found += (event_bars(level, chances, witness.likelier, witness.budget, axis, texts),)
    source = f"order {result.order.value}; source: {result.claim.source}"
    unseen = Words(UNSEEN.get(result.verdict, UNDECIDED))
    return page_of(
        Section("Proof" if witness is None else "Witness", found, "witness", View.PAGE),
        tuple(_evidence(result, provenance.ledger)),
        (
            Row("claim", f"{result.claim}, {source}"),
            Row("run", _run(result)),
            Row("mode", "exact"),
        ),
        (unseen, *unseen_rows(result.not_tried, result.notes)),
        provenance=provenance,
    )


def _evidence(result: ExactResult, ledger: tuple[str, ...]) -> Iterator[Part]:
    exact, proved = "Undecided.", "Nothing."
    match result.witness:
        case DivergenceWitness() as witness:
            found = divergence_words(witness)
            exact = f"The {witness.measure} is {found}: more than the claim allows."
        case ExactWitness(excess=excess):
            exact = f"An event goes {enclosed(excess)} beyond what the claim allows."
    if result.witness is not None:
        proved = "That the claim is false."
    elif result.proof is not None:
        exact = _largest(result.proof)
        proved = f"The claim, for {result.proof.pairs}."
    yield Cards(
        (
            Section("Samples (black box)", (Words("None drawn: --mode exact needs none."),)),
            Section("Exact", (Words(exact),)),
            Section("Proved", (Words(proved), *ledger_words(ledger))),
        )
    )
    if result.witness is None and result.proof is not None:
        yield from _users_plot(result.proof)


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


def _users_plot(proof: Proof) -> Iterator[Plot]:
    """The largest loss of users as a share of their budgets; of other claims than theirs none."""
    if not proof.users:
        return
    rows = []
    for user, budget, loss in proof.users:
        share = float(loss[1] / budget)
        rows.append(Bar(f"user {user}, budget {budget}: {number(share)}", share, "proved"))
    words = "; ".join(row.words for row in rows)
    axis = "largest loss, as a share of the own budget"
    yield Bars("scale", "Users", tuple(rows), axis, (1.0, "claimed: 1"), words)
