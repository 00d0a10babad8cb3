"""Reports that runs wrote are read again, of every kind, verdict and form; no other file is."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit.cli import main
from audit.documents.report_forms import FORMS
from audit.report.rendering import rendered
from audit.report.stored_runs import Stored, stored_run
from audit.runs.result_kinds import KINDS
from mechanisms.errors import InvalidData
from tests.attestation.forgery import change_document
from tests.slow import one_in
from tests.stored_reports import RUNS, gate_of, run_report

RENDERED = [name for name, form in FORMS.items() if form.module]
GATE = ("proved by a query", "added", "refuted", "outcomes that are names", "useless", "far")


def written(form: str, *texts: str) -> str:
    """One report of several files."""
    files = tuple(Stored(f"{i}.json", text) for i, text in enumerate(texts, start=1))
    return rendered(form, stored_run(files, title="Audits of ages", origin=()))


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(4, RUNS))
def test_what_a_run_wrote_is_read_and_written_again(name: str, tmp_path: Path) -> None:
    """It must hold of the command, in all forms, byte for byte.

    Nothing here is made by a test: what a run writes is what is read.
    """
    file, out = tmp_path / "run.json", tmp_path / "out"
    file.write_text(run_report(name), encoding="utf-8")
    for form in FORMS:
        assert main(["report", str(file), "--format", form, "--output", str(out)]) == 0
        assert out.read_text(encoding="utf-8") == run_report(name, form), form


@pytest.mark.long
def test_the_runs_are_of_every_kind_and_verdict() -> None:
    """It must hold that no kind of result is forgotten, nor a verdict that it can have."""
    found = {(r["kind"], r["verdict"]) for r in map(json.loads, map(run_report, RUNS))}
    assert {kind for kind, _ in found} == {row.name for row in KINDS.values()}
    sampled = {("audit", verdict) for verdict in ("REFUTED", "CONSISTENT", "INCONCLUSIVE")}
    decided = {(kind, v) for kind in ("exact", "account") for v in ("PROVED", "REFUTED")}
    errors = {("utility", "REFUTED"), ("utility", "INCONCLUSIVE")}
    assert found >= sampled | decided | errors | {("sensitivity", v) for v in ("REFUTED",)}


@pytest.mark.long
def test_a_gate_of_them_is_read(tmp_path: Path) -> None:
    """It must hold of the command, in each form, and twice with the same bytes."""
    audits = gate_of(*GATE)
    for one in audits["audits"]:
        one |= {"exit_status": 0, "expect": "refuted"}
    (tmp_path / "gate.json").write_text(json.dumps(audits))
    for form in RENDERED:
        files = [tmp_path / f"{number}.{form}" for number in (1, 2)]
        for file in files:
            words = ["report", str(tmp_path / "gate.json"), "--format", form, "-o", str(file)]
            assert main([*words, "--date", "2026-01-31", "--commit", "abc"]) == 0
        assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.long
@pytest.mark.parametrize("name", ["refuted", "disproved", "proved with delta", "added", "far"])
def test_a_changed_report_is_read_or_refused_in_one_line(name: str) -> None:
    """It must hold of 150 reports in which one thing is another: of another type, gone, renamed."""
    chosen = random.Random(name)
    reasons = []
    for _ in range(150):
        record = json.loads(run_report(name))
        change_document(record, chosen)
        try:
            written(chosen.choice(RENDERED), json.dumps(record))
        except InvalidData as exc:
            reasons.append(str(exc))
    assert reasons
    assert all(len(reason) <= 280 and reason.isprintable() for reason in reasons)


def _gate(**values: Any) -> bytes:
    return json.dumps(gate_of() | {"exit_status": 0, "audits": []} | values).encode()


def _audit(**values: Any) -> bytes:
    return json.dumps(json.loads(run_report("disproved")) | values).encode()


BAD: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "truncated": lambda: run_report("disproved").encode()[:-40],
    "an array": lambda: b"[1, 2]",
    "a number": lambda: b"7",
    "null": lambda: b"null",
    "no UTF-8": lambda: b"\xff\xfe{}",
    "deep": lambda: b'{"kind": ' + b"[" * 100_000,
    "deep and closed": lambda: b'{"kind": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "NaN for a number": lambda: _audit(seconds=float("nan"), order=float("inf")),
    "another version": lambda: _audit(schema_version=2),
    "a version that is true": lambda: _audit(schema_version=True),
    "another kind": lambda: _audit(kind="ledger"),
    "a kind that is a list": lambda: _audit(kind=["exact"]),
    "a verdict that nobody knows": lambda: _audit(verdict="\x1b[31mFINE" + "x" * 5000),
    "a proof that is a text": lambda: _audit(proof="yes" * 5000),
    "a huge number": lambda: _audit(seconds=10**400),
    "many digits": lambda: b'{"kind": ' + b"9" * 100_000 + b"}",
    "a name twice": lambda: b'{"kind": "exact", "kind": "exact"}',
    "a gate of a number": lambda: _gate(audits=3),
    "a gate of numbers": lambda: _gate(audits=[3]),
    "a gate with a status of text": lambda: _gate(exit_status="0"),
    "a gate whose seconds are huge": lambda: _gate(
        audits=[{"name": "a", "exit_status": 2, "seconds": 10**400}]
    ),
    "a gate with a report of a gate": lambda: _gate(
        audits=[{"name": "a", "exit_status": 0, "report": json.loads(_gate())}]
    ),
    "more than 64 MB": lambda: b'{"kind": "' + b"x" * (100 * 2**20) + b'"}',
}


@pytest.mark.long
@pytest.mark.parametrize("what", one_in(4, BAD))
def test_a_bad_file_is_one_line(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of the command: exit status 2, at most 300 characters that can be shown."""
    file = tmp_path / "report.json"
    file.write_bytes(BAD[what]())
    assert main(["report", str(file), "--format", "text"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert len(err) <= 300
    assert err.rstrip("\n").isprintable()
