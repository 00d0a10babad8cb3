"""The gate's text: sections, lines that fit and tell entries apart, and what is not as expected."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from audit.cli.progress import GateProgress
from audit.report.gate_text import WIDTH, case_lines
from audit.report.rendering import gate_report
from audit.request.configuration import Config, reference_config
from audit.request.configured_audits import Entry
from audit.request.request import Request, UtilityAsked
from audit.request.titles import NUMBER, titles
from audit.results.verdict import Verdict
from audit.suite.exit_status import Exit, of_audit
from audit.suite.gate_document import case_of, gate_cases
from audit.suite.gate_outcome import GateResult, Outcome
from audit.suite.gate_sentences import gate_head
from audit.suite.ledger_claims import ProofOutcome
from audit.suite.stored_tables import TableOutcome
from tests.audit.results import CONSISTENT, FAILED, REFUTED
from tests.clock import Clock

PROOF = ProofOutcome("KSW-T2", (), Exit.OK, 0.1)
TABLE = TableOutcome("v.csv", "variance", 12, (), Exit.OK, 0.1, "")


def outcome(entry: Entry, result: Any = CONSISTENT, **changes: Any) -> Outcome:
    """An audit that came to a result; of its plan little more than the request is looked at."""
    target = SimpleNamespace(ledger=(), library=None, parameters={})
    plan: Any = SimpleNamespace(request=entry.request, target=target, notes=())
    status = Exit.OK if result is None else of_audit(result, expect=entry.expect)
    made = Outcome(entry.name, entry.expect, plan, result, None, status, title=entry.title)
    return replace(made, **changes)


def gate(*outcomes: Outcome, **changes: Any) -> GateResult:
    """A run of these."""
    status = max((one.status for one in outcomes), default=Exit.OK)
    made = GateResult("test", outcomes, len(outcomes), status, 1e-3, 1e-4, 600.0, 9.5, 7, False)
    return replace(made, **changes)


@pytest.fixture(scope="module")
def suite() -> Config:
    """The reference suite."""
    return reference_config()


@pytest.fixture(scope="module")
def run(suite: Config) -> GateResult:
    """A run of it in which all is as expected."""
    words = {"refuted": REFUTED, "consistent": CONSISTENT}
    return gate(*(outcome(entry, words[entry.expect]) for entry in suite.entries), proofs=(PROOF,))


@pytest.mark.long
def test_no_two_lines_of_the_reference_suite_are_equal(run: GateResult) -> None:
    """It must hold of all its lines, whatever their numbers, and each has at most 120 letters."""
    lines = [
        line
        for line in gate_report("text", run, verbose=True).splitlines()
        if line.startswith("ok")
    ]
    assert len(lines) == len(run.outcomes) + 1
    assert max(map(len, lines)) <= WIDTH == 120
    assert len({NUMBER.sub("#", line) for line in lines}) == len(lines)


def test_by_names_alone_they_would_be(suite: Config) -> None:
    """The negative control: names without titles are not told apart."""
    names = [NUMBER.sub("#", entry.name) for entry in suite.entries]
    assert len(set(names)) < len(names) - 40
    assert len({entry.title for entry in suite.entries}) == len(names)


@pytest.mark.long
def test_counts_stand_for_the_lines(run: GateResult) -> None:
    """It must hold that a long run in which all is well is a line for each section."""
    text = gate_report("text", run)
    sections = [line for line in text.splitlines() if line[21:25].strip().isdigit()]
    assert [line[:20].strip() for line in sections] == [
        "refuted as expected",
        "consistent",
        "proved",
        "ledger",
        "errors",
    ]
    assert "\nok" not in text
    assert len(text.splitlines()) < 16


@pytest.mark.long
def test_what_is_not_as_expected_is_shown_in_full(run: GateResult) -> None:
    """It must hold that its line, its reason and its command are there, and the counts say so."""
    wrong = [
        replace(one, result=FAILED, status=Exit.INCONCLUSIVE) if index == 60 else one
        for index, one in enumerate(run.outcomes)
    ]
    text = gate_report("text", replace(run, outcomes=tuple(wrong)))
    assert "not as expected         1: 1 inconclusive\nOPEN  " in text
    assert FAILED.reason in text
    assert "\n      touchstone audit " in text


def test_few_lines_are_all_shown(suite: Config) -> None:
    """It must hold that the lines of a small project need no --verbose."""
    sound = [entry for entry in suite.entries if entry.expect == "consistent"]
    small = gate(*(outcome(entry) for entry in sound[:3]))
    assert gate_report("text", small) == gate_report("text", small, verbose=True)
    assert gate_report("text", small).count("\nok    ") == 3


def test_a_long_name_loses_its_middle() -> None:
    """It must hold that beginning, end and the numbers on the right stay."""
    entry = Entry("a" * 100 + "z", Request("t"), title="")
    line = case_lines(case_of(outcome(entry)), 101)
    assert len(line) <= WIDTH + 1
    assert "aaa...aaa" in line
    assert "aaz  CONSISTENT" in line
    assert line.endswith("12.3 s\n")


@pytest.mark.parametrize(
    ("expect", "request_", "section"),
    [
        ("refuted", Request("t"), "refuted as expected"),
        ("refuted", Request("t", mode="exact"), "refuted as expected"),
        ("consistent", Request("t"), "consistent"),
        ("consistent", Request("t", mode="exact"), "proved"),
        ("consistent", Request("t", utility=UtilityAsked()), "errors"),
    ],
)
def test_a_section_is_what_was_expected(expect: Any, request_: Request, section: str) -> None:
    """It must hold whatever came."""
    for result in (CONSISTENT, REFUTED):
        assert case_of(outcome(Entry("t", request_, expect), result)).section == section
    proof, table = gate_cases(gate(proofs=(PROOF,), tables=(TABLE,)))
    assert (proof.section, table.section) == ("ledger", "tables")


AUDIT, CONTROL = Entry("t", Request("t")), Entry("t", Request("t"), "refuted")
AGAINST = replace(REFUTED, reason="contradiction: the samples show more")


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (outcome(AUDIT), ""),
        (outcome(AUDIT, REFUTED), "refuted"),
        (outcome(AUDIT, AGAINST), "samples contradict a proof"),
        (outcome(AUDIT, FAILED), "inconclusive"),
        (outcome(CONTROL, CONSISTENT), "control not refuted"),
        (outcome(CONTROL, REFUTED), ""),
        (outcome(AUDIT, status=Exit.REFUTED), "refuted on an earlier night"),
        (outcome(AUDIT, result=None, status=Exit.INTERNAL), "error"),
    ],
)
def test_each_red_has_its_own_words(one: Any, words: str) -> None:
    """It must hold that only a REFUTED that the rate covers is called refuted."""
    assert one.red == case_of(one).red == words


def test_a_claim_and_a_table_have_theirs() -> None:
    """It must hold that a red claim and a red table are told apart, and green ones have none."""
    red = (replace(PROOF, status=Exit.REFUTED),), (replace(TABLE, status=Exit.REFUTED),)
    cases = gate_cases(gate(proofs=red[0], tables=red[1]))
    assert [case.red for case in cases] == ["differs from the ledger", "table differs"]
    assert [case.red for case in gate_cases(gate(proofs=(PROOF,), tables=(TABLE,)))] == ["", ""]


def test_the_words_of_a_contradiction_are_those_of_the_run() -> None:
    """It must hold that the reason of a contradiction still begins as it is looked for."""
    import inspect

    from audit.runs import privacy_run as module

    assert inspect.getsource(module).count('"contradiction: ') == 2
    assert AGAINST.verdict is Verdict.REFUTED


def test_the_head_says_what_controls_are_tested_at() -> None:
    """It must hold that their level is not taken for a part of the rate."""
    assert gate_head("c", 3, 0.01, 7, 0.005) == (
        "c: 3 audits, false-alarm rate 0.01 for the run, 0.005 for each; seed 7\n"
    )
    head = gate_head("c", 3, 0.01, 7, 0.005, controls=1)
    assert head.endswith("1 positive control at a level of 0.01 each, outside of that rate\n")


def test_titles_take_the_fewest_words() -> None:
    """It must hold that what all have is left out, and that equal audits are counted."""
    same = Request("t", ideal=True, adversarial=True)
    requests = [same, replace(same, low=1), replace(same, low=2, high=3), same]
    assert titles(["t"] * 4, requests, [False] * 4) == ["t", "t, low = 1", "t, low = 2", "t [2]"]


def test_the_time_left_follows_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that half of the work leaves as much time as it took."""
    clock = Clock().install(monkeypatch)
    progress = GateProgress.of(Config("test", (AUDIT, AUDIT, CONTROL), proofs=("KSW",)))
    assert progress.words() == "running 1 of 4"
    clock.now += 36.0
    progress.add(outcome(AUDIT))
    assert progress.words() == "running 2 of 4, about 43 s left"
    progress.add(outcome(AUDIT, FAILED))
    assert progress.words().endswith("; 1 not as expected: t")
