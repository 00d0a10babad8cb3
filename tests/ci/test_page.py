"""The commands of docs/how-to/ci.md run as they stand, and print what the page shows."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from audit.cli import main
from tests.user_files import imports_restored

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "ci.md").read_text()
NUMBER = re.compile(r"\b[0-9a-f]{12}\b|[0-9][0-9,]*(?:\.[0-9]+)?")
RED = ("0 of 1 as expected",)


def blocks(language: str) -> list[str]:
    """Fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def commands() -> Iterator[tuple[str, list[str]]]:
    """Each command with the lines below it."""
    for block in blocks("console"):
        lines: list[str] = []
        command = ""
        for line in block.splitlines():
            if line.startswith("$ "):
                if command:
                    yield command, lines
                command, lines = line.removeprefix("$ "), []
            else:
                lines.append(line)
        yield command, lines


def shown(lines: list[str], printed: str) -> None:
    """Check that lines are printed in their order; "..." stands for any, digits may differ."""
    rest = iter(NUMBER.sub("#", line) for line in printed.splitlines())
    for line in lines:
        if line != "...":
            assert NUMBER.sub("#", line) in rest, (line, printed)


def test_lines_that_are_not_printed_are_noticed() -> None:
    """It must hold that the check below can fail."""
    shown(["...", "2 of 3 (0123456789ab)"], "first\n4 of 5 (abcdef012345)\n")
    for wrong in (["2 of them"], ["second", "first"]):
        with pytest.raises(AssertionError):
            shown(wrong, "first\nsecond\n")


def test_the_page_has_commands_of_every_kind() -> None:
    """It must hold that it shows each part of what it is about."""
    text = "\n".join(command for command, _ in commands())
    for word in ("init src/release.py", "--changed-since", "--write-baseline", "--carry"):
        assert word in text


def test_the_inputs_are_those_of_the_action() -> None:
    """It must hold that the table lists each input with its default, and the example uses some."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    rows = re.findall(r"^\| `([\w-]+)` \|([^|]*)\|", PAGE, re.MULTILINE)
    assert [name for name, _ in rows] == list(action["inputs"])
    told = {name: default.strip() for name, default in rows}
    meant = {name: given["default"] for name, given in action["inputs"].items()}
    assert told == meant | {"install": "this version"}
    (example,) = blocks("yaml")
    step = yaml.safe_load(example)["jobs"]["privacy"]["steps"][1]
    assert step["with"].keys() <= action["inputs"].keys()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder with the page's modules, as some user's."""
    for code in blocks("py"):
        name = code.splitlines()[0].removeprefix("# ")
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(tmp_path / ".git" / "touchstone"))
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "a@example.org")
    with imports_restored(tmp_path):
        yield tmp_path


@pytest.mark.slow
def test_the_commands_print_what_the_page_shows(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of all commands, one after the other, and of their exit status."""
    for command, lines in commands():
        if command.startswith("touchstone "):
            status = main(shlex.split(command)[1:])
            printed = capsys.readouterr().out
            red = any(line.startswith(RED) for line in lines)
            assert status == (1 if red else 0), (command, printed)
        else:
            done = subprocess.run(
                ["bash", "-c", command], capture_output=True, text=True, check=True
            )
            printed = done.stdout
        shown(lines, printed)
