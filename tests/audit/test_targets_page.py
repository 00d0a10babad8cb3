"""The commands of the page about targets run as they are printed, on the examples."""

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
from audit.request.configured_audits import entries_of
from tests.shown import BY_CHANCE, assert_in_order
from tests.user_files import imports_restored

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "targets.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
STATUS = {"CONSISTENT": 0, "PROVED": 0, "REFUTED": 1}


def blocks(language: str) -> list[str]:
    """Fenced blocks of a language."""
    return [text for name, text in BLOCK.findall(PAGE.read_text()) if name == language]


def commands() -> Iterator[tuple[str, list[str]]]:
    """Commands of the page, each with the lines that it prints."""
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *printed = part.splitlines()
            yield command, printed


COMMANDS = list(commands())


def marks_of(shown: list[str]) -> tuple[pytest.MarkDecorator, ...]:
    """Runs that find nothing take long."""
    return () if shown[0].startswith("REFUTED") else (pytest.mark.slow,)


def test_all_commands_are_found() -> None:
    """It must hold that the check below reads the six commands of the page."""
    assert [command.split()[1] for command, _ in COMMANDS] == ["audit"] * 6


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "shown"),
    [
        pytest.param(*one, id=str(number), marks=marks_of(one[1]))
        for number, one in enumerate(COMMANDS, start=1)
    ],
)
def test_a_command_of_a_page_prints_what_it_shows(
    command: str,
    shown: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold that each command has its verdict, and prints its lines but for numbers.

    Where the target's own randomness cannot be seeded, chance decides which event convicts it.
    """
    monkeypatch.chdir(ROOT)
    program, name, *words = shlex.split(command)
    assert (program, name) == ("touchstone", "audit")
    with imports_restored(ROOT / "examples"):
        status = main([name, "--budget-seconds", "600", *words])  # the machine may be busy
    printed = capsys.readouterr().out
    assert status == STATUS[shown[0].partition(":")[0]]
    if BY_CHANCE.search(printed):
        shown = without_event(shown)
    assert_in_order(PAGE, command, shown, printed)


def without_event(shown: list[str]) -> list[str]:
    """The lines without what the first sentences say of the event that convicts."""
    place = shown.index("...")
    claim, false, _ = " ".join(shown[:place]).partition(" is false")
    return [claim + false, *shown[place:]]


def test_only_the_words_of_the_event_are_left_out() -> None:
    """It must hold that the claim and the lines below the event are compared."""
    event = ["The claim is false for the numbers that", "are released. Output <= 1: likely.", "..."]
    shown = ["REFUTED: it", *event, "claim  epsilon = 1"]
    assert without_event(shown) == ["REFUTED: it The claim is false", "...", "claim  epsilon = 1"]


def test_the_configuration_of_the_page_is_one() -> None:
    """It must hold that the [[audit]] of the page is read without an error, and is a command."""
    (block,) = blocks("toml")
    (table,) = tomllib.loads(block)["tool"]["touchstone"]["audit"]
    (entry,) = entries_of(table, "audit", ROOT)
    assert entry.request.command[0] == "awk"


def test_the_example_in_python_answers_like_the_one_in_awk() -> None:
    """It must hold that both programs write as many lines as they are asked for, by the seed."""
    request = '{"data": [0.0, 1.0, 7.5], "size": 5, "seed": 3}'
    for words in (
        ["awk", "-v", "scale=1", "-f", "noisy_sum.awk"],
        [sys.executable, "noisy_mean.py", "--epsilon", "1"],
    ):
        first, again, other = (
            subprocess.run(
                words,
                input=text,
                cwd=ROOT / "examples",
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for text in (request, request, request.replace("3}", "4}"))
        )
        assert len(first.splitlines()) == 5
        assert first == again != other
