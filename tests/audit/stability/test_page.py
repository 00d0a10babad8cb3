"""The commands of the page about sensitivities run as they are printed, on the examples."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from audit.cli import main
from tests.shown import assert_in_order
from tests.user_files import imports_restored

ROOT = Path(__file__).parents[3]
FILE = ROOT / "docs" / "how-to" / "sensitivity.md"
PAGE = FILE.read_text()
BLOCKS = re.findall(r"^```console\n\$ (.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
STATUS = {"CONSISTENT": 0, "REFUTED": 1}


def test_all_commands_are_found() -> None:
    """It must hold that the check below reads both commands of the page."""
    assert [block.split()[1] for block in BLOCKS] == ["sensitivity"] * 2


@pytest.mark.long
@pytest.mark.parametrize(
    "block", [BLOCKS[0], pytest.param(BLOCKS[1], marks=pytest.mark.slow)], ids=["first", "second"]
)
def test_a_command_prints_what_it_shows(
    block: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that each has its verdict, and prints its lines but for numbers."""
    monkeypatch.chdir(ROOT)
    command, *shown = block.splitlines()
    with imports_restored(ROOT / "examples"):
        status = main(shlex.split(command)[1:])
    assert status == STATUS[shown[0].partition(":")[0]]
    assert_in_order(FILE, command, shown, capsys.readouterr().out)
