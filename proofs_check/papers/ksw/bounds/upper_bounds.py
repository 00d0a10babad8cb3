"""Upper bounds of the least worst-case error, by Algorithms 2 and 3 (KSW, Theorem 3 and corollaries)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes, reworded
from proofs_check.claim import (
    Check,
    Claim,
    Finding,
    Method,
    Status,
    every,
    exactly,
)
from proofs_check.enclosure import Balls, certainly_less
from proofs_check.language import Condition, absolute, all_of, for_all, implies, negate, reals
from proofs_check.papers.ksw.bounds.laplace_bounds import (
    shifted_error_bound,
    transformed_error_bound,
)
from proofs_check.papers.ksw.error.second_order import leading_constant, leading_constant_is
from proofs_check.papers.ksw.noise.l1_moments import fourth_moment_is, mixed_moment_is
from proofs_check.papers.ksw.noise.l1_staircase import l1_fourth_moment
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS", "any_noise_error_bound"]

Formula = Callable[..., Any]


def any_noise_error_bound(
    leading: Any, sum_fourth: Any, mixed: Any, n: Any, *, numbers: Any
) -> Any:
    """n^2 MSE / w^2 <= (sqrt(E W^2) + sqrt(8 E T^4 + 8 E Z1^2 T^2) / n)^2 + 32 E T^4 / n^2."""
    root = numbers.sqrt(8 * sum_fourth + 8 * mixed)
    return (numbers.sqrt(leading) + root / n) ** 2 + 32 * sum_fourth / n**2


@proves("The bound of Theorem 1 is at most 2 (1 + 44.2 / N) at N = 100.", Method.ENCLOSURE)
@mutant("44 for 44.2", transformed=Fraction(44))
def excess_from_hundred_on(
    transformed: Fraction = Fraction(442, 10), shifted: Fraction = Fraction(324, 10)
) -> Finding:
    """At p = 0, N >= 100: bounds at most 2 (1 + 44.2 / N) and 4 (1 + 32.4 / N); N times the excess falls."""
    numbers = Balls(128)
    N, p = numbers.rational(Fraction(100)), numbers.rational(Fraction(0))
    findings = []
    for bound, constant, most in (
        (transformed_error_bound, 2, transformed),
        (shifted_error_bound, 4, shifted),
    ):
        excess = N * (bound(p, N, numbers=numbers) / constant - 1)
        findings.append(Finding(holds=certainly_less(excess, most), detail=f"{excess!r} < {most}"))
    return every(findings)


@proves(
    "Any private estimator errs by e^(-2 eps) / 8 on one of two neighbors, for every n.", Method.SMT
)
@mutant("0.12625 for 1/8", eighth=Fraction(12625, 100000))
@for_all(reals("P0 P1 L0 L1 r"), polynomial=True)
def two_points(
    P0: Any, P1: Any, L0: Any, L1: Any, r: Any, *, eighth: Fraction = Fraction(1, 8)
) -> Condition:
    """Two errors with 4 L0 >= P0, 4 L1 >= 1 - P1, 1 - P1 >= r (1 - P0), r <= 1: one is >= r / 8."""
    given = all_of(
        0 <= P0, P0 <= 1, 0 < r, r <= 1, 4 * L0 >= P0, 4 * L1 >= 1 - P1, 1 - P1 >= r * (1 - P0)
    )
    least = eighth * r
    return implies(given, negate(all_of(L0 < least, L1 < least)))


@refutes("The printed bound is below that floor, at n = 100, eps = 0.042, w = 1.", Method.ENCLOSURE)
@mutant("eps = 0.0416", epsilon=Fraction(416, 10000))
def print_below_the_floor(epsilon: Fraction = Fraction(42, 1000), n: int = 100) -> Finding:
    """2 / (n^2 eps^2) < e^(-2 eps) / 8, the floor of R_ar for every n: the printed bound is false."""
    numbers = Balls(64)
    least = numbers.exp(numbers.rational(-2 * epsilon)) / 8
    printed = 2 / (n * epsilon) ** 2
    return exactly(least > printed, f"printed {float(printed):.6f}, floor {least!r}")


@proves("F^2 <= 8 T^4 + 8 Z1^2 T^2.", Method.SMT)
@mutant("7.92 for 8", eight=Fraction(792, 100))
@for_all(reals("z t"), polynomial=True)
def remainder_by_fourth_moments(z: Any, t: Any, *, eight: Fraction = Fraction(8)) -> Any:
    """(2 T^2 + 2 |Z1 T|)^2 <= 8 T^4 + 8 Z1^2 T^2."""
    F = 2 * t * t + 2 * absolute(z * t)
    return eight * (t**4 + z * z * t * t) >= F * F


@proves(
    "The denominator is halved with probability at most 8 E T^4 / n^4 (one of two sides).",
    Method.SMT,
)
@mutant("15.84 for 16", sixteen=Fraction(1584, 100))
@for_all(reals("t n"), polynomial=True)
def halving_by_the_fourth_moment(t: Any, n: Any, *, sixteen: Fraction = Fraction(16)) -> Condition:
    """|T| > n / 2 implies 16 T^4 > n^4."""
    return implies(all_of(0 < n, 2 * absolute(t) > n), sixteen * t**4 > n**4)


@proves(
    "At gamma* it is (1 - 2 q) sigma^2, at most sigma^2, with equality for q = 0 only.", Method.SMT
)
@mutant("1 - 3.03 q", three=Fraction(303, 100))
@for_all(reals("b q y"), polynomial=True)
def best_constant_at_the_ends(
    b: Any, q: Any, y: Any, *, three: Fraction = Fraction(3)
) -> Condition:
    """At gamma* the leading constant is (1 - 2 q) sigma^2 <= sigma^2, with equality at q = 0."""
    given = all_of(0 < b, b < 1, 0 < y, 2 * y**3 == b * (1 + b), 0 <= q, 4 * q <= 1)
    left = y**3 + 3 * b * y * (1 - 2 * q) + b * (1 + b) * (1 - three * q)
    right = 3 * y * (1 - 2 * q) * (b + y * y)  # both times 3 y (1 - b)^2
    return implies(given, all_of(left == right, (left < 3 * y * (b + y * y)) == (q > 0)))


@proves("The leading constant of uncorrelated noise.", Method.SYMBOLIC)
@mutant("1 - 2.02 q", closed=lambda q, v: (1 - q * 202 / 100) * v)
def uncorrelated_constant(closed: Formula = lambda q, v: (1 - 2 * q) * v) -> Finding:
    """E ((1 - p) Z1 - p Z2)^2 = (1 - 2 q) V2 without correlation."""
    p, v = symbols("p v", positive=True)
    left = (1 - p) ** 2 * v + p**2 * v
    return identical(left, closed(p * (1 - p), v), {p: (0, 1), v: (1, 9)})


CLAIMS = (
    Claim(
        id="KSW-C1",
        source="Corollary 1",
        says=(
            "The least worst-case n^2 MSE under add-remove is at most 2 w^2 / eps^2 up to a factor "
            "that goes to 1. Print divides by n^2 once more."
        ),
        latex=r"R_{ar} \le \frac{2 w^2}{\varepsilon^2} \Bigl( 1 + \frac{44.2}{n_0 \varepsilon} \Bigr) \quad (n_0 \varepsilon \ge 100)",
        domain="eps > 0, datasets of n0 records or more, n0 eps to infinity",
        status=Status.CORRECTED,
        checks=checks_of(excess_from_hundred_on, two_points, print_below_the_floor),
        assumes=("KSW-T1",),
        why="R_ar is n^2 MSE already; the printed bound goes to 0 as n grows, R_ar does not.",
        right="R_ar <= 2 w^2 / eps^2 (1 + o(1)).",
        errata=("KSW-ER4",),
        steps=(
            *by_checks(excess_from_hundred_on, two_points),
            *by_hand(
                "N (bound / 2 - 1) = 40 + 400 / N + N^3 (1 + N/4) e^(-N/2) at p = 0, where the bound is largest; each term falls for N >= 100.",
                "For the counterexample take n - 1 zeros and one record 0 or 1: n mean is 0 or 1; the event n estimate > 1/2 costs at least 1/4 on the first, its complement on the second, and their probabilities differ by e^(2 eps) at most.",
            ),
        ),
        obligations=parts_of(print_below_the_floor),
        note="With KSW-T1' the bound 2 w^2 / eps^2 even holds for every n0 and eps, without the factor.",
    ),
    Claim(
        id="KSW-E4",
        source="Equation (4)",
        says="Algorithm 2 shows R_ar <= 4 w^2 / eps^2, up to a factor that goes to 1.",
        latex=r"R_{ar} \le \frac{4 w^2}{\varepsilon^2} \Bigl( 1 + \frac{32.4}{n_0 \varepsilon} \Bigr) \quad (n_0 \varepsilon \ge 100)",
        domain="eps > 0, datasets of n0 records or more, n0 eps to infinity",
        status=Status.PROVED,
        checks=(
            Check(
                "The bound of Lemma 2 is at most 4 (1 + 32.4 / N) at N = 100.",
                Method.ENCLOSURE,
                excess_from_hundred_on,
                mutants={"32.1 for 32.4": {"shifted": Fraction(321, 10)}},
            ),
        ),
        assumes=("KSW-L2",),
        steps=(
            ByCheck("excess_from_hundred_on"),
            ByHand(
                "N (bound / 4 - 1) = sqrt(896) + 224 / N + N^3 e^(-N/4) / 8 at p = 0, where the bound is largest; each term falls for N >= 100."
            ),
        ),
    ),
    Claim(
        id="KSW-T3",
        source="Theorem 3",
        says=(
            "Algorithm 3 with hourglass noise at the best gamma is private, and n^2 MSE is at most "
            "w^2 sigma^2(eps) up to a factor that goes to 1; indeed w^2 (1 - 2 p (1 - p)) sigma^2(eps)."
        ),
        latex=r"\frac{n^2 \mathrm{MSE}}{w^2} \le \Bigl( \sqrt{(1 - 2 q)\, \sigma^2} + \frac{\sqrt{8\, \mathrm{E} T^4 + 8\, \mathrm{E} Z_1^2 T^2}}{n} \Bigr)^2 + \frac{32\, \mathrm{E} T^4}{n^2}",
        domain="every eps > 0 and n >= 1; o(1) as n goes to infinity with eps fixed",
        status=Status.PROVED,
        checks=checks_of(
            Check(
                "The leading constant, by the second moments of hourglass noise.",
                Method.SYMBOLIC,
                leading_constant_is,
                mutants={
                    "L + q b / 100": {
                        "closed": lambda b, y, q: leading_constant(b, y, q) + q * b / 100
                    }
                },
            ),
            best_constant_at_the_ends,
            remainder_by_fourth_moments,
            halving_by_the_fourth_moment,
        ),
        assumes=("KSW-L1", "KSW-T2", "KSW-H3", "KSW-H4"),
        steps=(
            *by_checks(
                leading_constant_is,
                best_constant_at_the_ends,
                remainder_by_fourth_moments,
                halving_by_the_fourth_moment,
            ),
            ByClaim(
                "KSW-L1",
                "Lemma 1 with a = s1, b = n, M = 1, 4 M^2 = 4, and Markov's inequality for T^4; T and -T have the same law.",
            ),
            ByHand(
                "The fourth moments are finite closed forms (KSW-H3), so for fixed eps the bound is (1 - 2 q) sigma^2 (1 + O(1/n))."
            ),
            ByClaim(
                "KSW-T2",
                "Privacy: the noise is private, and the output is computed from the noisy sums.",
            ),
        ),
        note="That sigma^2 itself bounds n^2 MSE for every n is KSW-T3'. Where n + T = 0 the output is any fixed value (KSW-ER18).",
    ),
    Claim(
        id="KSW-L5",
        source="Lemma 5",
        says=(
            "Algorithm 3 with two-dimensional staircase noise is private, and n^2 MSE is at most "
            "w^2 V2* up to a factor that goes to 1; indeed w^2 (1 - 2 p (1 - p)) V2*."
        ),
        latex=r"\frac{n^2 \mathrm{MSE}}{w^2} \le \Bigl( \sqrt{(1 - 2 q) V_2} + \frac{\sqrt{100\, \mathrm{E} Z_1^4 / 3}}{n} \Bigr)^2 + \frac{96\, \mathrm{E} Z_1^4}{n^2}",
        domain="every eps > 0 and n >= 1; o(1) as n goes to infinity with eps fixed",
        status=Status.PROVED,
        checks=checks_of(
            uncorrelated_constant,
            Check(
                "E Z1^4 of the two-dimensional staircase.",
                Method.SYMBOLIC,
                fourth_moment_is,
                mutants={
                    "E Z1^4 + b / 100": {"closed": lambda b, Y: l1_fourth_moment(b, Y) + b / 100}
                },
            ),
            reworded(
                mixed_moment_is,
                "E Z1^2 Z2^2 = E Z1^4 / 6, so E T^4 = 3 E Z1^4 and E Z1^2 T^2 = 7/6 E Z1^4.",
            ),
            remainder_by_fourth_moments,
            halving_by_the_fourth_moment,
        ),
        assumes=("KSW-L1", "KSW-D3", "KSW-S4"),
        steps=(
            *by_checks(
                uncorrelated_constant,
                fourth_moment_is,
                mixed_moment_is,
                remainder_by_fourth_moments,
                halving_by_the_fourth_moment,
            ),
            ByClaim("KSW-L1", "As for Theorem 3, by Lemma 1."),
            *by_hand(
                "E T^4 = 2 E Z1^4 + 6 E Z1^2 Z2^2 (odd mixed moments vanish: the law is invariant under a change of sign of one coordinate); 8 (3 + 7/6) = 100/3 and 32 * 3 = 96.",
                "Privacy: in the l1 norm a record moves the two sums by exactly 1, and the level of the noise by at most one (KSW-D3).",
            ),
        ),
    ),
)
