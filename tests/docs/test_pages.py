"""Pages that are followed to the letter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from audit.cli import main
from tests.docs.pages import DOCS, Block, assert_shown, blocks, follow
from tests.user_files import imports_restored

PAGES = (
    "explanation/exact-audits.md",
    "explanation/floating-point.md",
    "how-to/evidence.md",
    "reference/configuration.md",
    "tutorial/first-audit.md",
    "tutorial/maintainer.md",
)


@pytest.fixture
def touchstone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[list[str]], str]:
    """Run the command in this process, and return what it prints; an error is none of a page.

    A process of its own would import everything again. The user's files are forgotten after each
    command: one that the page changes is another one for the next command.
    """

    def run(words: list[str]) -> str:
        with imports_restored(tmp_path):
            status = main(words)
        out, err = capsys.readouterr()
        assert status in (0, 1, 3), err
        return out

    return run


@pytest.mark.long
@pytest.mark.parametrize("name", PAGES)
def test_a_page_can_be_followed(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    touchstone: Callable[[list[str]], str],
) -> None:
    """It must hold that its commands run in an empty folder, and print what it shows."""
    monkeypatch.chdir(tmp_path)
    page = DOCS / name
    commands = sum(len(list(b.commands())) for b in blocks(page) if b.language == "console")
    assert 0 < follow(page, tmp_path, touchstone) <= commands


def test_a_line_that_is_not_printed_is_noticed() -> None:
    """It must hold of a wrong word, a missing line, a wrong order, and of more than is shown."""
    printed = "first 1\nsecond 2\nthird\n"
    for shown in (
        ["first 3", "second 2", "third"],
        ["first 1", "..."],
        ["...", "third"],
        ["first 1", "...", "third"],
        ["fir...", "sec... 2", "third"],
        [],
    ):
        assert_shown(shown, printed)
    for shown in (
        ["first"],
        ["first 1", "third"],
        ["...", "second 2", "...", "first 1", "..."],
        ["first 1", "second 2"],
        ["first 1", "second 2", "third", "fourth"],
        ["...", "third 1"],
    ):
        with pytest.raises(AssertionError):
            assert_shown(shown, printed)


def test_blocks_are_read() -> None:
    """It must hold that files have their names, and commands the lines below them."""
    assert Block("toml", "# a/b.toml\nx = 1\n").file == "a/b.toml"
    assert Block("python", "import audit\n").file is None
    (one, other) = Block("console", "$ a b\nx\ny\n$ c\n").commands()
    assert (one, other) == (("a b", ["x", "y"]), ("c", []))
