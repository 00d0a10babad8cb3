"""Staircase noise in the l1 norm on the plane (KSW-D3, eq. (12)).

For sensitivity 1 the density at z is a2 b^i on the ring i - 1 + gamma <= ||z||_1 < i + gamma
(i = 0: ||z||_1 < gamma), b = e^-epsilon, a2 = (1 - b)^2 / (2 (Y^2 + b)), Y = b + (1 - b) gamma.
The law is a mixture of uniform laws on the diamonds ||z||_1 <= k + gamma, k = 0, 1, ..., with
weights b^k (k + gamma)^2. Scale D stretches z by D.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.laws import exact_level, progression
from mechanisms.noise.levels import fill_levels
from mechanisms.noise.parameters import check_epsilon, check_gamma, check_scale, decay
from mechanisms.protocols import Arithmetic
from mechanisms.validation import Number, check_size

__all__ = ["L1Staircase", "L1StaircaseLaw", "optimal_gamma", "optimal_gamma_absolute"]


def optimal_gamma(epsilon: float) -> float:
    """Gamma of least variance: the largest root in Y of the quintic of KSW-S4.

    With Y = b + d gamma, d = 1 - b, the quintic is d^2 times the polynomial below. On (0, 1) it
    has two roots, and the smaller is the gamma of a local maximum of the variance.
    """
    b, d = math.exp(-epsilon), -math.expm1(-epsilon)
    return _largest_root(
        (
            d**3,
            5 * b * d**2,
            2 * b * d * (5 * b + 1),
            2 * b * (5 * b**2 + 2 * b - 1),
            -b * (1 + b) * (5 * b + 1),
            b**2 * (1 + b),
        )
    )


def optimal_gamma_absolute(epsilon: float) -> float:
    """Gamma of least E|Z1|: the largest root of Y^4 - 2 b (1 + b) Y + 3 b^2 (KSW-S4), likewise."""
    b, d = math.exp(-epsilon), -math.expm1(-epsilon)
    return _largest_root((d**2, 4 * b * d, 6 * b**2, -2 * b * (2 * b + 1), b**2))


def _largest_root(coefficients: tuple[float, ...]) -> float:
    """Largest root in (0, 1) of a polynomial that is convex from there to 1 and positive at 1.

    Newton's method from 1 then goes down to it and cannot pass it. (Convex: the second
    derivative of either polynomial of KSW-S4 increases in Y > 0, and it is not negative at the
    minimum between the two roots.)
    """
    x = 1.0
    while True:
        value = slope = 0.0
        for c in coefficients:  # Horner, with the derivative
            slope = slope * x + value
            value = value * x + c
        following = x - value / slope
        if not 0 < following < x:
            return x
        x = following


@final
@dataclass(frozen=True, slots=True)
class L1Staircase:
    """Two-dimensional staircase law: epsilon-private for queries of the given l1 sensitivity.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Height of one step of the log-density; from 1e-9 to 500.
    sensitivity : int, float, str or Fraction
        Width of one period of the l1 norm, in the unit of the data.
    gamma : int, float, str or Fraction, optional
        Fraction of a period before the step, in (0, 1]; by default the double nearest to the
        value of least variance, exactly.

    References
    ----------
    .. [1] Kulesza, Suresh, Wang, "Mean estimation in the add-remove model of differential
       privacy", ICML 2024, eq. (12).
    """

    epsilon: Fraction
    sensitivity: Fraction
    gamma: Fraction
    dimension: ClassVar[int] = 2

    def __init__(
        self, epsilon: Number = 1, sensitivity: Number = 1, gamma: Number | None = None
    ) -> None:
        exact_epsilon = check_epsilon(epsilon)
        object.__setattr__(self, "epsilon", exact_epsilon)
        object.__setattr__(self, "sensitivity", check_scale(sensitivity, "sensitivity"))
        default = optimal_gamma(float(exact_epsilon))
        object.__setattr__(self, "gamma", check_gamma(gamma, default))

    @classmethod
    def for_absolute_error(cls, epsilon: Number = 1, sensitivity: Number = 1) -> L1Staircase:
        """Make the law of least mean absolute value of a coordinate."""
        gamma = optimal_gamma_absolute(float(check_epsilon(epsilon)))
        return cls(epsilon, sensitivity, Fraction(gamma))

    @property
    def mixing(self) -> float:
        """The number Y = b + (1 - b) gamma of the formulas."""
        b, _ = decay(self.epsilon)
        return float(self.gamma) + b * float(1 - self.gamma)

    def density(self, z1: ArrayLike, z2: ArrayLike) -> NDArray[np.float64]:
        """Density at (z1, z2), elementwise."""
        (b, complement), scale = decay(self.epsilon), float(self.sensitivity)
        radius = (np.abs(np.asarray(z1, dtype=np.float64)) + np.abs(z2)) / scale
        level = np.floor(radius - float(self.gamma)) + 1
        top = complement**2 / (2 * scale**2 * (self.mixing**2 + b))
        return np.asarray(top * np.exp(-float(self.epsilon) * level))

    def marginal_cdf(self, z: ArrayLike) -> NDArray[np.float64]:
        """P(Z1 <= z) = P(Z2 <= z), elementwise (KSW-L9).

        P(Z1 >= t) = sum_k b^k (k + gamma - t)_+^2 / (2 sum_k b^k (k + gamma)^2), and
        sum_k b^k (k + g)^2 = ((g (1 - b) + b)^2 + b) / (1 - b)^3.
        """
        (b, complement), gamma = decay(self.epsilon), float(self.gamma)
        x = np.asarray(z, dtype=np.float64) / float(self.sensitivity)
        whole, fraction = np.divmod(np.abs(x), 1)
        first = (fraction > gamma).astype(np.float64)  # diamonds k < whole + first do not reach t
        rest = (first + gamma - fraction) * complement + b
        head = np.exp(-float(self.epsilon) * (whole + first))
        half_tail = head * (rest**2 + b) / (2 * (self.mixing**2 + b))
        return np.where(x < 0, half_tail, 1 - half_tail)

    def mean_absolute(self) -> float:
        """E|Z1| = (Y^3 + 3 b Y + b (1 + b)) / (3 (1 - b) (Y^2 + b)) (KSW-S4)."""
        (b, complement), y = decay(self.epsilon), self.mixing
        numerator = y**3 + 3 * b * y + b * (1 + b)
        return float(self.sensitivity) * numerator / (3 * complement * (y**2 + b))

    def variance(self) -> float:
        """E Z1^2 = E Z2^2 (KSW-S4)."""
        (b, complement), y = decay(self.epsilon), self.mixing
        numerator = y**4 + 6 * b * y**2 + 4 * b * (1 + b) * y + b * (1 + 7 * b + b**2)
        return float(self.sensitivity) ** 2 * numerator / (6 * complement**2 * (y**2 + b))

    def covariance(self) -> float:
        """E Z1 Z2 = 0: the law is symmetric in each coordinate."""
        return 0.0

    def fourth_moment(self) -> float:
        """E Z1^4 = Q6 / (15 (1 - b)^4 (Y^2 + b)) (KSW-S4)."""
        (b, complement), y = decay(self.epsilon), self.mixing
        q6 = (
            y**6
            + 15 * b * y**4
            + 20 * b * (1 + b) * y**3
            + 15 * b * (1 + 7 * b + b**2) * y**2
            + 6 * b * (1 + 21 * b + 21 * b**2 + b**3) * y
            + b * (1 + 51 * b + 161 * b**2 + 51 * b**3 + b**4)
        )
        return float(self.sensitivity) ** 4 * q6 / (15 * complement**4 * (y**2 + b))

    def cross_moment_22(self) -> float:
        """E Z1^2 Z2^2 = E Z1^4 / 6 (KSW-S4)."""
        return self.fourth_moment() / 6

    def sample(self, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw `size` independent pairs, shape (size, 2), in the unit of the data."""
        n = check_size(size)
        radius = (self._diamonds(n, rng) + float(self.gamma)) * float(self.sensitivity)
        u = rng.uniform(-1, 1, size=(2, n)) * (radius / 2)
        return np.stack((u[0] + u[1], u[0] - u[1]), axis=1)

    def _diamonds(self, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw k of weight b^k (k + gamma)^2, without truncation.

        (k + gamma)^2 = k (k - 1) + (1 + 2 gamma) k + gamma^2, so k is a mixture of negative
        binomials: m - 1 plus the sum of m geometric variates, m = 1, 2, 3 with the weights below.
        """
        (b, complement), gamma = decay(self.epsilon), float(self.gamma)
        odds = b / complement
        weights = np.array([gamma**2, (1 + 2 * gamma) * odds, 2 * odds**2])
        parts = np.searchsorted(np.cumsum(weights / weights.sum())[:2], rng.random(size), "right")
        k = parts.astype(np.float64)
        variate = np.empty(size)
        for m in range(3):
            fill_levels(variate, self.epsilon, 0.0, rng)
            np.add(k, variate, out=k, where=parts >= m)
        return k

    def exact_law(self) -> L1StaircaseLaw:
        """State the law as data."""
        return L1StaircaseLaw(self.epsilon, self.sensitivity, self.gamma)


@final
@dataclass(frozen=True, slots=True)
class L1StaircaseLaw:
    """Density a2 b^s(||z||_1 / D) on the plane, D the sensitivity (KSW-D3, eq. (12))."""

    epsilon: Fraction
    sensitivity: Fraction
    gamma: Fraction

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Values of the radius ||z||_1 where the level changes, D (k + gamma)."""
        width = self.sensitivity
        return progression(self.gamma * width, width, max(lower, self.gamma * width), upper)

    def atoms(self, numbers: Arithmetic[Any]) -> Mapping[tuple[Fraction, Fraction], Any]:  # noqa: ARG002
        """No point has positive probability."""
        return {}

    def log_density(self, point: tuple[Fraction, Fraction], numbers: Arithmetic[Any]) -> Any:
        """Return ln((1 - b)^2 / (2 D^2 (Y^2 + b))) - epsilon s at (z1, z2)."""
        radius = abs(point[0]) + abs(point[1])
        level = exact_level(radius / self.sensitivity, self.gamma)
        one, b = numbers.rational(Fraction(1)), numbers.exp(numbers.rational(-self.epsilon))
        y = numbers.rational(self.gamma) + b * numbers.rational(1 - self.gamma)
        top = (one - b) * (one - b) / (numbers.rational(2 * self.sensitivity**2) * (y * y + b))
        return numbers.log(top) - numbers.rational(self.epsilon * level)
