"""Identities of closed forms, and enclosures of expressions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.enclosure import Balls, Undecided, contains, endpoints
from proofs_check.symbolic import (
    Piecewise,
    Rational,
    Sum,
    Symbol,
    binomial,
    branch,
    cosh,
    enclose,
    erf,
    exp,
    factorial,
    gamma,
    identical,
    log,
    oo,
    pi,
    sinh,
    sqrt,
    summation,
    symbols,
    tan,
    tanh,
)

x, y = symbols("x y", positive=True)
n = Symbol("n", integer=True, positive=True)
UNIT = {x: (0, 1), y: (0, 1)}
small = st.fractions(min_value=-9, max_value=9, max_denominator=20)


@given(small, small, small)
def test_a_product_is_its_expansion(a: Fraction, b: Fraction, wrong: Fraction) -> None:
    """It must hold for all coefficients, and for no other constant."""
    p, q, r = (Rational(z.numerator, z.denominator) for z in (a, b, wrong))
    left = (x + p) * (x + q)
    assert identical(left, x**2 + (p + q) * x + p * q, {x: (0, 1)}).holds is True
    assert identical(left, x**2 + (p + q) * x + r, {x: (0, 1)}).holds is (wrong == a * b)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (sinh(x) ** 2 + 1, cosh(x) ** 2),
        (Sum(n, (n, 1, 10)), 55),
        (exp(x + y), exp(x) * exp(y)),
        (gamma(n + 1), factorial(n)),
        (binomial(n + 1, 2), n * (n + 1) / 2),
        (tanh(x / 2), (exp(x) - 1) / (exp(x) + 1)),
    ],
)
def test_known_identities_hold(left: Any, right: Any) -> None:
    """It must hold of each, and of none with one percent more."""
    domain = {symbol: (1, 5) for symbol in (x, y, n) if (left + right).has(symbol)}
    assert identical(left, right, domain).holds is True
    assert identical(left, right * Rational(101, 100), domain).holds is False


def test_what_does_not_simplify_is_open() -> None:
    """It must hold that sides that agree at points, but not by simplification, prove nothing."""
    close = x + Rational(1, 10**70)
    finding = identical(close, x, {x: (0, 1)})
    assert finding.holds is None or finding.holds is False
    assert identical(tan(x), tan(x), {x: (0, 1)}).holds is None  # no enclosure of the tangent


def test_an_identity_without_symbols_is_decided() -> None:
    """It must hold of numbers."""
    assert identical(sqrt(8), 2 * sqrt(2), {}).holds is True
    assert identical(sqrt(8), 2 * sqrt(2) + Rational(1, 10**30), {}).holds is False


@given(st.fractions(min_value=Fraction(1, 10), max_value=4, max_denominator=20))
def test_an_enclosure_contains_what_it_stands_for(point: Fraction) -> None:
    """It must hold of all functions together, on an expression whose value is known."""
    numbers = Balls(128)
    one = (
        exp(x) * exp(-x)
        + log(exp(x)) / x
        - tanh(x) * cosh(x) / sinh(x)
        + erf(x)
        - erf(x)
        + pi / pi
        - (x ** Rational(2, 3)) ** Rational(3, 2) / x
        + gamma(x + 1) / (x * gamma(x))
        - sqrt(x) ** 2 / x
        + Piecewise((1, x > 0), (7, True))
        - 1
    )
    ball = enclose(one, {x: point}, numbers)
    assert contains(ball, Fraction(1))
    lower, upper = endpoints(ball)
    assert upper - lower < Fraction(1, 10**20)


@pytest.mark.parametrize("expression", [tan(x), Piecewise((1, x > y), (2, True)), (-x) ** y])
def test_what_has_no_enclosure_is_undecided(expression: Any) -> None:
    """It must hold that it is refused, never guessed."""
    with pytest.raises(Undecided):
        enclose(expression, {x: Fraction(1, 2)}, Balls(64))


def test_the_piece_of_a_sum_is_that_of_the_domain() -> None:
    """It must hold of a geometric series, on either side of its radius of convergence."""
    k = Symbol("k", integer=True, nonnegative=True)
    series = summation(x**k, (k, 0, oo))
    assert identical(branch(series, {x: Fraction(1, 2)}), 1 / (1 - x), {x: (0, 1)}).holds
    assert branch(series, {x: Fraction(3, 2)}).has(oo) or branch(series, {x: Fraction(3, 2)}).has(
        Sum
    )
