"""What is to be written and cannot be: one line, exit 2, and the result of a run is not lost."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from audit.cli import COMMANDS, main
from tests.stored_reports import gate_of

EXACT = ("audit", "ksw.swap-laplace", "--mode", "exact")
SAMPLES = ("audit", "corpus.laplace", "--ideal", "--budget-samples", "4000", "--seed", "1")
FIGURE = ("figure", "noise-balls")
QUERY = (
    *("sensitivity", "builtins:len", "--norm", "l1", "--at-most", "1", "--relation", "add-remove"),
    *("--low", "0", "--high", "1", "--budget-pairs", "10", "--seed", "1"),
)
OUTPUTS = {
    ("audit", "--output"): (*EXACT, "--output", "{}"),
    ("audit", "--report"): (*EXACT, "--report", "html={}"),
    ("audit", "--certificate"): (*EXACT, "--certificate", "{}"),
    ("audit", "--resume"): (*SAMPLES, "--resume", "{}"),
    ("sensitivity", "--output"): (*QUERY, "--output", "{}"),
    ("sensitivity", "--report"): (*QUERY, "--report", "html={}"),
    ("account", "--output"): ("account", "plan.toml", "--output", "{}"),
    ("account", "--certificate"): ("account", "plan.toml", "--certificate", "{}"),
    ("account", "--csv"): ("account", "plan.toml", "--csv", "{}"),
    ("account", "--report"): ("account", "plan.toml", "--report", "html={}"),
    ("gate", "--output"): ("gate", "--output", "{}"),
    ("gate", "--report"): ("gate", "--report", "json={}"),
    ("gate", "--carry"): ("gate", "--carry", "{}"),
    ("prove", "--output"): ("prove", "KSW-T2", "--output", "{}"),
    ("table", "--output"): ("table", "variance", "--output", "{}"),
    ("survey", "--output"): ("survey", "graphlib", "--output", "{}"),
    ("survey", "--report"): ("survey", "graphlib", "--report", "html={}"),
    ("survey", "--resume"): ("survey", "graphlib", "--resume", "{}"),
    ("schema", "--output"): ("schema", "table.csv", "--output", "{}"),
    ("report", "--output"): ("report", "stored.json", "--output", "{}"),
    ("figure", "--output"): (*FIGURE, "--output", "{}"),
}
"""Every option that writes, in a command that gets as far."""

READ = {
    "--data",
    "--pair",
    "--check",
    "--multisets",
    "--trade-off",
    "--fields",
    "--schema",
    "--rows",
}
"""Options whose value is or may be called a file, and that only read it."""


CONFIG = '[[audit]]\ntarget = "ksw.swap-laplace"\nmode = "exact"\n'
PLAN = 'relation = "swap"\ndelta = "1e-5"\n'
STORED = json.dumps(gate_of())
BASELINE = 'baseline = "b/base.json"\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOUCHSTONE_TRACEBACK", raising=False)
    (tmp_path / "touchstone.toml").write_text(CONFIG)
    (tmp_path / "plan.toml").write_text(PLAN)
    (tmp_path / "stored.json").write_text(STORED)
    (tmp_path / "table.csv").write_text("age,name\n1,a\n2,b\n")
    return tmp_path


def test_every_option_that_writes_is_tried() -> None:
    """It must hold of the parsers: what names a file writes it here, or only reads it."""
    found = set()
    for name, (module, _) in COMMANDS.items():
        command = importlib.import_module(module).command
        for option in command.params:
            if isinstance(option, click.Option) and "FILE" in (option.metavar or ""):
                found |= {(name, max(option.opts, key=len))}
    assert {one for one in found if one[1] not in READ} == set(OUTPUTS)


@pytest.mark.parametrize("place", ["/proc/x", ".", "missing/x", "n" * 300, "x\0y"])
@pytest.mark.parametrize("option", OUTPUTS, ids=" ".join)
def test_what_cannot_be_written_is_told_before_the_run(
    option: tuple[str, str], place: str, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """It must hold of a place that no file can have: one line, and nothing was run."""
    place = f"{place}.svg" if option[0] == "figure" and place != "." else place
    (folder / "..svg").mkdir()
    place = "..svg" if option[0] == "figure" and place == "." else place
    before = sorted(folder.iterdir())
    assert main([word.format(place) for word in OUTPUTS[option]]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("touchstone: ")
    assert err.count("\n") == 1
    assert "internal error" not in err
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("option", OUTPUTS, ids=" ".join)
def test_a_full_disk_loses_no_result(
    option: tuple[str, str], capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """It must hold that the report is on standard output before the one line of the error."""
    (folder / "full.svg").symlink_to("/dev/full")
    place = "full.svg" if option[0] == "figure" else "/dev/full"
    assert main([word.format(place) for word in OUTPUTS[option]]) == 2
    out, err = capsys.readouterr()
    assert err.startswith("touchstone: ")
    assert err.count("\n") == 1
    assert "No space left on device" in err or "not a regular file" in err
    run = option[1] not in ("--resume", "--carry")  # which are read first
    assert bool(out) == run
    if option[0] in ("audit", "gate") and run:
        assert "PROVED" in out
    if option[0] == "prove":
        assert "KSW-T2" in out


def test_a_file_is_tried_and_left_as_it_was(folder: Path) -> None:
    """It must hold of one that is there when the command does not come to write it."""
    file = folder / "report.txt"
    file.write_text("before")
    assert main(["audit", "no.such", "--output", "report.txt"]) == 2
    assert file.read_text() == "before"
    assert main(["audit", "no.such", "--output", "other.txt"]) == 2
    assert not (folder / "other.txt").exists()
    (folder / "link.txt").symlink_to("other.txt")
    assert main(["audit", "no.such", "--output", "link.txt"]) == 2
    assert (folder / "link.txt").is_symlink()
    assert not (folder / "other.txt").exists()


def test_every_report_is_written_that_can_be(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that one of several that fails takes no other with it."""
    reports = ["--report", "json=/dev/full", "--report", "markdown=a.md", "--output", "/dev/full"]
    assert main([*EXACT, *reports]) == 2
    out, err = capsys.readouterr()
    assert out.startswith("PROVED")
    assert (folder / "a.md").read_text()
    assert err.count("cannot be written") == 2
    assert err.count("\n") == 1


