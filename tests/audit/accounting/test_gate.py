"""Plans of releases in the gate."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from audit.cli import main
from audit.request.configured_audits import entries_of
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


OBJECT = """
STEP = {"event": "gaussian", "sigma": 5, "sensitivity": 1}
PLAN = {"relation": "swap", "delta": "1e-5", "claim": "1.56", "step": [STEP]}


def made():
    return PLAN


class Empty:
    pass


def broken():
    raise KeyError("sigma")
"""
OBJECTS = """
[[audit]]
from = "plans.py:PLAN"

[[audit]]
from = "plans.py:made"
claim = "0.7945"
expect = "refuted"
"""


@pytest.mark.long
def test_an_object_is_an_entry_of_the_gate(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of a plan in Python, and of what makes one; seen from the file's folder."""
    (entry,) = entries_of({"from": "plans.py:PLAN"}, "one", Path("below"))
    assert entry.request.target == "below/plans.py:PLAN"
    Path("plans.py").write_text(OBJECT)
    Path("touchstone.toml").write_text(OBJECTS)
    words = ["gate", "--seed", "1", "--report", "json=o"]
    assert main(words) == 0
    assert "2 of 2 as expected" in capsys.readouterr().out
    report = json.loads(Path("o").read_text())
    jsonschema.validate(report, json.loads(FILE.read_text()))
    reports = [one["report"] for one in report["audits"]]
    assert [one["command"] for one in reports] == [
        "touchstone account --from plans.py:PLAN",
        "touchstone account --from plans.py:made --claim 0.7945",
    ]
    Path("touchstone.toml").write_text(OBJECTS.replace('expect = "refuted"', ""))
    assert main(words) == 1


def test_an_object_that_changed_is_added_up_again(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold with `--changed-since`, of what its file imports; otherwise it is left out."""
    Path("noise.py").write_text("SIGMA = 5\n")
    text = OBJECT.replace("STEP =", "import noise\nSTEP =").replace("5,", "noise.SIGMA,")
    Path("plans.py").write_text(text)
    Path("touchstone.toml").write_text('[[audit]]\nfrom = "plans.py:PLAN"\n')
    committed("plans.py", "noise.py", "touchstone.toml")
    assert main(["gate", "--seed", "1", "--changed-since", "HEAD"]) == 0
    out = capsys.readouterr().out
    assert "nothing that it rests on has changed" in out
    assert "PROVED" not in out
    # Python takes a cached module of the same second and length for the file: the length differs.
    Path("noise.py").write_text("SIGMA = 4.0\n")
    for module in ("noise", "plans"):
        sys.modules.pop(module, None)
    assert main(["gate", "--seed", "1", "--changed-since", "HEAD"]) == 1
    out = capsys.readouterr().out
    assert "noise.py has changed, which it imports" in out
    assert "REFUTED" in out


def committed(*files: str) -> None:
    """The folder as a repository with some files in it, which does not look at others."""
    Path(".gitignore").write_text("cache/\nplan.toml\n__pycache__/\n")

    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, text=True
        )

    git("init", "-q")
    git("add", "--force", ".gitignore", *files)
    git("commit", "-q", "-m", "one")


WRONG = {
    "no plan": ('account = "other.toml"', "other.toml"),
    "a key of an audit": ('account = "plan.toml"\nepsilon = 1', "unknown key 'epsilon'"),
    "a claim of no number": ('account = "plan.toml"\nclaim = "x"', "claim"),
    "no file name": ("account = 1", "account must be a file name"),
    "both": ('account = "plan.toml"\nfrom = "plans.py:PLAN"', "give one of them"),
    "an object that is none": ('from = "plans.py:none"', "has no attribute 'none'"),
    "no module": ('from = "nowhere.py:PLAN"', "nowhere.py"),
    "an object of no module": ('from = "plan.toml"', "file.py:attribute"),
    "an object that is a number": ("from = 3", "from must be an object as pkg.mod:name"),
    "a target besides": ('from = "plans.py:PLAN"\ntarget = "x"', "unknown key 'target'"),
    "an object without parts": ('from = "plans.py:Empty"', "plans.py:Empty"),
    "an object that fails": ('from = "plans.py:broken"', "sigma"),
    "steps without a relation": ('from = "plans.py:PLAN"\nrelation = "swop"', "swop"),
    "an unknown expectation": ('account = "plan.toml"\nexpect = "proved"', "expect must be one of"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_entry_is_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold: exit 2 before anything is run."""
    text, words = WRONG[name]
    Path("plans.py").write_text(OBJECT)
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


@pytest.mark.long
def test_a_plan_that_changed_is_added_up_again(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold with `--changed-since`; an unchanged one is left out."""
    committed("plan.toml", "touchstone.toml")
    assert main(["gate", "--seed", "1", "--changed-since", "HEAD"]) == 0
    assert "PROVED" not in capsys.readouterr().out
    Path("plan.toml").write_text(PLAN.replace("1.56", "1.5"))
    assert main(["gate", "--seed", "1", "--changed-since", "HEAD"]) == 1
    assert "plan.toml, its data, has changed" in capsys.readouterr().out


def test_a_plan_that_git_does_not_see_is_added_up(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold with `--changed-since`: nobody knows whether it has changed."""
    committed("touchstone.toml")
    Path("plan.toml").write_text(PLAN.replace("1.56", "1.5"))
    assert main(["gate", "--seed", "1", "--changed-since", "HEAD"]) == 1
    assert "is not under git, so a change would not be seen" in capsys.readouterr().out
