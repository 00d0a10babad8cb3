"""A process of its own for code that need not come back: forked, asked through pipes, watched.

The child is a fork of this process, so nothing has to be sent but requests and answers: a target
may hold a connection, a lock or an object of a library in C. A request is a function of ours, its
arguments, and what was already drawn for it; an answer is what the function returned or raised. A
child that ends, or says nothing for too long, has no say in what becomes of this process: it is
killed with all that it started, and waited for, so that none is left.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import sys
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from mmap import mmap
from typing import Any, final

from audit.targets.child_messages import (
    ANSWER,
    CHUNK,
    LENGTH,
    LOG_BYTES,
    ChildAnswer,
    Journal,
    Progress,
    WorkOrder,
    dumped,
    framed,
    progress_of,
)
from audit.targets.separation import fork, how_ended, is_over
from audit.targets.service import serve
from audit.targets.surroundings import ProcessChanged

LOOKS_A_TURN = 4
"""A child that says nothing is looked at so many times until it is given up."""

LONGEST_WAIT = 0.2
"""Seconds between looks: a call may have begun. (And where the system has no handle of a process
that can be waited for, one that the child started may hold its pipe open.)"""

LEAVES = 1.0
"""Seconds that a child has to end after it has closed its pipe."""


@final
@dataclass(frozen=True, slots=True)
class Gone:
    """The child is no more."""

    how: str
    """Such as "status 3", "signal SIGSEGV", or "" where it was killed for its silence."""
    progress: Progress
    """What it was doing."""
    drawn: bytes
    """What it had written down."""
    late: bool = False
    """Whether it was killed because the time of the whole request was up."""


@final
class Child:
    """A fork of this process that answers one request after the other.

    `inherited`: objects that are not sent, as the child has them. `kind`: every object of this
    class is the first of these in the child. `prepare`: called in the child before the first
    request. `generation`: how many children came before: the generators of `random` and
    `numpy.random`, which would all begin alike, begin elsewhere in a later one.
    """

    def __init__(
        self,
        inherited: Sequence[Any],
        kind: type,
        *,
        prepare: Callable[[Journal], None],
        generation: int = 0,
    ) -> None:
        self.inherited, self.kind = list(inherited), kind
        self.kept: dict[int, tuple[Any, int]] = {}
        self.last = 0
        self.numbers = {id(thing): place for place, thing in enumerate(self.inherited)}
        self.memory = mmap(-1, Progress.SIZE + LOG_BYTES)
        ours, theirs = _pipe(), _pipe()
        for stream in (sys.stdout, sys.stderr):  # a copy of what is not written yet would be, too
            with suppress(Exception):
                stream.flush()
        parent = os.getpid()
        self.pid = fork()
        if self.pid == 0:
            serve(self.memory, self.inherited, ours, theirs, parent, prepare, generation)
        os.close(ours[0])
        os.close(theirs[1])
        self.to, self.back = ours[1], theirs[0]
        os.set_blocking(self.to, False)
        os.set_blocking(self.back, False)
        with suppress(OSError):  # the child does so too: whoever comes first
            os.setpgid(self.pid, self.pid)
        self.handle = -1
        if hasattr(os, "pidfd_open"):
            with suppress(OSError):
                self.handle = os.pidfd_open(self.pid)
        self.ended = weakref.finalize(
            self, _end, self.pid, parent, (self.to, self.back, self.handle)
        )

    def close(self) -> None:
        """End the child and what it started, whatever they do."""
        self.ended()

    @property
    def is_over(self) -> bool:
        """Whether it has ended, though nothing was asked of it."""
        return is_over(self.pid)

    def packed(self, order: WorkOrder, keep: Sequence[Any] = ()) -> bytes:
        """Write a request down.

        `order`: the request. `keep`: those among the arguments that come again: they are sent once.
        Raises Exception: whatever pickle raises for arguments that cannot be sent.
        """
        kept = {id(thing): self.kept.get(id(thing)) for thing in keep}
        new = {}
        for thing in keep:
            if kept[id(thing)] is None:
                self.last += 1
                new[self.last] = self._dumped(thing)
                kept[id(thing)] = (thing, self.last)
        present = {key: one for key, one in kept.items() if one is not None}
        body = self._dumped(order, present)
        self.kept = present
        lasting = [number for _, number in present.values()]
        return pickle.dumps((new, lasting, body), protocol=5)

    def ask(
        self, message: bytes, *, end: float, patience: Callable[[Progress], float]
    ) -> ChildAnswer | Gone:
        """Send a request and wait for the answer; the child is closed where there is none.

        `message`: from `packed`. `end`: on the clock of `time.monotonic`: the child is killed then.
        `patience`: seconds that the child may go on with one call, by what it is doing.
        """
        try:
            return self._talk(message, end, patience)
        except BaseException:
            self.close()
            raise

    def _dumped(self, thing: Any, kept: dict[int, tuple[Any, int]] | None = None) -> bytes:
        def place(obj: Any) -> Any:
            if type(obj) is self.kind:
                return 0
            if kept is not None and id(obj) in kept:
                return -kept[id(obj)][1]
            return self.numbers.get(id(obj))

        return dumped(thing, place)

    def _talk(
        self, message: bytes, end: float, patience: Callable[[Progress], float]
    ) -> ChildAnswer | Gone:
        unsent = memoryview(LENGTH.pack(ANSWER, len(message)) + message)
        received, log = bytearray(), bytearray()
        epoch = -1
        before, since = progress_of(self.memory), time.monotonic()
        poll = select.poll()
        poll.register(self.back, select.POLLIN)
        poll.register(self.to, select.POLLOUT)
        if self.handle >= 0:
            poll.register(self.handle, select.POLLIN)
        sending = True
        while True:
            now, present = time.monotonic(), progress_of(self.memory)
            if present != before:
                before, since = present, now
            allowed = patience(present)
            if now >= end or now - since >= allowed:
                return self._given_up(bytes(log), epoch, late=now >= end)
            turn = min(end - now, allowed / LOOKS_A_TURN, LONGEST_WAIT)
            ready = dict(poll.poll(turn * 1000 + 1))
            if sending and self.to in ready:
                try:
                    unsent = unsent[os.write(self.to, unsent[:CHUNK]) :]
                except BlockingIOError:
                    pass
                except OSError:  # it is gone: what it said before is read below
                    unsent = unsent[:0]
                if not unsent:
                    poll.unregister(self.to)
                    sending = False
            over = self.handle in ready if self.handle >= 0 else is_over(self.pid)
            if self.back in ready or over:
                over = self._read(received) or over
            while (frame := framed(received)) is not None:
                kind, body = frame
                if kind == ANSWER:
                    return _read_answer(body)
                log, epoch = log + body[8:], int.from_bytes(body[:8], "little")
            if over:
                return self._gone(bytes(log), epoch)

    def _read(self, received: bytearray) -> bool:
        """Read what is there; whether the pipe is closed."""
        while True:
            try:
                chunk = os.read(self.back, CHUNK)
            except BlockingIOError:
                return False
            if not chunk:
                return True
            received += chunk

    def _gone(self, log: bytes, epoch: int) -> Gone:
        waited = time.perf_counter() + LEAVES
        while not is_over(self.pid):  # it has closed its pipe, and may not mean to end
            if time.perf_counter() > waited:
                with suppress(ProcessLookupError):
                    os.kill(self.pid, signal.SIGKILL)
            time.sleep(0.001)
        with suppress(OSError):  # while its number is surely its own
            os.killpg(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        progress = progress_of(self.memory)
        rest = Journal.written(self.memory, epoch)
        self.ended.detach()
        _close(self.to, self.back, self.handle)
        return Gone(how_ended(status), progress, log + rest)

    def _given_up(self, log: bytes, epoch: int, *, late: bool) -> Gone:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        gone = self._gone(log, epoch)
        return Gone("", gone.progress, gone.drawn, late)


def _read_answer(body: bytes) -> ChildAnswer:
    try:
        answer = pickle.loads(body)
    except Exception as exc:  # noqa: BLE001 - what a target has made of it
        answer = exc
    if isinstance(answer, ChildAnswer):
        return answer
    return ChildAnswer(None, ProcessChanged("what came from its process is no answer of ours"))


def _end(pid: int, parent: int, descriptors: tuple[int, ...]) -> None:
    """Kill a child of this process with what it has started, and wait for it."""
    if os.getpid() != parent:  # a copy of the object in another child
        return
    for kill in (os.kill, os.killpg):
        with suppress(OSError):
            kill(pid, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)
    _close(*descriptors)


def _close(*descriptors: int) -> None:
    for descriptor in descriptors:
        if descriptor >= 0:
            with suppress(OSError):
                os.close(descriptor)


def _pipe() -> tuple[int, int]:
    reads, writes = os.pipe()
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(writes, fcntl.F_SETPIPE_SZ, CHUNK)
    return reads, writes
