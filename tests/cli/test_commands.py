"""The command line as scripts see it: exit status, standard output, files, interruptions."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit.cli import main
from tests.audit.results import ALL, CONSISTENT, FAILED, REFUTED, fake_engine
from tests.reports import check_report
from tests.signals import ctrl_c_reaches_children
from tests.slow import all_but
from tests.untimed import untimed
from tests.user_files import imports_restored

ROOT = Path(__file__).parents[2]
RUN = [sys.executable, "-c", "from audit.cli import main; raise SystemExit(main())"]

TARGETS = """
import time

import numpy as np


def sound(data, size, rng):
    return data.sum() + rng.laplace(0, 1, size)


def broken(data, size, rng):
    return data.sum() + rng.laplace(0, 0.3, size)


def fails(data):
    raise ValueError("on every input")


def lists(data, rng):
    return [1.0] * int(rng.geometric(0.5))


def leaking_lists(data, rng):
    return [0.0] * (len(data) + int(rng.integers(2)))


def constant(data, size):
    return np.full(size, float(len(data)))


def wrong_number(data, size):
    return np.zeros(size + 1)


def leaves(data):
    raise SystemExit(0)


def exhausted(data):
    raise MemoryError


def slow(data, size, rng):
    open("begun", "a").close()
    time.sleep(1e-4 * size)
    return rng.laplace(size=size)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with mechanisms, one pair and one data file."""
    (tmp_path / "m.py").write_text(TARGETS)
    (tmp_path / "p.json").write_text('{"data": [0], "neighbor": [0, 1]}')
    (tmp_path / "d.csv").write_text("x\n0.25\n0.5\n0.75\n")
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        yield tmp_path


def audit(name: str, *words: str) -> int:
    """Audit one pair of the user's file, small and seeded."""
    claim = ("--epsilon", "1", "--relation", "add-remove", "--pair", "p.json", "--seed", "1")
    options = ("--budget-samples", "80000", "--ideal")
    return main(["audit", f"m.py:{name}", *claim, *options, *words])


