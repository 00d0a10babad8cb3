"""Calls of released libraries that break a claim: diffprivlib 0.6.6, as its users call it."""

from __future__ import annotations

from typing import Any

import numpy as np
from diffprivlib import tools

__all__ = ["histogram", "mean", "median", "total"]


def _state(rng: np.random.Generator) -> np.random.RandomState:
    return np.random.RandomState(int(rng.integers(2**32)))


def median(data: Any, *, rng: np.random.Generator) -> float:
    """NaN passes."""
    return float(tools.median(data, epsilon=1.0, bounds=(0, 1), random_state=_state(rng)))


def mean(data: Any, *, rng: np.random.Generator) -> float:
    """NaN passes."""
    return float(tools.mean(data, epsilon=1.0, bounds=(0, 1), random_state=_state(rng)))


def total(data: Any, *, rng: np.random.Generator) -> float:
    """Calibrated to replaced records: one more moves it by 10 to 11 at noise for 1."""
    return float(tools.sum(data, epsilon=1.0, bounds=(10, 11), random_state=_state(rng)))


def histogram(data: Any, *, rng: np.random.Generator) -> Any:
    """Calibrated to added records: a replaced one moves two bins."""
    return tools.histogram(data, epsilon=1.0, bins=2, range=(0, 1), random_state=_state(rng))[0]
