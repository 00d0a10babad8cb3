"""Releases whose law moves with the number of calls, each call within its claim.

The counter and the walk are public: they are the same whatever the data are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["counted", "counted_too_little", "swinging", "walking"]

STEP, STEPS_OF_WALK, PERIOD = 2e-5, 0.005, 18_850
"""Of the counter's shift; of the walk's steps, their standard deviation; calls of a swing."""

Data = np.ndarray[Any, Any]
Rng = np.random.Generator

made = 0
place = 0.0
public = np.random.default_rng(1)


def _clipped(data: Data) -> float:
    return float(np.clip(np.nan_to_num(data, nan=0.0), 0, 1).sum())


def _next(size: int) -> np.ndarray[Any, Any]:
    """Numbers of so many calls."""
    global made
    made += size
    return np.arange(made - size, made)


def counted(data: Data, size: int, rng: Rng) -> Any:
    """A clipped sum with noise at its claim, moved by a counter."""
    return _clipped(data) + rng.laplace(size=size) + STEP * _next(size)


def counted_too_little(data: Data, size: int, rng: Rng) -> Any:
    """The same with a fifth of the noise."""
    return _clipped(data) + rng.laplace(scale=0.2, size=size) + STEP * _next(size)


def walking(data: Data, size: int, rng: Rng) -> Any:
    """The same, moved by a random walk."""
    global place
    path = place + np.cumsum(public.normal(scale=STEPS_OF_WALK, size=size))
    place = float(path[-1])
    return _clipped(data) + rng.laplace(size=size) + path


def swinging(data: Data, size: int, rng: Rng) -> Any:
    """The same, moved by a sine."""
    return _clipped(data) + rng.laplace(size=size) + 0.3 * np.sin(2 * np.pi * _next(size) / PERIOD)
