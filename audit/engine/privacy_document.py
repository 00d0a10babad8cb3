"""What an audit from samples says, as a document.

On a page a refutation shows its witness first. Then come the evidence side by side, what was
tested, what could not have been seen, and how to run it again.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.documents.advice import notes
from audit.documents.phrases import LATTICE, beyond, sentence
from audit.documents.shared_sections import (
    ledger_rows,
    ledger_words,
    page_of,
    run_lines,
    strong,
    unseen_rows,
    witness_script,
)
from audit.engine.document_parts import flow_rows, screened_parts
from audit.engine.pictures import evidence_plot, power_plot, profile_plot, witness_plot
from audit.engine.privacy_sentences import (
    bounds_words,
    chances_words,
    claim_words,
    claimed_first,
    counts_words,
    detectable_limit_words,
    detectable_lines,
    detectable_words,
    headline,
    limits_of,
    limits_words,
    meaning,
    profile_words,
    run_words,
    severity_of,
    upper_words,
    wider_words,
)
from audit.engine.witness_table import (
    answers_words,
    instead_words,
    matter_rows,
    side_words,
    witness_table,
)
from audit.results.document import (
    Cards,
    Document,
    DocumentTable,
    Part,
    Provenance,
    Row,
    Rows,
    Section,
    View,
    Words,
    code,
)
from audit.results.number_words import number, number_above, number_below
from audit.results.refutation import Witness
from audit.results.sampled_result import AuditResult, Detectable, Upper

__all__ = ["document"]

NOT_STATED = "Nothing: the law of this target's output is not stated, or not for such a claim."
COUNTS = "counts the event again, on the draws that its first lines name"
"""What the script of a witness does."""
FROM_ANY = frozenset(range(1, 20))


def document(result: AuditResult, provenance: Provenance) -> Document:
    """What it says."""
    witness = result.witness
    leaks = witness is not None and witness.feature == LATTICE
    return Document(
        result.target,
        result.verdict,
        headline(result),
        result.reason,
        (*_lines(result, provenance), *_page(result, provenance), *_below(result)),
        claim=str(result.claim),
        samples=f"{result.samples:,}",
        command=provenance.command,
        finding="floating-point-leak" if leaks else "claim-refuted",
        evidence=tuple(evidence(result)),
        facts=(("seed", str(result.seed)), ("false alarm", number(result.false_alarm))),
        not_tried=result.not_tried,
        hints=tuple(notes(result)),
        seconds=result.seconds,
    )


def evidence(result: AuditResult) -> Iterator[str]:
    """The first of the claim's lower limits, and what the stated law gives, in a few words."""
    if (severity := severity_of(result)) is not None:
        name, limit = severity
        yield f"{name} {beyond(limit, claimed_first(result))}"
    if result.exact is not None:
        if result.exact.attained is not None:
            yield f"exact {result.exact.attained}"
        yield f"proved <= {result.exact.proved}"


def _lines(result: AuditResult, provenance: Provenance) -> Iterator[Section]:
    witness, power, upper = result.witness, result.detectable, result.upper
    first = [Row("claim", claim_words(result)), *ledger_rows(provenance.ledger), *_worth(result)]
    if limits_of(result):
        first.append(Row("limits", limits_words(result)))
    if result.exact is not None:
        first.append(Row("proved", bounds_words(result.exact)))
    first += [*_random(result), *flow_rows(result)]
    parts: list[tuple[Part, ...]] = [(Rows(tuple(first)),)]
    if result.profile is not None:
        words = Row("profile", profile_words(result.false_alarm))
        parts.append((Rows((words,)), _band(result.profile)))
    if witness is not None:
        parts.append((_witness_lines(witness), *witness_table(witness)))
    if power is not None:
        rows = [Row(mass, which, 1) for mass, which in detectable_lines(power)]
        rows += [Row("", sentence(words)) for words in wider_words(power)]
        limit = Row("", sentence(detectable_limit_words(power)))
        parts.append((Rows((Row("power", detectable_words(power)), *rows, limit)),))
    if upper is not None:
        words = Row("at most", upper_words(upper, result.false_alarm))
        parts.append((Rows((words,)), _masses(upper)))
    yield from (Section("", each, view=View.LINES) for each in parts)
    yield run_lines(
        result.not_tried,
        result.notes,
        run_words(result),
        provenance.command,
        reproducible=result.reproducible,
    )
    if witness is not None:
        yield Section("", (witness_script(witness.rerun, COUNTS),), view=View.LINES)


def _worth(result: AuditResult) -> list[Row]:
    return [Row("worth", worth)] if (worth := meaning(result)) is not None else []


def _random(result: AuditResult) -> list[Row]:
    return [Row("random", words)] if (words := answers_words(result)) else []


def _witness_lines(witness: Witness) -> Rows:
    rows = [Row("witness", f"{witness.event}  [{witness.pair}]"), *_seen(witness, 1)]
    if witness.shrunk_from is not None:
        rows.append(Row("shrunk", f"from: {witness.shrunk_from}", 1))
    return Rows(tuple(rows))


