import math
import operator
from fractions import Fraction

import flint
import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import (
    Ball,
    Balls,
    Undecided,
    agrees_with_print,
    certainly_less,
    contains,
    endpoints,
    integral,
    largest_root,
)

RATIONALS = st.fractions(min_value=-1000, max_value=1000, max_denominator=10**6)
BITS = st.sampled_from([10, 53, 128])
THIRD = Fraction(1, 3)


@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.mul, operator.truediv])
@given(x=RATIONALS, y=RATIONALS, bits=BITS)
def test_operations_contain_the_exact_result(operation, x, y, bits):
    """Whatever the precision and the mix of operands, the exact result must lie in the ball."""
    assume(operation is not operator.truediv or y != 0)
    numbers, exact = Balls(bits), operation(x, y)
    a, b = numbers.rational(x), numbers.rational(y)
    try:
        results = [operation(a, b), operation(a, y), operation(x, b)]
    except Undecided:
        assert operation is operator.truediv  # a coarse ball about a small y reaches 0
        assert contains(b, Fraction(0))
        return
    assert all(contains(result, exact) for result in results)


@given(x=RATIONALS, power=st.integers(0, 6), bits=BITS)
def test_powers_and_signs_contain_the_exact_result(x, power, bits):
    """Powers, negation and absolute value must enclose as the four operations do."""
    ball = Balls(bits).rational(x)
    assert contains(ball**power, x**power)
    assert contains(-ball, -x)
    assert contains(abs(ball), abs(x))


@given(x=RATIONALS, y=RATIONALS, u=st.fractions(0, 1), v=st.fractions(0, 1))
def test_wide_balls_contain_the_result_of_every_member(x, y, u, v):
    """A product of intervals must contain the product of any members."""
    numbers = Balls(20)
    a, b = numbers.between(x, x + 1), numbers.between(y, y + 2)
    assert contains(a * b, (x + u) * (y + 2 * v))


@pytest.mark.parametrize("bits", [20, 53, 128, 400])
def test_functions_contain_values_computed_elsewhere(bits):
    """exp, log, sqrt, erfc and pi must contain mpmath's value at twice the digits."""
    numbers = Balls(bits)
    x = numbers.rational(Fraction(7, 10))
    with mpmath.workprec(2 * bits + 60):
        point = mpmath.mpf(7) / 10
        for name in ("exp", "log", "sqrt", "erfc"):
            assert contains(getattr(numbers, name)(x), _fraction(getattr(mpmath, name)(point)))
        assert contains(numbers.pi(), _fraction(+mpmath.pi))
        assert contains(numbers.root(x, 3), _fraction(mpmath.cbrt(point)))


def _fraction(number):
    sign, mantissa, exponent, _ = number._mpf_
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** exponent


@pytest.mark.parametrize("bits", [53, 128, 400])
def test_more_bits_make_narrower_balls(bits):
    """The relative width must be of the order of the working precision."""
    lower, upper = endpoints(Balls(bits).exp(Balls(bits).rational(THIRD)))
    assert 0 < (upper - lower) / lower < Fraction(8, 2**bits)


def test_the_precision_of_flint_is_left_as_it_was():
    """Operations must restore flint's global precision, also after an error."""
    before = flint.ctx.prec
    x = Balls(300).rational(THIRD) * 2
    with pytest.raises(Undecided):
        Balls(300).log(-x)
    assert flint.ctx.prec == before


def test_mixed_precisions_work_at_the_larger():
    """A coarse operand must not make the operation coarser than the finer operand asks for."""
    assert (Balls(20).rational(Fraction(2)) + Balls(200).rational(THIRD)).bits == 200


def test_comparison_is_decided_or_refused():
    """`<` must be right where the balls are apart and raise where they overlap."""
    numbers = Balls(53)
    third = numbers.rational(THIRD)
    assert third < Fraction(1, 2)
    assert not third < Fraction(1, 4)
    assert third > 0
    assert third < numbers.pi()
    with pytest.raises(Undecided, match="cannot decide whether"):
        third < THIRD  # noqa: B015  # the comparison itself raises
    assert certainly_less(third, THIRD) is None
    assert certainly_less(third, 1) is True
    assert certainly_less(1, third) is False
    half = numbers.rational(Fraction(1, 2))
    assert certainly_less(half, half) is False


