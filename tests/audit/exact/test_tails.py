from fractions import Fraction
from math import erfc, exp, log, pi, sqrt

import pytest

from audit.exact.density.tail_lemmas import (
    LEMMAS,
    Density,
    NotCovered,
    Side,
    Tail,
    cover_tail,
    decide_sign,
)
from audit.exact.forms.closed_forms import NoForm, Quadratic, Sum, density_form
from audit.exact.forms.curvature import curvature_of
from proofs_check.enclosure import Balls, contains, endpoints
from tests.audit.exact.densities import (
    cauchy,
    gaussian,
    laplace,
    logistic,
    logistic_formula,
    mixture,
    mixture_formula,
    pair,
)

NUMBERS = Balls(128)
ZERO = Fraction(0)
EXPONENTIAL, GAUSSIAN, _, LEADING, SHIFTED = LEMMAS.values()


def tail(p, q, side=Side.RIGHT, start=5):
    """Return the tail of a pair."""
    return pair(p, q).tail(side, Fraction(start))


def near(ball, number, slack=1e-12):
    """Whether a ball is within `slack` of a float."""
    low, high = map(float, endpoints(ball))
    return number - slack < low <= high < number + slack


def form(*terms):
    """Return the sum of c e^(r y + s y^2) for the given (c, r, s)."""
    return Sum(
        {(Fraction(r), Fraction(s)): NUMBERS.rational(Fraction(c)) for c, r, s in terms}, NUMBERS
    )


def test_laplace_tails_are_one_exponential():
    """The log-ratio must be constant beyond both peaks, with its sign by side."""
    for side, value in ((Side.RIGHT, -1), (Side.LEFT, 1)):
        found = cover_tail(tail(laplace(0), laplace(1), side))
        assert found.lemma == "TAIL-EXPONENTIAL"
        assert contains(found.lower, Fraction(value))
        assert contains(found.upper, Fraction(value))


def test_different_rates_leave_no_bound():
    """The slower tail over the faster must be unbounded, and the other way fall without end."""
    slow, fast = laplace(0, Fraction(99, 100)), laplace(0, Fraction(1))
    assert EXPONENTIAL(tail(slow, fast)).upper is None
    other = EXPONENTIAL(tail(fast, slow))
    assert other.lower is None
    assert near(other.upper, log(1 / 0.99) - 5 * 0.01)


def test_a_kink_in_the_tail_is_not_one_exponential():
    """A tail that begins before the second peak must not be covered."""
    with pytest.raises(NotCovered, match="sign changes"):
        EXPONENTIAL(tail(laplace(0), laplace(7)))


def test_gaussian_tails_follow_their_polynomial():
    """Equal variances must give a line; different ones a parabola with its vertex."""
    left = cover_tail(tail(gaussian(0), gaussian(1), Side.LEFT, 0))
    assert left.lemma == "TAIL-GAUSSIAN"
    assert left.upper is None
    assert near(left.lower, 0.5)
    wide, narrow = gaussian(0, Fraction(2)), gaussian(3, Fraction(1))
    assert GAUSSIAN(tail(wide, narrow, start=0)).upper is None
    over = GAUSSIAN(tail(narrow, wide, start=0))  # log 2 - (x-3)^2/2 + x^2/8, vertex at 4
    assert over.lower is None
    assert near(over.upper, log(2) - 0.5 + 2)
    assert near(GAUSSIAN(tail(narrow, wide, start=6)).upper, log(2) - 4.5 + 4.5)


def test_mixtures_are_monotone_beyond_a_point():
    """The log-ratio of the mixture must run from its value at 4 to -1/2."""
    found = cover_tail(tail(mixture(0), mixture(1), start=4))
    assert found.lemma == "TAIL-MONOTONE"
    assert contains(found.upper, Fraction(-1, 2))
    assert near(found.lower, mixture_at(4) - mixture_at(3))
    left = cover_tail(tail(mixture(0), mixture(1), Side.LEFT, 0))
    assert contains(left.lower, Fraction(1, 2))
    assert near(left.upper, 0.9708273792086096)


