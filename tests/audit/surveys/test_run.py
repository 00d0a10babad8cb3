"""The run of a survey: its rate, its file, what counts as refuted, and what must not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

import audit
from audit.results.verdict import Verdict
from audit.suite.exit_status import Exit
from audit.surveys import survey_run
from audit.surveys.row import SurveyRow
from audit.surveys.survey_result import SurveyResult
from audit.surveys.survey_run import SurveySettings, run_survey
from audit.surveys.survey_scope import scope_of
from mechanisms.errors import InvalidArgument, InvalidData
from tests.audit.results import REFUTED
from tests.unforked import unforked

ROWS = Path(__file__).with_name("releases.toml")
LIBRARY = "tests.audit.surveys.releases"


def survey(**words: Any) -> SurveyResult:
    """The library of this folder, as real numbers."""
    own: dict[str, Any] = {"rows": ROWS, "ideal": True, "seed": 1, "resolution": 6}
    return audit.survey(LIBRARY, **own | words)


@pytest.fixture(scope="module")
def whole() -> SurveyResult:
    """All rows."""
    return survey()


def by_name(result: SurveyResult) -> dict[str, SurveyRow]:
    """Rows."""
    return {row.name: row for row in result.rows}


@pytest.mark.long
def test_sound_calls_are_not_refuted_and_broken_ones_are(whole: SurveyResult) -> None:
    """It must hold, each by its own promise: no relation is guessed, and no unit."""
    rows = by_name(whole)
    verdicts = {name: row.verdict for name, row in rows.items()}
    assert verdicts["total"] == Verdict.CONSISTENT
    assert verdicts["thin"] == Verdict.REFUTED
    assert verdicts["fails"] == Verdict.REFUTED
    assert verdicts["stateless"] == "NOT AUDITED"
    assert rows["stateless"].reason == "no claim stated"
    assert rows["thin"].is_confirmed
    assert all(row.source for row in rows.values() if row.was_audited)


@pytest.mark.long
def test_a_reading_is_not_the_promise(whole: SurveyResult) -> None:
    """It must hold that a call which one relation of two refutes is open, and not refuted."""
    rows = by_name(whole)
    sum_only = rows["replaced (add-remove)"], rows["replaced (swap)"]
    assert [row.verdict for row in sum_only] == [Verdict.REFUTED, Verdict.CONSISTENT]
    assert whole.status_of(sum_only[0]) is Exit.INCONCLUSIVE
    both = rows["never (add-remove)"], rows["never (swap)"]
    assert [whole.status_of(row) for row in both] == [Exit.REFUTED, Exit.REFUTED]


@pytest.mark.long
def test_one_reading_alone_stays_open() -> None:
    """It must hold where a pattern leaves the other reading out: it is not known to be refuted."""
    only = survey(only="replaced (add-remove)")
    assert [row.verdict for row in only.rows] == [Verdict.REFUTED]
    assert only.status is Exit.INCONCLUSIVE


@pytest.mark.long
def test_the_rate_is_that_of_the_whole_table(whole: SurveyResult) -> None:
    """It must hold that rows share it, and that a row alone has the same share, seed and draws."""
    sampled = [row for row in whole.rows if row.kind == "audit"]
    assert whole.sharing == len(sampled)
    assert sum(row.share for row in sampled) == pytest.approx(whole.false_alarm)
    alone = survey(only="thin")
    assert len(alone.rows) == 1
    assert alone.share == whole.share
    kept = replace(alone.rows[0], seconds=0.0, draw_seconds=0.0)
    assert kept == replace(by_name(whole)["thin"], seconds=0.0, draw_seconds=0.0)


def drawn(case: Any, settings: SurveySettings, *, share: float, seconds: float) -> SurveyRow:
    """A row that depends on the name of its case and the seed alone, as those of audits do."""
    seed = crc32(f"{case.name} {settings.seed}".encode())
    return SurveyRow(case.name, case.constructor, case.kind, "CONSISTENT", "", seed=seed, samples=7)


@pytest.mark.long
def test_an_interrupted_survey_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold: what was done is read again, a row that was cut is done anew, with its seed."""
    unforked(monkeypatch)
    file, asked = tmp_path / "rows.jsonl", list[str]()
    monkeypatch.setattr(survey_run, "run_case", drawn)
    whole = survey()

    def cut(case: Any, *arguments: Any, **words: Any) -> SurveyRow:
        asked.append(case.name)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return drawn(case, *arguments, **words)

    monkeypatch.setattr(survey_run, "run_case", cut)
    first = survey(resume=file)
    assert first.interrupted
    assert first.status is Exit.INTERRUPTED
    assert first.rows == whole.rows[:2]
    with file.open("a") as torn:
        torn.write('{"name": "half a')
    second = survey(resume=file, seed=None)
    assert not second.interrupted
    assert asked[2] == asked[3]  # the row that was cut, and then the others
    assert len(asked) == 1 + len(whole.rows)
    assert second.rows == whole.rows
    monkeypatch.setattr(survey_run, "run_case", never)
    assert survey(resume=file).rows == whole.rows


def never(*_: Any, **__: Any) -> SurveyRow:
    """Nothing is done twice."""
    raise AssertionError


