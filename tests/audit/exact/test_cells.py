"""Cells cover the outcomes of two laws, and their masses keep to what they state."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.cells.cell import (
    Cell,
    CellPair,
    OpenCell,
    RatioRange,
    interval,
    outcomes,
)
from audit.exact.exact_numbers import add_up, as_ball, inverse, log_ball
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Balls, contains, endpoints
from proofs_check.exponential import ExpSum
from tests.audit.exact.laws import few

HALF = Fraction(1, 2)
E = ExpSum.exp(Fraction(1))
POSITIVE = st.fractions(Fraction(1, 20), 20, max_denominator=20)


def test_masses_must_add_up() -> None:
    """It must hold exactly: a loss of 1e-30 in one law is seen, and a cell counted twice."""
    tail = Cell(HALF, E * HALF, outcomes(1))
    head = Cell(E - HALF, E * HALF, outcomes(0))
    assert CellPair((head, tail), E).total == E
    short = Cell(E - HALF, E * HALF - Fraction(1, 10**30), outcomes(0))
    with pytest.raises(InvalidArgument, match="the masses q add up"):
        CellPair((short, tail), E)
    for twice in ((head, tail, tail), (head, head, tail)):
        with pytest.raises(InvalidArgument, match="the masses p add up"):
            CellPair(twice, E)


def test_a_negative_mass_is_refused() -> None:
    """It must hold also where only exact arithmetic can tell the sign."""
    Cell(E - Fraction(271828182845904, 10**14), 0, outcomes(0))
    with pytest.raises(InvalidArgument, match="at least 0"):
        Cell(E - Fraction(271828182845905, 10**14), 0, outcomes(0))


def test_an_enclosed_mass_needs_the_range_of_its_ratio() -> None:
    """It must hold that no ratio is ever taken of two balls, and that the range is kept to."""
    mass = Balls(64).exp(Balls(64).rational(Fraction(-1)))
    where = interval(Fraction(0), None)
    with pytest.raises(InvalidArgument, match="needs the range"):
        Cell(mass, Fraction(1, 2), where)
    with pytest.raises(OpenCell, match=r"\[0, inf\) must be split"):
        Cell(mass, HALF, where, RatioRange(0, 1)).exact()
    assert Cell(E, HALF, where).exact() == (E, HALF)
    with pytest.raises(InvalidArgument, match="contradict"):
        Cell(mass, HALF, where, RatioRange(0, Fraction(7, 10)))
    with pytest.raises(InvalidArgument, match="contradict"):
        Cell(mass, HALF, where, RatioRange(Fraction(8, 10), None))


def test_enclosed_masses_must_be_able_to_add_up() -> None:
    """It must hold that a total outside the ball is refused."""
    mass = as_ball(1 - E * Fraction(1, 3))
    cells = (
        Cell(mass, HALF, outcomes(0), RatioRange(0, 1)),
        Cell(E * Fraction(1, 3), HALF, outcomes(1)),
    )
    assert CellPair(cells).total == 1
    with pytest.raises(InvalidArgument, match="the masses p add up"):
        CellPair((cells[0], Cell(E * Fraction(1, 4), HALF, outcomes(1))))


@given(POSITIVE, POSITIVE)
def test_swapping_twice_changes_nothing(a: Fraction, b: Fraction) -> None:
    """It must hold of cells and of ranges, also of those with an end at 0 or at infinity."""
    lower, upper = sorted((a, b))
    for ratio in (RatioRange(lower, upper), RatioRange(0, upper), RatioRange(lower, None)):
        assert ratio.swapped().swapped() == ratio
    cell = Cell(upper, 1, outcomes("x"), RatioRange(lower, None))
    pair = CellPair((cell, Cell(0, upper - 1, outcomes("y"))), upper) if upper >= 1 else None
    assert cell.swapped().swapped() == cell
    assert cell.swapped().ratio == RatioRange(0, 1 / lower)
    assert pair is None or pair.swapped().swapped() == pair


@given(st.dictionaries(POSITIVE, POSITIVE, max_size=4).map(ExpSum), POSITIVE)
@few
def test_sums_are_exact_or_enclose(x: ExpSum, r: Fraction) -> None:
    """It must hold that adding up mixed numbers gives their sum, and that 1 / x inverts."""
    assert add_up([x, r, x / E, 2]) == x + r + x / E + 2
    assert contains(as_ball(r), r)
    enclosed = add_up([as_ball(r), 1])
    assert contains(as_ball(enclosed), r + 1)
    if x:
        assert inverse(x) * x == 1
        assert inverse(x / E) * x == E


def test_logarithms_of_sums_that_nearly_cancel_are_enclosed() -> None:
    """It must hold that e^x - 1 has the logarithm of x to 1e-50 for x = 1e-80, and 0 has none."""
    x = Fraction(1, 10**80)
    lower, upper = endpoints(log_ball(ExpSum.exp(x) - 1) - log_ball(x))
    assert -Fraction(1, 10**50) < lower <= upper < Fraction(1, 10**50)
    assert contains(log_ball(E * E), Fraction(2))
    assert contains(log_ball(E / (E * E * E)), Fraction(-2))
    for value in (ExpSum({}), Fraction(0), 1 - E, (1 - E) / (1 + E)):
        with pytest.raises(InvalidArgument, match="positive number"):
            log_ball(value)


def test_regions_say_what_they_hold() -> None:
    """It must hold that words and data name the outcomes."""
    assert interval(None, HALF) == "z in (-inf, 1/2)"
