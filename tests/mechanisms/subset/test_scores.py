"""Scores of inverse sensitivity against search over all data sets, and their sensitivity."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mechanisms.errors import InvalidArgument
from mechanisms.subset.scores import mean, power, quantile
from mechanisms.subset.scores.statistic import DENOMINATORS_MOST, Statistic, check_grid
from tests.slow import by_default
from tests.speed import calls_of

F = Fraction
Counts = NDArray[np.int64]
Theta = Callable[[tuple[int, ...], Fraction], int]
"""Sign of theta(data) - y."""


def statistic(name: str, score: str = "crossing", **arguments: Any) -> Statistic:
    """Read a statistic as the mechanisms do."""
    given = {"level": "1/2", "power": 2} | arguments
    return Statistic.checked(name, given["level"], given["power"], score)


CASES = {
    "median": statistic("median"),
    "lower quartile": statistic("quantile", level="1/4"),
    "lower quartile, length": statistic("quantile", "length", level="1/4"),
    "upper quartile": statistic("quantile", level="3/4"),
    "upper quartile, length": statistic("quantile", "length", level="3/4"),
    "third": statistic("quantile", level="1/3"),
    "third, length": statistic("quantile", "length", level="1/3"),
    "two fifths, length": statistic("quantile", "length", level="2/5"),
    "mean": statistic("mean"),
    "mean, length": statistic("mean", "length"),
    "power 3": statistic("power", power=3),
    "power 3/2": statistic("power", power="3/2"),
    "power 2": statistic("power"),
    "power 2, length": statistic("power", "length"),
}
TABLES = CASES | {
    "power 6": statistic("power", power=6),
    "power 64": statistic("power", power=64),
}
"""With powers whose tables are rounded."""

QUICK = [name for name in CASES if not name.startswith("power 2") and name != "power 3"]


def counts_of(data: tuple[int, ...], places: int) -> Counts:
    """Number of records at each place."""
    return np.bincount(np.array(data, dtype=np.int64), minlength=places).astype(np.int64)


def multisets(places: int, sizes: range) -> Iterator[tuple[int, ...]]:
    """All multisets of some sizes."""
    for size in sizes:
        yield from combinations_with_replacement(range(places), size)


def sign(value: float | Fraction) -> int:
    """-1, 0 or 1; of doubles with room for rounding."""
    room = 1e-9 if isinstance(value, float) else 0
    return (value > room) - (value < -room)


def slope(distance: Fraction, exponent: Fraction) -> float | Fraction:
    """Slope of |x - y|^p at y; exact where it can be."""
    if exponent.denominator == 1:
        return sign(distance) * abs(distance) ** int(exponent)
    return sign(distance) * abs(float(distance)) ** float(exponent)


def theta_of(chosen: Statistic) -> Theta:
    """Where a statistic lies, by its definition."""
    if chosen.name == "mean":
        return lambda data, y: sign(F(sum(data), len(data)) - y)
    if chosen.name == "power":
        # The minimizer lies where the slope of sum |x - y|^p changes its sign.
        return lambda data, y: sign(sum(slope(x - y, chosen.power - 1) for x in data))
    q = chosen.level
    return lambda data, y: sign(sorted(data)[-(-len(data) * q.numerator // q.denominator) - 1] - y)


@cache
def searched(
    name: str, places: int, most: int
) -> tuple[Counts, NDArray[np.bool_], NDArray[np.bool_]]:
    """All D' that are not empty, and for each t whether theta >= t - h, and theta <= t + h."""
    chosen = CASES[name]
    theta = theta_of(chosen)
    tolerant = chosen.name in ("mean", "power") and chosen.score == "crossing"
    h = F(1, 2) if tolerant else F(0)
    data = list(multisets(places, range(1, most + 1)))
    up = np.array([[theta(d, t - h) >= 0 for t in range(places)] for d in data])
    down = np.array([[theta(d, t + h) <= 0 for t in range(places)] for d in data])
    return np.array([counts_of(d, places) for d in data]), up, down


