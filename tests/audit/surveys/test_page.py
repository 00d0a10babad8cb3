"""The page of surveys says of every row of the tables what came of it; its commands run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from audit.cli import main
from audit.surveys.survey_scope import scope_of
from audit.targets.libraries.call_tables import TABLES, read_table
from tests.audit.surveys.page import PAGE
from tests.shown import assert_in_order
from tests.user_files import imports_restored

ROOT = Path(__file__).parents[3]
TEXT = PAGE.read_text("utf-8") if PAGE.exists() else ""
FILE = ROOT / "docs" / "how-to" / "survey.md"
HOW_TO = FILE.read_text("utf-8")
BLOCKS = re.findall(r"^```console\n\$ (.*?)^```", HOW_TO, re.DOTALL | re.MULTILINE)


def section(subject: str) -> str:
    """What the page says of a library as doubles."""
    start = TEXT.index(f"## {subject}, as doubles")
    end = TEXT.find("\n## ", start + 1)
    return TEXT[start : end if end > 0 else None]


@pytest.mark.parametrize("name", TABLES)
def test_the_page_has_every_row(name: str) -> None:
    """It must hold of the versions that it names: no row was left out or not reached."""
    pytest.importorskip(name)
    scope = scope_of(name)
    if f"## {scope.subject}, as doubles" not in TEXT:
        pytest.skip(f"the page is of another version than {scope.subject}")
    rows = re.findall(r"^\| (.*?) \|", section(scope.subject), re.MULTILINE)
    listed = [row for row in rows if row not in ("row", "constructor", "---")]
    names = {case.name for case in scope.cases}
    assert len(listed) == len(set(listed))
    assert set(listed) == names
    assert "not reached" not in section(scope.subject)


def test_a_row_that_is_missing_is_seen() -> None:
    """It must hold that the comparison above fails where a row of a library is left out."""
    own = section("python-dp 1.1.5")
    rows = re.findall(r"^\| (.*?) \|", own, re.MULTILINE)
    assert "laplacian.Count" in rows
    assert rows.count("laplacian.Count") == 1


def test_commands_are_found() -> None:
    """It must hold that the check below reads the page."""
    assert len(BLOCKS) == 2


@pytest.mark.long
@pytest.mark.parametrize(
    "block",
    [pytest.param(BLOCKS[0], marks=pytest.mark.slow), BLOCKS[1]],
    ids=["one-row", "own-table"],
)
def test_a_command_prints_what_it_shows(
    block: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that each prints its lines but for numbers, and has the status that it shows."""
    monkeypatch.chdir(ROOT)
    command, *shown = block.splitlines()
    if "diffprivlib" in command:
        pytest.importorskip("diffprivlib")
    with imports_restored(ROOT / "examples"):
        status = main(shlex.split(command)[1:])
    assert f"exit status {status}" in block
    assert_in_order(FILE, command, shown, capsys.readouterr().out)


def test_the_table_of_the_page_is_the_example(tmp_path: Path) -> None:
    """It must hold that it is read as it is printed, and that the example has the same call."""
    (found,) = re.findall(r"^```toml\n(.*?)^```", HOW_TO, re.DOTALL | re.MULTILINE)
    file = tmp_path / "releases.toml"
    file.write_text(found, "utf-8")
    example = read_table(str(ROOT / "examples" / "calls.toml"))
    assert read_table(str(file)).find("noisy_count") == example.find("noisy_count")
    assert read_table(str(file)).left_out == example.left_out
