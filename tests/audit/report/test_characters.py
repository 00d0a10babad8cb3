"""Texts of users, targets and files, in every form: nothing that a terminal or a server obeys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from audit.cli import main
from audit.documents.report_forms import FORMS
from audit.files.plain import printable
from audit.report.characters import as_lines, cleaned
from audit.report.document_lines import document_text
from audit.report.present import fragment
from audit.report.rendering import audit_report, gate_report, rendered
from audit.report.stored_runs import Stored, stored_run
from audit.runs.result_kinds import document_of, record_of
from tests.audit.report.runs import RESULTS, outcome_of, run_of
from tests.slow import by_default, one_in
from tests.stored_reports import RUNS, run_report

BAD = (
    "\x1b[31mred\x1b]0;title\x07 \x9b2J \u202e\u2066\u200b\ufeff\u2028 | `code` ]]> <b>&amp; "
    "\x00\r\n::error::owned\n  ::set-output name=a::b\n##[error]x \ud800 \U000e0001"
)
"""Escape characters, C1, bidi, no width, ends of lines, tables, CDATA, commands, half a pair."""

RENDERED = [name for name, form in FORMS.items() if form.module]
FIRST = {type(result): name for name, result in reversed(RESULTS.items())}.values()
"""A result of each kind, and the refuted ones, which say most."""

SOME = sorted({*FIRST, *(n for n, r in RESULTS.items() if r.verdict == "REFUTED")})


Spot = tuple[str | int, ...]


def texts(value: Any, place: Spot = ()) -> Iterator[Spot]:
    """Places of all texts in a result, those in data sets of users too."""
    if isinstance(value, str) and not isinstance(value, Enum):
        yield place
    elif type(value) in (list, tuple):
        for number, one in enumerate(value):
            yield from texts(one, (*place, number))
    elif is_dataclass(value) and not isinstance(value, type):
        for part in fields(value):
            if part.init and part.name != "asked":
                yield from texts(getattr(value, part.name), (*place, part.name))


def with_text(value: Any, place: Spot) -> Any:
    """A copy with such a text at the end of that at a place."""
    if not place:
        return f"{value}{BAD}"
    key, *rest = place
    if isinstance(key, int):
        inner = [*value]
        inner[key] = with_text(inner[key], tuple(rest))
        return type(value)(inner)
    return replace(value, **{key: with_text(getattr(value, key), tuple(rest))})


def everywhere(result: Any, plan: Any) -> tuple[Any, set[Spot]]:
    """A result with such a text in every text that may be any, and where these are.

    Others are words of ours: with another, no report can be made of the result.
    """
    free = set()
    for place in texts(result):
        try:
            changed = with_text(result, place)
            document_text(document_of(changed, plan))
            record_of(changed, plan)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            continue
        result = changed
        free.add(place)
    return result, free


def faults(text: str) -> Iterator[str]:
    """What a reader would obey or not see."""
    for line in text.split("\n"):
        if printable(line) != line:
            yield f"not printable: {line[:200]!r}"
        if line.lstrip().startswith("::") or "##[" in line:
            yield f"a command: {line[:200]!r}"


@pytest.mark.parametrize("name", by_default(SOME[::3], SOME))
def test_no_form_says_what_a_reader_would_obey(name: str) -> None:
    """It must hold of a result with such a text in every text that it holds, in every form."""
    outcome = outcome_of(name, RESULTS[name])
    result, free = everywhere(RESULTS[name], outcome.plan)
    assert {("target",), ("reason",)} <= free
    outcome = replace(outcome, result=result, name=f"a{BAD}")
    run = run_of(outcome, outcome_of(f"b{BAD}", None, error=BAD))
    for form in FORMS:
        for text in (audit_report(form, outcome), gate_report(form, run)):
            assert not list(faults(text)), (name, form)
            text.encode()
            if form in ("json", "sarif"):
                json.loads(text)
            if form == "junit":
                ET.fromstring(text)
    text = document_text(document_of(result, outcome.plan))
    assert r"\x1b[31mred" in text
    assert not list(faults(text))
    asked = replace(result, asked=outcome.plan)
    assert not list(faults(str(asked)))
    assert not list(faults(fragment(asked)))


def test_a_name_with_an_end_of_line_forges_no_line() -> None:
    """It must hold that no line of a run begins with what a name says."""
    result = RESULTS["proved"]
    outcome = replace(outcome_of("x", result), name="x\nPROVED: mine\nok    all")
    text = gate_report("text", run_of(outcome))
    assert not re.search(r"^\s*(PROVED: mine|ok    all)", text, re.MULTILINE)


def test_a_table_in_markdown_keeps_its_columns() -> None:
    """It must hold of names with bars, accents and ends of lines."""
    run = run_of(outcome_of(f"a{BAD}", RESULTS["proved"]), outcome_of("b | c `d`", None))
    rows = [r for r in gate_report("markdown", run).splitlines() if r.startswith("| ")]
    assert len(rows) >= 3
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {6}


SHOWN = (
    ("plain text\twith a tab\nand a line", None),
    ("Grüße, 中文, émile, a\u00a0b", None),
    ("\x1b[31m", r"\x1b[31m"),
    ("\x9b", r"\x9b"),
    ("a\u202eb", r"a\u202eb"),
    ("a\u200db", r"a\u200db"),
    ("a\r\nb", "a\\r\nb"),
    ("\u2028", r"\u2028"),
    ("\ud800", r"\ud800"),
    ("\ufffe", r"\ufffe"),
    ("\U000e0001", r"\U000e0001"),
)


@pytest.mark.parametrize(("text", "shown"), SHOWN)
def test_what_is_not_seen_is_written_out(text: str, shown: str | None) -> None:
    """It must hold of each kind, that other text stays, and that twice is once."""
    assert printable(text) == (text if shown is None else shown)
    assert printable(printable(text)) == printable(text)


def test_commands_of_a_build_server_are_none() -> None:
    """It must hold at the begin of a line, behind spaces too, and nowhere else."""
    assert as_lines("::error::x\n  ::warning::y\n") == ":\\x3aerror::x\n  :\\x3awarning::y\n"
    assert as_lines("a::b and std::vector") == "a::b and std::vector"
    assert as_lines("x ##[error]y") == r"x #\x23[error]y"


def test_what_is_clean_is_the_same_object() -> None:
    """It must hold, so that cleaning twice costs nothing."""
    document = document_of(RESULTS["proved"], outcome_of("x", RESULTS["proved"]).plan)
    assert cleaned(document) is cleaned(cleaned(document)) or cleaned(document) == document


@pytest.mark.long
@pytest.mark.parametrize(
    "name", one_in(3, [n for n in RUNS if RUNS[n][1].startswith("awkward.py")])
)
def test_a_run_of_such_a_target_is_clean(name: str) -> None:
    """It must hold of what commands write, and of what is read back of it, in each form."""
    for form in FORMS:
        assert not list(faults(run_report(name, form))), form
    stored = (Stored("\x1b[31m.json", run_report(name)),)
    for form in RENDERED:
        text = rendered(form, stored_run(stored, title=BAD, origin=(("project", BAD),)))
        assert not list(faults(text)), form


WRONG = (
    ("audit", "\x1b[31m\u202e\n::error::x.py:f"),
    ("audit", "ksw.\x9bmean", "--mode", "exact"),
    ("report", "\x1b[31m.json"),
    ("verify", "\x1b[31m.json"),
    ("account", "\x1b[31m.toml"),
    ("gate", "--config", "\u202e.toml"),
    ("evidence", "\x1b[31m.json", "-o", "x"),
    ("audit", "ksw.swap-laplace", "--param", "\x1b[31m=\n::error::"),
    ("\x1b[31m",),
)


@pytest.mark.parametrize("words", WRONG, ids=range(len(WRONG)))
def test_errors_are_clean(
    words: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold of what a user typed: one line, and no command of a terminal or a server."""
    monkeypatch.chdir(tmp_path)
    assert main(list(words)) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert not list(faults(err))
