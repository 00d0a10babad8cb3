"""A library to be surveyed: sound, broken, open and silent releases."""

from __future__ import annotations

from typing import Any

import numpy as np

import audit

__all__ = ["declared", "never", "replaced", "stateless", "thin", "total"]


def total(data: Any, epsilon: float, state: np.random.RandomState) -> float:
    """A sum of records between 0 and 1, private."""
    return float(np.clip(np.nan_to_num(data), 0, 1).sum() + state.laplace(scale=1 / epsilon))


def thin(data: Any, epsilon: float, state: np.random.RandomState) -> float:
    """A count with a fourth of the noise that it needs."""
    return float(len(data) + state.laplace(scale=1 / (4 * epsilon)))


def stateless(data: Any, epsilon: float) -> float:
    """It says nothing of what it promises."""
    return float(len(data)) / epsilon


def replaced(data: Any, epsilon: float, state: np.random.RandomState) -> float:
    """A sum of records between 9 and 10: private where they are replaced, not where they come."""
    return float(np.clip(np.nan_to_num(data), 9, 10).sum() + state.laplace(scale=1 / epsilon))


def never(data: Any, epsilon: float, state: np.random.RandomState) -> float:
    """A sum with too little noise under either relation."""
    return float(np.clip(np.nan_to_num(data), 0, 1).sum() + state.laplace(scale=0.2 / epsilon))


@audit.mechanism(audit.pure(1, relation="add-remove"), low=0, high=1)
def declared(data: Any, epsilon: float = 1.0, *, size: int, rng: np.random.Generator) -> Any:
    """It has a claim of its own."""
    return len(data) + np.round(rng.laplace(scale=1 / epsilon, size=size), 3)
