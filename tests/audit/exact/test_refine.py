"""Two laws on common cells: exact divergences, ranges of ratios, balls where nothing else is."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from audit.exact.cells.cell_divergences import hockey_stick, largest_ratio
from audit.exact.cells.line.line_cells import cell_pair
from audit.exact.cells.line.line_law import Atom, LineLaw, PeriodicTail, Piece, Term
from audit.exact.cells.line.line_noises import line_law
from audit.exact.exact_numbers import Mass, as_ball
from mechanisms.errors import InvalidArgument
from mechanisms.noise.geometric import Geometric
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.staircase import Staircase
from proofs_check.enclosure import Ball, endpoints
from proofs_check.exponential import ExpSum
from tests.audit.exact.laws import few

F = Fraction
ONE = ExpSum.rational(1)
SHIFT = st.fractions(F(1, 30), 1, max_denominator=30)


def exp(x: Fraction | int) -> ExpSum:
    """e^x, exactly."""
    return ExpSum.exp(F(x))


def number(x: Mass) -> float:
    """The number in doubles."""
    return float(as_ball(x).value.mid())


def excess(
    p: Callable[[float], float], q: Callable[[float], float], factor: float, cuts: list[float]
) -> float:
    """Integral of (p - factor q)^+ by quadrature in doubles, between the cuts."""
    return sum(
        quad(lambda z: max(p(z) - factor * q(z), 0), a, b, epsabs=1e-14, epsrel=1e-13, limit=200)[0]
        for a, b in pairwise(cuts)
    )


@few
@given(SHIFT, SHIFT)
def test_laplace_has_its_closed_form(shift: Fraction, level: Fraction) -> None:
    """It must hold exactly: delta(e') = 1 - e^((e' - d) / 2) at shift d, for 0 <= e' <= d."""
    law = line_law(Laplace(1, 1))
    pair = cell_pair(law, law.moved(shift), (level, 0))
    least = min(level, shift)
    assert hockey_stick(pair, level).value == 1 - exp((least - shift) / 2)
    assert hockey_stick(pair, Fraction(0)).value == 1 - exp(-shift / 2)
    ratio = largest_ratio(pair)
    assert ratio.exact_log() == shift


@pytest.mark.parametrize("level", [F(1, 7), F(2, 7), F(1)])
def test_a_crossing_that_is_not_rational_gives_a_ball(level: Fraction) -> None:
    """It must hold that the ball holds the integral to 1e-12 and is narrower than 1e-40."""
    p = LineLaw((Piece(F(0), None, (Term(ONE, F(-1)), Term(ONE, F(-2)))),))
    q = LineLaw((Piece(F(0), None, (Term(ONE * 2, F(-2)), Term(ONE * F(1, 20), F(-1, 3) * 3))),))
    pair = cell_pair(p, q, (level,))
    found = hockey_stick(pair, level).value
    assert isinstance(found, Ball)
    lower, upper = endpoints(found)
    assert upper - lower < F(1, 10**40)
    by_doubles = excess(
        lambda z: (math.exp(-z) + math.exp(-2 * z)) / 1.5,
        lambda z: (2 * math.exp(-2 * z) + math.exp(-z) / 20) / 1.05,
        math.exp(level),
        [0, 1, 2, 4, 8, 16, 40],
    )
    assert float(lower) == pytest.approx(by_doubles, abs=1e-12)


def test_the_ratio_range_of_a_cell_is_reached_at_its_ends() -> None:
    """It must hold of mixtures with two slopes, on both sides of a common crossing."""
    p = LineLaw((Piece(F(0), F(2), (Term(ONE, F(1)), Term(ONE, F(0)))),))
    q = LineLaw((Piece(F(0), F(2), (Term(ONE, F(0)),)),))
    (cell,) = cell_pair(p, q).cells
    total_p, total_q = exp(2) + 1, ONE * 2
    assert cell.ratio is not None
    assert cell.ratio.lower == 2 * total_q / total_p
    assert cell.ratio.upper == (exp(2) + 1) * total_q / total_p == 2


def test_a_law_cut_otherwise_is_the_same_law() -> None:
    """It must hold that longer periods and moved starts leave every ratio at 1."""
    for noise in (Staircase(1, 1, F(1, 3)), Geometric(F(1, 2), 1)):
        law = line_law(noise)
        left, right = law.tails if law.tails[0].side < 0 else law.tails[::-1]
        other = LineLaw(law.pieces, law.atoms, (left.lengthened(F(-3)), right.lengthened(F(2))))
        other = other.begin_tails(F(-17, 5), F(9, 7))
        pair = cell_pair(law, other, (0,))
        assert hockey_stick(pair, Fraction(0)).value == 0
        assert all(cell.p == cell.q for cell in pair.cells)
        assert largest_ratio(pair).exact_log() == 0