@pytest.mark.parametrize("bits", [10, 53])
def test_what_is_not_finite_is_refused(bits):
    """A division or logarithm that reaches a singularity must raise, not return a NaN ball."""
    numbers = Balls(bits)
    zero, wide = numbers.rational(Fraction(0)), numbers.between(Fraction(-1), Fraction(1))
    for compute in (
        lambda: 1 / zero,
        lambda: 1 / wide,
        lambda: numbers.log(wide),
        lambda: numbers.sqrt(wide),
        lambda: numbers.root(wide, 3),
    ):
        with pytest.raises(Undecided):
            compute()


@pytest.mark.parametrize("other", [0.5, "1", None, True])
def test_floats_do_not_slip_in(other):
    """A float operand would smuggle in a rounding error and must be refused."""
    with pytest.raises(TypeError, match="a ball combines with balls, integers and Fractions"):
        Balls().rational(THIRD) + other


def test_bad_arguments_are_named():
    """Precision and interval ends must be checked."""
    with pytest.raises(InvalidArgument, match="bits must be at least 2"):
        Balls(1)
    with pytest.raises(InvalidArgument, match="lower must be at most upper"):
        Balls().between(Fraction(1), Fraction(0))


def test_prints_agree_to_their_last_digit():
    """Pi must agree with its correctly rounded digits and with no neighbor of them."""
    pi = Balls(128).pi()
    assert agrees_with_print(pi, "3.14159265358979324") is True
    assert agrees_with_print(pi, "3.14159265358979323") is False
    assert agrees_with_print(Balls(128).between(Fraction(3), Fraction(4)), "3.14") is None


@given(
    x=st.integers(-(2**70), 2**70),
    radius=st.integers(0, 2**29),
    places=st.tuples(st.integers(-300, 300), st.integers(-300, 300)),
)
def test_endpoints_are_middle_and_radius(x, radius, places):
    """It must hold to the last digit, whichever of the two is longer; a ball keeps 30 bits."""
    middle, size = (
        flint.arb(part) * flint.arb(2) ** place
        for part, place in zip((x, radius), places, strict=True)
    )
    ball = Ball(middle + flint.arb(0, size), 53)
    exact = [
        Fraction(int(part.man_exp()[0])) * Fraction(2) ** int(part.man_exp()[1])
        for part in (ball.value.mid(), ball.value.rad())
    ]
    assert endpoints(ball) == (exact[0] - exact[1], exact[0] + exact[1])


def test_endpoints_are_exact():
    """The ends must be the dyadic numbers of the ball: a dyadic input has width 0."""
    assert endpoints(Balls(53).rational(Fraction(3, 8))) == (Fraction(3, 8), Fraction(3, 8))
    lower, upper = endpoints(Balls(53).rational(THIRD))
    assert lower < THIRD < upper
    assert (upper.denominator & (upper.denominator - 1)) == 0


def polynomial(*roots: Fraction, numbers: Balls) -> list[Ball]:
    """Coefficients of the monic polynomial with these roots, falling powers."""
    coefficients = [Fraction(1)]
    for root in roots:
        padded = [*coefficients, Fraction(0)]
        shifted = [Fraction(0), *(root * c for c in coefficients)]
        coefficients = [a - b for a, b in zip(padded, shifted, strict=True)]
    return [numbers.rational(c) for c in coefficients]


@given(
    roots=st.lists(
        st.fractions(0, 1, max_denominator=1000), min_size=1, max_size=4, unique=True
    ).map(sorted)
)
def test_the_largest_root_is_enclosed(roots):
    """Of several real roots the enclosure must hold the largest and be as narrow as asked."""
    numbers = Balls(256)
    lower, upper = largest_root(
        polynomial(*roots, numbers=numbers), Fraction(-1), Fraction(2), bits=60
    )
    assert lower < roots[-1] < upper
    assert upper - lower <= Fraction(1, 2**60)


def test_the_square_root_of_two_is_a_largest_root():
    """x^2 - 2 has the largest root sqrt(2), to the printed digits."""
    numbers = Balls(128)
    coefficients = [numbers.rational(Fraction(c)) for c in (1, 0, -2)]
    root = numbers.between(*largest_root(coefficients, Fraction(0), Fraction(2), bits=80))
    assert agrees_with_print(root, "1.4142135623730950488") is True
    assert math.isclose(float(endpoints(root)[0]), math.sqrt(2))


