"""A small library of releases, for `touchstone survey` (docs/how-to/survey.md)."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["noisy_count", "noisy_mean", "noisy_sum"]


def noisy_sum(data: Any, epsilon: float, state: np.random.RandomState) -> float:
    """A sum of records between 0 and 1, with as much noise as it needs."""
    return float(np.clip(np.nan_to_num(data), 0, 1).sum() + state.laplace(scale=1 / epsilon))


def noisy_count(data: Any, epsilon: float, state: np.random.RandomState) -> float:
    """A count with a third of the noise that it needs."""
    return float(len(data) + state.laplace(scale=1 / (3 * epsilon)))


def noisy_mean(data: Any, epsilon: float, state: np.random.RandomState) -> float:
    """A mean; its table does not say what it promises."""
    return noisy_sum(data, epsilon, state) / max(1, len(data))
