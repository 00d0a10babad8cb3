"""One start of a program: what goes in, what comes out, and how it ended.

The program runs in a process group of its own, which is killed when the caller is interrupted,
when the time is up, or when it writes more than was asked for. Nothing that it does blocks the
caller: it may leave its input unread, and write without end to either of its outputs.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, final

from audit.interrupts import undisturbed
from mechanisms.errors import InvalidArgument

CHUNK = 2**16
MOST_BYTES = 2**28
"""Of standard output."""
KEPT_ERRORS = 4096
"""Last bytes of standard error."""

LEAVES = 1.0
"""Seconds that a program has to end after it closed its outputs, where the time is not up."""


Stopped = Literal["", "time", "lines", "bytes"]


@final
@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended."""

    output: bytes
    errors: str
    """The end of standard error."""
    status: int = 0
    """Its exit status; 0 where a signal ended it."""
    signal: str = ""
    """Name of that signal, else ""."""
    stopped: Stopped = ""
    """Why it was killed here, if it was."""


def run_process(
    words: Sequence[str],
    text: bytes,
    *,
    folder: str,
    most_lines: int,
    end: float,
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Start a program, feed it, and read what it writes.

    `words`: the program and its arguments. `text`: for its standard input. `most_lines`: it is
    killed when it has written more lines. `end`: on the clock of `time.monotonic`: it is killed
    then. `environment`: variables that it has besides ours. Raises InvalidArgument if it cannot be
    started.
    """
    process: subprocess.Popen[bytes] | None = None
    try:
        with undisturbed():  # an interrupt amid the start would leave a program that nobody knows
            process = _started(words, folder, environment or {})
        talk = _Talk(process, text, most_lines, end)
        stopped = talk.run() or _left_alone(process, end)
    finally:
        if process is not None:
            if process.poll() is None:  # the group is still its own
                os.killpg(process.pid, signal.SIGKILL)
            with process:  # its pipes are closed, and it is waited for
                pass
    status = 0 if stopped else process.returncode
    errors = bytes(talk.errors).decode(errors="replace")
    return Ended(bytes(talk.output), errors, max(status, 0), _name(-status), stopped)


def _started(
    words: Sequence[str], folder: str, environment: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, **environment} if environment else None,
            start_new_session=True,
        )
    except (OSError, ValueError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) else exc
        msg = f"{words[0]!r} cannot be started: {reason}"
        raise InvalidArgument(msg) from exc


def _left_alone(process: subprocess.Popen[bytes], end: float) -> Stopped:
    """Wait for a program that has closed its outputs."""
    try:
        process.wait(max(LEAVES, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        return "time"
    return ""


def _name(number: int) -> str:
    """Name of a signal; "" for what is none."""
    if number <= 0:
        return ""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


@final
class _Talk:
    """What goes through the three pipes of a program."""

    def __init__(
        self, process: subprocess.Popen[bytes], text: bytes, most_lines: int, end: float
    ) -> None:
        self.process = process
        self.text = memoryview(text)
        self.most_lines = most_lines
        self.end = end
        self.lines = 0
        self.output = bytearray()
        self.errors = bytearray()

    def run(self) -> Stopped:
        """Feed and read until both outputs are closed; say why it was given up before."""
        stdin, stdout, stderr = self.process.stdin, self.process.stdout, self.process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        with selectors.DefaultSelector() as pipes:
            pipes.register(stdin, selectors.EVENT_WRITE)
            for pipe in (stdout, stderr):
                pipes.register(pipe, selectors.EVENT_READ)
            for pipe in (stdin, stdout, stderr):
                os.set_blocking(pipe.fileno(), False)
            reading = 2
            while reading:
                left = self.end - time.monotonic()
                if left <= 0:
                    return "time"
                for key, _ in pipes.select(left):
                    if key.fileobj is stdin:
                        if self._feed(key.fd):
                            continue
                    elif chunk := os.read(key.fd, CHUNK):
                        if stopped := self._read(chunk, ours=key.fileobj is stdout):
                            return stopped
                        continue
                    else:
                        reading -= 1
                    pipes.unregister(key.fileobj)
                    if key.fileobj is stdin:
                        stdin.close()
        return ""

    def _feed(self, pipe: int) -> bool:
        """Write a part of the input; whether there is more of it that is wanted."""
        try:
            self.text = self.text[os.write(pipe, self.text[:CHUNK]) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:  # it does not read its input
            return False
        return len(self.text) > 0

    def _read(self, chunk: bytes, *, ours: bool) -> Stopped:
        if not ours:
            self.errors += chunk
            del self.errors[:-KEPT_ERRORS]
            return ""
        self.output += chunk
        self.lines += chunk.count(b"\n")
        if self.lines > self.most_lines:
            return "lines"
        return "bytes" if len(self.output) > MOST_BYTES else ""
