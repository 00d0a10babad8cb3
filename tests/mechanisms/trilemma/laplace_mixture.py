"""Distribution functions of mixtures of Laplace laws, and of how far the sampler may be off."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def mixture_cdf(parts: Sequence[tuple[float, float]], scale: float) -> Callable[[Array], Array]:
    """Cdf of sum_j w_j Lap(center_j, scale); parts are (w_j, center_j)."""

    def cdf(z: Array) -> Array:
        total = np.zeros_like(z)
        for weight, center in parts:
            far = (z - center) / scale
            tail = np.exp(-np.abs(far)) / 2
            total += weight * np.where(far < 0, tail, 1 - tail)
        return total

    return cdf
