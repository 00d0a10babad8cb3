"""Verification on fresh draws: what it excludes is false, up to the level it states."""

import math

import numpy as np
import pytest

from bugs.fresh import epsilon_above, excludes, limits
from bugs.rows import Claim


def test_limits_are_those_of_clopper_and_pearson():
    """Of no hit the upper limit is 1 - 0.025^(1/n); the two are mirror images."""
    low, high = limits(0, 100)
    assert low == 0
    assert high == pytest.approx(1 - 0.025**0.01)
    assert limits(100, 100) == pytest.approx((1 - high, 1.0))
    assert limits(30, 100)[0] < 0.3 < limits(30, 100)[1]


@pytest.mark.parametrize(
    ("claim", "p", "q"),
    [
        (Claim("1"), 0.1 * math.e, 0.1),
        (Claim("0"), 0.5, 0.5),
        (Claim("1", "0.1"), 0.1 * math.e + 0.1, 0.1),
        (Claim(rho="0.5"), 0.6914, 0.3086),
    ],
    ids=str,
)
def test_a_true_claim_is_excluded_at_most_as_often_as_stated(claim, p, q):
    """At the edge of a claim 5 % at most: 400 seeded pairs of counts, beyond 6.5 % at 1e-6 or so.

    The Gaussian with rho = 1/2 has the two tails of the last row, and loses no less there.
    """
    rng = np.random.default_rng(1)
    counts = zip(rng.binomial(500, p, 400), rng.binomial(500, q, 400), strict=True)
    wrong = sum(excludes(claim, (int(a), 500), (int(b), 500)) for a, b in counts)
    assert wrong <= 0.05 * 400


@pytest.mark.parametrize(
    ("claim", "p", "q"),
    [
        (Claim("1"), 0.4, 0.1),
        (Claim("0", "0.1"), 0.3, 0.1),
        (Claim("1", "0.1"), 0.5, 0.1),
        (Claim(rho="0.125"), 0.6914, 0.3086),
    ],
    ids=str,
)
def test_a_false_claim_is_excluded(claim, p, q):
    """With five thousand draws, always here."""
    assert excludes(claim, (int(5000 * p), 5000), (int(5000 * q), 5000))


def test_nothing_is_excluded_in_the_wrong_direction():
    """An event that is less likely than the claim allows says nothing."""
    assert epsilon_above((10, 100), (90, 100)) < 0
    assert not excludes(Claim(rho="0.1"), (10, 100), (90, 100))
    assert epsilon_above((10, 100), (0, 100), 0.5) == -math.inf
