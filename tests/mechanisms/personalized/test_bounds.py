"""Lower bounds: known values, the definition, the constants and their proofs, speed."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.personalized.bounds import (
    BOUNDED,
    PRINTED,
    UNBOUNDED,
    bounded_error_lower,
    errors_lower,
    unbounded_error_lower,
)
from proofs_check.enclosure import Ball, Balls, certainly_less
from tests.speed import calls_of

NUMBERS = Balls(200)
"""For a million budgets; measured 0.06."""

VECTORS = {
    "100 of 0.1": ([0.1] * 100, 0.0707106781186548, 100),
    "100 of 1": ([1.0] * 100, 0.0338332670842626, 1),
    "halves": ([1.0] * 50 + [0.05] * 50, 0.0424889447588833, 50),
    "0.001 to 1": ([i / 1000 for i in range(1, 1001)], 0.0112680240093851, 32),
    "10 of 0.01": ([0.5] * 990 + [0.01] * 10, 0.0112188364729344, 10),
}
"""Budgets, the printed bound for sigma = 1, and its k."""

budgets = st.lists(st.floats(0, 9), min_size=1, max_size=8)


@pytest.mark.parametrize("name", VECTORS)
def test_reference_values(name: str) -> None:
    """Both theorems as printed must give the known values, at the known k."""
    values, expected, best = VECTORS[name]
    assert bounded_error_lower(values) == pytest.approx(expected, rel=1e-14)
    assert unbounded_error_lower(values) == pytest.approx(expected, rel=1e-14)
    assert np.argmax(errors_lower(values, 1, PRINTED)[1:]) == best - 1


@given(budgets, st.floats(0.01, 100))
def test_bound_is_the_largest_over_k(values: list[float], sigma: float) -> None:
    """The bound must be the largest C sigma / (S_k + 2 sqrt(n - k)); sharp ones begin at k = 0."""
    n, ordered = len(values), sorted(values)

    def largest(constant: float, first: int) -> float:
        parts = [math.fsum(ordered[:k]) + 2 * math.sqrt(n - k) for k in range(first, n + 1)]
        return constant * sigma / min(parts) if min(parts) > 1e-300 else math.inf

    printed = largest(math.sqrt(0.5), 1)
    if min(sum(ordered), 1) > 1e-300 or not any(ordered):
        assert bounded_error_lower(values, sigma) == pytest.approx(printed, rel=1e-13)
        assert unbounded_error_lower(values, sigma) == pytest.approx(printed, rel=1e-13)
        sharp = bounded_error_lower(values, sigma, sharp=True)
        assert sharp == pytest.approx(largest(1, 0), rel=1e-13)
        sharp = unbounded_error_lower(values, sigma, sharp=True)
        assert sharp == pytest.approx(largest(UNBOUNDED, 0), rel=1e-13)


def test_zero_budgets_know_nothing() -> None:
    """Who has no budget at all must err without bound."""
    assert bounded_error_lower([0, 0]) == math.inf
    assert unbounded_error_lower([0], sharp=True) == math.inf


def test_sharp_bound_takes_no_record_at_all() -> None:
    """For large budgets k = 0 must be best: C sigma / (2 sqrt(n))."""
    assert bounded_error_lower([1.0] * 100, 3, sharp=True) == pytest.approx(3 / 20)
    assert unbounded_error_lower([1.0] * 100, sharp=True) == pytest.approx(UNBOUNDED / 20)


def shift(f: Fraction, constant: float, *, unbounded: bool) -> Ball:
    """Bound of the total variation of the outputs at f = S_k / (S_k + 2 sqrt(n - k))."""
    c = NUMBERS.rational(Fraction(constant))
    x = c * NUMBERS.sqrt(2 / NUMBERS.pi()) * f
    first = 1 - NUMBERS.exp(-x) if unbounded else x / 2  # tanh(y) <= y
    return first + c * (1 - f) / 2


@pytest.mark.parametrize(("constant", "unbounded"), [(BOUNDED, False), (UNBOUNDED, True)])
def test_constants_are_proved(constant: float, unbounded: bool) -> None:
    """At C the outputs' total variation must be at most 1/2 for all f, and at C + 1e-15 not."""
    best = Fraction(0)
    if unbounded:  # where the derivative is 0: C sqrt(2 / pi) e^-x = C / 2
        slope = math.sqrt(2 / math.pi)
        best = Fraction(math.log(2 * slope) / (constant * slope))
    half = Fraction(1, 2)
    for f in (best, *(Fraction(k, 200) for k in range(201))):
        at_most = shift(f, constant, unbounded=unbounded)
        assert certainly_less(at_most, half + Fraction(1, 10**50))
    assert certainly_less(half, shift(best, constant + 1e-15, unbounded=unbounded))


def test_a_million_budgets_are_fast(dp_rng: np.random.Generator) -> None:
    """The sort must be all that takes time."""
    values = dp_rng.uniform(0.5, 1, 10**6)
    calls, found = calls_of(lambda: bounded_error_lower(values, sharp=True))
    assert calls < 1000
    assert found == pytest.approx(1 / 2000)
