"""Algorithm 4 of SUB, printed and sound, against the ledger's: ranks, moves, laws and exponents."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechanisms.as_printed.monotone import PrintedMonotoneStatistic, lossy_pair, printed_ranks
from mechanisms.subset.monotone import exponent, rank_error, ranks
from mechanisms.subset.moves import moved
from mechanisms.subset.pruned_selection import PrunedSelection
from mechanisms.subset.scores.statistic import Statistic
from proofs_check.enclosure import Balls, agrees_with_print, certainly_less, endpoints
from proofs_check.papers.sub.general.monotone_algorithm import (
    exponents_cost_half,
    privacy_factor,
    rank_parameter,
)
from proofs_check.papers.sub.general.monotone_algorithm import moved as moved_records
from proofs_check.papers.sub.general.printed_release import (
    PrintedRelease,
    instance,
    median_length,
    parameters,
)
from proofs_check.papers.sub.general.printed_release import moved as moved_counts

NUMBERS = Balls(200)
MEDIAN = Statistic.checked("median", "1/2", 2, "length")
DATA = st.lists(st.integers(0, 6), max_size=14)
EPSILON = st.integers(1, 40).map(lambda k: Fraction(k, 10))
TINY = Fraction(1, 10**40)


def same(one, other):
    """Whether two balls overlap and are narrow."""
    lower, upper = endpoints(one - other)
    return lower <= 0 <= upper and upper - lower < TINY


def r_of(steps, epsilon):
    """The r of the ledger for B = 2 R, L = 1 and a step of 1."""
    radius = NUMBERS.rational(Fraction(steps, 2))
    return rank_parameter(radius, 2 * radius, 1, 1, epsilon, numbers=NUMBERS)


@given(steps=st.integers(1, 10**5), epsilon=EPSILON, times=st.integers(1, 6))
def test_the_rank_error_is_a_quarter_of_the_ledgers(steps, epsilon, times):
    """It must hold to 10^-38, and the ranks must be the integers beside it."""
    r = r_of(steps, epsilon)
    found = rank_error(epsilon, steps, times).value
    assert certainly_less(abs(r * times / 4 - found), Fraction(1, 10**38))
    rank, k = ranks(epsilon, steps)
    quarter = Fraction(rank, 7)
    assert k == 6 * quarter
    assert quarter.denominator == 1
    assert certainly_less(r / 4, quarter)
    assert certainly_less(quarter - 1, r / 4)


@pytest.mark.parametrize("epsilon", ["1", "1/2", "1/10", "3"])
@pytest.mark.parametrize("ratio", [1, 10, 20, 100, 20000])
def test_the_printed_ranks_are_the_ledgers(ratio, epsilon):
    """Both must be, for R / beta = `ratio`; and c_eps is 4 r epsilon."""
    epsilon = Fraction(epsilon)
    assert printed_ranks(epsilon, 2 * ratio) == parameters(ratio, epsilon)
    ball = NUMBERS.rational(Fraction(ratio))
    factor = privacy_factor(ball, 2 * ball, 1, 1, numbers=NUMBERS)
    assert certainly_less(
        abs(factor - 4 * epsilon * rank_error(epsilon, 2 * ratio, 4).value), Fraction(1, 10**36)
    )


@pytest.mark.parametrize(("ratio", "place"), [(10, 4), (20, 8), (40, 16), (100, 44)])
def test_the_pairs_are_the_ledgers(ratio, place):
    """Both data sets must be, record by record."""
    data, new = lossy_pair(2 * ratio, place)
    first, second = instance(ratio, place, Fraction(1))
    assert (data, new) == (first, place)
    pair = PrintedMonotoneStatistic(1, 0, 2 * ratio, 1).counterexample
    assert [Counter(d) for d in pair] == [Counter(first), Counter(second)]


@given(data=DATA, k=st.integers(1, 9))
def test_the_move_is_the_ledgers(data, k):
    """By records and by counts, with any number of records."""
    found = moved(np.bincount(data, minlength=7), k)
    records = tuple(int(x) for x in np.repeat(np.arange(-1, 8), found))
    assert records == moved_records(sorted(data), k)
    assert Counter(records) == Counter(moved_counts(Counter(data), k))


@given(data=st.lists(st.integers(0, 6), min_size=1, max_size=14))
def test_the_score_of_the_median_is_the_ledgers(data):
    """For every place of the window."""
    counts = np.bincount(data, minlength=7)
    wanted = [
        median_length(sum(x < t for x in data), data.count(t), sum(x > t for x in data))
        for t in range(7)
    ]
    assert MEDIAN.scores(counts).tolist() == wanted


@settings(max_examples=25)
@given(data=DATA, rank=st.integers(0, 8), k=st.integers(0, 9), epsilon=EPSILON)
def test_the_law_of_the_release_is_the_ledgers(data, rank, k, epsilon):
    """It must hold of every place, and not with an exponent 1 % larger."""
    releases = PrintedRelease.of(Counter(data), 6, rank, k, epsilon, epsilon / 4).law()
    agree = []
    for c in (epsilon / 4, epsilon * Fraction(101, 400)):
        steps = PrunedSelection(epsilon / 4, Fraction(0), Fraction(6), 6, rank, k, MEDIAN, c)
        law = steps.exact_law([float(x) for x in data]).masses(NUMBERS)
        agree.append(all(same(p, q) for p, q in zip(law.values(), releases, strict=True)))
    assert agree[0]
    if len(data) > 2 * k and set(moved_counts(Counter(data), k)) & set(range(7)):
        assert not agree[1]


def test_the_registered_law_is_the_ledgers():
    """On both data sets of the smallest instance."""
    mechanism = PrintedMonotoneStatistic()
    rank, k = parameters(10, Fraction(1))
    for data in mechanism.counterexample:
        counts = Counter(int(x) for x in data)
        wanted = PrintedRelease.of(counts, 20, rank, k, Fraction(1), Fraction(1, 4)).law()
        found = mechanism.exact_law(data).masses(NUMBERS).values()
        assert all(same(p, q) for p, q in zip(found, wanted, strict=True))


def test_the_exponents_are_the_ledgers():
    """The claim must hold of them, and of none that is 1 % larger."""
    sound = [exponent(Fraction(1), score) for score in ("length", "crossing")]
    assert exponents_cost_half(*sound).holds
    assert not exponents_cost_half(sound[0] * Fraction(101, 100), sound[1]).holds
    assert not exponents_cost_half(sound[0], sound[1] * Fraction(101, 100)).holds


def test_the_reference_is_the_ledgers():
    """It must be the printed one in both settings of SUB-A4."""
    assert agrees_with_print(r_of(200, Fraction(1)), "374.247904696454")
    assert agrees_with_print(r_of(200, Fraction(1, 2)), "748.495809392908")
