"""The exact output law of Algorithm 3 with Laplace noise (KSW-X1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mechanisms.add_remove.exact_law import TransformedLaplaceLaw, laplace_sum_tail
from mechanisms.add_remove.transformed_mean import TransformedMean
from mechanisms.errors import InvalidArgument
from mechanisms.laws import FLOATS
from mechanisms.protocols import ExactLaw
from proofs_check.enclosure import Balls, endpoints
from tests.calibrated import ALPHA, assert_law, assert_not_law, draws_for, law_distance

Array = NDArray[np.float64]
BALLS = Balls(200)

CASES = [
    pytest.param(Fraction(1), Fraction(0), Fraction(0), id="empty"),
    pytest.param(Fraction(1), Fraction(1, 2), Fraction(1, 2), id="one midpoint"),
    pytest.param(Fraction(1), Fraction(0), Fraction(5), id="all low"),
    pytest.param(Fraction(1, 10), Fraction(3), Fraction(4), id="small epsilon"),
    pytest.param(Fraction(2), Fraction(40), Fraction(3), id="large"),
]
POINTS = [
    *map(Fraction, ("1e-6", "0.1", "1/3", "0.499", "1/2", "0.9", "0.999999")),
    *(Fraction(1, 2) + sign * Fraction(1, 10**k) for k in (2, 6, 12, 30) for sign in (1, -1)),
]

sums = st.fractions(min_value=0, max_value=20, max_denominator=64)
epsilons = st.fractions(min_value=Fraction(1, 8), max_value=8, max_denominator=16)
inside = st.fractions(
    min_value=Fraction(1, 1024), max_value=Fraction(1023, 1024), max_denominator=1024
)


def slow_tail(x: mpmath.mpf, A: mpmath.mpf, B: mpmath.mpf) -> mpmath.mpf:
    """P(X > x) as KSW-X1 prints it, in the precision of mpmath."""

    def two_scales(tau: mpmath.mpf, al: mpmath.mpf, be: mpmath.mpf) -> mpmath.mpf:
        if tau < 0:
            return 1 - two_scales(-tau, al, be)
        if al == be:
            return (1 + tau / (2 * al)) * mpmath.exp(-tau / al) / 2
        top = al**2 * mpmath.exp(-tau / al) - be**2 * mpmath.exp(-tau / be)
        return top / (2 * (al**2 - be**2))

    main = two_scales(x * B - (1 - x) * A, 1 - x, x)
    return main + mpmath.exp(-A - B) * (1 - 2 * x + B - A) / 4


def as_mpf(x: Fraction) -> mpmath.mpf:
    """An exact rational in the precision of mpmath."""
    return mpmath.mpf(x.numerator) / x.denominator


def left_cdf(law: TransformedLaplaceLaw) -> Callable[[Array], Array]:
    """P(Z < z): the cdf without the atoms at the bounds."""
    atoms = law.atoms(FLOATS)
    low, high = float(law.low), float(law.high)

    def below(z: Array) -> Array:
        at_low = np.where(z == low, atoms[law.low], 0.0)
        return law.cdf(z) - at_low - np.where(z == high, atoms[law.high], 0.0)

    return below


def test_law_is_an_exact_law() -> None:
    """It must hold that the class has the shape of the protocol."""
    assert isinstance(TransformedLaplaceLaw(1, 1, 1), ExactLaw)


@pytest.mark.parametrize(("epsilon", "first", "second"), CASES)
def test_cdf_is_the_printed_tail(epsilon: Fraction, first: Fraction, second: Fraction) -> None:
    """It must hold that the cdf is one minus the printed tail, also where its scales meet."""
    for x in POINTS:
        law = TransformedLaplaceLaw(epsilon, first, second)
        with mpmath.workdps(120):
            at = mpmath.mpf(float(x))
            expected = 1 - slow_tail(at, as_mpf(epsilon * first), as_mpf(epsilon * second))
        assert float(law.cdf(float(x))) == pytest.approx(float(expected), rel=1e-12, abs=2e-16)


@pytest.mark.parametrize(("epsilon", "first", "second"), CASES)
def test_log_density_is_the_derivative_of_the_tail(
    epsilon: Fraction, first: Fraction, second: Fraction
) -> None:
    """It must hold that the same lines give the derivative in doubles and enclose it in balls."""
    for x in POINTS:
        law = TransformedLaplaceLaw(epsilon, first, second)
        with mpmath.workdps(200):
            A, B, h = as_mpf(epsilon * first), as_mpf(epsilon * second), mpmath.mpf(10) ** -60
            slope = (slow_tail(as_mpf(x) - h, A, B) - slow_tail(as_mpf(x) + h, A, B)) / (2 * h)
            expected = mpmath.log(slope)
            middle = Fraction(int(mpmath.floor(expected * 2**120)), 2**120)
        lower, upper = endpoints(law.log_density(x, BALLS))
        slack = Fraction(1, 2**100)  # the divided difference is off by h^2
        assert lower - slack <= middle <= upper + slack
        assert upper - lower < Fraction(1, 2**90)
        assert law.log_density(x, FLOATS) == pytest.approx(float(expected), rel=1e-13, abs=1e-13)


@pytest.mark.parametrize(("epsilon", "first", "second"), CASES)
def test_atoms_and_density_make_one(epsilon: Fraction, first: Fraction, second: Fraction) -> None:
    """It must hold that the density integrates to what the atoms leave."""
    law = TransformedLaplaceLaw(epsilon, first, second, -1, 3)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    ends = [float(p) for p in law.breakpoints(Fraction(-1), Fraction(3))]
    total = 0.0
    for a, b in pairwise(ends):
        edges = np.linspace(a, b, 9)
        for left, right in pairwise(edges):
            points = (left + right) / 2 + (right - left) / 2 * nodes
            values = [math.exp(law.log_density(Fraction(z), FLOATS)) for z in points]
            total += float(np.dot(values, weights)) * (right - left) / 2
    assert total + sum(law.atoms(FLOATS).values()) == pytest.approx(1, rel=1e-11, abs=0)


@pytest.mark.parametrize(("epsilon", "first", "second"), CASES)
def test_atoms_are_the_jumps_of_the_cdf(
    epsilon: Fraction, first: Fraction, second: Fraction
) -> None:
    """It must hold that the cdf jumps by the atoms at the bounds, and by nothing outside."""
    law = TransformedLaplaceLaw(epsilon, first, second, 2, 5)
    atoms = law.atoms(FLOATS)
    below, low, under_high, high = law.cdf(np.array([2 - 1e-9, 2.0, np.nextafter(5, 0), 5.0]))
    assert (below, high) == (0, 1)
    assert low == pytest.approx(atoms[Fraction(2)], rel=1e-9, abs=0)
    assert 1 - under_high == pytest.approx(atoms[Fraction(5)], abs=1e-13)


def test_empty_data_give_quarters_and_uniform() -> None:
    """It must hold that n = 0 has atoms 1/4, 1/4 and is uniform between the bounds."""
    law = TransformedLaplaceLaw.from_data([], "0.3", 10, 20)
    assert law.atoms(FLOATS) == {Fraction(10): 0.25, Fraction(20): 0.25}
    x = np.linspace(10, 19.999, 100)
    assert law.cdf(x) == pytest.approx(0.25 + (x - 10) / 20, rel=1e-14, abs=0)
    assert law.breakpoints(Fraction(0), Fraction(30)) == (10, 20)


@pytest.mark.parametrize(
    ("n", "epsilon", "loss"),
    [
        (0, 1, 0.306852819440055),
        (1, 1, 0.744591909528113),
        (10, 1, 0.9999772946233),
        (1, 5, 4.98295372504203),
    ],
)
def test_loss_on_output_low(n: int, epsilon: int, loss: float) -> None:
    """It must hold that adding high to n copies of low costs the stated loss on output = low."""
    before = TransformedLaplaceLaw(epsilon, 0, n).atoms(BALLS)[Fraction(0)]
    after = TransformedLaplaceLaw(epsilon, 1, n).atoms(BALLS)[Fraction(0)]
    lower, upper = map(float, endpoints(BALLS.log(before / after)))
    assert lower == upper == pytest.approx(loss, rel=3e-14, abs=0)
    assert loss < epsilon


@given(epsilon=epsilons, first=sums, second=sums, record=inside, x=inside)
def test_added_record_costs_at_most_epsilon(
    epsilon: Fraction, first: Fraction, second: Fraction, record: Fraction, x: Fraction
) -> None:
    """It must hold that density and atoms move by a factor of at most e^epsilon (Theorem 1)."""
    law = TransformedLaplaceLaw(epsilon, first, second)
    other = TransformedLaplaceLaw(epsilon, first + record, second + 1 - record)
    atoms, other_atoms = law.atoms(BALLS), other.atoms(BALLS)
    losses = [BALLS.log(atoms[bound] / other_atoms[bound]) for bound in atoms]
    losses.append(law.log_density(x, BALLS) - other.log_density(x, BALLS))
    slack = Fraction(1, 2**100)  # the balls are narrower
    for lower, upper in map(endpoints, losses):
        assert -epsilon - slack < lower < upper < epsilon + slack


@given(epsilon=epsilons, first=sums, second=sums, x=inside)
def test_mirrored_data_mirror_the_law(
    epsilon: Fraction, first: Fraction, second: Fraction, x: Fraction
) -> None:
    """It must hold that exchanging the two sums reflects density and atoms at 1/2."""
    law, mirror = (
        TransformedLaplaceLaw(epsilon, *pair) for pair in ((first, second), (second, first))
    )
    assert law.log_density(x, FLOATS) == pytest.approx(
        mirror.log_density(1 - x, FLOATS), rel=1e-12, abs=0
    )
    assert law.atoms(FLOATS)[Fraction(0)] == mirror.atoms(FLOATS)[Fraction(1)]


@given(
    epsilon=epsilons,
    first=sums,
    second=sums,
    low=st.fractions(min_value=-50, max_value=50, max_denominator=8),
    width=st.fractions(min_value=Fraction(1, 8), max_value=50, max_denominator=8),
    x=inside,
)
def test_law_moves_with_the_bounds(
    epsilon: Fraction,
    first: Fraction,
    second: Fraction,
    low: Fraction,
    width: Fraction,
    x: Fraction,
) -> None:
    """It must hold that bounds [low, low + w] give the law of low + w X."""
    unit = TransformedLaplaceLaw(epsilon, first, second)
    law = TransformedLaplaceLaw(epsilon, first, second, low, low + width)
    point = low + width * x
    expected = unit.log_density(x, FLOATS) - math.log(width)
    assert law.log_density(point, FLOATS) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert float(law.cdf(float(point))) == pytest.approx(float(unit.cdf(float(x))), abs=1e-11)
    moved = tuple(low + width * p for p in unit.breakpoints(Fraction(0), Fraction(1)))
    assert law.breakpoints(low, low + width) == moved


@given(epsilon=epsilons, first=sums, second=sums)
def test_cdf_never_decreases(epsilon: Fraction, first: Fraction, second: Fraction) -> None:
    """It must hold that the cdf rises from 0 to 1."""
    values = TransformedLaplaceLaw(epsilon, first, second).cdf(np.linspace(-0.1, 1.1, 601))
    assert values[0] == 0
    assert values[-1] == 1
    assert np.diff(values).min() >= -1e-15


def test_breakpoints_are_bounds_and_mean() -> None:
    """It must hold that the formula changes at low, the mean and high, within what is asked."""
    law = TransformedLaplaceLaw(1, 1, 3, 0, 8)
    assert law.breakpoints(Fraction(-9), Fraction(9)) == (0, 2, 8)
    assert law.breakpoints(Fraction(1), Fraction(3)) == (2,)
    assert law.breakpoints(Fraction(3), Fraction(4)) == ()


def test_equal_bounds_are_a_point_mass() -> None:
    """It must hold that low = high puts all mass there and has no density."""
    law = TransformedLaplaceLaw.from_data([1, 2, 3], 1, 7, 7)
    assert law.atoms(FLOATS) == {Fraction(7): 1.0}
    assert law.cdf([6.9, 7.0, 7.1]).tolist() == [0, 1, 1]
    with pytest.raises(InvalidArgument, match="point must lie strictly between 7 and 7"):
        law.log_density(Fraction(7), FLOATS)


@pytest.mark.parametrize("point", [Fraction(0), Fraction(1), Fraction(-1), Fraction(3, 2)])
def test_no_density_at_atoms_or_outside(point: Fraction) -> None:
    """It must hold that the density is asked for only where it is one."""
    with pytest.raises(InvalidArgument, match="strictly between 0 and 1"):
        TransformedLaplaceLaw(1, 1, 1).log_density(point, FLOATS)


def test_sum_tail_meets_two_independent_limits() -> None:
    """It must hold that the tail is Laplace's for a scale 0, (2 + t) e^-t / 4 for two 1."""
    tau = np.array([0.0, 1e-3, 1.0, 30.0])
    assert laplace_sum_tail(tau, 0, 2) == pytest.approx(np.exp(-tau / 2) / 2, rel=1e-15, abs=0)
    assert laplace_sum_tail(tau, 1, 1) == pytest.approx(
        (2 + tau) * np.exp(-tau) / 4, rel=1e-15, abs=0
    )
    near = laplace_sum_tail(tau, 1, 1 + 1e-12)
    assert near == pytest.approx((2 + tau) * np.exp(-tau) / 4, rel=1e-10, abs=0)


