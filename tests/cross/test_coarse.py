"""The coarse estimate and the mean of symmetric laws against the ledger's closed forms."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechanisms.trilemma.coarse.argmax_law import argmax_law
from mechanisms.trilemma.coarse.law import CoarseLaw
from mechanisms.trilemma.coarse.mean import CoarseMean
from mechanisms.trilemma.coarse.rule import CoarseRule, coarse_rule
from mechanisms.trilemma.symmetric.error import OWN, explicit_error, sharp_error
from mechanisms.trilemma.symmetric.mean import SymmetricMean
from mechanisms.trilemma.symmetric.sizes import clip_distance, smallest_first
from proofs_check.arithmetic import ENCLOSED
from proofs_check.enclosure import Balls, certainly_less, endpoints
from proofs_check.papers.tri.chapter4 import coarse_law as ledger
from proofs_check.papers.tri.chapter4.coarse_exact import exact_delta, lowered_threshold
from proofs_check.papers.tri.chapter4.coarse_sizes import sample_sizes
from proofs_check.papers.tri.chapter4.mean import explicit_bound, main_term, sharp_bound
from tests.mechanisms.trilemma.finite import hockey_stick

NUMBERS = Balls(200)
EPSILON = st.integers(1, 16).map(lambda k: Fraction(k, 4))
DELTA = st.integers(1, 30).map(lambda k: Fraction(1, 2**k))
COUNTS = st.lists(st.integers(1, 12), min_size=1, max_size=4)


def same(ball, other, tolerance=Fraction(1, 10**40)):
    """Whether two balls agree, closely."""
    lower, upper = endpoints(ball - other)
    return lower <= 0 <= upper and upper - lower < tolerance


def near(value, ball, tolerance=1e-12):
    """Whether a double agrees with a ball, relatively."""
    return value == pytest.approx(float(endpoints(ball)[0]), rel=tolerance)


@given(epsilon=EPSILON, delta=DELTA)
def test_thresholds_and_scale_are_the_ledgers(epsilon, delta):
    """Both thresholds, the noise scale, and the two exact deltas must agree."""
    printed = coarse_rule(epsilon, delta)
    theta = ledger.threshold(epsilon, ENCLOSED.log(1 / delta))
    assert same(printed.threshold(NUMBERS), theta)
    assert printed.scale == ledger.noise_scale(epsilon)
    lower = coarse_rule(epsilon, delta, "lower")
    lowered = lowered_threshold(epsilon, ENCLOSED.log(1 / (2 * delta)))
    assert same(lower.threshold(NUMBERS), lowered)
    for rule, at in ((printed, theta), (lower, lowered)):
        released, _ = argmax_law({1: 1}, rule, numbers=NUMBERS)
        assert same(released[1], ledger.lone_passes(epsilon, at, ENCLOSED.exp))
    released, _ = argmax_law({1: 1}, printed, numbers=NUMBERS)
    assert same(released[1], exact_delta(epsilon, ENCLOSED.log(1 / delta), ENCLOSED.exp))


@given(
    counts=COUNTS,
    epsilon=EPSILON,
    theta=st.integers(1, 40).map(lambda k: Fraction(k, 3)),
    stretch=st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(3, 4)]),
)
def test_the_law_of_the_bin_is_the_ledgers(counts, epsilon, theta, stretch):
    """Each bin and failure must agree, for any threshold and scale; one record more must show."""
    rule = CoarseRule(stretch * 2 / epsilon, theta, Fraction(0), Fraction(1))
    mine, fails = argmax_law(Counter(counts), rule, numbers=NUMBERS)
    theirs, theirs_fails = ledger.outcome_law(counts, theta, rule.scale, ENCLOSED.exp)
    assert same(fails, theirs_fails)
    assert all(same(mine[c], mass) for c, mass in zip(counts, theirs, strict=True))
    more = [counts[0] + 1, *counts[1:]]
    assert not same(argmax_law(Counter(more), rule, numbers=NUMBERS)[1], theirs_fails)


@settings(max_examples=30)
@given(counts=COUNTS, epsilon=EPSILON, delta=DELTA)
def test_hockey_stick_divergences_are_the_ledgers(counts, epsilon, delta):
    """One record moved from the first bin to a new one, or to the second, must show as much."""
    rule = coarse_rule(epsilon, delta)
    factor = ENCLOSED.exp(epsilon)
    for target in {1, len(counts)}:
        before = [*counts, 0, 0]
        after = list(before)
        after[0] -= 1
        after[target] += 1
        laws = [
            CoarseLaw(rule, tuple(Fraction(9 * j) for j, c in enumerate(z) for _ in range(c)))
            for z in (before, after)
        ]
        mine = hockey_stick(*laws, epsilon, NUMBERS)
        theta = rule.threshold(NUMBERS)
        theirs = ledger.hockey_stick(before, after, theta, rule.scale, factor, ENCLOSED.exp)
        assert same(mine, theirs)


@given(epsilon=EPSILON, delta=st.integers(1, 30).map(lambda k: Fraction(1, 2**k)))
def test_the_smallest_size_is_the_ledgers(epsilon, delta):
    """It must meet the three bounds of equation (4.1), and the size before it must not."""
    first = smallest_first(float(epsilon), float(delta))
    for size, wanted in ((first, True), (first - 1, False)):
        bounds = sample_sizes(Fraction(size), epsilon, delta, delta**2, numbers=ENCLOSED)
        assert all(certainly_less(bound, size) for bound in bounds) == wanted


@given(
    epsilon=EPSILON,
    delta=DELTA,
    second=st.integers(1, 10**6),
    psi=st.integers(4, 12).map(lambda k: Fraction(k, 4)),
    moment=st.integers(5, 20).map(lambda k: Fraction(k, 2)),
    mean=st.integers(-3, 3),
    first=st.integers(89, 9999),
)
def test_error_bounds_are_the_ledgers(epsilon, delta, second, psi, moment, mean, first):
    """The printed, our own and the sharp bound must agree to twelve digits."""
    exact = (epsilon, delta, Fraction(second), psi, moment, mean, Fraction(first))
    row = (float(epsilon), float(delta), second, float(psi), float(moment), mean, first)
    assert near(explicit_error(*row), explicit_bound(*exact, numbers=ENCLOSED))
    assert near(
        explicit_error(*row, OWN), explicit_bound(*exact, last=(8, 4, 600), numbers=ENCLOSED)
    )
    assert near(sharp_error(*row), sharp_bound(*exact, numbers=ENCLOSED))


@given(epsilon=EPSILON, second=st.integers(1, 10**6), fourth=st.integers(1, 9))
def test_noise_and_distance_are_those_of_the_main_term(epsilon, second, fourth):
    """1 / n2 and the variance of the noise at the settings of the theorem must be the main term."""
    distance = clip_distance(float(epsilon), second, fourth ** (1 / 4), 4)
    mechanism = SymmetricMean(epsilon, distance=distance, second=second)
    found = 1 / second + 2 * float(mechanism.noise_scale) ** 2
    exact = main_term(epsilon, Fraction(second), Fraction(fourth), numbers=ENCLOSED)
    assert near(found, exact)


def test_records_at_the_cuts_are_those_of_the_law():
    """An exact law must take doubles as they are: 0.1 is not one tenth."""
    law = CoarseMean().exact_law([0.1])
    assert law.cuts[1] == Fraction(0.1) - Fraction(1, 2)
