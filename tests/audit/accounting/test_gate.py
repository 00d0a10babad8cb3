"""Plans of releases in the gate."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import jsonschema
import pytest

from audit.cli import main
from tests.audit.report.schema import FILE

PLAN = """
relation = "swap"
delta = "1e-5"
claim = "1.56"

[[step]]
event = "gaussian"
sigma = 5
sensitivity = 1
"""
ENTRIES = """
[[audit]]
account = "plan.toml"

[[audit]]
account = "plan.toml"
claim = "0.7945"
expect = "refuted"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a plan, and a configuration that lists it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(tmp_path / "cache"))
    Path("plan.toml").write_text(PLAN)
    Path("touchstone.toml").write_text(ENTRIES)


def test_a_plan_is_an_entry_of_the_gate(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that it passes, and that a total that is too small is a control."""
    assert main(["gate", "--seed", "1", "--report", "json=o", "--report", "html=h"]) == 0
    out = capsys.readouterr().out
    assert "2 of 2 as expected" in out
    assert "PROVED" in out
    report = json.loads(Path("o").read_text())
    jsonschema.validate(report, json.loads(FILE.read_text()))
    kinds = [one["report"]["kind"] for one in report["audits"]]
    assert kinds == ["account", "account"]
    assert report["sharing"] == 0


def test_a_total_that_is_too_small_turns_the_gate_red(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold: exit 1, and the claim is named."""
    Path("touchstone.toml").write_text(ENTRIES.replace('expect = "refuted"', ""))
    assert main(["gate", "--seed", "1"]) == 1
    assert "0.7945" in capsys.readouterr().out


WRONG = {
    "no plan": ('account = "other.toml"', "other.toml"),
    "a key of an audit": ('account = "plan.toml"\nepsilon = 1', "unknown key 'epsilon'"),
    "a claim of no number": ('account = "plan.toml"\nclaim = "x"', "claim"),
    "no file name": ("account = 1", "account must be a file name"),
    "an unknown expectation": ('account = "plan.toml"\nexpect = "proved"', "expect must be one of"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_entry_is_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold: exit 2 before anything is run."""
    text, words = WRONG[name]
    Path("touchstone.toml").write_text(f"[[audit]]\n{text}\n")
    assert main(["gate"]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_a_total_is_kept_in_a_baseline(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that a plan that loses more than before is a regression."""
    Path("touchstone.toml").write_text('baseline = "b.json"\n[[audit]]\naccount = "plan.toml"\n')
    assert main(["gate", "--seed", "1", "--write-baseline"]) == 0
    assert main(["gate", "--seed", "1"]) == 0
    Path("plan.toml").write_text(PLAN.replace("1.56", "3").replace("= 5", "= 4"))
    capsys.readouterr()
    assert main(["gate", "--seed", "1"]) == 1
    assert "proved bound of the loss" in " ".join(capsys.readouterr().out.split())


def test_a_plan_that_changed_is_added_up_again(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold with `--changed-since`: of an unchanged one it may be left out."""

    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, text=True
        )

    git("init", "-q")
    git("add", "plan.toml", "touchstone.toml")
    git("commit", "-q", "-m", "one")
    Path("plan.toml").write_text(PLAN.replace("1.56", "1.5"))
    assert main(["gate", "--seed", "1", "--changed-since", "HEAD"]) == 1
    assert "plan.toml" in capsys.readouterr().out
