"""Work that calls code of the user's in a process of its own: whatever ends it, this one goes on.

The process is a fork, so it has all that this one has: objects at hand, the terminal, the streams.
It works, and what came is sent back. Where it ended before, by `os._exit`, a signal, or a thread
that was left behind, that is an error which names what was worked on: no end of a process looks
like a verdict. `SystemExit`, and a `KeyboardInterrupt` that no signal sent, are such errors, too.
"""

from __future__ import annotations

import atexit
import importlib
import os
import pickle
import select
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from mmap import mmap
from os import _exit as end_process
from pathlib import Path
from types import FunctionType
from typing import Any, NoReturn, TypeVar

from audit.interrupts import end, interrupt, is_asked_for, is_new, nothing_asked
from audit.targets.refused_exits import exits_refused
from mechanisms.errors import TouchstoneError

T = TypeVar("T")

CAN_FORK = hasattr(os, "fork")
"""Whether this system can make a child that has all that this process has."""

POOL = "polars-"
"""How the threads of polars are named: a fork has none of them, and waits for them forever."""

CHUNK = 2**20
"""Bytes of one read: what a pipe of Linux can be made to hold."""

LONGEST_WAIT = 0.05
"""Seconds between looks where the system has no handle of a process that can be waited for."""

NAME_BYTES = 200
"""Of a name in shared memory; longer ones are cut."""

HANDED_ON = (signal.SIGINT, signal.SIGTERM)
"""Signals to this process that are for the work."""

KNOWN = ("audit", "mechanisms", "proofs_check", "numpy", "scipy", "flint", "mpmath", "sympy", "z3")

_imported: set[str] = set()
"""Modules of these that earlier work has imported: the next has them from the start."""

_at: mmap | None = None
"""What this process is at, for the one that waits for it."""

_dumps, _loads = pickle.dumps, pickle.loads  # before a target can have replaced them


BACKTRACE = "RUST_BACKTRACE"


def _set_at_start() -> bool:
    """Whether whoever started this process has set it: OpenDP sets it when it is imported."""
    try:
        return f"\0{BACKTRACE}=".encode() in b"\0" + Path("/proc/self/environ").read_bytes()
    except OSError:
        return BACKTRACE in os.environ


_is_users = _set_at_start()


def without_backtraces() -> None:
    """Let libraries in Rust fail without them, unless they were asked for.

    An error of OpenDP costs 65 ms with one, and half a millisecond without.
    """
    if not _is_users and os.environ.get(BACKTRACE, "1") == "1":
        os.environ[BACKTRACE] = "0"


class ProcessEnded(TouchstoneError):
    """Code of the user's ended the process, or tried to; the message names what was worked on."""


def now_at(target: Any) -> None:
    """Say what is worked on: whoever waits for this process names it where the process ends.

    An object by its class; no code of the user's is called for that.
    """
    if _at is not None:
        named = target if issubclass(type(target), str | type | FunctionType) else type(target)
        name = named if isinstance(named, str) else named.__name__
        _at[:] = name.encode(errors="replace")[:NAME_BYTES].ljust(NAME_BYTES, b"\0")


def separately(work: Callable[[], T], name: str = "", *, forks: bool = True) -> T:
    """Do work in a fork of this process, and return what it returned.

    `name`: of what is worked on; empty for what `now_at` said last. `forks`: False where the work
    must be done here (`--in-process`); then only `os._exit` is caught. A result, or an exception,
    that cannot be sent is made again here: the code has come through once.

    Raises ProcessEnded where the process ended, and whatever the work raises.
    """
    if not (CAN_FORK and forks) or has_pool_of_threads():
        return _here(work, name)
    for module in sorted(_imported - set(sys.modules)):
        with suppress(Exception):
            importlib.import_module(module)
    memory = mmap(-1, NAME_BYTES)
    for stream in (sys.stdout, sys.stderr):  # a copy of what is not written yet would be, too
        with suppress(Exception):
            stream.flush()
    reads, writes = os.pipe()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HANDED_ON)
    try:
        parent, pid = os.getpid(), fork()
        if pid == 0:
            os.close(reads)
            _work(work, name, memory, writes, parent, before)
        os.close(writes)
        with _handed_on_to(pid) as handed_on:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            body, status = _awaited(pid, reads)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    sent: tuple[Any, BaseException | None, BaseException | None, list[str]] | None = None
    if body is None:
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) in handed_on:
            signal.raise_signal(os.WTERMSIG(status))
        at = name or memory[:].rstrip(b"\0").decode(errors="replace")
        raise ProcessEnded(_words(at, f"the process ended ({how_ended(status)})"))
    with suppress(Exception):
        sent = _loads(body)
    if sent is None:
        return _here(work, name)
    value, failure, cause, modules = sent
    _imported.update(modules)
    if failure is not None:
        raise failure from cause
    return value  # type: ignore[no-any-return]


def _here(work: Callable[[], T], name: str) -> T:
    with exits_refused():
        try:
            return work()
        except (SystemExit, GeneratorExit) as exc:
            raise ended_by(exc, name) from exc


def _words(name: str, what: str) -> str:
    return f"{name + ': ' if name else ''}{what} before there was a verdict"


def ended_by(exc: BaseException, name: str = "") -> ProcessEnded:
    """What code of the user's is blamed for that raised what ends a process."""
    return ProcessEnded(_words(name or _now(), f"its code raised {type(exc).__name__}({exc})"))


