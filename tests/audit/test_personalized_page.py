"""The commands of the page about personalized privacy run as printed, on the file that it shows."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.cli import main
from tests.audit.test_targets_page import STATUS
from tests.shown import assert_in_order
from tests.user_files import imports_restored

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "personalized.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
BLOCKS = BLOCK.findall(PAGE.read_text())


def commands() -> Iterator[tuple[str, list[str]]]:
    """Commands of the page, each with the lines that it prints."""
    for block in (text for language, text in BLOCKS if language == "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *printed = part.splitlines()
            yield command, [line for line in printed if line != "..."]


COMMANDS = list(commands())


def test_all_commands_are_found() -> None:
    """It must hold that the check below reads the six commands of the page."""
    assert [command.split()[1] for command, _ in COMMANDS] == ["audit"] * 6


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "shown"),
    [
        pytest.param(
            *one,
            id=str(number),
            marks=(pytest.mark.slow,) if one[1][0].startswith("CONSISTENT") or number > 4 else (),
        )
        for number, one in enumerate(COMMANDS, start=1)
    ],
)
def test_a_command_of_the_page_prints_what_it_shows(
    command: str,
    shown: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold that each command has its verdict, and prints its lines but for numbers."""
    (tmp_path / "poll.py").write_text(next(text for name, text in BLOCKS if name == "python"))
    monkeypatch.chdir(tmp_path)
    program, *words = shlex.split(command)
    assert program == "touchstone"
    timed = [] if "exact" in words else ["--budget-seconds", "600"]  # the machine may be busy
    with imports_restored(tmp_path):
        status = main([*words, *timed])
    assert status == STATUS[shown[0].partition(":")[0]]
    assert_in_order(PAGE, command, shown, capsys.readouterr().out)