def test_a_baseline_that_cannot_be_written_is_told_before_the_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of a folder that is missing; nothing was run."""
    (folder / "touchstone.toml").write_text(BASELINE + CONFIG)
    assert main(["gate", "--write-baseline"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == (
        "",
        "touchstone: baseline b/base.json is in a folder that does not exist\n",
    )
    (folder / "b").mkdir()
    assert main(["gate", "--write-baseline", "--seed", "1"]) == 0
    capsys.readouterr()


@pytest.mark.long
@pytest.mark.parametrize("of", ["baseline", "carry", "resume"])
def test_what_fails_at_the_end_of_a_run_loses_no_result(
    of: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold where files are exchanged as a whole, and the disk is full by then."""
    (folder / "b").mkdir()
    config = CONFIG.replace('mode = "exact"', "budget_samples = 4000")
    (folder / "touchstone.toml").write_text(BASELINE * (of == "baseline") + config)
    words = {
        "baseline": ["gate", "--seed", "1", "--ideal", "--write-baseline", "--inconclusive", "ok"],
        "carry": ["gate", "--seed", "1", "--ideal", "--carry", "c.json", "--inconclusive", "ok"],
        "resume": [*SAMPLES, "--resume", "r.save", "--inconclusive", "ok"],
    }[of]
    replaced = Path.replace
    calls = 0

    def full(self: Path, target: Path) -> Path:
        nonlocal calls
        calls += target.name in ("base.json", "c.json", "r.save")
        if target.name in ("base.json", "r.save") or (target.name == "c.json" and calls > 1):
            raise OSError(28, "No space left on device")
        return replaced(self, target)

    monkeypatch.setattr(Path, "replace", full)
    status = main(words)
    out = " ".join(capsys.readouterr().out.split())
    assert calls
    assert "No space left on device" in out
    assert ("CONSISTENT" in out) or ("INCONCLUSIVE" in out)
    assert status == 2


def test_a_configuration_that_cannot_be_written_is_shown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of `touchstone init`."""
    (folder / "touchstone.toml").unlink()
    (folder / "touchstone.toml").symlink_to("/dev/full")
    assert main(["init", "--force"]) == 2
    out, err = capsys.readouterr()
    assert "[[audit]]" in out
    assert err == "touchstone: init: touchstone.toml cannot be written: No space left on device\n"


def test_standard_output_that_cannot_be_written_is_one_line() -> None:
    """It must hold that a full disk behind `>` is exit 2, without a traceback."""
    code = "import sys; from audit.cli import main; sys.exit(main())"
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [sys.executable, "-c", code, "list", "noises"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    line = "touchstone: standard output cannot be written: No space left on device\n"
    assert (run.returncode, run.stderr) == (2, line)
