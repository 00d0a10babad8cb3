"""The page about clusters: its command gives the bytes of one process, and they are kept."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from audit.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "clusters.md"
BLOCK = re.compile(r"^```console\n\$ touchstone (.*)\n(.*)\n```", re.MULTILINE)
((COMMAND, FIRST),) = BLOCK.findall(PAGE.read_text())
WORDS = shlex.split(COMMAND)
CLUSTER = ("--backend", "dask", "--jobs", "2", "--resume", "run.saved")


def said(path: Path) -> str:
    """A report without its seconds."""
    return re.sub(r"\d[\d.]* s\b", "S", path.read_text())


def test_the_page_shows_the_words_of_a_cluster() -> None:
    """It must hold that what the slow test leaves out of the command is the cluster alone."""
    assert tuple(WORDS[-6:]) == CLUSTER
    assert "--budget-samples" in WORDS
    assert "dask" not in WORDS[:-6]


@pytest.mark.slow
def test_the_command_of_the_page_gives_the_bytes_of_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that two dask workers and none write the same report, and that it is kept."""
    monkeypatch.chdir(tmp_path)
    for words, file in ((WORDS[:-6], "whole"), (WORDS, "part"), (WORDS, "again")):
        assert main([*words, "--output", file]) == 1
    assert said(Path("whole")).startswith(FIRST)
    assert said(Path("part")) == said(Path("whole"))
    assert Path("again").read_text() == Path("part").read_text()
