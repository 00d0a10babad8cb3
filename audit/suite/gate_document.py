"""What a run says: its audits, the claims of its ledger and its stored tables, each as a case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from audit.documents.phrases import sentence
from audit.documents.report_cases import Case, Report
from audit.documents.typed_json import value_as
from audit.results.document import Document, Place
from audit.results.number_words import number, plural
from audit.results.verdict import Verdict
from audit.runs.result_kinds import KINDS, document_of
from audit.suite.earlier_runs import head_words, past_rows, past_words
from audit.suite.gate_record import MARKS, asked_of, place_in, read, record_of_gate
from audit.suite.gate_sentences import gate_head, gate_left_out, gate_summary, gate_top
from audit.suite.stored_tables import checked_text, differing, table_lines

if TYPE_CHECKING:
    from audit.suite.gate_outcome import GateResult, Outcome
    from audit.suite.ledger_claims import ProofOutcome
    from audit.suite.stored_tables import TableOutcome

__all__ = ["REGRESSED", "case_of", "gate_cases", "report_of_audit", "report_of_gate", "stored_gate"]

ERROR = "ERROR"
REGRESSED = "REGRESSED"
"""Verdicts of what is no audit's own."""


def report_of_audit(outcome: Outcome, certificate: str | None = None) -> Report:
    """One audit; `certificate` is the file that was written."""
    assert outcome.result is not None
    case, asked = case_of(outcome, certificate), asked_of(outcome)
    facts = () if case.document is None else case.document.facts
    name = f"touchstone {KINDS[type(outcome.result)].asks} {outcome.name}"
    told = (*facts, *asked.versions.items())
    return Report(name, (case,), case.seconds, int(outcome.status), told)


def report_of_gate(gate: GateResult, *, verbose: bool = False) -> Report:
    """All of a run of the gate; as text with all its lines if `verbose`."""
    return stored_gate(record_of_gate(gate), verbose=verbose)


def stored_gate(told: Mapping[str, Any], *, verbose: bool = False) -> Report:
    """The same of its report in JSON; raises Unlike if this version did not write it."""
    gate = read(told)
    rate = number(gate.false_alarm)
    facts = {
        "seed": str(gate.seed),
        "false alarm": (
            f"{rate} for the run, {number(gate.share)} for each of "
            f"{plural(gate.sharing, 'audit')} that can raise one, {rate} for each control"
        ),
        **value_as(Mapping[str, str], told["versions"], "versions"),
    }
    left_out = gate_left_out(gate.left_out) + head_words(gate.told)
    head = gate_head(gate.configuration, gate.planned, gate.false_alarm, gate.seed, gate.share)
    tail = gate_summary(gate)
    return Report(
        f"touchstone gate {gate.configuration}",
        tuple(_numbered(_cases(gate, told))),
        gate.seconds,
        int(gate.status),
        tuple(facts.items()),
        subject=gate.configuration,
        head=gate_top(gate),
        tail=tail,
        title=f"Touchstone: {head.strip()}",
        summary=f"{'. '.join(tail.splitlines()).removesuffix('.')}. {left_out}".strip(),
        planned=gate.planned,
        not_run=gate.not_run,
        is_verbose=verbose,
    )


def gate_cases(gate: GateResult) -> tuple[Case, ...]:
    """The cases of a run of the gate, each with a name of its own."""
    return report_of_gate(gate).cases


def _cases(gate: GateResult, told: Mapping[str, Any]) -> Iterator[Case]:
    listed = value_as(Place | None, told["place"], "place")
    lost = () if gate.told.baseline is None else gate.told.baseline.missing
    yield from (case_of(outcome) for outcome in gate.outcomes)
    yield from (_of_proof(proof, listed) for proof in gate.proofs)
    for table, own in zip(gate.tables, told["tables"], strict=True):
        yield _of_table(table, value_as(Place | None, own["place"], "place"))
    yield from (_of_lost(key, listed) for key in lost)


def _numbered(cases: Iterable[Case]) -> Iterator[Case]:
    seen: Counter[str] = Counter()
    for case in cases:
        seen[case.name] += 1
        count = seen[case.name]
        yield case if count == 1 else replace(case, name=f"{case.name} [{count}]")


