"""Draws on laws that attain the bounds: each bound holds, and one 10 % smaller is refuted.

Each mean lies within 6 standard errors of its expectation but for a chance of 2e-9, up to the
normal limit. That two limits are less than a tenth of the bound is asserted as well.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mechanisms.trilemma.clipped_mean import ClippedMean
from mechanisms.trilemma.combined_mean import CombinedMean
from mechanisms.trilemma.errors import (
    bias_clipped,
    bias_scarf,
    mse_clipped,
    mse_combined,
    mse_combined_exact,
    mse_combined_sharp,
    mse_name_and_shame,
)
from mechanisms.trilemma.name_and_shame import NameAndShame
from tests.mechanisms.trilemma.worst_laws import TwoPoints, worst_law
from tests.slow import by_default

SIGMAS = 6
COIN: TwoPoints = ((1.0, 0.5), (-1.0, 0.5))


def sample(law: TwoPoints, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw n records of a law on two points."""
    (upper, q), (lower, _) = law
    many = rng.binomial(n, q)
    return np.repeat([lower, upper], [n - many, many])


def moments(law: TwoPoints, low: float, high: float) -> tuple[float, float]:
    """Variance of a law of mean 0, and its mean square excess over [low, high]."""
    variance = math.fsum(p * t**2 for t, p in law)
    return variance, math.fsum(p * max(low - t, 0.0, t - high) ** 2 for t, p in law)


def assert_attained(found: float, limit: float, bound: float) -> None:
    """A mean of draws must obey the bound, and refute 9/10 of it."""
    assert 2 * limit < 0.1 * bound
    assert found < bound + limit
    assert found > 0.9 * bound + limit


@pytest.mark.parametrize(
    ("constant", "moment", "beta"),
    [
        ("sharp", 2, "1/8"),
        ("printed", 2, "1/4"),
        ("sharp", 3, "1/20"),
        ("printed", 3, "1/4"),
        ("printed", 4, "1/2"),
    ],
)
def test_bias_of_the_clipped_mean(
    constant: str, moment: int, beta: str, dp_rng: np.random.Generator
) -> None:
    """Beta must be attained with the sharp margin, K(lam) beta with the printed one."""
    n = 4_000_000
    mechanism = ClippedMean(1, -1, 0, beta, moment, constant)
    c = mechanism.ends[1]
    law = worst_law(moment, c)
    found = -float(mechanism.sample(sample(law, n, dp_rng), 1, rng=dp_rng)[0])
    clipped = [(min(t, c), p) for t, p in law]
    variance = math.fsum(p * t**2 for t, p in clipped)
    limit = SIGMAS * math.sqrt(variance / n + 2 * ((1 + 2 * c) / n) ** 2)
    bound = bias_clipped(moment, c) if constant == "printed" else float(Fraction(beta))
    assert_attained(found, limit, bound)
    if moment == 2:
        assert abs(found - bias_scarf(c)) < limit


def square_error(
    mechanism: Any, law: TwoPoints, n: int, mean: float, rng: Any
) -> tuple[float, float]:
    """Mean squared error on records of a law about a mean, and 6 standard errors of it."""
    squares = np.array(
        [
            np.mean((mechanism.sample(mean + sample(law, n, rng), 100, rng=rng) - mean) ** 2)
            for _ in range(3_000)
        ]
    )
    return float(squares.mean()), SIGMAS * float(squares.std()) / math.sqrt(squares.size)


@pytest.mark.parametrize(
    ("constant", "n", "epsilon", "beta"),
    [("printed", 100, "0.1", "0.1"), ("sharp", 1000, "0.1", "1/8")],
)
def test_error_of_the_clipped_mean(
    constant: str, n: int, epsilon: str, beta: str, dp_rng: np.random.Generator
) -> None:
    """The bound of 3.0.1 must be attained where noise, or noise and sharp bias, are most of it."""
    mechanism = ClippedMean(epsilon, 0, 1, beta, 2, constant)
    law = worst_law(2, mechanism.ends[1] - 1)
    found, limit = square_error(mechanism, law, n, 1.0, dp_rng)
    assert_attained(found, limit, mse_clipped(n, epsilon, beta, constant=constant))


@pytest.mark.parametrize("mean", [0.0, 2.0])
def test_error_of_name_and_shame(mean: float, dp_rng: np.random.Generator) -> None:
    """The error of 3.0.2 must be an equality."""
    n, delta, law = 20, "1/4", worst_law(2, "1/4")
    found, limit = square_error(NameAndShame(delta), law, n, mean, dp_rng)
    stated = mse_name_and_shame(n, delta, moments(law, 0, 0)[0], mean)
    assert_attained(found, limit, stated)
    assert found > stated - limit


@pytest.mark.parametrize("distance", by_default(["1/2"], [0, "1/2", 2]))
def test_error_of_the_combined_mean(distance: Any, dp_rng: np.random.Generator) -> None:
    """TRI-P3.0.3-exact must be an equality, for every margin."""
    n, epsilon, delta, law = 20, "1/2", "1/8", worst_law(2, "1/4")
    mechanism = CombinedMean(epsilon, delta, 0, 1, distance=distance)
    lower, upper = mechanism.ends(n)
    found, limit = square_error(mechanism, law, n, 1.0, dp_rng)
    variance, excess = moments(law, lower - 1, upper - 1)
    stated = mse_combined_exact(n, epsilon, delta, upper - lower, variance, excess)
    assert_attained(found, limit, stated)
    assert found > stated - limit


def test_sharp_bound_of_the_combined_mean(dp_rng: np.random.Generator) -> None:
    """It must be attained by a coin of +-1 for lam = 4, c = 1/2 and a narrow range of the mean.

    Variance and moment are 1, and the square excess (1 - c)^2 is the largest one.
    """
    n, epsilon, delta, width = 20, 2, "1/20", Fraction(1, 1000)
    mechanism = CombinedMean(epsilon, delta, 0, width, distance="1/2")
    found, limit = square_error(mechanism, COIN, n, 0.0, dp_rng)
    assert_attained(found, limit, mse_combined_sharp(n, epsilon, delta, 1, 4, 0, width, "1/2"))


@pytest.mark.parametrize("law", [COIN, worst_law(4, 1)], ids=["coin", "skewed"])
def test_printed_bound_of_the_combined_mean(law: TwoPoints, dp_rng: np.random.Generator) -> None:
    """The bound of 3.0.3 must hold with the printed margin; it is not sharp."""
    mechanism = CombinedMean(1, "1/100", moment=4)
    found, limit = square_error(mechanism, law, 20, 1.0, dp_rng)
    assert found + limit < mse_combined(20, 1, "1/100")
