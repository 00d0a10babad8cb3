"""Every case of acceptance is told rightly from its domain alone, for five seeds."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.results.verdict import Verdict
from tests.audit.screening import accidents
from tests.audit.screening.acceptance import CASES, NUMBERS, Case, Outcome, outcome, table
from tests.audit.screening.kept_runs import kept

SEEDS = range(1, 6)
ELSEWHERE = ("numbers, broken", "SQL, broken", "SQL, sound")
"""Rows of which test_acceptance.py and tests/audit/tables/test_sql.py ask the same."""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case.row not in ELSEWHERE],
    ids=lambda case: f"{case.row}: {case.name}",
)
def test_a_case_is_told_rightly(case: Case) -> None:
    """It must hold that what is broken is REFUTED, and what is sound is not."""
    found = [outcome(case, seed) for seed in SEEDS]
    assert [one.is_right for one in found] == [True] * len(SEEDS), found


@pytest.mark.slow
def test_what_ends_alike_on_all_data_is_no_finding() -> None:
    """It must hold of a release that leaves the program, and of one that has numpy raise."""
    words: dict[str, Any] = {**NUMBERS, "ideal": True, "seed": 1, "budget_samples": 20_000}
    for release in accidents.ALIKE:
        assert audit.audit(release, **words).verdict is Verdict.INCONCLUSIVE
    assert audit.audit(accidents.strict, **words).verdict is not Verdict.REFUTED


def test_the_table_counts_what_is_wrong(tmp_path: Path) -> None:
    """It must hold of a broken case that was not found; a line that was cut is left out."""
    first, second = CASES[0], CASES[-1]
    found = [
        Outcome(first.row, first.name, 1, True, True, "REFUTED", 100, 1, 9, 9, 1.0),
        Outcome(first.row, first.name, 2, False, None, "CONSISTENT", 900, 0, 9, 9, 1.0),
        Outcome(second.row, second.name, 1, True, None, "INCONCLUSIVE", 300, 0, 9, 9, 1.0),
    ]
    file = tmp_path / "runs.jsonl"
    file.write_text("".join(json.dumps(asdict(one)) + "\n" for one in found) + '{"row"')
    assert kept(file, Outcome) == found
    told = table(kept(file, Outcome))
    assert f"| {first.row} | 1 | 2 | 1 | 1 of 1 | 900, 900 |" in told
    assert f"| {second.row} | 1 | 1 | 1 |  | 300, 300 |" in told
    assert "Screening chose the pair of 1 of 1 refutations." in told
