"""A run that was interrupted names what it did not run, in every form of report."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest

from audit.documents.report_forms import FORMS
from audit.engine.sequential import Settings
from audit.report.gate_text import run_text
from audit.report.rendering import gate_report
from audit.report.stored_runs import Stored, stored_run
from audit.request.configuration import Config
from audit.request.configured_audits import Entry
from audit.request.request import Request
from audit.results.sampled_result import AuditResult
from audit.suite.gate_outcome import GateResult
from audit.suite.gate_run import plan_gate, run_gate
from audit.targets.target import Target
from tests.audit.results import CONSISTENT, fake_engine
from tests.reports import check_report

NAMES = ("ksw.shifted-laplace", "ksw.swap-laplace", "ksw.independent-laplace")


@pytest.fixture
def result(monkeypatch: pytest.MonkeyPatch) -> GateResult:
    """A run of three audits and a proof, interrupted at the second audit."""

    def answer(target: Target, _: Settings) -> AuditResult:
        if target.name == NAMES[1]:
            raise KeyboardInterrupt
        return CONSISTENT

    fake_engine(monkeypatch, answer)
    entries = tuple(Entry(name, Request(name), "consistent") for name in NAMES)
    config = Config("test", entries, proofs=("KSW-T2",))
    return run_gate(config, plan_gate(config), seed=1)


LEFT = (*NAMES[1:], "KSW-T2")


@pytest.mark.parametrize("form", FORMS)
def test_every_form_names_what_was_not_run(result: GateResult, form: str) -> None:
    """It must hold of each, of SARIF as notes of the run: they are no findings."""
    text = gate_report(form, result)
    for name in LEFT:
        assert name.replace("-", r"\-") in text or name in text
    if form == "text":
        assert f"Not run: {', '.join(LEFT)}. 1 of 1 others as expected. Exit status 130.\n" in text
    if form == "json":
        record = json.loads(text)
        check_report(record, "gate")
        assert record["not_run"] == list(LEFT)
    if form == "sarif":
        (ran,) = json.loads(text)["runs"]
        (invocation,) = ran["invocations"]
        told = invocation["toolExecutionNotifications"]
        assert [(one["level"], one["message"]["text"]) for one in told] == [
            ("note", f"{name}: not run") for name in LEFT
        ]
        assert ran["results"] == []
    if form == "junit":
        suite = ET.fromstring(text).find("testsuite")
        assert suite is not None
        skipped = [
            one.get("name") for one in suite.iter("testcase") if one.find("skipped") is not None
        ]
        assert skipped == list(LEFT)
        assert (suite.get("tests"), suite.get("skipped")) == ("4", "3")


def test_a_stored_report_names_it_again(result: GateResult) -> None:
    """It must hold of a report of stored reports."""
    stored = Stored("r.json", gate_report("json", result))
    text = run_text(stored_run((stored,), title="t", origin=()))
    assert f"Not run: {', '.join(LEFT)}" in " ".join(text.split())
