"""Reports of stored results: an audit says again what it said, and what it read is checked."""

from __future__ import annotations

import contextlib
import json
import random
import re
from dataclasses import replace
from fractions import Fraction
from html import escape
from typing import Any

import pytest

from audit.documents.legend import LEGEND
from audit.documents.report_forms import FORMS
from audit.documents.typed_json import Unlike, value_as
from audit.report.rendering import audit_report, gate_report, rendered
from audit.report.stored_runs import Stored, report_of, stored_document, stored_run
from audit.results.exact_result import ExactResult
from audit.runs.result_kinds import KINDS, read_record, record_of
from audit.stability.sensitivity_result import SensitivityResult
from audit.suite.gate_record import record_of_gate
from mechanisms.errors import InvalidData
from proofs_check.ends import Enclosed
from tests.audit.report.runs import (
    RESULTS,
    broken_run,
    good_run,
    outcome_of,
    run_of,
    told_run,
)

RENDERED = [name for name, form in FORMS.items() if form.module]
ORIGIN = (("project", "ages <b>"), ("commit", "abc"), ("date", "2026-01-31"), ("run by", "Ann"))


def stored(result: Any) -> Any:
    """A record as it comes from a file."""
    return json.loads(json.dumps(record_of(result, outcome_of("a", result).plan)))


def written(*texts: str, form: str = "text") -> str:
    """One report of several files."""
    files = tuple(Stored(f"{i}.json", text) for i, text in enumerate(texts, start=1))
    return rendered(form, stored_run(files, title="Privacy audits of ages", origin=ORIGIN))


@pytest.mark.parametrize("name", RESULTS)
def test_an_audit_says_again_what_it_said(name: str) -> None:
    """It must hold of each kind, in each form, byte for byte."""
    one = outcome_of(RESULTS[name].target, RESULTS[name])
    text = audit_report("json", one)
    for form in RENDERED:
        assert rendered(form, report_of(Stored("1.json", text))) == audit_report(form, one)


@pytest.mark.parametrize("made", [broken_run, good_run, told_run])
def test_a_gate_says_again_what_it_said(made: Any) -> None:
    """It must hold of each part of a run, in each form, byte for byte."""
    text = gate_report("json", made())
    for form in RENDERED:
        assert rendered(form, report_of(Stored("1.json", text))) == gate_report(form, made())


def test_a_document_shows_nothing_that_its_record_has_not() -> None:
    """It must hold of all results: what is read of a record has the same document."""
    for name, result in RESULTS.items():
        record = stored(result)
        found, asked = read_record(record)
        before = KINDS[type(result)].document(as_listed(result), asked)
        assert KINDS[type(found)].document(found, asked) == before, name


def test_a_total_that_is_known_exactly_stays_so() -> None:
    """It must hold of one that no double is, whose ends in the record are rounded outward."""
    third = Enclosed(Fraction(1, 3), Fraction(1, 3))
    found, _ = read_record(stored(replace(RESULTS["added"], epsilon=third)))
    assert found.epsilon == third  # type: ignore[union-attr]
    wide = Enclosed(Fraction(1, 3), Fraction(2, 3))
    found, _ = read_record(stored(replace(RESULTS["added"], epsilon=wide)))
    ends = found.epsilon  # type: ignore[union-attr]
    assert ends.lower < wide.lower < wide.upper < ends.upper


