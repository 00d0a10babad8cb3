"""The kernel betting tests that ours is compared with are valid, and work where they should."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks import mmd
from benchmarks.kernel_bets import PublishedTest, SignedTest, distances, median_distance


def bit(epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """Laws of randomized response."""
    p = np.array([math.exp(epsilon), 1]) / (1 + math.exp(epsilon))
    return p, p[::-1]


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.0), (0.5, 0.1)])
def test_signed_bets_expect_no_gain_at_the_claim(
    epsilon: float, delta: float, dp_rng: np.random.Generator
) -> None:
    """It must hold that every learned function is in [0, 1], and gains at most 0 at the claim."""
    (p, q), s = bit(epsilon), math.exp(epsilon)
    p, q = (1 - delta) * p, (1 - delta) * q
    p, q = np.array([*p, delta, 0.0]), np.array([*q, 0.0, delta])
    test = SignedTest(epsilon, delta, np.arange(4.0)[:, None], 1.0)
    for _ in range(20):
        f = test.witnesses()
        assert f.min() >= 0
        assert f.max() <= 1
        assert max((f @ (p - s * q)).max(), (f @ (q - s * p)).max()) <= delta + 1e-12
        test.bet(*(dp_rng.choice(4, 30, p=one) for one in (p, q)))
    assert np.isfinite(test.log_wealth).all()


def test_signed_bets_gain_beyond_the_claim(dp_rng: np.random.Generator) -> None:
    """It must hold that the signed test refutes a bit of twice the claimed loss."""
    p, q = bit(1.0)
    test = SignedTest(0.5, 0.0, np.arange(2.0)[:, None], 1.0)
    x, y = (dp_rng.choice(2, 2_000, p=one) for one in (p, q))
    assert test.draws_to_reject(x, y) < 2_000


def test_no_pair_at_the_claim_exceeds_tau() -> None:
    """It must hold that tau is the MMD of the worst private pair, at far points, and no less."""
    epsilon, delta = 0.7, 0.1
    tau = PublishedTest(epsilon, delta, bandwidth=1.0).tau
    p, q = ((1 - delta) * law for law in bit(epsilon))
    gap = np.array([*(p - q), delta, -delta])
    for spread in (0.1, 1.0, 10.0, 100.0):
        points = spread * np.arange(4.0)[:, None]
        kernel = np.exp(-distances(points, points) / 2)
        assert math.sqrt(gap @ kernel @ gap) <= tau + 1e-12
    p, q = bit(epsilon)
    worst = math.sqrt(((p - q) ** 2).sum())  # two points, nothing in common
    assert worst == pytest.approx(PublishedTest(epsilon, 0.0, bandwidth=1.0).tau, rel=1e-12)


def test_published_witness_stays_in_the_unit_ball(dp_rng: np.random.Generator) -> None:
    """It must hold that the norm kept step by step is the witness's own, and at most 1."""
    x, y = dp_rng.normal(size=(60, 1)), 2 + dp_rng.normal(size=(60, 1))
    test = PublishedTest(3.0, 0.0, bandwidth=1.0)
    weights = np.zeros(60)
    points = np.concatenate([x, y])
    gram = np.exp(-distances(points, points) / 2)
    signs = np.repeat([1.0, -1.0], 60)
    for t in range(60):
        before = np.concatenate([weights, weights]) * signs
        value = float(before @ (gram[:, t] - gram[:, 60 + t]))
        test._ascend(weights, t, value, 2 - 2 * float(gram[t, 60 + t]))
        after = np.concatenate([weights, weights]) * signs
        assert test.norm == pytest.approx(math.sqrt(after @ gram @ after), rel=1e-9)
        assert test.norm <= 1 + 1e-12


def test_kernel_tests_refute_where_they_are_at_home() -> None:
    """It must hold that both refute Laplace noise claimed at a tenth, and no correct claim soon."""
    row = mmd.HOME
    rng = np.random.default_rng(5)
    x, y = (mmd.draw(row, arm, 400, rng) for arm in (0, 1))
    median = median_distance(x[:20], y[:20])
    cells = mmd.cells_of(row, x[:20], y[:20], median)
    for epsilon, refuted in ((0.1, True), (1.0, False)):
        signed = SignedTest(epsilon, 0.0, cells.points, median)
        assert (signed.draws_to_reject(cells.of(x), cells.of(y)) < math.inf) == refuted
        published = PublishedTest(epsilon, 0.0, median)
        assert (published.draws_to_reject(x, y) < math.inf) == refuted
