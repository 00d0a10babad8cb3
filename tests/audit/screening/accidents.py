"""Releases that end, hang or are canceled on one record, and ones that do so on all data."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from typing import Any

import numpy as np

__all__ = ["ALIKE", "ONE_SIDED", "strict"]

Rng = np.random.Generator

OUT_OF_RANGE = 1.5
"""A record above it is what the accident is about: one out of range."""


def _sum(data: Any, size: int, rng: Rng) -> Any:
    return np.clip(np.nan_to_num(data), 0, 1).sum() + rng.laplace(size=size)


def _meets(data: Any) -> bool:
    return bool((np.nan_to_num(data) > OUT_OF_RANGE).any())


def exits(data: Any, size: int, rng: Rng) -> Any:
    """It ends its process without a word."""
    if _meets(data):
        os._exit(0)
    return _sum(data, size, rng)


def crashes(data: Any, size: int, rng: Rng) -> Any:
    """It ends by a signal."""
    if _meets(data):
        os.kill(os.getpid(), signal.SIGSEGV)
    return _sum(data, size, rng)


def hangs(data: Any, size: int, rng: Rng) -> Any:
    """It never answers."""
    if _meets(data):
        while True:
            time.sleep(1)
    return _sum(data, size, rng)


def cancels(data: Any, size: int, rng: Rng) -> Any:
    """It raises what is no `Exception`."""
    if _meets(data):
        raise asyncio.CancelledError
    return _sum(data, size, rng)


def leaves(data: Any, size: int, rng: Rng) -> Any:
    """It leaves the program."""
    if _meets(data):
        sys.exit(0)
    return _sum(data, size, rng)


def strict(data: Any, size: int, rng: Rng) -> Any:
    """It has numpy raise from then on; the release is the same."""
    if _meets(data):
        np.seterr(all="raise")
    return _sum(data, size, rng)


def always_leaves(data: Any, size: int, rng: Rng) -> Any:
    """It leaves the program on all data."""
    sys.exit(0)


ONE_SIDED = (exits, crashes, hangs, cancels, leaves)
ALIKE = (always_leaves,)
