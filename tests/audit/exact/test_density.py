from fractions import Fraction
from itertools import pairwise
from math import erf, erfc, exp, log, pi, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.exact.comparison.gaussians import gaussian_delta
from audit.exact.density.density_divergences import (
    hockey_stick,
    largest_log_ratio,
    log_ratio_at_most,
    mass,
    renyi,
)
from audit.exact.density.sign_cells import sign_cells
from audit.exact.density.tail_lemmas import Density, NotCovered
from audit.exact.jets.taylor import taylor_integral
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Balls, Undecided, contains, endpoints
from tests.audit.exact.densities import cauchy, gaussian, laplace, logistic, mixture, pair

ONE = Fraction(1)
NUMBERS = Balls(128)
PRINTED = Fraction("0.126936737506643946")  # delta(1) at mu = 1, 18 digits
NARROW = Fraction(1, 10**20)


def near(ball, number, slack=1e-12):
    """Whether a ball is within `slack` of a float."""
    low, high = map(float, endpoints(ball))
    return number - slack < low <= high < number + slack


def width(ball):
    """Width of a ball."""
    low, high = endpoints(ball)
    return high - low


def within(ball, printed, digits):
    """Whether all of a ball rounds to a printed decimal."""
    low, high = endpoints(ball)
    half = Fraction(1, 2 * 10**digits)
    return printed - half < low <= high < printed + half


# The largest log-ratio.


def lemmas(p, q):
    """The lemmas that cover the tails of two densities."""
    return {tail.lemma for tail in pair(p, q).covered_tails()}


def test_laplace_loses_epsilon():
    """The largest log-ratio of Laplace noise under a shift of 2/7 at rate 1/3 must be 2/21."""
    rate, shift = Fraction(1, 3), Fraction(2, 7)
    found = largest_log_ratio(pair(laplace(0, rate), laplace(shift, rate)))
    assert found.lower <= rate * shift <= found.upper
    assert found.upper - found.lower < NARROW
    assert lemmas(laplace(0, rate), laplace(shift, rate)) == {"TAIL-EXPONENTIAL"}


def test_laplace_claims_are_decided_on_the_whole_line():
    """Epsilon + 1e-15 must be proved; 1 % less refuted; epsilon itself left open."""
    two = pair(laplace(0), laplace(1))
    assert log_ratio_at_most(two, ONE + Fraction(1, 10**15)) is True
    assert log_ratio_at_most(two, Fraction(99, 100)) is False
    assert log_ratio_at_most(two, ONE) is None


def test_gaussians_are_not_purely_private():
    """No epsilon may be proved."""
    two = pair(gaussian(0), gaussian(1))
    assert largest_log_ratio(two).unbounded
    assert largest_log_ratio(two).lower is None
    assert log_ratio_at_most(two, Fraction(100)) is False


def test_a_mixture_is_bounded_on_the_whole_line():
    """The largest log-ratio of the mixture must be the published one, with the tails proved."""
    found = largest_log_ratio(pair(mixture(0), mixture(1)), tolerance=Fraction(1, 10**8))
    assert found.lower <= Fraction("0.97082738579")
    assert found.upper >= Fraction("0.97082737916")
    assert found.upper - found.lower < Fraction(1, 10**8)
    assert lemmas(mixture(0), mixture(1)) == {"TAIL-MONOTONE"}
    assert log_ratio_at_most(pair(mixture(0), mixture(1)), Fraction(971, 1000)) is True
    assert log_ratio_at_most(pair(mixture(0), mixture(1)), Fraction(961, 1000)) is False


def test_the_logistic_law_is_bounded_by_its_limit():
    """The log-ratio of logistic noise under a shift of 1 must be below 1, and come near it."""
    found = largest_log_ratio(pair(logistic(0), logistic(1)), tolerance=Fraction(1, 10**6))
    assert 1 - Fraction(1, 10**6) < found.lower < 1 <= found.upper < 1 + Fraction(1, 10**6)
    assert lemmas(logistic(0), logistic(1)) == {"TAIL-SHIFTED"}
    assert log_ratio_at_most(pair(logistic(0), logistic(1)), Fraction(101, 100)) is True
    assert log_ratio_at_most(pair(logistic(0), logistic(1)), Fraction(99, 100)) is False


PARTS = st.lists(
    st.tuples(
        st.fractions("1/10", 1, max_denominator=10),
        st.fractions(-3, 3, max_denominator=4),
        st.fractions("1/2", 2, max_denominator=4),
    ),
    min_size=1,
    max_size=3,
)


