"""The personalized mean of bounded records: law, losses, error, and draws over many intervals."""

from __future__ import annotations

import itertools
import math
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.personalized.adpm import ADPM, draw_weighted
from mechanisms.personalized.saturation import saturate, slow_saturate
from mechanisms.personalized.users import BOT
from mechanisms.weighted_query import WeightedQuery
from tests.speed import calls_of

F = Fraction
SEED = 11
"""For one draw of 100,000 records; measured 0.035."""

budgets = st.lists(st.fractions(0, 20, max_denominator=50), min_size=1, max_size=6)
positive = budgets.filter(any)


def draws(mechanism: ADPM, data: Any, size: int = 5) -> np.ndarray:
    """Draws from one seed."""
    return mechanism.sample(data, size, rng=np.random.default_rng(SEED))


def release(values: Any, low: Any, high: Any, limits: Any) -> np.ndarray:
    """Draws over several intervals, from one seed."""
    return draw_weighted(
        np.array(values, dtype=float),
        np.array(low, dtype=float),
        np.array(high, dtype=float),
        saturate(np.array(limits, dtype=float)).saturated,
        rng=np.random.default_rng(SEED),
    )


def test_reference_query() -> None:
    """Budgets (8, 2, 8) must have weights (3, 1, 3) / 7 and the scale of width / 14."""
    query = ADPM((8, 2, 8), -1, 2).weighted_query()
    assert query == WeightedQuery((F(3, 7), F(1, 7), F(3, 7)), F(-1), F(2), F(3, 14))


@given(positive)
def test_losses_are_the_saturated_budgets(values: list[Fraction]) -> None:
    """A record's loss must be min(eps_i, tau), which is at most its own budget."""
    query = ADPM(values, 1, 3).weighted_query()
    found = slow_saturate(values)
    losses = [w * 2 / query.scale for w in query.weights]
    assert losses == [min(x, found.threshold) for x in values]
    assert sum(query.weights) == 1
    assert query.scale == 2 / sum(losses)


@given(positive)
def test_error_bound_is_attained_by_fair_coins(values: list[Fraction]) -> None:
    """Over all coins on 0 and 1 the mean squared error must be tau / (4 A), the bound."""
    mechanism = ADPM(values)
    query, n = mechanism.weighted_query(), len(values)
    centers = [
        sum(w * x for w, x in zip(query.weights, coins, strict=True))
        for coins in itertools.product((0, 1), repeat=n)
    ]
    error = sum((F(c) - F(1, 2)) ** 2 for c in centers) / 2**n + 2 * query.scale**2
    found = slow_saturate(values)
    assert error == found.threshold / (4 * found.total)
    assert mechanism.mse_upper() == pytest.approx(float(error), rel=1e-12)
    assert ADPM(values, 1, 4).mse_upper() == pytest.approx(9 * float(error), rel=1e-12)


@given(positive, st.data())
def test_no_other_weights_have_a_smaller_bound(values: list[Fraction], data: st.DataObject) -> None:
    """Weights of other losses below the budgets must have an error bound at least as large."""
    losses = [data.draw(st.fractions(0, 1, max_denominator=9)) * x for x in values]
    total = sum(losses, F(0))
    if total:
        other = sum((x / total) ** 2 for x in losses) / 4 + 2 / total**2
        assert float(other) >= ADPM(values).mse_upper() * (1 - 1e-12)


@given(
    st.lists(
        st.tuples(st.fractions(0, 20, max_denominator=50), st.floats(-1, 2)), min_size=1, max_size=6
    ),
    st.randoms(use_true_random=False),
)
def test_records_keep_their_budgets(pairs: list[tuple[Fraction, float]], keys: Any) -> None:
    """Permuting records together with budgets must change neither the draws nor the query."""
    moved = list(pairs)
    keys.shuffle(moved)
    before, after = (ADPM([b for b, _ in side]) for side in (pairs, moved))
    np.testing.assert_allclose(
        draws(after, [x for _, x in moved]),
        draws(before, [x for _, x in pairs]),
        rtol=1e-12,
        atol=1e-12,
    )
    assert sorted(after.weighted_query().weights) == sorted(before.weighted_query().weights)
    assert after.weighted_query().scale == before.weighted_query().scale


