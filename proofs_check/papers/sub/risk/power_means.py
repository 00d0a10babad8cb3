"""Minimizers of sums of |x - y|^p under two other notions of risk (Appendix F).

D has n - 1 zeros and one 1; mu_p minimizes the sum of |x - y|^p; q = 1 / (p - 1). R_1 is the local
minimax risk of Asi and Duchi (two data sets, one of them D), R_2 that of Huang et al. (values of D
only).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from proofs_check.checks import (
    checks_of,
    confirms,
    encloses,
    mutant,
    parts_of,
    proves,
    refutes,
    reworded,
)
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Balls
from proofs_check.papers.sub.common import PERCENT, distance, mean
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS", "minimizer", "risk_one", "risk_two"]

VALUES = (
    (2, "0.999", "0.009", "0.001"),
    (3, "9.10185657058063", "0.0606569508300822", "0.0306682978542668"),
)
"""p; R_1, R_2 as printed and R for n = 1000, eps = 1/10, R = 100."""


def minimizer(ratio: Any, exponent: Any, power: Callable[[Any, Any], Any] = pow) -> Any:
    """mu_p = 1 / (1 + ratio^q) for data 0 and 1, ratio = zeros / ones, q = 1 / (p - 1)."""
    return 1 / (1 + power(ratio, exponent))


def risk_one(
    n: Any, inverse: Any, radius: Any, exponent: Any, power: Any, *, zeros: Any = None
) -> Any:
    """R / (1 + (zeros / K)^q) - mu_p(D), zeros = n - K as printed, n with points added only."""
    count = n - inverse if zeros is None else zeros
    return radius * minimizer(count / inverse, exponent, power) - minimizer(n - 1, exponent, power)


def risk_two(n: Any, zeros: Any, ones: Any, exponent: Any, power: Any) -> Any:
    """1 / (1 + (zeros / ones)^q) - mu_p(D): n - K and K as printed, n - 1 and K + 1 by adding only."""
    return minimizer(zeros / ones, exponent, power) - minimizer(n - 1, exponent, power)


HUNDREDTH = Fraction(1, 100)


@proves("The derivative vanishes there.", Method.SYMBOLIC)
@mutant("0.01 more", shift=HUNDREDTH)
def derivative_vanishes(shift: Fraction = Fraction(0)) -> Finding:
    """(n - k) mu^(p-1) = k (1 - mu)^(p-1) at mu = 1 / (1 + u) with u^(p-1) = (n - k) / k."""
    u, p, k = symbols("u p k", positive=True)
    mu = minimizer(u, 1) + shift
    left = k * u ** (p - 1) * mu ** (p - 1)
    right = k * (1 - mu) ** (p - 1)
    return identical(left, right, {u: (1, 5), p: (2, 5), k: (1, 9)})


@encloses("Printed values of R_1, R_2 and R.", Method.ENCLOSURE)
@mutant("q + 0.01", shift=HUNDREDTH)
def risks_as_printed(shift: Fraction = Fraction(0)) -> Finding:
    """R_1 and R_2 (as printed) and R for p = 2, 3."""
    numbers = Balls(128)
    rows = []
    for p, *texts in VALUES:
        n, inverse = numbers.rational(Fraction(1000)), numbers.rational(Fraction(10))
        exponent = Fraction(1, p - 1) + shift
        values = (
            risk_one(n, inverse, 100, exponent, numbers.power),
            risk_two(n, n - inverse, inverse, exponent, numbers.power),
            minimizer(n - 1, exponent, numbers.power),
        )
        names = ("R_1", "R_2", "R")
        rows += [
            (f"{a} at p = {p}", text, b) for a, text, b in zip(names, texts, values, strict=True)
        ]
    return as_printed(rows)


def printed_neighbor(n: int, k: int, value: int) -> Sequence[int]:
    """Data of n - K zeros and K copies of a value, as printed."""
    return (0,) * (n - k) + (value,) * k


def added_neighbor(n: int, k: int, value: int) -> Sequence[int]:
    """D with K copies of a value added."""
    return (0,) * (n - 1) + (1,) + (value,) * k


@refutes("The printed D' has distance 2 K.", Method.EXACT)
@mutant("K copies added to D", neighbor=added_neighbor)
def far_value_is_too_far(
    neighbor: Callable[[int, int, int], Sequence[int]] = printed_neighbor,
) -> Finding:
    """For n = 20, K = 4: d(D, n - K zeros and K copies of 100) = 2 K > K."""
    found = distance((0,) * 19 + (1,), neighbor(20, 4, 100))
    return exactly(found == 8, f"distance {found}, K = 4")


@refutes("The printed D' has distance 2 K - 2 > K.", Method.EXACT)
@mutant("K ones added to D", neighbor=added_neighbor)
def same_value_is_too_far(
    neighbor: Callable[[int, int, int], Sequence[int]] = printed_neighbor,
) -> Finding:
    """For n = 20, K = 4: d(D, n - K zeros and K ones) = 2 K - 2 > K."""
    found = distance((0,) * 19 + (1,), neighbor(20, 4, 1))
    return exactly(found == 6, f"distance {found}, K = 4")


@confirms("D with K copies of R has distance K.", Method.EXACT)
@mutant("K + 1 copies", extra=1)
def adding_keeps_the_distance(value: int = 100, extra: int = 0) -> Finding:
    """D with K more points has distance K."""
    for n in (5, 20):
        for k in (1, 3, 7):
            data = (0,) * (n - 1) + (1,)
            if distance(data, (*data, *(value,) * (k + extra))) != k:
                return exactly(False, f"n = {n}, K = {k}")
    return exactly(True, "n = 5, 20 and K = 1, 3, 7")


@confirms("D with K more ones has distance K.", Method.EXACT)
@mutant("K + 1 ones", extra=1)
def adding_ones(extra: int = 0) -> Finding:
    """D with K more ones has distance K."""
    return adding_keeps_the_distance(1, extra)


@confirms("The ratio of zeros to ones, at p = 2.", Method.EXACT)
@mutant("K for K + 1", more=0)
def added_ones_at_two(more: int = 1) -> Finding:
    """At p = 2 the minimizer is the mean: with K more ones the ratio is (n - 1) / (K + 1)."""
    for n in (5, 20):
        for k in (1, 3, 7):
            found = mean((0,) * (n - 1) + (1,) * (k + 1))
            if found != minimizer(Fraction(n - 1, k + more), 1):
                return exactly(False, f"n = {n}, K = {k}: mean {found}")
    return exactly(True, "n = 5, 20 and K = 1, 3, 7")


@confirms("At p = 2 the point 1 only adds to it.", Method.EXACT)
@mutant("1.01 / (n + K)", share=PERCENT)
def added_ends_at_two(share: Fraction = Fraction(1)) -> Finding:
    """At p = 2: the mean with K copies of R is above R K / (n + K), by 1 / (n + K)."""
    for n in (5, 20):
        for k in (1, 3, 7):
            found = mean((0,) * (n - 1) + (1,) + (100,) * k)
            if found != 100 * minimizer(Fraction(n, k), 1) + share / (n + k):
                return exactly(False, f"n = {n}, K = {k}: mean {found}")
    return exactly(True, "n = 5, 20 and K = 1, 3, 7")


CLAIMS = (
    Claim(
        id="SUB-F1",
        source="Appendix F, the minimizer",
        says="For n - k zeros and k ones the minimizer of the sum of |x - y|^p is 1 / (1 + ((n - k) / k)^(1 / (p - 1))).",
        latex=r"\arg\min_\mu (n - k)|\mu|^p + k|1 - \mu|^p = \frac{1}{1 + (\frac{n-k}{k})^{1/(p-1)}}",
        domain="p > 1, 0 < k < n (printed: min for argmin, SUB-E21)",
        status=Status.PROVED,
        checks=checks_of(derivative_vanishes),
        steps=(
            ByCheck("derivative_vanishes"),
            ByHand(
                "The sum is strictly convex for p > 1, so its one stationary point, in (0, 1), is the minimizer."
            ),
        ),
    ),
    Claim(
        id="SUB-F2",
        source="Appendix F, R_1",
        says="R_1 is bounded below by data with K copies of R: the printed ones have distance 2 K, those by adding only have distance K.",
        latex=r"\ell(\theta(D), \theta(D')) \ge \frac{R}{1 + (n \varepsilon)^{1/(p-1)}} - \mu_p(D),\quad D' = D \cup \{R\}^K",
        domain="R > 1, K = 1/eps, p > 1; R_1 as the largest l within 1/eps",
        status=Status.CORRECTED,
        checks=checks_of(
            adding_keeps_the_distance,
            reworded(derivative_vanishes, "The minimizer."),
            added_ends_at_two,
            risks_as_printed,
            far_value_is_too_far,
        ),
        why="Replacing K - 1 zeros and the one by copies of R removes K points and adds K.",
        right="R / (1 + (n eps)^(1/(p-1))) - mu_p(D), from K points that are added.",
        assumes=("SUB-F1", "SUB-D4.2"),
        errata=("SUB-E21",),
        steps=(
            ByCheck("derivative_vanishes"),
            ByHand(
                "Scaled by R, n zeros and K ones have ratio n / K = n eps (F1); turning one zero into the point 1 can only raise the minimizer, which is monotone."
            ),
        ),
        obligations=parts_of(far_value_is_too_far),
    ),
    Claim(
        id="SUB-F3",
        source="Appendix F, R_2",
        says="The same for data with the values of D only: the printed ones have distance 2 K - 2.",
        latex=r"\ell(\theta(D), \theta(D')) = \frac{1}{1 + (\frac{n-1}{K+1})^{1/(p-1)}} - \mu_p(D),\quad D' = D \cup \{1\}^K",
        domain="K = 1/eps, p > 1; the print fails for K > 2",
        status=Status.CORRECTED,
        checks=checks_of(
            adding_ones,
            added_ones_at_two,
            reworded(derivative_vanishes, "The minimizer."),
            same_value_is_too_far,
        ),
        why="Replacing K - 1 zeros by ones removes and adds K - 1 points.",
        right="1 / (1 + ((n - 1) / (K + 1))^(1/(p-1))) - mu_p(D), from K ones that are added.",
        assumes=("SUB-F1",),
        errata=("SUB-E21",),
        steps=(
            ByCheck("derivative_vanishes"),
            ByClaim("SUB-F1", "F1 with n - 1 zeros and K + 1 ones."),
        ),
        obligations=parts_of(same_value_is_too_far),
    ),
)
