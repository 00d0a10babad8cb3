"""A failure of a target is an outcome: how single draws are made and failures are kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["call_each", "deadline", "drawing_until", "without_frames"]

_deadline: ContextVar[float] = ContextVar("deadline", default=math.inf)


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
    """
    outputs: list[Any] = []
    for _ in range(size):
        try:
            outputs.append(call())
        except MemoryError:
            raise
        except Exception as failure:  # noqa: BLE001 - the target's failure is an outcome
            outputs.append(without_frames(failure))
    if all(isinstance(output, float) for output in outputs):
        return np.array(outputs, dtype=np.float64)
    return outputs
