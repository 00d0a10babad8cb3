"""Lines of a claim, the grids around it, and the limits read off them (ENGINE T4)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from audit.engine.lines import grid_of, supporting_line
from mechanisms.claims import ApproxDP, GaussianDP, Level, PureDP, RenyiDP, ZeroConcentratedDP
from mechanisms.errors import InvalidArgument

LEVELS: list[Level] = [
    PureDP(0),
    PureDP("1/10"),
    PureDP(5),
    ApproxDP(1, "1e-6"),
    ApproxDP(0, "1/5"),
]


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_claim_is_a_point_of_both_grids(level: Level) -> None:
    """The claim itself is tested, whichever grid one reads."""
    epsilon, delta = map(float, supporting_line(level))
    grid = grid_of(level)
    assert grid.slopes[grid.claimed] == math.exp(epsilon)
    assert grid.offsets[grid.claimed] == delta
    assert epsilon in grid.epsilons
    assert delta in grid.deltas


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_grids_ascend_without_repeats(level: Level) -> None:
    """Nested claims stand in order, so a rejected prefix means something."""
    grid = grid_of(level)
    assert (np.diff(grid.epsilons) > 0).all()
    assert (np.diff(grid.deltas) > 0).all()
    assert grid.slopes.size == grid.offsets.size == grid.epsilons.size + grid.deltas.size


def test_limit_is_the_rejected_prefix_not_the_largest_rejection() -> None:
    """A rejection beyond the first gap does not count (T4: it would err with .568)."""
    grid = lines_of(PureDP(1), Relation.LISTED)
    rejected = np.zeros(grid.slopes.size, dtype=bool)
    rejected[[0, 1, 2, 5]] = True
    rejected[grid.epsilons.size] = True
    assert grid.lower_limits(rejected) == (grid.epsilons[2], grid.deltas[0])
    rejected[0] = False
    assert grid.lower_limits(rejected)[0] == 0.0


def test_everything_rejected_reports_the_largest_point() -> None:
    """An infinite loss ends at the grid's end."""
    grid = lines_of(PureDP(1), Relation.LISTED)
    limits = grid.lower_limits(np.ones(grid.slopes.size, dtype=bool))
    assert limits == (grid.epsilons[-1], grid.deltas[-1])


@pytest.mark.parametrize(
    "level", [GaussianDP(1), ZeroConcentratedDP(1), RenyiDP(2, 1)], ids=lambda x: type(x).__name__
)
def test_other_levels_are_refused_in_words(level: Level) -> None:
    """A level without a line yet is an error that names it, never a silent pass."""
    with pytest.raises(InvalidArgument, match=f"{type(level).__name__} cannot be audited yet"):
        supporting_line(level)


def test_a_claim_that_no_sample_refutes_is_refused() -> None:
    """Beyond epsilon = 200 the numbers overflow, and the promise is empty anyway."""
    assert np.isfinite(lines_of(PureDP(200), Relation.LISTED).slopes).all()
    with pytest.raises(InvalidArgument, match=r"at most 200 .* got epsilon=201"):
        lines_of(PureDP(201), Relation.LISTED)
