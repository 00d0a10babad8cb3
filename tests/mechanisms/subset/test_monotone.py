"""Monotone statistics between two thresholds: law, sampler, privacy and accuracy."""

from __future__ import annotations

from fractions import Fraction
from math import exp
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from mechanisms.laws import FLOATS
from mechanisms.protocols import FiniteLaw
from mechanisms.subset.inverse_sensitivity import InverseSensitivity
from mechanisms.subset.monotone import MonotoneStatistic, exponent, rank_error, ranks
from mechanisms.subset.pruned_selection import PrunedSelection
from mechanisms.subset.scores.statistic import Statistic
from tests.mechanisms.subset.test_moves import slow_image

F = Fraction

STATISTICS = [
    ("median", "1/2", 2, "crossing"),
    ("quantile", "3/4", 2, "length"),
    ("quantile", "1/3", 2, "crossing"),
    ("mean", "1/2", 2, "crossing"),
    ("mean", "1/2", 2, "length"),
    ("power", "1/2", 3, "crossing"),
]


def masses(mechanism: Any, data: Any) -> np.ndarray:
    """Probabilities of the grid points, in doubles."""
    return np.array(list(mechanism.exact_law(data).masses(FLOATS).values()))


def selection(steps: int, rank: int, k: int, c: Fraction, epsilon: Fraction) -> Any:
    """The steps of the algorithm for the median on the places, with parameters of one's own."""
    median = Statistic.checked("median", "1/2", 2, "crossing")
    return PrunedSelection(epsilon / 4, F(0), F(steps), steps, rank, k, median, c)


def slow_threshold(data: list[int], m: int, rank: int, epsilon: float) -> np.ndarray:
    """Law of a threshold on the places 0..m-1 (SUB-C3.8p), place by place."""
    weights = []
    for i in range(m):
        below, up_to = sum(x < i for x in data), sum(x <= i for x in data)
        own = exp(-epsilon / 2 * max(0, below - rank, rank - up_to))
        left, right = (exp(-epsilon / 2 * abs(rank - count)) for count in (below, up_to))
        weights.append((i > 0) * (own / 3 + left / 6) + (i < m - 1) * (own / 3 + right / 6))
    return np.array(weights) / sum(weights)


def slow_median_score(data: list[int], t: int) -> int:
    """Score of the lower median: records to add at t."""
    below, at = sum(x < t for x in data), sum(x == t for x in data)
    above = len(data) - below - at
    return max(0, below - at - above + 1, above - below - at)


def slow_law(data: list[int], m: int, rank: int, k: int, epsilon: float, c: float) -> np.ndarray:
    """Law of the release: all thresholds, all records, all targets."""
    lower = slow_threshold(data, m, rank, epsilon)
    upper = slow_threshold(data, m, len(data) - rank, epsilon)
    law = np.zeros(m)
    for first in range(m):
        for second in range(m):
            a, b = min(first, second), max(first, second)
            inside = [x for x in slow_image(tuple(data), k) if a <= x <= b]
            weights = np.array([exp(-c * slow_median_score(inside, t)) for t in range(a, b + 1)])
            law[a : b + 1] += lower[first] * upper[second] * weights / weights.sum()
    return law


@settings(max_examples=40)
@given(
    st.lists(st.integers(0, 4), max_size=9),
    st.integers(0, 5),
    st.integers(0, 4),
    st.sampled_from([F(1, 8), F(1, 3), F(2)]),
)
def test_law_is_the_sum_over_all_windows(data: list[int], rank: int, k: int, c: Fraction) -> None:
    """The stated law must be that of the steps, done one by one."""
    law = masses(selection(4, rank, k, c, F(1)), [float(x) for x in data])
    np.testing.assert_allclose(law, slow_law(data, 5, rank, k, 1 / 4, float(c)), rtol=1e-12)


