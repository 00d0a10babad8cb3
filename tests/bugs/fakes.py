"""A library-free row, so that the runner and the columns can be tested without any library."""

import os
import stat
import sys
from pathlib import Path

ROWS = """\
[[defect]]
id = "fake"
library = "fake"
version = "1"
environment = "fake"
call = "fake()"
claim = { epsilon = "1" }
relation = "listed"
unit = "a value"
left = 0
right = { runs = [[1, 2], [2, 1]] }
loss = "infinite"
loss_is = "exact"
report = "not reported"
note = "A coin, and what JSON has no word for."
[defect.twin]
what = "another call"
"""
TARGET = '''\
"""A fake."""

import random

import numpy as np


def release(data, rng):
    """Answer by what the data are."""
    if data == "all":
        return {"b": [np.float32(0.1), float("nan")], "a": (True, None, b"\\x01")}
    if data == "raise":
        raise ZeroDivisionError
    if data == "print":
        print("a line that is no answer")
    return [str(data), rng.random_sample(), random.random(), np.random.random_sample()]


def twin(data, rng):
    """Answer a coin: the data change which side it falls on, and not how often."""
    return int(rng.random_sample() < 0.5) ^ (data == 0)


def event(output):
    """Say whether the data were the left ones."""
    return output[0] == "0"
'''


def write(folder: Path) -> dict[str, str]:
    """Write row, target and an environment; return the variables that point there."""
    for name in ("targets", "defects", "environments/fake/bin"):
        (folder / name).mkdir(parents=True)
    (folder / "targets" / "fake.py").write_text(TARGET, encoding="utf-8")
    (folder / "defects" / "fake.toml").write_text(ROWS, encoding="utf-8")
    python = folder / "environments" / "fake" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    return {
        **os.environ,
        "BUGS_TARGETS": str(folder / "targets"),
        "BUGS_DEFECTS": str(folder / "defects"),
        "BUGS_ENVIRONMENTS": str(folder / "environments"),
    }
