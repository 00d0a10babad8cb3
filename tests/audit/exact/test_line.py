"""Exact laws on the line: masses add up, tails are summed without truncation, moves move."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.cells.line.line_law import Atom, LineLaw, PeriodicTail, Piece, Term
from audit.exact.exact_numbers import add_up, as_ball
from mechanisms.errors import InvalidArgument
from proofs_check.exponential import Exact, ExpSum
from tests.audit.exact.laws import few

F = Fraction
ONE = ExpSum.rational(1)
POINT = st.fractions(-6, 6, max_denominator=6)


def flat(lower: object, upper: object, weight: ExpSum = ONE) -> Piece:
    """A constant density."""
    return Piece(F(str(lower)), F(str(upper)), (Term(weight, F(0)),))


STAIRS = (flat(0, "1/3"), flat("1/3", 1, ExpSum.exp(F(-1))))
RIGHT = PeriodicTail(F(0), F(1), F(1), STAIRS, (Atom(F(1, 2), ONE),))
LEFT = PeriodicTail(F(-2), F(-3), F(1, 2), (flat(-4, -2, ONE * 2),), (Atom(F(-2), ONE),))
LAW = LineLaw((Piece(F(-1), F(0), (Term(ONE, F(2)), Term(ONE, F(-1)))),), (), (LEFT, RIGHT))


def number(x: Exact) -> float:
    """The number in doubles."""
    return float(as_ball(x).value.mid())


def test_integrals_are_those_of_doubles() -> None:
    """It must hold for each slope and for infinite ends, to 1e-14."""
    term = Term(ONE * 3, F(-1, 2))
    assert number(term.integral(F(1), None)) == pytest.approx(6 * math.exp(-0.5), abs=1e-14)
    assert number(term.integral(F(1), F(3))) == pytest.approx(
        6 * (math.exp(-0.5) - math.exp(-1.5)), abs=1e-14
    )
    assert Term(ONE, F(0)).integral(F(1), F(3)) == 2
    assert Term(ONE, F(2)).integral(None, F(0)) == F(1, 2)
    for slope, lower, upper in ((F(0), F(0), None), (F(1), F(0), None), (F(-1), None, F(0))):
        with pytest.raises(InvalidArgument, match="infinite"):
            Term(ONE, slope).integral(lower, upper)


def test_a_tail_is_a_geometric_series() -> None:
    """It must hold exactly: the mass is that of one period over 1 - e^-decay."""
    e = ExpSum.exp(F(-1))
    assert RIGHT.mass() == (F(1, 3) + e * F(2, 3) + 1) / (1 - e)
    assert LEFT.mass() == ONE * 5 / (1 - ExpSum.exp(F(-1, 2)))
    longer = RIGHT.lengthened(F(3))
    assert longer.decay == 3
    assert longer.mass() == RIGHT.mass()


@few
@given(POINT, POINT)
def test_a_law_is_the_same_wherever_its_tails_begin(x: Fraction, y: Fraction) -> None:
    """It must hold that opening tails changes neither the total nor any mass."""
    opened = LAW.begin_tails(min(x, F(-2)), max(y, F(0)))
    assert opened.total == LAW.total
    for z in (y, F(11, 7)):
        assert opened.mass(None, z) == LAW.mass(None, z)


@few
@given(POINT, POINT)
def test_masses_of_parts_add_up(x: Fraction, y: Fraction) -> None:
    """It must hold exactly, with atoms counted once: (-inf, x] and (x, y] and (y, inf)."""
    lower, upper = sorted((x, y))
    parts = [LAW.mass(None, lower), LAW.mass(upper, None)]
    if lower < upper:
        parts.append(LAW.mass(lower, upper))
    assert add_up(parts) == LAW.total


@few
@given(POINT, POINT)
def test_a_moved_law_has_moved_masses(x: Fraction, d: Fraction) -> None:
    """It must hold exactly: P(Z + d <= x) = P(Z <= x - d)."""
    assert LAW.moved(d).mass(None, x) == LAW.mass(None, x - d)


def test_an_atom_belongs_to_the_interval_that_ends_at_it() -> None:
    """It must hold in the body and in either tail: masses are of lower < z <= upper."""
    for point, weight in ((F(-2), 1), (F(-5), ExpSum.exp(F(-1, 2))), (F(5, 2), ExpSum.exp(F(-2)))):
        before, after = LAW.mass(None, point), LAW.mass(point, None)
        near = F(1, 10**9)
        beside = LAW.mass(point - near * 2, point - near)  # a density that hardly changes
        gap = before - LAW.mass(None, point - near) - beside - weight
        assert abs(number(gap)) < 1e-15
        assert before + after == LAW.total


def test_faulty_laws_are_refused() -> None:
    """It must hold of overlaps, doubled atoms, negative densities and growing tails."""
    for parts in (
        {"pieces": (flat(0, 2), flat(1, 3))},
        {"pieces": (flat(-1, 1),), "tails": (RIGHT,)},
        {"atoms": (Atom(F(1, 2), ONE),), "tails": (RIGHT,)},
    ):
        with pytest.raises(InvalidArgument, match="overlap"):
            LineLaw(**parts)
    with pytest.raises(InvalidArgument, match="at least 0"):
        flat(0, 1, ExpSum.rational(-1))
    with pytest.raises(InvalidArgument, match="decay"):
        PeriodicTail(F(0), F(1), F(0), STAIRS)
    with pytest.raises(InvalidArgument, match="first period"):
        PeriodicTail(F(0), F(-1), F(1), STAIRS)
    with pytest.raises(InvalidArgument, match="multiple"):
        RIGHT.lengthened(F(3, 2))
