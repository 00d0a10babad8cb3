"""Formulas of KSW stated again, over balls, from the specification alone.

Nothing here comes from `mechanisms`: the implementation's floats are compared with these. Every
number that stands in a formula is written `k(number)`, so that a test can change each of them in
turn by one percent and see that the comparison notices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from proofs_check.enclosure import Ball, Balls, largest_root

BITS = 200


@dataclass
class Constants:
    """Constants of one evaluation, the one of index `mutated` changed by one percent."""

    mutated: int | None = None
    numbers: Balls = field(default_factory=lambda: Balls(BITS))
    used: int = 0

    def __call__(self, value: int) -> Ball:
        """Return the next constant of the formula."""
        factor = Fraction(101, 100) if self.used == self.mutated else Fraction(1)
        self.used += 1
        return self.numbers.rational(value * factor)

    def decay(self, eps: Fraction) -> Ball:
        """B = e^-eps."""
        return self.numbers.exp(self.numbers.rational(-eps))


Formula = Callable[[Constants, Fraction, Fraction, int], Ball]
"""Function of (constants, epsilon, gamma, t)."""


def mixing(k: Constants, eps: Fraction, gamma: Fraction) -> tuple[Ball, Ball]:
    """B and y = gamma + b (1 - gamma)."""
    b = k.decay(eps)
    return b, gamma + b * (k(1) - gamma)


# KSW-D2, S1, S2, S3: the univariate staircase


def staircase_top(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """A = (1 - b) / (2 y)."""
    b, y = mixing(k, eps, gamma)
    return (k(1) - b) / (k(2) * y)


def staircase_absolute(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """E|Z|."""
    b, y = mixing(k, eps, gamma)
    return (y**2 + b) / (k(2) * y * (k(1) - b))


def staircase_variance(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """V."""
    b, y = mixing(k, eps, gamma)
    return (y**3 + k(3) * b * y + b * (k(1) + b)) / (k(3) * y * (k(1) - b) ** 2)


def staircase_fourth(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """E Z^4."""
    b, y = mixing(k, eps, gamma)
    numerator = (
        y**5
        + k(10) * b * y**3
        + k(10) * b * (k(1) + b) * y**2
        + k(5) * b * (k(1) + k(7) * b + b**2) * y
        + b * (k(1) + k(21) * b + k(21) * b**2 + b**3)
    )
    return numerator / (k(5) * y * (k(1) - b) ** 4)


def best_mixing(k: Constants, eps: Fraction) -> tuple[Ball, Ball]:
    """B and y*: y*^3 = b (1 + b) / 2."""
    b = k.decay(eps)
    return b, k.numbers.root(b * (k(1) + b) / k(2), 3)


def staircase_gamma(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """gamma* = (y* - b) / (1 - b)."""
    b, y = best_mixing(k, eps)
    return (y - b) / (k(1) - b)


def staircase_least_variance(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """V* = (b + y*^2) / (1 - b)^2."""
    b, y = best_mixing(k, eps)
    return (b + y**2) / (k(1) - b) ** 2


def swap_rate(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """V* again, from equation (2): (2^(-2/3) b^(2/3) (1 + b)^(2/3) + b) / (1 - b)^2."""
    b = k.decay(eps)
    return (k.numbers.root((b * (k(1) + b) / k(2)) ** 2, 3) + b) / (k(1) - b) ** 2


def staircase_absolute_gamma(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """(sqrt b - b) / (1 - b)."""
    b = k.decay(eps)
    return (k.numbers.sqrt(b) - b) / (k(1) - b)


def staircase_least_absolute(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """Sqrt b / (1 - b)."""
    b = k.decay(eps)
    return k.numbers.sqrt(b) / (k(1) - b)


# KSW-D3, S4: the staircase in the l1 norm


def l1_top(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """a2 = (1 - b)^2 / (2 (Y^2 + b))."""
    b, y = mixing(k, eps, gamma)
    return (k(1) - b) ** 2 / (k(2) * (y**2 + b))


def l1_absolute(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """E|Z1|."""
    b, y = mixing(k, eps, gamma)
    return (y**3 + k(3) * b * y + b * (k(1) + b)) / (k(3) * (k(1) - b) * (y**2 + b))


def l1_variance(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """V2."""
    b, y = mixing(k, eps, gamma)
    numerator = y**4 + k(6) * b * y**2 + k(4) * b * (k(1) + b) * y + b * (k(1) + k(7) * b + b**2)
    return numerator / (k(6) * (k(1) - b) ** 2 * (y**2 + b))


def l1_fourth(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """E Z1^4."""
    b, y = mixing(k, eps, gamma)
    q6 = (
        y**6
        + k(15) * b * y**4
        + k(20) * b * (k(1) + b) * y**3
        + k(15) * b * (k(1) + k(7) * b + b**2) * y**2
        + k(6) * b * (k(1) + k(21) * b + k(21) * b**2 + b**3) * y
        + b * (k(1) + k(51) * b + k(161) * b**2 + k(51) * b**3 + b**4)
    )
    return q6 / (k(15) * (k(1) - b) ** 4 * (y**2 + b))


def l1_cross(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """E Z1^2 Z2^2 = E Z1^4 / 6."""
    return l1_fourth(k, eps, gamma, t) / k(6)


def root_of(k: Constants, coefficients: list[Ball]) -> Ball:
    """Largest root in (0, 2) of a polynomial in Y, as a ball."""
    return k.numbers.between(*largest_root(coefficients, Fraction(0), Fraction(2), bits=64))


def l1_gamma(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """Largest root of Y^5 + 2 b Y^3 - 2 b (1 + b) Y^2 - b (1 + b + b^2) Y + 2 b^2 (1 + b)."""
    b = k.decay(eps)
    zero = k.numbers.rational(Fraction(0))
    quintic = [
        k(1),
        zero,
        k(2) * b,
        -k(2) * b * (k(1) + b),
        -b * (k(1) + b + b**2),
        k(2) * b**2 * (k(1) + b),
    ]
    return (root_of(k, quintic) - b) / (k(1) - b)


def l1_absolute_gamma(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """Largest root of Y^4 - 2 b (1 + b) Y + 3 b^2."""
    b = k.decay(eps)
    zero = k.numbers.rational(Fraction(0))
    quartic = [k(1), zero, zero, -k(2) * b * (k(1) + b), k(3) * b**2]
    return (root_of(k, quartic) - b) / (k(1) - b)


# KSW-D4, H1, H2, H3: the hourglass


def hourglass_top(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """A = a (1 - b) / (1 + b)."""
    b = k.decay(eps)
    return staircase_top(k, eps, gamma, t) * (k(1) - b) / (k(1) + b)


def hourglass_total(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """P(T = t) = A b^|t| (|t| + 2 gamma + 2 b^2 / (1 - b^2))."""
    b = k.decay(eps)
    width = abs(t) + k(2) * gamma + k(2) * b**2 / (k(1) - b**2)
    return hourglass_top(k, eps, gamma, t) * b ** abs(t) * width


def hourglass_covariance(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """Cov(Z1, Z2)."""
    b, y = mixing(k, eps, gamma)
    return (b * (k(1) + b) / (k(6) * y) - y**2 / k(3)) / (k(1) - b) ** 2


def hourglass_total_variance(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """Var T = 2 (V + Cov)."""
    sum_ = staircase_variance(k, eps, gamma, t) + hourglass_covariance(k, eps, gamma, t)
    return k(2) * sum_


def hourglass_total_fourth(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """E T^4."""
    b, y = mixing(k, eps, gamma)
    numerator = (
        k(1)
        + k(25) * b
        + k(43) * b**2
        + k(3) * b**3
        + k(2) * gamma
        + k(18) * b * gamma
        - k(18) * b**2 * gamma
        - k(2) * b**3 * gamma
    )
    return b * numerator / ((k(1) - b) ** 4 * y)


def hourglass_cross_13(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """E Z1 T^3 = E T^4 / 2."""
    return hourglass_total_fourth(k, eps, gamma, t) / k(2)


def hourglass_cross_22(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """E Z1^2 T^2."""
    b, y = mixing(k, eps, gamma)
    bracket = (
        k(1)
        + k(25) * b
        + k(49) * b**2
        + k(9) * b**3
        + k(3) * gamma * (k(1) + k(9) * b - k(5) * b**2 - k(5) * b**3)
        + k(3) * gamma**2 * (k(1) + b - k(5) * b**2 + k(3) * b**3)
        + k(2) * gamma**3 * (k(1) - b) ** 3
    )
    return b * bracket / (k(3) * (k(1) - b) ** 4 * y)


# KSW-D5: the discrete hourglass, on the grid of GRID points, gamma = (r - 1/2) / GRID

GRID = 64


def level0(gamma: Fraction) -> int:
    """Some r in 1..GRID."""
    return max(1, int(gamma * GRID))


def discrete_top(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """A_d = a_d (1 - b) / (1 + b), a_d = 1 / (2 r - 1 + 2 Q b / (1 - b))."""
    b, r = k.decay(eps), level0(gamma)
    a_d = k(1) / (k(2) * r - k(1) + k(2) * GRID * b / (k(1) - b))
    return a_d * (k(1) - b) / (k(1) + b)


def discrete_total(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """P(T = t): that of the hourglass with gamma = (r - 1/2) / Q."""
    same = Fraction(2 * level0(gamma) - 1, 2 * GRID)
    return hourglass_total(k, eps, same, t)


# Laplace, geometric


def laplace_variance(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """2 / eps^2."""
    return k(2) / eps**2


def geometric_variance(k: Constants, eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """2 b / (1 - b)^2 (table of KSW-S3)."""
    b = k.decay(eps)
    return k(2) * b / (k(1) - b) ** 2


# Balle and Wang 2018, Theorem 8: the Gaussian curve


def gaussian_delta(k: Constants, mu: Fraction, eps: Fraction) -> Ball:
    """Delta = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu)."""
    half, ratio = mu / k(2), eps / k.numbers.rational(mu)

    def phi(x: Ball) -> Ball:
        return k.numbers.erfc(-x / k.numbers.sqrt(k(2))) / k(2)

    return phi(half - ratio) - k.numbers.exp(eps * k(1)) * phi(-half - ratio)


# exponents of the densities, from the regions of D2, D3 and D4 (no floor, no level function)


def stair_exponent(radius: Fraction, gamma: Fraction) -> int:
    """K on [k, k + gamma), k + 1 on [k + gamma, k + 1): eq. (11) and (12) for Delta = 1."""
    step = 0
    while not step <= radius < step + 1:
        step += 1
    return step if radius < step + gamma else step + 1


def hourglass_exponent(z1: Fraction, t: int, gamma: Fraction) -> int:
    """Index i of the region S_(t,i) of the line z1 + z2 = t, by min(z1, z2)."""
    if t < 0:
        return hourglass_exponent(-z1, -t, gamma)
    depth = -min(z1, t - z1)
    if depth < gamma:
        return t
    j = 1
    while not j - 1 + gamma <= depth < j + gamma:
        j += 1
    return t + 2 * j