def _seen(witness: Witness, depth: int = 0) -> Iterator[Row]:
    """What the data sets were, and how often the event came."""
    data, neighbor = side_words(witness)
    yield Row("data", data, depth)
    yield Row("neighbor", neighbor, depth)
    yield from matter_rows(witness, depth)
    yield Row("counts", counts_words(witness), depth)
    for words in instead_words(witness):
        yield Row("instead", words, depth)
    if witness.exact is not None:
        yield Row("exactly", chances_words(witness.exact, witness), depth)


def _below(result: AuditResult) -> Iterator[Section]:
    """What a run says below the line of an audit that refutes."""
    if result.witness is None:
        return
    table = tuple(witness_table(result.witness))
    yield Section("", (_witness_lines(result.witness), *table), view=View.BELOW)


def _page(result: AuditResult, provenance: Provenance) -> tuple[Section, ...]:
    tested = (
        Row("claim", claim_words(result)),
        *_worth(result),
        Row("run", run_words(result)),
        Row("mode", result.mode),
        *_random(result),
        *flow_rows(result),
        *(Row("note", sentence(note)) for note in provenance.notes),
    )
    new = [note for note in result.notes if note not in provenance.notes]
    return page_of(
        Section("Witness", tuple(_witness(result)), "witness", View.PAGE),
        tuple(_evidence(result, provenance.ledger)),
        tested,
        (*_unseen(result), *unseen_rows(result.not_tried, new)),
        Section("Privacy profile", tuple(_profile(result)), "profile", View.PAGE),
        Section("Screened pairs", tuple(screened_parts(result.screening)), "screened", View.PAGE),
        provenance=provenance,
        reproducible=result.reproducible,
    )


def _witness(result: AuditResult) -> Iterator[Part]:
    witness = result.witness
    if witness is None:
        return
    rows = [
        Row("event", (strong(witness.event),)),
        Row("as Python", (code(witness.expression),)),
        Row("pair", witness.pair),
        *_seen(witness),
    ]
    if witness.shrunk_from is not None:
        rows.append(Row("shrunk from", witness.shrunk_from))
    yield Rows(tuple(rows))
    yield from witness_table(witness)
    yield from witness_plot(result)
    yield witness_script(witness.rerun, COUNTS)


def _evidence(result: AuditResult, ledger: tuple[str, ...]) -> Iterator[Part]:
    samples = "No lower limit: the run did not get that far."
    if limits_of(result):
        samples = sentence(limits_words(result))
    bound = NOT_STATED if result.exact is None else sentence(bounds_words(result.exact))
    yield Cards(
        (
            Section("Samples (black box)", (Words(samples),)),
            Section("Exact", (Words(_exactly(result)),)),
            Section("Proved", (Words(bound), *ledger_words(ledger))),
        )
    )
    yield from evidence_plot(result)


def _exactly(result: AuditResult) -> str:
    said = []
    if result.exact is not None and result.exact.attained is not None:
        said.append(f"A pair of neighbors loses {result.exact.attained} exactly.")
    if result.witness is not None and result.witness.exact is not None:
        chances = chances_words(result.witness.exact, result.witness)
        said.append(f"The event of the witness: {chances}.")
    return " ".join(said) or NOT_STATED


def _unseen(result: AuditResult) -> Iterator[Part]:
    power = result.detectable
    if power is None:
        words = "Nothing is known of what would have been seen: the run says nothing."
        if result.witness is not None:
            words = "A violation was found; a power statement is for runs that find none."
        yield Words(words)
        return
    yield Words(f"{sentence(detectable_words(power))[:-1]}:")
    yield Rows(tuple(Row(mass, which) for mass, which in detectable_lines(power)), listed=True)
    yield _masses(power)
    for words in wider_words(power):
        yield Words(sentence(words))
    yield Words(sentence(detectable_limit_words(power)))
    yield from power_plot(result)
    if result.upper is not None:
        yield Words(sentence(upper_words(result.upper, result.false_alarm)))
        yield _masses(result.upper)


def _masses(found: Detectable | Upper) -> DocumentTable:
    """Epsilons by the probability of the event."""
    name = "Smallest loss seen" if isinstance(found, Detectable) else "Largest loss"
    return DocumentTable(
        f"{name}, by the probability of the event",
        ("event", *map(number, found.masses)),
        (("epsilon", *map(number_above, found.epsilons)),),
        numeric=FROM_ANY,
    )


def _profile(result: AuditResult) -> Iterator[Part]:
    if result.profile is not None:
        yield Words(sentence(profile_words(result.false_alarm)))
        yield _band(result.profile)
        yield from profile_plot(result)


def _band(profile: tuple[tuple[float, float], ...]) -> DocumentTable:
    return DocumentTable(
        "Lower band of the privacy profile",
        ("epsilon", *(number(epsilon) for epsilon, _ in profile)),
        (("delta", *(number_below(delta) for _, delta in profile)),),
        numeric=FROM_ANY,
    )
