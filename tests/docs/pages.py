"""Follow a page to the letter: its files are written, its commands run, its output compared.

A block whose first line is a comment with the name of a file is that file. In a block of a console
`$ ` begins a command; the lines below it are printed, in their order, `...` standing for any number
of lines, or for the rest of one. Of numbers `tests.shown` says which may differ.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import final

from tests.shown import mask_of, updated

__all__ = ["DOCS", "Block", "assert_shown", "blocks", "follow", "written"]

DOCS = Path(__file__).parents[2] / "docs"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# ([\w./-]+\.(?:py|toml|json|csv))$")
NOT_HERE = ("pip install", "python -m venv", ". .venv/bin/activate", "python -m pip install")
"""Beginnings of commands that the environment of the tests has had."""

Run = Callable[[list[str]], str]
"""Runs a command of touchstone, and returns what it prints."""


@final
@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str

    @property
    def file(self) -> str | None:
        """Which file it is."""
        found = FILE.match(self.text.partition("\n")[0])
        return found[1] if found else None

    def commands(self) -> Iterator[tuple[str, list[str]]]:
        """Each command, and the lines that are shown below it."""
        for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            command, *shown = part.rstrip("\n").split("\n")
            yield command, shown


def blocks(page: Path) -> list[Block]:
    """All blocks of a page, in their order."""
    return [Block(*found) for found in FENCE.findall(page.read_text(encoding="utf-8"))]


def written(page: Path, folder: Path) -> list[str]:
    """Write the files of a page, and name them."""
    return [_write(block, folder) for block in blocks(page) if block.file]


def _write(block: Block, folder: Path) -> str:
    assert block.file is not None
    path = folder / block.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")
    # a file of one length that changes within a second looks to Python as if it had not
    shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)
    return block.file


def follow(page: Path, folder: Path, touchstone: Run) -> int:
    """Do what a page says, in a folder that is the working folder; count the commands that ran."""
    count = 0
    for block in blocks(page):
        if block.file:
            _write(block, folder)
        elif block.language == "console":
            for command, shown in block.commands():
                if command.startswith(NOT_HERE):
                    continue
                printed = _run(command, folder, touchstone)
                assert_shown(updated(page, command, shown, printed), printed, command)
                count += 1
    return count


def _run(command: str, folder: Path, touchstone: Run) -> str:
    words = shlex.split(command)
    if words[0] == "touchstone":
        return touchstone(words[1:])
    if echo := re.fullmatch(r"echo '(.*)' > (\S+)", command):
        (folder / echo[2]).write_text(f"{echo[1]}\n", encoding="utf-8")
        return ""
    assert words[0] in ("python", "pytest"), command
    first = [sys.executable, *(["-m", "pytest"] if words[0] == "pytest" else [])]
    done = subprocess.run(
        [*first, *words[1:]], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def assert_shown(shown: list[str], printed: str, command: str = "") -> None:
    """Check that lines are printed, in their order, and that nothing else is, but for `...`."""
    settled = mask_of(command, printed)
    lines = [settled(line.rstrip()) for line in printed.splitlines()]
    place, loose = 0, False
    for line in shown:
        if line == "...":
            loose = True
            continue
        wanted = settled(line.rstrip())
        while place < len(lines) and loose and not _fits(wanted, lines[place]):
            place += 1
        found = lines[place] if place < len(lines) else None
        assert found is not None, f"{command}: not printed: {line}"
        assert _fits(wanted, found), f"{command}: shown {line!r}, printed {found!r}"
        place, loose = place + 1, False
    assert loose or not shown or place == len(lines), f"{command}: more is printed: {lines[place:]}"


def _fits(wanted: str, line: str) -> bool:
    before, dots, after = wanted.partition("...")
    return line.startswith(before) and line.endswith(after) if dots else wanted == line
