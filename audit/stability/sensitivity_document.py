"""What a search for the sensitivity of a query says, as a document: a pair beside the claim."""

from __future__ import annotations

from collections.abc import Iterator

from audit.documents.claim_parts import document_of_claim
from audit.documents.phrases import sentence
from audit.documents.shared_sections import page_of, run_lines, strong, unseen_rows, witness_script
from audit.results.document import Document, Part, Provenance, Row, Rows, Section, View, Words
from audit.results.number_words import number, plural
from audit.results.plot_parts import Bar, Bars
from audit.results.verdict import Verdict
from audit.stability.sensitivity_result import SensitivityResult, SensitivityWitness
from audit.stability.sensitivity_sentences import (
    answer_words,
    distance_words,
    headline,
    number_words,
    reason_words,
    records_words,
    rounding_words,
    tried_words,
)

FOR_CERTAIN = "no error rate: the distance is computed from the answers without rounding"


def document(result: SensitivityResult, provenance: Provenance) -> Document:
    """What it says."""
    return document_of_claim(
        result,
        headline(result),
        (*_lines(result, provenance), *_page(result, provenance)),
        provenance,
        evidence=_evidence(result),
        samples=plural(result.pairs, "pair"),
        facts=(("seed", str(result.seed)),),
    )


def _evidence(result: SensitivityResult) -> Iterator[str]:
    if result.largest is not None:
        yield f"distance {number(float(result.largest))} of {number(float(result.claim.at_most))}"


def _claim(result: SensitivityResult) -> str:
    return f"{result.claim}, order {result.claim.order.value}; {result.claim.source}"


def _lines(result: SensitivityResult, provenance: Provenance) -> Iterator[Section]:
    yield Section("", (Rows((Row("claim", _claim(result)), *_largest(result))),), view=View.LINES)
    for witness in _pairs(result):
        yield Section("", (Rows(tuple(_witness_rows(witness))),), view=View.LINES)
    yield run_lines(
        result.not_tried,
        result.notes,
        _run(result),
        provenance.command,
        reproducible=result.reproducible,
    )
    if result.witness is not None:
        yield Section("", (_script(result.witness),), view=View.LINES)


def _pairs(result: SensitivityResult) -> tuple[SensitivityWitness, ...]:
    """Pairs that break the claim, or the one that does by rounding alone."""
    return result.witnesses or ((result.rounding,) if result.rounding is not None else ())


def _largest(result: SensitivityResult) -> Iterator[Row]:
    if result.tried:
        yield Row("pairs", tried_words(result.tried))
    if result.largest is not None:
        yield Row("largest", f"{distance_words(result.largest)} apart")
    if result.rounding is not None:
        yield Row("Rounding", rounding_words(result))


def _run(result: SensitivityResult) -> str:
    calls = plural(result.calls, "call")
    return f"{plural(result.pairs, 'pair')}, {calls} in {result.seconds:.1f} s, seed {result.seed}"


def _witness_rows(witness: SensitivityWitness) -> Iterator[Row]:
    yield Row("witness", witness.pair)
    yield Row("data", records_words(witness.data), 1)
    yield Row("answer", answer_words(witness.answer), 1)
    if not witness.is_single:
        yield Row("neighbor", records_words(witness.neighbor), 1)
    if witness.answer != witness.other or not witness.is_single:
        yield Row("answer", answer_words(witness.other), 1)
    yield Row("distance", distance_words(witness.distance), 1)
    yield Row("claimed", number_words(witness.bound), 1)


def _script(witness: SensitivityWitness) -> Part:
    return witness_script(witness.rerun, "asks about both data sets again")


def _page(result: SensitivityResult, provenance: Provenance) -> tuple[Section, ...]:
    witness = result.witness
    unseen: tuple[Part, ...] = ()
    if result.verdict is not Verdict.REFUTED:
        unseen = (Words("Nothing is said of pairs that were not tried."),)
    return page_of(
        Section("Witness", tuple(_found(result)), "witness", View.PAGE),
        tuple(_shown(result)),
        (Row("claim", _claim(result)), *_largest(result), Row("run", _run(result))),
        (*unseen, *unseen_rows(result.not_tried, result.notes)),
        *((Section("Script", (_script(witness),), "script", View.PAGE),) if witness else ()),
        provenance=provenance,
        reproducible=result.reproducible,
    )


def _found(result: SensitivityResult) -> Iterator[Part]:
    for witness in _pairs(result):
        yield Rows((Row("found", (strong(reason_words(witness)),)), *_witness_rows(witness)))


def _shown(result: SensitivityResult) -> Iterator[Part]:
    if result.largest is None:
        yield Words("Nothing was measured.")
        return
    claimed, largest = float(result.claim.at_most), float(result.largest)
    words = f"largest distance {number(largest)}; claimed: at most {number(claimed)}"
    broken = result.verdict is Verdict.REFUTED and largest > claimed
    bar = Bar(f"largest: {number(largest)}", largest, "broken" if broken else "samples")
    line = (claimed, f"claimed: {number(claimed)}")
    yield Bars(
        "distance", "Distance", (bar,), "distance of the answers", line, words, sentence(words)
    )
    yield Words(sentence(FOR_CERTAIN))
