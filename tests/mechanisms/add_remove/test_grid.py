"""Exact sums on the grid."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mechanisms.add_remove.grid import (
    GRID,
    GridSums,
    exact_sums,
    grid_index,
    grid_indices,
)
from mechanisms.records import records

GRIDS = st.sampled_from([1, 2, 3, 7, 1000, 2**20, GRID])
HARD_BOUNDS = [
    ("0", "1"),
    ("0.1", "0.3"),
    ("-1/3", "7"),
    ("1e9", "1000000001"),
    ("-8e307", "8e307"),
    ("1e-310", "1"),
    ("0", "1e-320"),
    ("0", "1e-400"),
    ("5", "5"),
]
BOUNDS = st.one_of(
    st.sampled_from(HARD_BOUNDS).map(lambda pair: (Fraction(pair[0]), Fraction(pair[1]))),
    st.tuples(st.fractions(-100, 100), st.fractions(0, 100)).map(lambda p: (p[0], p[0] + p[1])),
)


def plain_index(x: float, low: Fraction, high: Fraction, grid: int) -> int:
    """Nearest grid position of a clamped record, from the definition."""
    if high == low:
        return 0
    if math.isnan(x):
        return round(Fraction(grid) / 2)
    if x == math.inf or (math.isfinite(x) and Fraction(x) >= high):
        return grid
    if x == -math.inf or Fraction(x) <= low:
        return 0
    return round((Fraction(x) - low) / (high - low) * grid)


@given(values=st.lists(st.one_of(st.floats(), st.floats(-1, 2)), max_size=6), b=BOUNDS, grid=GRIDS)
@example(values=[0.5, 0.25, 0.75, 1.5, 2.5], b=(Fraction(0), Fraction(1)), grid=1)
@example(values=[math.nan, math.inf, -math.inf], b=(Fraction(-2), Fraction(1)), grid=7)
@example(values=[0.5 + 2**-53, 0.5], b=(Fraction(0), Fraction(1)), grid=1)
@example(values=[0.1, 0.2, 0.3, 0.15], b=(Fraction(1, 10), Fraction(3, 10)), grid=2)
def test_positions_are_the_nearest_grid_points(
    values: list[float], b: tuple[Fraction, Fraction], grid: int
) -> None:
    """Every position, fast or plain, must be the nearest grid point of exact arithmetic."""
    low, high = b
    expected = [plain_index(x, low, high, grid) for x in values]
    assert [grid_index(x, low, high, grid) for x in values] == expected
    assert grid_indices(np.array(values, dtype=float), low, high, grid).tolist() == expected


@given(
    numerators=st.lists(st.integers(0, 4000), min_size=1, max_size=6),
    b=st.tuples(st.fractions(-50, 50), st.fractions("1/9", 50)).map(lambda p: (p[0], p[0] + p[1])),
)
def test_positions_near_a_tie_are_exact(
    numerators: list[int], b: tuple[Fraction, Fraction]
) -> None:
    """Records half-way between grid points, up to one ulp, must be rounded as exact numbers are."""
    (low, high), grid = b, 2000
    near = [float(low + (high - low) * Fraction(2 * k + 1, 2 * grid)) for k in numerators]
    values = [y for x in near for y in (np.nextafter(x, -np.inf), x, np.nextafter(x, np.inf))]
    expected = [plain_index(float(x), low, high, grid) for x in values]
    assert grid_indices(np.array(values), low, high, grid).tolist() == expected


@given(values=st.lists(st.floats(-0.5, 1.5), max_size=40), b=BOUNDS, grid=GRIDS)
def test_sums_are_exact(values: list[float], b: tuple[Fraction, Fraction], grid: int) -> None:
    """Count, s1 and s2 must be the sums of the positions, with s1 + s2 = n."""
    low, high = b
    sums = exact_sums(values, low, high, grid)
    assert sums.count == len(values)
    assert sums.first == sum(plain_index(x, low, high, grid) for x in values)
    assert sums.first + sums.second == len(values) * grid


@given(
    values=st.lists(st.floats(allow_nan=True), max_size=20),
    x=st.one_of(st.floats(), st.floats(0, 1)),
)
def test_one_record_moves_the_sums_by_itself(values: list[float], x: float) -> None:
    """Adding x must move (Q s1, Q s2) by exactly (Q x', Q - Q x'), whatever the other data are."""
    low, high = Fraction(0), Fraction(1)
    before, after = exact_sums(values, low, high), exact_sums([*values, x], low, high)
    position = grid_index(x, low, high, GRID)
    assert after.count - before.count == 1
    assert (after.first - before.first, after.second - before.second) == (position, GRID - position)


@pytest.mark.long
def test_sums_beyond_a_double_are_exact() -> None:
    """s1 must stay exact where the sum of positions needs more than 53 bits."""
    n = 2**22
    values = np.full(n, 1 - 2**-32)
    values[0] = 2**-32
    assert exact_sums(values, Fraction(0), Fraction(1)) == GridSums(
        n, (n - 1) * (GRID - 1) + 1, GRID
    )


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ([2**53 + 1, 0.5], [2.0**53, 0.5]),
        ([10**400, -(10**400), Fraction(1, 3)], [math.inf, -math.inf, 1 / 3]),
        ([None, "word", 2], [math.nan, math.nan, 2.0]),
        (np.array([True, False]), [1.0, 0.0]),
        ((x for x in (1, 2)), [1.0, 2.0]),
        ([[1], 2], [math.nan, 2.0]),
    ],
)
def test_records_are_read_one_by_one(data: Any, expected: list[float]) -> None:
    """A record must become its own nearest double, or NaN, whatever stands beside it."""
    np.testing.assert_array_equal(records(data), expected)


def test_an_integer_record_does_not_change_with_its_neighbors() -> None:
    """Integers that doubles cannot hold must read alike alone, among integers and among floats."""
    alone = records([2**63 - 1])[0]
    assert records([2**63 - 1, 1])[0] == alone
    assert records([2**63 - 1, 0.5])[0] == alone
    assert records([2**63 - 1, 10**400])[0] == alone
    assert records(np.array([2**63 - 1]))[0] == alone


def test_columns_of_a_frame_are_data() -> None:
    """Anything with `__array__` must read as its array."""

    class Column:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array([0.25, 0.5], dtype=dtype)

    np.testing.assert_array_equal(records(Column()), [0.25, 0.5])
