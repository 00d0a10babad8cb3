"""Closed forms of hourglass noise, and the sums over its levels that they are compared with.

T = Z1 + Z2 = s + G with the level s of Z1 and an independent two-sided geometric G of ratio b
(KSW-L4); y = gamma + b (1 - gamma).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.papers.ksw.common import geometric_sum
from proofs_check.papers.ksw.noise.hourglass import hourglass_height
from proofs_check.papers.ksw.noise.staircase import height, second_moment, y_of_gamma
from proofs_check.symbolic import branch, integrate, oo, summation, symbols

__all__ = [
    "at",
    "covariance",
    "covariance_over_levels",
    "fourth_of_the_sum",
    "geometric_moment",
    "level_mean",
    "mixed_moment",
    "mixed_over_levels",
    "sum_fourth_moment",
    "sum_probability",
    "summed_law",
]


def sum_probability(b: Any, gamma: Any, t: Any) -> Any:
    """P(T = t) = A b^|t| (|t| + c), c = 2 gamma + 2 b^2 / (1 - b^2)."""
    c = 2 * gamma + 2 * b**2 / (1 - b**2)
    return hourglass_height(b, y_of_gamma(b, gamma)) * b ** abs(t) * (abs(t) + c)


def covariance(b: Any, y: Any) -> Any:
    """Cov(Z1, Z2) = (b (1 + b) / (6 y) - y^2 / 3) / (1 - b)^2."""
    return (b * (1 + b) / (6 * y) - y**2 / 3) / (1 - b) ** 2


def sum_fourth_moment(b: Any, gamma: Any) -> Any:
    """E T^4."""
    cubic = 1 + 25 * b + 43 * b**2 + 3 * b**3
    linear = 2 * gamma * (1 + 9 * b - 9 * b**2 - b**3)
    return b * (cubic + linear) / ((1 - b) ** 4 * y_of_gamma(b, gamma))


def mixed_moment(b: Any, gamma: Any) -> Any:
    """E Z1^2 T^2."""
    zeroth = 1 + 25 * b + 49 * b**2 + 9 * b**3
    first = 3 * gamma * (1 + 9 * b - 5 * b**2 - 5 * b**3)
    second = 3 * gamma**2 * (1 + b - 5 * b**2 + 3 * b**3)
    third = 2 * gamma**3 * (1 - b) ** 3
    return b * (zeroth + first + second + third) / (3 * (1 - b) ** 4 * y_of_gamma(b, gamma))


B, GAMMA, K, Z = symbols("b gamma k z", positive=True)
Y_OF_GAMMA = y_of_gamma(B, GAMMA)


def at(moment: Any, b: Any, gamma: Any) -> Any:
    """A moment at other parameters."""
    return moment.subs({B: b, GAMMA: gamma})


def level_mean(level_power: int, power: int) -> Any:
    """E s^m Z1^r, m >= 1 and m + r even, over all levels: uniform on each."""
    inner = integrate(Z**power, (Z, K - 1 + GAMMA, K + GAMMA))
    return 2 * height(B, Y_OF_GAMMA) * geometric_sum((K**level_power * inner).expand(), K, B)


def geometric_moment(power: int) -> Any:
    """E G^m, m even and positive, of the two-sided geometric law."""
    return 2 * (1 - B) / (1 + B) * geometric_sum(K**power, K, B)


def summed_law(b: Any, gamma: Any, t: Any) -> Any:
    """Level 0 has mass 2 gamma a, levels i != 0 a b^|i|; the rest of T - s is geometric."""
    j = symbols("j", integer=True, nonnegative=True)
    # s = 0; s = 1..t, each with |s| + |t - s| = t; s = -j and s = t + j with t + 2 j, j >= 1
    far = branch(summation(B ** (2 * j), (j, 1, oo)), {B: Fraction(1, 3)})
    return hourglass_height(b, y_of_gamma(b, gamma)) * b**t * (2 * gamma + t + 2 * far.subs(B, b))


def fourth_of_the_sum() -> Any:
    """E T^4 = E s^4 + 6 E s^2 E G^2 + E G^4."""
    return level_mean(4, 0) + 6 * level_mean(2, 0) * geometric_moment(2) + geometric_moment(4)


def covariance_over_levels() -> Any:
    """Cov = E Z1 s - V, since Z2 = s - Z1 + G."""
    return level_mean(1, 1) - second_moment(B, Y_OF_GAMMA)


def mixed_over_levels() -> Any:
    """E Z1^2 T^2 = E Z1^2 s^2 + V E G^2."""
    return level_mean(2, 2) + second_moment(B, Y_OF_GAMMA) * geometric_moment(2)
