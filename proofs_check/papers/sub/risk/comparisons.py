"""Comparisons with other notions of instance optimality: the example of Section 2.3, equation (2)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, encloses, mutant, parts_of, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Balls
from proofs_check.language import (
    Condition,
    absolute,
    all_of,
    any_of,
    enumerated,
    for_all,
    implies,
    reals,
)
from proofs_check.papers.sub.common import PERCENT, distance, mean
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS"]


@proves("The constant K / n on every subset.", Method.SMT)
@mutant("0.99 tau / n", share=Fraction(99, 100))
@for_all(reals("n K a b tau"), polynomial=True)
def constant_is_good(
    n: Any, k: Any, a: Any, b: Any, tau: Any, *, share: Fraction = Fraction(1)
) -> Condition:
    """Without a zeros and b ones, a + b <= tau <= K and n >= K + tau: |mean - K / n| <= tau / n."""
    given = all_of(a >= 0, b >= 0, a + b <= tau, tau <= k, k + tau <= n, k >= 1)
    left = absolute(n * (k - b) - k * (n - a - b))
    return implies(given, left <= share * tau * (n - a - b))


@confirms("Case by case.", Method.EXACT)
@mutant("0.99 tau / n", share=Fraction(99, 100))
def constant_cases(share: Fraction = Fraction(1)) -> Finding:
    """The same by enumeration, n <= 12."""
    cases = 0
    for n in range(2, 13):
        for k in range(1, n):
            for tau in range(min(k, n - k) + 1):
                for a in range(tau + 1):
                    for b in range(tau - a + 1):
                        cases += 1
                        if abs(Fraction(k - b, n - a - b) - Fraction(k, n)) > share * tau / n:
                            return exactly(False, f"fails for n={n}, K={k}, a={a}, b={b}")
    return exactly(True, f"{cases} cases")


@proves("Distance 2 K and means 2 / (n eps) apart.", Method.EXACT)
@mutant("twos for ones", ones=2)
@enumerated("pairs of n and K", lambda: iter(((3, 1), (7, 2), (20, 5))))
def plus_and_minus(pairs: Iterator[tuple[int, int]], ones: int = 1) -> Finding:
    """Data of n - K zeros with K ones, or K times -1: distance 2 K, means 2 K / n apart."""
    for n, k in pairs:
        first, second = (0,) * (n - k) + (ones,) * k, (-1,) * k + (0,) * (n - k)
        apart = mean(first) - mean(second) == Fraction(2 * k, n)
        if distance(first, second) != 2 * k or not apart:
            return exactly(False, f"n = {n}, K = {k}")
    return exactly(True, "three pairs of n and K")


@encloses("The constant.", Method.ENCLOSURE)
@mutant("e^2.02", exponent=2 * PERCENT)
def two_point_constant(exponent: Fraction = Fraction(2)) -> Finding:
    """2 / (1 + e^2), times 1 / (n eps)."""
    numbers = Balls(128)
    value = 2 / (1 + numbers.exp(numbers.rational(exponent)))
    return as_printed([("2 / (1 + e^2)", "0.238405844044235", value)])


@proves("K copies of an end move the mean.", Method.SMT)
@mutant("1.01 K R", share=PERCENT)
@for_all(reals("n K R m"), polynomial=True)
def copies_of_the_end(
    n: Any, k: Any, radius: Any, m: Any, *, share: Fraction = Fraction(1)
) -> Condition:
    """K copies of R or -R move the mean by at least K R / (n + K) = R / (n eps + 1)."""
    given = all_of(n >= 1, k >= 1, radius > 0, absolute(m) <= radius)
    # new mean - m = K (+-R - m) / (n + K)
    least = share * k * radius
    return implies(given, any_of(k * (radius - m) >= least, k * (radius + m) >= least))


@proves("In terms of n eps.", Method.SYMBOLIC)
@mutant("n eps + 1.01", one=PERCENT)
def end_in_sizes(one: Fraction = Fraction(1)) -> Finding:
    """K R / (n + K) = R / (n eps + 1) with K = 1 / eps."""
    n, e, radius = symbols("n epsilon R", positive=True)
    left = radius / e / (n + 1 / e)
    return identical(left, radius / (n * e + one), {n: (1, 9), e: (0, 1), radius: (1, 9)})


CLAIMS = (
    Claim(
        id="SUB-R2.3",
        source="Section 2.3, example",
        says="For n - K zeros and K ones a constant is right to tau / n on all subsets without tau points, but every private mechanism errs by about 1 / (n eps) on these data or on those with -1 for 1.",
        latex=r"\max_i E|A(D_i) - \mu(D_i)| \ge \frac{2}{1 + e^2} \frac{1}{n \varepsilon}",
        domain="K = 1/eps, tau <= K, n >= K + tau",
        status=Status.PROVED,
        checks=checks_of(constant_is_good, constant_cases, plus_and_minus, two_point_constant),
        assumes=("SUB-L4.4s",),
        steps=(
            ByCheck("plus_and_minus"),
            ByClaim(
                "SUB-L4.4s",
                "The lower bound is SUB-L4.4s with d = 2 K, so d eps = 2, and l = 2 K / n = 2 / (n eps).",
            ),
        ),
        obligations=parts_of(constant_is_good),
    ),
    Claim(
        id="SUB-EQ2",
        source="Equation (2)",
        says="The local minimax risk of the mean is at least of order R / (n eps), for every data set.",
        latex=r"R_1(D, \varepsilon) \ge \frac{R}{(1 + e)(n \varepsilon + 1)}",
        domain="n >= 1, K = 1/eps whole; R_1 is the supremum over D' of the minimax risk for {D, D'} (that it is about the largest l within 1/eps is cited)",
        status=Status.PROVED,
        checks=checks_of(copies_of_the_end, end_in_sizes),
        assumes=("SUB-L4.4s",),
        steps=(
            ByCheck("copies_of_the_end"),
            ByCheck("end_in_sizes"),
            ByClaim(
                "SUB-L4.4s",
                "SUB-L4.4s for D and D with K copies of R or -R: d eps = 1, and l >= R / (n eps + 1).",
            ),
        ),
    ),
)
