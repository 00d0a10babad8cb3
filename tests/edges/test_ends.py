"""Code of a user's that ends its process: no door says 0, all name it, and no verdict is lost."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from audit.targets.separation import ProcessEnded, now_at, separately
from mechanisms.errors import InvalidArgument
from tests.edges.enders import KINDS, PLANNED, RUN, WAYS, command, keys, module
from tests.slow import one_in

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from audit.cli import main; raise SystemExit(main())"]
SAID = (
    *("the process ended (", "raised SystemExit", "raised KeyboardInterrupt", "SystemExit:"),
    "KeyboardInterrupt:",
)

BAD = """
import numpy as np
def half(data, size, rng):
    return np.clip(np.nan_to_num(data), 0, 1).sum() + rng.laplace(scale=.1, size=size)
"""
FIRST = """
[[audit]]
target = "bad.py:half"
epsilon = 1
relation = "add-remove"
low = 0
high = 1
ideal = true
budget_samples = 20000
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program; a pipe that stays open would be a process that was left behind."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [*PROGRAM, *words],
        cwd=folder,
        env=environment,
        text=True,
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert "Traceback" not in done.stderr
    return done


@pytest.mark.long
@pytest.mark.parametrize(("kind", "way"), one_in(5, itertools.product(KINDS, WAYS)))
def test_a_command_names_what_ended_it(tmp_path: Path, kind: str, way: str) -> None:
    """It must hold of every kind and way: status 2 or a row that says so, in one sentence."""
    (tmp_path / "m.py").write_text(module(KINDS[kind].hole, way))
    done = run(tmp_path, *command(KINDS[kind], "m.py"))
    told = done.stdout + done.stderr
    assert any(words in told for words in SAID), told
    assert any(name in told for name in ("m.py", "M", " m: "))
    if KINDS[kind].command == "init":  # it writes the entry commented out
        assert (done.returncode, done.stderr) == (0, "")
        (row,) = re.findall(r"^ +m\.py:M +(.*)$", done.stdout, re.MULTILINE)
        assert any(words in row for words in SAID), done.stdout
        written = (tmp_path / "touchstone.toml").read_text()
        assert '\n# target = "m.py:M"\n' in written
        assert '\ntarget = "m.py:M"' not in written
    else:
        assert (done.returncode, done.stdout) == (2, ""), told
        assert done.stderr.count("\n") == 1
        assert len(done.stderr) <= 300


LEAKY = """
import os
from fractions import Fraction as F
from mechanisms.claims import Order
class M:
    order, low, high = Order.FREE, F(0), F(1)
    def sample(self, data, size, *, rng):
        return 9 * len(data) + rng.laplace(size=size)
    def exact_law(self, data):
        os._exit(0)
"""


@pytest.mark.long
def test_what_the_samples_showed_is_not_lost(tmp_path: Path) -> None:
    """It must hold where the stated law, which is looked at behind them, ends the process."""
    (tmp_path / "m.py").write_text(LEAKY)
    words = ("--epsilon", "1", "--relation", "add-remove", "--ideal", "--seed", "1")
    done = run(tmp_path, "audit", "m.py:M", *words)
    assert (done.returncode, done.stdout.partition(":")[0]) == (1, "REFUTED"), done.stderr
    assert "the stated law is not beside the samples: the process ended" in " ".join(
        done.stdout.split()
    )


def entries(folder: Path, kinds: tuple[str, ...]) -> list[str]:
    """A configuration: one that is refuted, each kind in each way, and one that is proved."""
    (folder / "bad.py").write_text(BAD)
    text, names = FIRST, []
    for kind in kinds:
        for way in WAYS:
            names.append(f"{kind}_{way}.py:M")
            (folder / f"{kind}_{way}.py").write_text(module(KINDS[kind].hole, way))
            text += f'\n[[audit]]\ntarget = "{names[-1]}"\n{keys(kind)}'
    text += '\n[[audit]]\ntarget = "ksw.swap-laplace"\nmode = "exact"\n'
    (folder / "touchstone.toml").write_text(text)
    return names


@pytest.mark.long
@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_a_gate_loses_no_other_verdict(tmp_path: Path, jobs: int) -> None:
    """It must hold that the others have their verdicts, and every report is written."""
    names = entries(tmp_path, RUN)
    reports = [f"--report={form}=r.{form}" for form in ("json", "html", "junit", "markdown")]
    done = run(tmp_path, "gate", "--jobs", str(jobs), *reports)
    assert done.returncode == 2, done.stderr
    audits = json.loads((tmp_path / "r.json").read_text())["audits"]
    found = {one["name"]: one for one in audits}
    assert found["bad.py:half"]["report"]["verdict"] == "REFUTED"
    assert found["ksw.swap-laplace"]["report"]["verdict"] == "PROVED"
    for name in names:
        told = found[name]["error"] or str(found[name]["report"])
        assert any(words in told for words in SAID), (name, told)
    assert all((tmp_path / f"r.{form}").stat().st_size for form in ("html", "junit", "markdown"))


