"""The Python and the commands of the how-to pages run as they are printed."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.cli import main
from audit.config import entries_of
from tests.test_readme import NUMBER
from tests.user_files import imports_restored

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "how-to").glob("*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
STATUS = {"CONSISTENT": 0, "PROVED": 0, "REFUTED": 1}


def blocks(page: Path, language: str) -> list[str]:
    """Fenced blocks of a language."""
    return [text for name, text in BLOCK.findall(page.read_text()) if name == language]


def commands() -> Iterator[tuple[Path, str, list[str]]]:
    """Commands of the pages, each with the lines that it prints."""
    for page in PAGES:
        for block in blocks(page, "console"):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, *printed = part.splitlines()
                yield page, command, [line for line in printed if line != "..."]


COMMANDS = list(commands())


def test_there_are_pages() -> None:
    """It must hold that the checks below read something."""
    assert any(blocks(page, "python") for page in PAGES)
    assert len(COMMANDS) >= 6


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    """It must hold that each page's blocks, one after the other, end without an error."""
    script = tmp_path / "page.py"
    script.write_text("\n".join(blocks(page, "python")))
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("command", "shown"),
    [(command, shown) for _, command, shown in COMMANDS],
    ids=[f"{page.stem}-{number}" for number, (page, _, _) in enumerate(COMMANDS, start=1)],
)
def test_a_command_of_a_page_prints_what_it_shows(
    command: str,
    shown: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold that each command has its verdict, and prints its lines but for numbers."""
    monkeypatch.chdir(ROOT)
    program, *words = shlex.split(command)
    assert program == "touchstone"
    with imports_restored(ROOT / "examples"):
        status = main(words)
    printed = unnumbered(capsys.readouterr().out)
    assert status == STATUS[shown[0].partition(":")[0]]
    for line in map(unnumbered, shown):
        _, found, printed = printed.partition(line)
        assert found, line


def unnumbered(text: str) -> str:
    """Text without numbers (chance decides them, and versions), and without ends of lines."""
    return NUMBER.sub("#", " ".join(text.split()))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_configuration_of_a_page_is_one(page: Path) -> None:
    """It must hold that every [[audit]] that a page shows is read without an error."""
    for block in blocks(page, "toml"):
        tables = tomllib.loads(block)["tool"]["touchstone"]["audit"]
        assert [entry for table in tables for entry in entries_of(table, "audit", ROOT)]
