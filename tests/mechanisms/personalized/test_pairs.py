"""Random matchings of survivors, and counts by binary exponents."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mechanisms.personalized.sparse.octaves import counts_within, octaves
from mechanisms.personalized.sparse.pairs import chunks, matched_differences, scan, sorted_records
from mechanisms.personalized.sparse.stage_laws import matched_octaves
from tests.mechanisms.personalized.index_reference import frequencies, slow_index_law
from tests.mechanisms.subset import chi_square

Array = NDArray[np.float64]

RULERS = {
    2: [0, 1],
    3: [0, 1, 3],
    4: [0, 1, 4, 6],
    5: [0, 1, 4, 9, 11],
    6: [0, 1, 4, 10, 12, 17],
}
"""Golomb rulers: a difference of two marks tells the two marks."""
MATCHINGS = {2: 1, 3: 3, 4: 3, 5: 15, 6: 15}

sizes = st.one_of(
    st.floats(0, allow_nan=False, allow_infinity=False),
    st.integers(-70, 70).map(lambda k: 2.0**k),
    st.sampled_from([0.0, 5e-324, 2.0**-1022, 1.5, 3.0, 1.7976931348623157e308]),
)
units = st.one_of(st.floats(1e-75, 1e75), st.sampled_from([1.0, 0.5, 3.0, 0.1, 2.0**-65]))


def drawn_matchings(
    count: int, kept: list[int], places: int, draws: int, rng: np.random.Generator
) -> Counter[frozenset[tuple[int, int]]]:
    """How often each matching of the kept marks of a ruler is drawn, among other records."""
    marks = np.full(places, math.nan)
    marks[kept] = np.array(RULERS[count], dtype=float)
    alive = np.zeros((draws, places), dtype=np.bool_)
    alive[:, kept] = True
    alive[:, kept[0] - 1] = True  # a placeholder that survives
    differences, rows = matched_differences(marks, alive, rng=rng)
    which = {abs(x - y): (x, y) for x, y in combinations(RULERS[count], 2)}
    assert len(which) == math.comb(count, 2)
    found = differences.astype(int).reshape(draws, count // 2)
    np.testing.assert_array_equal(rows, np.repeat(np.arange(draws), count // 2))
    return Counter(frozenset(which[x] for x in row) for row in found.tolist())


@given(sizes, units)
def test_octave_is_the_least_power_that_covers(size: float, unit: float) -> None:
    """It must hold exactly that size <= 2^k unit, and not size <= 2^(k-1) unit."""
    (k,) = octaves(np.array([size]), unit).tolist()
    if size == 0:
        assert k == -4096
    else:
        exact = Fraction(size) / Fraction(unit)
        assert exact <= Fraction(2) ** k
        assert exact > Fraction(2) ** (k - 1)


def test_octave_of_no_number_is_beyond_all() -> None:
    """An infinite difference, or one that is no number, must lie beyond every power."""
    assert octaves(np.array([math.inf, math.nan, 1.0])).tolist() == [4096, 4096, 0]


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(-9, 9)), max_size=12),
    st.integers(-4, 0),
    st.integers(0, 4),
)
def test_counts_are_those_of_the_octaves(
    pairs: list[tuple[int, int]], least: int, most: int
) -> None:
    """The counts of each row must be those of its octaves up to k, and the total all of them."""
    rows = np.array([row for row, _ in pairs], dtype=np.int64)
    found = np.array([octave for _, octave in pairs], dtype=np.int64)
    within, total = counts_within(found, rows, 3, least, most)
    for row in range(3):
        mine = found[rows == row]
        assert within[row].tolist() == [int((mine <= k).sum()) for k in range(least, most + 1)]
        assert total[row] == mine.size


@pytest.mark.parametrize("count", RULERS)
def test_all_matchings_are_equally_likely(count: int, dp_rng: np.random.Generator) -> None:
    """Near-perfect matchings of 2 to 6 survivors must be uniform, and told from 5 % beside it."""
    number = MATCHINGS[count]
    uniform = np.full(number, 1 / number)
    if number == 1:
        found = drawn_matchings(count, [1, 3], 5, 100, dp_rng)
        assert found == {frozenset({(0, 1)}): 100}
        return
    tilted = uniform * (1 + 0.05 * np.where(np.arange(number) % 2, 1, -1))
    tilted /= tilted.sum()
    size = chi_square.draws_for(uniform, tilted)
    kept = list(range(1, 2 * count, 2))[:count]
    found = drawn_matchings(count, kept, 2 * count + 1, size, dp_rng)
    assert len(found) == number
    for matching in found:
        ends = [end for pair in matching for end in pair]
        assert len(ends) == len(set(ends)) == 2 * (count // 2)
    value, limit = chi_square.statistic(np.array(list(found.values())), uniform)
    assert value < limit
    value, limit = chi_square.statistic(dp_rng.multinomial(size, tilted), uniform)
    assert value > limit


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_stated_matchings_are_those_drawn(count: int, dp_rng: np.random.Generator) -> None:
    """The stated law of the octaves must be that of the drawn differences."""
    values = np.array([0.0, 0.3, 1.0, 2.5, 9.0, 40.0])[:count]
    stated = dict(matched_octaves(values))
    assert sum(stated.values()) == 1
    draws = 60_000
    alive = np.ones((draws, count), dtype=np.bool_)
    differences, _ = matched_differences(values, alive, rng=dp_rng)
    rows = np.sort(octaves(differences).reshape(draws, count // 2), axis=1).tolist()
    found = Counter(map(tuple, rows))
    assert set(found) == set(stated)
    if len(stated) > 1:
        counts = np.array([found[key] for key in stated])
        value, limit = chi_square.statistic(counts, np.array(list(stated.values()), dtype=float))
        assert value < limit


def ends_of(difference: float) -> frozenset[int]:
    """The exponents a and b of 2^a - 2^b."""
    whole = int(difference)
    return frozenset({whole.bit_length(), (whole & -whole).bit_length() - 1})


def test_matchings_do_not_follow_the_values(dp_rng: np.random.Generator) -> None:
    """Under one seed other values must be matched alike: the places of the pairs are the same."""
    alive = dp_rng.random((300, 9)) < 0.7
    values = np.ldexp(1.0, np.arange(9))
    drawn = []
    for records in (values, values[::-1]):
        differences, rows = matched_differences(records, alive, rng=np.random.default_rng(8))
        np.testing.assert_array_equal(np.bincount(rows, minlength=300), alive.sum(axis=1) // 2)
        drawn.append([ends_of(difference) for difference in differences])
    assert drawn[0] == [frozenset(8 - place for place in pair) for pair in drawn[1]]


def test_differences_of_huge_records_do_not_warn(dp_rng: np.random.Generator) -> None:
    """A difference beyond the largest double must be infinite, without a warning."""
    values = np.array([1.7e308, -1.7e308])
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        differences, rows = matched_differences(values, np.ones((3, 2), np.bool_), rng=dp_rng)
    assert differences.tolist() == [math.inf] * 3
    assert rows.tolist() == [0, 1, 2]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_fewer_than_two_survivors_have_no_pair(count: int, dp_rng: np.random.Generator) -> None:
    """Rows without two survivors must have no difference."""
    alive = np.zeros((4, count), dtype=np.bool_)
    if count:
        alive[:, 0] = True
    differences, rows = matched_differences(np.arange(float(count)), alive, rng=dp_rng)
    assert differences.size == rows.size == 0


def test_records_of_each_draw_are_matched_within_it(dp_rng: np.random.Generator) -> None:
    """Records of shape (draws, n) must be paired within their draw, and all but one if odd."""
    draws = 200
    values = np.arange(draws)[:, np.newaxis] * 1000.0 + np.array([0.0, 1.0, 3.0, 7.0, 12.0])
    differences, rows = matched_differences(values, np.ones((draws, 5), np.bool_), rng=dp_rng)
    assert differences.max() <= 12
    assert np.bincount(rows).tolist() == [2] * draws


def test_scans_have_the_laws_of_their_queries(dp_rng: np.random.Generator) -> None:
    """Query i of the scans must be Count(2^(i-1)) - |G| / 2 and |G| / 2 - Count(2^(1-i))."""
    gaps = np.array([0.2, 0.3, 0.9, 1.0, 1.7, 5.0, 3000.0])
    within, total = counts_within(octaves(gaps), np.zeros(7, dtype=np.int64), 1, -63, 63)
    assert total.tolist() == [7]
    size, epsilon = 520_000, 3.0
    up, down = scan(within, total, epsilon, rng=dp_rng, size=size)
    for index, sign in ((up, 1), (down, -1)):
        queries = [sign * ((gaps <= 2.0 ** (sign * k)).sum() - 3.5) for k in range(64)]
        law = slow_index_law(queries, 0.0, 4 / epsilon, 8 / epsilon)
        cells = np.array([*law[:5], law[5:].sum()])
        counts = frequencies(index, 65)
        value, limit = chi_square.statistic(np.array([*counts[:5], counts[5:].sum()]), cells)
        assert value < limit
        wrong = slow_index_law(queries, 0.0, 3.8 / epsilon, 7.6 / epsilon)
        assert chi_square.draws_for(cells, np.array([*wrong[:5], wrong[5:].sum()])) < size
    assert abs(np.corrcoef(up == 1, down == 1)[0, 1]) < 6.5 / math.sqrt(size)


@given(st.lists(st.floats(allow_nan=True), max_size=7), st.randoms(use_true_random=False))
def test_order_of_records_is_forgotten(data: list[float], keys: object) -> None:
    """Permuted records must be read alike, placeholders last and without -0.0."""
    found = sorted_records(data)
    np.testing.assert_array_equal(found, sorted_records(data[::-1]))
    finite = found[np.isfinite(found)]
    assert finite.tolist() == sorted(x for x in data if math.isfinite(x))
    assert np.isnan(found[finite.size :]).all()
    assert not np.signbit(finite[finite == 0]).any()


@pytest.mark.parametrize(("size", "count"), [(1, 10**5), (10**6, 1), (7, 10**7), (50_000, 936)])
def test_chunks_are_all_draws_and_fit(size: int, count: int) -> None:
    """The parts must add up to all draws and hold at most two million numbers, or one draw."""
    parts = chunks(size, count)
    assert sum(parts) == size
    assert all(part == 1 or part * (count + 64) <= 2_000_000 for part in parts)
    assert len(parts) <= 2 + size * (count + 64) / 1_000_000