def _work(
    work: Callable[[], Any],
    name: str,
    memory: mmap,
    writes: int,
    parent: int,
    mask: set[int | signal.Signals],
) -> NoReturn:
    """The process of the work; it ends here."""
    global _at
    try:
        own, known, _at = os.getpid(), set(sys.modules), memory
        atexit._clear()  # those of the process before run there, at its end
        nothing_asked()
        _workers(forgotten=True)
        for number, handler, usual in (
            (signal.SIGINT, interrupt, signal.default_int_handler),
            (signal.SIGTERM, end, signal.SIG_DFL),
        ):
            if signal.getsignal(number) is usual:
                signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        die_with(parent)
        without_backtraces()
        body = _packed(work, name or "", known)
        _workers()
        if os.getpid() == own:  # and no copy that code of the user's made
            for stream in (sys.stdout, sys.stderr):
                with suppress(Exception):
                    stream.flush()
            unsent = memoryview(len(body).to_bytes(8, "little") + body)
            while unsent:
                unsent = unsent[os.write(writes, unsent[:CHUNK]) :]
            with suppress(BaseException):  # what the work left for its end: folders of joblib
                atexit._run_exitfuncs()
    finally:
        end_process(0)


def _workers(*, forgotten: bool = False) -> None:
    """End worker processes that were started here; or forget those of the process before."""
    loky: Any = sys.modules.get("joblib.externals.loky.reusable_executor")
    executor = getattr(loky, "_executor", None)
    if executor is not None:
        loky._executor = None
        if not forgotten:
            getattr(executor, "terminate", executor.shutdown)(kill_workers=True)  # joblib's, loky's


def _packed(work: Callable[[], Any], name: str, known: set[str]) -> bytes:
    """What came of the work, written down; empty where it cannot be."""
    value: Any = None
    failure: BaseException | None = None
    cause: BaseException | None = None
    try:
        value = work()
    except (SystemExit, GeneratorExit) as exc:
        failure = ended_by(exc, name)
    except KeyboardInterrupt as exc:
        failure = exc if is_asked_for() else ended_by(exc, name)
    except BaseException as exc:  # noqa: BLE001 - it is raised again where it is waited for
        failure, cause = exc, exc.__cause__
    try:
        if failure is not None and not isinstance(failure, TouchstoneError | KeyboardInterrupt):
            return b""  # made again, it has the frames that whoever looks for its cause needs
        modules = [one for one in set(sys.modules) - known if one.partition(".")[0] in KNOWN]
        body = _dumps((value, failure, cause, modules), protocol=5)
        if failure is not None:
            _loads(body)
    except Exception:  # noqa: BLE001 - of objects of the user's: in any way
        return b""
    return body


def _now() -> str:
    return "" if _at is None else _at[:].rstrip(b"\0").decode(errors="replace")


@contextmanager
def _handed_on_to(pid: int) -> Iterator[list[int]]:
    """Let signals that would end this process reach the work: it says what came, and ends."""
    handed_on: list[int] = []

    def hand_on(number: int, frame: object) -> None:  # noqa: ARG001 - the signature of a handler
        is_new()
        handed_on.append(number)
        with suppress(ProcessLookupError):
            os.kill(pid, number)

    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in HANDED_ON:
            handler = signal.getsignal(number)
            if handler in (signal.default_int_handler, signal.SIG_DFL, interrupt, end):
                before[number] = signal.signal(number, hand_on)
    try:
        yield handed_on
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _awaited(pid: int, reads: int) -> tuple[bytes | None, int]:
    """What a process sent, None where that is not whole; and how it ended."""
    received = bytearray()
    handle = -1
    if hasattr(os, "pidfd_open"):
        with suppress(OSError):
            handle = os.pidfd_open(pid)
    try:
        os.set_blocking(reads, False)
        poll = select.poll()
        poll.register(reads, select.POLLIN)
        if handle >= 0:
            poll.register(handle, select.POLLIN)
        over = False
        while not over:
            poll.poll(None if handle >= 0 else LONGEST_WAIT * 1000)
            over = is_over(pid)  # before what it wrote last is read
            with suppress(BlockingIOError):
                while chunk := os.read(reads, CHUNK):
                    received += chunk
                if not over:  # it has closed its end, and goes on
                    with suppress(KeyError):
                        poll.unregister(reads)
        _, status = os.waitpid(pid, 0)
    except BaseException:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        raise
    finally:
        for one in (reads, handle):
            if one >= 0:
                os.close(one)
    whole = len(received) >= 8 and len(received) == 8 + int.from_bytes(received[:8], "little")
    return (bytes(received[8:]) if whole else None), status


def fork() -> int:
    """Fork; threads that other libraries keep (of linear algebra, of a progress line) stay here.

    Python warns of that, as the child may wait for a lock that one of them holds; ours uses
    streams of its own, and whoever must have no child says so. Ctrl-C waits until the child has
    turned its back on it.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HANDED_ON)
    pid = -1
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        return pid
    finally:
        if pid != 0:  # the child does so once it ignores them
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def is_over(pid: int) -> bool:
    """Whether a process has ended; it stays to be waited for."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def how_ended(status: int) -> str:
    """The end of a process in words."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"status {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


def has_pool_of_threads() -> bool:
    """Whether this process has threads that a library would wait for in vain in a fork."""
    for file in Path("/proc/self/task").glob("*/comm"):
        with suppress(OSError):  # it has ended
            if file.read_text(encoding="utf-8").startswith(POOL):
                return True
    return False


def die_with(parent: int) -> None:
    """End this process when its parent has ended, however that was."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
            if os.getppid() == parent:
                return
            end_process(0)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        end_process(0)

    threading.Thread(target=watch, daemon=True).start()
