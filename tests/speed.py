"""Work of an action in calls of functions: what no other work on the machine changes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["calls_of"]

T = TypeVar("T")


def calls_of(action: Callable[[], T], most: float = float("inf")) -> tuple[int, T]:
    """How many functions an action calls, of Python and of C (counted up to `most`); its result.

    What numpy does with all numbers at once is one call, however many they are.
    """
    calls = 0

    def count(frame: Any, event: str, arg: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")
        if calls >= most:
            sys.setprofile(None)

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        result = action()
    finally:
        sys.setprofile(before)
    return calls, result
