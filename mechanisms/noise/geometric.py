"""Two-sided geometric noise: pmf (1 - b) / (1 + b) b^|k| on the integers (Ghosh et al. 2009).

The ratio is b = e^-r with rate r = epsilon / sensitivity.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.laws import LatticeAtoms, integers
from mechanisms.noise.levels import BLOCK, CENTER, blocks, fill_levels
from mechanisms.noise.parameters import check_epsilon, decay
from mechanisms.protocols import Arithmetic
from mechanisms.validation import Number, check_fraction, check_integer, check_size

__all__ = ["Geometric", "GeometricLaw"]


@final
@dataclass(frozen=True, slots=True)
class Geometric:
    """Two-sided geometric law: epsilon-private for integer queries of the given sensitivity.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Greater than 0; epsilon / sensitivity from 1e-9 to 500.
    sensitivity : int
        At least 1.

    References
    ----------
    .. [1] Ghosh, Roughgarden, Sundararajan, "Universally utility-maximizing privacy mechanisms",
       STOC 2009.
    """

    epsilon: Fraction
    sensitivity: int
    dimension: ClassVar[int] = 1

    def __init__(self, epsilon: Number = 1, sensitivity: int = 1) -> None:
        exact_epsilon = check_fraction(epsilon, "epsilon", above=0)
        width = check_integer(sensitivity, "sensitivity", at_least=1)
        check_epsilon(exact_epsilon / width, "epsilon / sensitivity")
        object.__setattr__(self, "epsilon", exact_epsilon)
        object.__setattr__(self, "sensitivity", width)

    @property
    def rate(self) -> Fraction:
        """Rate epsilon / sensitivity: the pmf falls by e^-rate a step."""
        return self.epsilon / self.sensitivity

    def pmf(self, k: ArrayLike) -> NDArray[np.float64]:
        """P(K = k), elementwise; 0 off the integers."""
        x = np.asarray(k, dtype=np.float64)
        b, complement = decay(self.rate)
        return np.where(
            x == np.floor(x), complement / (1 + b) * np.exp(-float(self.rate) * np.abs(x)), 0
        )

    def cdf(self, k: ArrayLike) -> NDArray[np.float64]:
        """P(K <= k), elementwise."""
        x = np.floor(np.asarray(k, dtype=np.float64))
        b, _ = decay(self.rate)
        tail = np.exp(-float(self.rate) * np.where(x < 0, -x, x + 1)) / (1 + b)
        return np.where(x < 0, tail, 1 - tail)

    def quantile(self, p: ArrayLike) -> NDArray[np.float64]:
        """Smallest integer k with P(K <= k) >= p, elementwise, for p in (0, 1)."""
        p = np.asarray(p, dtype=np.float64)
        b, _ = decay(self.rate)
        steps = np.log(np.minimum(p, 1 - p) * (1 + b)) / float(self.rate)
        k = np.where(p <= b / (1 + b), np.ceil(steps), np.maximum(np.ceil(-steps) - 1, 0))
        k = np.where(self.cdf(k) < p, k + 1, k)  # the logarithm may round across an integer
        return np.asarray(np.where(self.cdf(k - 1) >= p, k - 1, k))

    def mean_absolute(self) -> float:
        """E|K| = 2 b / (1 - b^2)."""
        b, complement = decay(self.rate)
        return 2 * b / (complement * (1 + b))

    def variance(self) -> float:
        """E K^2 = 2 b / (1 - b)^2."""
        b, complement = decay(self.rate)
        return 2 * b / complement**2

    def fourth_moment(self) -> float:
        """E K^4 = 2 b (1 + 10 b + b^2) / (1 - b)^4."""
        b, complement = decay(self.rate)
        return 2 * b * (1 + 10 * b + b**2) / complement**4

    def sample(self, size: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw `size` independent integers, shape (size,).

        P(|K| >= i) = 2 b^i / (1 + b) for i >= 1.
        """
        draws = np.empty(check_size(size), dtype=np.int64)
        b, complement = decay(self.rate)
        log_mass = float(np.log1p(complement / (1 + b)))
        magnitude, sign = np.empty(min(size, BLOCK)), np.empty(min(size, BLOCK))
        for part in blocks(size):
            n = part.stop - part.start
            fill_levels(magnitude[:n], self.rate, log_mass, rng)
            rng.random(out=sign[:n])
            np.subtract(sign[:n], CENTER, out=sign[:n])
            draws[part] = np.copysign(magnitude[:n], sign[:n], out=magnitude[:n])
        return draws

    def exact_law(self) -> GeometricLaw:
        """State the law as data."""
        return GeometricLaw(self.rate)


@final
@dataclass(frozen=True, slots=True)
class GeometricLaw:
    """Pmf (1 - b) / (1 + b) b^|k| on the integers, b = e^-rate."""

    rate: Fraction

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Integers of [lower, upper]: the atoms."""
        return integers(lower, upper)

    def atoms(self, numbers: Arithmetic[Any]) -> LatticeAtoms:
        """Every integer."""
        return LatticeAtoms(1, lambda point: numbers.exp(self.log_density(point, numbers)))

    def log_density(self, point: Fraction, numbers: Arithmetic[Any]) -> Any:
        """Return ln((1 - b) / (1 + b)) - rate |k|, at an integer."""
        one, b = numbers.rational(Fraction(1)), numbers.exp(numbers.rational(-self.rate))
        return numbers.log((one - b) / (one + b)) - numbers.rational(self.rate * abs(point))
