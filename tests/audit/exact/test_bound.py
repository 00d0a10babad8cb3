from fractions import Fraction
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.exact.jets.bound import at_most, recheck, supremum
from audit.exact.jets.search import box_of
from mechanisms.errors import InvalidArgument

TINY = Fraction(1, 10**15)
BOX = box_of((-50, 50))


def laplace(x, n):
    """Log-ratio of Laplace noise of rate 1 about 1 and about 0, the other way round."""
    return n.rational(abs(x - 1)) - n.rational(abs(x))


def mixture(x, n):
    """Log-ratio of 0.7 Laplace(0, 1) + 0.3 Laplace(3, 2) and its shift by 1."""

    def density(z):
        return n.exp(-abs(z)) * Fraction(7, 20) + n.exp(-abs(z - 3) / 2) * Fraction(3, 40)

    return n.log(density(x)) - n.log(density(x - 1))


def hill(x, n):
    """A smooth hill of height 1 / 4 at 1 / 2."""
    return n.rational(x) * (1 - x)


def saddle(point, n):
    """A function of two variables with supremum 1 + e^-1 on [-1, 1]^2, at (1, -+1)."""
    x, y = point
    return n.exp(-((n.rational(x) - 1) ** 2)) + n.exp(-1 - (n.rational(y) ** 2 - 1) ** 2)


def covers(parts, box):
    """Whether parts make up a box: their areas add up, and none leaves it."""
    inside = all(
        low <= left < right <= high
        for part in parts
        for (left, right), (low, high) in zip(part.box, box, strict=True)
    )
    return inside and sum(map(area, parts)) == area_of(box)


def area(part):
    """Area of a part."""
    return area_of(part.box)


def area_of(box):
    """Product of the sides."""
    total = Fraction(1)
    for left, right in box:
        total *= right - left
    return total


def test_a_plateau_that_touches_its_bound_is_proved():
    """The Laplace log-ratio must be proved at most 1 + 1e-15, in fewer than 169 cells."""
    decision = at_most(laplace, BOX, 1 + TINY)
    assert decision.holds is True
    assert decision.cells < 169
    assert covers(decision.cover, BOX)
    assert all(part.upper <= 1 + TINY for part in decision.cover)


def test_the_same_bound_less_one_percent_is_refuted():
    """A bound of 0.99, and the claim 0.9, must be refuted with a point where it fails."""
    for limit in (Fraction(99, 100), Fraction(9, 10)):
        decision = at_most(laplace, BOX, limit)
        assert decision.holds is False
        (z,) = decision.witness.point
        assert abs(z - 1) - abs(z) > limit
        assert limit < decision.witness.lower <= decision.witness.upper


def test_what_cannot_be_decided_is_returned():
    """A maximum of irrational height must be neither proved nor refuted at its own height."""

    def root(x, n):
        return n.sqrt(n.rational(Fraction(2))) - n.rational(x) ** 2

    near = Fraction("1.4142135623730950488016887")  # as close as 64 bits cannot tell
    decision = at_most(root, box_of((-1, 1)), near, budget=400)
    assert decision.holds is None
    assert decision.undecided
    assert all(max(map(abs, part.box[0])) < Fraction(1, 10**6) for part in decision.undecided)
    assert covers(decision.cover, box_of((-1, 1)))


def test_a_small_budget_leaves_cells_open():
    """With too few cells the answer must be open and the enclosure wide, but right."""
    decision = at_most(mixture, BOX, Fraction(971, 1000), budget=5)
    assert decision.holds is None
    found = supremum(mixture, BOX, budget=5)
    assert found.undecided
    assert found.lower < Fraction(970828, 10**6)
    assert found.upper is None or found.upper > Fraction(970827, 10**6)


def test_a_mixture_is_enclosed_in_fewer_cells():
    """The supremum of the mixture must be met to 1e-8 within the published 255 cells."""
    found = supremum(mixture, BOX, tolerance=Fraction(1, 10**8))
    published = Fraction("0.97082737916"), Fraction("0.97082738579")
    assert published[0] <= found.upper
    assert found.lower <= published[1]
    assert found.upper - found.lower <= Fraction(1, 10**8)
    assert found.cells <= 255
    assert not found.undecided
    at_zero = log(
        (7 / 20 + 3 / 40 * 2.718281828459045**-1.5)
        / (7 / 20 / 2.718281828459045 + 3 / 40 * 2.718281828459045**-2)
    )
    assert float(found.lower) == pytest.approx(at_zero, abs=1e-9)


