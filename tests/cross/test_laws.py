"""The laws as data: over balls as over floats, and as the regions of the definitions say."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.laws import FLOATS
from mechanisms.noise.discrete_gaussian import DiscreteGaussian
from mechanisms.noise.discrete_hourglass import DiscreteHourglass
from mechanisms.noise.gaussian import Gaussian
from mechanisms.noise.geometric import Geometric
from mechanisms.noise.hourglass import Hourglass
from mechanisms.noise.l1_staircase import L1Staircase
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.staircase import Staircase
from mechanisms.registry import NOISES
from proofs_check.enclosure import Ball, endpoints
from tests.cross.closed_forms import CLOSED_FORMS, GRID, NUMBERS, decay, level0
from tests.cross.regions import hourglass_exponent, stair_exponent

EPSILON = st.floats(1e-2, 30).map(lambda x: Fraction(repr(x)))
GAMMA = st.integers(1, 60).map(lambda n: Fraction(n, 60))
POINT = st.integers(-240, 240).map(lambda n: Fraction(n, 60))  # meets the ends of levels often
LINE = st.integers(-4, 4)


def laplace(eps, gamma, z, t):
    """Law, point, density of Lap(1 / eps)."""
    return Laplace(eps), z, NUMBERS.exp(NUMBERS.rational(-eps * abs(z))) * (eps / 2)


def geometric(eps, gamma, z, t):
    """Law, point, pmf of the two-sided geometric."""
    b = decay(eps)
    return Geometric(eps), Fraction(t), (1 - b) / (1 + b) * b ** abs(t)


def gaussian(eps, gamma, z, t):
    """Law, point, density of N(0, eps^2)."""
    top = 1 / (NUMBERS.sqrt(2 * NUMBERS.pi()) * eps)
    return Gaussian(eps), z, top * NUMBERS.exp(NUMBERS.rational(-((z / eps) ** 2) / 2))


def discrete_gaussian(eps, gamma, z, t):
    """Law, point, pmf with the normalizer by the other of its two series."""
    sigma = max(eps, Fraction(1, 10))
    squares = [Fraction(k * k) for k in range(1, 20 * max(3, int(sigma) + 1))]
    if sigma <= 1:  # the law sums over integers here, and over their duals beyond
        rate = NUMBERS.pi() * NUMBERS.pi() * (-2 * sigma**2)
        top = NUMBERS.sqrt(2 * NUMBERS.pi()) * sigma
    else:
        rate, top = NUMBERS.rational(-1 / (2 * sigma**2)), NUMBERS.rational(Fraction(1))
    series = sum((NUMBERS.exp(rate * square) * 2 for square in squares), start=NUMBERS.rational(1))
    bell = NUMBERS.exp(NUMBERS.rational(-((t / sigma) ** 2) / 2))
    return DiscreteGaussian(sigma), Fraction(t), bell / (top * series)


def staircase(eps, gamma, z, t):
    """Law, point, density by eq. (11)."""
    density = CLOSED_FORMS["D2 a"](eps, gamma, t) * decay(eps) ** stair_exponent(abs(z), gamma)
    return Staircase(eps, 1, gamma), z, density


def l1_staircase(eps, gamma, z, t):
    """Law, point, density by eq. (12)."""
    point = (z, Fraction(t, 7))
    exponent = stair_exponent(abs(point[0]) + abs(point[1]), gamma)
    density = CLOSED_FORMS["D3 a2"](eps, gamma, t) * decay(eps) ** exponent
    return L1Staircase(eps, 1, gamma), point, density


def hourglass(eps, gamma, z, t):
    """Law, point, density by the regions of D4."""
    density = CLOSED_FORMS["D4 A"](eps, gamma, t) * decay(eps) ** hourglass_exponent(z, t, gamma)
    return Hourglass(eps, gamma), (z, Fraction(t)), density


def discrete_hourglass(eps, gamma, z, t):
    """Law, point, pmf by the regions of D4 at gamma = (r - 1/2) / Q."""
    r, j = level0(gamma), round(z * GRID)
    exponent = hourglass_exponent(Fraction(j, GRID), t, Fraction(2 * r - 1, 2 * GRID))
    pmf = CLOSED_FORMS["D5 A_d"](eps, gamma, t) * decay(eps) ** exponent
    return DiscreteHourglass(eps, GRID, r), (Fraction(j), Fraction(t)), pmf


CASES = {
    "laplace": laplace,
    "geometric": geometric,
    "gaussian": gaussian,
    "discrete-gaussian": discrete_gaussian,
    "staircase": staircase,
    "l1-staircase": l1_staircase,
    "hourglass": hourglass,
    "discrete-hourglass": discrete_hourglass,
}


def test_every_registered_law_is_compared():
    """No law of the registry may be missing here."""
    assert set(CASES) == set(NOISES)


def differs(law, point, truth, change=Fraction(1)):
    """Log-density over balls minus the logarithm of the ledger's density: ends of a ball."""
    return endpoints(law.log_density(point, NUMBERS) - NUMBERS.log(truth * change))


@pytest.mark.parametrize("name", CASES)
def test_balls_give_the_ledgers_density(name):
    """Over balls the law must be the ledger's density to 1e-40; 1 % off must show."""

    @given(eps=EPSILON, gamma=GAMMA, z=POINT, t=LINE)
    def check(eps, gamma, z, t):
        noise, point, truth = CASES[name](eps, gamma, z, t)
        law = noise.exact_law()
        lower, upper = differs(law, point, truth)
        assert -Fraction(1, 10**40) < lower <= 0 <= upper < Fraction(1, 10**40)
        assert differs(law, point, truth, Fraction(101, 100))[1] < -Fraction(9, 1000)

    check()


@pytest.mark.parametrize("name", CASES)
def test_floats_give_what_balls_give(name):
    """The same lines over floats must agree with the ball to 1e-12, and be plain floats."""

    @given(eps=EPSILON, gamma=GAMMA, z=POINT, t=LINE)
    def check(eps, gamma, z, t):
        noise, point, _ = CASES[name](eps, gamma, z, t)
        law = noise.exact_law()
        value, ball = law.log_density(point, FLOATS), law.log_density(point, NUMBERS)
        assert isinstance(value, float)
        assert isinstance(ball, Ball)
        unit = 1 + abs(Fraction(value))
        assert all(abs(Fraction(value) - end) <= unit / 10**12 for end in endpoints(ball))

    check()


@pytest.mark.parametrize("name", ["geometric", "discrete-gaussian", "discrete-hourglass"])
def test_atoms_are_the_exponential_of_the_log_pmf(name):
    """An atom's probability over balls must be the ledger's pmf."""
    noise, point, truth = CASES[name](Fraction(1), Fraction(2, 5), Fraction(-3, 4), 2)
    lower, upper = endpoints(noise.exact_law().atoms(NUMBERS)[point] / truth - 1)
    assert -Fraction(1, 10**40) < lower <= 0 <= upper < Fraction(1, 10**40)
