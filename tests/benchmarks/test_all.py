"""`python -m benchmarks`: the commands of the README, and a run that goes on where it stopped."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as every

TEXT = """
## one

`python -m benchmarks.means [--reps N] --output FOLDER`: what it is. Then `python -m benchmarks.x`.

## prose

Nothing runs.

## two words

`python -m benchmarks.exact --output FILE`
"""


def test_commands_are_the_first_of_each_section(tmp_path: Path) -> None:
    """It must hold that optional words are left out, and files lie in the folder."""
    found = every.commands(TEXT, tmp_path)
    assert found == {
        "one": ["-m", "benchmarks.means", "--output", str(tmp_path / "one")],
        "two words": ["-m", "benchmarks.exact", "--output", str(tmp_path / "two-words.jsonl")],
    }


def test_commands_of_the_readme_are_modules(tmp_path: Path) -> None:
    """It must hold of all sections that name one."""
    found = every.commands(every.README.read_text(encoding="utf-8"), tmp_path)
    assert len(found) >= 20
    assert all(importlib.util.find_spec(words[1]) for words in found.values())
    assert not any("[" in word or "]" in word for words in found.values() for word in words)


def test_what_is_done_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a second run runs what failed, alone."""
    ran: list[str] = []

    def fake(words: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        ran.append(words[2])
        code = int(words[2] == "benchmarks.exact" and len(ran) < 3)
        return subprocess.CompletedProcess(words, code, "printed", "")

    (tmp_path / "README.md").write_text(TEXT)
    monkeypatch.setattr(every, "README", tmp_path / "README.md")
    monkeypatch.setattr(every.subprocess, "run", fake)
    assert every.main(["--output", str(tmp_path / "out")]) == 1
    assert every.main(["--output", str(tmp_path / "out")]) == 0
    assert ran == ["benchmarks.means", "benchmarks.exact", "benchmarks.exact"]
    assert (tmp_path / "out" / "one.txt").read_text() == "printed"
    with pytest.raises(SystemExit):
        every.main(["nothing"])
    assert "two words" in capsys.readouterr().err
