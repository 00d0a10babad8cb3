"""Local protocols and null mechanisms: exact levels by a second way, samplers by their law."""

from __future__ import annotations

import math
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from scipy.stats import laplace, norm

from mechanisms.claims import RenyiDP
from mechanisms.corpus.approximate_local import ApproximateResponse, ApproximateUnary
from mechanisms.corpus.finite import bits_law, least_epsilon_of
from mechanisms.corpus.gaussian import GaussianHistogram
from mechanisms.corpus.local_hashing import LocalHashing
from mechanisms.corpus.local_sets import HistogramEncoding, SubsetSelection
from mechanisms.corpus.nulls import GaussianLevel, PersonalizedSum
from tests.calibrated import assert_law, assert_not_law, draws_for, law_distance
from tests.corpus.test_samplers import check_law, lap

DISTANCE = 0.02
DRAWS = draws_for(DISTANCE)


def slow_delta(p: Any, q: Any, epsilon: float) -> float:
    """Hockey-stick divergence of two finite laws, term by term."""
    return sum(max(0.0, float(a - math.exp(epsilon) * b)) for a, b in zip(p, q, strict=True))


@pytest.mark.parametrize("delta", [0, 1e-3, 0.1, 0.5])
def test_the_least_epsilon_of_finite_laws_is_where_delta_is_met(
    delta: float, dp_rng: np.random.Generator
) -> None:
    """It must hold that delta is not exceeded at the least epsilon, and is just below it."""
    for _ in range(50):
        p, q = dp_rng.dirichlet(np.ones(6), size=2)
        epsilon = least_epsilon_of(p, q, delta)
        assert slow_delta(p, q, epsilon) <= delta + 1e-12
        if epsilon > 0:
            assert slow_delta(p, q, epsilon - 1e-6) > delta
    assert least_epsilon_of(p, p) == 0


@pytest.mark.parametrize("delta", ["1e-5", "1/100", "1/4"])
def test_approximate_protocols_meet_their_delta_with_equality(delta: str) -> None:
    """It must hold that the divergence at the claimed epsilon is the claimed delta."""
    response, unary = ApproximateResponse(1, delta), ApproximateUnary(1, delta, 3)
    hashing = LocalHashing(1, delta, 3)
    laws = [
        (response.law(0), response.law(1)),
        (bits_law(unary.bits(0)), bits_law(unary.bits(1))),
    ]
    for p, q in laws:
        assert p.sum() == pytest.approx(1, abs=1e-13)
        assert slow_delta(p, q, 1.0) == pytest.approx(float(response.delta), rel=1e-9)
    for mechanism in (response, unary):
        assert mechanism.epsilon_exact(0, 1) == pytest.approx(1, rel=1e-9)
    # a hash that puts both values together tells nothing: only the others have a delta
    apart = float((hashing.hashes(0) != hashing.hashes(1)).mean())
    spent = slow_delta(hashing.law(0).ravel(), hashing.law(1).ravel(), 1.0)
    assert spent == pytest.approx(apart * float(response.delta), rel=1e-9)
    assert hashing.epsilon_exact(0, 1) <= 1


def test_hashing_claims_what_its_worst_seed_has() -> None:
    """It must hold that a pure hash loses epsilon, and g is e^epsilon + 1 unless told."""
    assert LocalHashing(1).g == 4
    assert LocalHashing(2).g == 8
    assert LocalHashing(1, g=2).epsilon_exact(0, 1) == pytest.approx(1, rel=1e-12)
    together = LocalHashing(1, g=2)
    value = next(v for v in range(2, 9999) if (together.hashes(0) == together.hashes(v)).sum() > 14)
    assert together.epsilon_exact(0, value) == pytest.approx(1, rel=1e-12)


def test_subset_selection_has_the_probabilities_of_its_formula() -> None:
    """It must hold that the true value is chosen with w e^eps / (w e^eps + k - w)."""
    mechanism = SubsetSelection(1, 8)
    assert mechanism.size == 2
    law = mechanism.law(3)
    inside = [p for p, s in zip(law, combinations(range(8), 2), strict=True) if 3 in s]
    assert sum(inside) == pytest.approx(2 * math.e / (2 * math.e + 6), rel=1e-12)
    assert mechanism.epsilon_exact(0, 5) == pytest.approx(1, rel=1e-12)


def test_a_threshold_keeps_less_than_the_histogram_and_has_least_variance() -> None:
    """It must hold that the bits lose ln(p (1-q) / (q (1-p))), with the published threshold."""
    mechanism = HistogramEncoding(1, thresholded=True)
    t = mechanism.threshold
    published = [
        (2 * math.exp(s / 2) - 1) / (1 + math.exp(s - 0.5) - 2 * math.exp(s / 2)) ** 2
        for s in (t - 1e-3, t, t + 1e-3)
    ]
    assert 0.5 < t < 1
    assert published[1] == min(published)
    p, q = laplace.sf(t - 1, scale=2), laplace.sf(t, scale=2)
    exact = math.log(p * (1 - q) / (q * (1 - p)))
    assert mechanism.epsilon_exact(0, 4) == pytest.approx(exact, rel=1e-12)
    assert exact < HistogramEncoding(1).epsilon_exact(0, 4) == 1


def test_gaussian_histograms_meet_their_delta() -> None:
    """It must hold that the analytic noise is tight at sqrt(2), and the classic one is not."""
    tight, classic = (GaussianHistogram(kind=kind) for kind in ("analytic", "classic"))
    for mechanism in (tight, classic):
        m = math.sqrt(2) / mechanism.sigma
        eps = mechanism.epsilon_exact(0, 1)
        spent = norm.cdf(m / 2 - eps / m) - math.exp(eps) * norm.cdf(-m / 2 - eps / m)
        assert spent == pytest.approx(1e-5, rel=1e-6)
    assert tight.epsilon_exact(0, 1) == pytest.approx(1, rel=1e-9)
    assert classic.epsilon_exact(0, 1) < 0.8
    assert tight.epsilon_exact(2, 2) == 0