def case_of(outcome: Outcome, certificate: str | None = None) -> Case:
    """One audit; `certificate` is the file that was written."""
    result, title = outcome.result, outcome.title or outcome.name
    case = Case(
        "audit",
        title,
        title,
        MARKS[int(outcome.status)],
        ERROR,
        sentence(outcome.error or ""),
        0.0,
        text=outcome.error or "",
        section="refuted as expected" if outcome.expect == "refuted" else asked_of(outcome).section,
        red=outcome.red,
        place=place_in(outcome),
        below=tuple(past_rows(outcome)),
    )
    if result is None:
        return case
    document, worse = document_of(result, outcome.plan, certificate), past_words(outcome)
    words = document.headline
    if outcome.expect == "refuted":
        passed = outcome.status == 0
        first = "As expected of a positive control." if passed else "A positive control must fail."
        words = f"{first} {words}"
    regressed = worse and result.verdict is not Verdict.REFUTED
    verdict = REGRESSED if regressed else document.word
    return replace(
        case,
        verdict=verdict,
        headline=f"{worse} {words}" if worse else words,
        seconds=document.seconds,
        text=f"{worse}\n\n" if worse else "",
        document=document,
        rule=_rule(outcome, verdict, document),
        lines=_below(outcome, document),
    )


def _below(outcome: Outcome, document: Document) -> tuple[str, ...]:
    """What stands below the line of an audit that has nothing to show there of itself."""
    if outcome.expect == "refuted":
        return (f"a positive control must be REFUTED; {document.reason}",)
    if outcome.past.regressions:
        return ()
    return (document.reason,)


def _rule(outcome: Outcome, verdict: str, document: Document) -> str | None:
    """Which rule it breaks; None where it is as expected, or an error."""
    if outcome.status == 0:
        return None
    if verdict == REGRESSED:
        return "worse-than-baseline"
    if outcome.expect == "refuted":
        return "control-not-refuted"
    return "audit-inconclusive" if verdict == Verdict.INCONCLUSIVE else document.finding


def _of_lost(key: str, listed: Place | None) -> Case:
    words = "The baseline has this audit, and the configuration no longer lists it."
    return Case(
        "baseline",
        key,
        key,
        MARKS[1],
        REGRESSED,
        words,
        0.0,
        text=f"{words}\n",
        rule="worse-than-baseline",
        place=listed,
    )


def _of_proof(proof: ProofOutcome, listed: Place | None) -> Case:
    counts = Counter(result.status.value for result in proof.results)
    one = len(proof.results) == 1
    found = ", ".join(s if one else f"{count} {s}" for s, count in counts.items())
    good = "the claim is" if one else f"all {len(proof.results)} claims are"
    wrong = [
        (result.id, f"{result.id} is {result.status.value}, registered {result.expected.value}")
        for result in proof.results
        if not result.as_registered
    ]
    words = "; ".join(words for _, words in wrong)
    mark = MARKS[int(proof.status)]
    lines = (found, *(f"{words}: touchstone prove {id_}" for id_, words in wrong))
    below = "".join(f"      {line}\n" for line in lines[1:])
    return Case(
        "proof",
        proof.name,
        proof.name,
        mark,
        found,
        sentence(words or f"{good} as registered"),
        proof.seconds,
        text=f"{mark:<6}{proof.name}  {found}\n{below}",
        section="ledger",
        red="" if proof.status == 0 else "differs from the ledger",
        rule=None if proof.status == 0 else "proof-status-differs",
        place=listed,
        lines=lines,
    )


def _of_table(table: TableOutcome, place: Place | None) -> Case:
    words = table.reason or (
        f"all {table.cells} cells hold" if table.cells != 1 else "its cell holds"
    )
    if table.mismatches:
        words = f"{differing(table, 1)}; the first: {table.mismatches[0]}"
    text = checked_text(table, len(table.mismatches))
    mark = MARKS[int(table.status)]
    rules = {"FAIL": "table-differs", "OPEN": "table-undecided"}
    return Case(
        "table",
        table.name,
        table.name,
        mark,
        text.partition(":")[0],
        sentence(words),
        table.seconds,
        text=text,
        section="tables",
        red="" if table.status == 0 else "table differs",
        rule=rules.get(mark),
        place=place,
        lines=table_lines(table),
    )
