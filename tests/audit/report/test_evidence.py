"""The evidence of an audit in a few words."""

from __future__ import annotations

import pytest

from audit.report.rendering import gate_report
from audit.runs.result_kinds import document_of
from tests.audit.report.runs import RESULTS, outcome_of, run_of

WORDS = {
    "refuted": ["epsilon > 2"],
    "bounded": ["epsilon > 0.9", "exact 1", "proved <= 1"],
    "personalized": ["factor > 0.85"],
    "proved": ["proved <= 1"],
    "proved by user": ["proved factor <= 0.5"],
    "proved with delta": ["proved delta <= 0.05"],
    "disproved": ["exact loss 0.5"],
    "undecided": [],
    "useful": ["bias < 0.01 rmse", "error < 1.2 x"],
    "failed": [],
}


@pytest.mark.parametrize("name", WORDS)
def test_each_kind_of_evidence_has_its_words(name: str) -> None:
    """It must hold that the numbers are those of the result, with the right name and side."""
    outcome = outcome_of(name, RESULTS[name])
    assert list(document_of(RESULTS[name], outcome.plan).evidence) == WORDS[name]


def test_the_tables_of_a_run_have_them() -> None:
    """It must hold that the text and the page of a run show the same evidence."""
    run = run_of(*(outcome_of(name, RESULTS[name]) for name in WORDS))
    text, page = gate_report("text", run), gate_report("html", run)
    for words in filter(None, WORDS.values()):
        assert words[0] in text  # a line has no room for more
        signs = [w.replace("<=", "\u2264").replace("<", "&lt;").replace(">", "&gt;") for w in words]
        assert all(f">{one}</span>" in page for one in signs)