@pytest.mark.parametrize(
    ("data", "epsilon"),
    [([], 1), ([0.5], 1), ([0, 0, 1], 1), ([0.25, 0.75, 1], 2)],
)
def test_sampler_follows_the_law(
    data: list[float], epsilon: int, dp_rng: np.random.Generator
) -> None:
    """It must hold that the mechanism draws from this law, not one with a quarter record more."""
    mechanism = TransformedMean(epsilon=epsilon, low=-1, high=2, noise="laplace")
    law = TransformedLaplaceLaw.from_data(data, epsilon, -1, 2)
    wrong = TransformedLaplaceLaw(epsilon, law.first, law.second + Fraction(1, 4), -1, 2)
    distance = law_distance(law.cdf, wrong.cdf, np.linspace(-1, 1.999, 400))
    draws = mechanism.sample(data, draws_for(distance), rng=dp_rng)
    assert_law(draws, law.cdf, distance, left_cdf=left_cdf(law))
    assert_not_law(draws, wrong.cdf, distance, left_cdf=left_cdf(wrong))


def test_sampler_scale_error_of_five_percent_is_seen(dp_rng: np.random.Generator) -> None:
    """It must hold that noise with 5 % too much epsilon follows another law."""
    law = TransformedLaplaceLaw.from_data([0, 1, 1], 1)
    wrong = TransformedLaplaceLaw.from_data([0, 1, 1], "1.05")
    distance = law_distance(law.cdf, wrong.cdf, np.linspace(0, 0.999, 400))
    draws = TransformedMean(epsilon=1, noise="laplace").sample(
        [0, 1, 1], draws_for(distance), rng=dp_rng
    )
    assert_law(draws, law.cdf, distance, left_cdf=left_cdf(law))
    assert_not_law(draws, wrong.cdf, distance, left_cdf=left_cdf(wrong))


