"""Two-sided geometric and Laplace noise: sensitivity, sums, and the exact ratio of neighbors."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from mechanisms.laws import FLOATS
from mechanisms.noise.geometric import Geometric
from mechanisms.noise.laplace import Laplace


def slow_moment(law: Geometric, p: int) -> float:
    """E|K|^p as a sum."""
    b = math.exp(-law.rate)
    k = range(1, math.ceil(60 / float(law.rate)) + 2)
    return 2 * (1 - b) / (1 + b) * math.fsum(b**i * i**p for i in k)


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(1, 1), ("1/2", 3), (6, 1), ("1/50", 1)])
def test_moments_match_their_plain_twins(epsilon: str, sensitivity: int) -> None:
    """It must hold that the closed moments of the geometric law are the sums."""
    law = Geometric(epsilon, sensitivity)
    closed = law.mean_absolute(), law.variance(), law.fourth_moment()
    assert closed == pytest.approx([slow_moment(law, p) for p in (1, 2, 4)], rel=1e-12, abs=0)


@given(st.fractions(Fraction(1, 100), 20), st.integers(1, 9), st.integers(-9, 9))
def test_a_move_by_the_sensitivity_costs_epsilon(
    epsilon: Fraction, sensitivity: int, k: int
) -> None:
    """It must hold that |ln P(k) - ln P(k + D)| <= epsilon, with equality beyond 0."""
    law = Geometric(epsilon, sensitivity).exact_law()

    def log_pmf(i: int) -> float:
        value: float = law.log_density(Fraction(i), FLOATS)
        return value

    loss = abs(log_pmf(k) - log_pmf(k + sensitivity))
    assert loss <= float(epsilon) * (1 + 1e-9)
    if k >= 0:
        assert loss == pytest.approx(float(epsilon), rel=1e-9, abs=0)


def test_sensitivity_of_counts_is_an_integer() -> None:
    """It must hold that the geometric law refuses a sensitivity that is not an integer."""
    for wrong in (0, 1.5, "2", True):
        with pytest.raises(InvalidArgument, match=r"^sensitivity must be an integer"):
            Geometric(1, wrong)  # type: ignore[arg-type]


def test_pmf_is_zero_off_the_integers() -> None:
    """It must hold that only integers have mass."""
    np.testing.assert_array_equal(Geometric(1).pmf([0.5, -1.25]), [0, 0])
    assert Geometric(1).cdf(0.5) == Geometric(1).cdf(0)


def test_laplace_scale_is_checked() -> None:
    """It must hold that scales whose moments are not doubles are refused."""
    assert Laplace("1e-3", 5).scale == 5000
    for epsilon, sensitivity in ((1, "1e76"), ("1e-40", "1e40"), (1, 0), (1, "1e-80")):
        with pytest.raises(InvalidArgument, match=r"^sensitivity( / epsilon)? must be"):
            Laplace(epsilon, sensitivity)
