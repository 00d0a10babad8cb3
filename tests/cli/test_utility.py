"""`touchstone audit --utility`: exit statuses, reports, and its place in the gate."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.cli import main
from tests.reports import check_junit, check_report, check_sarif
from tests.user_files import imports_restored

pytestmark = pytest.mark.usefixtures("here")

ESTIMATORS = """
import numpy as np


def mean(data, size, rng, low=0, high=1):
    return np.mean(data) + rng.laplace(scale=0.01, size=size)


def shrunk(data, size, rng, low=0, high=1):
    return 0.99 * mean(data, size, rng)
"""
AGES = ["--data", "statsmodels:anes96", "--column", "age", "--low", "18", "--high", "100"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A folder with estimators."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "means.py").write_text(ESTIMATORS)
    with imports_restored(tmp_path):
        yield


def run(*words: str) -> int:
    """Run an audit of errors with a seed."""
    return main(["audit", *words, "--utility", "--seed", "3"])


STATUSES = [
    (["ksw.shifted-laplace", *AGES], 0, "CONSISTENT"),
    (["means.py:mean", "--unbiased", "--mse", "1/4000", "--n", "10"], 0, "CONSISTENT"),
    (["means.py:mean", "--mse", "1/6000", "--n", "10"], 1, "REFUTED"),
    (["means.py:shrunk", "--unbiased", "--mse", "1/1000", "--n", "10"], 1, "REFUTED"),
    (["means.py:shrunk", "--unbiased", "--n", "10"], 3, "INCONCLUSIVE"),
    (["means.py:mean", "--mae", "1/50", "--budget-samples", "500"], 3, "INCONCLUSIVE"),
    (
        ["means.py:mean", "--mae", "1/50", "--budget-samples", "500", "--inconclusive", "ok"],
        0,
        "INCONCLUSIVE",
    ),
    (["geometric", "--param", "epsilon=2"], 0, "CONSISTENT"),
]


@pytest.mark.parametrize(("words", "status", "verdict"), STATUSES)
def test_statuses(
    words: list[str], status: int, verdict: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that text, status and JSON say one verdict, and that the schema holds."""
    assert run(*words, "--report", "json=report.json") == status
    assert capsys.readouterr().out.startswith(f"{verdict}: {words[0]}\n")
    document = json.loads(Path("report.json").read_text())
    check_report(document, "utility")
    assert document["verdict"] == verdict


WRONG = [
    (["means.py:mean", "--mse", "1", "--epsilon", "1"], "audits errors, not privacy"),
    (["means.py:mean"], "state a claim with --unbiased, --bias B, --mse B or --mae B"),
    (["means.py:mean", "--unbiased", "--bias", "1"], "--unbiased claims a bias of 0"),
    (["means.py:mean", "--mse", "1", "--jobs", "2"], "leave out --jobs"),
    (["means.py:mean", "--mse", "1", "--backend", "dask"], "leave out --backend"),
    (["means.py:mean", "--mse", "1", "--resume", "f"], "leave out --resume"),
    (["means.py:mean", "--mse", "1", "--law", "uniform"], "law must be one of"),
    (["means.py:mean", "--mse", "x"], "--mse must be a finite number"),
]


@pytest.mark.parametrize(("words", "message"), WRONG)
def test_what_means_nothing_is_status_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a wrong combination is one line on standard error, with a hint."""
    assert run(*words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("words", [["--mse", "1"], ["--unbiased"], ["--law", "x", "--n", "3"]])
def test_claims_of_utility_go_with_utility(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that an audit of privacy does not pass over them."""
    assert main(["audit", "ksw.shifted-laplace", *words]) == 2
    assert "with --utility" in capsys.readouterr().err