def by_search(name: str, counts: Counts, most: int) -> Counts:
    """The score of each place by its definition."""
    others, up, down = searched(name, counts.size, most)
    if not counts.any():
        return np.ones_like(counts)
    edits = np.abs(others - counts).sum(axis=1)[:, None]

    def fewest(reached: NDArray[np.bool_]) -> Counts:
        return np.asarray(np.where(reached, edits, 99).min(axis=0), dtype=np.int64)

    if CASES[name].score == "length":
        return fewest(up & down)
    return np.maximum(fewest(up), fewest(down))


@pytest.mark.parametrize("name", by_default(QUICK, CASES))
def test_scores_are_those_of_a_search(name: str) -> None:
    """For all data of up to 4 records on 4 places, all D' of up to 9 must give the same numbers."""
    for data in multisets(4, range(5)):
        counts = counts_of(data, 4)
        np.testing.assert_array_equal(
            CASES[name].scores(counts), by_search(name, counts, 9), str(data)
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_scores_are_those_of_a_search_on_more_places(name: str) -> None:
    """The same must hold on 5 places, and on 3 for up to 6 records."""
    for places, records in ((5, 4), (3, 6)):
        for data in multisets(places, range(records + 1)):
            counts = counts_of(data, places)
            found = CASES[name].scores(counts)
            np.testing.assert_array_equal(
                found, by_search(name, counts, 2 * records + 1), str(data)
            )


@pytest.mark.parametrize(
    "name",
    by_default([*QUICK, "power 2"], TABLES),
)
def test_sensitivity_is_one_by_enumeration(name: str) -> None:
    """Over all data of up to 4 records on 5 places one more must move a score by 1, and no more."""
    moved = 0
    for data in multisets(5, range(5)):
        counts = counts_of(data, 5)
        for x in range(5):
            more = counts + (np.arange(5) == x)
            change = TABLES[name].scores(more) - TABLES[name].scores(counts)
            moved = max(moved, int(np.abs(change).max()))
    assert moved == 1


@given(
    st.sampled_from(sorted(TABLES)),
    st.lists(st.integers(0, 40), min_size=2, max_size=24),
    st.data(),
)
def test_sensitivity_is_at_most_one(name: str, records: list[int], data: st.DataObject) -> None:
    """It must hold of many records on many places too; each place may have some or none."""
    counts = np.array([max(0, n - 20) for n in records], dtype=np.int64)
    more = counts.copy()
    more[data.draw(st.integers(0, counts.size - 1))] += 1
    scores = TABLES[name].scores
    assert np.abs(scores(more) - scores(counts)).max() <= 1


@given(st.lists(st.integers(0, 12), min_size=1, max_size=16).filter(any))
def test_crossing_and_length_of_the_mean_differ_by_one(records: list[int]) -> None:
    """The greedy number of edits to the mean t, h = 0, must be len or one less (SUB-A5)."""
    counts = np.array(records, dtype=np.int64)
    n = int(counts.sum())
    down, up = (mean._steps(c, 0).crossing(n) for c in (counts, counts[::-1]))
    greedy = np.maximum(down, up[::-1])
    over = mean.length(counts) - greedy
    assert set(over.tolist()) <= {0, 1}
    assert np.all(mean.crossing(counts) <= greedy)


def test_length_of_the_mean_needs_the_sum() -> None:
    """Of {0, 4} no record alone leaves the mean 1; of {0, 0, 5, 6} the second largest leaves 2.

    The greedy rule removes one record in both cases, the largest, which leads past the mean.
    """
    for data, t, fewest in (((0, 4), 1, 2), ((0, 0, 5, 6), 2, 1)):
        counts = counts_of(data, 7)
        assert mean._steps(counts, 0).crossing(len(data))[t] == 1
        assert mean.length(counts)[t] == fewest


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=12),
    st.sampled_from([n for n, s in TABLES.items() if s.name in ("mean", "power")]),
)
def test_mirrored_data_have_mirrored_scores(records: list[int], name: str) -> None:
    """It must hold of the mean and the other minimizers."""
    counts = np.array(records, dtype=np.int64)
    mirrored = TABLES[name].scores(counts[::-1])[::-1]
    np.testing.assert_array_equal(TABLES[name].scores(counts), mirrored)


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=12),
    st.fractions(F(1, 50), F(49, 50), max_denominator=DENOMINATORS_MOST["level"]),
)
def test_best_place_is_the_quantile(records: list[int], level: Fraction) -> None:
    """The lower quantile x_(ceil(q n)), inverse of the cdf, must be the one place of length 0."""
    counts = np.array(records, dtype=np.int64)
    data = np.repeat(np.arange(counts.size), counts)
    if data.size:
        lower = data[-(-data.size * level.numerator // level.denominator) - 1]
        assert np.flatnonzero(quantile.length(counts, level) == 0).tolist() == [lower]
        assert np.flatnonzero(quantile.crossing(counts, level) == 0).tolist() == [lower]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12))
