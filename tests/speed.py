"""Processor time of an action at its best: what other work on the machine changes least."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import TypeVar

__all__ = ["best_seconds"]

T = TypeVar("T")

ATTEMPTS = 5


def best_seconds(action: Callable[[], T]) -> tuple[float, T]:
    """Least processor time of a few attempts, and the last result.

    Garbage of earlier tests is not collected meanwhile: it can take longer than the action.
    """
    best = float("inf")
    enabled = gc.isenabled()
    gc.disable()
    try:
        for _ in range(ATTEMPTS):
            started = time.process_time()
            result = action()
            best = min(best, time.process_time() - started)
    finally:
        if enabled:
            gc.enable()
    return best, result
