"""The coarse estimate: bins, thresholds, draws against the exact law, and hostile input."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from mechanisms.claims import ApproxDP
from mechanisms.errors import InvalidArgument
from mechanisms.laws import FLOATS
from mechanisms.registry import build_mechanism
from mechanisms.trilemma.coarse import draw as coarse_draw
from mechanisms.trilemma.coarse.bins import bins_of, draw_coins, exact_counts, exact_cuts
from mechanisms.trilemma.coarse.draw import uniform_argmax
from mechanisms.trilemma.coarse.mean import CoarseMean
from mechanisms.trilemma.coarse.rule import at_most_exp, coarse_rule
from tests.calibrated import assert_law, assert_not_law, draws_for

F = Fraction
RECORD = st.one_of(
    st.floats(-3, 3),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, 0.5, -0.5, 0.25, 1.0, 5e-324, -5e-324, -(2.0**-60), 2.0**53, 1e308]),
)
GRID = 2**53


def rounded(x: Fraction) -> int:
    """The integer k with x in [k - 1/2, k + 1/2), as TRI-A.DPUC computes it."""
    f = math.floor(x)
    return f + 1 if x - f >= F(1, 2) else f


@given(
    st.lists(RECORD, min_size=1, max_size=7),
    st.lists(st.one_of(st.integers(1, GRID), st.sampled_from([1, GRID // 2, GRID])), max_size=5),
)
def test_counts_in_doubles_are_the_exact_ones(data: list[float], steps: list[int]) -> None:
    """Rounding must be half-up and exact, at places of T where a record changes its bin too."""
    values = np.sort(np.array(data) + 0.0)
    exact = [F(x) for x in values.tolist()]
    coins = [F(k, GRID) - F(1, 2) for k in steps]
    coins += [F(math.floor(cut * GRID), GRID) for cut in exact_cuts(exact) if cut > -F(1, 2)]
    bins = bins_of(values)
    for coin, row in zip(coins, bins.counts(np.array([float(t) for t in coins])), strict=True):
        seen: Counter[float] = Counter()
        for x in exact:
            seen[float(rounded(x - coin))] += 1
        occupied = row > 0
        assert dict(zip(bins.places[occupied], row[occupied], strict=True)) == seen


@given(st.lists(st.integers(-30, 30).map(lambda k: F(k, 12)), max_size=6))
def test_exact_counts_change_at_the_cuts_only(records: list[Fraction]) -> None:
    """Between two cuts, and at the upper one, the counts must be those of half-up rounding."""
    cuts = exact_cuts(records)
    assert (cuts[0], cuts[-1]) == (F(-1, 2), F(1, 2))
    for lower, upper in pairwise(cuts):
        counts = exact_counts(records, upper)
        for coin in (lower + F(1, 10**6), (lower + upper) / 2, upper):
            assert counts == Counter(rounded(x - coin) for x in records)


def test_the_start_of_the_bins_is_uniform(dp_rng: np.random.Generator) -> None:
    """T must be uniform on [-1/2, 1/2], not on an interval two percent shorter."""
    distance = 0.01
    coins = draw_coins(draws_for(distance), rng=dp_rng)
    assert_law(coins, lambda t: np.clip(t + 0.5, 0, 1), distance)
    assert_not_law(0.98 * coins, lambda t: np.clip(t + 0.5, 0, 1), distance)


def test_ties_are_broken_uniformly(dp_rng: np.random.Generator) -> None:
    """Each of the tied places must win as often, and only those."""
    size = 40_000
    scores = np.tile([3.0, -np.inf, 3.0, 2.0, 3.0], (size, 1))
    place, largest = uniform_argmax(scores, rng=dp_rng)
    assert np.all(largest == 3)
    wins = np.bincount(place, minlength=5)
    assert wins[1] == wins[3] == 0
    assert stats.chisquare(wins[[0, 2, 4]]).pvalue > 1e-6
    first = np.bincount(scores.argmax(axis=1), minlength=5)
    assert stats.chisquare(first[[0, 2, 4]]).pvalue < 1e-6


REFERENCE_THRESHOLDS = [
    ("1", "1e-6", "printed", 29.6310211159285),
    ("1/2", "1e-3", "printed", 29.6310211159285),
    ("1/10", "1e-9", "printed", 416.465316738928),
    ("2", "1/20", "printed", 4.99573227355399),
    ("1", "1e-6", "lower", 27.24472675),
    ("1/2", "1/100", "lower", 16.64809202),
    ("1/10", "1e-3", "lower", 125.292162),
]


def test_reference_thresholds(subtests: pytest.Subtests) -> None:
    """Theta must be that of TRI-P4.1.1, and of our own lower one."""
    for epsilon, delta, threshold, theta in REFERENCE_THRESHOLDS:
        with subtests.test(epsilon=epsilon, delta=delta, threshold=threshold, theta=theta):
            rule = CoarseMean(epsilon, delta, threshold).rule
            rel = 1e-14 if threshold == "printed" else 5e-9
            assert rule.threshold(FLOATS) == pytest.approx(theta, rel=rel)
            assert rule.scale == 2 / F(epsilon)


def cdf_gap(draws: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Largest difference of two empirical cdfs; failure counts as infinity."""
    pooled = np.concatenate([draws, other])
    points = np.unique(pooled[~np.isnan(pooled)])
    first, second = (
        np.searchsorted(np.sort(z), points, side="right") / z.size for z in (draws, other)
    )
    return float(np.abs(first - second).max())


