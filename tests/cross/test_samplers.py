"""Samplers against the laws that the ledger proves: calibrated, and with power.

The cdfs here are those of the ledger's claims, evaluated on balls and rounded once. Each test
accepts the true law and rejects one with 5 % more noise, both with error rate 1e-9.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from mechanisms.add_remove.transformed_mean import TransformedMean
from mechanisms.noise.discrete_hourglass import DiscreteHourglass
from mechanisms.noise.hourglass import Hourglass
from mechanisms.noise.l1_staircase import L1Staircase
from mechanisms.noise.staircase import Staircase
from mechanisms.subset.threshold import Threshold
from proofs_check.enclosure import Ball, Balls, endpoints
from proofs_check.papers.ksw.error.laplace_error import below_zero_transformed, laplace_sum_tail
from proofs_check.papers.ksw.noise.discrete_hourglass import discrete_gamma
from proofs_check.papers.ksw.noise.hourglass_moments import sum_probability
from proofs_check.papers.ksw.noise.tails import l1_tail, staircase_tail
from proofs_check.papers.sub.thresholds.laws import probability, threshold_cells, weight_of
from tests.calibrated import assert_law, assert_not_law, draws_for, law_distance

Array = NDArray[np.float64]
Cdf = Callable[[Array], Array]

NUMBERS = Balls(80)
EPSILON, GAMMA = Fraction(1), Fraction(2, 5)
GRID = 8
POINTS = np.linspace(-9, 9, 2001)


def value(ball: Ball) -> float:
    """The middle of a narrow ball."""
    lower, upper = endpoints(ball)
    assert upper - lower < Fraction(1, 10**15)
    return float((lower + upper) / 2)


@cache
def from_tail(tail: Callable[..., Ball], epsilon: Fraction) -> Cdf:
    """The cdf of a symmetric law without atoms, from its tail of |Z|, read between grid points."""
    b = NUMBERS.exp(NUMBERS.rational(-epsilon))
    steps = 100
    at = [Fraction(k, steps) for k in range(30 * steps + 1)]
    tails = np.array([value(tail(b, GAMMA, math.floor(u), u - math.floor(u))) for u in at])
    places = np.array([float(u) for u in at])

    def cdf(z: Array) -> Array:
        beyond = np.interp(np.abs(z), places, tails) / 2
        return np.where(z < 0, beyond, 1 - beyond)

    return cdf


def of_sum(gamma: Fraction, epsilon: Fraction) -> tuple[Cdf, Cdf]:
    """P(T <= t) and P(T < t) of KSW-H1."""
    b = NUMBERS.exp(NUMBERS.rational(-epsilon))
    lines = range(-60, 61)
    pmf = np.array([value(sum_probability(b, gamma, t)) for t in lines])
    total = np.cumsum(pmf)

    def upto(t: Array) -> Array:
        return total[np.clip(t.astype(np.int64) + 60, 0, 120)]

    return upto, lambda t: upto(t - 1)


def of_mean(epsilon: Fraction) -> tuple[Cdf, Cdf]:
    """P(X <= x) and P(X < x) of KSW-X1 for two zeros and one one, at a thousand points."""
    first, second = epsilon * 1, epsilon * 2
    count, mean = first + second, first / (first + second)
    e_n = NUMBERS.exp(NUMBERS.rational(-count))

    def above(x: Fraction) -> float:
        tau = x * second - (1 - x) * first
        ends = [NUMBERS.exp(NUMBERS.rational(-abs(tau) / scale)) for scale in (1 - x, x)]
        tail = laplace_sum_tail(1 - x, x, *ends)
        whole = (tail if tau >= 0 else 1 - tail) + below_zero_transformed(x, count, mean, e_n)
        return value(whole)

    at = [Fraction(k, 1001) for k in range(1, 1001)]
    places, tails = np.array([float(x) for x in at]), np.array([above(x) for x in at])

    def upto(x: Array) -> Array:
        return np.where(x >= 1, 1.0, 1 - np.interp(x, places, tails))

    def less(x: Array) -> Array:
        return np.where(x <= 0, 0.0, 1 - np.interp(x, places, tails))

    return upto, less


def of_threshold(epsilon: Fraction) -> Cdf:
    """P(tau <= x) of SUB-T3.7 on the reference data."""
    data = {Fraction(1, 10): 1, Fraction(2, 5): 2, Fraction(9, 10): 1}
    cells = threshold_cells(data, 0, 1, Fraction(1, 20))
    weight = weight_of(2, epsilon)
    edges = [Fraction(0), *(cell.right for cell in cells)]
    mass = [value(probability(cells, weight, Fraction(0), x).ball(80)) for x in edges]
    places = np.array([float(x) for x in edges])
    return lambda x: np.interp(x, places, np.array(mass))


def continuous(cdf: Cdf) -> tuple[Cdf, Cdf]:
    """A law without atoms."""
    return cdf, cdf


DATA = np.array([0.0, 0.0, 1.0])
RECORDS = np.array([0.1, 0.4, 0.4, 0.9])
CASES: dict[str, tuple[Callable[..., Array], Callable[[Fraction], tuple[Cdf, Cdf]]]] = {
    "staircase": (
        lambda n, rng: Staircase(EPSILON, 1, GAMMA).sample(n, rng=rng),
        lambda epsilon: continuous(from_tail(staircase_tail, epsilon)),
    ),
    "l1 staircase, first coordinate": (
        lambda n, rng: L1Staircase(EPSILON, 1, GAMMA).sample(n, rng=rng)[:, 0],
        lambda epsilon: continuous(from_tail(l1_tail, epsilon)),
    ),
    "hourglass, first coordinate": (
        lambda n, rng: Hourglass(EPSILON, GAMMA).sample(n, rng=rng)[:, 0],
        lambda epsilon: continuous(from_tail(staircase_tail, epsilon)),
    ),
    "hourglass, second coordinate": (
        lambda n, rng: np.diff(Hourglass(EPSILON, GAMMA).sample(n, rng=rng), axis=1)[:, 0],
        lambda epsilon: continuous(from_tail(staircase_tail, epsilon)),
    ),
    "hourglass, sum": (
        lambda n, rng: Hourglass(EPSILON, GAMMA).sample(n, rng=rng)[:, 1],
        lambda epsilon: of_sum(GAMMA, epsilon),
    ),
    "discrete hourglass, sum": (
        lambda n, rng: DiscreteHourglass(EPSILON, GRID, 3).sample(n, rng=rng)[:, 1],
        lambda epsilon: of_sum(discrete_gamma(GRID, 3), epsilon),
    ),
    "mean of Algorithm 3": (
        lambda n, rng: TransformedMean(EPSILON).sample(DATA, n, rng=rng),
        of_mean,
    ),
    "threshold": (
        lambda n, rng: Threshold(EPSILON, rank=2, alpha="1/20").sample(RECORDS, n, rng=rng),
        lambda epsilon: continuous(of_threshold(epsilon)),
    ),
}


@cache
def laws(name: str) -> tuple[tuple[Cdf, Cdf], tuple[Cdf, Cdf], float]:
    """The ledger's law, the one at an epsilon 5 or 20 % smaller, and their distance."""
    smaller = Fraction(4, 5) if name == "threshold" else Fraction(19, 20)
    true, wrong = (CASES[name][1](EPSILON * factor) for factor in (Fraction(1), smaller))
    grid = np.round(POINTS) if "sum" in name else POINTS
    inside = np.clip(grid, 0.001, 0.999) if name in ("threshold", "mean of Algorithm 3") else grid
    return true, wrong, law_distance(true[0], wrong[0], inside)


@pytest.mark.parametrize("name", CASES)
def test_a_sampler_has_the_ledgers_law(name: str, dp_rng: np.random.Generator) -> None:
    """It must hold that the draws have this law, and not the one of a slightly smaller epsilon."""
    (cdf, left), (wrong, wrong_left), distance = laws(name)
    draws = CASES[name][0](draws_for(distance), dp_rng)
    assert_law(draws, cdf, distance, left_cdf=left)
    assert_not_law(draws, wrong, distance, left_cdf=wrong_left)