def test_gaussian_levels_are_the_divergences_of_their_densities() -> None:
    """It must hold that Renyi divergences, and the trade-off at a level, agree with the claim."""
    sigma = 1.5
    t = np.linspace(-20, 20, 400_001)
    p, q = norm.pdf(t, 0, sigma), norm.pdf(t, 1, sigma)
    for alpha in (1.5, 2, 4):
        slow = math.log(np.trapezoid(p**alpha * q ** (1 - alpha), t)) / (alpha - 1)
        renyi = GaussianLevel("3/2", "renyi", str(alpha))
        assert renyi.level_exact(0, 1) == pytest.approx(slow, rel=1e-8)
        level = renyi.claim.level
        assert isinstance(level, RenyiDP)
        assert float(level.epsilon) == pytest.approx(slow, rel=1e-8)
        assert GaussianLevel("3/2").level_exact(0, 1) * alpha == pytest.approx(slow, rel=1e-8)
    mu = GaussianLevel("3/2", "gdp").level_exact(0, 1)
    cut = norm.isf(0.1, 0, sigma)
    assert norm.cdf(norm.isf(0.1) - mu) == pytest.approx(norm.cdf(cut, 1, sigma), rel=1e-12)


def test_a_personalized_sum_spends_each_budget_exactly() -> None:
    """It must hold that the worst log ratio for a user is his budget, and half for half of it."""
    mechanism = PersonalizedSum(("1/2", 1, 2))
    for (x, y), budget in zip(mechanism.pairs, mechanism.budgets, strict=True):
        assert mechanism.level_exact(x, y) == float(budget)
        assert mechanism.level_exact(x, y / 2) == float(budget) / 2
        assert mechanism.level_exact(x, 5 * y) == float(budget)  # records end at 1


def flat(law: Any) -> Any:
    """A law as one vector."""
    return np.asarray(law).ravel()


def as_codes(mechanism: Any, draws: Any) -> Any:
    """Draws as places in the law."""
    if isinstance(mechanism, ApproximateResponse):
        return draws
    if isinstance(mechanism, LocalHashing):
        return draws[:, 0] * mechanism.g + draws[:, 1]
    if isinstance(mechanism, SubsetSelection):
        sets = {s: i for i, s in enumerate(combinations(range(mechanism.k), mechanism.size))}
        return [sets[tuple(np.flatnonzero(row).tolist())] for row in draws]
    return draws @ (1 << np.arange(draws.shape[1]))


@pytest.mark.parametrize(
    ("mechanism", "wrong"),
    [
        (ApproximateResponse(1, "1/10"), ApproximateResponse(1)),
        (ApproximateUnary(1, "1/10", 3), ApproximateUnary(1, k=3)),
        (LocalHashing(1, seeds=2), LocalHashing("5/4", g=4, seeds=2)),
        (LocalHashing(1, "3/10", 2, 3), LocalHashing(1, 0, 2, 3)),
        (SubsetSelection(1, 8), SubsetSelection("5/4", 8)),
        (HistogramEncoding(1, 3, thresholded=True), HistogramEncoding("4/3", 3, thresholded=True)),
    ],
    ids=["agrr", "asue", "olh", "ablh", "ss", "the"],
)
def test_outputs_have_their_law(mechanism: Any, wrong: Any, dp_rng: np.random.Generator) -> None:
    """Each output must come with its exact probability (alpha 1e-9, distance 0.02)."""
    codes = as_codes(mechanism, mechanism.sample(1, DRAWS, rng=dp_rng))
    laws = [
        bits_law(m.bits(1)) if hasattr(m, "bits") else flat(m.law(1)) for m in (mechanism, wrong)
    ]
    assert laws[0].sum() == pytest.approx(1, abs=1e-12)
    check_law(codes, *laws)


@pytest.mark.parametrize(
    ("mechanism", "data", "place", "cdf"),
    [
        (HistogramEncoding(1), 1, 1, lap(1, 2)),
        (HistogramEncoding(1), 1, 0, lap(0, 2)),
        (GaussianHistogram(kind="classic"), 1, 1, lambda z: norm.cdf(z, 1, 6.851538)),
        (GaussianLevel("3/2"), 2, None, lambda z: norm.cdf(z, 2, 1.5)),
        (PersonalizedSum(), [1, 0.5, 1], None, lap(3, 1)),
    ],
)
def test_values_have_their_law(
    mechanism: Any, data: Any, place: int | None, cdf: Any, dp_rng: np.random.Generator
) -> None:
    """Each value must have its cdf, and not the one of a wider noise."""
    draws = mechanism.sample(data, DRAWS, rng=dp_rng)
    values = draws if place is None else draws[:, place]
    center = float(np.median(values))

    def wrong(z: Any) -> Any:
        return cdf(center + (z - center) / 1.15)

    assert law_distance(cdf, wrong, np.linspace(-30, 30, 6001)) >= DISTANCE
    assert_law(values, cdf, DISTANCE)
    assert_not_law(values, wrong, DISTANCE)


def test_bits_laws_are_products() -> None:
    """It must hold that the first bit is the lowest digit of an outcome's code."""
    ones = np.array([0.1, 0.7, 0.4])
    law = bits_law(ones)
    for bits in product((0, 1), repeat=3):
        expected = math.prod(p if b else 1 - p for p, b in zip(ones, bits, strict=True))
        assert law[bits[0] + 2 * bits[1] + 4 * bits[2]] == pytest.approx(expected, rel=1e-12)
