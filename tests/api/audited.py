"""Mechanisms that the tests of the API audit, in a module that a command can import."""

from __future__ import annotations

from typing import Any

import audit

LEAKY = 0.3
"""Scale of noise that is too small for epsilon = 1."""


def leaky(data: Any, size: int, rng: Any) -> Any:
    """A sum with too little noise."""
    return data.sum() + rng.laplace(scale=LEAKY, size=size)


@audit.mechanism(audit.pure(1, relation="add-remove"), low=0, high=1)
def total(data: Any, size: int, rng: Any, low: float, high: float) -> Any:
    """A sum of clipped records that says what it promises."""
    import numpy as np

    return np.clip(np.nan_to_num(data), low, high).sum() + rng.laplace(size=size)


@audit.mechanism(audit.approx(1, "1e-2", relation="swap"), low=0, high=1, order="fixed")
class First:
    """A class with a sampler."""

    def sample(self, data: Any, size: int, *, rng: Any) -> Any:
        """Draw."""
        return data[0] + rng.laplace(size=size) if len(data) else rng.laplace(size=size)
