"""Whole pages: of one audit, and of a run of the gate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from audit.documents.legend import LEGEND
from audit.documents.report_cases import Case, Report
from audit.report.document_lines import case_text
from audit.report.html.elements import Safe, el, joined
from audit.report.html.html_document import document_parts
from audit.report.html.html_parts import badge, copied, facts, kind_of, section, verdict_box
from audit.report.html.page import page
from audit.results.verdict import Verdict

__all__ = ["audit_body", "render"]

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


def render(run: Report) -> str:
    """Page of one audit, or of a run."""
    return _gate_page(run) if run.is_many else _audit_page(run)


def _audit_page(run: Report) -> str:
    (case,) = run.cases
    return page(
        f"{case.verdict}: {case.name}",
        audit_body(case, "audit"),
        _legend(),
        section(2, "Seed and versions", facts(run.facts), key="run"),
    )


def _legend() -> Safe:
    return section(2, "What the words mean", facts(LEGEND), key="words")


def audit_body(case: Case, key: str) -> Safe:
    """Of the page of an audit what is about the audit; its elements are named by the key."""
    words = case.headline if case.document is None else case.document.headline
    return joined(
        verdict_box(case.verdict, case.name, el("p", words), *_hints(case)),
        _parts(case, heading=2, key=key),
    )


def _gate_page(run: Report) -> str:
    """Verdict, one table with failures first, then each case to be unfolded."""
    status, cases = STATUSES.get(run.status, "FAILED"), run.cases
    kind = {0: "good", 3: "open"}.get(run.status, "bad")
    ordered = sorted(enumerate(cases, start=1), key=lambda one: WORST_FIRST.index(one[1].mark))
    longest = max((case.seconds for case in cases), default=0.0)
    details = [
        _details(case, index, unfolded=case.mark != "ok" and place < MOST_OPEN)
        for place, (index, case) in enumerate(ordered)
    ]
    return page(
        f"{status}: {run.subject}",
        verdict_box(status, run.subject, _marks(cases), el("p", run.summary), kind=kind),
        section(2, "This report", facts(run.origin), key="origin") if run.origin else None,
        section(2, "Summary", _summary(ordered, longest), el("p", WORTH), key="summary"),
        section(2, "Details", *details, key="details"),
        _legend(),
        section(2, "Files" if run.origin else "Seed and versions", facts(run.facts), key="run"),
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
    told = case.document
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
    evidence = [] if told is None else [_signs(words) for words in told.evidence]
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
        el("td", "" if told is None else told.claim, class_="minor"),
        el("td", "" if told is None else told.samples, class_="num minor"),
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
    inside = el("div", el("p", case.headline), *_hints(case), parts, class_="inside")
    return el("details", title, inside, id=key, open=unfolded)


def _hints(case: Case) -> list[Safe]:
    return [] if case.document is None else [el("p", hint) for hint in case.document.hints]


def _parts(case: Case, *, heading: int, key: str) -> Safe:
    """What there is to say of a case; of proofs, tables and errors their text."""
    if case.document is None:
        return copied(case_text(case), "text", key=f"{key}-text", wrapped=True)
    return document_parts(case.document, heading=heading, key=key)
