"""`touchstone evidence`: exit statuses, and what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit.cli import main
from tests.attestation.packs import gate_record


@pytest.fixture
def result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A report in the working folder."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "result.json"
    file.write_text(json.dumps(gate_record()))
    return file


@pytest.mark.long
def test_a_pack_is_made_once(result: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that it names verdicts and digest, and leaves a folder that is used alone."""
    assert main(["evidence", "result.json", "-o", "pack"]) == 0
    printed = capsys.readouterr().out
    assert "CONSISTENT: by samples" in printed
    digest = (result.parent / "pack" / "statement.json.sha256").read_text().split()[0]
    assert f"sha256 of the statement: {digest}" in printed
    assert main(["evidence", "result.json", "-o", "pack"]) == 2
    assert "not empty" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["/proc/x", ".", "n" * 300, "x\0y", "result.json/x"])
def test_a_folder_that_cannot_be_is_one_line(
    place: str, result: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that nothing is written, and that it is wrong usage."""
    assert main(["evidence", "result.json", "-o", place]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "internal error" not in err
    assert [path.name for path in result.parent.iterdir()] == ["result.json"]


WRONG = {
    "no file": ["nothing.json", "-o", "pack"],
    "no output": ["result.json"],
    "no report": ["other.json", "-o", "pack"],
    "no answers": ["result.json", "-o", "pack", "--fields", "nothing.toml"],
    "an output that is a file": ["result.json", "-o", "other.json"],
}


@pytest.mark.parametrize("words", WRONG.values(), ids=WRONG.keys())
def test_wrong_usage_is_two(
    words: list[str], result: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that it is one line, and that nothing is written."""
    (result.parent / "other.json").write_text("[]")
    assert main(["evidence", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (result.parent / "pack").exists()
