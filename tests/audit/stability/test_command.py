"""`touchstone sensitivity`: exit statuses, forms of the report, and what Ctrl-C leaves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.cli import main
from audit.levels.word import Of
from audit.request.word_table import WORDS, named
from tests.audit.report.schema import FILE
from tests.user_files import imports_restored

SOURCE = """
def count(data):
    return len(data)


def total(data):
    return float(sum(data))


def nothing(data):
    raise ValueError("no")


def noisy(data, calls=[]):
    calls.append(1)
    return len(calls)


def hangs(data):
    while len(data) == 2:
        pass
    return len(data)
"""

CLAIM = ["--norm", "l1", "--relation", "add-remove", "--low", "0", "--high", "1", "--seed", "1"]
LISTED = ["--relation", "listed", "--pair", "p.json"]
FEW = ["--at-most", "1", "--budget-pairs", "40"]


@pytest.fixture(autouse=True)
def queries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A folder with a file of queries."""
    (tmp_path / "own_queries.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        yield


STATUSES = {
    "consistent": (["own_queries.py:count", *CLAIM, *FEW], 0, "CONSISTENT"),
    "refuted": (
        ["own_queries.py:total", *CLAIM, "--at-most", "1/2", "--budget-pairs", "40"],
        1,
        "REFUTED",
    ),
    "inconclusive": (["own_queries.py:nothing", *CLAIM, *FEW], 3, "INCONCLUSIVE"),
    "a hang": (
        ["own_queries.py:hangs", *CLAIM, *FEW[:3], "6", "--timeout", "0.5"],
        3,
        "INCONCLUSIVE",
    ),
    "let pass": (
        ["own_queries.py:nothing", *CLAIM, *FEW, "--inconclusive", "ok"],
        0,
        "INCONCLUSIVE",
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("case", STATUSES)
def test_exit_statuses(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that the status is that of the verdict, and the first word is the verdict."""
    words, status, verdict = STATUSES[case]
    assert main(["sensitivity", *words]) == status
    assert capsys.readouterr().out.startswith(f"{verdict}: own_queries.py:")


WRONG = {
    "no claim": (
        ["own_queries.py:count", "--relation", "swap", "--low", "0", "--high", "1"],
        "--norm",
    ),
    "no bound": (["own_queries.py:count", *CLAIM], "--at-most"),
    "no relation": (["own_queries.py:count", "--norm", "l1", "--at-most", "1"], "--relation"),
    "no data sets": (
        ["own_queries.py:count", "--norm", "l1", "--at-most", "1", "--relation", "swap"],
        "--low and --high",
    ),
    "no such norm": (
        ["own_queries.py:count", *CLAIM[2:], "--norm", "l3", "--at-most", "1"],
        "norm",
    ),
    "below 0": (["own_queries.py:count", *CLAIM, "--at-most", "-1"], "at_most"),
    "random": (["own_queries.py:noisy", *CLAIM, *FEW], "touchstone audit"),
    "a mechanism": (["ksw.swap-laplace", *CLAIM, *FEW], "draws at random"),
    "a public number": (["own_queries.py:count", *CLAIM, *FEW, "--count", "3"], "--count"),
    "no such file": (["nowhere.py:count", *CLAIM, *FEW], "there is no file"),
    "rows of listed pairs": (
        ["own_queries.py:count", *CLAIM[:2], *FEW, "--rows", "2", *LISTED],
        "--rows",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_use_is_one_line(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold: exit 2, and the line names what is wrong."""
    words, named_in = WRONG[case]
    Path("p.json").write_text('{"data": [0], "neighbor": [0, 1]}')
    assert main(["sensitivity", *words]) == 2
    error = capsys.readouterr().err
    assert named_in in error
    assert error.count("\n") == 1


@pytest.mark.long
def test_every_form_of_report_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold, and that the JSON report is that of the schema."""
    forms = {"html": "h", "markdown": "m", "junit": "j", "sarif": "s", "json": "o"}
    words = [word for form, file in forms.items() for word in ("--report", f"{form}={file}")]
    words += ["--at-most", "1/2", "--budget-pairs", "300"]
    assert main(["sensitivity", "own_queries.py:total", *CLAIM, *words]) == 1
    capsys.readouterr()
    report = json.loads(Path("o").read_text())
    schema = json.loads(FILE.read_text())
    jsonschema.validate(report, schema)
    assert report["kind"] == "sensitivity"
    assert "touchstone sensitivity own_queries.py:total" in report["command"]
    assert all("REFUTED" in Path(file).read_text() for file in ("h", "m", "j"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report | {"largest": "0.5"}, schema)


@pytest.mark.long
def test_an_interrupt_says_what_was_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold: exit 130, with the number of pairs and the largest distance so far."""
    from audit.stability import sensitivity_search

    real = sensitivity_search._Run.measure

    def interrupted(self: Any, family: str, pairs: Any) -> bool:
        if family == "scan":
            raise KeyboardInterrupt
        return real(self, family, pairs)

    monkeypatch.setattr(sensitivity_search._Run, "measure", interrupted)
    assert main(["sensitivity", "own_queries.py:count", *CLAIM, "--at-most", "1"]) == 130
    error = capsys.readouterr().err
    assert "670 pairs, largest distance 1, not refuted so far (seed 1)" in error


def test_an_error_of_ours_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold: exit 4."""
    monkeypatch.setattr("audit.stability.sensitivity_search.FAMILIES", None)
    assert main(["sensitivity", "own_queries.py:count", *CLAIM, *FEW]) == 4


@pytest.mark.long
def test_pairs_of_a_file_are_the_only_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold unless others are asked for, and that no pair is taken that is none."""
    Path("p.json").write_text('{"data": [0.5], "neighbor": [0.5, 3]}')
    words = ["sensitivity", "own_queries.py:total", *CLAIM, "--pair", "p.json", "--at-most"]
    assert main([*words, "3"]) == 0
    assert "on 1 pair (given 1)" in capsys.readouterr().out
    assert main([*words, "2"]) == 1
    Path("p.json").write_text('{"data": [0.5], "neighbor": [0.5, 3, 4]}')
    assert main([*words, "3"]) == 2
    assert main([*words, "7", "--rows", "2"]) == 0


def test_records_of_the_user_are_tried_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of --data, whose bounds are taken where there are none."""
    Path("d.csv").write_text("x\n1\n2\n7\n")
    words = ["own_queries.py:total", "--norm", "l1", "--relation", "add-remove", "--seed", "1"]
    words += ["--data", "d.csv", "--domain", "declared", "--at-most", "7", "--budget-pairs", "60"]
    assert main(["sensitivity", *words]) == 0
    printed = capsys.readouterr().out
    assert "low = 1.0 and high = 7.0 were taken from the data" in printed
    assert "given " in printed


def test_words_are_options_here_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that the help has each word, and that `audit` has none of the new ones."""
    assert main(["sensitivity", "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(word.option in shown for word in named(Of.STABILITY | Of.OUTPUT))
    assert main(["audit", "--help"]) == 0
    elsewhere = capsys.readouterr().out
    own = [word for word in WORDS.values() if word.of is Of.STABILITY]
    assert {word.name for word in own} == {
        "norm",
        "at_most",
        "rows",
        "strict",
        "count",
        "budget_pairs",
    }
    assert not any(f"{word.option} " in elsewhere for word in own)
