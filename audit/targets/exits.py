"""No end of the program that looks like a verdict: `os._exit` in code that is imported.

Exit status 0 says that a claim was audited and stands. Code of the user's that is imported runs in
this process, and `os._exit(0)` there, also in a function that it leaves for the exit of the
interpreter, would say so without an audit. Here it raises instead.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

__all__ = ["exits_refused", "refuse_at_exit"]

_really_exit = os._exit
_owner = os.getpid()


def _refuse(status: int) -> NoReturn:
    """Stand for `os._exit` in this process; a process that it starts may end as it likes."""
    if os.getpid() != _owner:
        _really_exit(status)
    msg = f"os._exit({status})"
    raise SystemExit(msg)


@contextmanager
def exits_refused() -> Iterator[None]:
    """Let `os._exit` raise SystemExit while code is imported."""
    global _owner
    _owner = os.getpid()
    before = os._exit
    os._exit = _refuse
    try:
        yield
    finally:
        os._exit = before


def refuse_at_exit() -> None:
    """Let what others have registered for the exit of the interpreter not change its status."""

    def begin() -> None:
        global _owner
        _owner = os.getpid()
        os._exit = _refuse

    atexit.register(begin)  # the last that is registered runs first
