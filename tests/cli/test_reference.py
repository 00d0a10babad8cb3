"""The reference suite: green as shipped, red when a mechanism's noise is broken."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from audit.cli import main
from audit.config import reference_config
from audit.gate import plan_gate, run_gate
from mechanisms.registry import MECHANISMS
from tests.reports import check_report


@pytest.mark.parametrize("name", ["ksw.swap-laplace", "ksw.transformed-hourglass"])
def test_a_mechanism_with_too_little_noise_turns_the_suite_red(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that noise broken inside a registered mechanism is exit 1."""
    suite = reference_config()
    sound = [
        entry
        for entry in suite.entries
        if entry.request.target == name and entry.expect == "consistent"
    ]
    broken = replace(MECHANISMS[name], arguments={**MECHANISMS[name].arguments, "epsilon": "5/3"})
    monkeypatch.setitem(MECHANISMS, name, broken)
    share = suite.false_alarm / len(suite.entries)
    config = replace(suite, entries=tuple(sound), false_alarm=share, proofs=())
    assert run_gate(config, plan_gate(config), seed=1).status == 1


@pytest.mark.slow
def test_the_reference_suite_is_green(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the suite passes from an empty folder, and its report is valid."""
    monkeypatch.chdir(tmp_path)
    assert main(["gate", "--reference", "--format", "json", "--output", "gate.json"]) == 0
    document = json.loads((tmp_path / "gate.json").read_text())
    check_report(document, "gate")
    # Three minutes on two quiet cores; here another worker takes one of them, or most of both.
    assert document["seconds"] < 2 * 180
    assert {audit["report"]["target"] for audit in document["audits"]} == set(MECHANISMS)
    assert all(proof["passed"] for proof in document["proofs"])
