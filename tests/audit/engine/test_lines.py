"""Lines of a claim, the grids around it, and the limits read off them (ENG-T4)."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from audit.levels import supporting_line
from audit.levels.nesting import blocks, lower_limit
from audit.levels.supporting_lines import PROFILE, LineGrid
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PersonalizedDP,
    PureDP,
    Relation,
    RenyiDP,
    ZeroConcentratedDP,
)
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, Balls, certainly_less
from tests.grids import lines_of

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


@pytest.mark.parametrize("level", LEVELS)
def test_claim_is_a_point_of_both_grids(level: Level) -> None:
    """The claim itself is tested, whichever grid one reads."""
    epsilon, delta = map(float, supporting_line(level))
    grid = around(level)
    assert grid.slopes[:, grid.claimed] == math.exp(epsilon)
    assert grid.offsets[:, grid.claimed] == delta
    assert [axis.name for axis in grid.axes] == ["epsilon", "delta"]
    assert epsilon in grid.axes[0].values
    assert delta in grid.axes[1].values


@pytest.mark.parametrize("level", LEVELS)
def test_every_point_is_the_line_that_its_axis_says(level: Level) -> None:
    """An axis varies one number and leaves the other as claimed."""
    epsilon, delta = map(float, supporting_line(level))
    grid = around(level)
    for axis, points in blocks(grid.axes):
        at = axis.values if axis.name == "epsilon" else np.full_like(axis.values, epsilon)
        np.testing.assert_allclose(grid.slopes[0, points], np.exp(at), rtol=1e-15)
        at = axis.values if axis.name == "delta" else np.full_like(axis.values, delta)
        np.testing.assert_array_equal(grid.offsets[0, points], at)


@pytest.mark.parametrize("level", LEVELS)
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


def test_a_claim_that_no_sample_refutes_is_refused() -> None:
    """Beyond epsilon = 200 the numbers overflow, and the promise is empty anyway."""
    assert np.isfinite(around(PureDP(200)).slopes).all()
    with pytest.raises(InvalidArgument, match=r"at most 200 .* got 201"):
        around(PureDP(201))
    assert np.isfinite(around(GaussianDP(12)).slopes).all()
    with pytest.raises(InvalidArgument, match=r"mu must be at most 12 .* got 13"):
        around(GaussianDP(13))


BALLS = Balls(200)


def normal_cdf(x: Ball) -> Ball:
    """Enclose Phi."""
    return BALLS.erfc(-x / BALLS.sqrt(BALLS.rational(Fraction(2)))) / 2


def exact_delta(mu: Fraction, slope: Fraction) -> Ball:
    """Largest P(S) - s Q(S) of N(mu, 1) and N(0, 1), in balls."""
    center = BALLS.log(BALLS.rational(slope)) / mu
    half = BALLS.rational(mu / 2)
    return normal_cdf(half - center) - BALLS.rational(slope) * normal_cdf(-half - center)


@pytest.mark.parametrize("mu", ["1/20", "3/10", "1", "5/2", "12"])
def test_lines_of_a_gaussian_claim_touch_its_curve(mu: str) -> None:
    """Each t is at least the largest P(S) - s Q(S), certainly, and above it by at most 1e-6."""
    grid = around(GaussianDP(mu))
    values = [Fraction(value) for value in grid.axes[0].values]
    values[grid.claimed] = Fraction(mu)
    for point, value in enumerate(values):
        for s, t in zip(grid.slopes[:, point], grid.offsets[:, point], strict=True):
            if t == 1:
                continue  # every pair satisfies it
            exact = exact_delta(value, Fraction(s))
            assert certainly_less(exact, Fraction(t))
            assert certainly_less(Fraction(t), exact * Fraction("1.000001") + Fraction(11, 10**16))


def test_a_gaussian_claim_has_lines_all_along_its_curve() -> None:
    """What all lines allow an event is within 1 % of what the curve allows, for likely events."""
    from scipy.special import ndtr, ndtri

    grid = around(GaussianDP(1))
    s, t = grid.slopes[:, grid.claimed], grid.offsets[:, grid.claimed]
    for q in np.linspace(0.02, 0.98, 97):
        by_lines = float((s * q + t).min())
        # an event likely on the other arm is bounded by its complement's line the other way
        by_lines = min(by_lines, float((1 - (1 - q - t) / s).min()))
        exact = float(ndtr(ndtri(q) + 1))
        assert exact - 1e-12 <= by_lines <= exact + 0.01


def test_the_smallest_gaussian_claim_is_that_of_equal_laws() -> None:
    """Mu = 0 allows no difference but rounding."""
    grid = around(GaussianDP(0))
    assert grid.slopes[:, grid.claimed] == pytest.approx(1)
    assert grid.offsets[:, grid.claimed] == pytest.approx(0, abs=1e-14)


BUDGETS = PersonalizedDP(("1/2", 1, 3))


@pytest.mark.parametrize("user", [0, 1, 2])
def test_a_personalized_claim_is_the_pure_one_of_the_user(user: int) -> None:
    """Budgets count, and the axis of their common factor is the same for all users."""
    grid = lines_of(BUDGETS, Relation.SWAP, user=user)
    first = lines_of(BUDGETS, Relation.SWAP, user=0)
    budget = float(BUDGETS.budgets[user])
    [axis], [other] = grid.axes, first.axes
    assert axis.name == "budget_factor"
    np.testing.assert_array_equal(axis.values, other.values)
    assert axis.values[grid.claimed] == 1.0
    assert grid.claimed == first.claimed
    np.testing.assert_allclose(grid.slopes[0], np.exp(axis.values * budget), rtol=1e-14)
    assert (grid.offsets == 0).all()


@pytest.mark.parametrize("user", [None, -1, 3])
def test_a_personalized_claim_needs_its_user(user: int | None) -> None:
    """A pair without a user, or with one that is not there, is an error that says so."""
    with pytest.raises(InvalidArgument, match=rf"user whose record changes.*user={user}"):
        lines_of(BUDGETS, Relation.SWAP, user=user)


@pytest.mark.parametrize("level", [PureDP(1), ApproxDP(1, "1/10")], ids=str)
def test_the_profile_is_a_band_of_nine_axes(level: Level) -> None:
    """Each delta axis of the profile has its epsilon and a ninth of the level, after the others."""
    grid = lines_of(level, Relation.LISTED, profile=True)
    plain = around(level)
    band = [axis for axis in grid.axes if axis.at is not None]
    assert [axis.at for axis in band] == list(PROFILE)
    assert len(band) == 9
    assert all(axis.name == "delta" and axis.share == 1 / 9 for axis in band)
    assert grid.claimed == plain.claimed
    np.testing.assert_array_equal(grid.slopes[:, : plain.points], plain.slopes)
    for axis, points in blocks(grid.axes):
        assert (np.diff(axis.values) > 0).all()
        if axis.at is not None:
            np.testing.assert_allclose(grid.slopes[0, points], math.exp(axis.at))
            np.testing.assert_array_equal(grid.offsets[0, points], axis.values)


@pytest.mark.parametrize("level", [PureDP("1/10"), PureDP(5), ApproxDP(1, "1e-6")], ids=str)
def test_the_coarse_grid_is_a_part_of_the_fine_one(level: Level) -> None:
    """It must hold that many pairs get fewer points, the claim among them, and no others."""
    coarse, fine = (lines_of(level, Relation.LISTED, coarse=c) for c in (True, False))
    assert coarse.points < fine.points / 2
    for few, many in zip(coarse.axes, fine.axes, strict=True):
        assert set(few.values) <= set(many.values)
    for grid in (coarse, fine):
        assert grid.slopes[0, grid.claimed] == math.exp(float(supporting_line(level)[0]))
