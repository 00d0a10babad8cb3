"""A failure of a target is an outcome: how single draws are made and failures are kept."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["OutOfTime", "call_each", "deadline", "drawing_until", "without_frames"]

_deadline: ContextVar[float] = ContextVar("deadline", default=math.inf)


class OutOfTime(Exception):
    """The deadline passed within a batch; its draws are not bet on."""


@contextmanager
def drawing_until(when: float) -> Iterator[None]:
    """Let targets that can stop within a call know when their draws are of no use any more.

    Parameters
    ----------
    when : float
        On the clock of `time.monotonic`.
    """
    before = _deadline.set(when)
    try:
        yield
    finally:
        _deadline.reset(before)


def deadline() -> float:
    """When the draws that are made now are of no use any more; infinite where nobody said."""
    return _deadline.get()


def without_frames(failure: Exception) -> Exception:
    """Cut an exception off its frames: they would keep a copy of the data alive each."""
    failure.__context__ = failure.__cause__ = None
    return failure.with_traceback(None)


def call_each(call: Callable[[], Any], size: int) -> NDArray[Any] | list[Any]:
    """Make `size` draws, one a call.

    Returns
    -------
    ndarray of float, shape (size,), or list of length size
        A list where an output is not a float; an exception stands as its instance. MemoryError
        and what does not derive from Exception (KeyboardInterrupt, SystemExit) propagate.

    Raises
    ------
    OutOfTime
        When the deadline of the draws passes before a call.
    """
    outputs: list[Any] = []
    end = deadline()
    for _ in range(size):
        if time.monotonic() > end:
            raise OutOfTime
        try:
            outputs.append(call())
        except (MemoryError, OutOfTime):
            raise
        except Exception as failure:  # noqa: BLE001 - the target's failure is an outcome
            outputs.append(without_frames(failure))
    if all(isinstance(output, float) for output in outputs):
        return np.array(outputs, dtype=np.float64)
    return outputs
