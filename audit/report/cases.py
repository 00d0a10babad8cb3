"""What each audit, proof and stored table of a run came to, in the words that formats need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

from audit.report.exact import exact_text
from audit.report.gate_text import MARKS, name_of, proof_line
from audit.report.history import past_words
from audit.report.table_check import checked_text, differing
from audit.report.text import audit_text
from audit.report.utility import utility_text
from audit.report.words import headline, sentence
from audit.request.error_plan import UtilityPlan
from audit.utility.result import UtilityResult
from audit.verdict import AuditResult, ExactResult, Verdict

if TYPE_CHECKING:
    from audit.request.plan import Plan
    from audit.suite.outcome import Outcome, Told
    from audit.suite.proofs import ProofOutcome
    from audit.suite.tables import TableOutcome

__all__ = ["REGRESSED", "Case", "cases_of", "result_text"]

ERROR = "ERROR"
REGRESSED = "REGRESSED"
"""Verdicts of what is no audit's own."""


@final
@dataclass(frozen=True, slots=True)
class Case:
    """One audit, the claims of one name, a stored table, or an audit that only the baseline has.

    Parameters
    ----------
    kind : str
        "audit", "proof", "table" or "baseline".
    name : str
        Of no other case of the run.
    mark : str
        "ok", "FAIL", "OPEN" or "ERROR".
    verdict : str
        In a word or two.
    headline : str
        What it means, in a sentence or two.
    text : str
        The report of it alone.
    seconds : float
        Time it took.
    outcome : Outcome or None
        Of an audit.
    """

    kind: str
    name: str
    mark: str
    verdict: str
    headline: str
    text: str
    seconds: float
    outcome: Outcome | None = None

    @property
    def not_tried(self) -> tuple[str, ...]:
        """What the verdict of an audit says nothing of."""
        result = None if self.outcome is None else self.outcome.result
        return () if result is None else result.not_tried

    @property
    def let_pass(self) -> bool:
        """Whether it is INCONCLUSIVE and passes, because the user said so."""
        return self.mark == MARKS[0] and self.verdict == Verdict.INCONCLUSIVE


def cases_of(
    outcomes: Iterable[Outcome],
    proofs: Iterable[ProofOutcome] = (),
    tables: Iterable[TableOutcome] = (),
    told: Told | None = None,
) -> list[Case]:
    """All cases of a run, in its order."""
    seen: Counter[str] = Counter()
    cases = []
    lost = () if told is None or told.baseline is None else told.baseline.missing
    every = (*map(_of_audit, outcomes), *map(_of_proof, proofs), *map(_of_table, tables))
    for made in (*every, *map(_of_lost, lost)):
        seen[made.name] += 1
        number = seen[made.name]
        cases.append(made if number == 1 else replace(made, name=f"{made.name} [{number}]"))
    return cases


def _of_audit(outcome: Outcome) -> Case:
    mark, result = MARKS[int(outcome.status)], outcome.result
    if result is None:
        error = outcome.error or ""
        return Case("audit", name_of(outcome), mark, ERROR, sentence(error), error, 0.0, outcome)
    words = headline(result)
    if outcome.expect == "refuted":
        passed = outcome.status == 0
        first = "As expected of a positive control." if passed else "A positive control must fail."
        words = f"{first} {words}"
    text = result_text(result, outcome.plan)
    verdict = result.verdict.value
    if worse := past_words(outcome):
        words, text = f"{worse} {words}", f"{worse}\n\n{text}"
        verdict = verdict if result.verdict is Verdict.REFUTED else REGRESSED
    return Case("audit", name_of(outcome), mark, verdict, words, text, result.seconds, outcome)


def _of_lost(key: str) -> Case:
    words = "The baseline has this audit, and the configuration no longer lists it."
    return Case("baseline", key, MARKS[1], REGRESSED, words, f"{words}\n", 0.0)


def _of_proof(proof: ProofOutcome) -> Case:
    counts = Counter(result.status.value for result in proof.results)
    one = len(proof.results) == 1
    found = ", ".join(s if one else f"{count} {s}" for s, count in counts.items())
    good = "the claim is" if one else f"all {len(proof.results)} claims are"
    wrong = [result for result in proof.results if not result.as_registered]
    words = "; ".join(f"{r.id} is {r.status.value}, registered {r.expected.value}" for r in wrong)
    return Case(
        "proof",
        proof.name,
        MARKS[int(proof.status)],
        found,
        sentence(words or f"{good} as registered"),
        proof_line(proof, len(proof.name)),
        proof.seconds,
    )


def _of_table(table: TableOutcome) -> Case:
    words = table.reason or f"all {table.cells} cells hold"
    if table.mismatches:
        words = f"{differing(table, 1)}; the first: {table.mismatches[0]}"
    text = checked_text(table, len(table.mismatches))
    verdict, _, _ = text.partition(":")
    mark = MARKS[int(table.status)]
    return Case("table", table.name, mark, verdict, sentence(words), text, table.seconds)


def result_text(
    result: AuditResult | ExactResult | UtilityResult,
    plan: Plan | UtilityPlan,
    certificate: str | None = None,
) -> str:
    """Report of one audit, of whatever kind, as text."""
    if isinstance(result, UtilityResult):
        assert isinstance(plan, UtilityPlan)
        return utility_text(result, plan)
    assert not isinstance(plan, UtilityPlan)
    match result:
        case ExactResult():
            return exact_text(result, plan, certificate)
        case AuditResult():
            return audit_text(result, plan)
