"""Coq's compiler as a process: one file, one answer.

A cap of seconds ends a tactic that does not come back. It decides nothing that was accepted: what
is not accepted under the cap is said to be not accepted, never to be false.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import final

__all__ = ["LIBRARY", "SOURCES", "Compiled", "compile_file", "coq_version", "is_installed"]

SOURCES = Path(__file__).parents[1] / "coq"
"""The proofs that are written by hand."""

LIBRARY = "Touchstone"
"""Name of the library that they make."""


@final
@dataclass(frozen=True, slots=True)
class Compiled:
    """What the compiler said.

    Parameters
    ----------
    accepted : bool
        Whether it took the file.
    said : str
        What it printed.
    """

    accepted: bool
    said: str


def is_installed() -> bool:
    """Whether there is a `coqc`."""
    return shutil.which("coqc") is not None


@cache
def coq_version() -> str:
    """Return the version, such as "8.16.1"."""
    said = subprocess.run(["coqc", "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"version (\S+)", said)
    return found.group(1) if found else "unknown"


def compile_file(path: Path, library: Path, *, seconds: float) -> Compiled:
    """Compile a file.

    Parameters
    ----------
    path : Path
        A file of Coq.
    library : Path
        The folder of the library, where its compiled files are.
    seconds : float
        Cap.
    """
    folders = ["-Q", str(library), LIBRARY]
    process = subprocess.Popen(
        ["coqc", *folders, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=path.parent,  # the procedures keep caches where they run
        start_new_session=True,  # csdp is a child of its own, and must end with it
    )
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Compiled(False, f"not finished in {seconds:g} s")
    return Compiled(process.returncode == 0, said)
