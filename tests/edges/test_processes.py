"""What a target does to its process is an outcome, or ends in time; never a verdict by itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from audit.cli import main
from tests.slow import all_but, one_in
from tests.user_files import imports_restored

RUN = [sys.executable, "-c", "from audit.cli import main; raise SystemExit(main())"]
TARGETS = Path(__file__).with_name("targets.py")
CLAIM = ("--epsilon", "1", "--relation", "add-remove", "--pair", "p.json", "--ideal", "--seed", "1")

EXPECTED = {
    "os_exit": (3, "fails on every input tried (the process ended (status 0))"),
    "cancelled": (3, "fails on every input tried (raises CancelledError)"),
    "panic_on_three": (1, "output raises PanicException"),
    "float_errors_raise": (3, "INCONCLUSIVE"),
    "os_exit_later": (3, "the process ended (status 0), "),
}
"""Exit status and words. The samples are too few for CONSISTENT."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder with the targets and a pair of 2 and 3 records."""
    shutil.copy(TARGETS, tmp_path / "t.py")
    (tmp_path / "p.json").write_text('{"data": [0, 1], "neighbor": [0, 1, 1]}')
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(TARGETS.parents[2])}
    return subprocess.run(
        [*RUN, *words], cwd=folder, env=environment, text=True, capture_output=True, check=False
    )


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(3, EXPECTED))
def test_an_accident_is_an_outcome(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It must hold that each accident has the verdict and the exit status of an outcome."""
    status, words = EXPECTED[name]
    monkeypatch.chdir(folder)
    with imports_restored(folder):
        found = main(["audit", f"t.py:{name}", *CLAIM, "--budget-samples", "2000"])
    out, err = capfd.readouterr()
    assert found == status, out + err
    assert words in " ".join(out.split())
    assert "Traceback" not in err


@pytest.mark.long
@pytest.mark.parametrize("name", all_but(["busy"], ["hang", "busy"]))
def test_what_does_not_end_is_cut(folder: Path, name: str) -> None:
    """It must hold that a target without an end is INCONCLUSIVE by time, and none is left."""
    done = run(folder, "audit", f"t.py:{name}", *CLAIM, "--budget-seconds", "1", "--format", "json")
    assert done.returncode == 3, done.stderr
    assert json.loads(done.stdout)["seconds"] < 1 + 60
    assert not [p for p in psutil.process_iter(["cwd"]) if p.info["cwd"] == str(folder)]


@pytest.mark.slow
def test_a_gate_goes_on_behind_accidents(folder: Path) -> None:
    """It must hold that the gate has a line for each, and never ends without a verdict."""
    names = ["t.py:os_exit", "t.py:system_exit", "t.py:memory"]
    (folder / "touchstone.toml").write_text(
        f'[[audit]]\ntarget = {names}\nepsilon = 1\nrelation = "add-remove"\npair = "p.json"\n'
        "ideal = true\nbudget_samples = 2000\n"
    )
    done = run(folder, "gate", "--seed", "1", "--jobs", "1")
    assert done.returncode == 3, done.stdout + done.stderr
    for name in names:
        assert name in done.stdout


@pytest.mark.slow
def test_a_test_fails_for_an_accident(folder: Path) -> None:
    """It must hold that pytest reports the audit of a mechanism that ends its process."""
    (folder / "test_it.py").write_text(
        "import pytest\nimport t\n\nASKED = dict(epsilon=1, relation='add-remove', pair='p.json', "
        "ideal=True, budget_samples=2000)\n\n\ndef test_fixture(privacy_audit):\n"
        "    privacy_audit(t.os_exit, **ASKED)\n\n\n"
        "@pytest.mark.privacy(**ASKED)\ndef test_mark():\n    return t.system_exit\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--privacy-seed",
        "1",
    ]
    done = subprocess.run(
        command, cwd=folder, text=True, capture_output=True, check=False, timeout=300
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "the process ended (status 0)" in done.stdout


@pytest.mark.long
@pytest.mark.parametrize(
    ("code", "status", "words"),
    [
        ("import os\nos._exit(0)", 2, "cannot be imported: SystemExit: os._exit(0)"),
        ("import asyncio\nraise asyncio.CancelledError", 2, "CancelledError"),
        ("import atexit, os\natexit.register(os._exit, 0)", 0, ""),
        ("import atexit, os\natexit.register(lambda: os._exit(0))", 3, ""),
    ],
    ids=["exit", "cancelled", "atexit-direct", "atexit"],
)
def test_an_import_does_not_choose_the_status(
    folder: Path, code: str, status: int, words: str
) -> None:
    """It must hold that no code that is imported ends the program with 0 for an audit."""
    (folder / "m.py").write_text(f"{code}\n\n\ndef f(data, size, rng):\n    raise SystemExit(0)\n")
    done = run(folder, "audit", "m.py:f", *CLAIM, "--budget-samples", "2000")
    assert done.returncode == (status or 3), done.stdout + done.stderr
    assert words in done.stderr