def test_moved_and_mirrored_data_move_and_mirror_the_draws(dp_rng: np.random.Generator) -> None:
    """Each sample lies within distance / 2 of its law (DKW), so two of one law within distance."""
    distance = 0.02
    size = draws_for(distance)
    data = np.array([-0.3, 0.1, 0.2, 0.4, 0.9, 1.1, 1.15])
    mechanism = CoarseMean(2, "3/10")
    base = mechanism.sample(data, size, rng=dp_rng)
    assert 0.1 < np.isnan(base).mean() < 0.9
    for other, right in (
        (mechanism.sample(data + 2.375, size, rng=dp_rng) - 2.375, True),
        (-mechanism.sample(-data, size, rng=dp_rng), True),
        (mechanism.sample(data + 2.375, size, rng=dp_rng) - 2.275, False),
        (mechanism.sample(-data, size, rng=dp_rng), False),
    ):
        assert (cdf_gap(base, other) < distance) == right


@given(
    st.fractions(F(1, 100), 20, max_denominator=100),
    st.integers(2, 60).map(lambda k: F(10) ** -k),
)
def test_exponentials_are_compared_exactly(exponent: Fraction, step: Fraction) -> None:
    """Numbers next to e^x, on either side, must be told apart."""
    with mpmath.workdps(120):
        value = mpmath.exp(mpmath.mpf(exponent.numerator) / exponent.denominator)
        near = F(int(mpmath.floor(value * mpmath.mpf(10) ** 80)), 10**80)
    assert at_most_exp(near, exponent)
    assert not at_most_exp(near + F(1, 10**80), exponent)
    assert at_most_exp(near * (1 - step), exponent)
    assert not at_most_exp(near * (1 + step), exponent)
    assert at_most_exp(F(1), exponent)


def test_lower_threshold_is_refused_from_its_limit_on() -> None:
    """Delta up to 1 - e^(-epsilon / 2) must pass, and the next decimal must not."""
    with mpmath.workdps(80):
        limit = F(int(mpmath.floor(mpmath.mpf(10) ** 60 * -mpmath.expm1(-1))), 10**60)
    assert CoarseMean(2, limit, "lower").delta == limit
    with pytest.raises(InvalidArgument, match="at most 1 - exp"):
        CoarseMean(2, limit + F(1, 10**60), "lower")
    assert CoarseMean(2, limit + F(1, 10**60)).threshold == "printed"
    with pytest.raises(InvalidArgument, match="delta=1, epsilon=500"):
        CoarseMean(500, 1, "lower")
    assert CoarseMean(500, "0.999999", "lower").epsilon == 500
    assert CoarseMean("1e-9", "4.9e-10", "lower").claim.level == ApproxDP("1e-9", "4.9e-10")


@given(st.lists(RECORD, max_size=6), st.randoms(use_true_random=False))
def test_order_of_records_is_nothing(data: list[float], keys: Any) -> None:
    """A permutation, and another seed, must change nothing and something."""
    mechanism = CoarseMean(3, 1)
    shuffled = list(data)
    keys.shuffle(shuffled)
    kept = np.array(data)
    first = mechanism.sample(kept, 50, rng=np.random.default_rng(7))
    np.testing.assert_array_equal(kept, data)
    again = mechanism.sample(shuffled, 50, rng=np.random.default_rng(7))
    np.testing.assert_array_equal(first, again)
    released = first[~np.isnan(first)]
    assert not np.any(np.signbit(released) & (released == 0))
    if len(data) > 3 and max(map(abs, data)) < 2**40:  # near 2^52 doubles have no room for a bin
        other = mechanism.sample(data, 50, rng=np.random.default_rng(8))
        assert not np.array_equal(first, other, equal_nan=True)


@pytest.mark.parametrize("name", ["tri.coarse", "tri.coarse-as-printed", "tri.coarse-mutant"])
def test_without_records_it_fails(name: str, dp_rng: np.random.Generator) -> None:
    """No records, no bins: the failure symbol."""
    assert np.isnan(build_mechanism(name).sample([], 5, rng=dp_rng)).all()


def test_blocks_of_draws_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many scores are held at a time, the draws must be the same."""
    data = np.arange(30) * 2.3
    draws = []
    for cells in (1, 1000, 1 << 18):
        monkeypatch.setattr(coarse_draw, "CELLS", cells)
        draws.append(CoarseMean(1, 1).sample(data, 40, rng=np.random.default_rng(5)))
    np.testing.assert_array_equal(draws[0], draws[1])
    np.testing.assert_array_equal(draws[0], draws[2])


def test_rules_differ_as_stated() -> None:
    """The lower threshold must be lower by 1 + (2 / epsilon) log 2 records."""
    printed, lower = (coarse_rule(F(1, 2), F(1, 100), name) for name in ("printed", "lower"))
    gap = printed.threshold(FLOATS) - lower.threshold(FLOATS)
    assert gap == pytest.approx(1 + 4 * math.log(2))
