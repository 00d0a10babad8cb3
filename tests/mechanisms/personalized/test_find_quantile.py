"""The private median on a grid: its law, its sampler, all small neighbors, and the odd records."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from audit.exact.exact_search import search
from mechanisms.laws import FLOATS
from mechanisms.personalized.quantile.find_quantile import FindQuantile
from mechanisms.personalized.quantile.law import LISTED, QuantileLaw, centered_law
from mechanisms.personalized.quantile.point_grid import PointGrid
from proofs_check.enclosure import Balls, endpoints
from tests.mechanisms.personalized.quantile_reference import centered, slow_law

F = Fraction
BOT = math.nan

hostile = st.sampled_from([math.nan, math.inf, -math.inf, -0.5, 10.5, 1e308])
inner = st.integers(0, 40).map(lambda k: k / 4)


def masses(law: QuantileLaw, cuts: Sequence[Fraction] = ()) -> NDArray[np.float64]:
    """Probabilities in the order of the outcomes."""
    return np.array([mass for _, mass in sorted(law.masses(FLOATS, cuts).items())])


@given(st.lists(inner, max_size=7), st.lists(hostile, max_size=3), st.sampled_from([0.5, 1.0, 3.0]))
def test_law_is_the_definition(data: list[float], more: list[float], epsilon: float) -> None:
    """It must hold on the records inside, rounded down; others must change nothing."""
    law = FindQuantile(epsilon).exact_law(more + data)
    found = masses(law)
    floors = [math.floor(x) for x in data]
    slow = slow_law(floors, range(11), epsilon, centered(len(floors)))
    np.testing.assert_allclose(found, slow, rtol=1e-12)
    assert sorted(law.masses(FLOATS)) == [F(k) for k in range(11)]  # type: ignore[type-var]


@given(st.lists(st.integers(0, 199), max_size=6), st.lists(st.integers(0, 200), max_size=4))
def test_runs_of_points_add_up_to_the_points(data: list[int], more: list[int]) -> None:
    """A run's mass must be the sum over its points, also where it is cut at more places."""
    grid = PointGrid(F(-3), F(97), F(1, 2))
    assert grid.last >= LISTED
    law = centered_law(F(3, 2), grid, data)
    slow = slow_law(data, range(grid.last + 1), 1.5, centered(len(data)))
    cuts = sorted(grid.point(place) for place in more)
    found = law.masses(FLOATS, cuts)
    assert {*law.cuts, *cuts} == {end for outcome in found for end in outcome}  # type: ignore[attr-defined]
    for outcome, mass in found.items():
        assert isinstance(outcome, tuple)
        run = slice(grid.place(outcome[0]), grid.place(outcome[1]))
        assert mass == pytest.approx(slow[run].sum(), rel=1e-12)
    assert sum(found.values()) == pytest.approx(1, rel=1e-12)


def test_outcomes_are_described() -> None:
    """A point and a run of points must be put in words."""
    law = FindQuantile(1, 0, 4, "1/2").exact_law([1.0])
    assert law.describe(F(3, 2)) == "z = 3/2"
    assert law.cuts == ()
    law = FindQuantile(1, 0, 1000, "1/2").exact_law([1.0])
    assert law.cuts == (F(0), F(1), F(3, 2), F(2001, 2))
    assert law.describe((F(3, 2), F(2001, 2))) == "z is one of the points from 3/2 to 1000"


def neighbors(values: Sequence[float], size: int) -> list[tuple[Any, Any]]:
    """All data of a size that differ in one record, the placeholder included."""
    return [
        ((*rest, x), (*rest, y))
        for rest in product(values, repeat=size - 1)
        for x, y in combinations(values, 2)
    ]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_all_small_neighbors_keep_epsilon(size: int) -> None:
    """No replaced or missing record may lose more than epsilon, and one loses a quarter of it."""
    mechanism = FindQuantile("3/2", 0, 3)
    pairs = neighbors((0.0, 1.0, 3.0, BOT), size)
    found = search(mechanism, pairs, F(3, 2), F(0))
    assert found.broken is None
    assert search(mechanism, pairs, F(3, 8) - F(1, 10**6), F(0)).broken is not None


def test_losses_on_a_far_grid_are_known() -> None:
    """A score that moves by 1/2 must lose epsilon / 4, one that moves by 1 epsilon / 2.

    On 2^30 points a record that moves by one leaves the normalizer alike; one that is lost changes
    the scores of nearly all points by 1/2, and that of its own point the other way.
    """
    mechanism = FindQuantile(2, 0, 2**30)
    for data, neighbor, loss in (
        ([0.0], [1.0], F(1, 2)),
        ([0.0, 0.0], [0.0, 1.0], F(1)),
        ([0.0] * 3, [0.0, 0.0, 1.0], F(1)),
        ([0.0, 1.0], [0.0, BOT], F(1)),
        ([0.0], [BOT], F(1, 2)),
    ):
        found = search(mechanism, [(data, neighbor)], F(2), F(0))
        assert found.ratio is not None
        lower, upper = endpoints(Balls(64).log(found.ratio))
        assert abs(float(lower) - loss) < 1e-6
        assert abs(float(upper) - loss) < 1e-6


def test_a_missing_record_is_not_zero() -> None:
    """The placeholder and a record outside must be alike, and differ from a record 0."""
    mechanism = FindQuantile()
    missing = mechanism.exact_law([BOT, 4.0])
    assert missing == mechanism.exact_law([4.0, -1.0]) == mechanism.exact_law([4.0])
    assert missing != mechanism.exact_law([0.0, 4.0])


@given(st.permutations([0.0, 2.0, 2.0, 5.0, BOT, 12.0]), st.integers(0, 2**32))
def test_the_order_of_records_is_nothing(data: list[float], seed: int) -> None:
    """Another order must give the same law and the same draws."""
    mechanism, first = FindQuantile(), [0.0, 2.0, 2.0, 5.0, BOT, 12.0]
    assert mechanism.exact_law(data) == mechanism.exact_law(first)
    draws = [mechanism.sample(x, 9, rng=np.random.default_rng(seed)) for x in (data, first)]
    np.testing.assert_array_equal(draws[0], draws[1])


def test_draws_lie_on_the_grid(dp_rng: np.random.Generator) -> None:
    """Draws must be (size,) doubles of the grid, which may have one point."""
    draws = FindQuantile("1/2", -1, 1, "0.4").sample([], 500, rng=dp_rng)
    assert draws.shape == (500,)
    assert Counter(draws.tolist()).keys() == {-1.0, -0.6, -0.2, 0.2, 0.6, 1.0}
    assert FindQuantile(1, 5, 5).sample([1.0], 3, rng=dp_rng).tolist() == [5.0] * 3
