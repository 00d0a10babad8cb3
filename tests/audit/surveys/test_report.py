"""Reports of surveys: every form has every row, the command and the API say the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.cli import main
from audit.documents.report_forms import FORMS
from audit.report.rendering import rendered, survey_report
from audit.report.stored_runs import Stored, report_of
from audit.surveys.row import SurveyRow, row_from
from audit.surveys.survey_result import SurveyResult
from mechanisms.errors import InvalidArgument, InvalidData
from tests.reports import check_junit, check_report, check_sarif

ROW = SurveyRow(
    "tools.sum (add-remove)",
    "tools.sum",
    "audit",
    "REFUTED",
    "output > 1: too likely on the data",
    call="tools.sum(data, epsilon=1)",
    claim="epsilon = 1",
    relation="add-remove",
    unit="one record",
    source="its parameter epsilon; no relation is stated",
    relations=2,
    evidence="epsilon > 1.5",
    event="output > 1",
    pair="no records; one more at high",
    is_confirmed=True,
    samples=2500,
    pairs=7,
    seconds=1.5,
    draw_seconds=1e-4,
    seed=11,
    share=0.01,
    not_tried=("more than 100 records",),
    notes=("a <note> & more",),
)
EXACT = replace(
    ROW,
    name="make_clamp",
    constructor="make_clamp",
    kind="sensitivity",
    verdict="CONSISTENT",
    reason="largest distance 1 of 1",
    claim="symmetric distance at most 1",
    relations=1,
    evidence="1 of 1",
    event="",
    pair="",
    share=0.0,
    call="dp.t.make_clamp(...)",
)
ROWS = (
    ROW,
    replace(ROW, name="tools.sum (swap)", relation="swap", verdict="CONSISTENT", event="", pair=""),
    replace(ROW, name="broken", call="broken(data)", relations=1),
    replace(ROW, name="coarse", call="coarse(data)", verdict="INCONCLUSIVE", reason="too few"),
    EXACT,
    SurveyRow("Vector", "Vector", "none", "NOT AUDITED", "its data are a function"),
)
SURVEY = SurveyResult(
    "diffprivlib",
    "diffprivlib 0.6.6",
    "2026-11-26",
    ROWS,
    len(ROWS),
    0.05,
    0.01,
    5,
    None,
    None,
    600.0,
    9.0,
    3,
)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_every_row(form: str) -> None:
    """It must hold, and each form is what its readers take."""
    said = survey_report(form, SURVEY)
    if form == "json":
        check_report(json.loads(said), "survey")
    elif form == "junit":
        check_junit(said)
    elif form == "sarif":
        check_sarif(said)
        assert "broken" in said
        return  # it lists what is wrong
    plain = said.replace("\\", "")
    for row in ROWS:
        assert row.name in plain, row.name


@pytest.mark.parametrize("form", [name for name, one in FORMS.items() if one.module])
def test_a_stored_survey_says_again_what_it_said(form: str) -> None:
    """It must hold byte for byte, of one that was interrupted and of one row's choice too."""
    for survey in (SURVEY, replace(SURVEY, interrupted=True, only="tools.*", ideal=True)):
        stored = Stored("s.json", survey_report("json", survey))
        assert rendered(form, report_of(stored)) == survey_report(form, survey)


def test_text_says_what_is_open_and_why() -> None:
    """It must hold: the promise, where it was read, and that a reading is not the promise."""
    said = " ".join(str(SURVEY).split())
    assert "false-alarm rate 0.05 for the whole table, 0.01 for each of 5 rows" in said
    assert "OPEN tools.sum (add-remove) REFUTED" in said
    assert "FAIL broken REFUTED" in said
    assert "which one is meant is open" in said
    assert "promise read from: its parameter epsilon" in said
    assert "Vector NOT AUDITED its data are a function" in said
    assert "exit status 1" in said


def test_a_row_names_the_command_that_repeats_it() -> None:
    """It must hold that the options which change its draws are in it."""
    ideal = replace(
        SURVEY, ideal=True, samples=500, false_alarm=0.01, resolution=3.0, table="t.toml"
    )
    assert ideal.repeat_of(ROW) == (
        "touchstone survey diffprivlib --only 'tools.sum (add-remove)' --rows t.toml --ideal "
        "--budget-samples 500 --resolution 3 --false-alarm 0.01 --seed 3"
    )
    assert SURVEY.repeat == "touchstone survey diffprivlib --seed 3"


