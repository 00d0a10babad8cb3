"""ENG-T1: the laws that make a bet valid whatever the estimates are."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from audit.engine.bet_growth import boundary_point, log_e_value, mixture, z_score

probability = st.integers(0, 1000).map(lambda k: k / 1000)
slope = st.floats(0, 3).map(math.exp)
offset = st.sampled_from([0.0, 1e-3, 0.1, 0.5])


def expectation(
    p: float, q: float, sizes: tuple[int, int], q0: float, mu: float, s: float, t: float
) -> float:
    """Exact mean of the e-value over the binomial counts of both arms."""
    p0 = s * q0 + t
    hits, other = np.arange(sizes[0] + 1), np.arange(sizes[1] + 1)
    a = (1 + mu * (1 - p0)) ** hits * (1 - mu * p0) ** (sizes[0] - hits)
    b = (1 - s * mu * (1 - q0)) ** other * (1 + s * mu * q0) ** (sizes[1] - other)
    return float(
        (a * binom.pmf(hits, sizes[0], p)).sum() * (b * binom.pmf(other, sizes[1], q)).sum()
    )


@given(probability, probability, slope, offset, st.floats(0.01, 0.99), st.floats(0, 1))
def test_a_bet_never_gains_on_average_under_the_claim(
    p: float, q: float, s: float, t: float, place: float, share: float
) -> None:
    """The exact mean of the e-value is at most 1 for every (p, q) that satisfies the claim."""
    p = min(p, s * q + t)
    q0 = place * (1 - t) / s
    mu = share * 0.995 * min(1 / (s * q0 + t), 1 / (s * (1 - q0)))
    assert expectation(p, q, (5, 5), q0, mu, s, t) <= 1 + 1e-9


def test_unequal_arms_would_gain_under_the_claim() -> None:
    """Dropping draws of one arm makes the mean exceed 1: counts of the arms must be equal."""
    s, q0 = math.e, 0.2
    mu = 0.5 / (s * q0)
    p = min(1.0, s * 0.3)
    assert expectation(p, 0.3, (9, 3), q0, mu, s, 0.0) > 1.5


@given(probability, probability, slope, offset)
def test_a_violation_makes_the_optimal_bet_grow(p: float, q: float, s: float, t: float) -> None:
    """Beyond the claim the bet at the boundary point gains on average."""
    if p <= s * q + t + 0.05 or p > 0.99:
        return
    q0 = float(boundary_point(*(np.array([x]) for x in (p, q, s, t)))[0])
    p0 = s * q0 + t
    mu = min((p - p0) / (p0 * (1 - p0)), 0.995 / p0, 0.995 / (s * (1 - q0)))
    assert mu > 0
    assert expectation(p, q, (3, 3), q0, mu, s, t) > 1


@given(probability, probability, slope, offset)
def test_boundary_point_solves_its_equation(p: float, q: float, s: float, t: float) -> None:
    """Where the estimates break the claim, the projection is found to 1 % of its divergence."""
    p, q = min(max(p, 1e-3), 0.999), min(max(q, 1e-3), 0.999)
    if p <= s * q + t:
        return
    q0 = float(boundary_point(*(np.array([x]) for x in (p, q, s, t)))[0])
    assert 0 < q0 < (1 - t) / s

    def divergence(x: float) -> float:
        p0 = s * x + t
        return float(
            p * math.log(p / p0)
            + (1 - p) * math.log((1 - p) / (1 - p0))
            + q * math.log(q / x)
            + (1 - q) * math.log((1 - q) / (1 - x))
        )

    grid = np.linspace(0, (1 - t) / s, 4001)[1:-1]
    best = min(divergence(float(x)) for x in grid)
    assert divergence(q0) <= best * 1.01 + 1e-6


def test_log_e_value_is_the_product_over_draws() -> None:
    """Counts give the same e-value as multiplying the factors draw by draw (the slow twin)."""
    s, t, q0, mu = math.e, 0.01, 0.1, 0.4
    p0 = s * q0 + t
    draws, other_draws = [True, False, True, False], [False, False, True, False]
    slow = 1.0
    for hit, other in zip(draws, other_draws, strict=True):
        slow *= (1 + mu * (hit - p0)) * (1 - s * mu * (other - q0))
    fast = log_e_value(
        *(np.array(float(x)) for x in (2, 1)),
        4,
        np.array(q0),
        np.array(mu),
        np.array(s),
        np.array(t),
    )
    assert math.exp(float(fast)) == pytest.approx(slow, rel=1e-12, abs=0)


def test_mixture_is_the_weighted_mean() -> None:
    """Mixtures are taken of wealths, not of their logarithms."""
    values = np.log(np.array([[1.0, 4.0], [3.0, 0.5]]))
    assert np.exp(mixture(values, np.array([0.25, 0.75]))) == pytest.approx([2.5, 1.375])


def test_z_score_has_unit_variance_at_the_boundary(dp_rng: np.random.Generator) -> None:
    """On the boundary of the claim z is standard normal: mean and spread within 7 sigma."""
    n, p, q, s = 10_000, 0.5, 0.5 / math.e, math.e
    hits, other = dp_rng.binomial(n, p, 20_000) / n, dp_rng.binomial(n, q, 20_000) / n
    z = z_score(hits, other, np.array(float(n)), np.array(s), np.array(0.0))
    assert abs(z.mean()) < 7 / math.sqrt(20_000)
    assert abs(z.var() - 1) < 7 * math.sqrt(2 / 20_000)


@pytest.mark.parametrize("epsilon", [0, 1, 10, 20, 25, 30, 60, 200])
@pytest.mark.parametrize("p", [0.01, 0.3, 0.7])
def test_boundary_point_keeps_its_digits_however_steep_the_line(epsilon: int, p: float) -> None:
    """For delta = 0 the root of the quadratic is right to 1e-12, computed again in 400 digits."""
    q = 0.1 * p * math.exp(-epsilon)
    s = math.exp(epsilon)
    with localcontext(prec=400):
        big_s, big_p, big_q = Decimal(s), Decimal(p), Decimal(q)
        half = (1 + big_s + big_p + big_s * big_q) / (4 * big_s)
        root = half - (half**2 - (big_p + big_q) / (2 * big_s)).sqrt()
    q0 = boundary_point(*(np.array([x]) for x in (p, q, s, 0.0)))[0]
    assert float(q0) == pytest.approx(float(root), rel=1e-12, abs=0)
