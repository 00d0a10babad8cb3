"""The count of sound releases that are REFUTED: what it allows, and what its file keeps."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.audit.screening.defects import SOUND
from tests.audit.screening.kept_runs import keep, kept
from tests.audit.screening.nulls import RATES, Null, is_kept, null_run, table


def runs(rate: float, refuted: int) -> list[Null]:
    """140 runs, of which so many are REFUTED."""
    return [
        Null(row.name, rate, seed, "REFUTED" if 7 * seed + place < refuted else "CONSISTENT", 9, 9)
        for seed in range(20)
        for place, row in enumerate(SOUND)
    ]


@pytest.mark.parametrize(("rate", "most"), [(0.05, 16), (0.001, 1)])
def test_one_refutation_more_than_allowed_is_convicted(rate: float, most: int) -> None:
    """It must hold of 140 runs, and that the runs of the other rate do not count for this one."""
    (other,) = set(RATES) - {rate}
    assert len(runs(rate, 0)) == 140
    assert is_kept([*runs(rate, most), *runs(other, 140)], rate)
    assert not is_kept([*runs(rate, most + 1), *runs(other, 0)], rate)
    assert f"| {rate} | 7 | 140 | 140 | {most + 1} | {most} |" in table(runs(rate, most + 1))


def test_a_line_that_was_cut_is_made_again(tmp_path: Path) -> None:
    """It must hold that the file is whole behind it, and goes on from there."""
    file, first = tmp_path / "runs.jsonl", runs(0.05, 0)[:2]
    file.write_text("".join(json.dumps(asdict(one)) + "\n" for one in first) + '{"name": "half')
    assert kept(file, Null) == first
    keep(file, first[0])
    assert kept(file, Null) == [*first, first[0]]


@pytest.mark.slow
@pytest.mark.parametrize("rate", RATES)
def test_a_run_is_screened_and_not_refuted(rate: float) -> None:
    """It must hold of one seed of a release, whose runs the script counts."""
    found = null_run(SOUND[0], rate, 1)
    assert found.screened > 0
    assert found.verdict != "REFUTED"
