"""Algorithms 2 and 3 with Laplace noise: private, and how large their error is (KSW, Theorem 1).

Lemma 1 with explicit moments: every (1 + o(1)) of the papers becomes a bound for all N = n eps.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import (
    Check,
    Claim,
    Finding,
    Method,
    Status,
    every,
    exactly,
)
from proofs_check.enclosure import Balls
from proofs_check.language import (
    Condition,
    Domain,
    Private,
    Sentence,
    absolute,
    all_of,
    decided,
    for_all,
    implies,
    real_symbols,
    reals,
    solve,
)
from proofs_check.papers.ksw.common import laplace_moment
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByClaim, ByHand
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


def shifted_error_bound(p: Any, N: Any, *, numbers: Any) -> Any:
    """N^2 MSE / w^2 <= (sqrt(2 + 8 d^2) + sqrt(896) / N)^2 + N^2 e^(-N/4) / 2 for Algorithm 2."""
    main = numbers.sqrt(shifted_leading_constant(p)) + numbers.sqrt(N * 0 + 896) / N
    return main**2 + N**2 * numbers.exp(-N / 4) / 2


def transformed_error_bound(p: Any, N: Any, *, numbers: Any) -> Any:
    """N^2 MSE / w^2 <= (sqrt(2 - 4 q) + sqrt(800) / N)^2 + 2 N^2 (1 + N/4) e^(-N/2), Algorithm 3."""
    main = numbers.sqrt(transformed_leading_constant(p)) + numbers.sqrt(N * 0 + 800) / N
    return main**2 + 2 * N**2 * (1 + N / 4) * numbers.exp(-N / 2)


@proves("Fourth moments: E F^2 <= 896 / N^4.", Method.EXACT)
@mutant("895 for 896", shifted=895)
def laplace_moments(fourth: int = 72, mixed: int = 28, shifted: int = 896) -> Finding:
    """E T^4 = 72, E T^2 Z1^2 = 28 (scale 1); E F^2 <= 2 E Zn^4 + 8 E Zs^2 Zn^2 = 896 (scales 1, 2)."""
    two, four = laplace_moment(2, 1), laplace_moment(4, 1)
    sum_fourth = 2 * four + 6 * two * two
    sum_mixed = four + two * two
    pair = 2 * laplace_moment(4, 2) + 8 * two * laplace_moment(2, 2)
    found = (sum_fourth, sum_mixed, pair)
    expected = (fourth, mixed, shifted)
    return exactly(found == expected, f"{found}, 8 (72 + 28) = {8 * (sum_fourth + sum_mixed)}")


@proves("The chance that the noisy count is halved.", Method.SYMBOLIC)
@mutant("0.505 for 1/2", shifted=Fraction(505, 1000))
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


@proves("E C^2 of Lemma 1.", Method.SYMBOLIC)
@mutant("2 - 8 d^2", shifted=lambda p: 4 - shifted_leading_constant(p))
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


EPS, Z1, Z2, X = real_symbols("eps z1 z2 x")


@proves("The privacy loss of the noisy sum and count is at most eps.", Method.SMT)
@mutant("noise of 0.99 the scale", scale=Fraction(99, 100))
@mutant("records up to 0.505 w from the middle", reach=Fraction(101, 100))
@decided(solve)
def shifted_is_private(scale: Fraction = Fraction(1), reach: Fraction = Fraction(1)) -> Private:
    """Algorithm 2: |z1 + x| - |z1| + (|z2 + 1| - |z2|) / 2 lies in [-1, 1] for |x| <= 1/2."""
    change = absolute(Z1 + X) - absolute(Z1) + (absolute(Z2 + 1) - absolute(Z2)) / 2
    domain = Domain((EPS > 0, 2 * absolute(X) <= reach), free=(Z1, Z2))
    loss = EPS * absolute(change)
    return Private("Algorithm Two with Laplace noise", "add-remove", domain, loss, scale * EPS)


@proves(
    "The privacy loss of the two noisy sums is at most eps, at every point and record.", Method.SMT
)
@mutant("noise of 0.99 the scale", scale=Fraction(99, 100))
@decided(solve)
def transformed_is_private(scale: Fraction = Fraction(1)) -> Private:
    """Algorithm 3: |z1 + x| - |z1| + |z2 + 1 - x| - |z2| lies in [-1, 1] for 0 <= x <= 1."""
    change = absolute(Z1 + X) - absolute(Z1) + absolute(Z2 + 1 - X) - absolute(Z2)
    domain = Domain((EPS > 0, X >= 0, X <= 1), free=(Z1, Z2))
    loss = EPS * absolute(change)
    return Private("Algorithm Three with Laplace noise", "add-remove", domain, loss, scale * EPS)


@proves("The leading constant is at most 4.", Method.SMT)
@mutant("3.99 for 4", shifted=Fraction(399, 100))
@for_all(reals("p"), polynomial=True)
def worst_mean(
    p: Any, *, shifted: Fraction = Fraction(4), transformed: Fraction = Fraction(2)
) -> Condition:
    """For 0 <= p <= 1: 2 + 8 d^2 <= 4 and 1 + 4 d^2 <= 2."""
    square = (2 * p - 1) * (2 * p - 1)
    both = all_of(2 + 2 * square <= shifted, 1 + square <= transformed)
    return implies(all_of(0 <= p, p <= 1), both)


@encloses("The bound at N = 1000, p = 1/2.", Method.ENCLOSURE)
@mutant(
    "1.01 N^2 MSE",
    bound=lambda p, N, *, numbers: (
        transformed_error_bound(p, N, numbers=numbers) * Fraction(101, 100)
    ),
)
@mutant(
    "sqrt(2 - 4 q) - sqrt(800) / N",
    bound=lambda p, N, *, numbers: transformed_error_bound(p, -N, numbers=numbers),
)
def printed_bound(bound: Formula = transformed_error_bound) -> Finding:
    """The bound of Theorem 1 at N = 1000, p = 1/2, over N^2."""
    numbers = Balls(128)
    N = numbers.rational(Fraction(1000))
    p = numbers.rational(Fraction(1, 2))
    return as_printed([("bound", "1.05736854249492e-6", bound(p, N, numbers=numbers) / N**2)])


CLAIMS = (
    Claim(
        id="KSW-L2",
        source="Lemma 2",
        states=(
            shifted_is_private,
            Sentence(
                "Its mean squared error is at most (2 w^2 + 8 (mean - m)^2) / (n eps)^2 up to a factor that goes to 1 as n eps grows, hence at most 4 w^2 / (n eps)^2.",
                r"\frac{N^2 \mathrm{MSE}}{w^2} \le \Bigl( \sqrt{2 + 8 d^2} + \frac{\sqrt{896}}{N} \Bigr)^2 + \frac{N^2}{2} e^{-N/4} = (2 + 8 d^2)(1 + o(1)) \le 4 (1 + o(1)), \quad d = \frac{\mu - m}{w}",
            ),
        ),
        domain="x is a record less the midpoint, over the width; all n >= 1, and o(1) as N = n eps goes to infinity",
        status=Status.PROVED,
        checks=checks_of(
            shifted_is_private, leading_constants, laplace_moments, tails_of_the_count, worst_mean
        ),
        assumes=("KSW-L1",),
        steps=(
            *by_checks(leading_constants, laplace_moments, tails_of_the_count, worst_mean),
            ByClaim(
                "KSW-L1",
                "Lemma 1 for the centered ratio: w = 1, M = 1/2, 4 M^2 = 1, F = (Zn^2 + 2 |Zs Zn|) / n^2, so F^2 <= (2 Zn^4 + 8 Zs^2 Zn^2) / n^4.",
            ),
            ByHand("The leading constant is at least 2, so the rest is o(1) of it."),
        ),
        note="Without the factor 1 + o(1) the first inequality is false (KSW-ER11); the second one holds for every n and eps (KSW-T1'). o(1) must be read as n eps to infinity (KSW-ER12).",
    ),
    Claim(
        id="KSW-T1",
        source="Theorem 1, equations (5) and (6)",
        states=(
            transformed_is_private,
            Sentence(
                "Its mean squared error is at most (w^2 + 4 (mean - m)^2) / (n eps)^2 up to a factor that goes to 1 as n eps grows, hence at most 2 w^2 / (n eps)^2: half that of Algorithm 2.",
                r"\frac{N^2 \mathrm{MSE}}{w^2} \le \Bigl( \sqrt{2 - 4 q} + \frac{\sqrt{800}}{N} \Bigr)^2 + 2 N^2 \Bigl( 1 + \frac N4 \Bigr) e^{-N/2} = (2 - 4 q)(1 + o(1)) \le 2 (1 + o(1)), \quad q = p (1 - p)",
            ),
        ),
        domain="x is a record in units of the width; all n >= 1, and o(1) as N = n eps goes to infinity",
        status=Status.PROVED,
        checks=checks_of(
            transformed_is_private,
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
            printed_bound,
        ),
        assumes=("KSW-L1",),
        steps=(
            *by_checks(leading_constants, laplace_moments, tails_of_the_count, worst_mean),
            ByClaim(
                "KSW-L1",
                "Lemma 1 with a = s1, b = n, M = 1: F = (2 T^2 + 2 |Z1 T|) / n^2, so E F^2 <= 8 (72 + 28) / N^4 = 800 / N^4, and 4 M^2 = 4.",
            ),
            ByHand("The leading constant is at least 1."),
        ),
        note="As for Lemma 2, the first inequality needs its 1 + o(1), the second one does not (KSW-ER11, KSW-T1').",
    ),
)
