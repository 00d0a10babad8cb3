"""A bad input, and how one is run."""

from __future__ import annotations

import contextlib
import io
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import final

from audit.cli import main
from tests.user_files import imports_restored

__all__ = ["Case", "Outcome", "Special", "complaint", "laid_out", "run_here", "run_outside"]

SECONDS = 20
"""No bad input may take longer."""

MEMORY = 2**30
"""Bytes that a process may use for one."""


class Special(Enum):
    """What stands under the name of a file in place of one."""

    FOLDER = "a folder"
    PIPE = "a pipe that nobody writes to"
    ENDLESS = "a link to an endless device"
    NOTHING = "a link to nothing"
    ITSELF = "a link to itself"
    ABSENT = "nothing at all"
    LARGE = "a file of 70 MiB without content"


@final
@dataclass(frozen=True)
class Case:
    """Words of a command line, and files that differ from those of a good project."""

    kind: str
    words: tuple[str, ...]
    files: Mapping[str, bytes | Special] = field(default_factory=dict)
    allowed: frozenset[int] = frozenset({2, 3})

    def __str__(self) -> str:
        words = " ".join(word if len(word) < 60 else f"{word[:60]}..." for word in self.words)
        files = {n: c if isinstance(c, Special) else c[:300] for n, c in self.files.items()}
        return f"{self.kind}: touchstone {words!r} with {files!r}"


@final
@dataclass(frozen=True)
class Outcome:
    """What came of one."""

    status: int
    out: str
    err: str
    seconds: float


def lay_out(folder: Path, case: Case) -> None:
    """Put the files of a case into a folder."""
    for name, content in case.files.items():
        path = folder / name
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        match content:
            case Special.FOLDER:
                path.mkdir()
            case Special.PIPE:
                os.mkfifo(path)
            case Special.ENDLESS:
                path.symlink_to("/dev/zero")
            case Special.NOTHING:
                path.symlink_to(folder / "not-there")
            case Special.ITSELF:
                path.symlink_to(path)
            case Special.LARGE:
                with path.open("wb") as file:
                    file.truncate(70 * 2**20)
            case bytes():
                path.write_bytes(content)


@contextlib.contextmanager
def laid_out(project: Path, case: Case) -> Iterator[Path]:
    """A copy of the project with the files of a case."""
    folder = project.with_name("case")
    shutil.copytree(project, folder)
    lay_out(folder, case)
    before = Path.cwd()
    os.chdir(folder)
    try:
        with imports_restored(folder):
            yield folder
    finally:
        os.chdir(before)
        shutil.rmtree(folder)


class Hung(BaseException):
    """A case did not end."""


def run_here(project: Path, case: Case) -> Outcome:
    """Run a case in this process; nothing that it asks for may wait for ever."""

    def interrupt(number: int, frame: object) -> None:
        raise Hung

    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    before = signal.signal(signal.SIGALRM, interrupt)
    started = time.process_time()
    signal.alarm(10 * SECONDS)  # of a machine on which others work, too
    try:
        with (
            laid_out(project, case),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            status = main(list(case.words))
    except Hung:
        status = -1
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return Outcome(status, _text(out), _text(err), time.process_time() - started)


def run_outside(project: Path, case: Case) -> Outcome:
    """Run a case as the command of a shell, with bounded memory."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))

    program = "import sys; from audit.cli import main; sys.exit(main())"
    here = str(Path(__file__).parents[2])
    with laid_out(project, case):
        done = subprocess.run(
            [sys.executable, "-c", program, *case.words],
            env=os.environ | {"PYTHONPATH": here},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=10 * SECONDS,
            preexec_fn=bound,
        )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode("utf-8", "replace"), 0)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8", "replace")


def complaint(case: Case, outcome: Outcome) -> str:
    """What is wrong with an outcome; empty if nothing is."""
    if outcome.status == -1:
        return "did not end"
    if outcome.status not in case.allowed:
        return f"ended with {outcome.status}: {outcome.err[:400] or outcome.out[:400]}"
    if "Traceback" in outcome.err + outcome.out:
        return f"a traceback: {outcome.err[-400:]}"
    told_by_gate = case.words[0] == "gate" and not outcome.err and "ERROR" in outcome.out
    if (
        outcome.status == 2
        and not told_by_gate
        and not (outcome.err.startswith("touchstone: ") and outcome.err.count("\n") == 1)
    ):
        return f"not one line: {outcome.err[:400]!r}"
    if len(outcome.err) > LONGEST:
        return f"a line of {len(outcome.err)} characters: {outcome.err[:200]!r}"
    if "Fraction(" in outcome.err or DIGITS.search(outcome.err):
        return f"not as it was typed: {outcome.err[:300]}"
    if outcome.seconds > SECONDS:
        return f"took {outcome.seconds:.0f} s of the processor"
    return ""


LONGEST = 301
"""Characters of a complaint that somebody may read, and the end of its line."""

DIGITS = re.compile("[0-9]{25,}")
"""More than anybody counts."""