def mixture_at(x):
    """Log-density of the mixture in doubles."""
    return log(0.35 * exp(-abs(x)) + 0.075 * exp(-abs(x - 3) / 2))


def test_leading_terms_bound_mixtures_of_different_variances():
    """The bound must hold from its start on, be infinite where p wins, and close in further out."""
    wide, narrow, mixed = (
        Density(formula)
        for formula in (
            lambda x, n: n.rational(-(x**2) / 8),
            lambda x, n: n.rational(-(x**2) / 2),
            lambda x, n: n.log(n.exp(n.rational(-(x**2) / 8)) + n.exp(n.rational(-(x**2) / 2))),
        )
    )
    first = cover_tail(tail(mixed, wide, start=1))  # ln(1 + e^(-3 y^2 / 8)) falls to 0
    assert first.lemma == "TAIL-LEADING"
    assert near(first.upper, log(1 + exp(-0.375)))
    assert contains(first.lower, ZERO)
    assert LEADING(tail(mixed, narrow, start=1)).upper is None
    assert LEADING(tail(narrow, mixed, start=1)).lower is None
    falls = LEADING(tail(narrow, mixed, start=1)).upper
    assert contains(falls, endpoints(tail(narrow, mixed, start=1).log_ratio())[0])
    widths = [
        high - low
        for low, high in (endpoints(LEADING(tail(wide, mixed, start=t)).upper) for t in (1, 2, 4))
    ]
    assert widths[2] < widths[1] / 50 < widths[0] / 100
    with pytest.raises(NotCovered, match="does not yet fall"):
        LEADING(tail(gaussian(9), mixed, start=1))


def test_log_concave_shifts_are_monotone():
    """The logistic log-ratio must stay between its value at the start and its limit."""
    for side, sign in ((Side.RIGHT, -1), (Side.LEFT, 1)):
        found = cover_tail(tail(logistic(0), logistic(1), side, 30))
        assert found.lemma == "TAIL-SHIFTED"
        assert near(found.lower, sign, 1e-9)
        assert near(found.upper, sign, 1e-9)


def test_a_shift_must_be_stated():
    """Without the statement that both are shifts of one, the lemma must not apply."""
    two = Density(logistic(0).log_density), Density(logistic(1).log_density)
    with pytest.raises(NotCovered, match="not stated as shifts"):
        SHIFTED(tail(*two, start=30))


def test_a_shift_of_what_is_not_log_concave_is_not_covered():
    """A mixture is not log-concave, and a Gaussian shift has no finite limit."""
    with pytest.raises(NotCovered, match="not log-concave"):
        SHIFTED(tail(mixture(0), mixture(1)))
    with pytest.raises(NotCovered, match="not log-concave"):
        SHIFTED(tail(mixture(0), mixture(1), start=2))  # neither convex nor concave
    kinked = [Density(lambda z, n: abs(z) - 3 * abs(z + 5))]
    kinked.append(Density(kinked[0].noise, Fraction(1)))
    with pytest.raises(NotCovered, match="not log-concave"):
        SHIFTED(tail(*kinked, start=0))  # the second shift still sees the kink
    assert contains(SHIFTED(tail(*kinked, start=1)).upper, Fraction(-2))
    with pytest.raises(NotCovered, match="faster than any exponential"):
        SHIFTED(tail(gaussian(1), gaussian(0)))
    assert SHIFTED(tail(gaussian(0), gaussian(1))).lower is None


def test_no_lemma_covers_heavy_tails():
    """A Cauchy tail must be refused, with the reason of every lemma."""
    with pytest.raises(NotCovered) as refused:
        cover_tail(tail(cauchy(0), cauchy(1)))
    assert all(name in str(refused.value) for name in LEMMAS)


