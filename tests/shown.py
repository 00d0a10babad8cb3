"""What pages show below a command, beside what the command prints: numbers too, where they can be.

A command with `--seed` prints the same numbers wherever numpy is the version of
`requirements-dev.lock`, on x86-64 Linux with CPython 3.11. There all numbers are compared but times
and folders; elsewhere, and of runs that say that they are not repeated by their seed, each number
may be another one.

With TOUCHSTONE_UPDATE_PAGES=1 in the environment the tests write the numbers that were printed into
the pages. Words are not written: a line whose words are not printed fails all the same.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

__all__ = [
    "BY_CHANCE",
    "EXACT",
    "NUMBER",
    "assert_in_order",
    "has_exact_numbers",
    "is_platform_of_the_lock",
    "locked_numpy",
    "mask_of",
    "updated",
]

ROOT = Path(__file__).parents[1]
NUMBER = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")
TIME = re.compile(r" *[0-9]+(?:\.[0-9]+)? s\b")
BY_CHANCE = re.compile(
    r"randomness\s+cannot\s+be\s+seeded|not\s+repeated\s+exactly|the\s+clock\s+chose"
)
"""What reports say of runs that their seed does not repeat."""

UPDATE = "TOUCHSTONE_UPDATE_PAGES"


def locked_numpy() -> str:
    """The version of numpy in the lock."""
    text = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
    (found,) = re.findall(r"^numpy==([^ \\]+)", text, re.MULTILINE)
    return str(found)


def is_platform_of_the_lock() -> bool:
    """Whether the interpreter and the machine are those whose numbers the pages show."""
    is_linux = (sys.platform, platform.machine()) == ("linux", "x86_64")
    is_cpython = sys.implementation.name == "cpython" and sys.version_info[:2] == (3, 11)
    return is_linux and is_cpython


EXACT = is_platform_of_the_lock() and version("numpy") == locked_numpy()
"""Whether numbers are compared here."""


def has_exact_numbers(command: str, printed: str) -> bool:
    """Whether a command prints the same numbers wherever `EXACT` holds."""
    return re.search(r"\s--seed[\s=]", command) is not None and not BY_CHANCE.search(printed)


def mask_of(command: str, printed: str) -> Callable[[str], str]:
    """What takes the numbers out of a line that need not be the same, of a page or printed."""
    if not (EXACT and has_exact_numbers(command, printed)):
        return lambda line: NUMBER.sub("#", line)
    return lambda line: TIME.sub(" # s", line).replace(str(Path.cwd()), "FOLDER")


def updated(page: Path, command: str, shown: list[str], printed: str) -> list[str]:
    """Lines of a page with the numbers that are printed, if these are to be written into it."""
    if not (os.environ.get(UPDATE) and EXACT and has_exact_numbers(command, printed)):
        return shown
    text = page.read_text(encoding="utf-8")
    head, start, rest = text.partition(f"$ {command}\n")
    assert start, f"{page} has no command {command}"
    place, lines = 0, []
    mask = mask_of(command, printed)
    for line in shown:
        words = line.removesuffix("...").strip()
        found = _pattern(words).search(printed, place) if NUMBER.search(words) else None
        new = line
        if found is not None:
            place = found.end()
            new = line.replace(words, re.sub(r"\s*\n\s*", " ", found[0]), 1)
        if mask(" ".join(new.split())) == mask(" ".join(line.split())):
            new = line  # but for times
        before, same, after = rest.partition(f"{line}\n")
        assert same or new == line, line
        rest = f"{before}{new}\n{after}" if new != line else rest
        lines.append(new)
    page.write_text(f"{head}{start}{rest}", encoding="utf-8")
    return lines


def assert_in_order(page: Path, command: str, shown: list[str], printed: str) -> None:
    """Check that the words of lines are printed, in their order, wherever lines end."""
    mask = mask_of(command, printed)
    text = f" {mask(' '.join(printed.split()))} "
    for line in updated(page, command, shown, printed):
        if line in ("", "..."):
            continue
        whole = f" {mask(' '.join(line.split()))} "
        wanted = whole.partition("...")[0]  # a part of a word may be left out, too
        _, found, text = text.partition(wanted)
        assert found, f"{command}: not printed: {line}"
        text = f" {text}"


def _pattern(line: str) -> re.Pattern[str]:
    """A line whose numbers, and ends of lines between its words, may be others."""
    parts = re.split(r"(\s+)", line)
    return re.compile("".join(r"\s+" if part.isspace() else _word(part) for part in parts))


def _word(word: str) -> str:
    texts = NUMBER.split(word)
    return NUMBER.pattern.join(map(re.escape, texts))
