"""Closed forms of the ledger as balls at (epsilon, gamma, t): what floats are compared with.

Nothing here comes from `mechanisms`; each formula is the one that a claim of the ledger proves.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from proofs_check.enclosure import Ball, Balls
from proofs_check.papers.ksw.noise import discrete_hourglass as discrete
from proofs_check.papers.ksw.noise import hourglass_moments, l1_moments, l1_staircase, staircase
from proofs_check.papers.ksw.noise.hourglass import hourglass_height

NUMBERS = Balls(200)
GRID = 64

Formula = Callable[[Fraction, Fraction, int], Ball]
"""Function of (epsilon, gamma, t)."""


def decay(eps: Fraction) -> Ball:
    """B = e^-eps."""
    return NUMBERS.exp(NUMBERS.rational(-eps))


def of_y(closed: Callable[..., Ball]) -> Formula:
    """A closed form in b and y = gamma + b (1 - gamma)."""

    def formula(eps: Fraction, gamma: Fraction, t: int) -> Ball:
        b = decay(eps)
        return closed(b, staircase.y_of_gamma(b, gamma))

    return formula


def of_gamma(closed: Callable[..., Ball]) -> Formula:
    """A closed form in b and gamma."""
    return lambda eps, gamma, t: closed(decay(eps), gamma)


def best_y(b: Ball) -> Ball:
    """Y*, the cube root of `best_y_cubed`."""
    return NUMBERS.root(staircase.best_y_cubed(b), 3)


def gamma_star(eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """gamma*(eps) of KSW-S2."""
    b = decay(eps)
    return staircase.gamma_of_y(b, best_y(b))


def least_variance(eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """V* of KSW-S2."""
    b = decay(eps)
    return staircase.best_variance(b, best_y(b))


def absolute_gamma(eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """Gamma of the least E|Z| (KSW-S2)."""
    return staircase.mean_absolute_best_gamma(NUMBERS.exp(NUMBERS.rational(eps / 2)))


def least_absolute(eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """E|Z| at that gamma."""
    b = decay(eps)
    return staircase.mean_absolute(b, NUMBERS.sqrt(b))


def l1_gamma(polynomial: Callable[..., list[Ball]]) -> Formula:
    """Gamma of the largest root of a polynomial in Y (KSW-S4)."""

    def formula(eps: Fraction, gamma: Fraction, t: int) -> Ball:
        b = decay(eps)
        return staircase.gamma_of_y(b, l1_moments.best_l1_y(polynomial, b))

    return formula


def sum_variance(b: Ball, y: Ball) -> Ball:
    """Var T = 2 (V + Cov) (KSW-H2)."""
    return 2 * (staircase.second_moment(b, y) + hourglass_moments.covariance(b, y))


def level0(gamma: Fraction) -> int:
    """Some r in 1..GRID."""
    return max(1, int(gamma * GRID))


def discrete_sum(eps: Fraction, gamma: Fraction, t: int) -> Ball:
    """P(T = t) of the discrete hourglass (KSW-D5)."""
    same = discrete.discrete_gamma(GRID, level0(gamma))
    return hourglass_moments.sum_probability(decay(eps), same, t)


CLOSED_FORMS: dict[str, Formula] = {
    "laplace variance": lambda eps, gamma, t: NUMBERS.rational(2 / eps**2),
    "geometric variance": lambda eps, gamma, t: staircase.geometric_variance(decay(eps)),
    "D2 a": of_y(staircase.height),
    "S1 E|Z|": of_y(staircase.mean_absolute),
    "S1 V": of_y(staircase.second_moment),
    "S2 gamma*": gamma_star,
    "S2 V*": least_variance,
    "S2 gamma of E|Z|": absolute_gamma,
    "S2 least E|Z|": least_absolute,
    "S3 E Z^4": of_y(staircase.fourth_moment),
    "D3 a2": of_y(l1_staircase.l1_height),
    "S4 V2": of_y(l1_staircase.l1_second_moment),
    "S4 A2": of_y(l1_staircase.l1_mean_absolute),
    "S4 E Z1^4": of_y(l1_staircase.l1_fourth_moment),
    "S4 E Z1^2 Z2^2": of_y(lambda b, y: l1_staircase.l1_fourth_moment(b, y) / 6),
    "S4 gamma2*": l1_gamma(l1_staircase.l1_variance_quintic),
    "S4 gamma of A2": l1_gamma(l1_staircase.l1_mean_quartic),
    "D4 A": of_y(hourglass_height),
    "H1 P(T = t)": lambda eps, gamma, t: hourglass_moments.sum_probability(decay(eps), gamma, t),
    "H2 Cov": of_y(hourglass_moments.covariance),
    "H2 Var T": of_y(sum_variance),
    "H3 E T^4": of_gamma(hourglass_moments.sum_fourth_moment),
    "H3 E Z1 T^3": of_gamma(lambda b, gamma: hourglass_moments.sum_fourth_moment(b, gamma) / 2),
    "H3 E Z1^2 T^2": of_gamma(hourglass_moments.mixed_moment),
    "D5 A_d": lambda eps, gamma, t: discrete.discrete_hourglass_height(
        decay(eps), GRID, level0(gamma)
    ),
    "D5 P(T = t)": discrete_sum,
}
"""By the ids of the claims, without the paper."""
