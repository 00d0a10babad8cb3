"""The discrete hourglass in exact rationals: normalizer, privacy of every move; and its sampler."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
import pytest

from mechanisms.noise.discrete_hourglass import DiscreteHourglass, default_level0
from mechanisms.noise.hourglass import Hourglass
from tests.calibrated import assert_law, assert_not_law, draws_for
from tests.mechanisms.noise.reference import STAIRCASE

RATIO = Fraction(2, 7)
"""Stands for b = e^-epsilon in the exact tests: the statements hold for every b in (0, 1)."""


@final
@dataclass(frozen=True)
class Log:
    """The number ln(argument), kept as its argument."""

    argument: Fraction

    def __sub__(self, multiple: Fraction) -> Log:
        return Log(self.argument * RATIO ** int(multiple))


@final
class RationalRatio:
    """Exact rationals as an `Arithmetic`, for epsilon = 1 with e^-1 read as RATIO."""

    def rational(self, value: Fraction) -> Fraction:
        """Keep the rational."""
        return value

    def pi(self) -> Any:
        """Not needed."""
        raise NotImplementedError

    def exp(self, x: Any) -> Fraction:
        """Undo `log`, or read e^-k as RATIO^k."""
        return x.argument if isinstance(x, Log) else RATIO ** int(-x)

    def log(self, x: Fraction) -> Any:
        """Keep the argument."""
        return Log(x)

    def sqrt(self, x: Any) -> Any:
        """Not needed."""
        raise NotImplementedError

    def erfc(self, x: Any) -> Any:
        """Not needed."""
        raise NotImplementedError


GRIDS = [(1, 1), (4, 1), (4, 2), (5, 5), (6, 3)]


@pytest.mark.parametrize(("grid", "level0"), GRIDS)
def test_every_move_changes_the_pmf_by_one_ratio(grid: int, level0: int) -> None:
    """It must hold exactly that P(j, t) / P(j + m, t + 1) is b or 1/b for every m in 0..Q."""
    atoms = DiscreteHourglass(1, grid, level0).exact_law().atoms(RationalRatio())
    box = [(j, t) for j in range(-3 * grid, 3 * grid + 1) for t in range(-4, 5)]
    pmf = {
        (j, t): atoms[Fraction(j), Fraction(t)]
        for j in range(-3 * grid, 4 * grid + 1)
        for t in range(-4, 6)
    }
    for (j, t), m in itertools.product(box, range(grid + 1)):
        assert pmf[j, t] / pmf[j + m, t + 1] in (RATIO, 1 / RATIO)
    beyond = {pmf[j, 0] / atoms[Fraction(j + grid + 1), Fraction(1)] for j in range(-2 * grid, 0)}
    assert beyond - {RATIO, 1 / RATIO}, "a move beyond one unit must cost more"


@pytest.mark.parametrize(("grid", "level0"), GRIDS)
def test_pmf_adds_up_to_one(grid: int, level0: int) -> None:
    """It must hold exactly that a box holds 1 less its two geometric tails."""
    atoms = DiscreteHourglass(1, grid, level0).exact_law().atoms(RationalRatio())
    levels, reach = 3, 4
    edge = (levels - 1) * grid + level0 + grid  # levels 0..3 are |j| < edge
    total = Fraction(0)
    for j in range(1 - edge, edge):
        s = DiscreteHourglass(1, grid, level0).level(j).item()
        total += sum(atoms[Fraction(j), Fraction(t)] for t in range(s - reach, s + reach + 1))
    b = RATIO
    height = 1 / (2 * level0 - 1 + 2 * grid * b / (1 - b))
    outside_levels = 2 * grid * height * b ** (levels + 1) / (1 - b)
    outside_lines = 2 * b ** (reach + 1) / (1 + b)
    assert total == (1 - outside_levels) * (1 - outside_lines)


@pytest.mark.parametrize(("grid", "level0"), GRIDS)
def test_levels_and_total_are_those_of_the_continuous_law(grid: int, level0: int) -> None:
    """It must hold that levels and pmf of T are the hourglass's at gamma = (r - 1/2) / Q."""
    law = DiscreteHourglass("3/2", grid, level0)
    continuous = Hourglass("3/2", law.gamma)
    j = np.arange(-5 * grid, 5 * grid + 1)
    np.testing.assert_array_equal(law.level(j), continuous.marginal().level(j / grid))
    wide = np.arange(-40 * grid, 40 * grid + 1)
    for t in range(-3, 4):
        total = law.pmf(wide, t).sum()
        assert total == pytest.approx(float(continuous.total_pmf(t)), rel=1e-12, abs=0)
    for k in (0, 1, -grid, 2 * grid):  # both marginals: j2 = t Q - j1
        t = np.arange(-30, 31)
        assert law.pmf(k, t).sum() == pytest.approx(float(law.marginal_pmf(k)), rel=1e-12, abs=0)
        assert law.pmf(t * grid - k, t).sum() == pytest.approx(
            float(law.marginal_pmf(k)), rel=1e-12
        )


def slow_moment(law: DiscreteHourglass, p: int, q: int) -> float:
    """E z1^p T^q as a sum over the atoms."""
    reach = math.ceil(50 / float(law.epsilon)) + 1
    j = np.arange(-reach * law.grid, reach * law.grid + 1)
    total = 0.0
    for d in range(-reach, reach + 1):
        t = law.level(j) + d
        total += float((law.pmf(j, t) * (j / law.grid) ** p * t**q).sum())
    return total