def as_listed(result: Any) -> Any:
    """A result whose data sets are lists, as all are in JSON: a tuple is shown otherwise."""
    witness = result.witness if isinstance(result, ExactResult) else None
    if witness is None:
        return result
    both = {"data": list(witness.data), "neighbor": list(witness.neighbor)}
    return replace(result, witness=replace(witness, **both))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to all single values."""
    if isinstance(value, dict):
        return [p for key, one in value.items() for p in places(one, (*path, key))]
    if isinstance(value, list):
        return [p for key, one in enumerate(value) for p in places(one, (*path, key))]
    return [path]


@pytest.mark.parametrize("name", RESULTS)
def test_a_value_of_another_type_is_one_line(name: str) -> None:
    """It must hold of records in which a value is an object: an error of the file, never ours."""
    record = stored(RESULTS[name])
    paths = [p for p in places(record) if p[0] not in ("parameters", "versions")]
    refused = 0
    for path in random.Random(name).sample(paths, min(12, len(paths))):
        changed = json.loads(json.dumps(record))
        inner = changed
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = {"other": [1]}
        with contextlib.suppress(InvalidData):
            refused -= 1
            written(json.dumps(changed))
            refused += 1
    assert refused < 0


VALUES = (
    (Fraction, "1/3", Fraction(1, 3)),
    (float, "inf", float("inf")),
    (float, 2, 2.0),
    (tuple[Fraction, Fraction], {"lower": "0", "upper": "1/2"}, (Fraction(0), Fraction(1, 2))),
    (tuple[str, ...], ["a", "b"], ("a", "b")),
    (int | None, None, None),
)


@pytest.mark.parametrize(("hint", "value", "read"), VALUES)
def test_values_are_read_as_they_were(hint: Any, value: Any, read: Any) -> None:
    """It must hold of exact numbers, infinities and enclosures."""
    assert value_as(hint, value, "x") == read


WRONG = (
    (Fraction, "1e9999999"),
    (Fraction, "1/0"),
    (Fraction, 1),
    (float, "many"),
    (float, True),
    (int, True),
    (int, 1.0),
    (str, 1),
    (tuple[float, float], [1.0]),
    (tuple[float, ...], {"lower": 1}),
    (int | None, "1"),
)


@pytest.mark.parametrize(("hint", "value"), WRONG)
def test_other_values_are_refused(hint: Any, value: Any) -> None:
    """It must hold that nothing is guessed, nor computed at length."""
    with pytest.raises(Unlike, match="x"):
        value_as(hint, value, "x")


@pytest.mark.parametrize("run", [broken_run, good_run])
def test_a_gate_has_its_marks_again(run: Any) -> None:
    """It must hold of each case with a mark of its own in the run's report."""
    gate = run()
    text = written(json.dumps(record_of_gate(gate)))
    own = gate_report("text", gate, verbose=True)
    for mark in ("ok", "FAIL", "OPEN", "ERROR"):
        expected = sum(line.startswith(f"{mark:<6}") for line in own.splitlines())
        assert sum(line.startswith(f"{mark:<6}") for line in text.splitlines()) == expected
    assert "run by: Ann" in text


@pytest.mark.long
def test_a_page_names_its_origin_and_its_terms() -> None:
    """It must hold of two runs on one page, escaped, with no identifier twice."""
    gate = json.dumps(record_of_gate(broken_run()))
    page = written(gate, gate, form="html")
    for part in (part for row in (*ORIGIN, *LEGEND) for part in row):
        assert escape(part, quote=False) in page
    keys = re.findall(r' id="([^"]+)"', page)
    assert len(keys) == len(set(keys)) > 10
    assert "2 stored reports" in page


@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if form.module])
def test_every_form_renders(form: str) -> None:
    """It must hold of an audit and a gate together."""
    text = written(
        json.dumps(stored(RESULTS["proved"])), json.dumps(record_of_gate(broken_run())), form=form
    )
    assert "ksw" in text


def test_a_refuted_audit_is_never_ok() -> None:
    """It must hold that a file which says so of an audit that was no control is refused."""
    record = record_of_gate(broken_run())
    wrong = [
        one
        for one in record["audits"]
        if one["report"] and one["report"]["verdict"] == "REFUTED" and one["expect"] != "refuted"
    ]
    assert wrong
    wrong[0]["exit_status"] = 0
    with pytest.raises(InvalidData, match="REFUTED, which was not expected"):
        written(json.dumps(record))