@pytest.mark.long
def test_a_file_of_another_survey_is_refused(tmp_path: Path) -> None:
    """It must hold: rows at another seed, rate or of another table are not these."""
    file = tmp_path / "rows.jsonl"
    survey(only="stateless", resume=file)
    for words in ({"seed": 2}, {"false_alarm": 0.01}, {"ideal": False}, {"budget_samples": 5}):
        with pytest.raises(InvalidArgument, match="another survey"):
            survey(only="stateless", resume=file, **words)
    lines = file.read_text().splitlines()
    (tmp_path / "other").write_text('{"kind": "x"}\n')
    with pytest.raises(InvalidData, match="no file of a survey"):
        survey(resume=tmp_path / "other")
    broken = json.loads(lines[1])
    del broken["reason"]
    file.write_text("\n".join([lines[0], json.dumps(broken)]) + "\n")
    with pytest.raises(InvalidData, match="has the keys"):
        survey(only="stateless", resume=file)


@pytest.fixture
def refuting(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Runs that refute, each confirmed or not as the list says."""
    confirmed: list[bool] = []

    def fake(*_: Any, **__: Any) -> Any:
        assert REFUTED.witness is not None
        told = confirmed.pop(0) if confirmed else False
        return replace(REFUTED, witness=replace(REFUTED.witness, confirmed=told), asked=None)

    monkeypatch.setattr(survey_run, "run_plan", fake)
    return confirmed


@pytest.mark.long
@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ([True], Verdict.REFUTED),
        ([False, False, True], Verdict.REFUTED),
        ([False] * 4, Verdict.INCONCLUSIVE),
        ([False] * 4 + [True], Verdict.INCONCLUSIVE),
    ],
)
def test_only_what_fresh_draws_confirm_is_refuted(
    refuting: list[bool], told: list[bool], verdict: Verdict
) -> None:
    """It must hold: a row that the first run refutes has three more runs to be confirmed."""
    refuting += told
    row = survey(only="thin").rows[0]
    assert row.verdict == verdict
    assert row.is_confirmed == (verdict == Verdict.REFUTED)


@pytest.mark.long
def test_no_later_run_refutes_what_the_first_did_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold, or the rate of a row would be that of four runs."""
    unforked(monkeypatch)
    assert REFUTED.witness is not None
    answers = [replace(REFUTED, verdict=Verdict.CONSISTENT, witness=None, asked=None), REFUTED]
    monkeypatch.setattr(survey_run, "run_plan", lambda *_, **__: answers.pop(0))
    assert survey(only="thin").rows[0].verdict == Verdict.CONSISTENT
    assert len(answers) == 1


@pytest.mark.long
def test_an_error_in_a_row_is_that_of_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the survey goes on, says so, and ends as an internal error does."""

    def broken(*_: Any, **__: Any) -> Any:
        msg = "no"
        raise RuntimeError(msg)

    monkeypatch.setattr(survey_run, "run_plan", broken)
    result = survey(only="t*")
    assert {row.verdict for row in result.rows} == {"ERROR"}
    assert result.status is Exit.INTERNAL
    assert "RuntimeError: no" in str(result)


@pytest.mark.long
def test_what_draws_at_random_is_not_refuted_without_noise(tmp_path: Path) -> None:
    """It must hold: a stability of random answers is that of their best coupling.

    `make_resize` of OpenDP takes a random subset: two single answers to neighbors are far apart.
    """
    pytest.importorskip("opendp")
    table = """
library = "opendp"
distribution = "opendp"
prepare = 'dp.enable_features("contrib")'
[imports]
dp = "opendp.prelude"
[[call]]
name = "make_resize"
make = '''dp.t.make_resize(dp.vector_domain(dp.atom_domain(bounds=(0, 9))),
    dp.symmetric_distance(), size=2, constant=0)'''
relations = ["add-remove"]
source = "map(d_in)"
"""
    file = tmp_path / "resize.toml"
    file.write_text(table, "utf-8")
    (row,) = audit.survey("opendp", rows=file, only="make_resize", seed=1).rows
    assert row.kind == "sensitivity"
    assert row.verdict == Verdict.INCONCLUSIVE
    assert not row.is_confirmed
    assert "random answers" in row.reason


@pytest.mark.long
def test_numbers_out_of_their_domain_are_refused() -> None:
    """It must hold before anything is drawn."""
    scope = scope_of(LIBRARY, str(ROWS))
    for settings in (
        SurveySettings(1, false_alarm=0.0),
        SurveySettings(1, false_alarm=1.0),
        SurveySettings(1, seconds=0.0),
        SurveySettings(1, samples=0),
        SurveySettings(1, resolution=-1.0),
        SurveySettings(1, only="none of these"),
    ):
        with pytest.raises(InvalidArgument):
            run_survey(scope, settings)


@pytest.mark.long
def test_any_module_is_surveyed_without_a_guess() -> None:
    """It must hold that what takes an epsilon and states no claim is not audited."""
    result = audit.survey(LIBRARY, seed=1, ideal=True)
    rows = by_name(result)
    assert set(rows) == {"total", "thin", "stateless", "replaced", "never", "declared"}
    assert {row.verdict for name, row in rows.items() if name != "declared"} == {"NOT AUDITED"}
    assert "no claim stated" in rows["thin"].reason
    assert rows["declared"].verdict == Verdict.CONSISTENT
    assert rows["declared"].claim == "epsilon = 1"


@pytest.mark.long
def test_there_is_no_such_library() -> None:
    """It must hold that an unknown name is one line."""
    with pytest.raises(InvalidArgument, match=r"no_such_library.*cannot be imported"):
        audit.survey("no_such_library")
