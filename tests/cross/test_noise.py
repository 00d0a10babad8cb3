"""Floats of the noise laws against enclosures of formulas stated again in `restated`."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

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
from proofs_check.enclosure import Balls, Undecided, agrees_with_print, endpoints
from tests.cross import restated
from tests.cross.restated import GRID, Constants, Formula, level0

TOLERANCE = Fraction(1, 10**12)
EPSILON = st.floats(1e-2, 30).map(lambda x: Fraction(repr(x)))
GAMMA = st.integers(1, 1000).map(lambda n: Fraction(n, 1000))


class Check(NamedTuple):
    """A float of the implementation at (epsilon, gamma, t), its formula, and what 1 is.

    The difference is measured in units of `unit` where that is given (a covariance may vanish),
    of the enclosed value itself otherwise.
    """

    floats: Callable[[Fraction, Fraction, int], float]
    formula: Formula
    unit: Formula | None = None


def discrete(eps, gamma):
    """Discrete hourglass of the test's grid."""
    return DiscreteHourglass(eps, GRID, level0(gamma))


CHECKS = {
    "laplace variance": Check(lambda e, g, t: Laplace(e).variance(), restated.laplace_variance),
    "geometric variance": Check(
        lambda e, g, t: Geometric(e).variance(), restated.geometric_variance
    ),
    "D2 a": Check(lambda e, g, t: Staircase(e, 1, g).density(0.0), restated.staircase_top),
    "S1 E|Z|": Check(
        lambda e, g, t: Staircase(e, 1, g).mean_absolute(), restated.staircase_absolute
    ),
    "S1 V": Check(lambda e, g, t: Staircase(e, 1, g).variance(), restated.staircase_variance),
    "S2 gamma*": Check(lambda e, g, t: staircase.optimal_gamma(float(e)), restated.staircase_gamma),
    "S2 V*": Check(lambda e, g, t: Staircase(e).variance(), restated.staircase_least_variance),
    "eq. (2)": Check(lambda e, g, t: Staircase(e).variance(), restated.swap_rate),
    "S2 gamma of E|Z|": Check(
        lambda e, g, t: staircase.optimal_gamma_absolute(float(e)),
        restated.staircase_absolute_gamma,
    ),
    "S2 least E|Z|": Check(
        lambda e, g, t: Staircase.for_absolute_error(e).mean_absolute(),
        restated.staircase_least_absolute,
    ),
    "S3 E Z^4": Check(
        lambda e, g, t: Staircase(e, 1, g).fourth_moment(), restated.staircase_fourth
    ),
    "D3 a2": Check(lambda e, g, t: L1Staircase(e, 1, g).density(0.0, 0.0), restated.l1_top),
    "S4 V2": Check(lambda e, g, t: L1Staircase(e, 1, g).variance(), restated.l1_variance),
    "S4 A2": Check(lambda e, g, t: L1Staircase(e, 1, g).mean_absolute(), restated.l1_absolute),
    "S4 E Z1^4": Check(lambda e, g, t: L1Staircase(e, 1, g).fourth_moment(), restated.l1_fourth),
    "S4 E Z1^2 Z2^2": Check(
        lambda e, g, t: L1Staircase(e, 1, g).cross_moment_22(), restated.l1_cross
    ),
    "S4 gamma2*": Check(lambda e, g, t: l1_staircase.optimal_gamma(float(e)), restated.l1_gamma),
    "S4 gamma of A2": Check(
        lambda e, g, t: l1_staircase.optimal_gamma_absolute(float(e)), restated.l1_absolute_gamma
    ),
    "D4 A": Check(lambda e, g, t: Hourglass(e, g).density(0.0, 0), restated.hourglass_top),
    "H1 P(T = t)": Check(lambda e, g, t: Hourglass(e, g).total_pmf(t), restated.hourglass_total),
    "H2 V": Check(lambda e, g, t: Hourglass(e, g).variance(), restated.staircase_variance),
    "H2 Cov": Check(
        lambda e, g, t: Hourglass(e, g).covariance(),
        restated.hourglass_covariance,
        restated.staircase_variance,
    ),
    "H2 Var T": Check(
        lambda e, g, t: Hourglass(e, g).total_variance(), restated.hourglass_total_variance
    ),
    "H3 E T^4": Check(
        lambda e, g, t: Hourglass(e, g).total_fourth_moment(), restated.hourglass_total_fourth
    ),
    "H3 E Z1 T^3": Check(
        lambda e, g, t: Hourglass(e, g).cross_moment_13(), restated.hourglass_cross_13
    ),
    "H3 E Z1^2 T^2": Check(
        lambda e, g, t: Hourglass(e, g).cross_moment_22(), restated.hourglass_cross_22
    ),
    "D5 A_d": Check(lambda e, g, t: discrete(e, g).pmf(0, 0), restated.discrete_top),
    "D5 P(T = t)": Check(lambda e, g, t: discrete(e, g).total_pmf(t), restated.discrete_total),
}


