"""Hourglass noise on the grid Z/Q: pairs of integers (j, T), z1 = j / Q (KSW-D5).

Level 0 is |j| < r, and level i >= 1 is (i - 1) Q + r <= |j| < i Q + r. With s the signed level of j
the pmf is A_d b^(|s| + |t - s|), b = e^-epsilon, a_d = 1 / (2 r - 1 + 2 Q b / (1 - b)),
A_d = a_d (1 - b) / (1 + b). Rounding the hourglass of gamma = (r - 1/2) / Q to the grid gives
this law, and T keeps its law.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.laws import LatticeAtoms, integers
from mechanisms.noise.hourglass import Hourglass
from mechanisms.noise.levels import CENTER, fill_levels
from mechanisms.noise.parameters import check_epsilon, decay
from mechanisms.noise.staircase import optimal_gamma
from mechanisms.protocols import Arithmetic
from mechanisms.validation import Number, check_integer, check_size, shown

__all__ = ["DiscreteHourglass", "DiscreteHourglassLaw", "default_level0"]

_MOST_STEPS = 2**56  # grid / epsilon: the 64-bit integers of the sampler cannot overflow


def default_level0(epsilon: float, grid: int) -> int:
    """Integer nearest to gamma* Q + 1/2, clipped to 1..Q (KSW-D5)."""
    return min(max(math.floor(Fraction(optimal_gamma(epsilon)) * grid + 1), 1), grid)


@final
@dataclass(frozen=True, slots=True)
class DiscreteHourglass:
    """Discrete hourglass law: epsilon-private for pairs on the grid that move by +-(x, 1 - x).

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Height of one step of the log-pmf; from 1e-9 to 500.
    grid : int
        Q, number of grid steps in the unit; at least 1, grid / epsilon at most 2^56.
    level0 : int, optional
        r, in 1..Q: level 0 has 2 r - 1 points; by default the one nearest to least variance.

    References
    ----------
    .. [1] Kulesza, Suresh, Wang, "Mean estimation in the add-remove model of differential
       privacy", ICML 2024, eq. (7), on a grid.
    """

    epsilon: Fraction
    grid: int
    level0: int
    dimension: ClassVar[int] = 2

    def __init__(self, epsilon: Number = 1, grid: int = 1024, level0: int | None = None) -> None:
        exact_epsilon = check_epsilon(epsilon)
        steps = check_integer(grid, "grid", at_least=1)
        if steps > _MOST_STEPS * exact_epsilon:
            msg = (
                f"grid / epsilon must be at most 2^56, got "
                f"grid={shown(grid)}, epsilon={shown(epsilon)}"
            )
            raise InvalidArgument(msg)
        if level0 is None:
            level0 = default_level0(float(exact_epsilon), steps)
        r = check_integer(level0, "level0", at_least=1)
        if r > steps:
            msg = f"level0 must be at most grid={steps}, got level0={level0!r}"
            raise InvalidArgument(msg)
        object.__setattr__(self, "epsilon", exact_epsilon)
        object.__setattr__(self, "grid", steps)
        object.__setattr__(self, "level0", r)

    @property
    def gamma(self) -> Fraction:
        """The gamma of the continuous hourglass with the same levels, (r - 1/2) / Q."""
        return Fraction(2 * self.level0 - 1, 2 * self.grid)

    def continuous(self) -> Hourglass:
        """Hourglass whose z1, rounded to the grid, has this law (T is the same)."""
        return Hourglass(self.epsilon, self.gamma)

    def level(self, j: ArrayLike) -> NDArray[np.int64]:
        """Level s of the integers j, elementwise."""
        x = np.asarray(j, dtype=np.int64)
        return np.asarray(np.sign(x) * ((np.abs(x) - self.level0) // self.grid + 1))

    def marginal_pmf(self, j: ArrayLike) -> NDArray[np.float64]:
        """P(Z1 = j / Q) = P(Z2 = j / Q) = a_d b^|s|, elementwise."""
        b, complement = decay(self.epsilon)
        points = 2 * self.level0 - 1 + 2 * self.grid * b / complement
        return np.asarray(np.exp(-float(self.epsilon) * np.abs(self.level(j))) / points)

    def marginal_cdf(self, j: ArrayLike) -> NDArray[np.float64]:
        """P(Z1 <= j / Q), elementwise: the continuous cdf at the middle between two points."""
        x = np.floor(np.asarray(j, dtype=np.float64))
        return self.continuous().marginal().cdf((x + 0.5) / self.grid)

    def pmf(self, j: ArrayLike, t: ArrayLike) -> NDArray[np.float64]:
        """P(Z1 = j / Q, T = t), elementwise."""
        b, complement = decay(self.epsilon)
        gap = np.abs(np.asarray(t, dtype=np.int64) - self.level(j))
        given = complement / (1 + b) * np.exp(-float(self.epsilon) * gap)
        return np.asarray(self.marginal_pmf(j) * given)

    def total_pmf(self, t: ArrayLike) -> NDArray[np.float64]:
        """P(T = t), elementwise (KSW-H1 with gamma = (r - 1/2) / Q)."""
        return self.continuous().total_pmf(t)

    def mean_absolute(self) -> float:
        """E|Z1| = E|Z2|."""
        return self._absolute_moment(1)

    def variance(self) -> float:
        """E Z1^2 = E Z2^2."""
        return self._absolute_moment(2)

    def fourth_moment(self) -> float:
        """E Z1^4 = E Z2^4."""
        return self._absolute_moment(4)

    def _absolute_moment(self, p: int) -> float:
        """E|Z1|^p = 2 a_d (sum_(x < r) x^p + b sum_m b^m sum_(r <= x < r + Q) (m Q + x)^p) / Q^p.

        The inner sum is a polynomial in m, and sum_m b^m m^q is in closed form; every term is
        positive, so no digit is lost.
        """
        b, complement = decay(self.epsilon)
        q, r = self.grid, self.level0
        inner = _power_sum(p, r - 1) / q**p
        outer = 0.0
        for k in range(p + 1):
            block = _power_sum(p - k, q + r - 1) - _power_sum(p - k, r - 1)
            outer += math.comb(p, k) * _geometric_moment(k, b, complement) * (block / q ** (p - k))
        points = 2 * r - 1 + 2 * q * b / complement
        return float(2 * (inner + b * outer) / points)

    def covariance(self) -> float:
        """E Z1 Z2 = E T^2 / 2 - E Z1^2."""
        return self.total_variance() / 2 - self.variance()

    def total_variance(self) -> float:
        """E T^2 (KSW-H2)."""
        return self.continuous().total_variance()

    def total_fourth_moment(self) -> float:
        """E T^4 (KSW-H3)."""
        return self.continuous().total_fourth_moment()

    def cross_moment_13(self) -> float:
        """E Z1 T^3 = E T^4 / 2 (KSW-H3)."""
        return self.total_fourth_moment() / 2

    def cross_moment_22(self) -> float:
        """E Z1^2 T^2: the continuous one less E T^2 / (12 Q^2), the share of the rounding."""
        return self.continuous().cross_moment_22() - self.total_variance() / (12 * self.grid**2)

    def sample(self, size: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw `size` independent pairs (j, T), shape (size, 2); z1 = j / grid, z2 = T - z1."""
        return np.stack(self.sample_parts(size, rng=rng), axis=1)

    def sample_parts(
        self, size: int, *, rng: np.random.Generator
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Draw `size` independent j and T, each of shape (size,).

        |s| as in `Staircase`, j uniform on its level, T = s + D with D two-sided geometric.
        """
        n = check_size(size)
        b, complement = decay(self.epsilon)
        level, shift = np.empty(n), np.empty(n)
        fill_levels(level, self.epsilon, -self.continuous().marginal().log_mixing, rng)
        fill_levels(shift, self.epsilon, math.log1p(complement / (1 + b)), rng)
        sign, sign_d = np.sign(rng.random((2, n)) - CENTER).astype(np.int64)
        s = level.astype(np.int64)
        beyond = (s - 1) * self.grid + self.level0 + rng.integers(self.grid, size=n)
        center = rng.integers(1 - self.level0, self.level0, size=n)
        j = np.where(s == 0, center, sign * beyond)
        return j, sign * s + sign_d * shift.astype(np.int64)

    def exact_law(self) -> DiscreteHourglassLaw:
        """State the law as data."""
        return DiscreteHourglassLaw(self.epsilon, self.grid, self.level0)


def _power_sum(p: int, n: int) -> int:
    """Sum of x^p over 1 <= x <= n (over 0 <= x <= n for p = 0), p <= 4."""
    return (
        n + 1,
        n * (n + 1) // 2,
        n * (n + 1) * (2 * n + 1) // 6,
        (n * (n + 1) // 2) ** 2,
        n * (n + 1) * (2 * n + 1) * (3 * n * n + 3 * n - 1) // 30,
    )[p]


def _geometric_moment(k: int, b: float, complement: float) -> float:
    """Sum over m >= 0 of b^m m^k, k <= 4."""
    numerator = (
        1.0,
        b,
        b * (1 + b),
        b * (1 + 4 * b + b**2),
        b * (1 + 11 * b + 11 * b**2 + b**3),
    )[k]
    return numerator / complement ** (k + 1)


@final
@dataclass(frozen=True, slots=True)
class DiscreteHourglassLaw:
    """Pmf A_d b^(|s| + |t - s|) at (j, t), s the level of j (KSW-D5)."""

    epsilon: Fraction
    grid: int
    level0: int

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Integers j of [lower, upper]; every line t has an atom at each."""
        return integers(lower, upper)

    def atoms(self, numbers: Arithmetic[Any]) -> LatticeAtoms:
        """Every pair (j, t) of integers."""
        return LatticeAtoms(2, lambda point: numbers.exp(self.log_density(point, numbers)))

    def exponent(self, point: tuple[Fraction, Fraction]) -> int:
        """Return k = |s| + |t - s| at (j, t): level 0 is |j| < level0, the next are `grid` wide."""
        j, t = int(point[0]), int(point[1])
        level = (abs(j) - self.level0) // self.grid + 1
        s = level if j >= 0 else -level
        return abs(s) + abs(t - s)

    def log_density(self, point: tuple[Fraction, Fraction], numbers: Arithmetic[Any]) -> Any:
        """Return ln(A_d) - epsilon k, A_d = a_d (1 - b) / (1 + b)."""
        one, b = numbers.rational(Fraction(1)), numbers.exp(numbers.rational(-self.epsilon))
        center = numbers.rational(Fraction(2 * self.level0 - 1))
        points = center + numbers.rational(Fraction(2 * self.grid)) * b / (one - b)
        top = (one - b) / ((one + b) * points)
        return numbers.log(top) - numbers.rational(self.epsilon * self.exponent(point))
