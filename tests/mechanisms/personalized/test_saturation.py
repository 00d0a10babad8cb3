"""Saturated budgets: the rule, its facts, the objective, the fast form against the exact one."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mechanisms.personalized.saturation import ExactSaturation, saturate, slow_saturate
from tests.speed import calls_of

F = Fraction
"""For a million budgets; measured 0.065."""

VECTORS: dict[str, tuple[list[Fraction], int, str, str, str]] = {
    "V1": ([F(1)] * 100, 100, "1.08", "100", "0.0519615242270663"),
    "V2": ([F(1, 10)] * 10 + [F(1)] * 10, 20, "1.64545454545455", "11", "0.193382248965297"),
    "V3": (
        [F(2) ** j for j in range(-1, 5)],
        3,
        "3.78571428571429",
        "14.8571428571429",
        "0.252392399007821",
    ),
    "V4": (
        [F(j, 100) for j in range(1, 101)],
        78,
        "0.782989289191821",
        "48.0357643622201",
        "0.0638359847159865",
    ),
    "V5": ([F(1, 10)], 1, "80.1", "0.1", "14.1509716980849"),
}
"""Budgets, k, tau, A and sqrt(B) / (2 A)."""

budget = st.fractions(F(1, 50), 20, max_denominator=50)
budgets = st.lists(budget, min_size=1, max_size=8)
with_zeros = st.lists(st.one_of(st.just(F(0)), budget), min_size=1, max_size=8)


def as_array(values: list[Fraction]) -> np.ndarray:
    """Budgets as doubles."""
    return np.array([float(x) for x in values])


def ratio(ordered: list[Fraction], k: int) -> Fraction:
    """R_k, by its definition."""
    return sum((x**2 for x in ordered[:k]), F(8)) / sum(ordered[:k], F(0))


def objective(values: list[Fraction] | tuple[Fraction, ...]) -> Fraction:
    """(sum x^2 + 8) / (sum x)^2."""
    return sum((x**2 for x in values), F(8)) / sum(values, F(0)) ** 2


@pytest.mark.parametrize("name", VECTORS)
def test_reference_values(name: str) -> None:
    """Count, threshold, sum and error of five vectors must be the known ones, in both forms."""
    values, count, threshold, total, error = VECTORS[name]
    for found in (slow_saturate(values), saturate(as_array(values))):
        assert found.count == count
        assert float(found.threshold) == pytest.approx(float(threshold), rel=1e-14)
        assert float(found.total) == pytest.approx(float(total), rel=1e-14)
        root = math.sqrt(found.squares) / (2 * float(found.total))
        assert root == pytest.approx(float(error), rel=1e-14)


def test_example_of_the_recursions() -> None:
    """Budgets (2, 8, 8) must become (2, 6, 6), in whatever order."""
    assert slow_saturate([F(2), F(8), F(8)]).saturated == (F(2), F(6), F(6))
    assert slow_saturate([F(8), F(2), F(8)]).saturated == (F(6), F(2), F(6))
    np.testing.assert_allclose(saturate(np.array([8.0, 2.0, 8.0])).saturated, [6, 2, 6], rtol=1e-15)


@given(budgets)
@example([F(2), F(6)])  # a tie
def test_count_is_the_first_crossing(values: list[Fraction]) -> None:
    """The count must be the least k with eps_{k+1} >= R_k, else n, and tau must be R_k."""
    ordered = sorted(values)
    n = len(ordered)
    first = next((k for k in range(1, n) if ordered[k] >= ratio(ordered, k)), n)
    found = slow_saturate(values)
    assert found.count == first
    assert found.threshold == ratio(ordered, first)
    assert found.saturated == tuple(min(x, found.threshold) for x in values)
    assert found.total == sum(found.saturated)
    assert found.squares == sum(x**2 for x in found.saturated) + 8


@given(budgets)
def test_facts_of_the_threshold(values: list[Fraction]) -> None:
    """B = tau A; crossings stay; R_k >= 2 sqrt(8 / k); tau of half the budgets is at least half."""
    ordered, found = sorted(values), slow_saturate(values)
    k = found.count
    assert found.squares == found.threshold * found.total
    assert all(x < found.threshold for x in ordered[1:k])
    crossings = [ordered[j] >= ratio(ordered, j) for j in range(1, len(ordered))]
    assert crossings == sorted(crossings)
    assert all(ratio(ordered, j) ** 2 * j >= 32 for j in range(1, len(ordered) + 1))
    assert 2 * slow_saturate([x / 2 for x in values]).threshold >= found.threshold


@given(budgets, st.data())
def test_saturated_budgets_minimize_the_objective(
    values: list[Fraction], data: st.DataObject
) -> None:
    """No other vector below the budgets may have a smaller (sum x^2 + 8) / (sum x)^2."""
    found = slow_saturate(values)
    shares = data.draw(
        st.lists(st.fractions(0, 1, max_denominator=20), min_size=len(values), max_size=len(values))
    )
    other = [x * share for x, share in zip(values, shares, strict=True)]
    if sum(other):
        assert objective(other) >= objective(found.saturated)
    for place in range(len(values)):
        nudged = list(found.saturated)
        nudged[place] *= F(999, 1000)
        assert objective(nudged) > objective(found.saturated)
        nudged[place] = found.saturated[place] * F(1001, 1000)
        if nudged[place] <= values[place]:
            assert objective(nudged) > objective(found.saturated)


@given(with_zeros)
def test_fast_form_is_the_exact_one(values: list[Fraction]) -> None:
    """Doubles must give the exact fields up to rounding; a tie may move the count."""
    exact, found = slow_saturate(values), saturate(as_array(values))
    assert found.threshold == pytest.approx(float(exact.threshold), rel=1e-13)
    np.testing.assert_allclose(found.saturated, as_array(list(exact.saturated)), rtol=1e-13)
    assert found.total == pytest.approx(float(exact.total), rel=1e-13)
    assert found.squares == pytest.approx(float(exact.squares), rel=1e-13)
    ordered = sorted(x for x in values if x)
    tie = any(ordered[k] == ratio(ordered, k) for k in range(1, len(ordered)))
    assert tie or found.count == exact.count


@given(with_zeros, st.randoms(use_true_random=False))
def test_budgets_keep_their_places(values: list[Fraction], keys: object) -> None:
    """Permuted budgets must give the permuted vector and the same numbers."""
    places = list(range(len(values)))
    keys.shuffle(places)  # type: ignore[attr-defined]
    before, after = slow_saturate(values), slow_saturate([values[i] for i in places])
    assert after.saturated == tuple(before.saturated[i] for i in places)
    assert after.total == before.total
    fast, moved = saturate(as_array(values)), saturate(as_array(values)[places])
    np.testing.assert_array_equal(moved.saturated, fast.saturated[places])
    assert (moved.count, moved.threshold) == (fast.count, fast.threshold)


@given(budgets, st.integers(0, 3))
def test_zero_budgets_are_left_out(values: list[Fraction], zeros: int) -> None:
    """Zeros must get weight 0 and change nothing else."""
    before, after = slow_saturate(values), slow_saturate([F(0)] * zeros + values)
    assert after.saturated == (F(0),) * zeros + before.saturated
    assert (after.count, after.threshold) == (before.count, before.threshold)
    fast = saturate(as_array([F(0)] * zeros + values))
    assert (fast.saturated[:zeros] == 0).all()
    assert fast.threshold == pytest.approx(float(before.threshold), rel=1e-13)


def test_no_positive_budget() -> None:
    """Zeros alone must give zeros."""
    nothing = (F(0), F(0))
    assert slow_saturate([F(0), F(0)]) == ExactSaturation(0, F(0), nothing, F(0), F(8))
    found = saturate(np.zeros(2))
    assert (found.count, found.threshold, found.total, found.squares) == (0, 0, 0, 8)
    np.testing.assert_array_equal(found.saturated, [0, 0])


@pytest.mark.parametrize(
    "values",
    [[1e-320], [1e9], [1e-320, 1e9], [1e9] * 5, [1e-9, 1.0, 1e9]],
)
def test_extreme_budgets_do_not_warn(values: list[float]) -> None:
    """Budgets of any size must not be exceeded by the saturated ones, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = saturate(np.array(values))
    assert (found.saturated <= values).all()
    exact = slow_saturate([F(x) for x in values])
    assert found.total == pytest.approx(float(exact.total), rel=1e-12)


def test_a_million_budgets_are_fast(dp_rng: np.random.Generator) -> None:
    """The sort must be all that takes time."""
    values = dp_rng.uniform(0, 2, 10**6)
    calls, found = calls_of(lambda: saturate(values))
    assert calls < 1000
    assert found.squares == pytest.approx(found.threshold * found.total, rel=1e-12)
