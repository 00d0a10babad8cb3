"""A failure of a target is an outcome: how single draws are made and failures are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["call_each", "without_frames"]


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
