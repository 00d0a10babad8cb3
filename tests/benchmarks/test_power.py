"""The power benchmark counts to the first refutation, goes on where it was, and reads its rows."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import power
from benchmarks.limits import Limit
from benchmarks.power_rows import ROWS
from benchmarks.quantiles import Quantile


def test_ranges_name_rows_in_their_order() -> None:
    """It must hold that a range holds the lettered rows in it, and unknown rows are refused."""
    assert power.rows_of("1-3,13a,22") == ["1", "2", "3", "13a", "22"]
    assert power.rows_of("13a-15") == ["13a", "13b", "14", "15"]
    assert power.rows_of("23-31") == [str(i) for i in range(23, 32)]
    with pytest.raises(SystemExit, match="no row '99'"):
        power.rows_of("2-99")


def test_a_run_is_counted_to_its_first_refutation() -> None:
    """It must hold that draws of a witness, and of a run that went on, are beside the figure."""
    outcomes = [power.audit_row(ROWS["24"], seed) for seed in range(8)]
    for outcome in outcomes:
        assert outcome.draws < outcome.all_draws
        assert outcome.draws < 400  # 260 of the looks; a run that goes on needs more


def test_seeds_that_are_missing_become_blocks() -> None:
    """It must hold that each missing seed is in one block of consecutive ones, and no other is."""
    missing = [*range(5), *range(7, 50), 60]
    found = list(power.blocks("1", missing))
    assert [s for b in found for s in range(b.first, b.first + b.runs)] == missing
    assert all(block.runs <= power.BLOCK for block in found)


@pytest.mark.long
def test_the_job_goes_on_and_compares_seeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that no seed is run twice, and other seeds in the file are compared with."""
    output = tmp_path / "power.jsonl"
    words = ["", "--rows", "23", "--reps", "36", "--jobs", "1", "--output", str(output)]
    monkeypatch.setattr(sys, "argv", [*words, "--seed", "50000"])
    power.main()
    lines = output.read_text()
    power.main()
    assert output.read_text() == lines
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", words)
    power.main()
    printed = capsys.readouterr().out
    assert "overlap" in printed
    assert "geometric mean of q90 K over 1 rows" in printed.splitlines()[-1]
    assert output.read_text().startswith(lines)


def test_an_open_row_is_run_once_more_with_three_times_the_seeds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that 4 seeds, which decide nothing, become 12 and no more."""

    def audit_row(row: object, seed: int) -> power.Outcome:
        return power.Outcome(10.0, 0.0, True, 12.0)

    monkeypatch.setattr(power, "audit_row", audit_row)
    monkeypatch.setattr(sys, "argv", ["", "--rows", "23", "--reps", "4", "--jobs", "1"])
    power.main()
    row = capsys.readouterr().out.splitlines()[2]
    assert "| 0 to 11 | 10 [10, inf] |" in row
    assert "open, open" in row


def test_the_geometric_mean_is_of_the_rows_with_a_rate() -> None:
    """It must hold that the last line multiplies q90 by K, and a worse mean misses."""
    limits = {"a": Limit(0.1, 0, 0), "b": Limit(0.01, 0, 0)}
    quantiles = {"a": Quantile(90, 80, 99), "b": Quantile(1600, 1, 1), "c": Quantile(1, 1, 1)}
    assert "over 2 rows: 12.00 " in power.summary(quantiles, limits)
    assert "must 16: met, aim 13: met" in power.summary(quantiles, limits)
    worse = power.summary({"a": Quantile(150, 1, 1)}, limits)
    assert "must 16: met, aim 13: MISSED" in worse
