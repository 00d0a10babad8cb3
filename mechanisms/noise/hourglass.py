"""Hourglass noise: two staircases whose sum T = Z1 + Z2 is an integer (KSW-D4, eq. (7)).

On the line z1 + z2 = t the density in z1 is A b^(|s| + |t - s|), s = s(z1) the staircase level,
b = e^-epsilon, A = (1 - b)^2 / (2 y (1 + b)), y = gamma + b (1 - gamma). Both marginals are the
staircase of sensitivity 1, and given z1 the sum is s plus a two-sided geometric variate.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.laws import exact_level, steps
from mechanisms.noise.levels import BLOCK, CENTER, blocks, fill_levels, fill_within
from mechanisms.noise.parameters import check_epsilon, check_gamma, decay
from mechanisms.noise.staircase import Staircase, optimal_gamma
from mechanisms.protocols import Arithmetic
from mechanisms.validation import Number, check_size

__all__ = ["Hourglass", "HourglassLaw"]


@final
@dataclass(frozen=True, slots=True)
class Hourglass:
    """Hourglass law: epsilon-private for pairs (s1, s2) that move by +-(x, 1 - x), 0 <= x <= 1.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Height of one step of the log-density; from 1e-9 to 500.
    gamma : int, float, str or Fraction, optional
        Of the staircase marginals, in (0, 1]; by default the double nearest to the value of
        least variance, exactly. There the coordinates are uncorrelated (KSW-H2).

    References
    ----------
    .. [1] Kulesza, Suresh, Wang, "Mean estimation in the add-remove model of differential
       privacy", ICML 2024, eq. (7).
    """

    epsilon: Fraction
    gamma: Fraction
    dimension: ClassVar[int] = 2

    def __init__(self, epsilon: Number = 1, gamma: Number | None = None) -> None:
        exact_epsilon = check_epsilon(epsilon)
        object.__setattr__(self, "epsilon", exact_epsilon)
        default = optimal_gamma(float(exact_epsilon))
        object.__setattr__(self, "gamma", check_gamma(gamma, default))

    def marginal(self) -> Staircase:
        """Law of Z1, which is also the law of Z2 (KSW-L3)."""
        return Staircase(self.epsilon, 1, self.gamma)

    def density(self, z1: ArrayLike, t: ArrayLike) -> NDArray[np.float64]:
        """Density in z1 on the line z1 + z2 = t, elementwise; t are integers."""
        marginal = self.marginal()
        (b, complement), s = decay(self.epsilon), marginal.level(z1)
        exponent = np.abs(s) + np.abs(np.asarray(t) - s)
        top = complement**2 / (2 * marginal.mixing * (1 + b))
        return np.asarray(top * np.exp(-float(self.epsilon) * exponent))

    def marginal_cdf(self, z: ArrayLike) -> NDArray[np.float64]:
        """P(Z1 <= z) = P(Z2 <= z), elementwise."""
        return self.marginal().cdf(z)

    def total_pmf(self, t: ArrayLike) -> NDArray[np.float64]:
        """P(T = t) = A b^|t| (|t| + 2 gamma + 2 b^2 / (1 - b^2)) (KSW-H1), elementwise."""
        (b, complement), x = decay(self.epsilon), np.abs(np.asarray(t, dtype=np.float64))
        top = complement**2 / (2 * self.marginal().mixing * (1 + b))
        width = x + 2 * float(self.gamma) + 2 * b**2 / (complement * (1 + b))
        return np.asarray(top * np.exp(-float(self.epsilon) * x) * width)

    def mean_absolute(self) -> float:
        """E|Z1| = E|Z2|."""
        return self.marginal().mean_absolute()

    def variance(self) -> float:
        """E Z1^2 = E Z2^2."""
        return self.marginal().variance()

    def fourth_moment(self) -> float:
        """E Z1^4 = E Z2^4."""
        return self.marginal().fourth_moment()

    def covariance(self) -> float:
        """E Z1 Z2 = (b (1 + b) / (6 y) - y^2 / 3) / (1 - b)^2 (KSW-H2); 0 at the default gamma."""
        (b, complement), y = decay(self.epsilon), self.marginal().mixing
        return (b * (1 + b) / (6 * y) - y**2 / 3) / complement**2

    def total_variance(self) -> float:
        """E T^2 = 2 (E Z1^2 + E Z1 Z2) = b (1 + b + 2 y) / (y (1 - b)^2) (KSW-H2)."""
        (b, complement), y = decay(self.epsilon), self.marginal().mixing
        return b * (1 + b + 2 * y) / (y * complement**2)

    def total_fourth_moment(self) -> float:
        """E T^4 (KSW-H3)."""
        (b, complement), y = decay(self.epsilon), self.marginal().mixing
        gamma = float(self.gamma)
        numerator = b * (
            1 + 25 * b + 43 * b**2 + 3 * b**3 + 2 * gamma * (1 + 9 * b - 9 * b**2 - b**3)
        )
        return numerator / (complement**4 * y)

    def cross_moment_13(self) -> float:
        """E Z1 T^3 = E T^4 / 2 (KSW-H3)."""
        return self.total_fourth_moment() / 2

    def cross_moment_22(self) -> float:
        """E Z1^2 T^2 (KSW-H3)."""
        (b, complement), y = decay(self.epsilon), self.marginal().mixing
        gamma = float(self.gamma)
        numerator = b * (
            1
            + 25 * b
            + 49 * b**2
            + 9 * b**3
            + 3 * gamma * (1 + 9 * b - 5 * b**2 - 5 * b**3)
            + 3 * gamma**2 * (1 + b - 5 * b**2 + 3 * b**3)
            + 2 * gamma**3 * complement**3
        )
        return numerator / (3 * complement**4 * y)

    def sample(self, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw `size` independent pairs (z1, T), shape (size, 2); T is integral, z2 = T - z1."""
        return np.stack(self.sample_parts(size, rng=rng), axis=1)

    def sample_parts(
        self, size: int, *, rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Draw `size` independent z1 and T = z1 + z2, each of shape (size,), T as integers.

        |s| and z1 are drawn as in `Staircase`, and T = s + D with D two-sided geometric:
        P(|D| >= i) = 2 b^i / (1 + b) for i >= 1. One uniform gives both signs and the place of z1.
        """
        n = check_size(size)
        z1, total = np.empty(n), np.empty(n, dtype=np.int64)
        (b, complement), gamma = decay(self.epsilon), float(self.gamma)
        log_mass, log_mass_d = -self.marginal().log_mixing, math.log1p(complement / (1 + b))
        buffers = np.empty((4, min(n, BLOCK)))
        for part in blocks(n):
            level, shift, signed, unit = buffers[:, : part.stop - part.start]
            fill_levels(level, self.epsilon, log_mass, rng)
            fill_levels(shift, self.epsilon, log_mass_d, rng)
            rng.random(out=signed)
            np.subtract(signed, CENTER, out=signed)
            np.abs(signed, out=unit)
            np.subtract(unit, 0.25, out=unit)
            np.copysign(shift, unit, out=shift)
            np.abs(unit, out=unit)
            np.multiply(unit, 4, out=unit)
            fill_within(z1[part], level, unit, gamma)
            np.copysign(z1[part], signed, out=z1[part])
            np.copysign(level, signed, out=level)
            total[part] = np.add(level, shift, out=level)
        return z1, total

    def exact_law(self) -> HourglassLaw:
        """State the law as data."""
        return HourglassLaw(self.epsilon, self.gamma)


@final
@dataclass(frozen=True, slots=True)
class HourglassLaw:
    """Density A b^(|s(z1)| + |t - s(z1)|) dz1 on the lines z1 + z2 = t (KSW-D4, eq. (7))."""

    epsilon: Fraction
    gamma: Fraction

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Values of z1 where the formula of a line changes, +-(i + gamma)."""
        return steps(self.gamma, Fraction(1), lower, upper)

    def atoms(self, numbers: Arithmetic[Any]) -> Mapping[tuple[Fraction, Fraction], Any]:  # noqa: ARG002
        """No point has positive probability (each line t has)."""
        return {}

    def exponent(self, point: tuple[Fraction, Fraction]) -> int:
        """Return k = |s| + |t - s|, s the level of z1, at (z1, t)."""
        s = exact_level(point[0], self.gamma)
        return abs(s) + abs(int(point[1]) - s)

    def log_density(self, point: tuple[Fraction, Fraction], numbers: Arithmetic[Any]) -> Any:
        """Return ln((1 - b)^2 / (2 y (1 + b))) - epsilon k at (z1, t), t an integer."""
        one, b = numbers.rational(Fraction(1)), numbers.exp(numbers.rational(-self.epsilon))
        y = numbers.rational(self.gamma) + b * numbers.rational(1 - self.gamma)
        top = (one - b) * (one - b) / (numbers.rational(Fraction(2)) * y * (one + b))
        return numbers.log(top) - numbers.rational(self.epsilon * self.exponent(point))
