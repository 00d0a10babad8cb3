"""Runs in several processes and in several sessions, from the command line."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit.cli import main
from audit.request.configuration import Config
from audit.request.plan import Plan
from audit.session import MOST_PROCESSES
from audit.suite.outcome import GateResult
from tests.cli.test_commands import gone, start
from tests.user_files import imports_restored

TARGETS = """
import time
from pathlib import Path

import numpy as np

calls = []


def sound(data, size, rng):
    return data.sum() + rng.laplace(0, 1, size)


def interrupted(data, size, rng):
    calls.append(size)
    if len(calls) == 15 and not Path("interrupted").exists():
        Path("interrupted").touch()
        raise KeyboardInterrupt
    return data.sum() + rng.laplace(0, 1, size)


def slow(data, size, rng):
    time.sleep(1e-2 * size)
    return data.sum() + rng.laplace(0, 1, size)


def unseeded(data, size):
    return data.sum() + np.random.default_rng().laplace(0, 1, size)
"""
CLAIM = ("--epsilon", "1", "--relation", "add-remove", "--pair", "p.json", "--ideal")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with mechanisms and one pair."""
    (tmp_path / "long.py").write_text(TARGETS)
    (tmp_path / "p.json").write_text('{"data": [0], "neighbor": [0, 1]}')
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        yield tmp_path


def report(capsys: pytest.CaptureFixture[str]) -> str:
    """What was printed, without names and times."""
    return re.sub(r"in [\d.]+ s|long\.py:\w+", "", capsys.readouterr().out)


@pytest.mark.slow
def test_an_interrupted_audit_is_gone_on_with(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the same command again ends with the report of an uninterrupted run."""
    words = (*CLAIM, "--budget-samples", "40000", "--resolution", "2", "--in-process")
    assert main(["audit", "long.py:sound", *words, "--seed", "7"]) == 0
    whole = report(capsys)
    command = ["audit", "long.py:interrupted", *words, "--resume", "run.saved"]
    assert main([*command, "--seed", "7"]) == 130
    assert capsys.readouterr().err.endswith(
        "(seed 7); the same command with --resume run.saved goes on\n"
    )
    for _ in ("the rest of the run", "its result"):
        del sys.modules["long"]  # another process; the seed is in the file
        assert main(command) == 0
        out = report(capsys)
        assert out == whole
        assert "--resume" not in out


ERRORS = {
    "--resume no/such/run": "is in a folder that does not exist",
    "--resume .": "is a folder",
    "--resume p.json": "is no saved audit, or is damaged; it was left as it is",
    "--jobs 0": "--jobs",
    "--backend threads": "--backend",
}


@pytest.mark.parametrize("words", ERRORS)
def test_wrong_uses_are_one_line(
    folder: Path, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that each wrong use is exit 2, before anything is drawn."""
    assert main(["audit", "long.py:sound", *CLAIM, *words.split()]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert ERRORS[words] in err
    assert (folder / "p.json").read_text().startswith("{")


def test_what_goes_by_no_seed_cannot_be_gone_on_with(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that --resume is refused where cut batches cannot be drawn again."""
    assert main(["audit", "long.py:unseeded", *CLAIM, "--resume", "run.saved"]) == 2
    assert "leave out --resume" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("how", ["Ctrl-C", pytest.param("SIGTERM", marks=pytest.mark.slow)])
def test_an_interruption_ends_the_workers_too(folder: Path, how: str) -> None:
    """It must hold that it is 130 in one line, the run is kept, and no process is left."""
    words = (*CLAIM, "--jobs", "2", "--budget-samples", "100000", "--resume", "run.saved")
    process = start("audit", "long.py:slow", *words, cwd=folder)
    wait_for_workers(process.pid, 2)
    time.sleep(1.0)
    if how == "Ctrl-C":
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.terminate()
    out, err = process.communicate(timeout=300)
    assert (process.returncode, out, err.count("\n")) == (130, "", 1), err
    assert err.startswith("touchstone: interrupted: long.py:slow after ")
    assert err.endswith("with --resume run.saved goes on\n")
    assert (folder / "run.saved").exists()
    assert gone(process.pid)


@pytest.mark.slow
def test_workers_do_not_outlive_their_coordinator(folder: Path) -> None:
    """It must hold that a coordinator that is killed leaves no process behind."""
    process = start("audit", "long.py:slow", *CLAIM, "--jobs", "2", cwd=folder)
    wait_for_workers(process.pid, 2)
    process.kill()
    process.communicate(timeout=300)
    assert gone(process.pid)


def wait_for_workers(pid: int, number: int) -> None:
    """Wait until a process has that many loky workers."""
    import psutil

    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        children = psutil.Process(pid).children(recursive=True)
        if sum("LokyProcess" in " ".join(c.cmdline()) for c in children) >= number:
            return
        time.sleep(0.1)
    raise TimeoutError


@pytest.mark.parametrize(
    ("words", "audits_at_a_time", "workers"),
    [((), 2, None), (("--jobs", "1"), 1, None), (("--jobs", "3"), 3, None),
     (("--jobs", "3", "--backend", "dask"), 1, 3)],
    ids=["default", "one process", "three processes", "dask"],
)  # fmt: skip
def test_the_gate_chooses_where_to_run(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    audits_at_a_time: int,
    workers: int | None,
) -> None:
    """It must hold that --jobs spreads the audits, and dask draws for one audit after the other."""
    entry = '[[audit]]\ntarget = "ksw.shifted-laplace"\n'
    (folder / "touchstone.toml").write_text(3 * entry)
    monkeypatch.setattr("audit.session.MOST_PROCESSES", MOST_PROCESSES)  # not that of the tests
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    seen: dict[str, Any] = {}

    def run_gate(config: Config, plans: list[Plan], **given: Any) -> GateResult:
        seen.update(given)
        raise KeyboardInterrupt

    monkeypatch.setattr("audit.suite.run.run_gate", run_gate)
    assert main(["gate", *words]) == 130
    assert seen["jobs"] == audits_at_a_time
    found = None if seen["source"] is None else seen["source"].workers.size
    assert found == workers
