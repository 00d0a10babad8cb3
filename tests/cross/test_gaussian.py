"""The Gaussian curve and the calibration of sigma against balls."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mechanisms.claims import GaussianDP
from mechanisms.implications import gaussian_delta, gaussian_to_approx
from mechanisms.noise.gaussian import Gaussian
from proofs_check.enclosure import certainly_less, endpoints
from tests.cross.gaussian_curve import Constants
from tests.cross.gaussian_curve import gaussian_delta as enclosed_delta

TOLERANCE = Fraction(1, 10**12)
NORMAL = Fraction(1, 10**290)  # below it doubles run out of digits
SMALLEST_OF_USE = Fraction(1, 10**50)
EPSILON = st.floats(1e-2, 30).map(lambda x: Fraction(repr(x)))
ANY_MU = st.floats(-3, 1.3).map(lambda x: Fraction(repr(10**x)))
LOG_DELTA = st.floats(-12, -0.5)


def error(mu, eps, mutated=None):
    """Largest possible relative error of the float curve."""
    value = Fraction(gaussian_delta(float(mu), float(eps)))
    lower, upper = endpoints(enclosed_delta(Constants(mutated), mu, eps))
    unit, _ = endpoints(enclosed_delta(Constants(), mu, eps))
    return max(abs(value - lower), abs(value - upper)) / unit


@given(mu=st.floats(0.02, 20).map(lambda x: Fraction(repr(x))), eps=EPSILON)
def test_the_curve_is_within_1e_12_of_the_enclosure(mu, eps):
    """The float delta(epsilon) must be right to 1e-12, although it is a difference."""
    assume(certainly_less(enclosed_delta(Constants(), mu, eps), NORMAL) is False)
    assert error(mu, eps) <= TOLERANCE


PROBES = [(Fraction(mu), Fraction(eps)) for mu, eps in [("1", "1"), ("1/10", "1/2"), ("6", "2")]]


def constants_of_the_curve():
    """Indices of the constants of the restated curve."""
    constants = Constants()
    enclosed_delta(constants, *PROBES[0])
    return range(constants.used)


@pytest.mark.parametrize("mutated", constants_of_the_curve())
def test_every_constant_of_the_curve_matters(mutated):
    """Any one constant of the restated curve changed by 1 % must break the comparison."""
    assert max(error(*probe) for probe in PROBES) <= TOLERANCE
    assert max(error(*probe, mutated) for probe in PROBES) > TOLERANCE


@given(mu=ANY_MU, eps=EPSILON)
def test_the_implied_delta_is_an_upper_bound(mu, eps):
    """The rounded-up delta must be at least the true one, even where doubles underflow."""
    stated = gaussian_to_approx(GaussianDP(mu), eps).delta
    assert certainly_less(enclosed_delta(Constants(), mu, eps), stated) is True


@pytest.mark.parametrize("mu", ["1e-400", "1e-160", "1/100"])
def test_a_tiny_mu_never_implies_pure_privacy(mu):
    """Gaussian noise has delta > 0 at every epsilon, so the stated delta must not be 0."""
    assert gaussian_to_approx(GaussianDP(Fraction(mu)), 1).delta > 0


@given(mu=st.floats(0.02, 20).map(lambda x: Fraction(repr(x))), eps=EPSILON)
def test_the_implied_delta_is_not_far_above(mu, eps):
    """The rounding up must cost less than 2e-9 of every delta that anybody could want."""
    stated = gaussian_to_approx(GaussianDP(mu), eps).delta
    truth = enclosed_delta(Constants(), mu, eps)
    assume(certainly_less(truth, SMALLEST_OF_USE) is False)
    assert certainly_less(stated, truth * (1 + Fraction(2, 10**9))) is True


def calibration_holds(eps, delta, mutated=None):
    """Whether sigma keeps (eps, delta), certainly, and a sigma smaller by 2e-9 does not."""
    sigma = Gaussian.from_approx_dp(eps, delta).sigma
    smaller = sigma * (1 - Fraction(2, 10**9))
    kept = certainly_less(enclosed_delta(Constants(mutated), 1 / sigma, eps), delta)
    broken = certainly_less(delta, enclosed_delta(Constants(mutated), 1 / smaller, eps))
    return kept is True and broken is True


@settings(max_examples=25)
@given(eps=EPSILON, log_delta=LOG_DELTA)
def test_the_calibration_is_private_and_tight(eps, log_delta):
    """Sigma must keep the promise over balls, and be the least that does, to 2e-9."""
    assert calibration_holds(eps, Fraction(repr(10**log_delta)))


@pytest.mark.parametrize("mutated", constants_of_the_curve())
def test_every_constant_of_the_calibration_matters(mutated):
    """Any one constant of the restated curve changed by 1 % must break the calibration."""
    assert calibration_holds(Fraction(1), Fraction(1, 10**5))
    assert not calibration_holds(Fraction(1), Fraction(1, 10**5), mutated)
