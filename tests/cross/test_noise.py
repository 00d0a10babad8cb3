"""Floats of the noise laws against the closed forms that the ledger proves, as balls."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.noise import l1_staircase, staircase
from mechanisms.noise.discrete_hourglass import DiscreteHourglass
from mechanisms.noise.geometric import Geometric
from mechanisms.noise.hourglass import Hourglass
from mechanisms.noise.l1_staircase import L1Staircase
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.staircase import Staircase
from proofs_check.enclosure import endpoints
from tests.cross.closed_forms import CLOSED_FORMS, GRID, level0

TOLERANCE = Fraction(1, 10**12)
EPSILON = st.floats(1e-2, 30).map(lambda x: Fraction(repr(x)))
GAMMA = st.integers(1, 1000).map(lambda n: Fraction(n, 1000))


def discrete(eps, gamma):
    """Discrete hourglass of the test's grid."""
    return DiscreteHourglass(eps, GRID, level0(gamma))


FLOATS: dict[str, Callable[[Fraction, Fraction, int], float]] = {
    "laplace variance": lambda e, g, t: Laplace(e).variance(),
    "geometric variance": lambda e, g, t: Geometric(e).variance(),
    "D2 a": lambda e, g, t: Staircase(e, 1, g).density(0.0),
    "S1 E|Z|": lambda e, g, t: Staircase(e, 1, g).mean_absolute(),
    "S1 V": lambda e, g, t: Staircase(e, 1, g).variance(),
    "S2 gamma*": lambda e, g, t: staircase.optimal_gamma(float(e)),
    "S2 V*": lambda e, g, t: Staircase(e).variance(),
    "S2 gamma of E|Z|": lambda e, g, t: staircase.optimal_gamma_absolute(float(e)),
    "S2 least E|Z|": lambda e, g, t: Staircase.for_absolute_error(e).mean_absolute(),
    "S3 E Z^4": lambda e, g, t: Staircase(e, 1, g).fourth_moment(),
    "D3 a2": lambda e, g, t: L1Staircase(e, 1, g).density(0.0, 0.0),
    "S4 V2": lambda e, g, t: L1Staircase(e, 1, g).variance(),
    "S4 A2": lambda e, g, t: L1Staircase(e, 1, g).mean_absolute(),
    "S4 E Z1^4": lambda e, g, t: L1Staircase(e, 1, g).fourth_moment(),
    "S4 E Z1^2 Z2^2": lambda e, g, t: L1Staircase(e, 1, g).cross_moment_22(),
    "S4 gamma2*": lambda e, g, t: l1_staircase.optimal_gamma(float(e)),
    "S4 gamma of A2": lambda e, g, t: l1_staircase.optimal_gamma_absolute(float(e)),
    "D4 A": lambda e, g, t: Hourglass(e, g).density(0.0, 0),
    "H1 P(T = t)": lambda e, g, t: Hourglass(e, g).total_pmf(t),
    "H2 Cov": lambda e, g, t: Hourglass(e, g).covariance(),
    "H2 Var T": lambda e, g, t: Hourglass(e, g).total_variance(),
    "H3 E T^4": lambda e, g, t: Hourglass(e, g).total_fourth_moment(),
    "H3 E Z1 T^3": lambda e, g, t: Hourglass(e, g).cross_moment_13(),
    "H3 E Z1^2 T^2": lambda e, g, t: Hourglass(e, g).cross_moment_22(),
    "D5 A_d": lambda e, g, t: discrete(e, g).pmf(0, 0),
    "D5 P(T = t)": lambda e, g, t: discrete(e, g).total_pmf(t),
}
"""The same numbers from the implementation."""

UNITS = {"H2 Cov": "S1 V"}
"""In what a difference is measured where the number itself may vanish."""


def error(name, eps, gamma, t, factor=Fraction(1)):
    """Largest possible relative error of the float, over all numbers in the enclosure."""
    value = Fraction(float(FLOATS[name](eps, gamma, t))) * factor
    lower, upper = endpoints(CLOSED_FORMS[name](eps, gamma, t))
    unit = endpoints(CLOSED_FORMS[UNITS.get(name, name)](eps, gamma, t))[0]
    return max(abs(value - lower), abs(value - upper)) / unit


def test_every_closed_form_is_compared():
    """It must hold that both tables have the same names."""
    assert set(FLOATS) == set(CLOSED_FORMS)


@pytest.mark.parametrize("name", FLOATS)
def test_floats_lie_within_1e_12_of_the_ledger(name):
    """Each float of each law must be the ledger's number to a relative error of 1e-12."""

    @given(eps=EPSILON, gamma=GAMMA, t=st.integers(-4, 4))
    def check(eps, gamma, t):
        assert error(name, eps, gamma, t) <= TOLERANCE

    check()


def test_a_float_that_is_wrong_is_noticed(subtests):
    """A relative error of 2e-12 at one point must break the comparison."""
    for name in FLOATS:
        with subtests.test(name=name):
            probe = (Fraction(2), Fraction(9, 20), -1)
            assert error(name, *probe) <= TOLERANCE
            if name not in UNITS:
                assert error(name, *probe, factor=1 + 2 * TOLERANCE) > TOLERANCE
            assert error(name, *probe, factor=Fraction(101, 100)) > TOLERANCE


@given(eps=EPSILON)
def test_the_best_gamma_is_best(eps):
    """V at the float gamma* must exceed the enclosed V* by no more than the flat top allows."""
    gamma = Staircase(eps).gamma
    ratio = CLOSED_FORMS["S1 V"](eps, gamma, 0) / CLOSED_FORMS["S2 V*"](eps, gamma, 0)
    assert -Fraction(1, 10**40) < endpoints(ratio - 1)[1] < Fraction(1, 10**24)


@given(eps=EPSILON)
def test_the_largest_root_is_the_minimum(eps):
    """The l1 gamma* must beat its neighbors, 1 % to either side: it is no local maximum."""
    gamma = L1Staircase(eps).gamma
    best, *others = (
        CLOSED_FORMS["S4 V2"](eps, min(gamma * r, Fraction(1)), 0)
        for r in (Fraction(1), Fraction(99, 100), Fraction(101, 100))
    )
    assert all(best < other for other in others)


@given(eps=EPSILON)
def test_the_default_level0_is_the_nearest_to_the_best(eps):
    """The r of the grid law must be an integer nearest to gamma* Q + 1/2, clipped to 1..Q."""
    r = DiscreteHourglass(eps, GRID).level0
    target = CLOSED_FORMS["S2 gamma*"](eps, Fraction(1), 0) * GRID + Fraction(1, 2)
    lower, upper = endpoints(target)
    assert np.clip(round(lower), 1, GRID) <= r <= np.clip(round(upper), 1, GRID)