def test_cuts_at_the_kinks_save_cells():
    """With the breakpoints as cuts the Laplace log-ratio must need three cells."""
    decision = at_most(laplace, BOX, 1 + TINY, cuts=[[Fraction(0), Fraction(1)]])
    assert decision.holds is True
    assert decision.cells == 3


@settings(max_examples=40)
@given(top=st.fractions(-3, 3, max_denominator=9), scale=st.fractions("1/4", 4, max_denominator=8))
def test_smooth_maxima_are_enclosed(top, scale):
    """The enclosure must contain the known maximum, wherever it lies."""

    def formula(x, n):
        return n.exp(n.rational(-abs(x - top))) - n.rational(x - top) ** 2 * scale

    found = supremum(formula, box_of((-4, 5)), tolerance=Fraction(1, 10**4))
    assert found.lower <= 1 <= found.upper
    assert found.upper - found.lower <= Fraction(1, 10**4)


def test_two_variables_are_enclosed():
    """The supremum over a square must be found, with its place, and proved a little above."""
    box = box_of((-1, 1), (-1, 1))
    found = supremum(saddle, box, tolerance=Fraction(1, 10**3))
    exact = 1 + Fraction("0.36787944117")
    assert found.lower <= exact + TINY * 10**5
    assert exact <= found.upper
    assert abs(found.peak.point[0] - 1) < Fraction(1, 10)
    assert covers(found.cover, box)
    assert at_most(saddle, box, exact + Fraction(1, 100)).holds is True
    assert at_most(saddle, box, exact - Fraction(1, 100)).holds is False


def test_an_edge_takes_the_place_of_a_cell():
    """Where one slope has one sign, the part must be proved on its edge alone."""
    box = box_of((0, 1), (0, 1))
    decision = at_most(lambda p, n: p[0] + hill(p[1], n), box, Fraction(5, 4) + TINY)
    assert decision.holds is True
    assert all(part.face[0] == (part.box[0][1], part.box[0][1]) for part in decision.cover)


def test_jumps_take_their_one_sided_limits():
    """A step from 1 up to x, cut at the jump, must have the supremum of its closed pieces."""

    def step(x, n):
        return n.rational(x + 1) if x < 0 else n.rational(-x)

    found = supremum(step, box_of((-1, 1)), cuts=[[Fraction(0)]])
    assert found.lower == found.upper == 1
    assert found.peak.part == ((-1, 0),)
    uncut = supremum(step, box_of((-2, 1)), tolerance=TINY)
    assert uncut.lower <= 1 <= (uncut.upper or 1)


def test_a_pole_leaves_its_cell_without_a_bound():
    """Where the function has no bound, none must be given, and the place must be named."""
    found = supremum(lambda x, n: 1 / n.rational(x) ** 2, box_of((-1, 2)), budget=400)
    assert found.upper is None
    open_parts = [part for part in found.undecided if part.upper is None]
    assert open_parts
    assert any(part.box[0][0] <= 0 <= part.box[0][1] for part in open_parts)


def test_unknown_slopes_still_give_bounds():
    """Values without slopes must be enough for a coarse proof."""

    def formula(x, n):
        return n.rational(x) * n.between(Fraction(0), Fraction(1))

    assert at_most(formula, box_of((0, 1)), Fraction(101, 100)).holds is True


@pytest.mark.parametrize(("formula", "limit"), [(laplace, 1 + TINY), (mixture, Fraction(98, 100))])
def test_each_part_of_a_proof_stands_by_itself(formula, limit):
    """Every part of a cover must be proved again alone; with a bound 1 % lower some must fail."""
    decision = at_most(formula, BOX, limit)
    assert all(recheck(formula, part, limit) for part in decision.cover)
    lower = limit * Fraction(98, 100)
    assert not all(recheck(formula, part, lower) for part in decision.cover)


def test_boxes_are_checked():
    """A box without width, or of three sides, must be refused."""
    for sides in (((1, 1),), ((0, 1),) * 3, ()):
        with pytest.raises(InvalidArgument, match="box must have one or two sides"):
            box_of(*sides)