@pytest.mark.parametrize(
    ("epsilon", "grid", "level0"), [(1, 1, 1), (1, 6, 2), (2, 5, 5), ("1/2", 9, None), (12, 4, 1)]
)
def test_moments_match_their_plain_twins(epsilon: int, grid: int, level0: int | None) -> None:
    """It must hold that the closed moments are sums over the atoms."""
    law = DiscreteHourglass(epsilon, grid, level0)
    assert law.variance() == pytest.approx(slow_moment(law, 2, 0), rel=1e-12, abs=0)
    assert law.fourth_moment() == pytest.approx(slow_moment(law, 4, 0), rel=1e-12, abs=0)
    assert law.total_variance() == pytest.approx(slow_moment(law, 0, 2), rel=1e-12, abs=0)
    assert law.total_fourth_moment() == pytest.approx(slow_moment(law, 0, 4), rel=1e-12, abs=0)
    assert law.cross_moment_13() == pytest.approx(slow_moment(law, 1, 3), rel=1e-12, abs=0)
    assert law.cross_moment_22() == pytest.approx(slow_moment(law, 2, 2), rel=1e-11, abs=0)
    product = slow_moment(law, 1, 1) - slow_moment(law, 2, 0)
    assert law.covariance() == pytest.approx(product, rel=1e-10, abs=1e-14)


@pytest.mark.parametrize("epsilon", STAIRCASE)
def test_default_level0_is_the_nearest(epsilon: str) -> None:
    """It must hold that r is the integer nearest to gamma* Q + 1/2, in 1..Q."""
    for grid in (1, 2, 10, 1024, 10**6):
        r, target = DiscreteHourglass(epsilon, grid).level0, STAIRCASE[epsilon][1] * grid + 0.5
        assert r == default_level0(float(epsilon), grid) == min(max(round(target), 1), grid)
    assert DiscreteHourglass(50, 1024).level0 == 1


@pytest.mark.parametrize("epsilon", ["1/10", 1, 5])
def test_fine_grid_approaches_the_hourglass(epsilon: str) -> None:
    """It must hold that the grid adds at most 1 / Q^2 to the variance."""
    best = Hourglass(epsilon).variance()
    for grid in (64, 1024, 2**20):
        assert abs(DiscreteHourglass(epsilon, grid).variance() - best) < 1 / grid**2 + 1e-14 * best


@pytest.mark.parametrize(
    ("epsilon", "grid", "level0"), [(1, 4, 2), ("1/2", 3, 1), (1, 5, 5), (2, 1, 1)]
)
def test_sampler_has_the_pmf(
    epsilon: int, grid: int, level0: int, dp_rng: np.random.Generator
) -> None:
    """It must hold that pairs (j, T) follow the pmf; 5 % in epsilon and a wrong r are rejected."""
    law = DiscreteHourglass(epsilon, grid, level0)
    reach, width = 6, 6 * grid
    j, t = np.meshgrid(np.arange(-width, width + 1), np.arange(-reach, reach + 1), indexing="ij")
    order = np.argsort(law.pmf(j, t), axis=None)[::-1]
    rank = np.empty(order.size)
    rank[order] = np.arange(order.size)

    def table_of(tried: DiscreteHourglass) -> np.ndarray:
        inside = np.cumsum(tried.pmf(j, t).ravel()[order])
        return np.concatenate(([0.0], inside, [1.0]))  # the last cell is the rest of the plane

    def code(tried: DiscreteHourglass, n: int) -> np.ndarray:
        first, total = tried.sample_parts(n, rng=dp_rng)
        inside = (np.abs(first) <= width) & (np.abs(total) <= reach)
        index = (first + width) * (2 * reach + 1) + total + reach
        return np.where(inside, rank[np.where(inside, index, 0)], order.size)

    table = table_of(law)
    wrong_level0 = level0 - 1 if level0 > 1 else level0 + 1
    wrongs = [DiscreteHourglass(law.epsilon / Fraction("1.05"), grid, level0)]
    if grid > 1:
        wrongs.append(DiscreteHourglass(epsilon, grid, wrong_level0))
    distance = min(float(np.abs(table_of(w) - table).max()) for w in wrongs)
    n = draws_for(distance)

    def cdf(x: np.ndarray) -> np.ndarray:
        return table[x.astype(int) + 1]

    def left_cdf(x: np.ndarray) -> np.ndarray:
        return table[x.astype(int)]

    assert_law(code(law, n), cdf, distance, left_cdf=left_cdf)
    for wrong in wrongs:
        assert_not_law(code(wrong, n), cdf, distance, left_cdf=left_cdf)


def test_columns_are_integers() -> None:
    """It must hold that `sample` stacks `sample_parts` as int64."""
    law = DiscreteHourglass(1)
    pairs = law.sample(1000, rng=np.random.default_rng(5))
    parts = law.sample_parts(1000, rng=np.random.default_rng(5))
    assert pairs.dtype == np.int64
    np.testing.assert_array_equal(pairs, np.stack(parts, axis=1))


def test_largest_grid_does_not_overflow(dp_rng: np.random.Generator) -> None:
    """It must hold that the widest allowed law draws integers of the right size."""
    law = DiscreteHourglass(Fraction(1, 2**24), 2**32)
    j, _ = law.sample_parts(100_000, rng=dp_rng)
    assert abs(np.abs(j / 2**32).mean() / law.mean_absolute() - 1) < 0.03
