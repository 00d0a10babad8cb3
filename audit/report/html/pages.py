"""Whole pages: of one audit, and of a run of the gate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from audit.report.cases import Case
from audit.report.evidence import evidence_words
from audit.report.html.audit import audit_parts
from audit.report.html.elements import Safe, el, joined
from audit.report.html.exact import exact_parts
from audit.report.html.page import page
from audit.report.html.parts import badge, copied, facts, kind_of, section, verdict_box
from audit.report.html.utility import utility_parts
from audit.report.words import headline
from audit.run import repeat_line
from audit.verdict import AuditResult, ExactResult, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from audit.suite.outcome import GateResult

__all__ = ["audit_body", "audit_page", "gate_page"]

WORST_FIRST = ("ERROR", "FAIL", "OPEN", "ok")
MOST_OPEN = 10
"""Details that are unfolded at first, of what is not as expected: more would be a scroll."""
SHORTEST_BAR = 2.0
"""Percent of the longest time."""
WORTH = (
    "CONSISTENT says that nothing was found. How large a violation would have been found stands in "
    "the details of each audit."
)
STATUSES = {
    0: "PASSED",
    1: "FAILED",
    2: "WRONG CONFIGURATION",
    3: "INCONCLUSIVE",
    4: "INTERNAL ERROR",
    130: "INTERRUPTED",
}


def audit_page(case: Case, facts_of_run: Mapping[str, str], certificate: str | None = None) -> str:
    """Page of one audit."""
    return page(
        f"{case.verdict}: {case.name}",
        audit_body(case, "audit", certificate),
        section(2, "Seed and versions", facts(facts_of_run.items()), key="run"),
    )


def audit_body(case: Case, key: str, certificate: str | None = None) -> Safe:
    """Of the page of an audit what is about the audit; its elements are named by the key."""
    assert case.outcome is not None
    result = case.outcome.result
    assert result is not None
    return joined(
        verdict_box(case.verdict, case.name, el("p", headline(result))),
        _parts(case, heading=2, key=key, certificate=certificate),
    )


def gate_page(
    gate: GateResult, cases: Sequence[Case], summary: str, facts_of_run: Mapping[str, str]
) -> str:
    """Page of a run: verdict, one table with failures first, then each audit to be unfolded."""
    status = STATUSES.get(int(gate.status), "FAILED")
    kind = {0: "good", 3: "open"}.get(int(gate.status), "bad")
    ordered = sorted(enumerate(cases, start=1), key=lambda one: WORST_FIRST.index(one[1].mark))
    longest = max((case.seconds for case in cases), default=0.0)
    details = [
        _details(case, index, unfolded=case.mark != "ok" and place < MOST_OPEN)
        for place, (index, case) in enumerate(ordered)
    ]
    return page(
        f"{status}: {gate.configuration}",
        verdict_box(status, gate.configuration, _marks(cases), el("p", summary), kind=kind),
        section(2, "Summary", _summary(ordered, longest), el("p", WORTH), key="summary"),
        section(2, "Details", *details, key="details"),
        section(2, "Seed and versions", facts(facts_of_run.items()), key="run"),
    )


def _summary(cases: Sequence[tuple[int, Case]], longest: float) -> Safe:
    names = ("status", "audit", "verdict", "evidence", "claim", "samples", "seconds")
    minor = (3, 4, 5, 6)
    head = (
        el("th", name, scope="col", class_="minor" if i in minor else None)
        for i, name in enumerate(names)
    )
    rows = [_row(case, index, longest) for index, case in cases]
    inside = el("table", el("thead", el("tr", *head)), el("tbody", *rows), class_="wide")
    label = "Audits, proofs and tables of the run, what is not as expected first"
    return el("div", inside, class_="scroll", role="group", aria_label=label, tabindex="0")


def _row(case: Case, index: int, longest: float) -> Safe:
    result = None if case.outcome is None else case.outcome.result
    claim = "" if result is None else str(result.claim)
    samples = "" if result is None else "exact"
    if result is not None and not isinstance(result, ExactResult):
        samples = f"{result.samples:,}"
    share = 100 * case.seconds / longest if longest else 0.0
    bar = el(
        "svg",
        el("rect", width=share, height=6, class_="samples bar"),
        viewBox="0 0 100 6",
        preserveAspectRatio="none",
        aria_hidden="true",
        class_="time",
    )
    expected = _expected(case)
    evidence = [] if result is None else [_signs(words) for words in evidence_words(result)]
    return el(
        "tr",
        el("td", badge(case.mark)),
        el("th", el("a", case.name, href=f"#case-{index}"), scope="row", class_="name"),
        el("td", case.verdict, el("small", expected) if expected else None, class_="verb"),
        el(
            "td",
            *(joined(el("span", words, class_="whole"), " ") for words in evidence),
            class_="minor",
        ),
        el("td", claim, class_="minor"),
        el("td", samples, class_="num minor"),
        el("td", f"{case.seconds:.1f}", bar if share >= SHORTEST_BAR else None, class_="num minor"),
    )


def _signs(words: str) -> str:
    return words.replace(">=", "≥").replace("<=", "≤")


def _expected(case: Case) -> str:
    """Say of a case that is ok why REFUTED is well: a positive control, or an erratum."""
    if case.mark != "ok" or Verdict.REFUTED not in case.verdict:
        return ""
    return "as registered" if case.kind == "proof" else "as expected"


def _marks(cases: Sequence[Case]) -> Safe:
    """How many cases have each mark, the worst first."""
    counts = Counter(case.mark for case in cases)
    found = [mark for mark in WORST_FIRST if counts[mark]]
    return el("p", *(badge(f"{counts[mark]} {mark}", kind_of(mark)) for mark in found))


def _details(case: Case, index: int, *, unfolded: bool) -> Safe:
    key = f"case-{index}"
    title = el("summary", badge(case.mark), el("h3", case.name), " ", case.verdict)
    parts = _parts(case, heading=4, key=key)
    inside = el("div", el("p", case.headline), parts, class_="inside")
    return el("details", title, inside, id=key, open=unfolded)


def _parts(case: Case, *, heading: int, key: str, certificate: str | None = None) -> Safe:
    """What there is to say of a result; of proofs, tables and errors their text."""
    from audit.request.error_plan import UtilityPlan
    from audit.utility.result import UtilityResult

    plan = None if case.outcome is None else case.outcome.plan
    result: object = None if case.outcome is None else case.outcome.result
    if plan is None or result is None:
        return copied(case.text, "text", key=f"{key}-text", wrapped=True)
    if isinstance(plan, UtilityPlan):
        assert isinstance(result, UtilityResult)
        command = repeat_line(plan.request, result)
        return utility_parts(result, command, plan.target.ledger, heading=heading, key=key)
    match result:
        case AuditResult():
            return audit_parts(result, plan, heading=heading, key=key)
        case ExactResult():
            return exact_parts(result, plan, heading=heading, key=key, certificate=certificate)
    msg = f"no page is known for a {type(result).__name__}"
    raise TypeError(msg)
