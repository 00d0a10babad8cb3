"""Algorithm 3 as printed: the raw recursion is private, weights of other records are not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.as_printed.adpm import PrintedADPM, raw_recursion
from mechanisms.personalized.adpm import ADPM
from mechanisms.personalized.users import BOT
from mechanisms.weighted_query import WeightedQuery

F = Fraction

budgets = st.lists(st.fractions(0, 20, max_denominator=50), min_size=1, max_size=6)
slips = st.sampled_from(["all", "E-03", "E-30"])


def losses_of(query: WeightedQuery) -> list[Fraction]:
    """Exact loss of each record."""
    width = query.high - query.low
    return [w * width / query.scale if query.scale else F(0) for w in query.weights]


def test_example_of_the_recursions() -> None:
    """Budgets (2, 8, 8) must become (2, 6, 7.6), which has a larger error than (2, 6, 6)."""
    assert raw_recursion([F(2), F(8), F(8)]) == [2, 6, F(38, 5)]
    printed = PrintedADPM((8, 2, 8), slip="E-30").losses
    assert printed == (F(6), F(2), F(38, 5))
    objective = (sum(x**2 for x in printed) + 8) / sum(printed) ** 2
    assert float(objective) == pytest.approx(0.434583, abs=5e-7)
    assert ADPM((8, 2, 8)).mse_upper() * 4 == pytest.approx(0.428571, abs=5e-7)


@given(budgets)
def test_raw_recursion_is_private_but_not_better(values: list[Fraction]) -> None:
    """With E-30 alone every loss must be at most the budget, and the error at least the least."""
    mechanism = PrintedADPM(values, slip="E-30")
    query = mechanism.weighted_query()
    assert all(loss <= x for loss, x in zip(losses_of(query), values, strict=True))
    assert mechanism.counterexample is None
    if any(values):
        error = sum(w * w for w in query.weights) / 4 + 2 * query.scale**2
        assert float(error) >= ADPM(values).mse_upper() * (1 - 1e-12)


def test_sorted_weights_break_a_budget() -> None:
    """Budgets (1, 1/10) must give record 2 the loss 1, ten times its budget, in either form."""
    for slip in ("all", "E-03"):
        mechanism = PrintedADPM(slip=slip)
        query = mechanism.weighted_query()
        assert query == WeightedQuery((F(1, 11), F(10, 11)), F(0), F(1), F(10, 11))
        assert losses_of(query) == [F(1, 10), F(1)]
        assert mechanism.counterexample == ([0, 0], [0, 1])
    assert losses_of(ADPM((1, "1/10")).weighted_query()) == [F(1), F(1, 10)]


@given(budgets, slips)
def test_counterexample_breaks_the_promise(values: list[Fraction], slip: str) -> None:
    """The pair must differ in one record, whose loss is above its budget; None if all keep it."""
    mechanism = PrintedADPM(values, -1, 2, slip)
    losses = losses_of(mechanism.weighted_query())
    broken = [i for i, (a, b) in enumerate(zip(losses, values, strict=True)) if a > b]
    pair = mechanism.counterexample
    assert (pair is None) == (not broken)
    if pair is not None:
        changed = [i for i, (x, y) in enumerate(zip(*pair, strict=True)) if x != y]
        assert len(changed) == 1
        assert changed[0] in broken
        assert {*pair[0], *pair[1]} == {-1, 2}


@given(budgets)
def test_sorted_budgets_hide_the_exchange(values: list[Fraction]) -> None:
    """With E-03 alone and budgets in ascending order it must be the sound form."""
    ordered = sorted(values)
    printed, sound = PrintedADPM(ordered, slip="E-03"), ADPM(ordered)
    assert printed.weighted_query() == sound.weighted_query()
    data = [0.25] * len(values)
    found, expected = (m.sample(data, 3, rng=np.random.default_rng(1)) for m in (printed, sound))
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@given(budgets, slips)
def test_losses_are_those_of_the_sorted_budgets(values: list[Fraction], slip: str) -> None:
    """Losses must be below the sorted budgets place by place, with E-30 alone below their own."""
    losses = PrintedADPM(values, slip=slip).losses
    by_place = values if slip == "E-30" else sorted(values)
    assert all(loss <= x for loss, x in zip(losses, by_place, strict=True))
    assert max(losses) > 0 or not any(values)


def test_constants() -> None:
    """Without a budget the release must be the midpoint, without width the only point."""
    rng = np.random.default_rng(1)
    nothing = PrintedADPM((0, 0), 2, 5)
    np.testing.assert_array_equal(nothing.sample([2, BOT], 3, rng=rng), [3.5] * 3)
    assert nothing.weighted_query() == WeightedQuery((F(0), F(0)), F(2), F(5), F(0))
    point = PrintedADPM(low=3, high=3)
    np.testing.assert_array_equal(point.sample([2, BOT], 3, rng=rng), [3.0] * 3)
    assert point.counterexample is None
