"""Lines of a claim, the grids around it, and the limits read off them (ENGINE T4)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from audit.engine.lines import LineGrid, lines_of, supporting_line
from audit.engine.nested import blocks, lower_limit
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PureDP,
    Relation,
    RenyiDP,
    ZeroConcentratedDP,
)
from mechanisms.errors import InvalidArgument

LEVELS: list[Level] = [
    PureDP(0),
    PureDP("1/10"),
    PureDP(5),
    ApproxDP(1, "1e-6"),
    ApproxDP(0, "1/5"),
]


def around(level: Level) -> LineGrid:
    """The grid around a claim."""
    return lines_of(level, Relation.LISTED)


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_claim_is_a_point_of_both_grids(level: Level) -> None:
    """The claim itself is tested, whichever grid one reads."""
    epsilon, delta = map(float, supporting_line(level))
    grid = around(level)
    assert grid.slopes[:, grid.claimed] == math.exp(epsilon)
    assert grid.offsets[:, grid.claimed] == delta
    assert [axis.name for axis in grid.axes] == ["epsilon", "delta"]
    assert epsilon in grid.axes[0].values
    assert delta in grid.axes[1].values


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_every_point_is_the_line_that_its_axis_says(level: Level) -> None:
    """An axis varies one number and leaves the other as claimed."""
    epsilon, delta = map(float, supporting_line(level))
    grid = around(level)
    for axis, points in blocks(grid.axes):
        at = axis.values if axis.name == "epsilon" else np.full_like(axis.values, epsilon)
        np.testing.assert_allclose(grid.slopes[0, points], np.exp(at), rtol=1e-15)
        at = axis.values if axis.name == "delta" else np.full_like(axis.values, delta)
        np.testing.assert_array_equal(grid.offsets[0, points], at)


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_grids_ascend_without_repeats(level: Level) -> None:
    """Nested claims stand in order, so a rejected prefix means something."""
    grid = around(level)
    assert all((np.diff(axis.values) > 0).all() for axis in grid.axes)
    sizes = sum(axis.values.size for axis in grid.axes)
    assert grid.slopes.shape == grid.offsets.shape == (1, sizes)
    assert grid.points == sizes


def test_limit_is_the_rejected_prefix_not_the_largest_rejection() -> None:
    """A rejection beyond the first gap does not count (T4: it would err with .568)."""
    values = around(PureDP(1)).axes[0].values
    rejected = np.zeros(values.size, dtype=bool)
    rejected[[0, 1, 2, 5]] = True
    assert lower_limit(values, rejected) == values[2]
    rejected[0] = False
    assert lower_limit(values, rejected) == 0.0


def test_everything_rejected_reports_the_largest_point() -> None:
    """An infinite loss ends at the grid's end."""
    values = around(PureDP(1)).axes[0].values
    assert lower_limit(values, np.ones(values.size, dtype=bool)) == values[-1]


@pytest.mark.parametrize(
    "level", [GaussianDP(1), ZeroConcentratedDP(1), RenyiDP(2, 1)], ids=lambda x: type(x).__name__
)
def test_other_levels_have_no_single_line(level: Level) -> None:
    """A level that is no single line is an error that names it, never a silent pass."""
    with pytest.raises(InvalidArgument, match=rf"pure or approximate.*{type(level).__name__}"):
        supporting_line(level)


@pytest.mark.parametrize("level", [ZeroConcentratedDP(1), RenyiDP(2, 1)], ids=str)
def test_divergences_have_no_lines(level: Level) -> None:
    """A claim on a divergence is no set of lines, and is refused in words."""
    with pytest.raises(InvalidArgument, match=f"no lines support .* {type(level).__name__}"):
        around(level)


def test_a_claim_that_no_sample_refutes_is_refused() -> None:
    """Beyond epsilon = 200 the numbers overflow, and the promise is empty anyway."""
    assert np.isfinite(around(PureDP(200)).slopes).all()
    with pytest.raises(InvalidArgument, match=r"at most 200 .* got epsilon=201"):
        around(PureDP(201))
    assert np.isfinite(around(GaussianDP(12)).slopes).all()
    with pytest.raises(InvalidArgument, match=r"mu must be at most 12 .* got mu=13"):
        around(GaussianDP(13))
