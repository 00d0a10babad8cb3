"""A small project, good in every file; each bad input differs from it in one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from audit.cli import main
from audit.draws.run_log import RunLog
from tests.user_files import imports_restored

__all__ = ["AUDIT", "GATE", "GOOD", "make"]

CLAIM = ("--epsilon", "1", "--relation", "add-remove")
RUN = ("--budget-samples", "1000", "--seed", "1", "--ideal")
AUDIT = ("audit", "m.py:noise", *CLAIM, "--pair", "pair.json", *RUN)

PROOF = ("audit", "ksw.transformed-laplace", "--mode", "exact")
GATE = ("gate", "--seed", "1", "--jobs", "1", "--inconclusive", "ok")

GOOD: dict[str, tuple[str, ...]] = {
    "pair": AUDIT,
    "data": (
        *("audit", "m.py:noise", *CLAIM, "--low", "0", "--high", "1"),
        *("--data", "data.csv", "--column", "x", *RUN),
    ),
    "notebook": ("audit", "n.ipynb:noise", *CLAIM, "--pair", "pair.json", *RUN),
    "resume": (*AUDIT, "--resume", "run.saved"),
    "resume of a result": (*AUDIT, "--resume", "done.saved"),
    "gate": GATE,
    "carry": (*GATE, "--carry", "wealth.json"),
    "verify": ("verify", "proof.json"),
    "table": ("table", "variance", "--check", "variance.csv"),
}
"""Commands that read each kind of file."""

FILES = {
    "m.py": "CONSTANT = 3\n\n\ndef noise(data, size, rng):\n    return rng.laplace(size=size)\n",
    "pair.json": '{"data": [], "neighbor": [1]}',
    "data.csv": "id,x\n1,0.5\n2,0.25\n3,1\n",
    "broken.py": "def noise(:\n",
    "raising.py": "raise RuntimeError('no\\nway')\n",
    "leaving.py": "import sys\nsys.exit(0)\n",
    "touchstone.toml": """false_alarm = 0.01
budget_seconds = 600
baseline = "baseline.json"

[[audit]]
target = "m.py:noise"
epsilon = "1"
relation = "add-remove"
pair = "pair.json"
ideal = true
budget_samples = 1000
resolution = 100
""",
    "n.ipynb": json.dumps(
        {
            "nbformat": 4,
            "metadata": {},
            "cells": [
                {"cell_type": "code", "source": ["def noise(data, size, rng):\n"]},
                {"cell_type": "code", "source": "x = 1"},
            ],
        }
    ),
}
FILES["n.ipynb"] = FILES["n.ipynb"].replace(
    "rng):\\n", "rng):\\n    return rng.laplace(size=size)\\n"
)


def make(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the files, and let the tool write its own."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(folder.with_name("cache")))
    before = Path.cwd()
    os.chdir(folder)
    try:
        with imports_restored(folder):
            done = [
                main([*GATE, "--write-baseline"]),
                main([*GATE, "--carry", "wealth.json"]),
                main([*AUDIT, "--resume", "done.saved"]),
                _interrupted([*AUDIT, "--resume", "run.saved"], monkeypatch),
                main([*PROOF, "--certificate", "proof.json"]),
                main(["table", "variance", "--epsilon", "1", "-o", "variance.csv"]),
            ]
    finally:
        os.chdir(before)
    assert 2 not in done, done


def _interrupted(words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a command until it has so many answers, as if Ctrl-C came then."""
    ask, answers = RunLog.ask, 0

    def asked(log: RunLog, *told: Any, **more: Any) -> Any:
        nonlocal answers
        answers += 1
        if answers > 20:
            raise KeyboardInterrupt
        return ask(log, *told, **more)

    monkeypatch.setattr(RunLog, "ask", asked)
    try:
        return main(words)
    finally:
        monkeypatch.setattr(RunLog, "ask", ask)
