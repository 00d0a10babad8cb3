"""Programs run on all points of a region: the same as run on each of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.symbolic.affine import Affine, NotAffine, Range, box, explore, variables
from audit.exact.symbolic.log_numbers import Number, grid_level, hourglass_exponent, level

F = Fraction
SIDES: tuple[Range, ...] = ((0, None), (None, -1))
WHOLE = [box([n, (0, 1), t], [True, False, True]) for n, t in product(SIDES, SIDES)]


def staircase(x: tuple[Number, ...]) -> Number:
    """Level of n + f."""
    return level(x[0] + x[1], F(2, 7))


def hourglass(x: tuple[Number, ...]) -> Number:
    """Exponent of the hourglass at n + f and t."""
    return hourglass_exponent(level(x[0] + x[1], F(2, 7)), x[2])


def compared(x: tuple[Number, ...]) -> Number:
    """Comparisons of every kind."""
    n, f, t = x
    if n == t:
        return f
    if n + f < t or n > t + 3:
        return abs(n - t) / 2
    return 1 - f if f <= F(1, 3) else max(n, 2 * t) + f


def on_a_grid(x: tuple[Number, ...]) -> Number:
    """Level of the integer 5 n + t on the grid 1/5."""
    return grid_level(x[0] * 5 + x[2], 5, 2)


DIGITS = [box([n, (0, 1), (0, 4)], [True, False, True]) for n in SIDES]
CASES = {
    program: [case for region in regions for case in explore(program, region)]
    for program, regions in (
        (staircase, WHOLE),
        (hourglass, WHOLE),
        (compared, WHOLE),
        (on_a_grid, DIGITS),
    )
}


@pytest.mark.parametrize("program", CASES)
@given(st.integers(-9, 9), st.integers(1, 20), st.integers(-9, 9))
def test_each_point_has_its_case(
    program: Callable[[tuple[Number, ...]], Number], n: int, place: int, t: int
) -> None:
    """It must hold that a case holds the point, and that all such cases give its value."""
    point = (F(n), F(place, 23), F(t % 5 if program is on_a_grid else t))
    values = [_at(value, point) for part, value in CASES[program] if part.holds(point)]
    assert values
    assert set(values) == {program(point)}


def test_levels_of_a_grid_are_those_of_its_integers() -> None:
    """It must hold at every integer, with no null set left out (KSW-D5)."""
    for n, i in product(range(-4, 4), range(5)):
        point, j = (F(n), F(1, 2), F(i)), 5 * n + i
        size = (abs(j) - 2) // 5 + 1
        assert on_a_grid(point) == (size if j >= 0 else -size)
    with pytest.raises(NotAffine, match="without bounds"):
        list(explore(lambda x: grid_level(x[0], 5, 2), box([(0, None)], [True])))


def test_what_is_not_affine_is_refused() -> None:
    """It must hold of powers, products, and floors of what has no bounds."""
    (x,) = variables(box([(0, None)], [False]))
    for program in (lambda: x**2, lambda: x * x, lambda: math.floor(x)):
        with pytest.raises(NotAffine):
            program()


def test_a_real_variable_is_cut_up_to_null_sets() -> None:
    """It must hold that f < 1/2 cuts [0, 1] in two halves that meet."""
    parts = list(explore(lambda x: x[0] < F(1, 2), box([(0, 1)], [False])))
    assert sorted((part.ends(0), value) for part, value in parts) == [
        ((0, F(1, 2)), True),
        ((F(1, 2), 1), False),
    ]


def _at(value: Number, point: tuple[Fraction, ...]) -> Fraction:
    if not isinstance(value, Affine):
        return F(value)
    terms = (c * x for c, x in zip(value.vector, (*point, F(1)), strict=True))
    return sum(terms, start=F(0))