STATUS = {
    "sound": (0, "CONSISTENT"),
    "broken": (1, "REFUTED"),
    "fails": (3, "INCONCLUSIVE"),
    "lists": (0, "CONSISTENT"),
    "leaking_lists": (1, "REFUTED"),
    "constant": (1, "REFUTED"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", all_but(["lists"], STATUS))
def test_verdict_and_status_agree(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that first word, status and JSON say one verdict, and that the schema holds."""
    status, verdict = STATUS[name]
    assert audit(name, "--report", "json=report.json") == status
    out, err = capsys.readouterr()
    assert out.startswith(f"{verdict}: m.py:{name}\n")
    assert err == ""
    document = json.loads((folder / "report.json").read_text())
    check_report(document, "audit")
    assert document["verdict"] == verdict
    assert document["reproducible"] == (name in ("sound", "broken", "lists", "leaking_lists"))


@pytest.mark.long
def test_inconclusive_can_be_allowed(folder: Path) -> None:
    """It must hold that --inconclusive=ok turns 3 into 0, and leaves 1 alone."""
    assert audit("fails", "--inconclusive=ok") == 0
    assert audit("broken", "--inconclusive=ok") == 1


def test_json_on_standard_output_is_one_document(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that nothing stands before or behind it."""
    audit("constant", "--format", "json")
    check_report(json.loads(capsys.readouterr().out), "audit")


@pytest.mark.long
def test_the_printed_command_repeats_the_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the command in the report gives the same report."""
    import shlex

    def told() -> dict[str, Any]:
        document: dict[str, Any] = json.loads(capsys.readouterr().out)
        return untimed(document)

    audit("broken", "--format", "json")
    first = told()
    _, *words = shlex.split(first["command"])
    main([*words, "--format", "json"])
    assert told() == first


@pytest.mark.long
def test_the_witness_script_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that the script in the report runs by itself and shows the violation."""
    audit("broken", "--format", "json")
    witness = json.loads(capsys.readouterr().out)["witness"]
    (folder / "witness.py").write_text(witness["rerun"])
    done = subprocess.run(
        [sys.executable, "witness.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    counts = [int(n) for n in re.findall(r"(\d+) of", done.stdout)]
    assert sorted(counts) == sorted([witness["hits"], witness["other_hits"]])


@pytest.mark.long
def test_output_goes_to_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that --output writes the report and keeps standard output empty."""
    assert audit("broken", "--output", "report.txt") == 1
    assert capsys.readouterr().out == ""
    assert (folder / "report.txt").read_text().startswith("REFUTED: m.py:broken\n")


def test_data_make_pairs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a function needs no bounds where there are data, and the report says so."""
    seen = {}

    def answer(target: Any, _: object) -> Any:
        seen["bounds"] = target.bounds
        return CONSISTENT

    fake_engine(monkeypatch, answer)
    words = ["audit", "m.py:sound", "--epsilon", "1", "--relation", "swap", "--data", "d.csv"]
    assert main([*words, "--output", "report.txt"]) == 0
    assert [float(end) for end in seen["bounds"]] == [0.25, 0.75]
    report = (folder / "report.txt").read_text()
    assert "low = 0.25 and high = 0.75 were taken from the data" in report


def test_relation_alone_is_the_implied_claim(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that add-remove epsilon is audited as swap 2 epsilon."""
    fake_engine(monkeypatch, lambda *_: CONSISTENT)
    assert main(["audit", "ksw.shifted-laplace", "--relation", "swap"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "claim epsilon = 2 (swap)" in out
    assert "groups of two" in out


def test_a_wrong_number_of_draws_is_a_user_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a function that returns too many draws is exit 2, in one line."""
    assert audit("wrong_number") == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "along the first axis" in err


@pytest.mark.parametrize(
    ("name", "fault"), [("leaves", "SystemExit"), ("exhausted", "MemoryError")]
)
def test_what_ends_a_program_is_an_outcome(
    folder: Path, name: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that sys.exit(0) in a mechanism is not a green run, nor is lack of memory."""
    assert audit(name) == 3
    out, err = capsys.readouterr()
    assert err == ""
    assert f"fails on every input tried (raises {fault}" in out
    assert audit(name, "--in-process") in (2, 3)


def test_an_internal_error_is_one_line_and_can_be_traced(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a bug is status 4, with its traceback only on request."""

    def answer(*_: object) -> Any:
        msg = "a bug"
        raise RuntimeError(msg)

    fake_engine(monkeypatch, answer)
    assert main(["audit", "ksw.shifted-laplace"]) == 4
    err = capsys.readouterr().err
    hint = "(set TOUCHSTONE_TRACEBACK=1 to see where)"
    assert err == f"touchstone: internal error: RuntimeError: a bug {hint}\n"
    monkeypatch.setenv("TOUCHSTONE_TRACEBACK", "1")
    assert main(["audit", "ksw.shifted-laplace"]) == 4
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupted_audit_says_how_far_it_came(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that Ctrl-C is 130 and the samples so far are told."""

    def answer(*_: object) -> Any:
        raise KeyboardInterrupt

    fake_engine(monkeypatch, answer)
    assert main(["audit", "ksw.shifted-laplace", "--seed", "5"]) == 130
    assert capsys.readouterr().err == (
        "touchstone: interrupted: ksw.shifted-laplace after 4,200 samples in 0.5 s, not refuted "
        "so far (seed 5)\n"
    )


def gate(folder: Path, *expect: str) -> None:
    """Write a configuration and run the gate in this process, without drawing."""
    entries = "".join(
        f'[[audit]]\ntarget = "ksw.shifted-laplace"\nexpect = "{word}"\n' for word in expect
    )
    (folder / "touchstone.toml").write_text(entries)


@pytest.mark.parametrize(
    ("name", "expect", "status"),
    [
        ("consistent", "consistent", 0),
        ("refuted", "consistent", 1),
        ("refuted", "refuted", 0),
        ("consistent", "refuted", 1),
        ("failed", "consistent", 3),
        ("failed", "refuted", 1),
    ],
)
def test_the_gate_has_the_status_of_its_audits(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    expect: str,
    status: int,
) -> None:
    """It must hold that the gate's status follows from verdict and expectation."""
    fake_engine(monkeypatch, lambda *_: ALL[name])
    gate(folder, expect)
    assert main(["gate", "--seed", "1"]) == status
    assert capsys.readouterr().out.endswith(f"exit status {status}\n")


def test_the_gates_json_validates(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that standard output of the gate is one JSON document that obeys the schema."""
    queue = [CONSISTENT, REFUTED, FAILED]
    fake_engine(monkeypatch, lambda *_: queue.pop(0))
    gate(folder, "consistent", "refuted", "consistent")
    assert main(["gate", "--format", "json", "--inconclusive=ok"]) == 0
    document = json.loads(capsys.readouterr().out)
    check_report(document, "gate")
    assert [audit["passed"] for audit in document["audits"]] == [True] * 3


def test_the_gate_writes_a_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the file holds the text that standard output would."""
    fake_engine(monkeypatch, lambda *_: CONSISTENT)
    gate(folder, "consistent")
    assert main(["gate", "--seed", "1", "--output", "gate.txt"]) == 0
    assert capsys.readouterr().out == ""
    main(["gate", "--seed", "1"])
    printed = capsys.readouterr().out

    def without_time(text: str) -> list[str]:
        lines = [line.partition(" as expected in ")[0] for line in text.splitlines()]
        return [re.sub(r"\d+\.\d s$", "", line) for line in lines]

    assert without_time((folder / "gate.txt").read_text()) == without_time(printed)


def start(*words: str, cwd: Path) -> subprocess.Popen[str]:
    """Start the command in a process group of its own."""
    with ctrl_c_reaches_children():
        return subprocess.Popen(
            [*RUN, *words],
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )


def interrupt(
    process: subprocess.Popen[str], begun: Path, after: float = 0.5
) -> tuple[int, str, str]:
    """Send Ctrl-C as a terminal does, to the whole process group, once a slow audit has begun."""
    for _ in range(600):
        if begun.exists():
            break
        time.sleep(0.1)
    time.sleep(after)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


@pytest.mark.long
def test_ctrl_c_ends_a_running_audit_cleanly(folder: Path) -> None:
    """It must hold that a real interrupt is 130 with one line and no traceback."""
    claim = ("--epsilon", "1", "--relation", "add-remove", "--pair", "p.json")
    process = start("audit", "m.py:slow", *claim, cwd=folder)
    status, out, err = interrupt(process, folder / "begun")
    assert (status, out, err.count("\n")) == (130, "", 1)
    assert err.startswith("touchstone: interrupted: m.py:slow after ")


@pytest.mark.slow
def test_ctrl_c_ends_a_running_gate_cleanly(folder: Path) -> None:
    """It must hold that the audits already done are reported, and no process is left."""
    entry = '[[audit]]\ntarget = "m.py:{}"\nepsilon = 1\nrelation = "add-remove"\npair = "p.json"\n'
    text = entry.format("broken") + "ideal = true\n" + 3 * entry.format("slow")
    (folder / "touchstone.toml").write_text(text)
    process = start("gate", cwd=folder)
    status, out, err = interrupt(process, folder / "begun", after=6.0)
    assert status == 130
    assert "Traceback" not in err
    assert "Not run: m.py:slow, m.py:slow [2], m.py:slow [3]. 0 of 1 others as expected. " in out
    assert gone(process.pid)


def gone(group: int) -> bool:
    """Whether the process group ends within 20 s (killed workers wait for init to reap them)."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_version_loads_little() -> None:
    """It must hold that --version loads no library of numbers."""
    code = (
        "import sys; from audit.cli import main; main(['--version']); "
        "heavy = ('numpy', 'scipy', 'statsmodels', 'rich', 'joblib'); "
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    first, loaded = done.stdout.splitlines()
    assert first.startswith("touchstone ")
    assert loaded == "[]"


@pytest.mark.parametrize("kind", ["mechanisms", "noises", "auditors", "adapters", "claims"])
def test_list_names_come_first(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that each line begins with a name of its own, without blanks in it."""
    assert main(["list", kind]) == 0
    names = [line.split("  ")[0] for line in capsys.readouterr().out.splitlines()]
    assert len(set(names)) == len(names) >= 4
    assert not any(" " in name for name in names)


def test_every_listed_mechanism_can_be_audited(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that the listed names are the registered names."""
    from mechanisms.registry import MECHANISMS

    main(["list", "mechanisms"])
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(MECHANISMS)


def test_a_reader_that_leaves_is_no_error_message() -> None:
    """It must hold that `touchstone list ... | head -1` prints nothing on standard error."""
    command = f"{shlex.join([*RUN, 'list', 'noises'])} | head -c 1"
    for _ in range(3):
        done = subprocess.run(
            ["bash", "-c", command],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert len(done.stdout) == 1
        assert done.stderr == ""


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("list mechanisms", 0),
        ("audit m.py:broken --epsilon 1 --relation listed --pair p.json --ideal --seed 1", 1),
        ("audit m.py:fails --epsilon 1 --relation listed --pair p.json --seed 1", 3),
        ("list nothing", 2),
    ],
)
def test_a_reader_that_leaves_does_not_change_the_status(
    folder: Path, words: str, status: int
) -> None:
    """It must hold that a pipe whose reader is gone from the start has the status of the run."""
    for unbuffered in ("",) if words.startswith("audit") else ("", "1"):
        command = f"(sleep 0.01; exec {shlex.join(RUN)} {words}) | true; echo ${{PIPESTATUS[0]}}"
        done = subprocess.run(
            ["bash", "-c", command],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout == f"{status}\n"
        assert done.stderr.count("\n") == (1 if status == 2 else 0)
