"""Floats of mean squared errors and of the output law against the ledger's balls (KSW-X1 to X5)."""

from fractions import Fraction

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mechanisms.add_remove.exact_law import TransformedLaplaceLaw
from mechanisms.add_remove.mse import (
    mse_independent_laplace,
    mse_shifted_laplace,
    mse_transformed_laplace,
)
from mechanisms.add_remove.mse_hourglass import mse_transformed_hourglass
from proofs_check.enclosure import Balls, endpoints
from proofs_check.papers.ksw.error.hourglass_law import (
    best_hourglass,
    enough_lines,
    hourglass_error,
)
from proofs_check.papers.ksw.error.laplace_error import (
    INDEPENDENT,
    SHIFTED,
    TRANSFORMED,
    below_zero_transformed,
    laplace_sum_tail,
    mean_square_error,
)
from proofs_check.papers.ksw.error.laplace_output import at_lower_end, at_upper_end

NUMBERS = Balls(160)
MEAN = st.integers(0, 64).map(lambda k: Fraction(k, 64))
SIZE = st.floats(0.1, 500).map(lambda x: Fraction(repr(x)))
LIGHT = settings(max_examples=6, phases=(Phase.explicit, Phase.reuse, Phase.generate))
"""Integrals take time: few examples, and none made smaller."""

FORMULAS = {
    "Algorithm 1": (INDEPENDENT, mse_independent_laplace),
    "Algorithm 2": (SHIFTED, mse_shifted_laplace),
    "Algorithm 3": (TRANSFORMED, mse_transformed_laplace),
}


def far(value, ball):
    """Largest possible relative error of a float, over all numbers in the enclosure."""
    lower, upper = endpoints(ball)
    return max(abs(Fraction(value) - lower), abs(Fraction(value) - upper)) / abs(upper)


@pytest.mark.parametrize("name", FORMULAS)
def test_floats_of_the_laplace_errors_are_the_ledgers(name):
    """Each must be the enclosed integral to a relative error of 1e-11; 1 % in N must show."""
    algorithm, formula = FORMULAS[name]

    @LIGHT
    @given(size=SIZE, mean=MEAN)
    def check(size, mean):
        ball = mean_square_error(algorithm, size, mean, numbers=NUMBERS)
        assert far(formula(float(size), float(mean)), ball) < Fraction(1, 10**11)
        assert far(formula(1.01 * float(size), float(mean)), ball) > Fraction(1, 10**6)

    check()


@LIGHT
@given(
    count=st.integers(1, 40), mean=MEAN, epsilon=st.integers(2, 40).map(lambda k: Fraction(k, 4))
)
def test_floats_of_the_hourglass_error_are_the_ledgers(count, mean, epsilon):
    """They must lie within 1e-10 of the enclosed sum over lines, and a record more must show."""
    lines = enough_lines(epsilon)
    noise = best_hourglass(epsilon, numbers=NUMBERS)
    ball = hourglass_error(noise, count, mean, lines, numbers=NUMBERS)
    floats = [mse_transformed_hourglass(n, float(mean), float(epsilon)) for n in (count, count + 1)]
    assert far(floats[0], ball) < Fraction(1, 10**10)
    assert far(floats[1], ball) > Fraction(1, 10**6)


@given(
    first=st.integers(0, 200).map(lambda k: Fraction(k, 16)),
    second=st.integers(0, 200).map(lambda k: Fraction(k, 16)),
    epsilon=st.integers(1, 12).map(lambda k: Fraction(k, 4)),
    x=st.integers(1, 98).map(lambda k: Fraction(k, 99)),
)
def test_the_output_law_of_algorithm_3_is_the_ledgers(first, second, epsilon, x):
    """Atoms and cdf of the float law must lie in the ledger's balls, to 1e-12 absolutely."""
    law = TransformedLaplaceLaw(epsilon, first, second)
    a, b = epsilon * first, epsilon * second
    e_a, e_b, e_n = (NUMBERS.exp(NUMBERS.rational(-z)) for z in (a, b, a + b))
    atoms = law.atoms(NUMBERS)
    for end, ball in ((0, at_lower_end(a, b, e_a, e_n)), (1, at_upper_end(a, b, e_b, e_n))):
        lower, upper = endpoints(atoms[Fraction(end)] - ball)
        assert lower <= 0 <= upper
    tau = x * b - (1 - x) * a
    scales = (1 - x, x)
    e_first, e_second = (NUMBERS.exp(NUMBERS.rational(-abs(tau) / scale)) for scale in scales)
    tail = laplace_sum_tail(*scales, e_first, e_second)
    count, mean = a + b, a / (a + b) if a + b else Fraction(0)
    above = (tail if tau >= 0 else 1 - tail) + below_zero_transformed(x, count, mean, e_n)
    lower, upper = endpoints(1 - above)
    value = Fraction(float(law.cdf(float(x))))
    tolerance = Fraction(1, 10**12)
    assert lower - tolerance <= value <= upper + tolerance
