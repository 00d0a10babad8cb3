"""Finite laws in exact numbers, and common cells."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from audit.exact.cells.finite_laws import FinitePmf, cells_of
from mechanisms.errors import InvalidArgument
from proofs_check.exponential import ExpSum
from tests.audit.exact.laws import chance, few, pairs_of_pmfs, support

E = ExpSum.exp(Fraction(1))


def test_masses_that_do_not_add_up_are_refused() -> None:
    """It must hold that a law is never normalized in silence, and never negative."""
    with pytest.raises(InvalidArgument, match="add up"):
        FinitePmf({0: Fraction(1, 2), 1: Fraction(1, 2) - Fraction(1, 10**40)})
    with pytest.raises(InvalidArgument, match="add up"):
        FinitePmf({0: ExpSum.rational(1) / (1 + E), 1: Fraction(731, 1000)})
    with pytest.raises(InvalidArgument, match="at least 0"):
        FinitePmf({0: Fraction(-1), 1: Fraction(2)})
    with pytest.raises(InvalidArgument, match="to 0"):
        FinitePmf.from_weights({0: Fraction(0)})
    assert chance(FinitePmf({0: ExpSum.rational(1) / (1 + E), 1: E / (1 + E)}), 1) == E / (1 + E)
    assert chance(FinitePmf.from_weights({0: 1, 1: E}), 1) == E / (1 + E)


@given(pairs_of_pmfs())
@few
def test_cells_have_the_probabilities_of_both_laws(laws: tuple[FinitePmf, FinitePmf]) -> None:
    """It must hold for laws of different totals and supports, outcome by outcome."""
    p, q = laws
    pair = cells_of(p, q)
    assert {int(cell.where.strip("{}")) for cell in pair.cells} == support(p, q)
    for cell in pair.cells:
        outcome = int(cell.where.strip("{}"))
        assert cell.p == chance(p, outcome) * pair.total
        assert cell.q == chance(q, outcome) * pair.total
