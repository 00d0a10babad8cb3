"""Errors that mechanisms claim against the ledger's own statements."""

from fractions import Fraction

import numpy as np
import pytest

from audit.utility.law_words import read_law
from mechanisms.registry import build_mechanism, build_noise
from mechanisms.subset.subset_mean import PublicSizeMean
from mechanisms.subset.subset_parameters import subset_parameters
from mechanisms.trilemma.errors import mse_clipped
from mechanisms.utility_claims import Quantity
from proofs_check.enclosure import Balls, endpoints
from proofs_check.papers.ksw.error.laplace_error import (
    INDEPENDENT,
    SHIFTED,
    TRANSFORMED,
    mean_square_error,
)
from proofs_check.papers.sub.common import spread
from proofs_check.papers.sub.mean.bounded_mean import normalized_error
from proofs_check.papers.sub.mean.subset_mean_error import data_bound
from tests.mechanisms.trilemma.worst_laws import worst_law

NUMBERS = Balls(160)
DATA = np.array([0.0, 0.25, 0.25, 0.75])  # multiples of the grid
EXACT = {
    "ksw.independent-laplace": INDEPENDENT,
    "ksw.shifted-laplace": SHIFTED,
    "ksw.transformed-laplace": TRANSFORMED,
}


def claims(name, data=DATA, **arguments):
    """Claims of a registered mechanism, by quantity and whether they are equalities."""
    found = build_mechanism(name, **arguments).utility_claims(data)
    return {(claim.quantity, claim.exactly): claim.bound for claim in found}


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("high", [1, 8])
def test_exact_errors_of_the_add_remove_means(name, high):
    """w^2 times the enclosed integral at N = n epsilon and the place of the mean."""
    found = claims(name, high * DATA, epsilon=2, high=high)[Quantity.MSE, True]
    ball = mean_square_error(EXACT[name], Fraction(8), Fraction(5, 16), numbers=NUMBERS)
    lower, upper = endpoints(ball)
    assert abs(Fraction(found) / high**2 / lower - 1) < Fraction(1, 10**9)
    assert lower <= upper


@pytest.mark.parametrize(
    ("name", "constant"), [("ksw.shifted-laplace", 4), ("ksw.transformed-laplace", 2)]
)
def test_bounds_for_every_size(name, constant):
    """KSW-T1': constant w^2 / (n epsilon)^2, which is above the exact error."""
    found = claims(name, 8 * DATA, epsilon=2, high=8)
    assert found[Quantity.MSE, False] == Fraction(constant * 64, 64)
    assert found[Quantity.MSE, True] < found[Quantity.MSE, False]


def test_error_of_a_public_size_is_that_of_the_noise():
    """KSW (1) and (3): w^2 V / n^2, V the variance of the noise for sensitivity 1."""
    for noise in ("laplace", "staircase"):
        found = claims(f"ksw.swap-{noise}", 8 * DATA, epsilon=2, high=8)[Quantity.MSE, False]
        variance = build_noise(noise, epsilon=2).variance()
        assert float(found) == pytest.approx(64 * variance / 16, rel=1e-12)


def test_error_of_the_bounded_mean():
    """SUB-L3.3e times the width, and Lemma 3.3 with the ledger's constant 2."""
    found = claims("sub.bounded-mean", 8 * DATA, epsilon=2, high=8)
    ball = normalized_error(Fraction(8), Fraction(5, 16) - Fraction(1, 2), numbers=Balls(80))
    lower, _ = endpoints(ball)
    assert 8 * float(lower) == pytest.approx(found[Quantity.MAE, True], rel=1e-9)
    assert found[Quantity.MAE, False] == Fraction(2 * 8, 8)


def test_error_of_the_subset_mean():
    """SUB-T3.1s on data: (5 + 2 eps + 4 beta eps) diff + alpha (1 + 6 / (eps n)) + 4 R zeta."""
    n, radius, epsilon = 2000, Fraction(3), Fraction(1, 2)
    data = np.round(np.linspace(-3, 3, n) ** 3 / 9 * 64) / 64
    mechanism = PublicSizeMean(epsilon, -radius, radius, 2100, "1/10")
    (claim,) = mechanism.utility_claims(data)
    parameters = subset_parameters(2100, radius, epsilon, mechanism.alpha)
    difference = spread(sorted(map(Fraction, data.tolist())), 2)
    told = (parameters.alpha, parameters.zeta, parameters.beta, None)
    assert claim.bound == pytest.approx(
        float(data_bound(n, radius, epsilon, told, difference)), rel=1e-12
    )


def test_error_of_the_clipped_mean_under_a_law():
    """TRI-P3.0.1 for a law of its class; bias and error of the law that is clipped most."""
    mechanism = build_mechanism("tri.clipped-mean", beta="1/10")
    of_class = mechanism.utility_claims_under(read_law("uniform 0 1"), 40)
    assert mse_clipped(40, 1, "1/10") in [c.bound for c in of_class if not c.exactly]
    (t, q), (u, _) = worst_law(2, 10)
    law = read_law(f"points {t + 1!r}:{Fraction(q)} {u + 1!r}:{1 - Fraction(q)}")
    found = {(c.quantity, c.exactly): c.bound for c in mechanism.utility_claims_under(law, 40)}
    moved = q * (t - 10)  # beyond the clip end 1 + 10
    assert found[Quantity.BIAS, False] == pytest.approx(moved, rel=1e-9)
    spread_of = q * (10 - (u - 0)) ** 2 * (1 - q)
    noise = 2 * (21 / 40) ** 2
    assert found[Quantity.MSE, True] == pytest.approx(spread_of / 40 + moved**2 + noise, rel=1e-9)