def error(check, eps, gamma, t, mutated=None):
    """Largest possible relative error of the float, over all numbers in the enclosure."""
    value = Fraction(float(check.floats(eps, gamma, t)))
    lower, upper = endpoints(check.formula(Constants(mutated), eps, gamma, t))
    unit = endpoints(check.unit(Constants(), eps, gamma, t))[0] if check.unit else abs(upper)
    return max(abs(value - lower), abs(value - upper)) / unit


@pytest.mark.parametrize("name", CHECKS)
def test_floats_lie_within_1e_12_of_the_enclosure(name):
    """Each float of each law must be the restated formula to a relative error of 1e-12."""

    @given(eps=EPSILON, gamma=GAMMA, t=st.integers(-4, 4))
    def check(eps, gamma, t):
        assert error(CHECKS[name], eps, gamma, t) <= TOLERANCE

    check()


PROBES = [
    (Fraction(eps), Fraction(gamma), t)
    for eps, gamma, t in [("1/10", "3/10", 0), ("1", "4/5", 2), ("2", "9/20", -1), ("8", "1", 1)]
]


def notices(check, mutated):
    """Whether the comparison fails at one of the probes with this constant changed."""
    for eps, gamma, t in PROBES:
        try:
            if error(check, eps, gamma, t, mutated) > TOLERANCE:
                return True
        except Undecided:  # the changed polynomial has lost its root
            return True
    return False


@pytest.mark.parametrize("name", CHECKS)
def test_every_constant_matters(name):
    """Any one constant of the restated formula changed by 1 % must break the comparison."""
    check, constants = CHECKS[name], Constants()
    check.formula(constants, *PROBES[0])
    assert constants.used >= 1
    assert not notices(check, None)
    assert [i for i in range(constants.used) if not notices(check, i)] == []


PRINTED = [
    ("S2 gamma*", "1", "0.416737434928882"),
    ("S2 gamma*", "10", "0.0282707793304253"),
    ("S2 V*", "0.1", "199.916680561059"),
    ("S2 V*", "5", "0.0297110241363729"),
    ("eq. (2)", "5", "0.0297110241363729"),
    ("S2 gamma of E|Z|", "2", "0.268941421369995"),
    ("S2 least E|Z|", "10", "0.00673825291529454"),
    ("S4 gamma2*", "0.1", "0.780261625951922"),
    ("S4 gamma2*", "1", "0.697532825629935"),
    ("S4 gamma2*", "10", "0.085048701120703"),
    ("S4 gamma of A2", "5", "0.229867521121799"),
    ("geometric variance", "1", "1.84134718841558"),
]


@pytest.mark.parametrize(("name", "epsilon", "printed"), PRINTED)
def test_enclosures_agree_with_the_printed_tables(name, epsilon, printed):
    """The balls, too, must be right: they agree with the tables to the last printed digit."""
    ball = CHECKS[name].formula(Constants(), Fraction(epsilon), Fraction(1, 2), 0)
    assert agrees_with_print(ball, printed) is True


@given(eps=EPSILON)
def test_the_best_gamma_is_best(eps):
    """V at the float gamma* must exceed the enclosed V* by no more than the flat top allows."""
    gamma = Staircase(eps).gamma
    ball = restated.staircase_variance(Constants(), eps, gamma, 0)
    least = restated.staircase_least_variance(Constants(), eps, gamma, 0)
    excess = endpoints(ball / least - 1)
    assert -Fraction(1, 10**40) < excess[1] < Fraction(1, 10**24)


@given(eps=EPSILON)
def test_the_largest_root_is_the_minimum(eps):
    """The l1 gamma* must beat its neighbors, 1 % to either side: it is no local maximum."""
    gamma = L1Staircase(eps).gamma
    best, *others = (
        restated.l1_variance(Constants(numbers=Balls(120)), eps, min(gamma * r, Fraction(1)), 0)
        for r in (Fraction(1), Fraction(99, 100), Fraction(101, 100))
    )
    assert all(best < other for other in others)


@given(eps=EPSILON)
def test_the_default_level0_is_the_nearest_to_the_best(eps):
    """The r of the grid law must be an integer nearest to gamma* Q + 1/2, clipped to 1..Q."""
    r = DiscreteHourglass(eps, GRID).level0
    target = restated.staircase_gamma(Constants(), eps, Fraction(1), 0) * GRID + Fraction(1, 2)
    lower, upper = endpoints(target)
    assert np.clip(round(lower), 1, GRID) <= r <= np.clip(round(upper), 1, GRID)
