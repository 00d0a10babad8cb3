"""Ctrl-C and SIGTERM, held back where half of a step would be worse than none."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["undisturbed"]

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back until the end: a step is done as a whole or not at all."""
    held: list[int] = []
    before: dict[signal.Signals, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            if signal.getsignal(number) is not None:  # None: a handler that is not Python's
                before[number] = signal.signal(number, lambda which, _: held.append(which))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for which in held[:1]:
            signal.raise_signal(which)
