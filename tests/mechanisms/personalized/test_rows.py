"""Rows of users with private budgets: shapes, placeholders, budgets, and no trace of an order."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from mechanisms.personalized.groups.rows import user_rows

CELLS = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from([0.0, -0.0, 0.5, 1.0, 5e-324, 1e308]),
    st.sampled_from([None, "word", (), 10**400]),
)
BUDGETS = st.one_of(st.sampled_from([0.5, 1.0]), CELLS)
ROWS = st.lists(st.tuples(CELLS, BUDGETS), max_size=8)


@pytest.mark.parametrize("data", [[], (), np.array([]), np.empty((0, 2)), np.empty((0, 2), object)])
def test_nobody_may_take_part(data: Any) -> None:
    """Empty data of any kind must be no rows."""
    rows = user_rows(data)
    assert rows.records.shape == rows.budgets.shape == (0,)


@given(data=ROWS, keys=st.randoms(use_true_random=False))
def test_order_of_rows_is_nothing(data: list[tuple[Any, Any]], keys: Any) -> None:
    """A permutation must be read as the same arrays, bit for bit."""
    shuffled = list(data)
    keys.shuffle(shuffled)
    first, second = user_rows(data), user_rows(shuffled)
    assert first.records.tobytes() == second.records.tobytes()
    assert first.budgets.tobytes() == second.budgets.tobytes()


@given(data=ROWS)
def test_what_is_read_is_finite_and_sorted(data: list[tuple[Any, Any]]) -> None:
    """Budgets must be positive, finite and ascending; records finite or the placeholder."""
    rows = user_rows(data)
    assert np.all(np.isfinite(rows.budgets) & (rows.budgets > 0))
    assert np.all(np.diff(rows.budgets) >= 0)
    assert np.all(np.isfinite(rows.records) | np.isnan(rows.records))
    assert not np.any(np.signbit(rows.records) & (rows.records == 0))


def test_order_of_equal_budgets_is_nothing() -> None:
    """Rows with one budget must be sorted by their records."""
    rows = user_rows([[3.0, 1], [1.0, 1], [2.0, 1]])
    assert rows.records.tolist() == [1, 2, 3]


def test_placeholder_is_last_among_equal_budgets() -> None:
    """Equal budgets must be sorted by record, with the placeholder last and never 0."""
    rows = user_rows([[math.nan, 1], [5, 1], [math.inf, 1], [-3, 1], [7, 0.5]])
    np.testing.assert_array_equal(rows.budgets, [0.5, 1, 1, 1, 1])
    np.testing.assert_array_equal(rows.records, [7, -3, 5, math.nan, math.nan])


def test_without_a_budget_the_row_is_left_out(subtests: pytest.Subtests) -> None:
    """A row whose budget is no finite positive number must be as if it were not there."""
    for budget in [math.nan, math.inf, -math.inf, -1.0, 0.0, -0.0, None, "word"]:
        with subtests.test(budget=budget):
            rows = user_rows([[3.0, budget], [4.0, 2.0]])
            assert rows.records.tolist() == [4.0]
            assert rows.budgets.tolist() == [2.0]


def test_what_is_no_number_is_the_placeholder(subtests: pytest.Subtests) -> None:
    """Each odd record must be the placeholder, alone or beside others, in lists and in arrays."""
    for record in [None, "word", math.nan, -math.inf, 10**400, (1, 2), [], {}]:
        with subtests.test(record=record):
            for data in ([[record, 1]], [[record, 1], [2.0, 1]]):
                cells = np.empty((len(data), 2), dtype=object)
                for place, row in enumerate(data):
                    cells[place, 0], cells[place, 1] = row
                for form in (data, cells):
                    rows = user_rows(form)
                    assert rows.budgets.tolist() == [1.0] * len(data)
                    assert np.isnan(rows.records).sum() == 1


def test_masked_cells_are_missing() -> None:
    """A masked record must be the placeholder, and a masked budget leave its row out."""
    data = np.ma.masked_array([[1.0, 2.0], [3.0, 4.0]], [[True, False], [False, True]])
    rows = user_rows(data)
    assert rows.budgets.tolist() == [2.0]
    assert np.isnan(rows.records).tolist() == [True]


@pytest.mark.parametrize(
    "data",
    [
        np.array([[0.5, 1.0], [2.0, 3.0]]),
        np.array([[0.5, 1], [2, 3]], dtype=np.longdouble),
        [np.array([2.0, 3.0]), (Fraction(1, 2), "1")],
        iter([(2, 3), (0.5, 1)]),
    ],
)
def test_rows_of_many_kinds_are_equal(data: Any) -> None:
    """Arrays, lists of rows and iterators must be read alike."""
    rows = user_rows(data)
    assert rows.records.tolist() == [0.5, 2.0]
    assert rows.budgets.tolist() == [1.0, 3.0]


OTHER_SHAPES = [
    0.5,
    None,
    "ab",
    ["ab"],
    [1.0, 2.0],
    [[1.0], [2.0]],
    [[1.0, 2.0], [3.0]],
    np.zeros(2),
    np.zeros((2, 3)),
    np.zeros((3, 0)),
    np.zeros((2, 2, 2)),
    np.array([["a", "b"]]),
]


def test_data_of_another_shape_raise(subtests: pytest.Subtests) -> None:
    """Data that are no rows of two cells must be refused, whatever their values."""
    for data in OTHER_SHAPES:
        with (
            subtests.test(data=data),
            pytest.raises(InvalidArgument, match="data must be rows"),
        ):
            user_rows(data)


def test_data_are_not_written_to() -> None:
    """The caller's array must be as it was."""
    data = np.array([[math.inf, 1.0], [-0.0, 0.5]])
    before = data.copy()
    user_rows(data)
    np.testing.assert_array_equal(data, before)
