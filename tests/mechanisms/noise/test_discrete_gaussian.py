"""Discrete Gaussian noise: reference values, moments, and its divergence from its moves."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.claims import ZeroConcentratedDP
from mechanisms.errors import InvalidArgument
from mechanisms.noise.discrete_gaussian import DiscreteGaussian
from proofs_check.enclosure import Balls, contains

SIGMAS = ("1/10", "1/2", "99/100", "1", "101/100", "7/3", "40")


def theta(sigma: Fraction) -> object:
    """Sum of e^(-k^2 / (2 sigma^2)) by mpmath, which knows it as a Jacobi theta function."""
    from mpmath import mp

    return mp.jtheta(3, 0, mp.exp(-1 / (2 * (mp.mpf(sigma.numerator) / sigma.denominator) ** 2)))


def test_the_stated_law_encloses_the_theta_function(subtests: pytest.Subtests) -> None:
    """It must hold of ln P(K = 2) at 192 bits, and not of a normalizer 1e-40 larger."""
    for text in SIGMAS:
        with subtests.test(text=text):
            from mpmath import mp

            sigma = Fraction(text)
            stated = DiscreteGaussian(sigma).exact_law().log_density(Fraction(2), Balls(192))
            with mp.workdps(80):
                true = -mp.mpf(2) / (mp.mpf(sigma.numerator) / sigma.denominator) ** 2 - mp.log(
                    theta(sigma)
                )
                digits = [mp.nstr(x, 70) for x in (true, true - mp.mpf(10) ** -40)]
            assert [contains(stated, Fraction(x)) for x in digits] == [True, False]


def test_moments_match_their_plain_twins(subtests: pytest.Subtests) -> None:
    """It must hold that moments are those of the pmf summed by mpmath."""
    for text in SIGMAS:
        with subtests.test(text=text):
            from mpmath import mp

            law, sigma = DiscreteGaussian(text), Fraction(text)
            reach = range(1, math.ceil(30 * sigma) + 2)
            with mp.workdps(40):
                weights = [
                    mp.exp(-((mp.mpf(k * sigma.denominator) / sigma.numerator) ** 2) / 2)
                    for k in reach
                ]
                total = 1 + 2 * mp.fsum(weights)
                slow = [
                    float(
                        2 * mp.fsum(k**p * w for k, w in zip(reach, weights, strict=True)) / total
                    )
                    for p in (1, 2, 4)
                ]
            closed = law.mean_absolute(), law.variance(), law.fourth_moment()
            assert closed == pytest.approx(slow, rel=1e-12, abs=0)
            assert law.variance() <= float(sigma) ** 2 * (1 + 1e-12)


def test_the_divergence_from_a_move_is_that_of_the_gaussian_law(subtests: pytest.Subtests) -> None:
    """It must hold that D_a <= a d^2 / (2 sigma^2), with equality where a d is an integer."""
    for order in [2, 3, Fraction(3, 2), 5]:
        for distance in [1, 2, 3]:
            with subtests.test(order=order, distance=distance):
                from mpmath import mp

                sigma = Fraction(4, 5)
                with mp.workdps(40):
                    s, a = (
                        mp.mpf(4) / 5,
                        mp.mpf(Fraction(order).numerator) / Fraction(order).denominator,
                    )
                    points = range(-60, 61)
                    moment = mp.fsum(
                        mp.exp(
                            -(a * mp.mpf(k) ** 2 + (1 - a) * mp.mpf(k - distance) ** 2) / (2 * s**2)
                        )
                        for k in points
                    )
                    divergence = mp.log(moment / theta(sigma)) / (a - 1)
                    bound = a * distance**2 / (2 * s**2)
                    assert divergence <= bound + mp.mpf(10) ** -30
                    assert (abs(divergence - bound) < 1e-25) == (
                        order * distance == int(order * distance)
                    )


def test_level_is_zero_concentrated() -> None:
    """It must hold that rho is (sensitivity / sigma)^2 / 2, and that sigma has a range."""
    assert DiscreteGaussian("3/2", 3).rho == ZeroConcentratedDP(2)
    for wrong in ("1/11", 10_001, 0):
        with pytest.raises(InvalidArgument, match=r"^sigma must be"):
            DiscreteGaussian(wrong)
    with pytest.raises(InvalidArgument, match=r"^sensitivity must be an integer"):
        DiscreteGaussian(1, 1.5)  # type: ignore[arg-type]


def test_masses_of_the_sampler_are_those_of_the_law(dp_rng: np.random.Generator) -> None:
    """It must hold of each point to 5 standard errors (1e-6), and not of sigma 3 % larger."""
    n = 400_000
    k = np.arange(-6, 7)
    seen = np.array([(DiscreteGaussian(2).sample(n, rng=dp_rng) == point).mean() for point in k])

    def off(sigma: str) -> float:
        p = DiscreteGaussian(sigma).pmf(k)
        return float((np.abs(seen - p) / np.sqrt(p * (1 - p) / n)).max())

    assert off("2") < 5 < off("2.06")
