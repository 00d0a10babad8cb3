"""Known defects of three libraries are among what a survey refutes, and sound calls are not."""

from __future__ import annotations

import re

import pytest

import audit
from audit.results.verdict import Verdict
from audit.surveys.row import SurveyRow
from tests.audit.surveys.page import PAGE

REFUTED, OPEN = "REFUTED", "depends on the relation"

KNOWN = (
    ("mechanisms.Laplace", REFUTED),  # the last bits of a double
    ("tools.median (swap)", REFUTED),
    ("tools.median-any_record (swap)", REFUTED),  # a failure that is an output
    ("tools.mean-any_record (swap)", REFUTED),  # NaN
    ("tools.sum (add-remove)", REFUTED),  # its sensitivity is that of swap
    ("tools.histogram (swap)", OPEN),  # and here that of add-remove
    ("models.LinearRegression (swap)", REFUTED),  # a sensitivity of 0
    ("models.LinearRegression (add-remove)", REFUTED),
    ("make_sum_of_squared_deviations-offset", REFUTED),  # OpenDP's issue 2923
)
"""Rows whose call is known to break its promise, under the relation in the row."""

KEEP = (
    ("opendp", "make_laplace"),
    ("pydp", "numerical_mechanisms.LaplaceMechanism"),
    ("pydp", "laplacian.BoundedMean"),
    ("diffprivlib", "tools.mean (swap)"),
)
"""Calls that keep their promise as real numbers."""

BREAK = (
    ("diffprivlib", "tools.histogram", "swap"),
    ("diffprivlib", "tools.sum", "add-remove"),
)
"""Calls that keep theirs under one relation, and not under this one, which no library states."""

FEW = 6_000
"""Draws of a row here; resolution 6 pays for so few."""


def rows_of(library: str, only: str) -> dict[str, SurveyRow]:
    """Rows of a survey as real numbers, by the relation that they are read under."""
    pytest.importorskip(library)
    found = audit.survey(
        library, only=only, ideal=True, budget_samples=FEW, resolution=6, seed=1
    ).rows
    return {row.relation: row for row in found}


@pytest.mark.parametrize(("row", "verdict"), KNOWN, ids=[row for row, _ in KNOWN])
def test_a_known_defect_is_on_the_page(row: str, verdict: str) -> None:
    """It must hold of the recorded surveys, each with a budget of its own draws."""
    (line,) = re.findall(
        rf"^\| {re.escape(row)} \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE
    )
    assert line.split(" | ")[2] == verdict


def test_a_row_that_is_sound_is_told_apart() -> None:
    """It must hold that the check above does not find every row of the page refuted."""
    text = PAGE.read_text("utf-8")
    assert re.search(r"^\| laplacian.Count \| [^|]*\| [^|]*\| CONSISTENT \|", text, re.MULTILINE)
    for _, row in KEEP[:3]:
        (line,) = re.findall(rf"^\| {re.escape(row)} \| (.*) \|$", text, re.MULTILINE)
        assert line.split(" | ")[2] != REFUTED


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("library", "row"), KEEP, ids=[row for _, row in KEEP])
def test_a_sound_call_is_not_refuted(library: str, row: str) -> None:
    """It must hold as real numbers."""
    for found in rows_of(library, row).values():
        assert found.verdict != Verdict.REFUTED, found.event


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("library", "call", "breaks"), BREAK, ids=[call for _, call, _ in BREAK])
def test_the_row_names_the_relation_that_fails(library: str, call: str, breaks: str) -> None:
    """It must hold that both are run where a library states none, and one of them is refuted."""
    rows = rows_of(library, f"{call} (*")
    assert set(rows) == {"swap", "add-remove"}
    refuted = {relation for relation, row in rows.items() if row.verdict == Verdict.REFUTED}
    assert refuted == {breaks}