def test_a_row_is_read_as_it_was_written() -> None:
    """It must hold of each kind, through JSON; what is no row is refused."""
    for row in ROWS:
        assert row_from(json.loads(json.dumps(row.record()))) == row
    for wrong in (None, {}, {**ROW.record(), "more": 1}):
        with pytest.raises(InvalidData):
            row_from(wrong)


def test_a_result_is_saved_and_shown(tmp_path: Path) -> None:
    """It must hold of the API: in the form of the file's ending, and in a notebook."""
    SURVEY.save(tmp_path / "survey.html")
    assert "tools.sum (swap)" in (tmp_path / "survey.html").read_text("utf-8")
    assert SURVEY._repr_html_().startswith("<pre>")
    assert SURVEY.to_dict()["kind"] == "survey"
    assert SURVEY.expect("refuted") is SURVEY
    with pytest.raises(audit.UnexpectedVerdict):
        SURVEY.expect()


def test_an_interruption_is_said() -> None:
    """It must hold that what is done is reported, and how much that is."""
    cut = replace(SURVEY, rows=ROWS[:2], interrupted=True)
    assert "interrupted: 2 of 6 rows done" in str(cut)
    assert int(cut.status) == 130


def test_the_command_says_what_the_api_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of its words, its report and its status."""
    told: dict[str, Any] = {}

    def fake(library: str, **words: Any) -> SurveyResult:
        told.update(words, library=library)
        return SURVEY

    monkeypatch.setattr("audit.surveys.survey_run.ask_survey", fake)
    monkeypatch.chdir(tmp_path)
    words = ["--only", "x", "--seed", "3", "--ideal", "--resolution", "3", "--resume", "kept"]
    assert main(["survey", "diffprivlib", *words, "--report", "json=s.json"]) == 1
    assert capsys.readouterr().out == str(SURVEY)
    check_report(json.loads(Path("s.json").read_text("utf-8")), "survey")
    assert {key: told[key] for key in ("library", "only", "seed", "ideal", "resolution")} == {
        "library": "diffprivlib",
        "only": "x",
        "seed": 3,
        "ideal": True,
        "resolution": 3.0,
    }
    assert told["resume"] == Path("kept")
    audit.survey("diffprivlib", only="x", seed=3, ideal=True, resolution=3, resume="kept")
    assert told["only"] == "x"
    assert told["resume"] == Path("kept")


def test_inconclusive_is_let_pass_where_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of open rows, and of no other."""
    opened = replace(SURVEY, rows=(ROW, ROWS[3]))
    monkeypatch.setattr("audit.surveys.survey_run.ask_survey", lambda *_, **__: opened)
    assert main(["survey", "pydp"]) == 3
    assert main(["survey", "pydp", "--inconclusive", "ok"]) == 0
    monkeypatch.setattr("audit.surveys.survey_run.ask_survey", lambda *_, **__: SURVEY)
    assert main(["survey", "pydp", "--inconclusive", "ok"]) == 1
    assert "Traceback" not in capsys.readouterr().err


def test_a_wrong_word_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of the command, with status 2."""
    for words in (
        ["no_such_library"],
        ["math", "--rows", "none.toml"],
        ["math", "--false-alarm", "2"],
        ["math", "--resolution", "0"],
        ["pydp", "--budget-seconds", "-1"],
        ["math", "--only", "x"],
    ):
        assert main(["survey", *words]) == 2, words
        assert capsys.readouterr().err.count("\n") == 1, words
    with pytest.raises(InvalidArgument):
        audit.survey("math", only="x")


def test_readings_are_of_one_call() -> None:
    """It must hold that another call with the same expression is no other reading of it."""
    other = replace(ROW, name="tools.sum-any_record (add-remove)")
    both = replace(SURVEY, rows=(ROW, other))
    assert [both.status_of(row) for row in both.rows] == [3, 3]
    refuted = replace(SURVEY, rows=(ROW, replace(ROW, name="tools.sum (swap)", relation="swap")))
    assert [refuted.status_of(row) for row in refuted.rows] == [1, 1]
