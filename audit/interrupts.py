"""Ctrl-C and SIGTERM: held back where half of a step would be worse than none, and heard once."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["end", "interrupt", "is_asked_for", "is_new", "nothing_asked", "undisturbed"]

SIGNALS = (signal.SIGINT, signal.SIGTERM)

TWICE = 0.5
"""Seconds within which a signal is the one before: a terminal sends it to a process and to its
parent, which hands it on."""

_last = -math.inf


def interrupt(number: int, frame: object) -> None:  # noqa: ARG001 - the signature of a handler
    """Raise KeyboardInterrupt for a signal, once."""
    if is_new():
        raise KeyboardInterrupt


def end(number: int, frame: object) -> None:  # noqa: ARG001 - the signature of a handler
    """End this process as the signal would, unless it has been heard."""
    if is_new():
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


def is_new() -> bool:
    """Hear a signal; whether it is none that was heard just now."""
    global _last
    before, _last = _last, time.monotonic()
    return _last - before > TWICE


def is_asked_for() -> bool:
    """Whether a KeyboardInterrupt may be of a signal, and not raised by code of the user's."""
    return signal.getsignal(signal.SIGINT) is not interrupt or _last > -math.inf


def nothing_asked() -> None:
    """Begin a process: no signal has come to it."""
    global _last
    _last = -math.inf


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
