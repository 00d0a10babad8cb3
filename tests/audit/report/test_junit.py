"""JUnit files: what a build server makes of a run."""

from __future__ import annotations

import pytest

from audit.report.rendering import audit_report, gate_report
from audit.results.verdict import Verdict
from audit.suite.gate_document import gate_cases
from tests.audit.report.runs import (
    RESULTS,
    broken_run,
    good_run,
    hostile_run,
    outcome_of,
    run_of,
    statuses,
)
from tests.audit.results import COARSE, REFUTED
from tests.reports import check_junit


@pytest.mark.parametrize("name", RESULTS)
def test_one_audit_is_one_testcase(name: str) -> None:
    """It must hold that each verdict of one audit is a file with one case, marked as it ended."""
    result = RESULTS[name]
    top = check_junit(audit_report("junit", outcome_of(name, result)))
    (case,) = top.iter("testcase")
    failed = result.verdict in (Verdict.REFUTED, Verdict.INCONCLUSIVE)
    assert [child.tag for child in case] == ["failure" if failed else "system-out"]
    assert result.target in "".join(case.itertext())


def test_a_run_is_counted() -> None:
    """It must hold that failures, errors and skips are as many as the run has."""
    run = broken_run()
    (suite,) = check_junit(gate_report("junit", run)).iter("testsuite")
    assert int(suite.attrib["tests"]) == len(statuses(run))
    assert int(suite.attrib["failures"]) == sum(status in (1, 3) for status in statuses(run)) > 0
    assert (suite.attrib["errors"], suite.attrib["skipped"]) == ("1", "1")
    assert float(suite.attrib["time"]) == 61.5
    facts = {item.attrib["name"]: item.attrib["value"] for item in suite.iter("property")}
    assert facts["seed"] == "7"
    assert {"false alarm", "touchstone", "python", "numpy"} <= facts.keys()


def test_a_good_run_has_no_failure() -> None:
    """It must hold that expected refutations pass, and that each case still shows its report."""
    top = check_junit(gate_report("junit", good_run()))
    assert [top.attrib[name] for name in ("tests", "failures", "errors", "skipped")] == list("4000")
    assert all(case.findtext("system-out") for case in top.iter("testcase"))


def test_a_failure_holds_the_witness() -> None:
    """It must hold that the text of a failure has event, counts, command and script."""
    (failure,) = check_junit(audit_report("junit", outcome_of("x", REFUTED))).iter("failure")
    assert failure.attrib["type"] == "REFUTED"
    assert "is false. Output > 0.2313" in failure.attrib["message"]
    for words in ("8,123 of 10,000", "touchstone audit ksw.shifted-laplace", "print('a script')"):
        assert words in (failure.text or "")


@pytest.mark.long
def test_a_control_that_passes_is_a_failure() -> None:
    """It must hold that the message of a positive control says what was expected of it."""
    failures = check_junit(gate_report("junit", broken_run())).iter("failure")
    (message,) = [f.attrib["message"] for f in failures if f.attrib["type"] == "CONSISTENT"]
    assert message.startswith("A positive control must fail.")


@pytest.mark.long
def test_a_regression_is_a_failure() -> None:
    """It must hold that its message has both numbers although the claim holds."""
    failures = check_junit(gate_report("junit", broken_run())).iter("failure")
    messages = {f.attrib["type"]: f.attrib["message"] for f in failures}
    words = "Regressed. claim: epsilon = 1/2 (swap) in the baseline, epsilon = 1 (swap) now."
    assert messages["REGRESSED"].startswith(words)


def test_inconclusive_is_skipped_only_where_it_may_be() -> None:
    """It must hold that --inconclusive=ok turns the failure into a skip."""
    for allowed, tag in ((True, "skipped"), (False, "failure")):
        gate = run_of(outcome_of("x", COARSE, inconclusive_ok=allowed))
        (case,) = check_junit(gate_report("junit", gate)).iter("testcase")
        assert case[0].tag == tag


def test_what_xml_cannot_hold_is_replaced() -> None:
    """It must hold that control characters and surrogates are written out, and markup."""
    text = gate_report("junit", hostile_run())
    text.encode()
    top = check_junit(text)
    names = [case.attrib["name"] for case in top.iter("testcase")]
    assert all(
        "<script>alert('x')</script>" in name and r"\x00\x1b[31m \ud800" in name for name in names
    )
    assert all("\x1b" not in words for words in top.itertext())


def test_names_are_distinct() -> None:
    """It must hold that a second audit of one name has a number."""
    names = [case.name for case in gate_cases(run_of(*[outcome_of("x", REFUTED)] * 3))]
    assert names == ["x", "x [2]", "x [3]"]