@pytest.mark.parametrize(
    ("terms", "start", "sign"),
    [
        (((1, -1, 0), (-2, -2, 0)), 1, 1),  # e^-y - 2 e^-2y changes at ln 2
        (((-1, -1, 0), (2, -2, 0)), 1, -1),
        (((1, -1, 0), (1, -2, 0)), -9, 1),
        (((1, 0, -1), (-1, -2, -1)), 1, 1),
        (((-3, 5, -2), (1, 0, -1)), 9, 1),
        ((), 0, 0),
    ],
)
def test_signs_out_to_infinity_are_those_of_samples(terms, start, sign):
    """A decided sign must agree with the values at many points beyond the start."""
    found = form(*terms)
    assert decide_sign(found, Fraction(start)) == sign
    for step in range(40):
        y = start + step / 4 + 1e-9
        value = sum(c * exp(r * y + s * y * y) for c, r, s in terms)
        assert (value > 0) - (value < 0) == sign


@pytest.mark.parametrize(
    ("terms", "start"),
    [
        (((1, -1, 0), (-2, -2, 0)), Fraction(69, 100)),  # just before ln 2 = 0.6931
        (((1, -1, 0), (-1, -1, -1)), Fraction(-1)),
        (((1, -1, 0), (-1, 5, -1)), Fraction(2)),
    ],
)
def test_signs_that_change_are_refused(terms, start):
    """A sum that changes its sign beyond the start must be refused."""
    with pytest.raises(NotCovered):
        decide_sign(form(*terms), start)
    assert decide_sign(form((1, -1, 0)), start) == 1


def test_the_last_bit_before_a_change_counts():
    """The change of sign at ln 2 must be met within 1 % from both sides."""
    terms = form((1, -1, 0), (-2, -2, 0))
    assert decide_sign(terms, Fraction(694, 1000)) == 1
    with pytest.raises(NotCovered):
        decide_sign(terms, Fraction(693, 1000))


def test_masses_of_tails():
    """Masses must be those of the closed forms, on both sides."""
    assert near(tail(laplace(0), laplace(1)).mass(0), exp(-5) / 2)
    assert near(tail(laplace(0), laplace(1)).mass(1), exp(-4) / 2)
    assert near(tail(laplace(0), laplace(1), Side.LEFT).mass(1), exp(-6) / 2)
    assert near(tail(gaussian(0), gaussian(1)).mass(1), erfc(4 / sqrt(2)) / 2)
    assert near(tail(mixture(0), mixture(1)).mass(0), 0.35 * exp(-5) + 0.15 * exp(-1))
    with pytest.raises(NotCovered):
        tail(cauchy(0), cauchy(1)).mass(0)


def test_masses_of_log_concave_tails_are_bounded():
    """The mass of a logistic tail must lie below density over slope, and above 0."""
    for side in Side:
        low, high = endpoints(tail(logistic(0), logistic(1), side).mass(0))
        exact = 1 / (1 + exp(5))
        assert low <= exact <= high < 1.02 * exact


def test_the_concave_bound_is_the_mills_ratio():
    """For a Gaussian law written so that it has no form, the bound must be phi(t) / t."""

    def hidden(x, n):
        """A standard Gaussian law plus ln((1 + e^-x) / (1 + e^-x))."""
        bell = n.rational(-(x**2) / 2) - n.log(n.sqrt(2 * n.pi()))
        return bell - n.log(1 + n.exp(-9 * x - 1000))

    bound = Tail(Density(hidden), Density(hidden), Side.RIGHT, Fraction(3), NUMBERS).mass(0)
    mills = exp(-4.5) / sqrt(2 * pi) / 3
    assert float(endpoints(bound)[1]) == pytest.approx(mills, rel=1e-6)
    assert endpoints(bound)[1] > Fraction(erfc(3 / sqrt(2)) / 2)


def test_forms_are_exact():
    """Exponents must be the exact rationals of the formula, coefficients enclose theirs."""
    found = density_form(mixture_formula, Fraction(3), None, NUMBERS)
    assert set(found.terms) == {(Fraction(-1), ZERO), (Fraction(-1, 2), ZERO)}
    assert contains(found.terms[-1, 0], Fraction(7, 20))
    inside = density_form(mixture_formula, ZERO, Fraction(3), NUMBERS)
    assert set(inside.terms) == {(Fraction(-1), ZERO), (Fraction(1, 2), ZERO)}
    squared = density_form(lambda x, n: -(((x - 1) / 3) ** 2) / 2, None, None, NUMBERS)
    assert set(squared.terms) == {(Fraction(1, 9), Fraction(-1, 18))}