def test_an_exponential_tail_meets_a_periodic_one() -> None:
    """It must hold of Laplace and staircase that fall at one rate: quadrature to 1e-12."""
    laplace, stairs = Laplace(1, 1), Staircase(1, 1, F(1, 3))
    pair = cell_pair(line_law(laplace), line_law(stairs), (0, F(1, 10)))
    for level in (F(0), F(1, 10)):
        period = excess(
            lambda z: float(laplace.density(z)),
            lambda z: float(stairs.density(z)),
            math.exp(level),
            [0, 1 / 3, 1],
        )
        by_doubles = 2 * period / (1 - math.exp(-1))
        assert number(hockey_stick(pair, level).value) == pytest.approx(by_doubles, abs=1e-12)
    y = stairs.gamma + (1 - stairs.gamma) * exp(-1)
    ratio = largest_ratio(pair).ratio  # just after a step down: (r / 2) e^-gamma over a e^-1
    assert ratio == y * exp(F(2, 3)) / (1 - exp(-1))


def test_tails_that_fall_otherwise_have_no_common_cells() -> None:
    """It must hold that different rates are refused, of two periods and of an exponential."""
    law = line_law(Staircase(1, 1, F(1, 3)))
    slower, wider = Staircase(F(99, 100), 1, F(1, 3)), Staircase(1, 2, F(1, 3))
    for other in (slower, wider):
        for first, second in ((law, line_law(other)), (line_law(other), law)):
            with pytest.raises(InvalidArgument, match="tails that fall at different rates"):
                cell_pair(first, second)
    with pytest.raises(InvalidArgument, match="does not fall by 1 in 1"):
        cell_pair(law, line_law(Laplace(F(99, 100), 1)))
    three = LineLaw((Piece(F(0), F(1), tuple(Term(ONE, F(k)) for k in range(3))),))
    with pytest.raises(InvalidArgument, match="more than two slopes"):
        cell_pair(three, three)


def test_what_one_law_reaches_alone_has_an_infinite_ratio() -> None:
    """It must hold of atoms beside each other, and of an interval that one law never enters."""
    law = line_law(Geometric(1, 1))
    apart = cell_pair(law, law.moved(F(1, 2)), (0,))
    assert largest_ratio(apart).ratio is None
    assert hockey_stick(apart, Fraction(0)).value == 1
    unit = LineLaw((Piece(F(0), F(1), (Term(ONE, F(0)),)),))
    overlap = cell_pair(unit, unit.moved(F(1, 4)), (0,))
    assert hockey_stick(overlap, Fraction(0)).value == F(1, 4)


def test_an_atom_where_a_tail_begins_is_matched() -> None:
    """It must hold to either side: one point is one cell, in the body of one law or not."""
    for side in (1, -1):
        lattice = LineLaw(tails=(PeriodicTail(F(0), F(side), F(1), (), (Atom(F(0), ONE),)),))
        point = LineLaw(atoms=(Atom(F(side), ONE), Atom(F(0), ONE)))
        pair = cell_pair(point, lattice, (0,))
        assert largest_ratio(pair).ratio == ONE / ((1 - exp(-1)) * exp(-1) * 2)
        assert hockey_stick(pair, Fraction(0)).value == F(1, 2) - (1 - exp(-1)) * exp(-1)


def test_totals_of_different_kinds_meet() -> None:
    """It must hold that laws need not be normalized, nor have equal weights."""
    one = LineLaw((Piece(F(0), F(1), (Term(exp(1), F(0)),)),), (Atom(F(2), ONE),))
    two = LineLaw((Piece(F(0), F(1), (Term(ONE, F(0)),)),), (Atom(F(2), exp(1)),))
    pair = cell_pair(one, two, (1,))
    assert largest_ratio(pair).exact_log() == 1
    assert hockey_stick(pair, F(0)).value == (exp(1) - 1) / (exp(1) + 1)
    tail = LineLaw(tails=(PeriodicTail(F(0), F(1), F(1), one.pieces),))
    half = LineLaw(tails=(PeriodicTail(F(0), F(1), F(1), two.pieces),))
    assert hockey_stick(cell_pair(tail, half), Fraction(0)).value == 0