def test_exchanged_records_show() -> None:
    """Records exchanged between different budgets must change the release."""
    mechanism = ADPM(("1/10", "1"))
    assert not np.allclose(draws(mechanism, [0, 1]), draws(mechanism, [1, 0]), atol=0.1)


@pytest.mark.parametrize("missing", [BOT, math.inf, -math.inf, None, "word", 10**400])
def test_missing_record_is_the_midpoint(missing: Any) -> None:
    """What is no number must count as the midpoint, and not as 0."""
    mechanism = ADPM(low=1, high=4)
    found = draws(mechanism, [2.0, missing, 3.0])
    np.testing.assert_array_equal(found, draws(mechanism, [2.0, 2.5, 3.0]))
    assert not np.array_equal(found, draws(mechanism, [2.0, 1.0, 3.0]))


def test_clipping_first_changes_nothing() -> None:
    """Records outside the bounds must be read as the nearer bound."""
    found = draws(ADPM(), [-1e308, 0.5, 1e308])
    np.testing.assert_array_equal(found, draws(ADPM(), [0, 0.5, 1]))


def test_constants() -> None:
    """Without a budget the release must be the midpoint, without width the only point."""
    nothing = ADPM((0, 0), 2, 5)
    np.testing.assert_array_equal(draws(nothing, [2, 5]), [3.5] * 5)
    assert nothing.weighted_query() == WeightedQuery((F(0), F(0)), F(2), F(5), F(0))
    assert nothing.mse_upper() == 9 / 4
    point = ADPM(low="1/10", high="1/10")
    np.testing.assert_array_equal(draws(point, [2, 5, BOT]), [0.1] * 5)
    assert point.weighted_query().scale == 0


def test_zero_budget_leaves_a_record_out() -> None:
    """The record of budget 0 must not matter, and the others must be as without it."""
    mechanism = ADPM((0, 1, "1/2"))
    found = draws(mechanism, [0, 0.25, 0.75])
    np.testing.assert_array_equal(found, draws(mechanism, [1, 0.25, 0.75]))
    np.testing.assert_allclose(found, draws(ADPM((1, "1/2")), [0.25, 0.75]), rtol=1e-14)


def test_each_draw_has_its_interval() -> None:
    """Draw by draw the release must be that of the draw's own interval."""
    values, limits = [0.5, BOT, 9.0, -3.0], [0.1, 1.0, 8.0, 0.0]
    low, high = [0, 1, -5, 2], [1, 4, -4, 2]
    found = release(values, low, high, limits)
    noise = np.random.default_rng(SEED).laplace(size=4)
    saturated = saturate(np.array(limits))
    for draw, (a, b) in enumerate(zip(low, high, strict=True)):
        middle = [(a + b) / 2 if math.isnan(x) else min(max(x, a), b) for x in values]
        center = sum(w * x for w, x in zip(saturated.saturated, middle, strict=True))
        expected = (center + (b - a) * noise[draw]) / saturated.total
        assert found[draw] == pytest.approx(expected, rel=1e-12)
    assert found[3] == 2


def test_intervals_without_budgets_give_midpoints() -> None:
    """Without a positive budget each draw must be the middle of its interval."""
    np.testing.assert_array_equal(release([1, 2], [0, -2], [4, 0], [0, 0]), [2, -1])


def test_wide_intervals_do_not_warn() -> None:
    """Intervals beyond doubles must give a number or an infinity without a warning, never NaN."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = release([1, BOT], [-1.7e308, 1e308, 0], [1.7e308, 1e308, 1e308], [1, 1e-9])
    assert not np.isnan(found).any()
    assert found[1] == 1e308


def test_many_records_are_fast(dp_rng: np.random.Generator) -> None:
    """One draw must read each of 100,000 records, and no more of them than that."""
    levels = [F(k, 1000) for k in range(1, 1001)]
    mechanism = ADPM([levels[k] for k in dp_rng.integers(0, 1000, 10**5)])
    data = dp_rng.random(10**5)
    calls, found = calls_of(lambda: mechanism.sample(data, 1, rng=dp_rng))
    assert calls < 4 * 10**5
    assert abs(found[0] - 0.5) < 0.02