@pytest.mark.long
@pytest.mark.parametrize(("kind", "way"), one_in(5, itertools.product(PLANNED, WAYS)))
def test_a_gate_names_the_entry_that_cannot_be_planned(tmp_path: Path, kind: str, way: str) -> None:
    """It must hold that nothing is run, as with any entry that is wrong, and the entry is named."""
    (tmp_path / "bad.py").write_text(BAD)
    (tmp_path / "m.py").write_text(module(KINDS[kind].hole, way))
    entry = f'\n[[audit]]\ntarget = "m.py:M"\n{keys(kind)}'
    (tmp_path / "touchstone.toml").write_text(FIRST + entry)
    done = run(tmp_path, "gate")
    assert (done.returncode, done.stdout) == (2, "")
    assert "m.py:M" in done.stderr
    assert any(words in done.stderr for words in SAID)


@pytest.mark.long
def test_a_session_of_pytest_goes_on(tmp_path: Path) -> None:
    """It must hold that each test whose audit ends the process fails, and the last one passes."""
    text = "import os, pytest, ctypes, sys, signal, threading, time\n"
    kinds = [kind for kind in KINDS if KINDS[kind].command == "audit" and kind != "utility_claims"]
    for kind in kinds:
        for way in WAYS:
            (tmp_path / f"{kind}_{way}.py").write_text(module(KINDS[kind].hole, way))
            words = 'mode="exact"' if kind != "sampled" else "ideal=True, budget_samples=2000"
            text += f"""
@pytest.mark.privacy(target="{kind}_{way}.py:M", {words})
def test_{kind}_{way}():
    pass
"""
    text += """
@pytest.fixture
def ends():
    os._exit(0)

@pytest.mark.privacy(epsilon=1, relation="swap")
def test_fixture(ends):
    pass

def test_body(privacy_audit):
    os._exit(0)

@pytest.mark.privacy(target="ksw.swap-laplace", mode="exact")
def test_last():
    pass
"""
    (tmp_path / "test_all.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=r.xml"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout
    cases = ET.parse(tmp_path / "r.xml").getroot().iter("testcase")
    failed = {
        case.get("name"): any(one.tag in ("failure", "error") for one in case) for case in cases
    }
    assert len(failed) == len(kinds) * len(WAYS) + 3
    assert [name for name, fails in failed.items() if not fails] == ["test_last"]


@pytest.mark.long
def test_python_goes_on(tmp_path: Path) -> None:
    """It must hold that each call raises an error that says so, and the last one works."""
    text = "import audit\nfrom mechanisms.errors import TouchstoneError\n"
    text += "SWAP = {'relation': 'swap', 'low': 0, 'high': 1}\n"
    doors = {
        "audit": "audit.prove({target!r}, epsilon=1, relation='add-remove')",
        "sensitivity": "audit.sensitivity({target!r}, norm='l1', at_most=1, **SWAP)",
        "account": "audit.account(__import__({file!r}).plan(), relation='swap', delta='1e-5')",
    }
    calls = 0
    for kind in (
        "import",
        "constructor",
        "property",
        "exact_law",
        "breakpoints",
        "density",
        "query",
    ):
        for way in WAYS:
            (tmp_path / f"{kind}_{way}.py").write_text(module(KINDS[kind].hole, way))
            door = KINDS[kind].command
            target = f"{kind}_{way}.py:{'query' if door == 'sensitivity' else 'M'}"
            calls += 1
            text += f"""
try:
    print("NO", {doors[door].format(target=target, file="")})
except TouchstoneError as exc:
    print("told", exc)
"""
    text += "print(audit.prove('ksw.swap-laplace').verdict)\n"
    (tmp_path / "run.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "run.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        text=True,
        capture_output=True,
        check=False,
    )
    *told, last = (line for line in done.stdout.splitlines() if not line.startswith(" "))
    assert (done.returncode, last, len(told)) == (0, "PROVED", calls), done.stdout + done.stderr
    assert all(line.startswith("told ") and any(s in line for s in SAID) for line in told), told


def _thread() -> None:
    threading.Thread(target=os._exit, args=(0,)).start()
    time.sleep(5)


def _interrupt() -> None:
    raise KeyboardInterrupt


HERE: dict[str, Any] = {
    "exit": lambda: os._exit(0),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "sys_exit": lambda: sys.exit(0),
    "interrupt": _interrupt,
    "thread": _thread,
}


@pytest.mark.parametrize("way", HERE)
def test_the_end_of_work_is_an_error(way: str) -> None:
    """It must hold of each way; and of what works, and of what fails, that it comes back."""

    def work() -> None:
        now_at("m.py:M")
        HERE[way]()

    with pytest.raises(ProcessEnded, match=r"^m\.py:M: .* before there was a verdict$"):
        separately(work)
    assert separately(lambda: [1, "two"]) == [1, "two"]
    with pytest.raises(InvalidArgument, match=r"^no$"):
        separately(lambda: (_ for _ in ()).throw(InvalidArgument("no")))


def test_what_cannot_be_sent_is_made_again() -> None:
    """It must hold of results, and of exceptions that are bugs of ours: these keep their frames."""
    local = type("Local", (), {})
    assert type(separately(local)) is local

    def work() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as told:
        separately(work)
    assert told.traceback[-1].name == "work"


def test_a_copy_of_the_work_answers_nothing() -> None:
    """It must hold that code which forks and returns twice has one result."""
    assert separately(lambda: os.fork() > 0) is True


def test_no_process_is_left(tmp_path: Path) -> None:
    """It must hold of work whose own child lives on with the pipe open."""

    def work() -> int:
        if os.fork() == 0:
            time.sleep(30)
        return 1

    started = time.monotonic()
    assert separately(work) == 1
    assert time.monotonic() - started < 20
