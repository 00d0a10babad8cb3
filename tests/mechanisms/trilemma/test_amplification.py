"""The privacy of shuffled blocks: values of the thesis, its domain, and exact small cases."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from mechanisms.errors import InvalidArgument
from mechanisms.trilemma.amplification import shuffle_delta_upper, shuffle_epsilon_upper

F = Fraction
Array = NDArray[np.float64]

AMPLIFIED = [
    (1, 1000, "1e-6", "0.566201489482801", "1.00326952413984e-06"),
    ("0.5", 10_000, "1e-9", "0.112096260408017", "2.86112468951611e-08"),
    (2, 5000, "1e-5", "0.615301657065121", "1.00152154097444e-05"),
    ("0.1", 400, "1e-4", "0.067182104291703", "0.000100001202306525"),
]
"""epsilon0, m, delta1, then TRI-E2.2 and TRI-T2.2.2 with delta0 = 1e-12."""


@pytest.mark.parametrize(("epsilon", "blocks", "delta", "reference", "total"), AMPLIFIED)
def test_reference_values(
    epsilon: Any, blocks: int, delta: Any, reference: str, total: str
) -> None:
    """The values of TRI-E2.2 and TRI-T2.2.2 must come out to all printed digits."""
    assert f"{float(shuffle_epsilon_upper(epsilon, blocks, delta)):.15f}" == reference
    assert f"{float(shuffle_delta_upper(epsilon, blocks, delta, '1e-12')):.15g}" == total
    assert shuffle_delta_upper(epsilon, blocks, delta) == F(delta)


@given(
    st.fractions(F(1, 100), 3, max_denominator=100),
    st.integers(16, 10**6),
    st.fractions(F(1, 10**6), 1, max_denominator=10**6),
)
def test_domain_is_that_of_the_theorem(epsilon: Fraction, blocks: int, delta: Fraction) -> None:
    """Delta must be taken from 2 exp(-m / (16 e^epsilon)) on, and the message name the limit."""
    least = 2 * math.exp(-blocks / (16 * math.exp(epsilon)))
    if delta > least * (1 + 1e-9):
        assert shuffle_epsilon_upper(epsilon, blocks, delta) > 0
    elif delta < least * (1 - 1e-9):
        with pytest.raises(InvalidArgument, match="delta must be at least 2 exp") as caught:
            shuffle_epsilon_upper(epsilon, blocks, delta)
        assert f"{least:.6g}" in str(caught.value)
        assert f"blocks={blocks}" in str(caught.value)


def test_limit_of_the_domain() -> None:
    """2 exp(-256 / (16 e)) = 0.005555738 must be where delta1 begins, to six digits."""
    assert shuffle_epsilon_upper(1, 256, "0.00555574") > 0
    with pytest.raises(InvalidArgument, match=r"= 0\.00555574, got delta=0\.00555573"):
        shuffle_epsilon_upper(1, 256, "0.00555573")


@given(st.integers(1, 299), st.integers(1, 9), st.integers(1, 9))
def test_more_blocks_and_smaller_budgets_are_more_private(
    blocks: int, epsilon: int, delta: int
) -> None:
    """Epsilon1 must fall with m and delta1, and rise with epsilon0."""
    m, eps0, delta1 = 600 + blocks, F(epsilon, 10), F(delta, 10)
    value = shuffle_epsilon_upper(eps0, m, delta1)
    assert shuffle_epsilon_upper(eps0, m + 1, delta1) < value
    assert shuffle_epsilon_upper(eps0, m, delta1 + F(1, 10)) < value
    assert shuffle_epsilon_upper(eps0 + F(1, 10), m, delta1) > value


def ones(m: int, true_ones: int, p: float) -> Array:
    """Law of the number of ones among m bits told by randomized response, false with rate p."""
    zeros = stats.binom.pmf(np.arange(m - true_ones + 1), m - true_ones, p)
    return np.convolve(zeros, stats.binom.pmf(np.arange(true_ones + 1), true_ones, 1 - p))


def laws(rule: str, m: int, other: int, p: float) -> tuple[Array, Array]:
    """Laws of the number of ones, row 1 all 0 and with a single 1; row 2 has `other` ones.

    Blocks hold two bits and tell a function of them; the shuffled truth is exchangeable, so that
    the number of ones is sufficient. The single 1 meets a 1 of row 2 with probability other / m.
    """
    met = other / m
    truths = {
        "xor": (other, ((1 - met, other + 1), (met, other - 1))),
        "and": (0, ((1 - met, 0), (met, 1))),
        "first bit": (0, ((1.0, 1),)),
    }
    before, after = truths[rule]
    law = sum(weight * ones(m, bits, p) for weight, bits in after if weight > 0)
    return ones(m, before, p), np.asarray(law)


def exact_delta(pair: tuple[Array, Array], epsilon: float) -> float:
    """Hockey-stick divergence, the larger of both directions."""
    x, y = pair
    grown = math.exp(epsilon)
    return float(max(np.maximum(x - grown * y, 0).sum(), np.maximum(y - grown * x, 0).sum()))


def exact_epsilon(pair: tuple[Array, Array], delta: float) -> float:
    """Smallest epsilon of this delta."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if exact_delta(pair, middle) > delta else (low, middle)
    return high


@pytest.mark.parametrize(
    ("epsilon", "m", "delta", "exact", "bound"),
    [("0.5", 300, "1e-3", 0.042778, 0.357036), (1, 600, "1e-5", 0.140998, 0.647342)],
)
@pytest.mark.parametrize("rule", ["xor", "and", "first bit"])
def test_exact_shuffles_obey_the_bound(
    rule: str, epsilon: Any, m: int, delta: str, exact: float, bound: float
) -> None:
    """The exact epsilon must be the printed one and below the bound, whatever the other row is."""
    p = 1 / (1 + math.exp(Fraction(epsilon)))
    plain = m if rule == "and" else 0  # row 2 with which a block tells the bit of row 1
    assert round(exact_epsilon(laws(rule, m, plain, p), float(delta)), 6) == exact
    upper = float(shuffle_epsilon_upper(epsilon, m, delta))
    assert round(upper, 6) == bound
    for other in (0, 1, m // 3, m // 2, m - 1, m):
        pair = laws(rule, m, other, p)
        assert exact_delta(pair, upper) <= 1e-15
        assert exact_epsilon(pair, float(delta)) < upper
