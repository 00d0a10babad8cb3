import math
import operator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.jets.jet import Jet, JetArithmetic, Positive
from audit.exact.jets.points import point_of
from mechanisms.errors import InvalidArgument
from mechanisms.noise.gaussian import GaussianLaw
from mechanisms.noise.laplace import LaplaceLaw
from proofs_check.enclosure import Balls, Undecided, certainly_less, contains, endpoints
from tests.audit.exact.laws import few

BALLS = Balls(80)
JETS = JetArithmetic(BALLS)
ENDS = st.fractions(-4, 4, max_denominator=50)
WIDTHS = st.fractions("1/1000", 2, max_denominator=1000)
PLACES = st.fractions(0, 1, max_denominator=20)

# Formulas over an arithmetic, defined on the whole line.
FORMULAS = {
    "sum": lambda x, n: x + n.rational(Fraction(1, 3)) - 2 * x,
    "product": lambda x, n: n.rational(x) * n.exp(x / 3) * x,
    "quotient": lambda x, n: (1 - x) / (n.rational(x * 1) ** 2 + 1),
    "inverse": lambda x, n: 1 / (2 + n.rational(x) ** 2),
    "power": lambda x, n: n.rational(x) ** 3 + (n.rational(x) ** 2 + 1) ** -2,
    "kink": lambda x, n: abs(x - Fraction(1, 2)) - abs(n.rational(x) * 2),
    "exp": lambda x, n: n.exp(n.rational(-(x**2) / 2)),
    "log": lambda x, n: n.log(n.rational(x) ** 2 + 1),
    "mixture": lambda x, n: n.log(n.exp(-x) * 3 + n.exp(x / 2) / 7 + 1),
    "softmax": lambda x, n: n.exp(x) / (n.exp(x) + n.exp(-2 * x)) - n.exp(x * 0),
    "sqrt": lambda x, n: n.sqrt(n.rational(x) ** 2 + 1) * n.sqrt(n.exp(x)),
    "erfc": lambda x, n: n.erfc(x) - 2 * n.erfc(-n.rational(x) / 2),
    "pi": lambda x, n: n.pi() * x - n.exp(x) ** 2,
}


def jet_on(formula, lower, upper, numbers=JETS):
    """Return the jet of a formula over an interval."""
    return numbers.rational(formula(over(lower, upper, numbers), numbers))


def over(lower, upper, numbers=JETS):
    """Return the point that ranges over a cell."""
    cell = Fraction(lower), Fraction(upper)
    return point_of(cell, cell, numbers)


def overlap(x, y):
    """Whether two balls share a point."""
    return certainly_less(x, y) is not True and certainly_less(y, x) is not True


@pytest.mark.parametrize("name", FORMULAS)
@given(lower=ENDS, width=WIDTHS, u=PLACES, v=PLACES)
@few
def test_jets_contain_values_and_slopes(name, lower, width, u, v):
    """The value at any place, and the chord of any two, must lie in value and slopes of a cell."""
    formula = FORMULAS[name]
    x, y = lower + u * width, lower + v * width
    cell = jet_on(formula, lower, lower + width)
    at_x, at_y = (jet_on(formula, place, place).value for place in (x, y))
    assert overlap(at_x, cell.value)
    if x != y:
        assert overlap((at_x - at_y) / (x - y), cell.slope)


@pytest.mark.parametrize("name", FORMULAS)
@given(place=ENDS)
@few
def test_slopes_of_narrow_cells_are_derivatives(name, place):
    """On cells of width 2^-40 the slopes must be as narrow as the function is smooth."""
    formula, width = FORMULAS[name], Fraction(1, 2**40)
    if name == "kink" and min(abs(place), abs(place - Fraction(1, 2))) <= width:
        place += 2 * width
    lower, upper = endpoints(jet_on(formula, place, place + width).slope)
    assert upper - lower < Fraction(1, 2**15)


def test_a_kink_has_the_slopes_of_both_sides():
    """The slopes of |x| must be the hull of -1 and 1 about 0, and one of them beside it."""
    across = jet_on(lambda x, n: abs(x), -1, 1).slope
    assert contains(across, Fraction(-1))
    assert contains(across, Fraction(1))
    assert not contains(across, Fraction(101, 100))
    assert endpoints(jet_on(lambda x, n: abs(x), 0, 1).slope) == (1, 1)
    assert endpoints(abs(jet_on(lambda x, n: n.rational(x), -2, -1)).slope) == (-1, -1)


@given(place=ENDS, width=WIDTHS)
def test_the_sign_beside_a_kink_is_exact(place, width):
    """|x - a| must be x - a on a cell that begins at a, whatever number a is."""
    a = place / 3
    x = over(a, a + width)
    assert abs(x - a).range() == (0, width)
    assert (3 * abs(a - x) - 3 * x).range() == (-3 * a, -3 * a)