@pytest.mark.parametrize("data", [[], [0.0], [0.5, 0.5]], ids=["empty", "low", "midpoints"])
def test_sampler_has_the_atoms(data: list[float], dp_rng: np.random.Generator) -> None:
    """It must hold that the frequency of each bound is its atom, to 2.5 % (Bernstein)."""
    atoms = TransformedLaplaceLaw.from_data(data, 1).atoms(FLOATS)
    least = min(atoms.values())
    margin = 0.025 * least  # a value that is 5 % wrong lies at least as far on the other side
    variance = max(atoms.values())
    size = math.ceil(2 * math.log(2 / ALPHA) * (variance + margin / 3) / margin**2)
    draws = TransformedMean(epsilon=1, noise="laplace").sample(data, size, rng=dp_rng)
    for bound, probability in atoms.items():
        seen = np.mean(draws == float(bound))
        assert abs(seen - probability) < margin
        assert abs(seen - 1.05 * probability) > margin


def test_mechanism_states_the_law_where_it_has_a_closed_form() -> None:
    """It must hold that the mechanism's own law is the law of its data and parameters."""
    mechanism = TransformedMean("1/2", -1, 2)
    data = [0.0, 1.5]
    assert mechanism.exact_law(data) == TransformedLaplaceLaw.from_data(data, "1/2", -1, 2)
    assert TransformedMean(noise="hourglass").exact_law(data) is None
