"""What the add-remove means share: a noisy pair (sum, count), and its clipped ratio.

Both work in units of a public length, so that no size of data overflows. The ratio is
post-processing of noisy values: zero denominators and clipping depend on nothing else.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mechanisms.noise.laplace import Laplace
from mechanisms.noise.parameters import check_scale
from mechanisms.validation import Number, check_fraction

__all__ = ["clipped_ratio", "noise_of_scale", "noisy_pair", "optional_scale"]


def optional_scale(value: Number | None, name: str, unit: Fraction) -> Fraction | None:
    """Check a scale of Laplace noise in `unit`s; None stands for the paper's."""
    if value is None:
        return None
    scale = check_fraction(value, name, above=0)
    check_scale(scale / unit, name if unit == 1 else f"{name} / {unit}")
    return scale


def noise_of_scale(scale: Fraction, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw Laplace noise of an exact scale, shape (size,); scale 0 is no noise."""
    if scale == 0:
        return np.zeros(size)
    return _laplace(scale).sample(size, rng=rng)


@lru_cache(maxsize=64)
def _laplace(scale: Fraction) -> Laplace:
    """The noise of a scale: an audit makes thousands of small calls, and its checks cost more."""
    return Laplace(epsilon=1, sensitivity=scale)


def noisy_pair(
    total: Fraction,
    count: int,
    scales: tuple[Fraction, Fraction],
    size: int,
    *,
    rng: np.random.Generator,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draw (total + Lap(scales[0]), count + Lap(scales[1])), each of shape (size,)."""
    total_scale, count_scale = scales
    noisy_total = float(total) + noise_of_scale(total_scale, size, rng=rng)
    noisy_count = float(count) + noise_of_scale(count_scale, size, rng=rng)
    return noisy_total, noisy_count


def clipped_ratio(
    numerator: NDArray[np.float64],
    denominator: NDArray[np.float64],
    low: Fraction,
    high: Fraction,
    *,
    offset: Fraction,
    unit: Fraction,
) -> NDArray[np.float64]:
    """Return offset + unit numerator / denominator clipped to [low, high], shape (size,).

    A zero denominator gives the midpoint; a negative one keeps its sign, as printed. Adding the
    offset, +0.0 if zero, leaves no -0.0.
    """
    midpoint = float((low + high) / 2)
    with np.errstate(all="ignore"):
        value = float(offset) + float(unit) * (numerator / denominator)
    undefined = (denominator == 0) | np.isnan(value)
    return np.where(undefined, midpoint, np.clip(value, float(low), float(high)))
