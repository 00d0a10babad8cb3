"""Laplace noise: density r e^(-r |z|) / 2 with rate r = epsilon / sensitivity (Dwork 2006)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.noise.parameters import check_scale
from mechanisms.protocols import Arithmetic
from mechanisms.validation import Number, check_fraction, check_size

__all__ = ["Laplace", "LaplaceLaw"]


@final
@dataclass(frozen=True, slots=True)
class Laplace:
    """Laplace law: epsilon-private for queries of the given sensitivity.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Greater than 0.
    sensitivity : int, float, str or Fraction
        In the unit of the data, greater than 0; sensitivity / epsilon from 1e-75 to 1e75.

    References
    ----------
    .. [1] Dwork, McSherry, Nissim, Smith, "Calibrating noise to sensitivity in private data
       analysis", TCC 2006.
    """

    epsilon: Fraction
    sensitivity: Fraction
    dimension: ClassVar[int] = 1

    def __init__(self, epsilon: Number = 1, sensitivity: Number = 1) -> None:
        exact_epsilon = check_fraction(epsilon, "epsilon", above=0)
        exact_sensitivity = check_fraction(sensitivity, "sensitivity", above=0)
        check_scale(exact_sensitivity / exact_epsilon, "sensitivity / epsilon")
        object.__setattr__(self, "epsilon", exact_epsilon)
        object.__setattr__(self, "sensitivity", exact_sensitivity)

    @property
    def scale(self) -> float:
        """Scale sensitivity / epsilon of the law."""
        return float(self.sensitivity / self.epsilon)

    def density(self, z: ArrayLike) -> NDArray[np.float64]:
        """Density at z, elementwise."""
        x = np.abs(np.asarray(z, dtype=np.float64)) / self.scale
        return np.asarray(np.exp(-x) / (2 * self.scale))

    def cdf(self, z: ArrayLike) -> NDArray[np.float64]:
        """P(Z <= z), elementwise."""
        x = np.asarray(z, dtype=np.float64) / self.scale
        half_tail = np.exp(-np.abs(x)) / 2
        return np.where(x < 0, half_tail, 1 - half_tail)

    def quantile(self, p: ArrayLike) -> NDArray[np.float64]:
        """Inverse of the cdf on (0, 1), elementwise."""
        p = np.asarray(p, dtype=np.float64)
        size = -np.log(2 * np.minimum(p, 1 - p))
        return np.asarray(self.scale * np.copysign(size, p - 0.5))

    def mean_absolute(self) -> float:
        """E|Z| = scale."""
        return self.scale

    def variance(self) -> float:
        """E Z^2 = 2 scale^2."""
        return 2 * self.scale**2

    def fourth_moment(self) -> float:
        """E Z^4 = 24 scale^4."""
        return 24 * self.scale**4

    def sample(self, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw `size` independent variates, shape (size,), in the unit of the data."""
        return rng.laplace(scale=self.scale, size=check_size(size))

    def exact_law(self) -> LaplaceLaw:
        """State the law as data."""
        return LaplaceLaw(self.epsilon / self.sensitivity)


@final
@dataclass(frozen=True, slots=True)
class LaplaceLaw:
    """Density r e^(-r |z|) / 2, r = epsilon / sensitivity."""

    rate: Fraction

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Return the peak, 0."""
        return (Fraction(0),) if lower <= 0 <= upper else ()

    def atoms(self, numbers: Arithmetic[Any]) -> Mapping[Fraction, Any]:  # noqa: ARG002
        """No point has positive probability."""
        return {}

    def log_density(self, point: Fraction, numbers: Arithmetic[Any]) -> Any:
        """Return ln(r / 2) - r |z|."""
        normalizer = numbers.log(numbers.rational(self.rate / 2))
        return normalizer - numbers.rational(self.rate * abs(point))
