"""Chapter 3 of TRI: margins, bounds and losses in floats against the ledger's, in balls."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from mechanisms.trilemma import margins
from mechanisms.trilemma.combined_mean import combined_excess
from mechanisms.trilemma.errors import (
    bias_clipped,
    bias_scarf,
    mse_clipped,
    mse_combined,
    mse_combined_sharp,
    mse_hodges_lehmann,
    mse_name_and_shame,
)
from mechanisms.trilemma.name_and_shame import NameAndShame
from proofs_check.arithmetic import ENCLOSED
from proofs_check.enclosure import endpoints
from proofs_check.papers.tri.chapter2.bernoulli import minimax_risk
from proofs_check.papers.tri.chapter3 import (
    algorithms,
    clipped_mean,
    clipping_bias,
    combined_estimator,
)
from proofs_check.papers.tri.chapter3.name_and_shame import name_and_shame_error
from proofs_check.papers.tri.common import clipping_constant
from tests.mechanisms.trilemma.rationals import RATIONALS

LIMIT = Fraction(1, 10**12)


def quarters(first, last):
    """Multiples of 1/4."""
    return st.integers(4 * first, 4 * last).map(lambda k: Fraction(k, 4))


COUNT = st.integers(1, 10**6)
EPSILON = quarters(1, 8)
BETA = st.integers(1, 99).map(lambda k: Fraction(k, 100))
DELTA = st.integers(1, 100).map(lambda k: Fraction(k, 100))
PSI = quarters(1, 5)
LAM = quarters(2, 12)
ABOVE_TWO = st.integers(9, 48).map(lambda k: Fraction(k, 4))
RANGE = st.tuples(quarters(-3, 3), quarters(1, 4)).map(lambda ends: (ends[0], sum(ends)))


def far(value, exact):
    """Largest possible relative error of a float, over all numbers in the enclosure."""
    lower, upper = endpoints(ENCLOSED.ball(exact))
    if upper == 0:
        return abs(Fraction(value))
    return max(abs(Fraction(value) - lower), abs(Fraction(value) - upper)) / abs(upper)


def same(value, exact):
    """Whether a float is the ledger's number; one that is 1 % off in a parameter is not."""
    return far(value, exact) < LIMIT


@given(beta=BETA, lam=LAM)
def test_margins_of_the_clipped_mean_are_the_ledgers(beta, lam):
    """Both must be, and a beta 1 % larger must show."""
    for ours, theirs in (
        (margins.printed_margin, clipped_mean.clipping_margin),
        (margins.sharp_margin, clipped_mean.sharp_margin),
    ):
        exact = theirs(beta, lam, numbers=ENCLOSED)
        assert same(ours(float(beta), float(lam)), exact)
        if exact != 0:
            assert not same(ours(1.01 * float(beta), float(lam)), exact)


@given(lam=ABOVE_TWO)
def test_constants_are_the_ledgers(lam):
    """K(lam) and the constant of the square excess must be, and lam 1 % larger must show."""
    for ours, theirs in (
        (margins.clipping_constant, clipping_constant),
        (margins.tail_constant, combined_estimator.tail_constant),
    ):
        assert same(ours(float(lam)), theirs(lam, numbers=ENCLOSED))
        assert not same(ours(1.01 * float(lam)), theirs(lam, numbers=ENCLOSED))


@given(lam=LAM, distance=quarters(1, 60))
def test_biases_are_the_ledgers(lam, distance):
    """Those of Lemma B.1.2 (at t = 1) and of Scarf must be."""
    exact = clipping_bias.excess_bound(lam, distance, Fraction(1), numbers=ENCLOSED)
    scarf = clipping_bias.scarf_bound(distance, numbers=ENCLOSED)
    farther = distance * Fraction(101, 100)
    assert same(bias_clipped(lam, distance), exact)
    assert not same(bias_clipped(lam, farther), exact)
    assert same(bias_scarf(distance), scarf)
    assert not same(bias_scarf(farther), scarf)