@pytest.mark.parametrize(
    ("coefficients", "upper"),
    [((1, 0, 1), 2), ((1, -3, 2), Fraction(3, 2)), ((1, -2, 1), 2)],
    ids=["no real root", "search ends below the root", "double root"],
)
def test_without_a_certain_sign_change_there_is_no_answer(coefficients, upper):
    """No real root, a search on the wrong side, or a touching root must raise, not guess."""
    numbers = Balls(64)
    balls = [numbers.rational(Fraction(c)) for c in coefficients]
    with pytest.raises(Undecided, match="no largest root is certain"):
        largest_root(balls, Fraction(1, 3), Fraction(upper), bits=40)


def test_coarse_coefficients_are_refused():
    """Coefficients too wide for the precision asked for must raise, not return a wrong root."""
    numbers = Balls(20)
    coefficients = [numbers.rational(Fraction(1)), -numbers.pi()]
    with pytest.raises(Undecided):
        largest_root(coefficients, Fraction(0), Fraction(4), bits=60)


@given(
    st.integers(min_value=0, max_value=6),
    st.fractions(min_value=-3, max_value=3, max_denominator=9),
    st.fractions(min_value=-3, max_value=3, max_denominator=9),
)
def test_an_integral_contains_the_antiderivatives_difference(
    power: int, lower: Fraction, upper: Fraction
) -> None:
    """It must hold of monomials, exactly, and of their product with e^x by parts."""
    numbers = Balls(96)
    found = integral(lambda x, _: x**power, lower, upper, numbers=numbers)
    assert contains(found, (upper ** (power + 1) - lower ** (power + 1)) / (power + 1))
    linear = integral(lambda x, c: x * c.exp(x), lower, upper, numbers=numbers)
    ends = [(z - 1) * numbers.exp(numbers.rational(z)) for z in (lower, upper)]
    assert contains(linear - (ends[1] - ends[0]), Fraction(0))


def test_an_integral_with_a_kink_is_not_wrong() -> None:
    """It must hold that the square root at its branch point is enclosed or refused."""
    numbers = Balls(64)
    found = integral(lambda x, c: c.sqrt(x), Fraction(0), Fraction(4), numbers=numbers)
    assert contains(found, Fraction(16, 3))
    with pytest.raises(Undecided):
        integral(lambda x, _: 1 / x, Fraction(-1), Fraction(1), numbers=numbers)


@given(st.fractions(min_value=Fraction(-1, 3), max_value=Fraction(-1, 50), max_denominator=50))
def test_both_branches_of_lambert_w_solve_the_equation(x: Fraction) -> None:
    """It must hold that w e^w = x, on either side of -1."""
    numbers = Balls(128)
    for branch, side in ((0, 1), (-1, -1)):
        w = numbers.lambert_w(numbers.rational(x), branch)
        assert contains(w * numbers.exp(w) - x, Fraction(0))
        assert certainly_less(0, (w + 1) * side)


def test_special_functions_agree_with_known_values() -> None:
    """It must hold of the gamma function, a power, and E_1 by its differential equation."""
    numbers = Balls(128)
    assert contains(numbers.gamma(numbers.rational(Fraction(6))), Fraction(120))
    assert contains(numbers.power(numbers.rational(Fraction(8)), Fraction(2, 3)), Fraction(4))
    z = numbers.rational(Fraction(3, 2))
    e1, e2 = (numbers.exponential_integral(k, z) for k in (1, 2))
    assert contains(e2 - (numbers.exp(-z) - z * e1), Fraction(0))


@pytest.mark.parametrize("exponent", [-(10**12), -(2**22) - 200])
def test_ends_of_tiny_balls_are_short_and_contain_them(exponent):
    """E^-(10^12) as a fraction would fill the memory; its ends must still lie on both sides."""
    numbers = Balls(64)
    tiny = numbers.exp(numbers.rational(Fraction(exponent)))
    for ball in (tiny, -tiny, 1 + tiny):
        lower, upper = endpoints(ball)
        assert all(end.denominator.bit_length() < 2**23 for end in (lower, upper))
        assert certainly_less(lower, ball) is not False
        assert certainly_less(ball, upper) is not False
    assert endpoints(tiny)[1] > 0
    assert endpoints(-tiny)[0] < 0


def test_ends_of_huge_balls_are_undecided():
    """E^(10^12) has no ends that could be written."""
    numbers = Balls(64)
    with pytest.raises(Undecided, match="too large"):
        endpoints(numbers.exp(numbers.rational(Fraction(10**12))))
