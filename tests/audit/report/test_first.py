"""Reports of version 1 of the format: files that the last version which wrote it wrote."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.cli import main
from audit.documents.forms import FORMS
from audit.levels import LIMITS
from audit.readers.documents import stored_document
from audit.readers.first import as_second
from audit.readers.run import Stored, stored_run
from audit.readers.values import Unlike
from audit.report.forms import rendered
from mechanisms.errors import InvalidData
from tests.reports import schema
from tests.table import over

FILES = {path.stem: path for path in sorted(Path(__file__).with_name("first").glob("*.json"))}
AUDITS = [name for name in FILES if name != "gate"]
VERDICTS = {
    *("audit REFUTED", "audit CONSISTENT", "audit INCONCLUSIVE"),
    *("exact REFUTED", "exact PROVED", "exact INCONCLUSIVE"),
    *("utility REFUTED", "utility CONSISTENT", "utility INCONCLUSIVE"),
}


def record_of(name: str) -> Any:
    """A stored report."""
    return json.loads(FILES[name].read_text())


def written(record: Any, form: str = "html") -> str:
    """One report of a stored one."""
    file = Stored("first.json", json.dumps(record))
    return unescape(rendered(form, stored_run((file,), title="Audits", origin=())))


def test_every_kind_and_verdict_is_stored() -> None:
    """It must hold, and each file is what the schema of version 1 describes.

    That schema knew no divergence as a witness, which version 1 wrote all the same.
    """
    first = jsonschema.Draft202012Validator(schema("schema-1.json"))
    records = [record_of(name) for name in FILES]
    wrong = [name for name in FILES if list(first.iter_errors(record_of(name)))]
    assert wrong == ["exact-divergence"]
    assert {f"{one['kind']} {one['verdict']}" for one in records if "verdict" in one} == VERDICTS


@over("name", AUDITS)
def test_an_audit_of_version_1_says_what_it_said(name: str) -> None:
    """It must hold of verdict, reason, claim, limits, and what was not tried; nothing is added."""
    record = record_of(name)
    document, page = stored_document(record), written(record)
    assert document.verdict.value == record["verdict"]
    assert document.reason.lower().startswith(record["reason"].lower())
    assert document.not_tried == tuple(record["not_tried"])
    if record["kind"] == "audit":
        lowers = {key: record[f"{key}_lower"] for key in LIMITS if f"{key}_lower" in record}
        said = {key: limit for key, limit in lowers.items() if limit is not None}
        assert as_second(record)["limits"] == said
        assert said
    if record["kind"] != "utility":  # these have single values only, in any version
        assert "; not recorded: " in page
    assert "as a report of version 1, whose scripts are for that version" in page


@over("form", [name for name, form in FORMS.items() if form.module])
def test_every_form_takes_version_1(form: str) -> None:
    """It must hold of each file."""
    for name in FILES:
        assert written(record_of(name), form)


def test_a_gate_of_version_1_has_its_marks() -> None:
    """It must hold: two refuted, a control and a proof as expected, and claims of the ledger."""
    text = written(record_of("gate"), "text")
    assert "3 of 5 as expected, from 1 stored report" in text
    assert text.count("FAIL") == 2


VERSIONS = (0, 3, "1", True, 1.0, None)


@over("version", VERSIONS)
def test_another_version_is_named(version: Any) -> None:
    """It must hold of one that no version of ours wrote, and of one of a later version."""
    for name in ("audit-refuted", "gate"):
        with pytest.raises(InvalidData, match="its schema_version must be 1 or 2, got"):
            written(record_of(name) | {"schema_version": version})


def test_a_damaged_report_is_refused() -> None:
    """It must hold where a limit is missing or no number: it is never taken to be unlimited."""
    record = record_of("audit-refuted")
    del record["epsilon_lower"]
    with pytest.raises(Unlike, match="KeyError: 'epsilon_lower'"):
        stored_document(record)
    with pytest.raises(Unlike, match="epsilon must be float"):
        stored_document(record | {"epsilon_lower": "much"})
    later = record_of("audit-refuted") | {"schema_version": 2}
    with pytest.raises(Unlike, match="KeyError: 'limits'"):  # the keys of version 1 do not count
        stored_document(later)


HUGE = (
    ("audit-inconclusive", ("claim", "epsilon")),
    ("audit-profile", ("profile", 0, "epsilon")),
    ("audit-refuted", ("witness", "hits")),
    ("gate", ("tables", 0, "seconds")),
)
"""Numbers of a report, by file and place."""


@over(("name", "place"), HUGE)
def test_a_number_beyond_doubles_is_a_damaged_report(name: str, place: tuple[Any, ...]) -> None:
    """It must hold of each number that is read: the file is refused by its name, in one line."""
    record = record_of(name)
    if name == "gate":
        record["tables"] = [{"name": "t", "exit_status": 0, "cells": 1}]
    *outer, last = place
    held = record
    for key in outer:
        held = held[key]
    held[last] = 10**400
    with pytest.raises(InvalidData, match=r"^first\.json is no report that this version reads: "):
        written(record)


def test_seconds_of_any_length_have_a_line() -> None:
    """It must hold of the text, whose lines have one width otherwise."""
    assert "CONSISTENT" in written(record_of("audit-consistent") | {"seconds": 1e308}, "text")


def test_the_command_reads_it(tmp_path: Path) -> None:
    """It must hold with exit status 0, for several files at once."""
    out = tmp_path / "page.html"
    files = [str(FILES[name]) for name in ("gate", "audit-refuted", "exact-proved")]
    assert main(["report", *files, "-o", str(out)]) == 0
    assert "REFUTED" in out.read_text()
