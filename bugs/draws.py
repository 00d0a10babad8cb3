"""Draws of a row through the runner: one process a row and twin, kept while this one lives.

A process that was forked has runners of its own: two must not share a pipe.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

__all__ = ["NoDraws", "asked", "close", "draws", "is_installed"]

RUNNER: Final = Path(__file__).with_name("run.py")
_runners: dict[int, subprocess.Popen[str]] = {}


class NoDraws(RuntimeError):
    """The runner could not answer."""


def _runner() -> subprocess.Popen[str]:
    if os.getpid() not in _runners:
        _runners.clear()
        _runners[os.getpid()] = subprocess.Popen(
            [sys.executable, str(RUNNER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    return _runners[os.getpid()]


def close() -> None:
    """End this process's runner, and the interpreters behind it."""
    runner = _runners.pop(os.getpid(), None)
    if runner is not None:
        assert runner.stdin is not None
        assert runner.stdout is not None
        runner.stdin.close()
        runner.wait()
        runner.stdout.close()


def asked(name: str, *, seed: int, m: int, twin: bool = False, **data: Any) -> dict[str, Any]:
    """Ask for m draws of a row, and return the whole answer."""
    runner = _runner()
    assert runner.stdin is not None
    assert runner.stdout is not None
    request = {"id": name, "seed": seed, "m": m, "twin": twin, **data}
    runner.stdin.write(json.dumps(request) + "\n")
    runner.stdin.flush()
    line = runner.stdout.readline()
    answer: dict[str, Any] = json.loads(line) if line else {"error": "the runner ended"}
    if "error" in answer:
        raise NoDraws(answer["error"])
    return answer


def draws(name: str, *, seed: int, m: int, twin: bool = False, **data: Any) -> list[Any]:
    """Draw m outputs of a row: `side` is "left" or "right", or `data` is another data set."""
    found: list[Any] = asked(name, seed=seed, m=m, twin=twin, **data)["draws"]
    return found


def is_installed(name: str, *, twin: bool = False) -> bool:
    """Whether the row's environment is made."""
    from bugs.run import interpreter

    try:
        interpreter({"id": name, "twin": twin})
    except LookupError:
        return False
    return True
