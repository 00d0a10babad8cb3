"""The README's examples run as they stand, and print what it says."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from audit.cli import main

README = Path(__file__).parents[1] / "README.md"


def blocks(language: str) -> list[str]:
    """Fenced code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)


Run = Callable[[str], tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a line of the README that begins with `touchstone`: exit status, standard output."""

    def call(command: str) -> tuple[int, str]:
        words = shlex.split(command)
        assert words[0] == "touchstone"
        return main(words[1:]), capsys.readouterr().out

    return call


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to run in, with the README's mean in a file."""
    (code,) = (block for block in blocks("python") if "def mean" in block)
    (tmp_path / "release.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def audit_of_the_mean() -> str:
    """The command of the ten-line audit."""
    (command,) = re.findall(
        r"^\$ (touchstone audit release.py.*)$", README.read_text(), re.MULTILINE
    )
    return str(command)


def test_ten_lines_refute_a_broken_mean(folder: Path, run: Run) -> None:
    """The example exits with 1, names a pair and an event, and counts fresh draws."""
    status, printed = run(audit_of_the_mean())
    assert status == 1
    assert printed.startswith("REFUTED: release.py:mean")
    for words in ("one more at", "output", "fresh draws", "epsilon is at least"):
        assert words in printed


def test_the_whole_noise_is_consistent(folder: Path, run: Run) -> None:
    """With `scale=1.0` the same command finds nothing, and states its power."""
    file = folder / "release.py"
    file.write_text(file.read_text().replace("scale=0.5", "scale=1.0"))
    status, printed = run(audit_of_the_mean())
    assert status == 0
    assert printed.startswith("CONSISTENT")
    assert "would have" in printed


def test_a_claim_of_another_kind_is_refuted(run: Run) -> None:
    """The example with --mu exits with 1 and prints the README's line."""
    (block,) = (b for b in blocks("console") if "--mu" in b)
    command, line = block.removeprefix("$ ").splitlines()
    status, printed = run(command)
    assert status == 1
    assert printed.splitlines()[0] == line


def test_the_real_library_is_refuted(folder: Path, run: Run) -> None:
    """The diffprivlib example prints the README's sentence."""
    (block,) = (b for b in blocks("console") if "diffprivlib" in b)
    (pair,) = re.findall(r"^\$ echo '(.*)' > pair.json$", block, re.MULTILINE)
    (command,) = re.findall(r"^\$ (touchstone .*)$", block, re.MULTILINE)
    sentence = next(line for line in block.splitlines() if line.startswith("The claim"))
    (folder / "pair.json").write_text(pair)
    status, printed = run(command)
    assert status == 1
    assert sentence in printed
    ideal_status, _ = run(f"{command} --ideal --budget-samples 100000")
    assert ideal_status != 1


def test_the_validation_example_tells_reports_apart(folder: Path, run: Run) -> None:
    """The code of the README takes a report as it was written, and no other."""
    (code,) = (block for block in blocks("python") if "jsonschema" in block)
    words = "audit ksw.swap-laplace --budget-samples 20000 --format json --output report.json"
    run(f"touchstone {words} --seed 1")
    exec(code, {})
    report = folder / "report.json"
    report.write_text(report.read_text().replace('"audit"', '"gate"'))
    with pytest.raises(jsonschema.ValidationError):
        exec(code, {})


def test_the_gate_example_is_a_configuration(folder: Path, run: Run) -> None:
    """The configuration of the README is read, and its target, the broken mean, turns it red."""
    (config,) = blocks("toml")
    (folder / "src").mkdir()
    (folder / "src" / "release.py").write_text((folder / "release.py").read_text())
    (folder / "pyproject.toml").write_text(config)
    status, printed = run("touchstone gate --seed 1")
    assert status == 1
    assert "src/release.py:mean" in printed
