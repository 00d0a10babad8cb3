"""Public grids: places of records, points as doubles, and parameters that are refused."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from mechanisms.personalized.quantile.point_grid import PointGrid, check_grid

F = Fraction

GRIDS = [
    PointGrid(F(0), F(10), F(1)),
    PointGrid(F(-7), F(8), F(2)),
    PointGrid(F(1, 3), F(10, 3), F(1, 7)),
    PointGrid(F("-0.3"), F("0.4"), F("0.1")),
    PointGrid(F(-1000), F(1000), F("0.001")),
    PointGrid(F(10**17), F(10**17 + 900), F(100)),
    PointGrid(F(2), F(2), F(1)),
]
grids = st.sampled_from(GRIDS)


def slow_place(grid: PointGrid, x: float) -> float:
    """Place of one record, in fractions."""
    if not math.isfinite(x) or not grid.low <= F(x) <= grid.high:
        return math.inf
    return float((F(x) - grid.low) // grid.step)


@given(grids, st.data())
def test_places_are_exact(grid: PointGrid, data: Any) -> None:
    """A record must be rounded down exactly, also next to a point, and left out beyond the ends."""
    near = float(grid.point(data.draw(st.integers(0, grid.last))))
    values = [near, math.nextafter(near, -math.inf), math.nextafter(near, math.inf)]
    values += [float(grid.low), float(grid.high)]
    for end in (float(grid.low), float(grid.high)):
        values += [math.nextafter(end, -math.inf), math.nextafter(end, math.inf)]
    width = float(grid.high - grid.low) or 1.0
    values += [float(grid.low) + width * data.draw(st.floats(-0.1, 1.1))]
    found = grid.places(np.array(values)).tolist()
    assert found == [slow_place(grid, x) for x in values]


def test_what_is_no_number_is_left_out(subtests: pytest.Subtests) -> None:
    """NaN and infinite records must have no place, as records far beyond the ends."""
    for grid in GRIDS:
        with subtests.test(grid=grid):
            values = np.array([math.nan, math.inf, -math.inf, 1e308, -1e308])
            assert grid.places(values).tolist() == [math.inf] * 5


def test_points_are_the_nearest_doubles(subtests: pytest.Subtests) -> None:
    """Points must be those of the exact grid, in the shape of the places."""
    for grid in GRIDS:
        with subtests.test(grid=grid):
            places = np.unique(np.linspace(0, grid.last, 60).astype(int)).astype(float)
            points = grid.points(np.array([places, places]))
            exact = [float(grid.low + int(k) * grid.step) for k in places]
            assert points.tolist() == [exact, exact]
            assert grid.point(grid.last) <= grid.high < grid.point(grid.last + 1)


@given(grids, st.data())
def test_place_turns_point_around(grid: PointGrid, data: Any) -> None:
    """The place of a point must be where it came from."""
    place = data.draw(st.integers(0, grid.last))
    assert grid.place(grid.point(place)) == place


def test_the_finest_grid_is_taken() -> None:
    """2^32 steps must be taken, and one more not."""
    grid = check_grid(0, 2**32, 1)
    assert grid.places(np.array([2.0**32, 2.0**32 - 0.5])).tolist() == [2**32, 2**32 - 1]
    with pytest.raises(InvalidArgument, match=r"2\^32"):
        check_grid(0, 2**32 + 1, 1)
