"""Bets on means: their wealth has mean at most 1, and their limits are sharp enough."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from audit.utility.mean_bets import (
    above,
    catoni_lower,
    mean_lower,
    rates,
    small_mean_upper,
    symmetric_lower,
    symmetric_rate,
)

Array = NDArray[np.float64]
VALUES = (0.0, 0.5, 3.0)
CHANCES = (0.6, 0.3, 0.1)
MEAN = 0.45
SQUARE = 0.25 * 0.3 + 9 * 0.1


def outcomes(
    values: tuple[float, ...], chances: tuple[float, ...], size: int
) -> list[tuple[Array, float]]:
    """All samples of a size, with their probabilities."""
    return [
        (np.array([values[i] for i in place]), math.prod(chances[i] for i in place))
        for place in itertools.product(range(len(values)), repeat=size)
    ]


def test_the_mean_wealth_of_a_bet_is_one() -> None:
    """E of the wealth must be 1 at the true mean, and above 1 for a smaller one."""
    bets = np.array([0.1, 0.7, 100.0])
    samples = outcomes(VALUES, CHANCES, 5)

    def mean_wealth(mean: float) -> float:
        return sum(chance * math.exp(above(x, mean, 0.0, bets)) for x, chance in samples)

    assert mean_wealth(MEAN) == pytest.approx(1, rel=1e-12)
    assert mean_wealth(1.01 * MEAN) < 1 < mean_wealth(0.99 * MEAN)


@given(
    x=st.lists(st.floats(0, 10), min_size=1, max_size=12),
    means=st.tuples(st.floats(0.001, 10), st.floats(0.001, 10)),
)
def test_wealth_falls_with_the_mean(x: list[float], means: tuple[float, float]) -> None:
    """It must hold that a larger mean is never excluded sooner, so that limits are limits."""
    low, high = sorted(means)
    bets, draws = rates(2.0, 10, 0.05), np.array(x)
    assert above(draws, high, 0.0, bets) <= above(draws, low, 0.0, bets) + 1e-9


def test_the_mean_of_catonis_bet_is_at_most_one() -> None:
    """The limit must exceed the true mean with probability at most the error, also at n = 5.

    The mean square is all that is known of the law.
    """
    error = 0.2
    rate = symmetric_rate(math.sqrt(SQUARE - MEAN**2), 5, error)
    for sign in (1, -1):
        wrong = sum(
            chance
            for x, chance in outcomes(VALUES, CHANCES, 5)
            if catoni_lower(sign * x, SQUARE, rate, error) > sign * MEAN
        )
        assert wrong <= error


@pytest.mark.parametrize("rate", [0.01, 0.3])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_mean_wealth_of_catonis_bet(rate: float, sign: int) -> None:
    """E prod e^phi must be at most that of 1 + x + x^2 / 2, and close to it for small rates.

    The limit must be where that wealth is 1 / error.
    """
    error = 0.2

    def phi(z: Array) -> Array:
        return np.asarray(np.sign(z) * np.log1p(np.abs(z) + z**2 / 2))

    def wealth(x: Array, mean: float) -> float:
        cost = 1 + rate**2 * (SQUARE - mean**2) / 2
        return math.exp(float(phi(rate * (x - mean)).sum())) / cost**x.size

    samples = [(sign * x, chance) for x, chance in outcomes(VALUES, CHANCES, 5)]
    true = sum(p * wealth(x, sign * MEAN) for x, p in samples)
    assert true <= 1
    assert rate > 0.1 or true > 0.99
    assert sum(p * wealth(x, sign * MEAN - 0.02) for x, p in samples) > true
    for x, _ in samples[::20]:
        limit = catoni_lower(x, SQUARE, rate, error)
        if abs(limit) < math.sqrt(SQUARE):
            assert wealth(x, limit) == pytest.approx(1 / error, rel=1e-3)


def test_the_limit_of_a_small_mean() -> None:
    """The limit must be where a wealth is 1 / error, whose mean is just below 1 at the mean."""
    error, rate = 0.2, 0.05

    def wealth(x: Array, mean: float) -> float:
        cost = (1 - rate * mean + rate**2 * SQUARE / 2) ** x.size
        return math.exp(-rate * float(x.sum())) / cost

    samples = outcomes(VALUES, CHANCES, 5)
    for x, _ in samples:
        limit = small_mean_upper(x, SQUARE, rate, error)
        assert wealth(x, limit) == pytest.approx(1 / error, rel=1e-9)
    true, larger = (sum(p * wealth(x, m) for x, p in samples) for m in (MEAN, 1.01 * MEAN))
    assert 0.99 < true <= 1 < larger


def test_the_limit_of_a_symmetric_center() -> None:
    """The limit must exceed the center with probability at most the error, at n = 5."""
    values, chances, error = (-4.0, -1.0, 1.0, 4.0), (0.05, 0.45, 0.45, 0.05), 0.2
    rate = symmetric_rate(1.6, 5, error)
    wrong = sum(
        chance
        for x, chance in outcomes(values, chances, 5)
        if symmetric_lower(x, rate, error, 1.6) > 0
    )
    assert 0 < wrong <= error


HEAVY = {
    "Laplace squared": lambda n, rng: rng.laplace(size=n) ** 2 / 2,
    "lognormal": lambda n, rng: np.exp(2 * rng.normal(size=n) - 2),
    "Pareto of infinite variance": lambda n, rng: rng.pareto(1.5, n) / 2,
    "rare and large": lambda n, rng: 500.0 * (rng.random(n) < 1 / 500),
}
"""Variables that are not negative and have the mean 1."""


@pytest.mark.parametrize("name", HEAVY)
def test_heavy_tails_do_not_raise_a_lower_limit(name: str, dp_rng: np.random.Generator) -> None:
    """The limit of a mean 1 may be above 1 in at most 10 % of 300 runs, up to chance (1e-9)."""
    error, runs, size = 0.1, 300, 400
    wrong = 0
    for _ in range(runs):
        spread = float(HEAVY[name](50, dp_rng).std()) or 1.0
        x = HEAVY[name](size, dp_rng)
        wrong += mean_lower(x, 0.0, rates(spread, size, error), error) > 1
    assert wrong <= stats.binom.isf(1e-9, runs, error)


def test_the_same_check_finds_a_mean_that_is_larger(dp_rng: np.random.Generator) -> None:
    """It must hold that of a mean 1.3 the limit is above 1 in most runs of 2 000 draws."""
    found = 0
    for _ in range(60):
        x = 1.3 * HEAVY["Laplace squared"](2_000, dp_rng)
        found += mean_lower(x, 0.0, rates(2.2, x.size, 0.01), 0.01) > 1
    assert found > 45


def test_limits_are_close_to_those_of_normal_theory(dp_rng: np.random.Generator) -> None:
    """It must hold that no limit is farther than 1.35 of Hoeffding's for a Gauss law."""
    n, error = 40_000, 1e-3
    x = dp_rng.normal(size=n)
    best = math.sqrt(-2 * math.log(error) / n)
    rate = symmetric_rate(1.0, n, error)
    four = stats.norm.isf(1e-9) / math.sqrt(n)
    for found in (catoni_lower(x, 1.0, rate, error), symmetric_lower(x, rate, error, 1.0)):
        assert abs(found + best) < four
    y = x**2
    lower = mean_lower(y, 0.0, rates(math.sqrt(2), n, error), error)
    upper = small_mean_upper(y, 3.0, symmetric_rate(math.sqrt(3), n, error), error)
    assert y.mean() - 1.35 * math.sqrt(2) * best < lower < y.mean()
    assert y.mean() < upper < y.mean() + 1.35 * math.sqrt(3) * best


def test_constants_have_limits() -> None:
    """It must hold that draws that are all equal give finite limits around their value."""
    x = np.full(2_000, 0.25)
    assert 0.2 < mean_lower(x, 0.0, rates(0.01, x.size, 0.01), 0.01) <= 0.25
    assert mean_lower(np.zeros(100), 0.0, rates(1.0, 100, 0.01), 0.01) == 0
    assert 0.2 < catoni_lower(x, 0.07, symmetric_rate(0.1, x.size, 0.01), 0.01) < 0.25
    assert symmetric_lower(x, symmetric_rate(0.1, x.size, 0.01), 0.01, 0.1) < 0.25
    assert above(np.array([0.0, 1.0]), 0.0, 0.0, np.array([1.0])) == math.inf
    assert above(np.zeros(3), 0.0, 0.0, np.array([1.0])) == 0


def test_too_few_draws_say_nothing_of_a_center() -> None:
    """It must hold that signs of few draws exclude no center at a small error."""
    assert symmetric_lower(np.array([1.0, 2.0]), 1.0, 1e-3, 1.0) == -math.inf
