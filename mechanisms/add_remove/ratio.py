"""What the add-remove means share: the clipped ratio of a noisy sum and a noisy count.

It is post-processing of noisy values: zero denominators and clipping depend on nothing else.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.noise.parameters import check_scale
from mechanisms.validation import Number, check_fraction

__all__ = ["clipped_ratio", "optional_scale"]


def optional_scale(value: Number | None, name: str, unit: Fraction) -> Fraction | None:
    """Check a scale of Laplace noise in `unit`s; None stands for the paper's."""
    if value is None:
        return None
    scale = check_fraction(value, name, above=0)
    check_scale(scale / unit, name if unit == 1 else f"{name} / {unit}")
    return scale


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
