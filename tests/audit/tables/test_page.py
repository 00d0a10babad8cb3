"""The commands of the page about tables run as they are printed, and examples where they can."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.cli import main
from audit.results.verdict import Verdict
from tests.shown import assert_in_order
from tests.user_files import imports_restored

ROOT = Path(__file__).parents[3]
FILE = ROOT / "docs" / "how-to" / "tables.md"
PAGE = FILE.read_text()
BLOCKS = re.findall(r"^```console\n\$ (.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
SCHEMA = str(ROOT / "examples" / "people.toml")
RELEASES = str(ROOT / "examples" / "sql_releases.py")


def test_all_commands_are_found() -> None:
    """It must hold that the check below reads both commands of the page."""
    assert [block.split()[1] for block in BLOCKS] == ["audit"] * 2


@pytest.mark.long
@pytest.mark.parametrize(
    "block", [pytest.param(BLOCKS[0], marks=pytest.mark.slow), BLOCKS[1]], ids=["first", "second"]
)
def test_a_command_prints_what_it_shows(
    block: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that each is refuted, and prints its lines but for numbers."""
    monkeypatch.chdir(ROOT)
    command, *shown = block.splitlines()
    with imports_restored(ROOT / "examples"):
        assert main(shlex.split(command)[1:]) == 1
    assert_in_order(FILE, command, shown, capsys.readouterr().out)


def run(target: Any, **words: Any) -> Verdict:
    """The verdict about a release of people."""
    return audit.audit(target, epsilon=1, schema=SCHEMA, ideal=True, seed=1, **words).verdict


@pytest.mark.slow
def test_the_sound_example_of_sql_is_not_refuted() -> None:
    """It must hold of counts of regions by sqlite3."""
    assert run(f"{RELEASES}:counts", budget_samples=20_000) is not Verdict.REFUTED


@pytest.mark.slow
def test_duckdb_runs_the_same_query() -> None:
    """It must hold that counts of regions by DuckDB are not refuted, where it is installed."""
    pytest.importorskip("duckdb", reason="DuckDB is for this example only: pip install duckdb")
    assert run(f"{RELEASES}:counts_by_duckdb", budget_samples=5_000) is not Verdict.REFUTED


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("Rscript") is None, reason="no R here: apt install r-base-core")
def test_an_r_script_that_divides_by_a_private_number_is_refuted() -> None:
    """It must hold within 60 seconds, from the schema alone."""
    command = ["Rscript", str(ROOT / "examples" / "noisy_mean.R")]
    assert run(command, takes="csv", budget_seconds=60) is Verdict.REFUTED
