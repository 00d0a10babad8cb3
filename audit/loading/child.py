"""A process of its own for code that need not come back: forked, asked through pipes, watched.

The child is a fork of this process, so nothing has to be sent but requests and answers: a target
may hold a connection, a lock or an object of a library in C. A request is a function of ours, its
arguments, and what was already drawn for it; an answer is what the function returned or raised. A
child that ends, or says nothing for too long, has no say in what becomes of this process: it is
killed with all that it started, and waited for, so that none is left.

What the target does to its process stays there: its standard input is empty, its standard output
is standard error, Ctrl-C does not reach it (it is in a process group of its own), and it dies with
its parent.
"""

from __future__ import annotations

import gc
import os
import pickle
import random
import select
import signal
import struct
import sys
import time
import warnings
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from mmap import mmap
from typing import Any, Literal, NoReturn, final

import numpy as np

from audit.loading.journal import LOG_BYTES, Journal, Progress, progress_of

__all__ = ["CAN_FORK", "Answer", "Child", "Gone", "Order"]

CAN_FORK = hasattr(os, "fork")

CHUNK = 2**20
"""Bytes of one read or write: what a pipe of Linux can be made to hold."""

LENGTH = struct.Struct("<cQ")
ANSWER, LOG = b"a", b"l"

LOOKS_A_TURN = 4
"""A child that says nothing is looked at so many times until it is given up."""

LONGEST_WAIT = 0.2
"""Seconds between looks: a call may have begun. (And where the system has no handle of a process
that can be waited for, one that the child started may hold its pipe open.)"""

LEAVES = 1.0
"""Seconds that a child has to end after it has closed its pipe."""

KILLED_FIRST = "500"
"""Badness added to the child's: where memory runs out, the system should not choose its parent."""


@final
@dataclass(frozen=True, slots=True)
class Order:
    """What a child is asked for.

    Parameters
    ----------
    function : callable
        A function of a module.
    arguments : tuple
        Its arguments; those that the child has inherited are not sent.
    logs : bool
        Whether each call of the target is written down, so that another child can go on.
    drawn : bytes
        What others have written down before they ended.
    restarts : int
        How often that happened.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    logs: bool = False
    drawn: bytes = b""
    restarts: int = 0


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """What the function returned, or raised."""

    value: Any
    failure: BaseException | None = None


@final
@dataclass(frozen=True, slots=True)
class Gone:
    """The child is no more.

    Parameters
    ----------
    how : str
        "status 3", "signal SIGSEGV", or "" where it was killed for its silence.
    progress : Progress
        What it was doing.
    drawn : bytes
        What it had written down.
    late : bool
        Whether it was killed because the time of the whole request was up.
    """

    how: str
    progress: Progress
    drawn: bytes
    late: bool = False


class _Writer(pickle.Pickler):
    """A pickler that leaves out what the child has."""

    def __init__(self, file: BytesIO, places: Callable[[Any], Any]) -> None:
        super().__init__(file, protocol=5)
        self.places = places

    def persistent_id(self, obj: Any) -> Any:
        return self.places(obj)


class _Reader(pickle.Unpickler):
    """Its counterpart."""

    def __init__(self, file: BytesIO, found: Callable[[Any], Any]) -> None:
        super().__init__(file)
        self.found = found

    def persistent_load(self, pid: Any) -> Any:
        return self.found(pid)


@final
class Child:
    """A fork of this process that answers one request after the other.

    Parameters
    ----------
    inherited : sequence
        Objects that are not sent, as the child has them.
    kind : type
        Every object of this class is the first of these in the child.
    prepare : callable
        Called in the child before the first request.
    generation : int
        How many children came before: the generators of `random` and `numpy.random`, which
        would all begin alike, begin elsewhere in a later one.
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
        self.pid = _fork()
        if self.pid == 0:
            _serve(self, ours, theirs, parent, prepare, generation)
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
        return _is_over(self.pid)

    def packed(self, order: Order, keep: Sequence[Any] = ()) -> bytes:
        """Write a request down.

        Parameters
        ----------
        order : Order
            The request.
        keep : sequence
            Those among the arguments that come again: they are sent once.

        Raises
        ------
        Exception
            Whatever pickle raises for arguments that cannot be sent.
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
    ) -> Answer | Gone:
        """Send a request and wait for the answer; the child is closed where there is none.

        Parameters
        ----------
        message : bytes
            From `packed`.
        end : float
            On the clock of `time.monotonic`: the child is killed then.
        patience : callable
            Seconds that the child may go on with one call, by what it is doing.
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

        file = BytesIO()
        _Writer(file, place).dump(thing)
        return file.getvalue()

    def _talk(
        self, message: bytes, end: float, patience: Callable[[Progress], float]
    ) -> Answer | Gone:
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
            over = self.handle in ready if self.handle >= 0 else _is_over(self.pid)
            if self.back in ready or over:
                over = self._read(received) or over
            while (frame := _frame(received)) is not None:
                kind, body = frame
                if kind == ANSWER:
                    return pickle.loads(body)  # type: ignore[no-any-return]
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
        while not _is_over(self.pid):  # it has closed its pipe, and may not mean to end
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
        return Gone(_how(status), progress, log + rest)

    def _given_up(self, log: bytes, epoch: int, *, late: bool) -> Gone:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        gone = self._gone(log, epoch)
        return Gone("", gone.progress, gone.drawn, late)


