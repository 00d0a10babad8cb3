"""Numbers of pages are compared, a page with a wrong digit fails, and one command mends it."""

from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path

import pytest

from tests import shown
from tests.docs.pages import assert_shown as follow_shown
from tests.shown import UPDATE, assert_in_order, is_platform_of_the_lock, locked_numpy, updated
from tests.test_readme import assert_shown as readme_shown

PRINTED = """\
REFUTED: f
counts    79 of 123 draws, 9 of 123
          epsilon > 1.19 > 1
2 of 2 as expected in 6.4 s
"""
LINES = ["REFUTED: f", "counts    79 of 123 draws, 9 of 123", "2 of 2 as expected in 8.1 s"]
SEEDED, FREE = "touchstone audit f --seed 1", "touchstone audit f"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page with the command, and another one that shows the same lines."""
    text = "\n".join(LINES[:2])
    path = tmp_path / "page.md"
    path.write_text(f"$ {FREE}\n{text}\n...\n\n$ {SEEDED}\n{text}\n...\n{LINES[2]}\n")
    return path


def test_ci_compares_numbers() -> None:
    """It must hold where CI runs on the platform of the lock: there numpy is the lock's.

    Otherwise the numbers of the pages would be compared nowhere, and nobody would see it.
    """
    if os.environ.get("CI") and is_platform_of_the_lock():
        assert version("numpy") == locked_numpy(), "install numpy of requirements-dev.lock"


@pytest.mark.parametrize("compare", ["readme", "follow", "order"])
@pytest.mark.parametrize("exact", [True, False])
def test_one_digit_makes_a_page_fail(
    compare: str, exact: bool, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of each way in which pages are compared, of commands with a seed only."""
    monkeypatch.setattr(shown, "EXACT", exact)
    monkeypatch.delenv(UPDATE, raising=False)

    def check(lines: list[str], command: str, printed: str = PRINTED) -> None:
        match compare:
            case "readme":
                readme_shown(lines, printed, command)
            case "follow":
                follow_shown([*lines[:-1], "...", lines[-1]], printed, command)
            case "order":
                assert_in_order(page, command, lines, printed)

    check(LINES, SEEDED)
    check(LINES, FREE)
    for old, new in (("79", "78"), ("79", "9"), ("9 of 123", "9 of 124"), ("2 of 2", "1 of 2")):
        wrong = [line.replace(old, new) for line in LINES]
        check(wrong, FREE)
        check(wrong, SEEDED, f"{PRINTED}the target's own randomness cannot be seeded\n") if (
            compare != "follow"
        ) else None
        if exact:
            with pytest.raises(AssertionError):
                check(wrong, SEEDED)
        else:
            check(wrong, SEEDED)
    with pytest.raises(AssertionError):
        check([line.replace("draws", "calls") for line in LINES], SEEDED)


def test_a_page_is_written_anew(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold of the block of the command alone, of its numbers, and not of its words."""
    monkeypatch.setattr(shown, "EXACT", True)
    monkeypatch.setenv(UPDATE, "1")
    before = page.read_text()
    printed = PRINTED.replace("79 of 123", "101 of 1,204").replace("6.4 s", "9.9 s")
    lines = [LINES[0], LINES[1], "...", LINES[2]]
    now = updated(page, SEEDED, lines, printed)
    assert now == [LINES[0], "counts    101 of 1,204 draws, 9 of 123", "...", LINES[2]]
    head, _, block = before.rpartition(SEEDED)
    assert page.read_text() == head + SEEDED + block.replace("79 of 123", "101 of 1,204")
    assert_in_order(page, SEEDED, now, printed)
    with pytest.raises(AssertionError):
        assert_in_order(page, SEEDED, ["counts    79 of 123 calls"], printed)
    monkeypatch.delenv(UPDATE)
    assert updated(page, SEEDED, lines, printed) == lines


def test_the_lock_is_read() -> None:
    """It must hold that it names one version of numpy."""
    assert locked_numpy().count(".") == 2