@pytest.mark.long
def test_reports_have_estimates_and_a_witness(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that a claim lies between the limits, and that the witness is a case."""
    documents = []
    for words, status, _ in (STATUSES[0], STATUSES[2]):
        assert run(*words, "--format", "json") == status
        documents.append(json.loads(capsys.readouterr().out))
    sound, broken = documents
    square = next(one for one in sound["cases"][0]["estimates"] if one["quantity"] == "mse")
    assert [claim["exactly"] for claim in square["claims"]] == [True, False]
    assert square["lower"] < square["claims"][0]["bound"] < square["upper"]
    assert broken["witness"]["case"] in {case["label"] for case in broken["cases"]}


@pytest.mark.long
def test_the_printed_command_repeats_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that the command gives the same estimates."""
    law = ["--law", "uniform 0 1", "--n", "5", "--budget-samples", "9000"]
    assert run("means.py:mean", "--mse", "1/4000", *law) == 1
    first = capsys.readouterr().out
    command = next(line for line in first.splitlines() if line.startswith("repeat"))
    words = shlex.split(command)[2:]
    assert main(words) == 1
    again = capsys.readouterr().out
    assert estimates(again) == estimates(first)


def estimates(text: str) -> list[str]:
    """Lines of a report that hold numbers of its estimates."""
    return [line for line in text.splitlines() if line.startswith("    ")]


@pytest.mark.long
def test_other_formats() -> None:
    """It must hold that every format says what was refuted."""
    words = ("--unbiased", "--mse", "1/1000", "--n", "10")
    forms = ("html", "markdown", "junit", "sarif")
    reports = [word for form in forms for word in ("--report", f"{form}={form}")]
    assert run("means.py:shrunk", *words, *reports) == 1
    for form in forms:
        text = Path(form).read_text()
        assert "REFUTED" in text or form == "sarif"
        assert "claimed: unbiased" in text.replace("\\", "")
    check_junit(Path("junit").read_text())
    check_sarif(Path("sarif").read_text())


GATE = """
false_alarm = 0.01
[[audit]]
target = ["means.py:mean", "ksw.swap-laplace"]
utility = true
n = 10
low = 0
high = 1
mse = "1/40"
[[audit]]
target = "means.py:shrunk"
utility = true
unbiased = true
mse = "1/1000"
n = 10
expect = "refuted"
[[audit]]
target = "ksw.swap-laplace"
mode = "exact"
"""


@pytest.mark.long
@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_the_gate_runs_both_kinds(
    jobs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that audits of errors share the rate, and a control has its own level."""
    (tmp_path / "touchstone.toml").write_text(GATE)
    assert main(["gate", "--seed", "1", "--jobs", jobs, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    check_report(document, "gate")
    kinds = [audit["report"]["kind"] for audit in document["audits"]]
    assert kinds == ["utility"] * 3 + ["exact"]
    shares = [audit["report"]["false_alarm"] for audit in document["audits"][:3]]
    assert sorted(shares) == [document["share"], document["share"], document["control_level"]]
    assert (document["share"], document["control_level"]) == (0.01 / 2, 0.01)


@pytest.mark.slow
def test_the_gate_says_what_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that a refuted claim is in the gate's text, with the command that repeats it."""
    text = GATE.replace('expect = "refuted"', "")
    (tmp_path / "touchstone.toml").write_text(text)
    assert main(["gate", "--seed", "1", "--jobs", "1"]) == 1
    out = capsys.readouterr().out
    (line,) = (line for line in out.splitlines() if line.startswith("FAIL"))
    assert "claim MSE, unbiased" in line
    assert "claimed: unbiased; the bias is <" in out
    assert "touchstone audit means.py:shrunk --utility --n 10 --unbiased --mse 1/1000" in out


PERSONAL = ["--mse", "4", "--low", "0", "--high", "1", "--n", "2", "--budgets", "1,2"]


def test_budgets_that_make_nothing_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of what takes none, and of what `param` makes; a mechanism made so is audited.

    At the door of Python, too; a target that was loaded with them for privacy is audited.
    """
    target = "pdp.mean"
    for words in (["means.py:mean"], [target, "--param", "budgets=1,1"]):
        assert run(*words, *PERSONAL) == 2
        assert "is not made with --budgets; leave out --budgets" in capsys.readouterr().err
    assert run(target, *PERSONAL, "--budget-samples", "2000", "--inconclusive", "ok") == 0
    assert "--budgets 1,2" in capsys.readouterr().out
    words: dict[str, Any] = {"mse": 4, "n": 2, "budget_samples": 2000, "low": 0, "high": 1}
    with pytest.raises(audit.InvalidArgument, match="leave out budgets"):
        audit.accuracy("means.py:mean", budgets=[1, 2], **words)
    loaded = audit.load("means.py:mean", budgets=[1, 2])
    assert audit.accuracy(loaded, **words).verdict.value != "REFUTED"
