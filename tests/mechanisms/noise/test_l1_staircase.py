"""The two-dimensional staircase: reference table, the trap root, sums over diamonds, tails."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.noise.l1_staircase import L1Staircase, optimal_gamma, optimal_gamma_absolute
from mechanisms.noise.staircase import Staircase
from tests.calibrated import ALPHA, assert_law, assert_not_law, draws_for
from tests.mechanisms.noise.reference import (
    DIGITS,
    L1_STAIRCASE,
    LARGE_EPSILON,
    LARGE_EPSILON_DIGITS,
)

gammas = st.fractions(Fraction(1, 100), 1)


def quintic(epsilon: float) -> list[float]:
    """Coefficients in Y of the quintic of KSW-S4."""
    b = math.exp(-epsilon)
    return [1, 0, 2 * b, -2 * b * (1 + b), -b * (1 + b + b**2), 2 * b**2 * (1 + b)]


def slow_moments(law: L1Staircase) -> tuple[float, float, float, float]:
    """E|Z1|, E Z1^2, E Z1^4, E Z1^2 Z2^2 as sums over diamonds (r/3, r^2/6, r^4/15, r^4/90)."""
    b, gamma = math.exp(-law.epsilon), float(law.gamma)
    k = np.arange(math.ceil(45 / float(law.epsilon)) + 2)
    r = (k + gamma) * float(law.sensitivity)
    weight = b**k * (k + gamma) ** 2
    weight /= weight.sum()
    return tuple(float((weight * f).sum()) for f in (r / 3, r**2 / 6, r**4 / 15, r**4 / 90))


@pytest.mark.parametrize("epsilon", L1_STAIRCASE)
def test_reference_table(epsilon: str) -> None:
    """It must hold that the closed forms give the table of KSW-S4 to 12 digits."""
    law, absolute = L1Staircase(epsilon), L1Staircase.for_absolute_error(epsilon)
    seen = (
        law.mixing,
        float(law.gamma),
        law.variance(),
        float(law.density(0, 0)),
        float(absolute.gamma),
        absolute.mean_absolute(),
        law.variance() / Staircase(epsilon).variance(),
    )
    assert seen == pytest.approx(L1_STAIRCASE[epsilon], rel=DIGITS, abs=0)


@pytest.mark.parametrize("epsilon", LARGE_EPSILON)
def test_decay_for_large_epsilon(epsilon: str) -> None:
    """It must hold that V2* e^(eps / 2) falls to 1/3 as KSW-S5 lists (KSW-L7: never below)."""
    scaled = L1Staircase(epsilon).variance() * math.exp(float(epsilon) / 2)
    assert scaled == pytest.approx(LARGE_EPSILON[epsilon][1], rel=LARGE_EPSILON_DIGITS)
    assert scaled > 1 / 3


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1, 2, 5, 10])
def test_gamma_is_the_largest_root_and_not_the_trap(epsilon: float) -> None:
    """It must hold that gamma* comes from the largest root; the other is a local maximum."""
    b = math.exp(-epsilon)
    roots = np.roots(quintic(epsilon))
    inside = sorted(float(r.real) for r in roots if abs(r.imag) < 1e-9 and b < r.real < 1)
    assert len(inside) == 2
    trap, best = ((y - b) / (1 - b) for y in inside)
    assert optimal_gamma(epsilon) == pytest.approx(best, rel=1e-9, abs=0)
    step = min(trap, 1 - best, best - trap) / 10

    def variance(gamma: float) -> float:
        return L1Staircase(epsilon, 1, Fraction(gamma)).variance()

    assert variance(trap) > max(variance(trap - step), variance(trap + step))
    assert variance(best) < min(variance(best - step), variance(best + step))
    assert variance(best) < variance(trap)


@pytest.mark.parametrize("epsilon", [1e-9, 1e-3, 0.1, 1, 5, 50, 200, 500])
def test_optimal_gamma_keeps_its_digits(epsilon: float) -> None:
    """It must hold that both optimal gammas are the largest roots in 300-digit arithmetic."""
    from mpmath import mp

    with mp.workdps(300):
        b = mp.exp(-mp.mpf(epsilon))
        squared = [1, 0, 2 * b, -2 * b * (1 + b), -b * (1 + b + b**2), 2 * b**2 * (1 + b)]
        absolute = [1, 0, 0, -2 * b * (1 + b), 3 * b**2]
        for coefficients, gamma in (
            (squared, optimal_gamma(epsilon)),
            (absolute, optimal_gamma_absolute(epsilon)),
        ):

            def sign(g: float, c: list[mp.mpf] = coefficients, b: mp.mpf = b) -> int:
                return int(mp.sign(mp.polyval(c, b + (1 - b) * mp.mpf(g))))

            assert sign(gamma * (1 - 1e-14)) < 0 < sign(gamma * (1 + 1e-14))
            above = np.linspace(gamma * (1 + 1e-14), 1, 50)
            assert all(sign(float(g)) > 0 for g in above)


@given(st.fractions(Fraction(1, 20), 20), gammas)
def test_optimal_gammas_are_optimal(epsilon: Fraction, gamma: Fraction) -> None:
    """It must hold that no gamma has less variance, or less mean absolute value."""
    law = L1Staircase(epsilon, 1, gamma)
    assert law.variance() >= L1Staircase(epsilon).variance() * (1 - 1e-13)
    least = L1Staircase.for_absolute_error(epsilon).mean_absolute()
    assert law.mean_absolute() >= least * (1 - 1e-13)


@given(st.fractions(Fraction(1, 20), 20), gammas, st.sampled_from([1, "1/3", 7]))
def test_moments_match_their_plain_twins(
    epsilon: Fraction, gamma: Fraction, sensitivity: int | str
) -> None:
    """It must hold that the closed forms of KSW-S4 are the sums over diamonds."""
    law = L1Staircase(epsilon, sensitivity, gamma)
    closed = law.mean_absolute(), law.variance(), law.fourth_moment(), law.cross_moment_22()
    assert closed == pytest.approx(slow_moments(law), rel=1e-11, abs=0)


@pytest.mark.parametrize("epsilon", ["1/20", 1, 3])
@pytest.mark.parametrize("gamma", ["1/10", "0.7", 1])
def test_diamond_index_has_its_weights(
    epsilon: str, gamma: str, dp_rng: np.random.Generator
) -> None:
    """It must hold that P(k) is proportional to b^k (k + gamma)^2; 5 % in epsilon is rejected."""
    law = L1Staircase(epsilon, 1, gamma)
    wrong = L1Staircase(law.epsilon / Fraction("1.05"), 1, gamma)

    def cdf_of(tried: L1Staircase) -> np.ndarray:
        k = np.arange(math.ceil(60 / float(tried.epsilon)))
        weight = np.exp(-float(tried.epsilon) * k) * (k + float(tried.gamma)) ** 2
        return np.asarray(np.cumsum(weight) / weight.sum())

    table, other = cdf_of(law), cdf_of(wrong)
    distance = float(np.abs(table - other[: len(table)]).max())

    def cdf(k: np.ndarray) -> np.ndarray:
        return np.where(k < 0, 0, table[np.clip(k, 0, len(table) - 1).astype(int)])

    n = draws_for(distance)
    for tried, check in ((law, assert_law), (wrong, assert_not_law)):
        k = tried._diamonds(n, dp_rng)
        check(k, cdf, distance, left_cdf=lambda i: cdf(i - 1))


@pytest.mark.parametrize("gamma", ["1/10", "0.4", 1])
def test_integer_tails_are_powers(gamma: str) -> None:
    """It must hold that P(|Z1| >= j) = e^(-j eps) at integers j, for every gamma (KSW-L9)."""
    law, j = L1Staircase("3/2", 1, gamma), np.arange(10)
    np.testing.assert_allclose(2 * law.marginal_cdf(-j), np.exp(-1.5 * j), rtol=1e-13)


@given(st.floats(0, 8), gammas)
def test_marginal_tail_matches_its_plain_twin(t: float, gamma: Fraction) -> None:
    """It must hold that the closed tail is the sum over diamonds of KSW-L9."""
    law, k = L1Staircase("3/4", 1, gamma), np.arange(90)
    b, g = math.exp(-0.75), float(gamma)
    slow = (b**k * np.maximum(k + g - t, 0) ** 2).sum() / (b**k * (k + g) ** 2).sum()
    assert 2 * float(law.marginal_cdf(-t)) == pytest.approx(slow, rel=1e-11, abs=0)


def test_sum_and_difference_have_their_law(dp_rng: np.random.Generator) -> None:
    """It must hold that Z1 + Z2 and Z1 - Z2 are uniform given the radius, as on a diamond.

    Coordinates with the right marginals but independent of each other are rejected.
    """
    law, k = L1Staircase(1), np.arange(60)
    r = k + float(law.gamma)
    weight = np.exp(-k) * r**2
    weight /= weight.sum()
    grid = np.linspace(-12, 12, 4001)
    cdf = np.clip((grid[:, None] + r) / (2 * r), 0, 1) @ weight

    def distance(draws: np.ndarray) -> float:
        below = np.searchsorted(np.sort(draws), grid) / len(draws)
        return float(np.abs(below - cdf).max())

    n = 800_000
    limit = math.sqrt(math.log(2 / ALPHA) / (2 * n))  # DKW
    z, other = law.sample(n, rng=dp_rng), law.sample(n, rng=dp_rng)
    assert distance(z[:, 0] + z[:, 1]) < limit
    assert distance(z[:, 0] - z[:, 1]) < limit
    assert distance(z[:, 0] + other[:, 1]) > 2 * limit
