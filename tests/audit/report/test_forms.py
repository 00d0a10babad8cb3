"""Formats from the command line: which there are, where they go, and what stays the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit.cli import main
from audit.documents.report_forms import FORMS
from audit.request.word_table import WORDS
from tests.audit.results import COARSE, CONSISTENT, REFUTED, fake_engine
from tests.reports import check_junit, check_report, check_sarif

CONFIGURATION = """
[[audit]]
target = "ksw.swap-laplace"
[[audit]]
target = "ksw.swap-laplace"
mode = "exact"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a configuration of two audits."""
    (tmp_path / "touchstone.toml").write_text(CONFIGURATION)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check_form(form: str, text: str, kind: str) -> None:
    """Check that a report is of a format."""
    starts = {
        "html": "<!DOCTYPE html>",
        "markdown": "## ",
        "junit": "<?xml",
        "sarif": "{",
        "json": "{",
    }
    assert text.startswith(starts.get(form, ""))
    if form == "junit":
        check_junit(text)
    elif form == "sarif":
        check_sarif(text)
    elif form == "json":
        check_report(json.loads(text), kind)


def test_the_command_line_knows_every_format() -> None:
    """It must hold that the option lists the forms that there are, in their order."""
    assert WORDS["format"].choices == tuple(FORMS)
    assert tuple(FORMS) == ("text", "json", "junit", "markdown", "html", "sarif")


@pytest.mark.parametrize("mode", ["sequential", "bound", "exact"])
def test_every_mode_has_every_format(
    mode: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold that one audit can be written in each format, with one exit status."""
    fake_engine(monkeypatch, lambda *_: CONSISTENT)
    few = "" if mode == "exact" else "--budget-samples 20000 --ideal --inconclusive ok --seed 1"
    words = f"audit ksw.swap-laplace --mode {mode} {few}".split()
    reports = [word for form in FORMS for word in ("--report", f"{form}=r.{form}")]
    assert main([*words, *reports]) == 0
    said = capsys.readouterr().out
    kind = "exact" if mode == "exact" else "audit"
    for form in FORMS:
        text = (folder / f"r.{form}").read_text(encoding="utf-8")
        check_form(form, text, kind)
        assert ("ksw.swap-laplace" in text) == (form != "sarif")  # which holds findings only
    assert (folder / "r.text").read_text() == said


@pytest.mark.parametrize("form", FORMS)
def test_a_format_goes_to_standard_output_or_a_file(
    form: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that --output writes what is printed otherwise, and prints nothing."""
    fake_engine(monkeypatch, lambda *_: REFUTED)
    words = ["audit", "ksw.swap-laplace", "--ideal", "--seed", "1", "--format", form]
    words += ["--screen", "0"]
    assert main(words) == 1
    said = capsys.readouterr().out
    check_form(form, said, "audit")
    assert main([*words, "--output", "r"]) == 1
    assert capsys.readouterr().out == ""
    assert (folder / "r").read_text(encoding="utf-8") == said


def test_a_run_has_every_format(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a run of the gate can be written in all formats at once."""
    fake_engine(monkeypatch, lambda *_: REFUTED)
    reports = [word for form in FORMS for word in ("--report", f"{form}=r.{form}")]
    assert main(["gate", "--jobs", "1", *reports]) == 1
    said = capsys.readouterr().out
    for form in FORMS:
        check_form(form, (folder / f"r.{form}").read_text(encoding="utf-8"), "gate")
    assert (folder / "r.text").read_text(encoding="utf-8") == said
    top = check_junit((folder / "r.junit").read_text(encoding="utf-8"))
    assert [top.attrib[name] for name in ("tests", "failures", "errors")] == ["2", "1", "0"]


def test_inconclusive_ok_reaches_the_formats(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a run that is let pass is skipped in JUnit, and no finding in SARIF."""
    fake_engine(monkeypatch, lambda *_: COARSE)
    words = ["audit", "ksw.swap-laplace", "--report", "junit=j", "--report", "sarif=s"]
    for more, status, skipped, findings in (([], 3, "0", 1), (["--inconclusive", "ok"], 0, "1", 0)):
        assert main([*words, *more]) == status
        assert check_junit((folder / "j").read_text()).attrib["skipped"] == skipped
        (run,) = check_sarif((folder / "s").read_text())["runs"]
        assert len(run["results"]) == findings
        assert run["invocations"][0]["exitCode"] == status


@pytest.mark.parametrize(
    "value", ["pdf=r.pdf", "html", "html=", "=r.html", "html=nowhere/r.html", "json=."]
)
def test_a_report_that_cannot_be_written_is_exit_2_at_once(
    value: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a wrong --report is found before anything is drawn."""
    calls = fake_engine(monkeypatch, lambda *_: CONSISTENT)
    for command in ("audit ksw.swap-laplace", "gate"):
        assert main([*command.split(), "--report", value]) == 2
        error = capsys.readouterr().err
        assert error.startswith("touchstone: --report ")
        assert error.count("\n") == 1
    assert calls == []
