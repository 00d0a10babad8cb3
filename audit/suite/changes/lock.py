"""A file that one process at a time may read, change and write again.

The lock is of the operating system: it ends with the process, however that ends, so a lock file
that was left behind holds nothing. It lies beside the file, under its name and `.lock`: two users
with different cache folders, or one on two machines, hold the same one. Where the operating system
or the file system has no such locks, nothing is held.
"""

from __future__ import annotations

import os
import stat
import weakref
from contextlib import suppress
from pathlib import Path
from typing import final

from mechanisms.errors import InvalidArgument

__all__ = ["LOCK", "Held", "hold"]

LOCK = ".lock"
"""End of the name of a lock file."""


@final
class Held:
    """A lock, until it is closed or forgotten; its file goes with it.

    `descriptor`: of the open file that is locked. `path`: of this file.
    """

    def __init__(self, descriptor: int, path: Path) -> None:
        self._close = weakref.finalize(self, _let_go, descriptor, path.absolute(), os.getpid())

    def close(self) -> None:
        """Let others have the file."""
        self._close()


def hold(path: Path) -> Held | None:
    """Hold a file until what is returned is closed.

    `path`: the file; it need not exist, nor its folder. Raises InvalidArgument if another run holds
    it, or a lock cannot be made beside it.
    """
    try:
        import fcntl
    except ImportError:  # not on Windows
        return None
    beside = path.with_name(path.name + LOCK)
    while True:
        descriptor = _opened(beside)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as exc:
            os.close(descriptor)
            msg = f"{path} is in use by another run of the gate: wait until that has ended"
            raise InvalidArgument(msg) from exc
        except OSError:  # a file system without locks
            os.close(descriptor)
            return None
        if _is_at(descriptor, beside):
            return Held(descriptor, beside)
        os.close(descriptor)  # who held it has removed it in between: what is locked is no file


def _opened(beside: Path) -> int:
    """An open lock file; neither a link nor anything that waits."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        beside.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(beside, flags, 0o666)
    except (OSError, ValueError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) else exc
        msg = f"{str(beside)!r} cannot be made: {reason}"
        raise InvalidArgument(msg) from exc
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        msg = f"{str(beside)!r} cannot be made: there is something else of that name"
        raise InvalidArgument(msg)
    return descriptor


def _is_at(descriptor: int, path: Path) -> bool:
    """Whether an open file is the one of this name."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))  # noqa: PTH116 - beside fstat
    except OSError:
        return False


def _let_go(descriptor: int, path: Path, owner: int) -> None:
    """Remove a lock file and its lock; a process that was forked from the owner does neither."""
    if os.getpid() == owner:
        import fcntl

        with suppress(OSError):
            if _is_at(descriptor, path):
                path.unlink()
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_UN)  # also for processes that were forked
    os.close(descriptor)
