"""Markdown: the summary of a job."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from audit.report.markdown_form import escaped, fenced
from audit.report.rendering import audit_report, gate_report
from tests.audit.report.runs import (
    HOSTILE,
    RESULTS,
    broken_run,
    good_run,
    hostile_run,
    outcome_of,
    statuses,
)
from tests.audit.results import REFUTED


def rows(text: str) -> list[list[str]]:
    """Cells of the table's rows, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("| ")][2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


@pytest.mark.parametrize("name", RESULTS)
def test_one_audit_says_its_verdict_first(name: str) -> None:
    """It must hold that the title has the verdict, and the text report stands in a block."""
    text = audit_report("markdown", outcome_of(name, RESULTS[name]))
    assert text.startswith(f"## {RESULTS[name].verdict.value}: {name}\n")
    assert text.count("```") == 2
    assert RESULTS[name].target in text


def test_a_run_is_a_table_with_failures_first() -> None:
    """It must hold that each case is a row of five cells, and the marks are in order of gravity."""
    run = broken_run()
    text = gate_report("markdown", run)
    table = rows(text)
    assert len(table) == len(statuses(run))
    assert {len(row) for row in table} == {5}
    marks = [row[0] for row in table]
    assert marks == sorted(marks, key=("ERROR", "FAIL", "OPEN", "ok").index)
    assert set(marks) == {"ERROR", "FAIL", "OPEN", "ok"}


@pytest.mark.long
def test_only_failures_have_their_report_below() -> None:
    """It must hold that what is as expected is a row and no more."""
    run = broken_run()
    failed = [status for status in statuses(run) if status]
    text = gate_report("markdown", run)
    assert text.count("<details>") == text.count("</details>") == len(failed)
    assert "<details>" not in gate_report("markdown", good_run())


def test_hostile_words_are_text() -> None:
    """It must hold that no name opens an element, a link, a cell or a block."""
    text = gate_report("markdown", hostile_run())
    text.encode()
    assert {len(row) for row in rows(text)} == {5}
    blocks = re.sub(r"^(`{3,})text\n.*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    html = [line for line in blocks.splitlines() if line.startswith("<")]
    tags = [re.findall(r"<[^>]*>", line) for line in html]
    assert tags == [["<details>", "<summary>", "</summary>"], ["</details>"]] * 3
    markdown = "\n".join(line for line in blocks.splitlines() if not line.startswith("<"))
    plain = re.sub(r"\\.", "", markdown)
    assert not re.search(r"[<>`*]|\]\(", plain)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\ud800-\udfff]", text)


def test_a_block_is_longer_than_any_in_it() -> None:
    """It must hold that a text with fences stays inside its own."""
    block = fenced("a\n````\nb")
    assert block == "`````text\na\n````\nb\n`````\n"


@pytest.mark.parametrize("text", ["a|b", "*x*", "<b>", "@name", "#12", "$x$", "~~a~~", HOSTILE])
def test_every_special_character_is_escaped(text: str) -> None:
    """It must hold that what means something has a backslash before it, and lines are joined."""
    shown = escaped(text)
    assert not re.search(r"(?<!\\)[`*_\[\]<>|~$&@#]", re.sub(r"\\\\", "", shown))
    assert "\n" not in escaped(f"{text}\n{text}")
    assert escaped("plain words, 3.5 (as they are)") == "plain words, 3.5 (as they are)"


def test_a_title_in_html_is_escaped_for_html() -> None:
    """It must hold that the fold of a failure shows its name, not backslashes."""
    text = gate_report("markdown", replace(broken_run(), outcomes=(outcome_of("a_b<c", REFUTED),)))
    assert "<summary>FAIL a_b&lt;c</summary>" in text