@given(count=COUNT, epsilon=EPSILON, beta=BETA, lam=LAM, ends=RANGE)
def test_errors_of_the_clipped_mean_are_the_ledgers(count, epsilon, beta, lam, ends):
    """Both bounds must be."""
    for constant, theirs in (
        ("printed", clipped_mean.clipped_mean_error),
        ("sharp", clipped_mean.clipped_mean_error_sharp),
    ):
        exact = theirs(Fraction(count), epsilon, beta, lam, *ends, numbers=ENCLOSED)
        assert same(mse_clipped(count, epsilon, beta, lam, *ends, constant), exact)


@given(count=COUNT, epsilon=EPSILON, delta=DELTA, psi=PSI, lam=ABOVE_TWO, ends=RANGE)
def test_margin_and_errors_of_the_combined_mean_are_the_ledgers(
    count, epsilon, delta, psi, lam, ends
):
    """Margin and both bounds must be, and a delta 1 % larger must show in the margin."""
    n = Fraction(count)
    ours = [count, *map(float, (epsilon, delta, psi, lam))]
    exact = combined_estimator.combined_margin(n, epsilon, delta, psi, lam, numbers=ENCLOSED)
    assert same(margins.combined_margin(*ours), exact)
    assert not same(margins.combined_margin(*ours[:2], 1.01 * ours[2], *ours[3:]), exact)
    for found, theirs in (
        (mse_combined, combined_estimator.combined_error),
        (mse_combined_sharp, combined_estimator.combined_error_sharp),
    ):
        parameters = (epsilon, delta, psi, lam, *ends)
        assert same(found(count, *parameters), theirs(n, *parameters, numbers=ENCLOSED))


@given(count=COUNT, delta=DELTA, variance=quarters(0, 5), mean=quarters(-5, 5))
def test_error_of_name_and_shame_is_the_ledgers(count, delta, variance, mean):
    """It must be, as it is exact."""
    exact = name_and_shame_error(Fraction(count), delta, variance, mean)
    assert same(mse_name_and_shame(count, delta, variance, mean), exact)


@given(count=COUNT)
def test_error_of_hodges_and_lehmann_is_the_ledgers(count):
    """It must be for every number of bits."""
    assert same(mse_hodges_lehmann(count), minimax_risk(Fraction(count), numbers=ENCLOSED))


@given(
    records=st.lists(st.integers(-3, 3).map(lambda k: Fraction(k, 2)), min_size=1, max_size=6),
    delta=DELTA,
)
def test_law_of_name_and_shame_is_the_ledgers(records, delta):
    """Every mass must be that of the sum over all outcomes of the coins, exactly."""
    found = NameAndShame(delta).exact_law([float(x) for x in records]).masses(RATIONALS)
    assert found == {y: p for y, p in algorithms.named_law(records, delta).items() if p}


def mixtures(epsilon, delta, below, above):
    """Both laws of the combined estimator for one record replaced, in units of the noise scale."""
    p = [(1 - delta, epsilon), (delta, epsilon + above)]
    q = [(1 - delta, Fraction(0)), (delta, -below)]
    return [part for part in p if part[0]], [part for part in q if part[0]]


@settings(max_examples=40)
@given(
    epsilon=quarters(1, 2),
    delta=st.integers(1, 50).map(lambda k: Fraction(k, 100)),
    below=quarters(0, 6),
    more=quarters(0, 6),
)
def test_loss_of_the_combined_mean_is_the_ledgers(epsilon, delta, below, more):
    """It must be the hockey-stick divergence of two mixtures, also for unequal excesses."""
    above = below + more
    p, q = mixtures(epsilon, delta, below, above)
    crossing = epsilon + more / 2
    exact = algorithms.mixture_excess(p, q, epsilon, (crossing,))
    # u = z epsilon / (delta width): with width = 1 the excess z is u delta / epsilon
    z = [float(u * delta / epsilon) for u in (below, above)]
    found = combined_excess(*z, width=1, delta=float(delta), epsilon=float(epsilon))
    value = exact.ball(200)
    assert abs(Fraction(found) - endpoints(value)[0]) < LIMIT
    if below == above:
        assert exact == algorithms.combined_loss(delta, below)
    if below + above:
        wrong = combined_excess(*z, width=1.01, delta=float(delta), epsilon=float(epsilon))
        assert abs(Fraction(wrong) - endpoints(value)[0]) > 1000 * LIMIT or below + above > 20
