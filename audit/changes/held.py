"""A file that one process at a time may read, change and write again.

The lock is of the operating system: it ends with the process, however that ends. It lies in the
cache folder, so that nothing appears beside the file. Where there are no such locks, or no such
folder, nothing is held.
"""

from __future__ import annotations

import hashlib
import os
import weakref
from pathlib import Path
from typing import final

from mechanisms.errors import InvalidArgument

__all__ = ["Held", "hold"]


@final
class Held:
    """A lock, until it is closed or forgotten.

    Parameters
    ----------
    descriptor : int
        Of the open file that is locked.
    """

    def __init__(self, descriptor: int) -> None:
        self._close = weakref.finalize(self, os.close, descriptor)

    def close(self) -> None:
        """Let others have the file."""
        self._close()


def hold(path: Path, folder: Path) -> Held | None:
    """Hold a file until what is returned is closed.

    Parameters
    ----------
    path : Path
        The file; it need not exist.
    folder : Path
        Where locks lie; it is made.

    Raises
    ------
    InvalidArgument
        If another run holds it.
    """
    try:
        import fcntl
    except ImportError:  # not on Windows
        return None
    name = hashlib.sha256(str(path.resolve()).encode(errors="surrogateescape")).hexdigest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / f"{name[:16]}.lock", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:
        return None
    lock = Held(descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as exc:
        lock.close()
        msg = f"{path} is in use by another run of the gate: wait until that has ended"
        raise InvalidArgument(msg) from exc
    except OSError:  # a file system without locks
        lock.close()
        return None
    return lock
