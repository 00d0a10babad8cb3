"""Regions: cuts lose nothing, corners are exact, integers are rounded to their own side."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.symbolic.affine import Region, box
from mechanisms.errors import InvalidArgument
from tests.audit.exact.laws import few

SMALL = st.fractions(-3, 3, max_denominator=6)
LINE = st.tuples(SMALL, SMALL, SMALL)
SQUARE = box([(0, 1), (0, 1)], [False, False])


def halves(region: Region, form: tuple[Fraction, ...]) -> list[Region]:
    """The parts that a cut leaves."""
    return [part for half in region.halves(form) if (part := region.cut(half)) is not None]


@few
@given(st.lists(LINE, min_size=1, max_size=3))
def test_cuts_keep_the_area(lines: list[tuple[Fraction, ...]]) -> None:
    """It must hold that the parts of a square have its area, however often it is cut."""
    parts = [SQUARE]
    for line in lines:
        if any(line[:-1]):
            parts = [piece for part in parts for piece in halves(part, line)]
    assert sum(part.volume() for part in parts) == 1


@few
@given(st.lists(LINE, min_size=1, max_size=3), st.tuples(SMALL, SMALL))
def test_a_point_lies_in_its_parts(
    lines: list[tuple[Fraction, ...]], form: tuple[Fraction, ...]
) -> None:
    """It must hold that constraints and corners describe the same set: ranges are reached."""
    region = SQUARE
    for line in lines:
        region = region.cut(line) or region
    assert all(region.holds(corner) for corner in region.corners)
    lower, upper = region.range((*form, Fraction(0)))
    values = [sum(a * b for a, b in zip(form, corner, strict=True)) for corner in region.corners]
    assert (lower, upper) == (min(values), max(values))


def test_parts_of_the_plane_have_no_end() -> None:
    """It must hold that a quadrant keeps its directions, and that a cut can take one away."""
    quadrant = box([(0, None), (0, None)], [False, False])
    assert set(quadrant.directions) == {(1, 0), (0, 1)}
    assert quadrant.range((Fraction(1), Fraction(-1), Fraction(0))) == (None, None)
    strip = quadrant.cut((Fraction(-1), Fraction(1), Fraction(2)))  # y >= x - 2
    assert strip is not None
    assert strip.range((Fraction(1), Fraction(-1), Fraction(0))) == (None, 2)
    assert set(strip.corners) == {(0, 0), (2, 0)}
    assert strip.cut((Fraction(-1), Fraction(0), Fraction(-1, 9))) is None  # x <= -1/9


def test_integers_are_cut_between_two_of_them() -> None:
    """It must hold that no integer is lost, and that each part ends at integers."""
    rng = random.Random(5)
    grid = box([(-4, 4), (-4, 4)], [True, True])
    for _ in range(40):
        form = tuple(Fraction(rng.randint(-6, 6), rng.choice((1, 2, 4))) for _ in range(3))
        if not any(form[:-1]):
            continue
        yes, no = grid.halves(form)
        for point in product(range(-4, 5), repeat=2):
            inside = form[0] * point[0] + form[1] * point[1] + form[2] >= 0
            at = (*map(Fraction, point), Fraction(1))
            values = [sum(a * b for a, b in zip(half, at, strict=True)) for half in (yes, no)]
            assert [value >= 0 for value in values] == [inside, not inside]


def test_products_are_told_from_others() -> None:
    """It must hold that only a cut across integers and other variables spoils a product."""
    mixed = box([(0, None), (0, 1), (0, 1)], [True, False, False])
    reals = mixed.cut((Fraction(0), Fraction(1), Fraction(1), Fraction(-1)))
    assert reals is not None
    assert reals.is_product()
    assert reals.volume() == Fraction(1, 2)
    across = mixed.cut((Fraction(1), Fraction(-2), Fraction(0), Fraction(0)))
    assert across is not None
    assert not across.is_product()


def test_a_variable_needs_an_end() -> None:
    """It must hold that a whole line is refused: it has no corner."""
    with pytest.raises(InvalidArgument, match="needs an end"):
        box([(None, None)], [False])
    with pytest.raises(InvalidArgument, match="at most 2"):
        box([(0, 1)] * 3, [False] * 3).volume()
