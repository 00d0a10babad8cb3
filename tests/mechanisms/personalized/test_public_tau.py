"""The public tau: the maximum over all levels, known cases, and budgets of any size."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.personalized.public_tau import best_tau
from tests.speed import calls_of

F = Fraction
"""For 100,000 different budgets; measured 0.03."""

budget = st.fractions(F(1, 100), 30, max_denominator=100)
budgets = st.lists(budget, min_size=1, max_size=8)


def survivors(values: list[Fraction], tau: float) -> float:
    """E|D_F|, by its definition."""
    return math.fsum(
        1.0 if x >= tau else math.exp(float(x) - tau) * -math.expm1(-float(x)) / -math.expm1(-tau)
        for x in values
    )


@given(budgets, st.floats(1e-3, 60))
def test_no_level_is_better(values: list[Fraction], other: float) -> None:
    """The product tau E|D_F| must be largest at the chosen budget, among all tau > 0."""
    tau = best_tau(values)
    assert tau in values
    largest = float(tau) * survivors(values, float(tau))
    for level in (other, *map(float, values)):
        assert level * survivors(values, level) <= largest * (1 + 1e-12)


SIMULATED = {
    "half 0.1, half 1": ([F(1, 20)] * 500 + [F(1, 2)] * 500, F(1, 2), 540),
    "0.05 to 1": ([F(1, 40) + F(k, 4999) * F(19, 40) for k in range(5000)], F(45, 100), 2712),
    "tenth 0.01, rest 0.5": ([F(1, 200)] * 500 + [F(1, 4)] * 4500, F(1, 4), 4509),
    "all 0.2": ([F(1, 10)] * 100, F(1, 10), 100),
}
"""Half budgets, as the mean estimator gives them to its range: tau, expected survivors."""


@pytest.mark.parametrize("name", SIMULATED)
def test_reference_values(name: str) -> None:
    """Level and expected number of survivors must be those of the known examples."""
    values, tau, expected = SIMULATED[name]
    found = best_tau(values)
    assert float(found) == pytest.approx(float(tau), abs=0.005)
    assert round(survivors(values, float(found))) == pytest.approx(expected, abs=1)


def test_survivors_at_the_level_count_once() -> None:
    """Ties must all count: three budgets 1 beat one budget 2 below e + 1 > 3, and four do not."""
    two = 2 * (1 + 3 * math.expm1(1) / math.expm1(2))
    assert two < 4
    assert best_tau([F(1)] * 3 + [F(2)]) == 1
    assert best_tau([F(1)] + [F(2)] * 3) == 2


@given(budgets, st.randoms(use_true_random=False))
def test_order_is_nothing(values: list[Fraction], keys: object) -> None:
    """Permuted budgets must give the same level."""
    shuffled = list(values)
    keys.shuffle(shuffled)  # type: ignore[attr-defined]
    assert best_tau(shuffled) == best_tau(values)


@given(budgets)
def test_zero_budgets_are_left_out(values: list[Fraction]) -> None:
    """Zeros must change nothing."""
    assert best_tau([F(0), *values, F(0)]) == best_tau(values)


@pytest.mark.parametrize(
    ("values", "tau"),
    [
        ([F(10**9), F(10**9), F(1)], F(10**9)),
        ([F(10**9)] + [F(1)] * 3, F(10**9)),
        ([F(1000)] + [F(999)] * 5, F(999)),
        ([F(1, 10**400)], F(1, 10**400)),
        ([F(1, 10**400), F(1, 10**300)], F(1, 10**300)),
        ([F(1, 10**9)] * 3 + [F(1, 10**8)], F(1, 10**8)),
    ],
)
def test_extreme_budgets_do_not_warn(values: list[Fraction], tau: Fraction) -> None:
    """Budgets of any size must give one of them, exactly, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert best_tau(values) == tau


def test_many_budgets_are_fast(dp_rng: np.random.Generator) -> None:
    """10,000 different budgets must not take quadratic time."""
    values = [F(int(k), 10**6) for k in dp_rng.permutation(10**4) + 1]
    calls, tau = calls_of(lambda: best_tau(values))
    assert tau in values
    assert calls < 100 * 10**4
