"""The reference suite: green as shipped, red when a mechanism's noise is broken."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from audit.request.configuration import reference_config
from audit.suite.gate_run import plan_gate, run_gate
from mechanisms.registry import MECHANISMS, NOISES
from tests.reports import check_report
from tests.slow import all_but

CORES = 2
GATE = ["gate", "--reference", "--jobs", str(CORES), "--format", "json", "--output", "gate.json"]


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    all_but(["ksw.transformed-hourglass"], ["ksw.swap-laplace", "ksw.transformed-hourglass"]),
)
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
def test_the_reference_suite_is_green(tmp_path: Path) -> None:
    """It must hold that the suite passes from an empty folder, in time, with a valid report.

    The time is that of the processors, as other workers of the tests take theirs.
    """
    before = os.times()
    done = subprocess.run(
        [sys.executable, "-c", "from audit.cli import main; raise SystemExit(main())", *GATE],
        cwd=tmp_path,
        check=False,
    )
    after = os.times()
    assert done.returncode == 0
    document = json.loads((tmp_path / "gate.json").read_text())
    check_report(document, "gate")
    used = sum(after[2:4]) - sum(before[2:4])
    assert used > document["seconds"] / 4, "processes that drew are not counted"
    assert used / CORES < 240  # the four minutes of the README
    targets = {audit["report"]["target"] for audit in document["audits"]}
    assert targets == set(MECHANISMS) | set(NOISES)
    assert all(proof["passed"] for proof in document["proofs"])
