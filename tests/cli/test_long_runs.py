"""Runs in several processes and in several sessions, from the command line."""

from __future__ import annotations

import os
import random
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
from audit.request.privacy_plan import PrivacyPlan
from audit.runs.session import MOST_PROCESSES
from audit.suite.gate_outcome import GateResult
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


@pytest.mark.long
def test_what_goes_by_no_seed_is_kept_by_its_draws(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the same command again gives the report again, though nothing repeats."""
    words = (*CLAIM, "--budget-samples", "2000", "--resume", "run.saved", "--inconclusive", "ok")
    told = []
    for _ in range(2):
        assert main(["audit", "long.py:unseeded", *words]) == 0
        told.append(report(capsys))
    assert told[0] == told[1]


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
    monkeypatch.setattr(
        "audit.runs.session.MOST_PROCESSES", MOST_PROCESSES
    )  # not that of the tests
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    seen: dict[str, Any] = {}

    def run_gate(config: Config, plans: list[PrivacyPlan], **given: Any) -> GateResult:
        seen.update(given)
        raise KeyboardInterrupt

    monkeypatch.setattr("audit.suite.gate_run.run_gate", run_gate)
    assert main(["gate", *words]) == 130
    assert seen["jobs"] == audits_at_a_time
    found = None if seen["source"] is None else seen["source"].workers.size
    assert found == workers


ON_PURPOSE = """
import time

import numpy as np


class Noise:
    def __init__(self, seedable, scale):
        self.seedable, self.scale = seedable, scale

    def sample(self, data, size, rng):
        time.sleep(2e-3 * size)
        return len(data) + rng.laplace(scale=self.scale, size=size)


sound, unseeded = Noise(True, 1.0), Noise(False, 1.0)
leaking, unseeded_leaking = Noise(True, 0.4), Noise(False, 0.4)
"""
SMALL = ("--epsilon", "1", "--relation", "add-remove", "--low", "0", "--high", "1", "--ideal",
         "--seed", "4", "--budget-samples", "4000", "--inconclusive", "ok")  # fmt: skip
KILLED = {
    "screening": ("k.py:sound", *SMALL, "--screen", "24"),
    "no seed": ("k.py:unseeded", *SMALL, "--screen", "24"),
    "witness": ("k.py:leaking", *SMALL, "--screen", "0"),
    "witness without a seed": ("k.py:unseeded_leaking", *SMALL, "--screen", "0"),
    "bound": ("k.py:unseeded_leaking", *SMALL, "--mode", "bound"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", KILLED)
def test_a_killed_run_ends_with_the_report_of_one_in_one_piece(name: str, tmp_path: Path) -> None:
    """It must hold of SIGKILL at twenty moments in all, chosen by chance; but for times."""
    (tmp_path / "k.py").write_text(ON_PURPOSE)
    asked = ("audit", *KILLED[name], "--budget-seconds", "900")

    def done(*words: str, report: str) -> str:
        process = start(*asked, *words, "--report", f"json={report}", cwd=tmp_path)
        out, err = process.communicate(timeout=900)
        assert process.returncode in (0, 1), out + err
        return re.sub(r'"seconds\w*": [^,\n]*', "", (tmp_path / report).read_text())

    began = time.monotonic()
    whole = done(report="whole.json")
    takes = time.monotonic() - began
    rng = random.Random(name)
    sizes = []
    for _ in range(4):
        process = start(*asked, "--resume", "run.saved", cwd=tmp_path)
        time.sleep(rng.uniform(0.25, 0.6) * takes)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=300)
        file = tmp_path / "run.saved"
        sizes.append(file.stat().st_size if file.exists() else 0)
    assert sizes == sorted(sizes)
    assert sizes[-1]
    assert done("--resume", "run.saved", report="pieces.json") == whole