def test_comparisons_hold_for_the_whole_cell_or_are_refused():
    """`<` must be decided in the interior of the piece, exactly, and refused across a jump."""
    x = over(Fraction(1, 3), 1)
    assert x > Fraction(1, 3)
    assert x >= Fraction(1, 3)
    assert not x <= Fraction(1, 3)
    assert x < 1
    assert 2 * x < x + 1
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        with pytest.raises(Undecided):
            compare(x, Fraction(1, 2))
        with pytest.raises(Undecided):
            compare(JETS.rational(x), Fraction(1, 2))
        assert compare(JETS.exp(x), 5) == compare(1, 5)
        assert compare(JETS.rational(x), x + 2) == compare(1, 2)


def test_the_end_of_a_piece_belongs_to_the_piece():
    """A formula with a jump at 0 must be continued to 0 from the side of the piece."""
    zero = Fraction(0)
    for piece, value in (((Fraction(-1), zero), 5), ((zero, Fraction(1)), 7)):
        x = point_of((zero, zero), piece, JETS)
        assert (Fraction(5) if x < 0 else Fraction(7)) == value


def test_derivatives_that_nobody_knows_stay_unknown():
    """The rest of a series must give values without slopes, also further on."""
    rest = JETS.between(Fraction(0), Fraction(1))
    assert rest.slope is None
    assert (JETS.exp(rest + 1) * 2).log.slope is None
    assert (rest * rest - 1 / (2 + rest)).slope is None
    assert contains(rest.value, Fraction(1))


def test_functions_with_no_value_on_the_cell_are_refused():
    """A logarithm or quotient that reaches its singularity must raise."""
    with pytest.raises(Undecided):
        jet_on(lambda x, n: n.log(n.rational(x)), 0, 1)
    with pytest.raises(Undecided):
        jet_on(lambda x, n: 1 / x, -1, 1)


@pytest.mark.parametrize("other", [0.5, "1", None])
def test_floats_do_not_slip_into_jets(other):
    """A float operand must be refused by jets, points and positive numbers."""
    x = over(0, 1)
    for number in (x, JETS.rational(x), JETS.exp(x)):
        for operation in (operator.add, operator.mul, operator.truediv, operator.sub):
            with pytest.raises(TypeError):
                operation(number, other)


def test_positive_functions_keep_tight_slopes_on_wide_cells():
    """The slope of ln(e^-x + e^(-x/2)) on [0, 100] must stay between -1 and -1/2."""
    slope = jet_on(lambda x, n: n.log(n.exp(-x) + n.exp(-x / 2)), 0, 100).slope
    slack = Fraction(1, 10**6)
    assert endpoints(slope)[0] > -1 - slack
    assert endpoints(slope)[1] < Fraction(-1, 2) + slack


def test_positive_numbers_stay_positive():
    """Powers, sums and quotients of exponentials must not fall back to plain jets."""
    e = JETS.exp(over(0, 9))
    numbers = (e + 1, 2 * e, e / 3, 1 / e, e**-2, JETS.sqrt(e), JETS.pi() * e, abs(e))
    assert all(isinstance(number, Positive) for number in numbers)
    assert isinstance(e - 1, Jet)
    assert isinstance(-e, Jet)


@pytest.mark.parametrize("law", [LaplaceLaw(Fraction(1, 3)), GaussianLaw(Fraction(7, 5))])
def test_laws_of_the_mechanisms_run_on_jets(law):
    """A law's own formula must take a point that ranges over a cell."""
    jet = jet_on(law.log_density, Fraction(1), Fraction(2))
    for place in (Fraction(1), Fraction(3, 2), Fraction(2)):
        assert overlap(law.log_density(place, BALLS), jet.value)
    assert jet.slope < 0


def test_floors_are_decided_inside_a_piece():
    """The floor must be that of the interior of a piece, and refused where it changes."""
    x = over(1, 2)
    assert math.floor(x) == 1
    assert math.floor(-x) == -2
    assert math.floor(x / 2 + Fraction(3, 4)) == 1
    assert math.floor(JETS.rational(x) / 3 + Fraction(1, 10)) == 0
    for across in (2 * x, JETS.rational(x)):
        with pytest.raises(Undecided):
            math.floor(across)


def test_cells_leave_no_piece():
    """A cell outside its piece, or reversed, must be refused."""
    unit = Fraction(0), Fraction(1)
    for cell in ((Fraction(-1), Fraction(1)), unit[::-1]):
        with pytest.raises(InvalidArgument, match="cell must have ordered ends"):
            point_of(cell, unit, JETS)
