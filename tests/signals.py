"""Ctrl-C that reaches this process and its children wherever the tests were started."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["ctrl_c_reaches_children"]


@contextmanager
def ctrl_c_reaches_children() -> Iterator[None]:
    """SIGINT is heard here and by processes started meanwhile, also in a background job."""
    inherited = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, inherited)
