"""The hourglass: marginals, law of the sum, moments, privacy of every move, and its mutants."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.laws import exact_level
from mechanisms.noise.hourglass import Hourglass
from mechanisms.noise.staircase import Staircase
from tests.calibrated import ALPHA, assert_law, assert_not_law, draws_for, law_distance
from tests.mechanisms.noise.reference import DIGITS, HOURGLASS

Exponent = Callable[[int, int], int]

gammas = st.fractions(Fraction(1, 100), 1)
epsilons = st.fractions(Fraction(1, 20), 20)


def test_reference_table(subtests: pytest.Subtests) -> None:
    """It must hold that the closed forms give the table of KSW-H1 to H4 to 12 digits."""
    for row in HOURGLASS:
        with subtests.test(row=row):
            epsilon, gamma, *numbers = row
            law = Hourglass(epsilon, gamma)
            seen = [
                float(law.density(0, 0)),
                *law.total_pmf([0, 1]),
                law.variance(),
                law.covariance(),
                law.total_fourth_moment(),
                law.cross_moment_22(),
            ]
            assert seen == pytest.approx(numbers, rel=DIGITS, abs=1e-15 * law.variance())


@pytest.mark.parametrize("epsilon", ["1e-3", "1/10", 1, 5, 20, 50])
def test_uncorrelated_at_the_default_gamma(epsilon: str) -> None:
    """It must hold that Cov(Z1, Z2) = 0 at gamma*, and has a sign beside it (KSW-H2)."""
    law = Hourglass(epsilon)
    assert abs(law.covariance()) < 4e-15 * law.variance()  # gamma* itself is good to 2e-15
    assert Hourglass(epsilon, law.gamma * Fraction("0.999")).covariance() > 0
    assert Hourglass(epsilon, law.gamma * Fraction("1.001")).covariance() < 0


def slow_line_masses(law: Hourglass, levels: int, reach: int) -> dict[tuple[int, int], float]:
    """Mass of {s(z1) = s, T = t} = length of the level times the density on it."""
    gamma, masses = float(law.gamma), {}
    for s in range(-levels, levels + 1):
        inside = 0.0 if s == 0 else math.copysign(abs(s) - 0.5 + gamma, s)
        length = 2 * gamma if s == 0 else 1.0
        for t in range(s - reach, s + reach + 1):
            masses[s, t] = length * float(law.density(inside, t))
    return masses


def slow_place_moment(s: int, gamma: float, p: int) -> float:
    """Mean of z1^p over level s."""
    low, high = (-gamma, gamma) if s == 0 else (abs(s) - 1 + gamma, abs(s) + gamma)
    mean = (high ** (p + 1) - low ** (p + 1)) / ((p + 1) * (high - low))
    return mean if s >= 0 or p % 2 == 0 else -mean


@pytest.mark.parametrize(("epsilon", "gamma"), [(1, None), (1, "1/5"), (2, 1), (3, "4/5")])
def test_moments_and_sum_match_their_plain_twins(epsilon: int, gamma: str | None) -> None:
    """It must hold that total mass, pmf of T and moments (KSW-H1 to H3) are sums over the lines."""
    law = Hourglass(epsilon, gamma)
    masses, g = slow_line_masses(law, 45, 45), float(law.gamma)
    assert sum(masses.values()) == pytest.approx(1, abs=1e-13)
    for t in range(-5, 6):
        mass = sum(m for (_, total), m in masses.items() if total == t)
        assert float(law.total_pmf(t)) == pytest.approx(mass, rel=1e-12, abs=0)

    def expect(p: int, q: int) -> float:
        return sum(m * slow_place_moment(s, g, p) * t**q for (s, t), m in masses.items())

    assert law.variance() == pytest.approx(expect(2, 0), rel=1e-12, abs=0)
    assert law.total_variance() == pytest.approx(expect(0, 2), rel=1e-12, abs=0)
    assert law.covariance() == pytest.approx(expect(1, 1) - expect(2, 0), rel=1e-9, abs=1e-13)
    assert law.total_fourth_moment() == pytest.approx(expect(0, 4), rel=1e-12, abs=0)
    assert law.cross_moment_13() == pytest.approx(expect(1, 3), rel=1e-12, abs=0)
    assert law.cross_moment_22() == pytest.approx(expect(2, 2), rel=1e-12, abs=0)


@given(epsilons, gammas, st.floats(-9, 9, allow_subnormal=False))
def test_both_marginals_are_the_staircase(epsilon: Fraction, gamma: Fraction, z: float) -> None:
    """It must hold that the sum over t at fixed z1, or at fixed z2, is the staircase (KSW-L3)."""
    law, marginal = Hourglass(epsilon, gamma), Staircase(epsilon, 1, gamma)
    t = np.arange(-1, 2) * 1.0 + np.arange(-1000, 1000, 3)[:, None]
    over_first = law.density(z, t.ravel()).sum()
    assert over_first == pytest.approx(float(marginal.density(z)), rel=1e-12, abs=0)
    edge = abs(abs(z) - float(gamma)) % 1
    if min(edge, 1 - edge) > 1e-9:  # t - z rounds: keep off the edge of a level
        over_second = law.density(t.ravel() - z, t.ravel()).sum()
        assert over_second == pytest.approx(float(marginal.density(z)), rel=1e-12, abs=0)


def hourglass_exponent(s: int, t: int) -> int:
    """Return k = |s| + |t - s| (KSW-D4)."""
    return abs(s) + abs(t - s)


MUTANTS: dict[str, Exponent] = {
    "independent": lambda s, t: abs(s) + abs(t),
    "center-raised": lambda s, t: abs(s) + abs(t - s) - (s == t),
    "maximum": lambda s, t: max(abs(s), abs(t - s)),
}


def moves_by_one(exponent: Exponent, gamma: Fraction, reach: int, steps: int) -> bool:
    """Whether |k(t + 1, s(z + x)) - k(t, s(z))| = 1 on the grid of z, x in {0, 1/steps, .., 1}."""
    for i in range(-reach * steps, reach * steps + 1):
        for m in range(steps + 1):
            here = exact_level(Fraction(i, steps), gamma)
            there = exact_level(Fraction(i + m, steps), gamma)
            for t in range(-reach, reach + 1):
                if abs(exponent(there, t + 1) - exponent(here, t)) != 1:
                    return False
    return True


@given(gammas, st.fractions(-6, 6), st.integers(-8, 8), st.fractions(0, 1))
def test_every_move_changes_the_exponent_by_one(
    gamma: Fraction, z: Fraction, t: int, x: Fraction
) -> None:
    """It must hold that adding (x, 1 - x) changes k by exactly +1 or -1 (KSW-T2)."""
    law = Hourglass(1, gamma).exact_law()
    there, here = law.exponent((z + x, Fraction(t + 1))), law.exponent((z, Fraction(t)))
    assert abs(there - here) == 1
    assert (here - t) % 2 == 0
    assert here >= abs(t)


@given(gammas, st.fractions(-6, 6), st.integers(-8, 8))
def test_exponent_is_symmetric(gamma: Fraction, z: Fraction, t: int) -> None:
    """It must hold that k(t, z1) = k(t, z2) = k(-t, -z1) away from the edges of levels."""
    law = Hourglass(1, gamma).exact_law()
    assert law.exponent((-z, Fraction(-t))) == law.exponent((z, Fraction(t)))
    if (abs(z) - gamma) % 1 and (abs(t - z) - gamma) % 1:
        assert law.exponent((t - z, Fraction(t))) == law.exponent((z, Fraction(t)))


def test_mutants_of_the_exponent_are_caught() -> None:
    """It must hold that three near-misses fail: two in privacy, the third in the marginal."""
    gamma = Fraction(2, 5)
    assert moves_by_one(hourglass_exponent, gamma, 3, 10)
    assert not moves_by_one(MUTANTS["independent"], gamma, 3, 10)
    assert not moves_by_one(MUTANTS["center-raised"], gamma, 3, 10)
    maximum = MUTANTS["maximum"]
    assert all(
        abs(maximum(exact_level(z + x, gamma), t + 1) - maximum(exact_level(z, gamma), t)) <= 1
        for z in (Fraction(i, 10) for i in range(-30, 31))
        for x in (Fraction(m, 10) for m in range(11))
        for t in range(-3, 4)
    )
    b = math.exp(-1)
    for exponent, is_staircase in ((hourglass_exponent, True), (maximum, False)):
        sums = [sum(b ** exponent(s, t) for t in range(-60, 61)) for s in (0, 1, 2)]
        assert (sums[1] / sums[0] == pytest.approx(b, rel=1e-12, abs=0)) is is_staircase


def test_privacy_loss_is_that_of_randomized_response(dp_rng: np.random.Generator) -> None:
    """It must hold that the loss is +-eps always, and +eps with probability e^eps / (1 + e^eps)."""
    law, n = Hourglass(1), 400_000
    limit = math.sqrt(math.log(2 / ALPHA) / (2 * n))  # Hoeffding
    z1, t = law.sample_parts(n, rng=dp_rng)
    for x in (0.0, 0.3, 0.5, 1.0):
        loss = np.log(law.density(z1, t) / law.density(z1 + x, t + 1))
        np.testing.assert_allclose(np.abs(loss), 1, rtol=1e-9)
        seen = (loss > 0).mean()
        assert abs(seen - math.e / (1 + math.e)) < limit
        assert abs(seen - math.e**1.05 / (1 + math.e**1.05)) > limit


@pytest.mark.parametrize(("epsilon", "gamma"), [("1/10", None), (1, None), (1, "4/5"), (3, None)])
def test_sum_has_its_law(epsilon: str, gamma: str | None, dp_rng: np.random.Generator) -> None:
    """It must hold that T follows KSW-H1, and that epsilon 5 % beside it is rejected."""
    law = Hourglass(epsilon, gamma)
    wrong = Hourglass(law.epsilon / Fraction("1.05"), law.gamma)
    reach = math.ceil(60 / float(wrong.epsilon))
    t = np.arange(-reach, reach + 1)

    def cdf_of(tried: Hourglass) -> Callable[[np.ndarray], np.ndarray]:
        table = np.cumsum(tried.total_pmf(t))
        return lambda x: table[np.clip(np.rint(x).astype(int) + reach, 0, 2 * reach)]

    cdf = cdf_of(law)
    distance = law_distance(cdf, cdf_of(wrong), t)
    n = draws_for(distance)
    for tried, check in ((law, assert_law), (wrong, assert_not_law)):
        _, total = tried.sample_parts(n, rng=dp_rng)
        assert total.dtype == np.int64
        check(total.astype(float), cdf, distance, left_cdf=lambda x: cdf(x - 1))


def test_sum_is_level_plus_independent_geometric(dp_rng: np.random.Generator) -> None:
    """It must hold that T - s(z1) is two-sided geometric, the same on every level (KSW-L4)."""
    law, n = Hourglass(1, "1/3"), 600_000
    z1, t = law.sample_parts(n, rng=dp_rng)
    s = law.marginal().level(z1)
    b = math.exp(-1)
    for level in (0, 1, -1, 2):
        gap = (t - s)[s == level]
        limit = math.sqrt(math.log(2 / ALPHA) / (2 * len(gap)))
        for d in range(-2, 3):
            assert abs((gap == d).mean() - (1 - b) / (1 + b) * b ** abs(d)) < limit
    assert abs((t[s == 2] == 0).mean() - (1 - b) / (1 + b)) > 0.2


def test_columns_are_z1_and_the_sum() -> None:
    """It must hold that `sample` stacks `sample_parts`, and its second column is integral."""
    law = Hourglass(1)
    pairs = law.sample(50_000, rng=np.random.default_rng(5))
    z1, t = law.sample_parts(50_000, rng=np.random.default_rng(5))
    np.testing.assert_array_equal(pairs[:, 0], z1)
    np.testing.assert_array_equal(pairs[:, 1], t)
