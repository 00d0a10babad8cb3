from fractions import Fraction
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.exact.jets import supremum as bounds
from proofs_check.enclosure import Balls

TINY = Fraction(1, 10**15)
LINE = Fraction(-50), Fraction(50)
NUMBERS = Balls(64)


def supremum(formula, *ends, **options):
    """Enclose it in 64 bits, on cells that end at some numbers."""
    return bounds.supremum(formula, tuple(map(Fraction, ends)), numbers=NUMBERS, **options)


def at_most(formula, limit, *ends, **options):
    """Decide it in 64 bits."""
    return bounds.at_most(formula, tuple(map(Fraction, ends)), limit, numbers=NUMBERS, **options)


def laplace(x, n):
    """Log-ratio of Laplace noise of rate 1 about 1 and about 0, the other way round."""
    return n.rational(abs(x - 1)) - n.rational(abs(x))


def mixture(x, n):
    """Log-ratio of 0.7 Laplace(0, 1) + 0.3 Laplace(3, 2) and its shift by 1."""

    def density(z):
        return n.exp(-abs(z)) * Fraction(7, 20) + n.exp(-abs(z - 3) / 2) * Fraction(3, 40)

    return n.log(density(x)) - n.log(density(x - 1))


def test_a_plateau_that_touches_its_bound_is_proved():
    """The Laplace log-ratio must be proved at most 1 + 1e-15, in fewer than 169 cells."""
    decision = at_most(laplace, 1 + TINY, *LINE)
    assert decision.holds is True
    assert decision.cells < 169


def test_the_same_bound_less_one_percent_is_refuted():
    """A bound of 0.99, and the claim 0.9, must be refuted."""
    for limit in (Fraction(99, 100), Fraction(9, 10)):
        assert at_most(laplace, limit, *LINE).holds is False


def test_what_cannot_be_decided_stays_open():
    """A maximum of irrational height must be neither proved nor refuted at its own height."""

    def root(x, n):
        return n.sqrt(n.rational(Fraction(2))) - n.rational(x) ** 2

    near = Fraction("1.4142135623730950488016887")  # as close as 64 bits cannot tell
    assert at_most(root, near, -1, 1, budget=400).holds is None


def test_a_small_budget_leaves_cells_open():
    """With too few cells the answer must be open and the enclosure wide, but right."""
    assert at_most(mixture, Fraction(971, 1000), *LINE, budget=5).holds is None
    found = supremum(mixture, *LINE, budget=5)
    assert found.lower < Fraction(970828, 10**6)
    assert found.upper is None or found.upper > Fraction(970827, 10**6)


def test_a_mixture_is_enclosed_in_fewer_cells():
    """The supremum of the mixture must be met to 1e-8 within the published 255 cells."""
    found = supremum(mixture, *LINE, tolerance=Fraction(1, 10**8))
    published = Fraction("0.97082737916"), Fraction("0.97082738579")
    assert published[0] <= found.upper
    assert found.lower <= published[1]
    assert found.upper - found.lower <= Fraction(1, 10**8)
    assert found.cells <= 255
    at_zero = log(
        (7 / 20 + 3 / 40 * 2.718281828459045**-1.5)
        / (7 / 20 / 2.718281828459045 + 3 / 40 * 2.718281828459045**-2)
    )
    assert float(found.lower) == pytest.approx(at_zero, abs=1e-9)


def test_cuts_at_the_kinks_save_cells():
    """With the breakpoints as cuts the Laplace log-ratio must need three cells."""
    decision = at_most(laplace, 1 + TINY, -50, 0, 1, 50)
    assert decision.holds is True
    assert decision.cells == 3


@settings(max_examples=40)
@given(top=st.fractions(-3, 3, max_denominator=9), scale=st.fractions("1/4", 4, max_denominator=8))
def test_smooth_maxima_are_enclosed(top, scale):
    """The enclosure must contain the known maximum, wherever it lies."""

    def formula(x, n):
        return n.exp(n.rational(-abs(x - top))) - n.rational(x - top) ** 2 * scale

    found = supremum(formula, -4, 5, tolerance=Fraction(1, 10**4))
    assert found.lower <= 1 <= found.upper
    assert found.upper - found.lower <= Fraction(1, 10**4)


def test_jumps_take_their_one_sided_limits():
    """A step from 1 up to x, cut at the jump, must have the supremum of its closed pieces."""

    def step(x, n):
        return n.rational(x + 1) if x < 0 else n.rational(-x)

    found = supremum(step, -1, 0, 1)
    assert found.lower == found.upper == 1
    uncut = supremum(step, -2, 1, tolerance=TINY)
    assert uncut.lower <= 1 <= (uncut.upper or 1)


def test_a_pole_leaves_its_cell_without_a_bound():
    """Where the function has no bound, none must be given."""
    assert supremum(lambda x, n: 1 / n.rational(x) ** 2, -1, 2, budget=400).upper is None


def test_unknown_slopes_still_give_bounds():
    """Values without slopes must be enough for a coarse proof."""

    def formula(x, n):
        return n.rational(x) * n.between(Fraction(0), Fraction(1))

    assert at_most(formula, Fraction(101, 100), 0, 1).holds is True