@pytest.mark.parametrize(
    ("steps", "epsilon", "r", "four"),
    [
        (200, F(1), 374.247904696454, 1496.99161878582),
        (200, F(1, 2), 748.495809392908, 2993.98323757163),
    ],
)
def test_ranks_follow_the_reference(steps: int, epsilon: Fraction, r: float, four: float) -> None:
    """It must hold that r is that of SUB-A4, and that 7 r / 4 and 3 r / 2 come of the next 4."""
    assert float(rank_error(epsilon, steps, 4).value) == pytest.approx(r, rel=1e-14)
    assert float(rank_error(epsilon, steps, 16).value) == pytest.approx(four, rel=1e-14)
    whole = 4 * -(-r // 4)
    assert ranks(epsilon, steps) == (7 * whole / 4, 3 * whole / 2)


def test_exponents_cost_half_of_epsilon() -> None:
    """Twice the exponent times the most that a score changes must be epsilon / 2."""
    assert exponent(F(1), "length") == F(1, 12)
    assert exponent(F(3), "crossing") == F(3, 8)


@pytest.mark.parametrize("score", ["crossing", "length"])
def test_parameters_reach_the_steps(score: str) -> None:
    """Each threshold must have epsilon / 4 and the sound rank, whatever the unit of the data."""
    mechanism = MonotoneStatistic(2, -3, 3, "3/50", "quantile", "1/4", score=score)
    law = mechanism.exact_law([0.0])
    assert isinstance(law, FiniteLaw)
    assert (law.lower.epsilon, law.upper.epsilon) == (F(1, 2), F(1, 2))
    assert law.exponent == exponent(F(2), score)
    assert law.releases == tuple(-3 + F(3, 50) * i for i in range(101))
    rank, _ = ranks(F(2), 100)
    assert law.lower.weights[0][0][1] == rank - 0  # no record below: the distance is the rank
    assert law.upper.weights[-1][0][1] == rank
    assert not law.rational
    assert law.cuts == ()


def test_masses_add_up(subtests: pytest.Subtests, dp_rng: np.random.Generator) -> None:
    """Every statistic must give a law on the whole grid, all places positive."""
    for arguments in STATISTICS:
        for size in [0, 3, 12, 40]:
            with subtests.test(arguments=arguments, size=size):
                statistic, level, power, score = arguments
                mechanism = MonotoneStatistic(
                    20, 0, 1, "1/8", statistic=statistic, level=level, power=power, score=score
                )
                law = masses(mechanism, dp_rng.random(size))
                assert law.shape == (9,)
                assert law.min() > 0
                assert law.sum() == pytest.approx(1, rel=1e-12)


def test_records_are_rounded_to_the_grid() -> None:
    """A record must count as the nearest grid point."""
    mechanism = MonotoneStatistic(20, 0, 1, "1/4")
    found = masses(mechanism, [0.3, 0.9, 0.4])
    np.testing.assert_array_equal(found, masses(mechanism, [0.25, 1.0, 0.5]))


def test_without_records_windows_are_uniform() -> None:
    """No record: of equally likely thresholds inside, all places of a window must be alike."""
    np.testing.assert_allclose(
        masses(MonotoneStatistic(1, 0, 2, 1), []), slow_law([], 3, 7, 6, 1 / 4, 1.0), rtol=1e-12
    )


def test_one_value_is_the_release(dp_rng: np.random.Generator) -> None:
    """Bounds that are equal must be the release, whatever the data."""
    mechanism = MonotoneStatistic(1, 2, 2)
    assert np.all(mechanism.sample([1.0, 5.0], 10, rng=dp_rng) == 2)
    assert mechanism.exact_law([]).masses(FLOATS) == {F(2): 1.0}


def bound(data: list[int], r: int, statistic: str) -> float:
    """Distance of the statistic without the 4 r smallest and without the 4 r largest records."""
    halves = data[4 * r :], data[: -4 * r]
    values = [
        np.mean(half) if statistic == "mean" else half[-(-len(half) // 2) - 1] for half in halves
    ]
    return float(values[0] - values[1])


NORMAL = norm.ppf((np.arange(280) + 0.5) / 280)


DATA_SETS = [
    [10] * 280,
    [0] * 280,
    [3] * 140 + [4] * 140,
    [0] * 120 + [9] * 40 + [20] * 120,
    [0] * 140 + [20] * 140,
    [int(x) for x in np.rint(10 + 3 * NORMAL)],
    [int(x) for x in np.rint(np.minimum(2 * np.exp(NORMAL), 20))],
]


def test_error_is_within_the_bound(subtests: pytest.Subtests) -> None:
    """With more than 4.5 r records the mean loss must be at most that of SUB-T4.3s."""
    for data in DATA_SETS:
        for statistic, spare in [("median", 7.5), ("mean", 8.0)]:
            with subtests.test(data=data, statistic=statistic, spare=spare):
                mechanism = MonotoneStatistic(4, 0, 20, 1, statistic)
                rank, _ = ranks(F(4), 20)
                r = 4 * rank // 7
                assert len(data) > 4.5 * r
                center = np.mean(data) if statistic == "mean" else data[-(-len(data) // 2) - 1]
                loss = masses(mechanism, data) @ np.abs(np.arange(21) - center)
                assert loss <= bound(data, r, statistic) + spare
                if statistic == "median" and set(data) == {0, 20}:
                    assert loss > spare  # which is not enough without the distance


def test_few_records_are_private_but_useless() -> None:
    """With n far below 4.5 r the mean loss must exceed the bound; inverse sensitivity not."""
    data = [0.0] * 40  # all of them leave the grid downward
    loss = masses(MonotoneStatistic(1, 0, 50, 1), data) @ np.arange(51)
    direct = InverseSensitivity(1, 0, 50, 1).exact_law(data).atoms(FLOATS)
    assert loss > 7.5
    assert sum(float(t) * p for t, p in direct.items()) < 1e-5
