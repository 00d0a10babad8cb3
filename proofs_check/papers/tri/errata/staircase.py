"""Staircase noise beats the printed lower bound for large epsilon (Regehr, erratum 1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_hand
from proofs_check.arithmetic import ENCLOSED
from proofs_check.checks import checks_of, encloses, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import certainly_less
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck
from proofs_check.symbolic import branch, identical, oo, summation, symbols

__all__ = ["CLAIMS", "best_gamma", "best_staircase_variance", "staircase_variance"]


def staircase_variance(gamma: Any, w: Any) -> Any:
    """Variance of staircase noise of unit width: density a w^k for k - 1 + gamma <= |z| < k + gamma."""
    tail = w / (1 - w)
    squares = w * ((1 + w) / (1 - w) ** 3 + (2 * gamma - 1) / (1 - w) ** 2) + tail * (
        gamma**2 - gamma + Fraction(1, 3)
    )
    return (gamma**3 / 3 + squares) / (gamma + tail)


def best_staircase_variance(w: Any, *, numbers: Any) -> Any:
    """V* = (2^(-2/3) w^(2/3) (1 + w)^(2/3) + w) / (1 - w)^2: the variance at gamma*."""
    third = Fraction(2, 3)
    return (numbers.power(w * (1 + w) / 2, third) + w) / (1 - w) ** 2


def best_gamma(w: Any, *, numbers: Any) -> Any:
    """gamma* = ((w (1 - w)^3 (1 + w) / 2)^(1/3) - w (1 - w)) / (1 - w)^2."""
    root = numbers.power(w * (1 + w) / 2, Fraction(1, 3))
    return (root - w) / (1 - w)


@proves("The variance of staircase noise in closed form.", Method.SYMBOLIC)
@mutant("levels of width 2", centers=2)
def staircase_sum(centers: int = 1) -> Finding:
    """The levels' sums of squares are the closed form: over k of w^k ((k + g)^3 - (k-1+g)^3)/3."""
    w, g = symbols("w gamma", positive=True)
    k = symbols("k", integer=True, positive=True)
    level = (((k + g) ** 3 - (k - centers + g) ** 3) / 3).expand()
    total = branch(summation(w**k * level, (k, 1, oo)), {w: Fraction(1, 3), g: Fraction(1, 2)})
    ones = branch(summation(w**k, (k, 1, oo)), {w: Fraction(1, 3)})
    return identical(
        (g**3 / 3 + total) / (g + ones), staircase_variance(g, w), {w: (0, 1), g: (0, 1)}
    )


@encloses("At gamma* the variance is V*, to 20 digits.", Method.ENCLOSURE)
@mutant("power 0.66 for 2/3", power=Fraction(33, 50))
def staircase_optimum(power: Fraction = Fraction(2, 3)) -> Finding:
    """At gamma* the variance is V*, to 20 digits, for four epsilons."""
    for eps in (1, 5, 30, 50):
        w = ENCLOSED.exp(-eps)
        found = staircase_variance(best_gamma(w, numbers=ENCLOSED), w)
        closed = (ENCLOSED.power(w * (1 + w) / 2, power) + w) / (1 - w) ** 2
        ratio = found / closed - 1
        if certainly_less(abs(ratio), Fraction(1, 10**20)) is not True:
            return Finding(holds=False, detail=f"at eps = {eps} the quotient is {ratio + 1!r}")
    return exactly(True, "eps = 1, 5, 30, 50")


@refutes(
    "Staircase noise on the clipped mean beats the printed rate 10^2- to 10^8-fold.",
    Method.ENCLOSURE,
)
@mutant("sinh(eps) for eps, the right form", sinh=True)
def large_epsilon(sinh: bool = False) -> Finding:
    """The staircase-noised clipped mean beats the printed rate by any factor.

    lam = 2, n = 10^9, beta = 1/(eps sqrt(n) k), eps = 3 log k + 25, width 1 + 1/(2 beta) - 2 beta.
    The print asks for n MSE of the order n/(n eps beta)^2 = k^2.
    """
    n, rows = 10**9, []
    for k, printed in ((10, "1e-2"), (100, "1e-4"), (1000, "1e-6"), (10**4, "1e-8")):
        eps = 3 * ENCLOSED.log(k) + 25
        beta = 1 / (eps * ENCLOSED.sqrt(n) * k)
        width = 1 + 1 / (2 * beta) - 2 * beta
        noise = best_staircase_variance(ENCLOSED.exp(-eps), numbers=ENCLOSED) * (width / n) ** 2
        scaled = n * (Fraction(1, n) + beta**2 + noise)
        if k == 10:
            rows.append(("n MSE at k = 10", "1.00002", scaled))
        rate = n / (n * (ENCLOSED.sinh(eps) if sinh else eps) * beta) ** 2
        rows.append((f"the ratio to the print at k = {k}", printed, scaled / rate))
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="TRI-ER-01",
        source="Theorem 2.1.4 (last inequality)",
        says="The lower bound is Omega(1/sqrt(n) + min{1/(n eps beta), ...}) for every eps > 0.",
        latex=r"\alpha \ge \Omega\bigl(\tfrac{1}{\sqrt n} + \min\{\tfrac{1}{n\varepsilon\beta}, \tfrac{1}{n\sqrt{\varepsilon\sqrt\delta}}\}\bigr)",
        status=Status.REFUTED,
        domain="as printed: beta <= 1/80 and delta <= (2 sinh(eps)/25)^2, so eps may be large",
        checks=checks_of(large_epsilon, staircase_sum, staircase_optimum),
        why="sinh(eps) is much larger than eps for large eps.",
        right="Replace eps by sinh(eps), or assume eps = O(1).",
        corrected_by="TRI-T2.1.4",
        steps=(
            ByCheck("staircase_sum"),
            *by_hand(
                "Staircase noise scaled to the sensitivity is eps-private, because a shift by at most one step changes the level by at most one.",
                "The ratio falls like 1/k^2.",
            ),
        ),
        obligations=parts_of(large_epsilon),
        note="Inequalities (1.2) and (1.3) are stated for eps^2 <= 200, where they stand (TRI-T1.2.1, TRI-E1.3).",
    ),
)