def test_what_has_no_form_is_refused(subtests):
    """Formulas that are no sum of exponentials of exact quadratics must raise."""
    for formula in [
        lambda x, n: n.rational(abs(x)),
        lambda x, n: x if x < 0 else -x,
        lambda x, n: n.rational(x) ** 3,
        lambda x, n: n.exp(x) * x,
        lambda x, n: n.exp(n.exp(x)),
        lambda x, n: n.log(1 + n.rational(x) ** 2),
        lambda x, n: n.erfc(x),
        lambda x, n: 1 / n.rational(x),
        lambda x, n: 1 / (1 + n.exp(x)),
        lambda x, n: n.log(1 + n.exp(x)) * Fraction(1, 2),
        lambda x, n: -x + n.between(ZERO, Fraction(1)),
        lambda x, n: n.sqrt(n.rational(2)) * x,
        lambda x, n: x.__floor__(),
        logistic_formula,
    ]:
        with subtests.test(formula=formula), pytest.raises(NoForm):
            density_form(formula, None, None, NUMBERS)


def test_signs_of_polynomials_are_exact():
    """Signs on a piece must count the vertex and both ends, and infinity."""

    def quadratic(constant, linear, square, lower, upper):
        return Quadratic(Fraction(constant), Fraction(linear), Fraction(square), lower, upper)

    assert quadratic(Fraction(101, 100), -2, 1, None, None) > 0
    with pytest.raises(NoForm):
        assert quadratic(Fraction(99, 100), -2, 1, None, None) > 0
    assert quadratic(Fraction(99, 100), -2, 1, Fraction(2), None) > 0
    assert quadratic(-1, -1, 0, Fraction(-1), None) < 0
    with pytest.raises(NoForm):
        assert quadratic(-1, -1, 0, None, ZERO) < 0
    assert abs(quadratic(0, 1, 0, None, ZERO)).linear == -1


@pytest.mark.parametrize(
    ("formula", "convex", "concave", "low", "high"),
    [
        (lambda x, n: 3 * x + n.pi(), True, True, 3, 3),
        (lambda x, n: -abs(x - 9), False, True, -1, 1),
        (lambda x, n: abs(x) / 2, True, True, Fraction(1, 2), Fraction(1, 2)),
        (lambda x, n: -(x**2), False, True, None, -4),
        (lambda x, n: n.log(1 + n.exp(x)), True, False, 0, 1),
        (lambda x, n: n.log(1 + n.exp(x)) - abs(x - 9), False, False, -1, 2),
        (logistic_formula, False, True, -1, 1),
        (mixture_formula, False, False, -1, Fraction(1, 2)),
    ],
)
def test_curvature_and_slopes(formula, convex, concave, low, high):
    """Curvature and slopes on y >= 2 must be what convex calculus gives."""
    found = curvature_of(formula, Fraction(2))
    assert (found.convex, found.concave, found.low, found.high) == (convex, concave, low, high)


def test_sums_may_begin_at_zero():
    """The plain `sum` of exponentials must keep its form, its curvature and its positive slopes."""

    def formula(x, n):
        return n.log(sum(n.exp(-k * x) for k in (1, 2)))

    assert len(density_form(formula, ZERO, None, NUMBERS).terms) == 2
    assert curvature_of(formula, ZERO).convex


@pytest.mark.parametrize(
    "formula",
    [
        lambda x, n: x * x * x,
        lambda x, n: n.log(n.rational(x)),
        lambda x, n: n.erfc(x),
        lambda x, n: n.between(ZERO, x),
        lambda x, n: 1 / n.rational(x),
        lambda x, n: abs(x**2 - 1),
        lambda x, n: min(3, x),
        lambda x, n: n.log(n.exp(x) - 1),
    ],
    ids=["power", "log", "erfc", "between", "reciprocal", "abs", "min", "log of exp"],
)
def test_unknown_curvature_is_refused(formula):
    """What the rules do not cover must raise."""
    with pytest.raises(NoForm):
        curvature_of(formula, Fraction(2))
