"""Closed forms of the means of SUB against the ledger's own statements."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.certificate.restated_queries import restated
from audit.exact.cells.level_laws import probability
from mechanisms.as_printed.subset_mean import PrintedSubsetMean
from mechanisms.as_printed.threshold import PrintedThreshold
from mechanisms.subset.bounded_error import bounded_error
from mechanisms.subset.bounded_mean import BoundedMean
from mechanisms.subset.log_rank import RULES
from mechanisms.subset.subset_mean_noisy import NoisySizeMean
from mechanisms.subset.subset_parameters import log_argument, subset_parameters
from proofs_check.enclosure import Balls, certainly_less, endpoints
from proofs_check.papers.sub.errata import size as erratum
from proofs_check.papers.sub.mean.bounded_mean import bounded_mean, normalized_error
from proofs_check.papers.sub.mean.subset_mean import subset_mean_parameters

NUMBERS = Balls(200)
TINY = Fraction(1, 10**38)
POSITIVE = st.integers(1, 400).map(lambda k: Fraction(k, 20))
TWENTIETHS = st.integers(-10, 10).map(lambda k: Fraction(k, 20))


def encloses(ball, value, tolerance=TINY):
    """Whether a ball and a rational agree, closely."""
    lower, upper = endpoints(ball - value)
    return -tolerance < lower and upper < tolerance


@given(size=st.integers(1, 10**6), radius=POSITIVE, epsilon=POSITIVE, gamma=POSITIVE)
def test_parameters_are_the_ledgers(size, radius, epsilon, gamma):
    """Alpha and zeta exactly, 1 / epsilon + beta to 38 digits, and the rank just above it."""
    found = subset_parameters(size, radius, epsilon, gamma / size)
    exact = [NUMBERS.rational(Fraction(x)) for x in (size, radius, epsilon, gamma)]
    alpha, zeta, beta, t = subset_mean_parameters(*exact, numbers=NUMBERS)
    assert encloses(alpha, found.alpha)
    assert encloses(zeta, found.zeta)
    if certainly_less(0, beta):
        assert encloses(beta, found.beta)
        assert encloses(t, found.log_rank.value)
        assert certainly_less(t, found.rank + TINY)
        assert certainly_less(found.rank - 1, t)
    else:
        assert found.beta == 0


@given(size=st.integers(1, 10**6), radius=POSITIVE, epsilon=POSITIVE, gamma=POSITIVE)
def test_logarithm_is_the_ledgers(size, radius, epsilon, gamma):
    """2 R / (alpha zeta) must be that of the erratum, exactly: also the one of the print."""
    right = erratum.log_argument(radius, epsilon, Fraction(size), gamma)
    assert log_argument(Fraction(size), radius, epsilon, gamma / size) == right
    alpha, rank = PrintedThreshold(epsilon, -radius, radius, gamma).parameters(size)
    assert (alpha, rank.offset, rank.argument) == (gamma / size, 1 / epsilon, right)


@given(size=st.floats(1, 1e6), gamma=st.integers(1, 100))
def test_noisy_parameters_are_the_ledgers(size, gamma):
    """In doubles alpha must agree to 1e-12, and the rank wherever rounding cannot move it."""
    noisy = NoisySizeMean("1/2", -4, 4, Fraction(gamma, 100))
    alphas, rank = noisy.parameters(np.array([size]))
    N = max(Fraction(size), Fraction(2))
    exact = [NUMBERS.rational(x) for x in (N, Fraction(4), Fraction(1, 2), noisy.gamma)]
    alpha, _, _, t = subset_mean_parameters(*exact, numbers=NUMBERS)
    assert encloses(alpha / Fraction(alphas[0].item()), Fraction(1), Fraction(1, 10**12))
    near = Fraction(1, 10**9)
    assert certainly_less(t, int(rank[0]) + near)
    assert certainly_less(int(rank[0]) - 1 - near, t)


@settings(max_examples=20)
@given(size=st.integers(1, 60).map(Fraction), rho=TWENTIETHS)
def test_expected_error_is_the_ledgers(size, rho):
    """E(N, rho) must agree with the rigorous integral to 1e-12."""
    ball = normalized_error(size, rho, numbers=Balls(80))
    found = Fraction(bounded_error(float(size), float(rho)))
    assert encloses(ball, found, Fraction(1, 10**12))


@given(
    data=st.lists(st.integers(-1, 5), max_size=5),
    epsilon=st.sampled_from([Fraction(1, 2), Fraction(2)]),
)
def test_bounded_mean_is_the_ledgers(data, epsilon):
    """With the same noise the release must be that of Algorithm 1, up to the grid of records."""
    low, high, size = Fraction(0), Fraction(4), 20
    mechanism = BoundedMean(epsilon, low, high)
    out = mechanism.sample([float(x) for x in data], size, rng=np.random.default_rng(6))
    twin = np.random.default_rng(6)
    sums = twin.laplace(scale=float((high - low) / epsilon), size=size)
    counts = twin.laplace(scale=float(2 / epsilon), size=size)
    exact = tuple(Fraction(x) for x in data)
    right = [
        float(bounded_mean(exact, low, high, Fraction(n), Fraction(s)))
        for s, n in zip(sums.tolist(), counts.tolist(), strict=True)
    ]
    np.testing.assert_allclose(out, right, rtol=0, atol=1e-6)


@pytest.mark.parametrize("release", ["mean", "pair"])
@given(epsilon=POSITIVE, low=st.integers(-5, 5), width=POSITIVE)
def test_certificates_restate_the_query(release, epsilon, low, width):
    """Moves, range and noise scales of the mechanism must be those that are stated again."""
    mechanism = BoundedMean(epsilon, low, low + width, release)
    query = mechanism.noisy_query()
    given_as = {"epsilon": epsilon, "low": Fraction(low), "high": low + width}
    again = restated(
        "sub.bounded-mean", {k: str(v) for k, v in given_as.items()} | {"release": release}
    )
    assert (query.moves, query.records) == (again.moves, again.records)
    assert tuple(noise.sensitivity / noise.epsilon for noise in query.noises) == again.scales


@pytest.mark.parametrize("row", erratum.END_TO_END)
@pytest.mark.parametrize("place", range(3))
def test_printed_laws_are_the_ledgers(row, place):
    """Both bounds of the erratum must be the same exact numbers from the stated laws."""
    size, inverse, epsilon, _ = row
    gamma = Fraction(1, inverse)
    printed = PrintedSubsetMean(epsilon, gamma=gamma, rule=RULES[place])
    assert printed.counterexample is not None
    first, second = map(printed.threshold_laws, printed.counterexample)
    start, end = gamma / (size + 1), gamma / size
    p = probability(first[0], start, end) * probability(first[1], start, end)
    q = probability(second[0], start, Fraction(1)) + probability(second[1], start, Fraction(1))
    right = erratum.exceeds(size, gamma, epsilon, erratum.RULES[place], lambda n: n)
    for found, exact in zip((p, q), right, strict=True):
        lower, upper = endpoints((found / exact).ball(200) - 1)
        assert max(abs(lower), abs(upper)) < TINY