def mixed(parts, power):
    """Sum of w e^-|(x - m) s|^power, as a density and in doubles; its mass need not be 1."""

    def formula(x, n):
        powers = (abs(x - m) if power == 1 else (x - m) ** 2 for _, m, _ in parts)
        terms = (
            n.exp(n.rational(-z * s**power)) * w for z, (w, _, s) in zip(powers, parts, strict=True)
        )
        return n.log(sum(terms))

    def in_doubles(x):
        terms = (float(w) * exp(-(abs((x - float(m)) * float(s)) ** power)) for w, m, s in parts)
        return sum(terms)

    middles = tuple(sorted({m for _, m, _ in parts})) if power == 1 else ()
    return Density(formula, Fraction(0), middles), in_doubles


@pytest.mark.long
@settings(max_examples=8)
@given(first=PARTS, second=PARTS, power=st.sampled_from([1, 2]))
def test_random_mixtures_agree_with_a_grid(first, second, power):
    """No point of a grid may exceed the upper end, and the profile must be near the grid's."""
    (p, f), (q, g) = mixed(first, power), mixed(second, power)
    found = largest_log_ratio(pair(p, q), tolerance=Fraction(1, 10**6), budget=1000)
    grid = [k / 20 for k in range(-500, 501)]
    if not found.unbounded:
        assert found.cells >= 1000 or found.upper - found.lower <= Fraction(2, 10**6)
        assert max(log(f(x) / g(x)) for x in grid[340:661]) <= float(found.upper) + 1e-9
    half = Fraction(1, 2)
    rough = sum(max(0.0, f(x) - exp(0.5) * g(x)) for x in grid) / 20
    assert near(hockey_stick(pair(p, q), half).value, rough, 0.03)


def test_an_infinite_piece_without_a_lemma_is_refused():
    """Heavy tails must be refused, never cut off."""
    with pytest.raises(NotCovered, match="no lemma covers"):
        largest_log_ratio(pair(cauchy(0), cauchy(1)))
    with pytest.raises(NotCovered, match="no lemma covers"):
        mass(cauchy(0))
    with pytest.raises(NotCovered, match="no lemma covers"):
        hockey_stick(pair(cauchy(0), cauchy(1)), ONE)


# Divergences.


def test_the_gaussian_profile_has_its_digits():
    """Delta(1) at mu = 1 must have the 18 published digits, by cells and in closed form."""
    by_cells = hockey_stick(pair(gaussian(0), gaussian(1)), ONE).value
    closed = gaussian_delta(ONE, ONE)
    for ball in (by_cells, closed):
        assert within(ball, PRINTED, 18)
        assert width(ball) < NARROW
    wrong = hockey_stick(pair(gaussian(0), gaussian(Fraction(101, 100))), ONE).value
    assert not within(wrong, PRINTED, 18)


@settings(max_examples=8)
@given(
    mu=st.fractions("1/4", 3, max_denominator=8),
    epsilon=st.fractions(-2, 4, max_denominator=8),
    sigma=st.fractions("1/2", 2, max_denominator=4),
)
def test_gaussian_profiles_agree_with_the_closed_form(mu, epsilon, sigma):
    """Cells, primitives and tails must give what the formula by erfc gives, both ways."""
    p, q = gaussian(0, sigma), gaussian(mu * sigma, sigma)
    closed = gaussian_delta(mu, epsilon)
    for two in (pair(p, q), pair(q, p)):
        found = hockey_stick(two, epsilon).value
        assert width(found) < NARROW
        assert abs(endpoints(found)[0] - endpoints(closed)[0]) < NARROW


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 2), Fraction(99, 100), ONE])
def test_laplace_profiles_agree_with_the_closed_form(epsilon):
    """Delta(e) of Laplace noise of rate 1 under a shift of 1 must be 1 - e^((e - 1) / 2)."""
    found = hockey_stick(pair(laplace(0), laplace(1)), epsilon)
    exact = 1 - exp((float(epsilon) - 1) / 2)
    assert near(found.value, exact, 1e-14)
    assert width(found.value) < NARROW
    if epsilon == 1:
        assert found.event == ()


def test_negative_epsilon_and_beyond():
    """Below -1 the whole line must be the event; above 1 nothing."""
    two = pair(laplace(0), laplace(1))
    everything = hockey_stick(two, Fraction(-2))
    assert near(everything.value, 1 - exp(-2))
    assert [everything.event[0], everything.event[1]] == [(None, 0), (1, None)]
    assert endpoints(hockey_stick(two, Fraction(2)).value) == (0, 0)


