"""The extremal budgets of PDP's Lemma 12: r_j = sqrt(j + 1) - sqrt(j) for j = n - 1, ..., 0, n = H^2.

They are ascending, and S_k + sqrt(n - k) = H for every k. Sums of their squares are enclosed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import encloses, mutant, proves
from proofs_check.claim import Finding, Method, every
from proofs_check.enclosure import Ball, endpoints
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball
from proofs_check.papers.pdp.tools.saturation import OFFSET
from proofs_check.printed_values import as_printed
from proofs_check.smt import all_of, implies, reals, valid
from proofs_check.symbolic import Rational, diff, identical, log, sqrt, symbols

__all__ = [
    "derivatives_of_the_square",
    "extremal_ratio",
    "jensen_defect",
    "printed_extremal",
    "square_sum",
]

SPLIT = 2000

"""From this index on sums over the extremal budgets are taken by Euler and Maclaurin."""


EXTREMAL = ((10, "0.6277973563648"), (100, "0.6245682832239"), (1000, "0.6245681497820"))


def square_sum(start: int, stop: int) -> Ball:
    """Sum of (sqrt(j + 1) - sqrt(j))^2 over start <= j < stop.

    g(x) = 2 x + 1 - 2 sqrt(x (x + 1)) is completely monotone, so Euler and Maclaurin's remainder is
    at most the first term left out.
    """
    total = ball(0)
    direct = min(stop, max(start, SPLIT))
    for j in range(start, direct):
        total = total + (2 * j + 1 - 2 * NUMBERS.sqrt(ball(j * (j + 1))))
    if direct == stop:
        return total
    sides = [_terms(Fraction(x)) for x in (direct, stop)]
    first, last = sides
    total = total + (last[0] - first[0]) - (last[1] - first[1]) / 2 + (last[2] - first[2]) / 12
    remainder = (last[3] - first[3]) / 720
    size = endpoints(abs(remainder))[1]
    return total + NUMBERS.between(-size, size)


def _terms(x: Fraction) -> tuple[Ball, Ball, Ball, Ball]:
    """Primitive, value, first and third derivative of g at x, with q = sqrt(x^2 + x)."""
    q = NUMBERS.sqrt(ball(x * (x + 1)))
    middle = 2 * x + 1
    primitive = ball(x * x + x) - middle * q / 2 + NUMBERS.log(q * 2 + middle) / 4
    value = middle - 2 * q
    slope = 2 - middle / q
    third = -Fraction(3, 4) * middle / (q**5)
    return primitive, value, slope, third


def extremal_ratio(height: int, offset: Fraction) -> Ball:
    """1 / (H sqrt(B) / (2 A)) for the extremal budgets of n = H^2, ascending."""
    n = height * height

    def parts(k: int) -> tuple[Ball, Ball]:
        # the first k budgets are r_j for j = n - k, ..., n - 1, and their sum telescopes
        return height - NUMBERS.sqrt(ball(n - k)), square_sum(n - k, n) + offset

    def crossed(k: int) -> bool:
        total, squares = parts(k)
        following = NUMBERS.sqrt(ball(n - k)) - NUMBERS.sqrt(ball(n - k - 1))
        return squares < total * following

    low, high = 0, n  # crossings form an up-set; at n the rule stops in any case
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if crossed(middle) else (middle, high)
    total, squares = parts(high)
    tau = squares / total
    full = total + (n - high) * tau
    return 2 * full / (height * NUMBERS.sqrt(tau * full))


@proves("Primitive and derivatives for the sums of the extremal budgets.", Method.SYMBOLIC)
@mutant("0.2525 for 1/4", quarter=PERCENT / 4)
def derivatives_of_the_square(quarter: Fraction = Fraction(1, 4)) -> Finding:
    """The primitive and the derivatives of g that the sums use."""
    x = symbols("x", positive=True)
    q = sqrt(x**2 + x)
    c = Rational(quarter.numerator, quarter.denominator)
    g = 2 * x + 1 - 2 * q
    primitive = x**2 + x - (2 * x + 1) * q / 2 + c * log(2 * x + 1 + 2 * q)
    box = {x: (1, 9)}
    return every(
        [
            identical(diff(primitive, x), g, box),
            identical(diff(g, x), 2 - (2 * x + 1) / q, box),
            identical(diff(g, x, 3), -3 * c * (2 * x + 1) / q**5, box),
        ]
    )


@encloses("Printed ratios of the extremal budgets for H = 10, 100, 1000.", Method.ENCLOSURE)
@mutant("8.08 for 8", offset=8 * PERCENT)
def printed_extremal(offset: Fraction = Fraction(OFFSET)) -> Finding:
    """The ratio of the extremal budgets for H = 10, 100, 1000."""
    return as_printed((f"H = {h}", value, extremal_ratio(h, offset)) for h, value in EXTREMAL)


@proves("For the extremal budgets the sum exceeds the integral by at most tau / 2.", Method.SMT)
@mutant("0.505 tau", level=PERCENT / 2)
def jensen_defect(level: Fraction = Fraction(1, 2)) -> Finding:
    """Sum of f(r_j) minus the integral is at most tau / 2; in the squared ratio that is 4 / H^2.

    r_j <= 1 / (2 sqrt(j)), so f(r_j) is at most the integral over (j - 1, j) for j >= 1, and tau / 2 for j = 0.
    """

    def statement(j: Any, root: Any, following: Any) -> Any:
        given = all_of(
            j >= 1, root >= 0, following >= 0, root * root == j, following * following == j + 1
        )
        return implies(given, 2 * root * (following - root) <= 1)

    tau, height = symbols("tau H", positive=True)
    c = Rational(level.numerator, level.denominator)
    size = identical(
        4 * 2 / tau * (c * tau) / height**2, 4 / height**2, {tau: (0, 9), height: (1, 9)}
    )
    return every([valid(reals("j root following"), statement, polynomial=True), size])
