"""`touchstone report`: what it names of where it was made, and exit statuses."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from audit.cli import main
from tests.stored_reports import gate_of


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a stored report of a gate without audits that were made."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    (tmp_path / "gate.json").write_text(json.dumps(gate_of() | {"exit_status": 4}))
    return tmp_path


def test_origin_is_given_or_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of project, commit, date and who."""
    assert main(["report", "gate.json", "gate.json", "--format", "text"]) == 0
    found = capsys.readouterr().out
    assert f"project: {folder.name}\n" in found
    assert "commit: unknown: this folder is in no repository\n" in found
    assert "date: 2023-11-14\nrun by: not stated\n" in found
    words = ["--project", "Ages", "--commit", "abc", "--date", "2026-01-31", "--by", "Ann"]
    assert main(["report", "gate.json", "gate.json", "--format", "text", *words]) == 0
    told = capsys.readouterr().out
    assert "project: Ages\ncommit: abc\ndate: 2026-01-31\nrun by: Ann\n" in told
    assert "0 of 2 as expected, from 2 stored reports" in told


def test_one_file_is_the_report_of_its_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold unless a word about its origin is given."""
    assert main(["report", "gate.json", "--format", "json"]) == 0
    assert capsys.readouterr().out.strip() == (folder / "gate.json").read_text().strip()
    assert main(["report", "gate.json", "--format", "text"]) == 0
    assert "project: " not in capsys.readouterr().out
    assert main(["report", "gate.json", "--format", "text", "--by", "Ann"]) == 0
    assert "run by: Ann\n" in capsys.readouterr().out


def test_the_commit_is_the_folders(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold, and that files which differ from it are counted."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    assert main(["report", "gate.json", "gate.json", "--format", "text"]) == 0
    assert "commit: unknown" in capsys.readouterr().out
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "all"], check=True)
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], text=True).strip()
    assert main(["report", "gate.json", "gate.json", "--format", "text"]) == 0
    assert f"commit: {commit}\n" in capsys.readouterr().out
    (folder / "new.txt").write_text("new")
    assert main(["report", "gate.json", "gate.json", "--format", "text"]) == 0
    assert f"commit: {commit} and 1 changed file\n" in capsys.readouterr().out


WRONG = {
    "no file": ["nothing.json"],
    "none": [],
    "no report": ["other.json"],
    "a form that renders nothing": ["gate.json", "gate.json", "--format", "json"],
    "an output in no folder": ["gate.json", "-o", "no/where.html"],
}


@pytest.mark.parametrize("words", WRONG.values(), ids=WRONG.keys())
def test_wrong_usage_is_two(
    words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that it is one line."""
    (folder / "other.json").write_text("[]")
    assert main(["report", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1
