"""Shared by the claims of KSW: sums over levels, series, and the variable v of the best staircase.

b = e^(-eps) throughout. At the best gamma everything about the staircase is rational in v, where
cosh(eps / 2) = v^(3/2): then y* = sqrt(b v) and sigma^2 = (1 + v) / (4 (v^3 - 1)).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.claim import Finding, exactly
from proofs_check.enclosure import Ball, Balls
from proofs_check.smt import all_of, exact, implies, reals, valid
from proofs_check.symbolic import Poly, Rational, cancel, diff, symbols, together

__all__ = [
    "cosh_half",
    "decay",
    "exponential",
    "geometric_sum",
    "half_epsilon_steps",
    "laplace_moment",
    "vanishes_to_order",
]


def decay(epsilon: Fraction | str, *, numbers: Balls) -> Ball:
    """B = e^(-eps)."""
    return numbers.exp(numbers.rational(-Fraction(epsilon)))


def cosh_half(epsilon: Fraction | str, *, numbers: Balls) -> Ball:
    """cosh(eps / 2)."""
    root = numbers.exp(numbers.rational(Fraction(epsilon) / 2))
    return (root + 1 / root) / 2


def laplace_moment(power: int, scale: Any) -> Any:
    """E |Z|^m = m! c^m for Laplace noise of scale c."""
    moment = 1
    for factor in range(1, power + 1):
        moment = moment * factor * scale
    return moment


def geometric_sum(polynomial: Any, k: Any, ratio: Any) -> Any:
    """Sum of p(k) r^k over k >= 0 for |r| < 1: the terms k^j r^k are (r d/dr)^j of 1 / (1 - r)."""
    total, power = 0, 1 / (1 - ratio)
    for coefficient in reversed(Poly(polynomial, k).all_coeffs()):
        total += coefficient * power
        power = ratio * diff(power, ratio)
    return total


def exponential(exponent: Any, x: Any, order: int) -> Any:
    """Taylor polynomial of e^(c x), for exponent = c x: right below x^order."""
    rate = exponent / x
    total = term = Rational(1)
    for k in range(1, order):
        term = term * rate * x / k
        total += term
    return total


def vanishes_to_order(polynomial: Any, x: Any, order: int) -> Finding:
    """Decide whether a polynomial in x has no term below x^order."""
    coefficients = Poly(polynomial, x).all_coeffs()[::-1][:order]
    wrong = [f"{c} {x}^{k}" for k, c in enumerate(coefficients) if c != 0]
    return exactly(not wrong, f"terms below {x}^{order}: {' + '.join(wrong) or 'none'}")


def half_epsilon_steps(bound: Callable[[Any], Any], *, above: bool) -> Finding:
    """Decide that Q(1) = 0, and that sqrt(Q) grows faster (or slower) than eps / 2 in v > 1.

    With h = eps / 2 = arcosh(v^(3/2)), h' = (3/2) sqrt(v / (v^3 - 1)); hence (sqrt(Q))' > h' says
    Q'^2 (v^3 - 1) > 9 v Q with Q' > 0, and then h^2 < Q for all v > 1.
    """
    v = symbols("v")
    quotient = cancel(together(bound(v)))
    if quotient.subs(v, 1) != 0:
        return exactly(False, "the bound does not vanish at eps = 0")
    slope = diff(quotient, v)
    gap = slope**2 * (v**3 - 1) - 9 * v * quotient
    parts = [_same_sign(part, v) for part in (gap if above else -gap, slope)]

    def statement(x: Any) -> Any:
        return implies(x > 1, all_of(*(_value(part, x) > 0 for part in parts)))

    return valid(reals("v"), statement, polynomial=True)


def _same_sign(expression: Any, v: Any) -> list[Fraction]:
    """Coefficients of numerator times denominator, by falling powers."""
    numerator, denominator = cancel(together(expression)).as_numer_denom()
    coefficients = Poly(numerator * denominator, v).all_coeffs()
    return [Fraction(int(c.p), int(c.q)) for c in coefficients]


def _value(coefficients: list[Fraction], x: Any) -> Any:
    value = exact(coefficients[0])
    for coefficient in coefficients[1:]:
        value = value * x + exact(coefficient)
    return value