def _how(status: int) -> str:
    """The end of a process in words."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"status {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


def _frame(received: bytearray) -> tuple[bytes, bytes] | None:
    """Take one whole message off."""
    if len(received) < LENGTH.size:
        return None
    kind, length = LENGTH.unpack_from(received)
    whole = LENGTH.size + length
    if len(received) < whole:
        return None
    body = bytes(received[LENGTH.size : whole])
    del received[:whole]
    return kind, body


def _is_over(pid: int) -> bool:
    """Whether a process has ended; it stays to be waited for."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


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


def _fork() -> int:
    """Fork; threads that other libraries keep (of linear algebra, of a progress line) stay here.

    Python warns of that, as the child may wait for a lock that one of them holds; ours uses
    streams of its own, and whoever must have no child says so. Ctrl-C waits until the child has
    turned its back on it.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    pid = -1
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        return pid
    finally:
        if pid != 0:  # the child does so once it ignores them
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


# -- in the child -----------------------------------------------------------------------------------


def _serve(
    child: Child,
    requests: tuple[int, int],
    answers: tuple[int, int],
    parent: int,
    prepare: Callable[[Journal], None],
    generation: int,
) -> NoReturn:
    """Answer requests until there are no more; nothing of this process's future is the parent's."""
    status: Literal[0, 70] = 70
    try:
        os.close(requests[1])
        os.close(answers[0])
        _stand_alone(parent, requests[0], answers[1])
        if generation:
            _begin_elsewhere(generation)
        journal = Journal(child.memory, lambda body: _send(answers[1], LOG, body))
        prepare(journal)
        kept: dict[int, Any] = {}

        def found(place: int) -> Any:
            return child.inherited[place] if place >= 0 else kept[-place]

        while (message := _received(requests[0])) is not None:
            new, lasting, body = pickle.loads(message)
            kept |= {number: _Reader(BytesIO(one), found).load() for number, one in new.items()}
            kept = {number: kept[number] for number in lasting}
            order = _Reader(BytesIO(body), found).load()
            _send(answers[1], ANSWER, _packed_answer(_answer(order, journal)))
        status = 0
    except BaseException:  # noqa: BLE001 - the frames above are those of the parent
        with suppress(BaseException):
            import traceback

            traceback.print_exc()
    finally:
        os._exit(status)


def _answer(order: Order, journal: Journal) -> Answer:
    journal.open(order.drawn, logs=order.logs, restarts=order.restarts)
    try:
        return Answer(order.function(*order.arguments))
    except BaseException as failure:  # noqa: BLE001 - the parent raises it again
        return Answer(None, failure)
    finally:
        journal.close()


def _packed_answer(answer: Answer) -> bytes:
    """Write an answer; of a failure that cannot be sent its text is left."""
    failure = answer.failure
    if failure is None:
        return pickle.dumps(answer, protocol=5)
    import traceback

    failure.__context__ = failure.__cause__ = None
    said = "".join(traceback.format_exception(failure))
    failure.__traceback__ = None
    try:
        failure.add_note(f"in the process of the target:\n{said}")
        packed = pickle.dumps(answer, protocol=5)
        pickle.loads(packed)
    except Exception:  # noqa: BLE001 - an exception may refuse in any way
        text = f"{type(failure).__name__}: {failure}"
        return pickle.dumps(Answer(None, RuntimeError(text)), protocol=5)
    return packed


def _stand_alone(parent: int, *pipes: int) -> None:
    """Leave the terminal, the parent's streams and its handlers of signals."""
    with suppress(OSError):
        os.setpgid(0, 0)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    _die_with(parent)
    empty = os.open(os.devnull, os.O_RDWR)
    for stream, place in ((sys.__stdin__, 0), (sys.__stdout__, 1)):
        with suppress(OSError, ValueError):
            if stream is not None and stream.fileno() == place and place not in pipes:
                os.dup2(empty if place == 0 else 2, place)
    os.close(empty)
    _abandoned.extend((sys.stdin, sys.stdout, sys.stderr))  # what they hold is the parent's to write
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - for good
    try:
        sys.stderr = open(2, "w", encoding="utf-8", errors="replace", closefd=False, buffering=1)  # noqa: PTH123, SIM115
    except OSError:  # the parent has none
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stdout = sys.stderr
    with suppress(OSError):
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:  # noqa: PTH123
            file.write(KILLED_FIRST)
    gc.freeze()  # looking through what it inherited would copy all of it


_abandoned: list[Any] = []


def _die_with(parent: int) -> None:
    """End this process when its parent has ended, however that was."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
            if os.getppid() == parent:
                return
            os._exit(0)
    import threading

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def _begin_elsewhere(generation: int) -> None:
    """Move the global generators away from where an earlier child began, repeatably."""
    key = np.random.get_state(legacy=False)["state"]["key"]  # type: ignore[call-overload]
    np.random.seed([generation, *map(int, key[:8])])
    random.seed(f"{generation} {random.getrandbits(64)}")


def _received(descriptor: int) -> bytes | None:
    """Read one message; None where there are no more."""
    head = _exactly(descriptor, LENGTH.size)
    return None if head is None else _exactly(descriptor, LENGTH.unpack(head)[1])


def _exactly(descriptor: int, size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        chunk = os.read(descriptor, min(CHUNK, size - len(parts)))
        if not chunk:
            return None
        parts += chunk
    return bytes(parts)


def _send(descriptor: int, kind: bytes, body: bytes) -> None:
    unsent = memoryview(LENGTH.pack(kind, len(body)) + body)
    while unsent:
        unsent = unsent[os.write(descriptor, unsent[:CHUNK]) :]