def test_total_variation():
    """At epsilon 0 it must be that of the closed forms, the same in both directions."""
    for p, q, exact in (
        (laplace(0), laplace(1), 1 - exp(-0.5)),
        (gaussian(0), gaussian(1), erf(0.5 / sqrt(2))),
    ):
        assert near(hockey_stick(pair(p, q), Fraction(0)).value, exact)
        assert near(hockey_stick(pair(q, p), Fraction(0)).value, exact)


def test_the_event_shows_the_violation():
    """The event's own probabilities must refute the claim, and nearly reach delta."""
    found = hockey_stick(pair(laplace(0), laplace(1)), Fraction(1, 2))
    assert found.event[0] == (None, 0)
    assert found.event[-1][1] == pytest.approx(Fraction(1, 4))
    assert near(found.p, 1 - exp(-0.25) / 2)
    assert near(found.q, exp(-0.75) / 2)
    assert endpoints(found.p)[0] > Fraction(exp(0.5) * (1 - 1e-12)) * endpoints(found.q)[1]
    nothing = hockey_stick(pair(laplace(0), laplace(1)), Fraction(2))
    assert endpoints(nothing.p) == endpoints(nothing.q) == (0, 0)


def test_mixtures_have_a_profile():
    """The profile of the mixture must agree with a sum over a fine grid, at each epsilon."""
    step = 1e-3
    for epsilon in (Fraction(0), Fraction(1, 2), Fraction(9, 10)):
        enclosed = hockey_stick(pair(mixture(0), mixture(1)), epsilon)
        grid = 0.0
        for k in range(-40_000, 44_000):
            x = (k + 0.5) * step
            grid += max(0.0, shape(x) - exp(float(epsilon)) * shape(x - 1)) * step
        assert near(enclosed.value, grid, 1e-6)
        assert width(enclosed.value) < NARROW


def shape(x):
    """Density of the mixture in doubles."""
    return 0.35 * exp(-abs(x)) + 0.075 * exp(-abs(x - 3) / 2)


def test_different_variances():
    """A pair of different scales, with two crossings, must agree with the normal cdf."""
    found = hockey_stick(pair(gaussian(0), gaussian(0, Fraction(2))), Fraction(0)).value
    crossing = sqrt(2 * log(2) * 4 / 3)
    exact = erf(crossing / sqrt(2)) - erf(crossing / 2 / sqrt(2))
    assert near(found, exact)


def test_masses_are_one():
    """Densities must integrate to 1; one that is 1 % too large must not."""
    for one in (laplace(0), mixture(1), gaussian(0), gaussian(1, Fraction(3))):
        assert contains(mass(one), ONE)
        assert width(mass(one)) < NARROW

    def heavy(x, n):
        return n.rational(-abs(x)) + n.log(n.rational(Fraction(101, 200)))

    assert not contains(mass(Density(heavy, Fraction(0), (Fraction(0),))), ONE)


@pytest.mark.parametrize(("order", "mu"), [(Fraction(2), ONE), (Fraction(7, 2), Fraction(1, 2))])
def test_renyi_of_gaussians(order, mu):
    """The Renyi divergence of N(0, 1) and N(mu, 1) must be order mu^2 / 2."""
    found = renyi(pair(gaussian(0), gaussian(mu)), order)
    assert contains(found, order * mu**2 / 2)
    assert width(found) < NARROW


def test_renyi_of_laplace():
    """The Renyi divergence of order a must be that of Mironov 2017, Proposition 6."""
    for order in (2.0, 3.5):
        moment = order * exp(order - 1) + (order - 1) * exp(-order)
        exact = log(moment / (2 * order - 1)) / (order - 1)
        assert near(renyi(pair(laplace(0), laplace(1)), Fraction(order)), exact)


def test_renyi_can_be_infinite():
    """The moment of a wide over a narrow Gaussian must be infinite from the right order on."""
    wide, narrow = gaussian(0, Fraction(2)), gaussian(0)
    assert renyi(pair(wide, narrow), Fraction(2)) is None  # 2 / 4 - 1 > 0 fails from 4/3 on
    assert renyi(pair(wide, narrow), Fraction(5, 4)) is not None
    with pytest.raises(InvalidArgument, match="order must be greater than 1"):
        renyi(pair(wide, narrow), ONE)


