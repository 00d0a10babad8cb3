"""No end of the program that looks like a verdict: `os._exit` in code that is imported.

Where code of the user's runs in this process, `os._exit(0)` would say that a claim was audited and
stands. Here it raises instead, and so names the line that called it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

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
