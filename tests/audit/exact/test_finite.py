"""Finite laws in exact numbers: probabilities, images, and common cells."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.cells.finite_laws import FinitePmf, cells_of
from mechanisms.errors import InvalidArgument
from proofs_check.exponential import ExpSum
from tests.audit.exact.laws import few, pairs_of_pmfs, pmfs

E = ExpSum.exp(Fraction(1))


@given(pmfs())
@few
def test_all_outcomes_have_probability_one(law: FinitePmf) -> None:
    """It must hold exactly, and no outcome of mass 0 is kept."""
    assert law.probability(*law) == 1
    assert law.probability("not an outcome") == 0
    assert all(law.probability(outcome) > 0 for outcome in law)


@given(pmfs(), st.integers(1, 3))
@few
def test_the_image_has_the_probabilities_of_the_preimages(law: FinitePmf, modulus: int) -> None:
    """It must hold for each value of the function."""
    image = law.map(lambda outcome: outcome % modulus)
    for value in range(modulus):
        assert image.probability(value) == law.probability(
            *(x for x in law if x % modulus == value)
        )


@given(pmfs(), st.fractions(Fraction(1, 9), 9))
@few
def test_scaled_weights_are_the_same_law(law: FinitePmf, scale: Fraction) -> None:
    """It must hold also for a factor that is no rational, and fail for one changed weight."""
    for factor in (scale, E * scale, (1 + E) / (2 + E)):
        assert FinitePmf.from_weights({x: m * factor for x, m in law.masses}) == law
    first, mass = law.masses[0]
    assert FinitePmf.from_weights({**dict(law.masses), first: mass + 1, "new": 1}) != law
    if len(law.masses) > 1:
        assert FinitePmf.from_weights({**dict(law.masses), first: mass * Fraction(101, 100)}) != law


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
    assert FinitePmf({0: ExpSum.rational(1) / (1 + E), 1: E / (1 + E)}) == FinitePmf.from_weights(
        {0: 1, 1: E}
    )


@given(pairs_of_pmfs())
@few
def test_cells_have_the_probabilities_of_both_laws(laws: tuple[FinitePmf, FinitePmf]) -> None:
    """It must hold for laws of different totals and supports, outcome by outcome."""
    p, q = laws
    pair = cells_of(p, q)
    assert {cell.where.data[1] for cell in pair.cells} == {*p, *q}
    for cell in pair.cells:
        _, outcome = cell.where.data
        assert cell.p == p.probability(outcome) * pair.total
        assert cell.q == q.probability(outcome) * pair.total