@pytest.mark.slow
def test_densities_without_primitives():
    """Logistic noise must be enclosed by Taylor cells and the tail bound of log-concave laws."""
    two = pair(logistic(0), logistic(1))
    tolerance = Fraction(1, 10**6)
    found = hockey_stick(two, Fraction(1, 2), tolerance=tolerance)
    assert near(found.value, 0.07740468631865, 1e-6)
    assert all(contains(mass(one, tolerance=tolerance), ONE) for one in (two.p, two.q))
    assert near(renyi(two, Fraction(2), tolerance=tolerance), 0.308993675776, 1e-6)
    assert near(renyi(pair(mixture(0), mixture(1)), Fraction(2)), 0.44198236950, 1e-8)


# The parts they are made of.


def test_sign_cells_enclose_every_crossing():
    """Cells must make up the interval, with the signs of the function, and small leftovers."""
    cells = sign_cells(
        lambda x, n: (n.rational(x) - Fraction(1, 3)) * (x - 2), Fraction(-1), Fraction(5), NUMBERS
    )
    assert [cell.sign for cell in cells] == [1, 0, -1, 0, 1]
    assert cells[0].lower == -1
    assert cells[-1].upper == 5
    assert all(a.upper == b.lower for a, b in pairwise(cells))
    for cell, zero in ((cells[1], Fraction(1, 3)), (cells[3], Fraction(2))):
        assert cell.lower <= zero <= cell.upper
        assert cell.upper - cell.lower < Fraction(1, 10**11)
        assert 0 <= cell.most < Fraction(1, 10**11)


def test_sign_cells_survive_what_has_no_value():
    """Where the formula has no value, a cell must stay open, without a bound."""
    cells = sign_cells(lambda x, n: n.log(n.rational(x)), Fraction(-1), Fraction(3), Balls(24))
    assert cells[-1].sign == 1
    assert cells[0].lower == -1
    assert cells[0].most is None


@pytest.mark.parametrize(
    ("formula", "lower", "upper", "exact"),
    [
        (lambda x, n: n.rational(-x), 0, 2, 1 - exp(-2)),
        (lambda x, n: n.log(1 + n.rational(x) ** 2), -1, 2, 6.0),
        (lambda x, n: n.log(1 / (1 + n.exp(-x))), 0, 3, log((1 + exp(3)) / 2)),
        (lambda x, n: n.log(n.sqrt(n.rational(x))), 1, 4, 14 / 3),
        (lambda x, n: n.log(n.erfc(x)), 0, 1, erfc(1) + (1 - exp(-1)) / sqrt(pi)),
        (lambda x, n: n.log(n.pi() * abs(x - 5) ** -1), 0, 4, 5.0561983221199),
        (lambda x, n: n.rational(Fraction(1)), 0, 2, 2 * exp(1)),
        (lambda x, n: n.rational(-abs(x - Fraction(1, 3))), 0, 1, 2 - exp(-1 / 3) - exp(-2 / 3)),
    ],
)
def test_taylor_cells_enclose_integrals(formula, lower, upper, exact):
    """The enclosure must contain the known integral, and be as narrow as asked."""
    found = taylor_integral(formula, Fraction(lower), Fraction(upper), NUMBERS, Fraction(1, 10**10))
    assert width(found) <= Fraction(1, 10**10)
    assert near(found, exact, 1e-9)


def test_taylor_cells_refuse_singular_integrals():
    """An integrand that is not bounded must be refused after a limited number of cells."""
    with pytest.raises(Undecided, match="more than 60 cells"):
        taylor_integral(
            lambda x, n: -n.log(n.rational(x)),
            Fraction(0),
            ONE,
            NUMBERS,
            Fraction(1, 100),
            budget=60,
        )


def test_the_rest_of_a_series_has_no_taylor_cells():
    """An unknown number may depend on the point: only its values may be used."""

    def formula(x, n):
        return x * n.between(Fraction(0), ONE)

    ends = (Fraction(0), ONE, NUMBERS)
    assert contains(taylor_integral(formula, *ends, Fraction(3), budget=99), Fraction(3, 2))
    with pytest.raises(Undecided, match="more than 99 cells"):
        taylor_integral(formula, *ends, ONE, budget=99)


def test_gaussian_delta_needs_a_distance():
    """Equal means have no mu, and must be refused."""
    with pytest.raises(InvalidArgument, match="mu must be positive"):
        gaussian_delta(Fraction(0), ONE)
