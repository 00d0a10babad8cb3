"""Two moments: Theorem 2.1.4, and how it enters the introduction (Theorem 1.2.1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.arithmetic import ENCLOSED, SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import Condition, for_all
from proofs_check.papers.tri.chapter2.bernoulli import bernoulli_floor
from proofs_check.papers.tri.common import Box, printed_table
from proofs_check.smt import all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import diff, identical, symbols

__all__ = ["CLAIMS", "introduction_bound", "two_moment_bound"]

ONE_PERCENT = Fraction(101, 100)

TWO_MOMENTS = (
    ((1000, "0.5", "0.000001", "0.001"), "0.0128970538755689"),
    ((1000, 1, "1e-10", "0.01"), "0.0128970538755689"),
    ((100000, "0.1", "1e-9", "0.0001"), "0.00129098153898496"),
    ((100, "0.01", 0, "0.00001"), "97.6546224148218"),
)
"""(n, eps, delta, beta) and the bound."""


def two_moment_bound(n: Any, eps: Any, delta: Any, beta: Any, *, numbers: Any) -> Any:
    """max{1/sqrt(6(n+2)), 1/(64 n sinh(eps) max{16 beta, sqrt(sqrt(delta)/(2 sinh(eps)))})}."""
    private = (
        Fraction(0) if delta == 0 else numbers.sqrt(numbers.sqrt(delta) / (2 * numbers.sinh(eps)))
    )
    cost = 64 * n * numbers.sinh(eps) * numbers.largest(16 * beta, private)
    return numbers.largest(numbers.sqrt(bernoulli_floor(n)), 1 / cost)


def introduction_bound(n: Any, eps: Any, delta: Any, beta: Any, *, numbers: Any) -> Any:
    """min{1/(2^20 n^2 sinh^2(eps) beta^2), 1/(2048 n^2 sinh(eps) sqrt(delta))}: on the MSE."""
    s = numbers.sinh(eps)
    return numbers.smallest(
        1 / (2**20 * n * n * s * s * beta * beta), 1 / (2048 * n * n * s * numbers.sqrt(delta))
    )


@proves("At lam = 2 the constants of Corollary 2.1.3 are 64 and (2 sinh/25)^2.", Method.SYMBOLIC)
@mutant("64.64 for 64", sixty_four=Fraction(6464, 100))
def two_moments_follow(sixty_four: Fraction = Fraction(64)) -> Finding:
    """At lam = 2 Corollary 2.1.3 is the second bound, and its domain the stated one."""
    n, s, more = symbols("n s more", positive=True)
    domain: Box = dict.fromkeys((n, s), (Fraction(1, 9), 2))
    general = (32 * n * s * (1 + more) / more).subs(more, 1)
    largest = (2 * s / (5 ** (1 + 1 / more) * more)).subs(more, 1)
    return every(
        (
            identical(general, sixty_four * n * s, domain),
            identical(largest, 2 * s / 25, domain),
        )
    )


@encloses("Values.", Method.ENCLOSURE)
@mutant("1.01 n", factor=ONE_PERCENT)
def two_moment_values(factor: Fraction = Fraction(1)) -> Finding:
    """Values of Theorem 2.1.4; the first three are the floor 1/sqrt(6(n+2))."""

    def formula(n: Any, eps: Any, delta: Any, beta: Any, *, numbers: Any) -> Any:
        return two_moment_bound(factor * n, eps, delta, beta, numbers=numbers)

    return printed_table(formula, TWO_MOMENTS)


@proves("The two branches of the second bound of Theorem 2.1.4, squared.", Method.SYMBOLIC)
@mutant("1.01 2^20", constant=ONE_PERCENT * 2**20)
def squares_of_the_branches(constant: Fraction = Fraction(2**20)) -> Finding:
    """Alpha >= 1/(64 n s max{16 beta, sqrt(r/(2 s))}), r = sqrt(delta), squared, by branches."""
    n, s, beta, r = symbols("n s beta r", positive=True)
    domain: Box = dict.fromkeys((n, s, beta, r), (Fraction(1, 9), 2))
    first = 1 / (64 * n * s * (16 * beta)) ** 2
    second = 1 / (64 * n * s) ** 2 / (r / (2 * s))
    return every(
        (
            identical(first, 1 / (constant * (n * s * beta) ** 2), domain),
            identical(second, 1 / (2048 * n**2 * s * r), domain),
        )
    )


@proves("The conditions imply those of Theorem 2.1.4.", Method.SMT)
@mutant("delta <= eps^2/198", two_hundred=Fraction(198))
def domain_of_the_introduction(two_hundred: Fraction = Fraction(200)) -> Finding:
    """Delta <= eps^2/200 is in the domain of Theorem 2.1.4, as sinh(eps) >= eps; 1/100 <= 1/80."""

    def statement(eps: Any, s: Any, delta: Any) -> Any:
        given = all_of(eps > 0, s >= eps, exact(two_hundred) * delta <= eps * eps)
        return implies(given, 128 * 25 * 25 * delta <= 100 * 2 * s * (2 * s))

    return every(
        (
            valid(reals("eps s delta"), statement, polynomial=True),
            exactly(Fraction(1, 100) <= Fraction(1, 80)),
        )
    )


@proves(
    "sinh(eps)/eps is at most 49012.46 for eps <= sqrt(200): the hidden constants.",
    Method.ENCLOSURE,
)
@mutant("1 % more", factor=ONE_PERCENT)
def small_privacy_constants(factor: Fraction = Fraction(1)) -> Finding:
    """sinh(eps)/eps rises, so its value at sqrt(200) (and at 1) bounds it: the hidden constants."""
    eps = symbols("eps", positive=True)
    sinh, cosh = SYMBOLIC.sinh(eps), SYMBOLIC.sinh(eps) + SYMBOLIC.exp(-eps)
    domain: Box = {eps: (0, 14)}

    def largest(*, numbers: Any) -> Any:
        return factor * numbers.sinh(numbers.sqrt(200)) / numbers.sqrt(200)

    return every(
        (
            identical(diff(sinh / eps, eps) * eps**2, eps * cosh - sinh, domain),
            identical(diff(eps * cosh - sinh, eps), eps * sinh, domain),
            printed_table(largest, (((), "49012.4565404336"),)),
            printed_table(
                lambda *, numbers: (
                    1 / (2**20 * largest(numbers=numbers) * largest(numbers=numbers))
                ),
                (((), "3.97e-16"),),
            ),
            printed_table(
                lambda *, numbers: 1 / (2**20 * numbers.sinh(factor) * numbers.sinh(factor)),
                (((), "6.9051900955802e-7"),),
            ),
            printed_table(
                lambda *, numbers: 1 / (2048 * numbers.sinh(factor)), (((), "4.15487367304356e-4"),)
            ),
            exactly(1 / (2048 * largest(numbers=ENCLOSED)) > Fraction(1, 10**9)),
        )
    )


@proves("The largest of three terms is at least their mean; 6 (n+2) <= 18 n.", Method.SMT)
@mutant("0.336 of the sum", third=Fraction(336, 1000))
@mutant("17.82 n", eighteen=Fraction(1782, 100))
@for_all(reals("square x y z n"))
def three_terms(
    square: Any,
    x: Any,
    y: Any,
    z: Any,
    n: Any,
    *,
    third: Fraction = Fraction(1, 3),
    eighteen: Fraction = Fraction(18),
) -> Condition:
    """A number at least x, y and z is at least their mean; and 1/(6 (n+2)) >= 1/(18 n), n >= 1."""
    given = all_of(square >= x, square >= y, square >= z, n >= 1, x >= 0, y >= 0, z >= 0)
    return implies(
        given,
        all_of(square >= third * (x + y + z), eighteen * n >= 6 * (n + 2)),
    )


CLAIMS = (
    Claim(
        id="TRI-T2.1.4",
        source="Theorem 2.1.4",
        says=(
            "For variance at most 1: the explicit bound holds. As printed it goes on to an Omega "
            "with eps for sinh(eps), for every eps."
        ),
        latex=r"\alpha\ge\max\Big\{\frac{1}{\sqrt{6(n+2)}},\ \frac{1}{64n\sinh(\varepsilon)"
        r"\max\{16\beta,\sqrt{\sqrt\delta/(2\sinh\varepsilon)}\}}\Big\}",
        domain="lam = 2, beta <= 1/80, delta <= (2 sinh(eps)/25)^2, n >= 1",
        status=Status.CORRECTED,
        assumes=("TRI-C2.1.3", "TRI-PA.2.1"),
        errata=("TRI-ER-01",),
        checks=checks_of(two_moments_follow, two_moment_values),
        why=(
            "For large eps, sinh(eps) is much larger than eps, and noise with exponentially small "
            "variance (staircase) beats the bound with eps (TRI-ER-01)."
        ),
        right="The explicit bound with sinh(eps); an Omega with eps only for eps = O(1).",
        steps=(
            ByCheck("two_moments_follow"),
            ByClaim(
                "TRI-C2.1.3",
                "Corollary 2.1.3 with lam = 2, and Proposition A.2.1: bits are in the class.",
            ),
            ByClaim("TRI-PA.2.1", "The first term: bits are in the class."),
        ),
        note="The first inequality of the theorem stands; only its last one is wrong.",
    ),
    Claim(
        id="TRI-T1.2.1",
        source="Theorem 1.2.1, inequality (1.2)",
        says=(
            "Under the stated conditions the mean square error is at least a constant times "
            "min{1/(n eps beta)^2, 1/(n^2 eps sqrt(delta))}."
        ),
        latex=r"\alpha^2\ge\min\Big\{\frac{1}{2^{20}n^2\sinh^2(\varepsilon)\beta^2},"
        r"\frac{1}{2048n^2\sinh(\varepsilon)\sqrt\delta}\Big\}",
        domain="0 < delta <= eps^2/200 <= 1, beta <= 1/100, class of variance 1 and mean in [0, 1]",
        status=Status.PROVED,
        assumes=("TRI-T2.1.4",),
        checks=checks_of(
            squares_of_the_branches, domain_of_the_introduction, small_privacy_constants
        ),
        steps=(
            *by_checks(squares_of_the_branches, domain_of_the_introduction),
            ByCheck(
                "small_privacy_constants",
                "eps^2 <= 200 makes sinh(eps) <= 49012.46 eps, so the Omega holds with the constant 3.97e-16; for eps <= 1 with 6.9e-7 and 4.2e-4.",
            ),
            ByClaim("TRI-T2.1.4", "The explicit bound that is squared here."),
        ),
        note="It should be quoted for eps = O(1).",
    ),
    Claim(
        id="TRI-E1.3",
        source="inequality (1.3)",
        says="Under the conditions of Theorem 1.2.1, and where the first branch of (1.2) is the smaller one, the mean square error is at least a constant times 1/n + beta^2 + 1/(n eps beta)^2.",
        latex=r"\alpha^2\ge\frac13\Big(\frac{1}{18n}+\beta^2+\frac{c}{n^2\varepsilon^2\beta^2}\Big),\quad c=3.97\cdot10^{-16};\quad c=6.9\cdot10^{-7}\text{ for }\varepsilon\le1",
        domain="0 < delta <= eps^2/200 <= 1, beta <= 1/100, delta so small that the first branch of (1.2) is the least; class of variance 1 and mean in [0, 1]",
        status=Status.PROVED,
        assumes=("TRI-T1.2.1", "TRI-PA.2.1"),
        checks=checks_of(three_terms),
        steps=(
            ByClaim(
                "TRI-T1.2.1", "alpha^2 is at least c/(n eps beta)^2 with the c of Theorem 1.2.1."
            ),
            ByCheck("three_terms", "So it is at least a third of the sum."),
            ByClaim("TRI-PA.2.1", "alpha^2 is at least 1/(6(n+2)) >= 1/(18n)."),
            ByHand(
                "alpha^2 is at least beta^2, because a mean square is at least the square of the mean."
            ),
        ),
    ),
)
