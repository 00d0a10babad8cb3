"""Scores and laws of inverse sensitivity against the ledger's: integers and balls."""

from fractions import Fraction

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mechanisms.as_printed.inverse_sensitivity import PrintedInverseSensitivity
from mechanisms.subset.inverse_sensitivity import InverseSensitivity
from mechanisms.subset.scores import mean, quantile
from proofs_check.enclosure import Balls, endpoints
from proofs_check.papers.sub.general.edits import (
    crossing,
    length,
    mean_reach,
    quantile_reach,
    release,
)
from proofs_check.papers.sub.general.inverse_sensitivity import (
    mean_crossing,
    mean_len,
    median_len,
    quantile_crossing,
    quantile_len,
)
from proofs_check.papers.sub.general.printed_release import median_length

NUMBERS = Balls(200)
PLACES = 8
DATA = st.lists(st.integers(0, PLACES - 1), max_size=9)
SMALL = st.lists(st.integers(0, 5), max_size=5)
LEVEL = st.sampled_from([(1, 2), (1, 4), (3, 4), (1, 3), (2, 5), (9, 10), (1, 50)])


def counted(data, places=PLACES):
    """Number of records at each place."""
    return np.bincount(np.array(data, dtype=np.int64), minlength=places).astype(np.int64)


def sides(data, t):
    """Records below, at and above t."""
    return sum(x < t for x in data), data.count(t), sum(x > t for x in data)


@given(data=DATA)
def test_the_median_is_the_ledgers(data):
    """It must hold of both statements of its length."""
    found = quantile.median(counted(data)).tolist()
    assert found == [median_len(*sides(data, t)) for t in range(PLACES)]
    assert found == [median_length(*sides(data, t)) for t in range(PLACES)]


@given(data=DATA, level=LEVEL)
def test_quantiles_are_the_ledgers(data, level):
    """Length and crossing score must agree for levels on both sides of 1/2."""
    counts, q = counted(data), Fraction(*level)
    assert quantile.length(counts, q).tolist() == [
        quantile_len(*sides(data, t), level) for t in range(PLACES)
    ]
    assert quantile.crossing(counts, q).tolist() == [
        quantile_crossing(*sides(data, t), level) for t in range(PLACES)
    ]


@given(data=DATA)
@example(data=[0, 7])
@example(data=[1, 2, 3, 6, 7, 7])
def test_the_mean_is_the_ledgers(data):
    """Len must agree, and the greedy number of edits to the mean t itself."""
    ends = (0, PLACES - 1)
    counts = counted(data)
    found = mean.length(counts).tolist()
    assert found == [mean_len(data, t, ends) for t in range(PLACES)]
    greedy = [mean._steps(c, 0).crossing(len(data)) for c in (counts, counts[::-1])]
    assert np.maximum(greedy[0], greedy[1][::-1]).tolist() == [
        mean_crossing(data, t, ends) for t in range(PLACES)
    ]


@settings(max_examples=30)
@given(data=SMALL)
def test_the_tolerant_mean_is_the_ledgers_on_half_places(data):
    """Crossing scores with h = 1/2 must be those of sums of 2 (x - t) -+ 1, by the ledger's search.

    With records at 2 x, edits at even places alone, a mean of at least 2 t - 1 is one of at least
    t - 1/2.
    """
    values = range(0, 11, 2)
    doubled = [2 * x for x in data]
    found = mean.crossing(counted(data, 6)).tolist()
    for t in range(6):
        if data:
            up, down = (mean_reach(doubled, values, 2 * t + h) for h in (-1, 1))
            most = 2 * len(data) + 2
            at_least = min(up.get(0, most), up.get(1, most))
            at_most = min(down.get(0, most), down.get(-1, most))
            assert found[t] == max(at_least, at_most)
        else:
            assert found[t] == 1


@settings(max_examples=30)
@given(data=SMALL, level=LEVEL)
def test_searched_scores_are_the_ledgers(data, level):
    """The ledger's search over all edits must give the same lengths and crossing scores."""
    counts, q, grid = counted(data, 6), Fraction(*level), range(6)
    edits_to = quantile_reach(q)
    assert quantile.length(counts, q).tolist() == [length(edits_to, data, grid, t) for t in grid]
    assert quantile.crossing(counts, q).tolist() == [
        crossing(edits_to, data, grid, t) for t in grid
    ]
    assert mean.length(counts).tolist() == [length(mean_reach, data, grid, t) for t in grid]


@given(data=SMALL, epsilon=st.integers(1, 16).map(lambda k: Fraction(k, 4)))
def test_the_laws_are_the_ledgers(data, epsilon):
    """Weights must be e^(-epsilon len / 2), and e^(-len) as printed; 1 % more must show."""
    records = [float(x) for x in data]
    lengths = [length(mean_reach, data, range(6), t) for t in range(6)]
    arguments = (epsilon, 0, 5, 1, "mean")
    sound = InverseSensitivity(*arguments, score="length")
    for mechanism, exponent in ((sound, epsilon / 2), (PrintedInverseSensitivity(*arguments), 1)):
        atoms = list(mechanism.exact_law(records).atoms(NUMBERS).values())
        assert agree(atoms, release(lengths, Fraction(exponent)))
        if len(set(lengths)) > 1:
            assert not agree(atoms, release(lengths, Fraction(exponent) * Fraction(101, 100)))


def agree(balls, exact):
    """Whether probabilities agree, closely."""
    for ball, ratio in zip(balls, exact, strict=True):
        lower, upper = endpoints(ball - ratio.ball(200))
        if not (lower <= 0 <= upper and upper - lower < Fraction(1, 10**40)):
            return False
    return True