@pytest.mark.parametrize("status", [1, 3, 4, 130])
def test_a_run_that_ended_badly_never_passed(status: int) -> None:
    """It must hold where no audit says so: of a run that was interrupted before its first, too."""
    record = record_of_gate(run_of()) | {"exit_status": status, "configuration": "a.toml"}
    record |= {"interrupted": status == 130, "planned": 5}
    text = written(json.dumps(record))
    assert "0 of 1 as expected" in text
    assert ("interrupted, with 0 of 5 done" in text) == (status == 130)
    assert "PASSED" not in written(json.dumps(record), form="html")
    fine = json.dumps(record | {"exit_status": 0})
    assert "PASSED" in written(fine, form="html")


NOT_REPORTS = ("[]", "{}", '{"kind": "ledger"}', '{"kind": "gate", "audits": [3]}', "{")
NO_STATUS = '{"kind": "gate", "audits": [{"name": "a", "exit_status": 7}], "exit_status": 0}'


@pytest.mark.parametrize(
    "text",
    [
        *NOT_REPORTS,
        NO_STATUS,
        '{"kind": "gate", "audits": []}',
        '{"kind": "audit"}',
        '{"kind": "exact", "proof": 1}',
    ],
)
def test_what_is_no_report_is_refused(text: str) -> None:
    """It must hold, in one line that names the file."""
    with pytest.raises(InvalidData, match=r"^1\.json"):
        written(text)


@pytest.mark.parametrize("version", [0, 2, "1", True, 1.0, None])
def test_another_version_is_named(version: Any) -> None:
    """It must hold of an audit and of a gate that this version did not write."""
    for record in (stored(RESULTS["refuted"]), record_of_gate(good_run())):
        with pytest.raises(InvalidData, match="its schema_version must be 1, got"):
            written(json.dumps({**record, "schema_version": version}))


def test_a_damaged_report_is_refused() -> None:
    """It must hold where a limit is missing or no number: it is never taken to be unlimited."""
    record = stored(RESULTS["refuted"])
    with pytest.raises(Unlike, match="epsilon must be float"):
        stored_document({**record, "limits": {**record["limits"], "epsilon": "much"}})
    del record["limits"]
    with pytest.raises(Unlike, match="has no limits"):
        stored_document(record)


HUGE = (
    ("coarse", ("claim", "epsilon")),
    ("pure", ("profile", 0, "epsilon")),
    ("refuted", ("witness", "hits")),
    ("gate", ("tables", 0, "seconds")),
)
"""Numbers of a report, by result and place."""


@pytest.mark.parametrize(("name", "place"), HUGE)
def test_a_number_beyond_doubles_is_a_damaged_report(name: str, place: tuple[Any, ...]) -> None:
    """It must hold of each number that is read: the file is refused by its name, in one line."""
    record = record_of_gate(broken_run()) if name == "gate" else stored(RESULTS[name])
    *outer, last = place
    held: Any = record
    for key in outer:
        held = held[key]
    held[last] = 10**400
    with pytest.raises(InvalidData, match=r"^1\.json is no report that this version reads: "):
        written(json.dumps(record))


def test_seconds_of_any_length_have_a_line() -> None:
    """It must hold of the text, whose lines have one width otherwise."""
    assert "CONSISTENT" in written(json.dumps({**stored(RESULTS["consistent"]), "seconds": 1e308}))


def test_a_new_kind_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold of any kind with a row in `KINDS`, and of no other."""
    record = json.dumps({**stored(RESULTS["stable"]), "kind": "new"})
    with pytest.raises(InvalidData, match="no report of an audit"):
        written(record)
    row = replace(KINDS[SensitivityResult], name="new")
    monkeypatch.setitem(KINDS, type("NewResult", (), {}), row)  # type: ignore[misc]
    assert "CONSISTENT" in written(record)
