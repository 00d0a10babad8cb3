"""A disk that is full: what was found is printed, one line says why no file came, nothing stays."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from audit.suite.replacement import replace_file

ROOT = Path(__file__).parents[2]
MODULE = """
import numpy as np
def g(data, size, rng):
    return np.clip(np.nan_to_num(data), 0, 1).sum() + rng.laplace(scale=10, size=size)
"""
ENTRY = """
[[audit]]
target = "m.py:g"
epsilon = 1
relation = "add-remove"
low = 0
high = 1
ideal = true
"""
WORDS = ("--low", "0", "--high", "1", "--ideal", "--seed", "1", "--budget-samples", "4000")
AUDIT = ("audit", "m.py:g", "--epsilon", "1", "--relation", "add-remove", *WORDS)
GATE = ("gate", "--budget-samples", "4000", "--inconclusive", "ok")
DOORS = {
    "carry": ((*GATE, "--carry", "c.json"), "c.json cannot be written: File too large"),
    "baseline": ((*GATE, "--write-baseline"), "base.json cannot be written: File too large"),
    "gate report": ((*GATE, "--report", "html=r.html"), "r.html cannot be written: File too large"),
    "resume": ((*AUDIT, "--resume", "s.saved"), "s.saved cannot be written: File too large"),
    "report": ((*AUDIT, "--report", "json=r.json"), "r.json cannot be written: File too large"),
    "output": ((*AUDIT, "--output", "r.txt"), "r.txt cannot be written: File too large"),
    "device": ((*AUDIT, "--output", "/dev/full"), "/dev/full cannot be written: No space left"),
}


@pytest.mark.long
@pytest.mark.parametrize("door", DOORS)
def test_the_verdict_is_printed(tmp_path: Path, door: str) -> None:
    """It must hold of every file that a run may write."""
    words, said = DOORS[door]
    (tmp_path / "m.py").write_text(MODULE)
    head = 'baseline = "base.json"\n' if door == "baseline" else ""
    (tmp_path / "touchstone.toml").write_text(head + ENTRY)
    before = sorted(tmp_path.iterdir())
    variables = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", "from audit.cli import main; raise SystemExit(main())", *words],
        cwd=tmp_path,
        env=os.environ | variables | {"XDG_CACHE_HOME": str(tmp_path / "none")},
        text=True,
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
    )
    assert done.returncode == 2, done.stdout + done.stderr
    assert "INCONCLUSIVE" in done.stdout
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path for path in tmp_path.iterdir() if path.name != "none") == before


def test_nothing_of_a_draft_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold where the file cannot be put in its place, and the old one is as it was."""
    file = tmp_path / "f"
    file.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(file, "new")
    assert [path.name for path in tmp_path.iterdir()] == ["f"]
    assert file.read_text() == "old"
