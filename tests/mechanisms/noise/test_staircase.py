"""The univariate staircase: reference table, optimality, levels, plain twins."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from mechanisms.laws import exact_level
from mechanisms.noise.geometric import Geometric
from mechanisms.noise.levels import fill_within
from mechanisms.noise.staircase import Staircase, optimal_gamma, optimal_gamma_absolute
from tests.calibrated import assert_law, assert_not_law, draws_for
from tests.mechanisms.noise.reference import (
    DIGITS,
    LARGE_EPSILON,
    LARGE_EPSILON_DIGITS,
    STAIRCASE,
)

epsilons = st.fractions(Fraction(1, 100), 20)
gammas = st.fractions(Fraction(1, 100), 1)


@pytest.mark.parametrize("epsilon", STAIRCASE)
def test_reference_table(epsilon: str) -> None:
    """It must hold that the closed forms give the table of KSW-S2 and S3 to 12 digits."""
    squared, absolute = Staircase(epsilon), Staircase.for_absolute_error(epsilon)
    seen = (
        squared.mixing,
        float(squared.gamma),
        squared.variance(),
        squared.fourth_moment(),
        float(absolute.gamma),
        absolute.mean_absolute(),
        Geometric(epsilon).variance(),
    )
    assert seen == pytest.approx(STAIRCASE[epsilon], rel=DIGITS, abs=0)


@pytest.mark.parametrize("epsilon", LARGE_EPSILON)
def test_decay_for_large_epsilon(epsilon: str) -> None:
    """It must hold that V* e^(2 eps / 3) falls to 2^(-2/3) as KSW-S5 lists."""
    scaled = Staircase(epsilon).variance() * math.exp(2 * float(epsilon) / 3)
    assert scaled == pytest.approx(LARGE_EPSILON[epsilon][0], rel=LARGE_EPSILON_DIGITS)
    assert scaled > 2 ** (-2 / 3)


def test_optimal_gamma_keeps_its_digits(subtests: pytest.Subtests) -> None:
    """It must hold that both optimal gammas agree with 300-digit arithmetic (KSW-S2)."""
    for epsilon in [1e-9, 1e-3, 0.1, 1, 5, 50, 200, 500]:
        with subtests.test(epsilon=epsilon):
            from mpmath import mp

            with mp.workdps(300):
                b = mp.exp(-mp.mpf(epsilon))
                y = mp.cbrt(b * (1 + b) / 2)
                squared, absolute = (y - b) / (1 - b), (mp.sqrt(b) - b) / (1 - b)
                geng = -b / (1 - b) + mp.cbrt((b - 2 * b**2 + 2 * b**4 - b**5) / 2) / (1 - b) ** 2
                assert abs(geng - squared) < mp.mpf(10) ** -200 * squared
            rel = (
                2e-15 + epsilon / 3 * 2**-53
            )  # the exponential amplifies the rounding of its exponent
            assert optimal_gamma(epsilon) == pytest.approx(float(squared), rel=rel, abs=0)
            assert optimal_gamma_absolute(epsilon) == pytest.approx(float(absolute), rel=rel, abs=0)


@given(epsilons, gammas)
def test_optimal_gammas_are_optimal(epsilon: Fraction, gamma: Fraction) -> None:
    """It must hold that no gamma has less variance, or less mean absolute value."""
    law = Staircase(epsilon, 1, gamma)
    assert law.variance() >= Staircase(epsilon).variance() * (1 - 1e-14)
    least = Staircase.for_absolute_error(epsilon).mean_absolute()
    assert law.mean_absolute() >= least * (1 - 1e-14)


@given(epsilons, gammas, st.fractions(-30, 30))
def test_privacy(epsilon: Fraction, gamma: Fraction, z: Fraction) -> None:
    """It must hold that moves up to the sensitivity change the level by at most 1, exactly."""
    for x in (Fraction(0), Fraction(1, 3), Fraction(1), gamma, 1 - gamma):
        here, there = exact_level(z, gamma), exact_level(z + x, gamma)
        assert abs(abs(here) - abs(there)) <= 1


def slow_tail(law: Staircase, t: float) -> float:
    """P(|Z| >= t) for sensitivity 1, level by level."""
    gamma, b = float(law.gamma), math.exp(-law.epsilon)
    height = 2 * (1 - b) / (2 * (gamma + b * (1 - gamma)))
    total, i = height * max(gamma - t, 0), 1
    while b**i > 1e-18:
        total += height * b**i * (i + gamma - max(t, i - 1 + gamma)) * (t < i + gamma)
        i += 1
    return total


@pytest.mark.parametrize("gamma", ["1/5", "0.4167", 1])
@pytest.mark.parametrize("epsilon", ["1/2", 2])
def test_cdf_matches_its_plain_twin(epsilon: str, gamma: str) -> None:
    """It must hold that the closed tail (KSW-L9) is the sum over levels; P(|Z| >= j) = e^-j eps."""
    law = Staircase(epsilon, 1, gamma)
    t = np.linspace(0, 6, 181)
    slow = np.array([slow_tail(law, float(x)) for x in t])
    np.testing.assert_allclose(2 * law.cdf(-t), slow, rtol=1e-12)
    j = np.arange(8)
    np.testing.assert_allclose(2 * law.cdf(-j), np.exp(-float(law.epsilon) * j), rtol=1e-13)


def slow_within(level: float, unit: float, gamma: float) -> float:
    """Place a uniform variate on [0, gamma) or [level - 1 + gamma, level + gamma)."""
    return gamma * unit if level == 0 else level - 1 + gamma + unit


@given(st.integers(0, 40), st.floats(0, 1, exclude_max=True), gammas)
def test_place_matches_its_plain_twin(level: int, unit: float, gamma: Fraction) -> None:
    """It must hold that the branch-free place on a level is the one with the two cases."""
    z = np.empty(1)
    fill_within(z, np.array([float(level)]), np.array([unit]), float(gamma))
    assert z[0] == pytest.approx(slow_within(level, unit, float(gamma)), abs=1e-14)


@pytest.mark.parametrize(
    ("epsilon", "gamma", "sensitivity"),
    [(1, None, 1), ("1e-3", None, 1), (3, 1, "1/3"), (50, None, 1)],
)
def test_carried_level_is_the_level(
    epsilon: int | str, gamma: int | None, sensitivity: int | str, dp_rng: np.random.Generator
) -> None:
    """It must hold that the level that comes with a draw is s(z), and the draws are the same."""
    law = Staircase(epsilon, sensitivity, gamma)
    state = dp_rng.bit_generator.state
    z, level = law.sample_with_level(200_000, rng=dp_rng)
    assert level.dtype == np.int64
    off_edge = np.abs(np.abs(z) / float(law.sensitivity) - float(law.gamma)) % 1
    inside = np.minimum(off_edge, 1 - off_edge) > 1e-9  # where a float can tell the level
    np.testing.assert_array_equal(law.level(z)[inside], level[inside])
    assert inside.mean() > 0.99 or float(law.gamma) < 1e-6
    again = np.random.default_rng(0)
    again.bit_generator.state = state
    np.testing.assert_array_equal(law.sample(200_000, rng=again), z)


@pytest.mark.parametrize("epsilon", ["1/100", 1, 4])
def test_level_has_its_law(epsilon: str, dp_rng: np.random.Generator) -> None:
    """It must hold that P(|s| >= i) = b^i / y, and that epsilon 5 % beside it is rejected."""
    law = Staircase(epsilon, 1, "1/2")

    def cdf(i: np.ndarray) -> np.ndarray:
        tail = np.exp(-float(law.epsilon) * (i + 1)) / law.mixing
        return np.where(i < 0, 0, 1 - tail)

    wrong = Staircase(law.epsilon / Fraction("1.05"), 1, "1/2")
    i = np.arange(1000)
    wrong_tail = np.exp(-float(wrong.epsilon) * (i + 1)) / wrong.mixing
    distance = float(np.abs(cdf(i) - (1 - wrong_tail)).max())
    n = draws_for(distance)
    for tried, check in ((law, assert_law), (wrong, assert_not_law)):
        _, level = tried.sample_with_level(n, rng=dp_rng)
        check(np.abs(level).astype(float), cdf, distance, left_cdf=lambda k: cdf(k - 1))


def test_extreme_epsilon_works(dp_rng: np.random.Generator) -> None:
    """It must hold that the ends of the range of epsilon give finite draws and moments."""
    for epsilon in ("1e-9", 500):
        law = Staircase(epsilon)
        z, level = law.sample_with_level(1000, rng=dp_rng)
        assert np.isfinite(z).all()
        assert np.abs(level - z).max() <= 1 + 1e-6 * np.abs(z).max()
        assert 0.5 < np.abs(z).mean() / law.mean_absolute() < 2
        assert 0 < law.fourth_moment() < math.inf
    for epsilon in ("1e-10", 501):
        with pytest.raises(InvalidArgument, match=r"^epsilon must be at (least|most)"):
            Staircase(epsilon)


def test_sensitivity_stretches_the_law() -> None:
    """It must hold that sensitivity D gives the law of D Z, and a wrong D is refused."""
    one, wide = Staircase(2, 1, "1/3"), Staircase(2, 12, "1/3")
    z = np.linspace(-3, 3, 100)
    np.testing.assert_allclose(wide.cdf(12 * z), one.cdf(z), rtol=1e-14)
    np.testing.assert_allclose(12 * wide.density(12 * z), one.density(z), rtol=1e-14)
    assert wide.variance() == pytest.approx(144 * one.variance())
    for wrong in (0, -1, "1e80"):
        with pytest.raises(InvalidArgument, match=r"^sensitivity must be"):
            Staircase(1, wrong)
