"""Errors of the subset-optimal mean: the theorem, wide bounds, few and equal records."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from mechanisms.subset.bounded_mean import BoundedMean
from mechanisms.subset.subset_mean import PublicSizeMean
from mechanisms.subset.subset_mean_noisy import NoisySizeMean
from mechanisms.subset.subset_parameters import subset_parameters
from mechanisms.subset.two_thresholds import two_thresholds
from proofs_check.papers.sub.common import spread
from proofs_check.papers.sub.mean.subset_mean_error import data_bound

F = Fraction
SIGMAS = 6.0
"""Of a mean of many draws: a wrong answer in about 1e9 runs."""


def normal(size: int) -> np.ndarray:
    """Quantiles of the standard normal law, as data."""
    quantiles: np.ndarray = stats.norm.ppf((np.arange(size) + 0.5) / size)
    return quantiles


def error(
    mechanism: Any, data: np.ndarray, size: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Mean error of draws, and its standard error."""
    errors = np.abs(mechanism.sample(data, size, rng=rng) - data.mean())
    return float(errors.mean()), float(errors.std() / math.sqrt(size))


@pytest.mark.parametrize("shape", ["symmetric", "skewed"])
def test_error_keeps_the_bound_of_the_theorem(shape: str, dp_rng: np.random.Generator) -> None:
    """E|error| must be at most that of SUB-T3.1s; on skewed data not without its 4 beta epsilon."""
    n, radius = 1000, 10_000
    data = normal(n) if shape == "symmetric" else np.exp(normal(n))
    mechanism = PublicSizeMean(1, -radius, radius, n, "1/10")
    found = subset_parameters(n, F(radius), F(1), mechanism.alpha)
    assert n > 2 * (1 + 2 * float(found.beta) + 1)
    mean_error, sigma = error(mechanism, data, 5_000, dp_rng)
    difference = spread([F(x) for x in data.tolist()], 1)
    bounds = [
        float(data_bound(n, radius, 1, (found.alpha, found.zeta, beta, None), difference))
        for beta in (found.beta, 0)
    ]
    bound, less = bounds
    assert mean_error + SIGMAS * sigma < bound
    assert (mean_error - SIGMAS * sigma > less) == (shape == "skewed")


@pytest.mark.parametrize("kind", ["public", "noisy"])
def test_wide_bounds_cost_little(kind: str, dp_rng: np.random.Generator) -> None:
    """At R = 1000 normal records must be averaged 20 times better than with all of 3 epsilon."""
    data = normal(1000)
    chosen: Any = PublicSizeMean(1, -1000, 1000, 1000, "1/10")
    if kind == "noisy":
        chosen = NoisySizeMean(1, -1000, 1000, "1/10")
    mean_error, sigma = error(chosen, data, 2_000, dp_rng)
    plain, plain_sigma = error(BoundedMean(3, -1000, 1000), data, 10_000, dp_rng)
    assert 20 * (mean_error + SIGMAS * sigma) < plain - SIGMAS * plain_sigma


def test_wide_bounds_cost_little_at_a_small_epsilon(dp_rng: np.random.Generator) -> None:
    """At epsilon = 0.1 and R = 50 10^4 normal records must be averaged 5 times better."""
    data = normal(10_000)
    chosen = PublicSizeMean("1/10", -50, 50, 10_000, "1/10")
    mean_error, sigma = error(chosen, data, 2_000, dp_rng)
    plain, plain_sigma = error(BoundedMean("3/10", -50, 50), data, 10_000, dp_rng)
    assert 5 * (mean_error + SIGMAS * sigma) < plain - SIGMAS * plain_sigma


def test_skewed_records_are_better_averaged_as_they_are(dp_rng: np.random.Generator) -> None:
    """At R = 100 the bias on lognormal records must be above 4 times the error of BoundedMean."""
    data = np.exp(normal(10_000))
    mean_error, sigma = error(PublicSizeMean(1, -100, 100, 10_000, "1/10"), data, 2_000, dp_rng)
    plain, plain_sigma = error(BoundedMean(3, -100, 100), data, 10_000, dp_rng)
    assert mean_error - SIGMAS * sigma > 4 * (plain + SIGMAS * plain_sigma)


def test_thresholds_of_equal_records_cross_half_of_the_time(dp_rng: np.random.Generator) -> None:
    """On stacked records the thresholds must cross with probability about 1/2, and be exchanged."""
    data, size = np.full(200, 0.25), 20_000
    mechanism = PublicSizeMean(1, -1, 1, 200)
    bounds = mechanism.low, mechanism.high
    lower, upper = two_thresholds(
        data, bounds, mechanism.alpha, mechanism.rank, F(1), size, rng=dp_rng
    )
    assert abs(np.mean(lower > upper) - 0.5) < 0.05 + SIGMAS / (2 * math.sqrt(size))
    out = mechanism.sample(data, size, rng=dp_rng)
    assert np.quantile(np.abs(out - 0.25), 0.99) < float(mechanism.alpha)


@pytest.mark.parametrize("gamma", ["1e-2", "1e-4", "1e-8"])
def test_few_records_are_not_averaged(gamma: str, dp_rng: np.random.Generator) -> None:
    """With n = 10 below the rank the error must stay at 0.114 whatever gamma is (SUB-E5)."""
    mechanism = PublicSizeMean(1, -1, 1, 10, gamma)
    assert mechanism.rank > 10
    mean_error, sigma = error(mechanism, np.zeros(10), 100_000, dp_rng)
    assert abs(mean_error - 0.114) < 0.001 + SIGMAS * sigma
