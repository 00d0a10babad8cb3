"""Thresholds with parameters from the private size, as Algorithm 3 of SUB prints them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.as_printed.threshold import PrintedThreshold
from mechanisms.subset.log_rank import RULES, LogRank
from mechanisms.subset.threshold import Threshold

F = Fraction


@pytest.mark.parametrize(
    ("count", "radius", "epsilon", "gamma", "alpha", "rank"),
    [
        (1000, 1, 1, "0.01", "1e-5", 62.2535067789651),
        (1000, 1000, 1, 1, "1e-3", 71.4638471509413),
        (10**5, 1000, "0.1", 1, "1e-5", 944.896980808817),
        (10**4, 50, "0.5", "0.1", "1e-5", 162.240949251092),
    ],
)
def test_parameters_are_the_printed_ones(
    count: int, radius: int, epsilon: Any, gamma: Any, alpha: str, rank: float
) -> None:
    """Alpha and rank must be those of the reference table of SUB-A3."""
    printed = PrintedThreshold(epsilon, -radius, radius, gamma)
    found, log_rank = printed.parameters(count)
    assert found == F(alpha)
    assert float(log_rank.value) == pytest.approx(rank, rel=1e-14)


@given(
    st.fractions(F(1, 10), 10, max_denominator=20),
    st.fractions(-5, 5, max_denominator=6),
    st.fractions(F(1, 50), 1000, max_denominator=50),
    st.integers(0, 6),
    st.integers(0, 4),
    st.sampled_from(RULES),
)
def test_levels_are_distances_of_the_rank(
    epsilon: Fraction, offset: Fraction, argument: Fraction, lo: int, more: int, rule: str
) -> None:
    """Factor and loss must be e^(-epsilon distance / 2) by the rule, in 30 digits."""
    rank, hi = LogRank(epsilon, offset, argument), lo + more
    loss, factor = rank.level(lo, hi, rule)
    with mpmath.workdps(30):
        exact_epsilon = mpmath.mpf(epsilon.numerator) / epsilon.denominator
        log = mpmath.log(mpmath.mpf(argument.numerator) / argument.denominator)
        t = mpmath.mpf(offset.numerator) / offset.denominator + 2 / exact_epsilon * log
        distance = {
            "nearest integer": min(abs(j - t) for j in range(lo, hi + 1)),
            "ceiling": max(0, lo - mpmath.ceil(t), mpmath.ceil(t) - hi),
            "interval": max(0, lo - t, t - hi),
        }[rule]
        stated = mpmath.mpf(loss.numerator) / loss.denominator - 2 / exact_epsilon * mpmath.log(
            mpmath.mpf(factor.numerator) / factor.denominator
        )
        assert abs(stated - distance) < mpmath.mpf("1e-20")
        assert float(rank.read(rule)) == pytest.approx(
            float(mpmath.ceil(t) if rule == "ceiling" else t), abs=1e-12
        )
    assert rank.nearest() == math.ceil(rank.value - F(1, 2))


@pytest.mark.parametrize("epsilon", [1, "1/2"])
def test_ranks_next_to_an_integer_are_decided(epsilon: Any) -> None:
    """An argument that makes the rank almost an integer must still give the right floor."""
    with mpmath.workdps(120):
        near = mpmath.exp(3 * mpmath.mpf(F(epsilon).numerator) / F(epsilon).denominator / 2)
        scaled = int(mpmath.floor(near * mpmath.mpf(10) ** 80))
    for top, floor in ((scaled, 2), (scaled + 1, 3)):
        assert LogRank(F(epsilon), F(0), F(top, 10**80)).floor() == floor


def test_reference_of_the_erratum() -> None:
    """The two probabilities of SUB-E1 must come out of the laws; the exact ones are in exact."""
    printed = PrintedThreshold(1, -1, 1, "1/2", rank=1)
    band = np.array([1 / 8, 1 / 6])
    p, q = (np.diff(printed.exact_law([0.0] * n).cdf(band))[0] for n in (3, 4))
    assert p == pytest.approx(0.0363792436972327, rel=1e-13)
    assert q == pytest.approx(0.00952616359128164, rel=1e-13)


@pytest.mark.parametrize("rule", ["ceiling", "interval"])
def test_public_parameters_make_it_the_sound_form(rule: str) -> None:
    """With alpha and rank public, the law and the draws must be those of Algorithm 2."""
    data = [0.1, 0.4, 0.4, 0.9]
    printed = PrintedThreshold(2, 0, 1, rank=2, alpha="0.05", side="above", rule=rule)
    sound = Threshold(2, 0, 1, 2, "above", "0.05")
    assert printed.exact_law(data) == sound.exact_law(data)
    np.testing.assert_array_equal(
        printed.sample(data, 500, rng=np.random.default_rng(1)),
        sound.sample(data, 500, rng=np.random.default_rng(1)),
    )


def test_one_record_more_narrows_the_window(subtests: pytest.Subtests) -> None:
    """A threshold alpha away from a stack must go from its least loss to the largest one."""
    for size in [1, 2, 10, 100]:
        for side in ["below", "above"]:
            with subtests.test(size=size, side=side):
                printed = PrintedThreshold(1, -1, 1, "1/2", rank=1, side=side)
                law, neighbor = (printed.exact_law([0.0] * n) for n in (size, size + 1))
                far = F(1, 2 * size) - F(1, 4 * size * (size + 1))  # inside the wider window only
                tau = far if side == "below" else -far
                loss = next(p.loss for p in law.pieces if p.lower < tau < p.upper)
                other = next(p.loss for p in neighbor.pieces if p.lower < tau < p.upper)
                assert (loss, other) == (0, size)


def test_no_records_give_the_uniform_law(dp_rng: np.random.Generator) -> None:
    """Where the print divides by 0 the release must be uniform: all losses are equal."""
    printed = PrintedThreshold(1, -1, 1)
    np.testing.assert_allclose(printed.exact_law([]).cdf([-1, 0, 0.5, 1]), [0, 0.5, 0.75, 1])
    assert abs(printed.sample([], 40_000, rng=dp_rng).mean()) < 0.02
