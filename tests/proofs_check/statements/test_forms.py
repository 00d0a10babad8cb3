"""Forms for what the language cannot unfold: quantities, printed numbers, families, points."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Balls
from proofs_check.identities import rearrange
from proofs_check.points import fails, refuted, right_digits
from proofs_check.smt import reals
from proofs_check.solver import solve
from proofs_check.statements.divergence import CONSTANT, Diverges
from proofs_check.statements.domain import Domain
from proofs_check.statements.forms import Counterexample, Inequality
from proofs_check.statements.notation import formula_text, latex, text
from proofs_check.statements.regions import recording
from proofs_check.statements.terms import TERMS, Function, Quantity, absolute, implies, real_symbols
from proofs_check.statements.values import ValuesAre, tabled
from proofs_check.symbolic import integrate, symbols

x, y = real_symbols("x y")
UNIT = Domain((x > 0, x < 1))


def half_square(end: Any) -> Any:
    """The integral of t from 0 on."""
    t = symbols("t", positive=True)
    return integrate(t, (t, 0, end))


AREA = Quantity("the area", r"\int_0^x t\, dt", half_square)


@pytest.mark.parametrize(
    ("most", "holds"), [(1, True), (Fraction(1, 2), True), (Fraction(49, 100), None), (-1, None)]
)
def test_an_equation_on_an_empty_domain_is_not_decided(most: Fraction, holds: bool | None) -> None:
    """It must hold where the middle of the box, from which points are drawn, is no point of it."""
    square = Inequality(Domain((x > 0, x <= most)), x * x, "==", x**2, "It is {x}.", {"x": x})
    assert rearrange(square, box={"x": (0, 1)}).holds is holds


@pytest.mark.parametrize(("factor", "holds"), [(Fraction(1, 2), True), (Fraction(51, 100), False)])
def test_a_quantity_is_computed_where_it_is_compared(factor: Fraction, holds: bool) -> None:
    """It must hold that its closed form is decided, and a slightly wrong one refuted."""
    made = Inequality(UNIT, AREA(x), "==", factor * x**2)
    assert rearrange(made, box={"x": (0, 1)}).holds is holds


def test_the_solver_assumes_nothing_of_a_quantity() -> None:
    """It must hold that z3, which cannot compute it, is never asked about it."""
    with pytest.raises(InvalidArgument, match="no 'quantity'"):
        solve(Inequality(UNIT, AREA(x), ">=", 0))


def test_quantities_are_named_at_numbers() -> None:
    """It must hold that text and LaTeX say where a number was taken, and of symbols only what."""
    assert (text(AREA(x)), text(AREA(2))) == ("the area", "the area(2)")
    assert latex(AREA(Fraction(1, 2))) == r"\int_0^x t\, dt(\frac{1}{2})"


def test_a_short_name_is_explained_once() -> None:
    """It must hold that what it stands for is printed beside the formula."""
    s = Function("s", lambda a, b: a + b, short=True)
    assert formula_text(s(x, y) == 2 * s(x, y)) == "s = 2 s; s = a + b"


def test_powers_of_terms_are_printed_and_computed() -> None:
    """It must hold that an exponent may be a term, or a fraction."""
    assert (text(x**y), latex(x ** (y + 1))) == ("x^y", "x^{y + 1}")
    assert text(2**-x) == "2^(-x)"
    rational = Domain((x > 0, y > 0))
    assert rearrange(
        Inequality(rational, (x**y) ** 2, "==", x ** (2 * y)), box={"x": (0, 1), "y": (0, 1)}
    ).holds
    root = Inequality(UNIT, x ** Fraction(1, 2), "<=", x)
    assert fails(Counterexample(root, {"x": Fraction(1, 4)})).holds is True


def test_an_identity_on_a_box_alone_is_not_decided() -> None:
    """It must hold where both sides agree at all points that are tried, but not on the domain."""
    wider = Inequality(Domain((x >= -1, x <= 1)), absolute(x), "==", x)
    with recording() as regions:
        assert rearrange(wider, box={"x": (0, 1)}).holds is None
    assert regions == []
    inside = Inequality(Domain((x >= 0, x <= 1)), absolute(x), "==", x)
    assert rearrange(inside, box={"x": (0, 1)}).holds is True


E = TERMS.exp(1)


@pytest.mark.parametrize(
    ("printed", "holds"),
    [("2.7183", True), ("2.7182", False), ("3", True), ("2.718281828459045", True)],
)
def test_printed_numbers_are_right_to_the_last_digit(printed: str, holds: bool) -> None:
    """It must hold of one number, and of all beside it."""
    assert right_digits(ValuesAre(((E, printed),), "It is {values}.")).holds is holds
    two = ValuesAre(((TERMS.sqrt(4), "2.00"), (E, printed)), "They are {values}.")
    with recording() as regions:
        assert right_digits(two).holds is holds
    assert [region.of is two.quantified for region in regions] == [True] * holds


def test_a_number_that_is_not_enclosed_tightly_is_not_decided() -> None:
    """It must hold that a wide ball proves no digit."""
    wide = Quantity("w", "w", lambda: Balls(64).between(Fraction(2), Fraction(3)))
    assert right_digits(ValuesAre(((wide(), "2.5"),), "It is {values}.")).holds is None


def test_a_sentence_of_values_shows_them() -> None:
    """It must hold that its numbers come from the object, and that many are counted."""
    with pytest.raises(InvalidArgument, match="where its values stand"):
        ValuesAre(((E, "2.7183"),), "It is irrational.")
    rows = [((Fraction(k),), str(k * k)) for k in range(1, 9)]
    squares = tabled((("sq", "s"),), rows, lambda k: (k * k,), "Squares: {values}.")
    assert squares.words().startswith("Squares: sq(1) = 1, sq(2) = 4,")
    assert squares.words().endswith(", and 2 more.")
    assert squares.latex().endswith(r"\dots")
    assert right_digits(squares).holds is True
    wrong = tabled((("sq", "s"),), rows, lambda k: (k * k + (k == 8),), "Squares: {values}.")
    assert right_digits(wrong).holds is False


@pytest.mark.parametrize(
    ("left", "family", "holds"),
    [
        (1 / x, {"x": 1 / (CONSTANT + 1)}, True),
        (1 / x, {"x": Fraction(1, 2) + 0 * CONSTANT}, False),
        (x, {"x": CONSTANT + 1}, False),
        (1 - x, {"x": 1 / (CONSTANT + 1)}, False),
    ],
)
def test_a_family_refutes_an_order_on_its_domain(left: Any, family: Any, holds: bool) -> None:
    """It must hold for every constant, and that a bounded one, or one outside, refutes nothing."""
    made = Diverges(UNIT, left, 1, family, "It is of the order of {right}.")
    assert solve(made, polynomial=True).holds is holds
    assert made.latex().endswith(r"= O\left(1\right)\quad \left(0 < x < 1\right)")


def test_a_family_speaks_of_all_symbols() -> None:
    """It must hold that no symbol is left where it is."""
    with pytest.raises(InvalidArgument, match=r"needs terms for \['x'\], got \[\]"):
        Diverges(UNIT, 1 / x, 1, {}, "It is.")


def test_a_print_fails_at_its_point_only() -> None:
    """It must hold that another point, or one outside, is no counterexample; equal sides hold."""

    @refuted(reals("x"), "A square is no smaller than {right}.", at={"x": Fraction(1, 2)})
    def square(x: Any, *, least: int = 0) -> Any:
        return implies(x >= least, x * x >= x)

    assert square().holds is True
    assert [square(x=value).holds for value in (0, 1, 2, -1)] == [False] * 4
    assert square(least=1).holds is False
    assert square.statement.words() == "A square is no smaller than x."
