"""Rényi divergences: a plain twin, closed forms, and what holds for all laws."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.cells.cell import Cell, CellPair, OpenCell, RatioRange, outcomes
from audit.exact.cells.cell_divergences import largest_ratio, renyi_divergence
from audit.exact.cells.finite_laws import FinitePmf, cells_of
from audit.exact.exact_numbers import add_up, log_ball, quotient
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, endpoints
from proofs_check.exponential import ExpSum
from tests.audit.exact.laws import chance, few, merged, pairs_of_pmfs, slow_renyi, support

Laws = tuple[FinitePmf, FinitePmf]
ORDERS = st.fractions(Fraction(1, 4), 6, max_denominator=8)
HALF = Fraction(1, 2)


def touch(x: Ball, y: Ball) -> bool:
    """Whether two enclosures can be of one number."""
    (a, b), (c, d) = endpoints(x), endpoints(y)
    return a <= d and c <= b


@given(pairs_of_pmfs(), ORDERS)
@few
def test_the_enclosure_agrees_with_the_plain_twin(laws: Laws, order: Fraction) -> None:
    """It must hold for every rational order and in both directions, infinite where that is."""
    for (p, q), pair in zip((laws, laws[::-1]), cells_of(*laws).both_ways(), strict=True):
        found = renyi_divergence(pair, order)
        expected = slow_renyi(p, q, float(order))
        if found is None:
            assert math.isinf(expected)
            continue
        lower, upper = endpoints(found)
        assert upper - lower < Fraction(1, 10**40)
        assert float(lower) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(pairs_of_pmfs(most=5), st.integers(2, 4))
@few
def test_the_exact_moment_lies_in_the_enclosure(laws: Laws, order: int) -> None:
    """It must hold at integer orders of the sum of p^a / q^(a - 1), and where that is infinite."""
    p, q = laws
    pair = cells_of(p, q)
    found = renyi_divergence(pair, Fraction(order))
    if found is None:
        assert any(chance(p, x) != 0 and chance(q, x) == 0 for x in support(p))
        return
    moment = Fraction(0)
    for x in support(p):
        over, under = chance(p, x), chance(q, x)
        ratio = over / under if not isinstance(over, int) else Fraction(over) / under
        for _ in range(order - 1):
            over = over * ratio
        moment = moment + over
    assert touch(log_ball(moment) / (order - 1), found)


@given(st.fractions(Fraction(1, 5), 3, max_denominator=10), st.integers(2, 5))
@few
def test_randomized_response_has_its_closed_form(epsilon: Fraction, order: int) -> None:
    """It must hold that M_a = (e^(a eps) + e^((1 - a) eps)) / (1 + e^eps), and not at 1.01 eps."""
    e = ExpSum.exp(epsilon)
    pair = cells_of(FinitePmf.from_weights({0: e, 1: 1}), FinitePmf.from_weights({0: 1, 1: e}))

    def closed_form(x: Fraction) -> ExpSum:
        return ExpSum.exp(order * x) + ExpSum.exp((1 - order) * x)

    found = renyi_divergence(pair, Fraction(order))
    for factor, holds in ((Fraction(1), True), (Fraction(101, 100), False)):
        moment = closed_form(epsilon * factor) / (1 + e)
        assert touch(log_ball(moment) / (order - 1), found) is holds
    kullback_leibler = renyi_divergence(pair, Fraction(1))
    assert touch(kullback_leibler, ((e - 1) / (e + 1) * epsilon).ball(192))


@given(pairs_of_pmfs(), ORDERS, ORDERS)
@few
def test_the_divergence_grows_with_its_order(laws: Laws, a: Fraction, b: Fraction) -> None:
    """It must hold that 0 <= D_a <= D_b <= largest log-ratio for a <= b."""
    pair = cells_of(*laws)
    low, high = (renyi_divergence(pair, order) for order in sorted((a, b)))
    loss = largest_ratio(pair).log()
    chain = [None if x is None else endpoints(x) for x in (low, high, loss)]
    for smaller, larger in pairwise(chain):
        assert larger is None or (smaller is not None and smaller[0] <= larger[1])
    assert low is None or endpoints(low)[1] >= 0


@given(pairs_of_pmfs(), ORDERS, st.integers(1, 4))
@few
def test_processing_never_raises_the_divergence(laws: Laws, order: Fraction, modulus: int) -> None:
    """It must hold for merged outcomes."""
    before = renyi_divergence(cells_of(*laws), order)
    after = renyi_divergence(cells_of(*(merged(law, modulus) for law in laws)), order)
    assert before is None or endpoints(after)[0] <= endpoints(before)[1]


@given(pairs_of_pmfs(), ORDERS)
@few
def test_cells_of_varying_ratio_enclose_what_finer_cells_give(laws: Laws, order: Fraction) -> None:
    """It must hold that merging all cells of finite ratio, with its range, keeps the value."""
    pair = cells_of(*laws)
    finite = [c for c in pair.cells if c.q and c.p]
    if not finite:
        assert largest_ratio(pair).ratio is None
        return
    ratios = [quotient(c.p, c.q) for c in finite]
    merged = Cell(
        add_up(c.p for c in finite),
        add_up(c.q for c in finite),
        outcomes("merged"),
        RatioRange(min(ratios), max(ratios)),
    )
    coarse = CellPair((merged, *(c for c in pair.cells if not (c.q and c.p))), pair.total)
    fine, enclosed = renyi_divergence(pair, order), renyi_divergence(coarse, order)
    assert (fine is None) is (enclosed is None)
    assert fine is None or touch(fine, enclosed)


def test_a_ratio_without_end_is_an_open_cell() -> None:
    """It must hold that no moment is made up where the range has no end."""
    endless = Cell(HALF, Fraction(1, 4), outcomes("a"), RatioRange(Fraction(1), None))
    pair = CellPair((endless, Cell(HALF, Fraction(3, 4), outcomes("b"))))
    with pytest.raises(OpenCell, match="must be bounded"):
        renyi_divergence(pair, Fraction(2))
    with pytest.raises(InvalidArgument, match="greater than 0"):
        renyi_divergence(pair, Fraction(0))