def test_median_is_the_quantile_of_one_half(records: list[int]) -> None:
    """Its formula must agree with both scores of the quantile."""
    counts = np.array(records, dtype=np.int64)
    for rule in (quantile.length, quantile.crossing):
        np.testing.assert_array_equal(quantile.median(counts), rule(counts, F(1, 2)))


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12))
def test_power_two_is_the_mean(records: list[int]) -> None:
    """Sums by tables must give what prefix sums give."""
    counts = np.array(records, dtype=np.int64)
    np.testing.assert_array_equal(power.crossing(counts, F(2)), mean.crossing(counts))


def test_best_place_has_score_zero(subtests: pytest.Subtests) -> None:
    """With the tolerance h some place must have score 0 for every data set that is not empty."""
    for name in TABLES:
        with subtests.test(name=name):
            if TABLES[name].score == "length" and TABLES[name].name in ("mean", "power"):
                assert TABLES[name].scores(counts_of((0, 1), 4)).min() == 1  # the mean is no place
            else:
                assert all(
                    TABLES[name].scores(counts_of(data, 5)).min() == 0
                    for data in multisets(5, range(1, 6))
                )


def test_tables_of_powers_are_odd_powers() -> None:
    """Small tables must be exact, large ones ascend to 2^32 and start at least at 1."""
    np.testing.assert_array_equal(power.weights(5, F(3)), [1, 9, 25, 49, 81])
    np.testing.assert_array_equal(power.weights(4, F(2)), [1, 3, 5, 7])
    for p in (F(3, 2), F(30), F(64)):
        table = power.weights(1000, p)
        assert table[0] >= 1
        assert table[-1] == power.WEIGHT_MOST
        assert np.all(np.diff(table) >= 0)
        np.testing.assert_allclose(
            table[500:], 2.0**32 * (np.arange(1001, 2000, 2) / 1999) ** (float(p) - 1), atol=1
        )


def test_largest_tables_do_not_overflow() -> None:
    """A billion records at the far end must still have an exact sum: all but one are removed."""
    counts = np.zeros(2**13, dtype=np.int64)
    counts[-1] = 2**30
    for p in (F(3), F(7, 2)):
        scores = power.crossing(counts, p)
        assert scores[-1] == 0
        assert scores[0] == 2**30 + 1
        assert np.all(np.diff(scores) <= 0)


def test_median_of_ten_thousand_records_is_quick() -> None:
    """On 10^4 places it must not look at one after the other."""
    calls, _ = calls_of(lambda: CASES["median"].scores(np.ones(10**4, dtype=np.int64)))
    assert calls < 1000


@pytest.mark.parametrize(
    ("name", "most"),
    [("median", 2**24), ("mean", 2**24), ("mean, length", 2**8), ("power 3", 2**13)],
)
def test_too_many_places_raise(name: str, most: int) -> None:
    """The limit of a grid must be that of the statistic, with what to do."""
    TABLES[name].check_points(most)
    with pytest.raises(InvalidArgument, match="take a larger step") as caught:
        TABLES[name].check_points(most + 1)
    assert ("score 'crossing'" in str(caught.value).split("take")[1]) == ("length" in name)


def test_steps_lead_from_low_to_high() -> None:
    """It must hold in whole steps, and of no width."""
    assert check_grid(F(0), F(3, 2), "1/4") == (F(1, 4), 6)
    assert check_grid(F(2), F(2), None) == (F(0), 0)
