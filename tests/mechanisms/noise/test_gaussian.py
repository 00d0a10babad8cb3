"""Gaussian noise: calibration to (epsilon, delta) on both sides of the edge."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mechanisms.claims import GaussianDP
from mechanisms.noise.gaussian import Gaussian


def exact_delta(sigma: Fraction, sensitivity: Fraction, epsilon: Fraction) -> object:
    """Return delta(epsilon) of [Balle and Wang 2018, Theorem 8] to 60 digits."""
    from mpmath import mp

    with mp.workdps(400):
        mu = mp.mpf(sensitivity.numerator) / sensitivity.denominator
        mu *= mp.mpf(sigma.denominator) / sigma.numerator
        eps = mp.mpf(epsilon.numerator) / epsilon.denominator
        return mp.ncdf(mu / 2 - eps / mu) - mp.exp(eps) * mp.ncdf(-mu / 2 - eps / mu)


CALIBRATIONS = [
    ("1", "1e-5", "1"),
    ("1", "1e-10", "2"),
    ("0", "1e-3", "1"),
    ("1/10", "1e-6", "1/3"),
    ("8", "1e-12", "5"),
    ("1", "1/2", "1"),
    ("50", "1e-200", "1"),
    ("1e-6", "1e-9", "1000"),
]


def test_calibration_is_private_and_tight(subtests: pytest.Subtests) -> None:
    """It must hold that delta(epsilon) <= delta at the sigma chosen, and not at 1e-6 less."""
    for epsilon, delta, sensitivity in CALIBRATIONS:
        with subtests.test(epsilon=epsilon, delta=delta, sensitivity=sensitivity):
            law = Gaussian.from_approx_dp(epsilon, delta, sensitivity)
            eps, limit, width = Fraction(epsilon), Fraction(delta), Fraction(sensitivity)
            assert law.sensitivity == width
            assert exact_delta(law.sigma, width, eps) <= float(limit)
            assert exact_delta(law.sigma * (1 - Fraction(1, 10**6)), width, eps) > float(limit)
            assert law.mu == GaussianDP(width / law.sigma)


def test_calibration_reference() -> None:
    """It must hold that (1, 1e-5) asks for sigma = 3.73063163 (root in 60-digit arithmetic)."""
    from mpmath import mp

    with mp.workdps(60):

        def excess(sigma: mp.mpf) -> mp.mpf:
            mu = 1 / sigma
            return mp.ncdf(mu / 2 - 1 / mu) - mp.e * mp.ncdf(-mu / 2 - 1 / mu) - mp.mpf(10) ** -5

        root = float(mp.findroot(excess, 3.73))
    sigma = float(Gaussian.from_approx_dp(1, "1e-5").sigma)
    assert sigma == pytest.approx(root, rel=1e-8, abs=0)
    assert sigma == pytest.approx(3.73063163, abs=1e-8)
    assert sigma >= root
