"""Algorithms 2 and 3 with Laplace noise: private, and how large their error is (KSW, Theorem 1).

Lemma 1 with explicit moments: every (1 + o(1)) of the papers becomes a bound for all N = n eps.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.claim import Check, Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Balls, certainly_less
from proofs_check.papers.ksw.common import laplace_moment
from proofs_check.printed import as_printed
from proofs_check.smt import absolute, all_of, exact, implies, negate, reals, valid
from proofs_check.symbolic import exp, identical, integrate, oo, symbols

__all__ = [
    "CLAIMS",
    "shifted_error_bound",
    "shifted_leading_constant",
    "transformed_error_bound",
    "transformed_leading_constant",
]

Formula = Callable[..., Any]


def shifted_leading_constant(p: Any) -> Any:
    """Lemma 2: N^2 E C^2 / w^2 = 2 + 8 (p - 1/2)^2 for Algorithm 2."""
    return 2 + 8 * (p - Fraction(1, 2)) ** 2


def transformed_leading_constant(p: Any) -> Any:
    """Theorem 1: N^2 E C^2 / w^2 = 1 + 4 (p - 1/2)^2 = 2 - 4 p (1 - p) for Algorithm 3."""
    return 1 + 4 * (p - Fraction(1, 2)) ** 2


def shifted_error_bound(p: Any, N: Any, numbers: Any) -> Any:
    """N^2 MSE / w^2 <= (sqrt(2 + 8 d^2) + sqrt(896) / N)^2 + N^2 e^(-N/4) / 2 for Algorithm 2."""
    main = numbers.sqrt(shifted_leading_constant(p)) + numbers.sqrt(N * 0 + 896) / N
    return main**2 + N**2 * numbers.exp(-N / 4) / 2


def transformed_error_bound(p: Any, N: Any, numbers: Any) -> Any:
    """N^2 MSE / w^2 <= (sqrt(2 - 4 q) + sqrt(800) / N)^2 + 2 N^2 (1 + N/4) e^(-N/2), Algorithm 3."""
    main = numbers.sqrt(transformed_leading_constant(p)) + numbers.sqrt(N * 0 + 800) / N
    return main**2 + 2 * N**2 * (1 + N / 4) * numbers.exp(-N / 2)


def laplace_moments(fourth: int = 72, mixed: int = 28, shifted: int = 896) -> Finding:
    """E T^4 = 72, E T^2 Z1^2 = 28 (scale 1); E F^2 <= 2 E Zn^4 + 8 E Zs^2 Zn^2 = 896 (scales 1, 2)."""
    two, four = laplace_moment(2, 1), laplace_moment(4, 1)
    sum_fourth = 2 * four + 6 * two * two
    sum_mixed = four + two * two
    pair = 2 * laplace_moment(4, 2) + 8 * two * laplace_moment(2, 2)
    found = (sum_fourth, sum_mixed, pair)
    expected = (fourth, mixed, shifted)
    return exactly(found == expected, f"{found}, 8 (72 + 28) = {8 * (sum_fourth + sum_mixed)}")


def tails_of_the_count(
    shifted: Fraction = Fraction(1, 2), slope: Fraction = Fraction(1, 4)
) -> Finding:
    """P(Zn < -N/2) = e^(-N/4) / 2 (scale 2); P(Z1 + Z2 < -N/2) = (1 + N/4) e^(-N/2) / 2."""
    N, z, u = symbols("N z u", positive=True)
    box = {N: (1, 9), z: (1, 9)}
    one = integrate(exp(-z / 2) / 4, (z, N / 2, oo))
    # density of Z1 + Z2 at z > 0: u below 0, between 0 and z, above z
    pieces = 2 * integrate(exp(-z - 2 * u) / 4, (u, 0, oo)) + integrate(exp(-z) / 4, (u, 0, z))
    two = integrate((1 + z) * exp(-z) / 4, (z, N / 2, oo))
    return every(
        [
            identical(one, shifted * exp(-N / 4), box),
            identical(pieces, (1 + z) * exp(-z) / 4, box),
            identical(two, (1 + slope * N) * exp(-N / 2) / 2, box),
        ],
        detail="both tails, and the density of Z1 + Z2",
    )


def leading_constants(
    shifted: Formula = shifted_leading_constant, transformed: Formula = transformed_leading_constant
) -> Finding:
    """E C^2 = Var Zs + d^2 Var Zn, and (1 - p)^2 Var Z1 + p^2 Var Z2."""
    p = symbols("p", positive=True)
    d = p - Fraction(1, 2)
    one, two = laplace_moment(2, 1), laplace_moment(2, 2)
    return every(
        [
            identical(one + d**2 * two, shifted(p), {p: (0, 1)}),
            identical(((1 - p) ** 2 + p**2) * one, transformed(p), {p: (0, 1)}),
        ]
    )


def shifted_is_private(scale: Fraction = Fraction(1), reach: Fraction = Fraction(1)) -> Finding:
    """Algorithm 2: |z1 + x| - |z1| + (|z2 + 1| - |z2|) / 2 lies in [-1, 1] for |x| <= 1/2."""

    def statement(z1: Any, z2: Any, x: Any) -> Any:
        loss = absolute(z1 + x) - absolute(z1) + (absolute(z2 + 1) - absolute(z2)) / 2
        limit = exact(scale)
        return implies(2 * absolute(x) <= exact(reach), all_of(loss <= limit, loss >= -limit))

    return valid(reals("z1 z2 x"), statement)


def transformed_is_private(scale: Fraction = Fraction(1)) -> Finding:
    """Algorithm 3: |z1 + x| - |z1| + |z2 + 1 - x| - |z2| lies in [-1, 1] for 0 <= x <= 1."""

    def statement(z1: Any, z2: Any, x: Any) -> Any:
        loss = absolute(z1 + x) - absolute(z1) + absolute(z2 + 1 - x) - absolute(z2)
        limit = exact(scale)  # eps times the scale of the noise
        return implies(all_of(0 <= x, x <= 1), all_of(loss <= limit, loss >= -limit))

    return valid(reals("z1 z2 x"), statement)


def worst_mean(shifted: Fraction = Fraction(4), transformed: Fraction = Fraction(2)) -> Finding:
    """For 0 <= p <= 1: 2 + 8 d^2 <= 4 and 1 + 4 d^2 <= 2."""

    def statement(p: Any) -> Any:
        square = (2 * p - 1) * (2 * p - 1)
        both = all_of(2 + 2 * square <= exact(shifted), 1 + square <= exact(transformed))
        return implies(all_of(0 <= p, p <= 1), both)

    return valid(reals("p"), statement, polynomial=True)


def printed_bound(bound: Formula = transformed_error_bound) -> Finding:
    """The bound of Theorem 1 at N = 1000, p = 1/2, over N^2."""
    numbers = Balls(128)
    N = numbers.rational(Fraction(1000))
    p = numbers.rational(Fraction(1, 2))
    return as_printed([("bound", "1.05736854249492e-6", bound(p, N, numbers) / N**2)])


def excess_from_hundred_on(
    transformed: Fraction = Fraction(45), shifted: Fraction = Fraction(32)
) -> Finding:
    """At p = 0, N >= 100: bounds at most 2 (1 + 45 / N) and 4 (1 + 32 / N); N times the excess falls."""
    numbers = Balls(128)
    N, p = numbers.rational(Fraction(100)), numbers.rational(Fraction(0))
    findings = []
    for bound, constant, most in (
        (transformed_error_bound, 2, transformed),
        (shifted_error_bound, 4, shifted),
    ):
        excess = N * (bound(p, N, numbers) / constant - 1)
        findings.append(Finding(holds=certainly_less(excess, most), detail=f"{excess!r} < {most}"))
    return every(findings)


def two_points(eighth: Fraction = Fraction(1, 8)) -> Finding:
    """Two errors with 4 L0 >= P0, 4 L1 >= 1 - P1, 1 - P1 >= r (1 - P0), r <= 1: one is >= r / 8."""

    def statement(P0: Any, P1: Any, L0: Any, L1: Any, r: Any) -> Any:
        given = all_of(
            0 <= P0, P0 <= 1, 0 < r, r <= 1, 4 * L0 >= P0, 4 * L1 >= 1 - P1, 1 - P1 >= r * (1 - P0)
        )
        least = exact(eighth) * r
        return implies(given, negate(all_of(L0 < least, L1 < least)))

    return valid(reals("P0 P1 L0 L1 r"), statement, polynomial=True)


def print_below_the_floor(epsilon: Fraction = Fraction(42, 1000), n: int = 100) -> Finding:
    """2 / (n^2 eps^2) < e^(-2 eps) / 8, the floor of R_ar for every n: the printed bound is false."""
    numbers = Balls(64)
    least = numbers.exp(numbers.rational(-2 * epsilon)) / 8
    printed = 2 / (n * epsilon) ** 2
    return exactly(least > printed, f"printed {float(printed):.6f}, floor {least!r}")


CLAIMS = (
    Claim(
        id="KSW-L2",
        source="Lemma 2",
        says=(
            "Algorithm 2 is private, and its mean squared error is at most (2 w^2 + 8 (mean - m)^2) / "
            "(n eps)^2 up to a factor that goes to 1 as n eps grows, hence at most 4 w^2 / (n eps)^2."
        ),
        latex=r"\frac{N^2 \mathrm{MSE}}{w^2} \le \Bigl( \sqrt{2 + 8 d^2} + \frac{\sqrt{896}}{N} \Bigr)^2 + \frac{N^2}{2} e^{-N/4} = (2 + 8 d^2)(1 + o(1)) \le 4 (1 + o(1)), \quad d = \frac{\mu - m}{w}",
        domain="all n >= 1, eps > 0; o(1) as N = n eps goes to infinity",
        status=Status.PROVED,
        checks=(
            Check(
                "The privacy loss of the noisy sum and count is at most eps.",
                Method.SMT,
                shifted_is_private,
                mutants={
                    "noise of 0.99 the scale": {"scale": Fraction(99, 100)},
                    "records up to 0.505 w from the middle": {"reach": Fraction(101, 100)},
                },
            ),
            Check(
                "E C^2 of Lemma 1.",
                Method.SYMBOLIC,
                leading_constants,
                mutants={"2 - 8 d^2": {"shifted": lambda p: 4 - shifted_leading_constant(p)}},
            ),
            Check(
                "Fourth moments: E F^2 <= 896 / N^4.",
                Method.EXACT,
                laplace_moments,
                mutants={"895 for 896": {"shifted": 895}},
            ),
            Check(
                "The chance that the noisy count is halved.",
                Method.SYMBOLIC,
                tails_of_the_count,
                mutants={"0.505 for 1/2": {"shifted": Fraction(505, 1000)}},
            ),
            Check(
                "The leading constant is at most 4.",
                Method.SMT,
                worst_mean,
                mutants={"3.99 for 4": {"shifted": Fraction(399, 100)}},
            ),
        ),
        assumes=("KSW-L1",),
        argument=(
            "Lemma 1 for the centered ratio: w = 1, M = 1/2, 4 M^2 = 1, F = (Zn^2 + 2 |Zs Zn|) / n^2, "
            "so F^2 <= (2 Zn^4 + 8 Zs^2 Zn^2) / n^4. The leading constant is at least 2, so the rest is "
            "o(1) of it. Without the factor 1 + o(1) the first inequality is false (KSW-ER11); the "
            "second one holds for every n and eps (KSW-T1'). o(1) must be read as n eps to infinity "
            "(KSW-ER12)."
        ),
    ),
    Claim(
        id="KSW-T1",
        source="Theorem 1, equations (5) and (6)",
        says=(
            "Algorithm 3 with Laplace noise is private, and its mean squared error is at most "
            "(w^2 + 4 (mean - m)^2) / (n eps)^2 up to a factor that goes to 1 as n eps grows, hence at "
            "most 2 w^2 / (n eps)^2: half that of Algorithm 2."
        ),
        latex=r"\frac{N^2 \mathrm{MSE}}{w^2} \le \Bigl( \sqrt{2 - 4 q} + \frac{\sqrt{800}}{N} \Bigr)^2 + 2 N^2 \Bigl( 1 + \frac N4 \Bigr) e^{-N/2} = (2 - 4 q)(1 + o(1)) \le 2 (1 + o(1)), \quad q = p (1 - p)",
        domain="all n >= 1, eps > 0; o(1) as N = n eps goes to infinity",
        status=Status.PROVED,
        checks=(
            Check(
                "The privacy loss of the two noisy sums is at most eps, at every point and record.",
                Method.SMT,
                transformed_is_private,
                mutants={"noise of 0.99 the scale": {"scale": Fraction(99, 100)}},
            ),
            Check(
                "E C^2 of Lemma 1.",
                Method.SYMBOLIC,
                leading_constants,
                mutants={
                    "1 - 4 d^2": {"transformed": lambda p: 2 - transformed_leading_constant(p)}
                },
            ),
            Check(
                "E (Z1 + Z2)^4 = 72 / eps^4 and E (Z1 + Z2)^2 Z1^2 = 28 / eps^4.",
                Method.EXACT,
                laplace_moments,
                mutants={"71 for 72": {"fourth": 71}, "27 for 28": {"mixed": 27}},
            ),
            Check(
                "P(Z1 + Z2 < -n/2) = (1 + N/4) e^(-N/2) / 2.",
                Method.SYMBOLIC,
                tails_of_the_count,
                mutants={"0.2525 N for N/4": {"slope": Fraction(2525, 10000)}},
            ),
            Check(
                "The leading constant is at most 2.",
                Method.SMT,
                worst_mean,
                mutants={"1.99 for 2": {"transformed": Fraction(199, 100)}},
            ),
            Check(
                "The bound at N = 1000, p = 1/2.",
                Method.ENCLOSURE,
                printed_bound,
                mutants={
                    "1.01 N^2 MSE": {
                        "bound": lambda p, N, c: (
                            transformed_error_bound(p, N, c) * Fraction(101, 100)
                        )
                    },
                    "sqrt(2 - 4 q) - sqrt(800) / N": {
                        "bound": lambda p, N, c: transformed_error_bound(p, -N, c)
                    },
                },
            ),
        ),
        assumes=("KSW-L1",),
        argument=(
            "Lemma 1 with a = s1, b = n, M = 1: F = (2 T^2 + 2 |Z1 T|) / n^2, so E F^2 <= 8 (72 + 28) / "
            "N^4 = 800 / N^4, and 4 M^2 = 4. The leading constant is at least 1. As for Lemma 2, the "
            "first inequality needs its 1 + o(1), the second one does not (KSW-ER11, KSW-T1')."
        ),
    ),
    Claim(
        id="KSW-C1",
        source="Corollary 1",
        says=(
            "The least worst-case n^2 MSE under add-remove is at most 2 w^2 / eps^2 up to a factor "
            "that goes to 1. Print divides by n^2 once more."
        ),
        latex=r"R_{ar} \le \frac{2 w^2}{\varepsilon^2} \Bigl( 1 + \frac{45}{n_0 \varepsilon} \Bigr) \quad (n_0 \varepsilon \ge 100)",
        domain="eps > 0, datasets of n0 records or more, n0 eps to infinity",
        status=Status.CORRECTED,
        checks=(
            Check(
                "The bound of Theorem 1 is at most 2 (1 + 45 / N) at N = 100.",
                Method.ENCLOSURE,
                excess_from_hundred_on,
                mutants={"44 for 45": {"transformed": Fraction(44)}},
            ),
            Check(
                "Any private estimator errs by e^(-2 eps) / 8 on one of two neighbors, for every n.",
                Method.SMT,
                two_points,
                mutants={"0.12625 for 1/8": {"eighth": Fraction(12625, 100000)}},
            ),
            Check(
                "The printed bound is below that floor, at n = 100, eps = 0.042, w = 1.",
                Method.ENCLOSURE,
                print_below_the_floor,
                mutants={"eps = 0.0416": {"epsilon": Fraction(416, 10000)}},
                refutes=True,
            ),
        ),
        assumes=("KSW-T1",),
        argument=(
            "N (bound / 2 - 1) = 40 + 400 / N + N^3 (1 + N/4) e^(-N/2) at p = 0, where the bound is "
            "largest; each term falls for N >= 100. With KSW-T1' the bound 2 w^2 / eps^2 even holds "
            "for every n0 and eps, without the factor. For the counterexample take n - 1 zeros and one record "
            "0 or 1: n mean is 0 or 1; the event n estimate > 1/2 costs at least 1/4 on the first, its "
            "complement on the second, and their probabilities differ by e^(2 eps) at most."
        ),
        why="R_ar is n^2 MSE already; the printed bound goes to 0 as n grows, R_ar does not.",
        right="R_ar <= 2 w^2 / eps^2 (1 + o(1)).",
        errata=("KSW-ER4",),
    ),
    Claim(
        id="KSW-E4",
        source="Equation (4)",
        says="Algorithm 2 shows R_ar <= 4 w^2 / eps^2, up to a factor that goes to 1.",
        latex=r"R_{ar} \le \frac{4 w^2}{\varepsilon^2} \Bigl( 1 + \frac{32}{n_0 \varepsilon} \Bigr) \quad (n_0 \varepsilon \ge 100)",
        domain="eps > 0, datasets of n0 records or more, n0 eps to infinity",
        status=Status.PROVED,
        checks=(
            Check(
                "The bound of Lemma 2 is at most 4 (1 + 32 / N) at N = 100.",
                Method.ENCLOSURE,
                excess_from_hundred_on,
                mutants={"31.9 for 32": {"shifted": Fraction(319, 10)}},
            ),
        ),
        assumes=("KSW-L2",),
        argument=(
            "N (bound / 4 - 1) = sqrt(896) + 224 / N + N^3 e^(-N/4) / 8 at p = 0, where the bound is "
            "largest; each term falls for N >= 100."
        ),
    ),
)
