"""Processes that get Ctrl-C wherever the tests were started."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["ctrl_c_reaches_children"]


@contextmanager
def ctrl_c_reaches_children() -> Iterator[None]:
    """Processes started meanwhile get SIGINT, also where the tests run as a background job."""
    inherited = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, inherited)
