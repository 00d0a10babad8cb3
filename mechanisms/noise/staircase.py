"""Staircase noise in one dimension (KSW-D2, eq. (11); Geng and Viswanath 2014).

For sensitivity 1 the density is f(z) = a b^|s(z)|, b = e^-epsilon, with the level
s(z) = sgn(z) floor(|z| + 1 - gamma), a = (1 - b) / (2 y) and y = gamma + b (1 - gamma).
Scale D stretches z by D.
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
from mechanisms.noise.parameters import check_epsilon, check_gamma, check_scale, decay
from mechanisms.protocols import Arithmetic
from mechanisms.validation import Number, check_size

__all__ = ["Staircase", "StaircaseLaw", "optimal_gamma", "optimal_gamma_absolute"]


def optimal_gamma(epsilon: float) -> float:
    """Gamma of least variance: y^3 = b (1 + b) / 2, gamma = (y - b) / (1 - b) (KSW-S2)."""
    log_y = (-epsilon + math.log1p(math.expm1(-epsilon) / 2)) / 3
    return math.exp(log_y) * math.expm1(-epsilon - log_y) / math.expm1(-epsilon)


def optimal_gamma_absolute(epsilon: float) -> float:
    """Gamma of least mean absolute value: 1 / (1 + e^(epsilon / 2)) (KSW-S2)."""
    return 1 / (1 + math.exp(epsilon / 2))


@final
@dataclass(frozen=True, slots=True)
class Staircase:
    """Staircase law: epsilon-private for queries of the given sensitivity.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Height of one step of the log-density; from 1e-9 to 500.
    sensitivity : int, float, str or Fraction
        Width of one period, in the unit of the data.
    gamma : int, float, str or Fraction, optional
        Fraction of a period before the step, in (0, 1]; by default the double nearest to the
        value of least variance, exactly.

    References
    ----------
    .. [1] Kulesza, Suresh, Wang, "Mean estimation in the add-remove model of differential
       privacy", ICML 2024, eq. (11).
    .. [2] Geng, Viswanath, "The optimal mechanism in differential privacy", ISIT 2014.
    """

    epsilon: Fraction
    sensitivity: Fraction
    gamma: Fraction
    dimension: ClassVar[int] = 1

    def __init__(
        self, epsilon: Number = 1, sensitivity: Number = 1, gamma: Number | None = None
    ) -> None:
        exact_epsilon = check_epsilon(epsilon)
        object.__setattr__(self, "epsilon", exact_epsilon)
        object.__setattr__(self, "sensitivity", check_scale(sensitivity, "sensitivity"))
        default = optimal_gamma(float(exact_epsilon))
        object.__setattr__(self, "gamma", check_gamma(gamma, default))

    @classmethod
    def for_absolute_error(cls, epsilon: Number = 1, sensitivity: Number = 1) -> Staircase:
        """Make the law of least mean absolute value."""
        gamma = optimal_gamma_absolute(float(check_epsilon(epsilon)))
        return cls(epsilon, sensitivity, Fraction(gamma))

    @property
    def mixing(self) -> float:
        """The number y = gamma + b (1 - gamma) of the formulas."""
        b, _ = decay(self.epsilon)
        return float(self.gamma) + b * float(1 - self.gamma)

    @property
    def log_mixing(self) -> float:
        """The logarithm of `mixing`, to full precision also where epsilon is tiny."""
        _, complement = decay(self.epsilon)
        y = self.mixing
        return math.log(y) if y < 0.5 else math.log1p(-complement * float(1 - self.gamma))

    def level(self, z: ArrayLike) -> NDArray[np.int64]:
        """Level s(z) = sgn(z) floor(|z| / sensitivity - gamma + 1), elementwise."""
        x = np.asarray(z, dtype=np.float64) / float(self.sensitivity)
        size = np.floor(np.abs(x) - float(self.gamma)) + 1
        return np.asarray(np.sign(x) * size).astype(np.int64)

    def density(self, z: ArrayLike) -> NDArray[np.float64]:
        """Density at z, elementwise: a b^|s(z)| / sensitivity."""
        _, complement = decay(self.epsilon)
        top = complement / (2 * self.mixing * float(self.sensitivity))
        return np.asarray(top * np.exp(-float(self.epsilon) * np.abs(self.level(z))))

    def cdf(self, z: ArrayLike) -> NDArray[np.float64]:
        """P(Z <= z), elementwise."""
        x = np.asarray(z, dtype=np.float64) / float(self.sensitivity)
        half_tail = self._tail(np.abs(x)) / 2
        return np.where(x < 0, half_tail, 1 - half_tail)

    def _tail(self, t: NDArray[np.float64]) -> NDArray[np.float64]:
        """P(|Z| >= t) for sensitivity 1 (KSW-L9): b^i (1 - (1 - b) w) / y, t = i - 1 + gamma + w.

        Here i is the level of t and w in [0, 1) the place within it; on level 0 the same is
        1 - (1 - b) t / y, which keeps its digits when gamma is small.
        """
        _, complement = decay(self.epsilon)
        beyond = t - float(self.gamma)  # its sign is exact, also when gamma is small
        i = np.floor(beyond) + 1
        w = beyond - i + 1
        outer = np.exp(-float(self.epsilon) * i) * (1 - complement * w) / self.mixing
        return np.where(i == 0, 1 - complement * t / self.mixing, outer)

    def quantile(self, p: ArrayLike) -> NDArray[np.float64]:
        """Inverse of the cdf on (0, 1), elementwise."""
        p = np.asarray(p, dtype=np.float64)
        eps, (_, complement), y = float(self.epsilon), decay(self.epsilon), self.mixing
        tail = 2 * np.minimum(p, 1 - p)
        log_scaled = np.log(tail) + self.log_mixing
        i = np.maximum(np.floor(-log_scaled / eps), 0)
        w = np.clip(-np.expm1(log_scaled + eps * i) / complement, 0, 1)
        t = np.where(i == 0, y * (1 - tail) / complement, i - 1 + float(self.gamma) + w)
        return np.asarray(np.copysign(t, p - 0.5) * float(self.sensitivity))

    def mean_absolute(self) -> float:
        """E|Z| = (y^2 + b) / (2 y (1 - b)) (KSW-S1), times the sensitivity."""
        (b, complement), y = decay(self.epsilon), self.mixing
        return float(self.sensitivity) * (y**2 + b) / (2 * y * complement)

    def variance(self) -> float:
        """E Z^2 = (y^3 + 3 b y + b (1 + b)) / (3 y (1 - b)^2) (KSW-S1), times sensitivity^2."""
        (b, complement), y = decay(self.epsilon), self.mixing
        scale = float(self.sensitivity)
        return scale**2 * (y**3 + 3 * b * y + b * (1 + b)) / (3 * y * complement**2)

    def fourth_moment(self) -> float:
        """E Z^4 (KSW-S3), times the fourth power of the sensitivity."""
        (b, complement), y = decay(self.epsilon), self.mixing
        numerator = (
            y**5
            + 10 * b * y**3
            + 10 * b * (1 + b) * y**2
            + 5 * b * (1 + 7 * b + b**2) * y
            + b * (1 + 21 * b + 21 * b**2 + b**3)
        )
        return float(self.sensitivity) ** 4 * numerator / (5 * y * complement**4)

    def sample(self, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw `size` independent variates, shape (size,), in the unit of the data."""
        z, _ = self._draw(check_size(size), rng, keep_levels=False)
        return z

    def sample_with_level(
        self, size: int, *, rng: np.random.Generator
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Draw variates together with their levels s(z), each of shape (size,).

        The level is what the variate was made from; it is not computed back from the variate.
        """
        return self._draw(check_size(size), rng, keep_levels=True)

    def _draw(
        self, size: int, rng: np.random.Generator, *, keep_levels: bool
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Draw variates, and their signed levels if they are wanted.

        P(|s| >= i) = b^i / y for i >= 1, so |s| = floor((E - ln y) / epsilon) with E standard
        exponential; |z| is uniform on its level.
        """
        z = np.empty(size)
        levels = np.empty(size if keep_levels else 0, dtype=np.int64)
        level, signed = np.empty(min(size, BLOCK)), np.empty(min(size, BLOCK))
        unit = np.empty(min(size, BLOCK))
        for part in blocks(size):
            n = part.stop - part.start
            fill_levels(level[:n], self.epsilon, -self.log_mixing, rng)
            rng.random(out=signed[:n])
            np.subtract(signed[:n], CENTER, out=signed[:n])
            np.abs(signed[:n], out=unit[:n])
            np.multiply(unit[:n], 2, out=unit[:n])
            fill_within(z[part], level[:n], unit[:n], float(self.gamma))
            np.copysign(z[part], signed[:n], out=z[part])
            if keep_levels:
                levels[part] = np.copysign(level[:n], signed[:n], out=level[:n])
        if self.sensitivity != 1:
            np.multiply(z, float(self.sensitivity), out=z)
        return z, levels

    def exact_law(self) -> StaircaseLaw:
        """State the law as data."""
        return StaircaseLaw(self.epsilon, self.sensitivity, self.gamma)


@final
@dataclass(frozen=True, slots=True)
class StaircaseLaw:
    """Density a b^|s(z / D)| / D with D the sensitivity (KSW-D2, eq. (11))."""

    epsilon: Fraction
    sensitivity: Fraction
    gamma: Fraction

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Ends of the levels, +-D (i + gamma)."""
        width = self.sensitivity
        return steps(self.gamma * width, width, lower, upper)

    def atoms(self, numbers: Arithmetic[Any]) -> Mapping[Fraction, Any]:  # noqa: ARG002
        """No point has positive probability."""
        return {}

    def log_density(self, point: Fraction, numbers: Arithmetic[Any]) -> Any:
        """Return ln((1 - b) / (2 D y)) - epsilon |s|, y = gamma + b (1 - gamma)."""
        level = abs(exact_level(point / self.sensitivity, self.gamma))
        one, b = numbers.rational(Fraction(1)), numbers.exp(numbers.rational(-self.epsilon))
        y = numbers.rational(self.gamma) + b * numbers.rational(1 - self.gamma)
        top = (one - b) / (numbers.rational(2 * self.sensitivity) * y)
        return numbers.log(top) - numbers.rational(self.epsilon * level)
