"""What follows from the trilemma: the best gamma, and Corollary 2.1.3."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.arithmetic import ENCLOSED
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.tri.chapter2.optimum import least_deviation, rational_family
from proofs_check.papers.tri.common import Box, inverse_root, printed_table
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import Rational, diff, identical, symbols

__all__ = [
    "CLAIMS",
    "best_gamma",
    "corollary_bound",
]

ONE_PERCENT = Fraction(101, 100)
FIFTH = Fraction(1, 5)

GAMMAS = (
    (("0.5", "0.001", 2, "0.001"), "0.0309760774738744"),
    ((1, "0.0001", 3, "0.0001"), "0.00193460297254918"),
    (("0.1", 0, 2, "0.01"), "0.2"),
)
"""(eps, beta, lam, tau) and the best gamma."""

COROLLARY = (
    ((1000, "0.5", "0.000001", "0.001", 2), "9.68002421058576e-4"),
    ((1000, 1, "1e-10", "0.01", 3), "4.43186525124647e-5"),
    ((100000, "0.1", "1e-9", "0.0001", 2), "1.24157578094256e-4"),
    ((10000, 1, 0, "0.0125", 10), "2.86182874172757e-6"),
)
"""(n, eps, delta, beta, lam) and the bound."""


def best_gamma(eps: Any, beta: Any, lam: Any, tau: Any, *, numbers: Any) -> Any:
    """((lam-1) tau / (2 sinh(eps)))^(1 - 1/lam), clipped to [16 beta, 1/5]."""
    free = numbers.power((lam - 1) * tau / (2 * numbers.sinh(eps)), 1 - 1 / lam)
    return numbers.smallest(numbers.largest(free, 16 * beta), FIFTH)


def corollary_bound(n: Any, eps: Any, delta: Any, beta: Any, lam: Any, *, numbers: Any) -> Any:
    """1/(32 n sinh lam/(lam-1) max{(16 b)^(1/(lam-1)), ((lam-1) sqrt(d)/(2 sinh))^(1/lam)})."""
    private = (
        Fraction(0) if delta == 0 else (lam - 1) * numbers.sqrt(delta) / (2 * numbers.sinh(eps))
    )
    largest = numbers.largest(
        inverse_root(16 * beta, lam, numbers=numbers), numbers.power(private, 1 / lam)
    )
    return 1 / (32 * n * numbers.sinh(eps) * lam / (lam - 1) * largest)


@proves(
    "The derivative of the denominator has the sign of 2 sinh gamma^(lam/(lam-1)) "
    "/ (lam-1) - tau, which is 0 at the free optimum.",
    Method.SYMBOLIC,
)
@mutant("2.02 for 2", two=Fraction(202, 100))
def slope_has_one_sign_change(two: Fraction = Fraction(2)) -> Finding:
    """gamma^2/(16 n) d/dgamma of the denominator is 2 sinh gamma^(lam/(lam-1))/(lam-1) - tau.

    It rises in gamma and is 0 at the free optimum.
    """
    n, s, gamma, tau, more, z = symbols("n s gamma tau more z", positive=True)
    lam = 1 + more
    cost = 32 * n * s * gamma ** (1 / more) + 16 * n * tau / gamma
    sign = 2 * s * gamma ** (lam / more) / more - tau
    domain: Box = dict.fromkeys((n, s, gamma, tau, more), (Fraction(1, 9), 2))
    free = (more * tau / (two * s)) ** (1 - 1 / lam)
    power = sign.subs(gamma ** (lam / more), z)
    return every(
        (
            identical(diff(cost, gamma) * gamma**2 / (16 * n), sign, domain),
            identical((free ** (lam / more)) * two * s / more, tau, domain),
            identical(power.subs(z, more * tau / (two * s)), 0, domain),
        )
    )


@encloses("Values.", Method.ENCLOSURE)
@mutant("1.01 tau", factor=ONE_PERCENT)
def gamma_values(factor: Fraction = Fraction(1)) -> Finding:
    """Values of the best gamma; at beta = 0.02 the interval [16 beta, 1/5] is empty."""
    empty = 16 * Fraction("0.02") > FIFTH
    return every(
        (
            printed_table(
                lambda eps, beta, lam, tau, *, numbers: best_gamma(
                    eps, beta, lam, factor * tau, numbers=numbers
                ),
                GAMMAS,
            ),
            exactly(empty, "(1, 0.02, 4, 1e-6) is outside the domain"),
        )
    )


@proves("The term with tau = sqrt(delta) is at most 1/(lam-1) of the other one.", Method.SMT)
@mutant("0.99 lam/(lam-1)", factor=Fraction(99, 100))
@for_all(reals("gamma x s more root"), polynomial=True)
def corollary_follows(
    gamma: Any, x: Any, s: Any, more: Any, root: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """With G = gamma^(lam/(lam-1)) >= (lam-1) sqrt(delta)/(2 s), x = gamma^(1/(lam-1)) = G/gamma.

    32 n s x + 16 n sqrt(delta)/gamma <= 32 n s x lam/(lam-1): the tau-term is at most 1/(lam-1) of
    the other one.
    """
    given = all_of(gamma > 0, x > 0, s > 0, more > 0, root >= 0, 2 * s * gamma * x >= more * root)
    left = (32 * s * x * gamma + 16 * root) * more
    return implies(given, left <= factor * 32 * s * x * gamma * (1 + more))


@proves("On the stated domain gamma <= 1/5; the exponents.", Method.SYMBOLIC)
@mutant("4.95 for 5", five=Fraction(495, 100))
def domain_of_the_corollary(five: Fraction = Fraction(5)) -> Finding:
    """Gamma = max{16 beta, ((lam-1) sqrt(delta)/(2 s))^(1-1/lam)} <= 1/5 on the stated domain.

    beta <= 1/80 gives 16 beta <= 1/5; at the largest sqrt(delta), 2 s/((lam-1) 5^(1+1/(lam-1))),
    the other term is 1/5. And gamma^(1/(lam-1)) has the exponents of the statement.
    """
    s, more, x = symbols("s more x", positive=True)
    lam = 1 + more
    base = Rational(five.numerator, five.denominator)
    root = 2 * s / (base ** (1 + 1 / more) * more)
    term = (more * root / (2 * s)) ** (1 - 1 / lam)
    domain: Box = {s: (1, 5), more: (Fraction(1, 3), 4)}
    return every(
        (
            exactly(16 * Fraction(1, 80) == FIFTH),
            identical(term, FIFTH, domain),
            identical((x ** (1 - 1 / lam)) ** (1 / more), x ** (1 / lam), {x: (0, 1)} | domain),
        )
    )


@encloses("Values.", Method.ENCLOSURE)
@mutant("1.01 eps", factor=ONE_PERCENT)
def corollary_values(factor: Fraction = Fraction(1)) -> Finding:
    """Values of Corollary 2.1.3."""
    return printed_table(
        lambda n, eps, *row, numbers: corollary_bound(n, factor * eps, *row, numbers=numbers),
        COROLLARY,
    )


@confirms(
    "The best of all (eps, delta)-DP mechanisms on a grid is never below the bound.",
    Method.LINEAR_PROGRAM,
)
@mutant("e^eps 1 % larger", e=Fraction(202, 100))
def approximate_optimum(e: Fraction = Fraction(2)) -> Finding:
    """N = 1, e^eps = 2: least mean square error by linear programs with delta, above the bound."""
    grid = [Fraction(k) for k in range(-60, 64, 3)]
    cases = (
        (14, Fraction(1, 10000), "167.994925"),
        (20, Fraction(1, 100000), "203.210075"),
    )
    found, beta = [], Fraction(1, 80)
    for t, delta, printed in cases:
        value = least_deviation(e, rational_family(t), beta, grid, delta=delta, power=2)
        bound = corollary_bound(1, ENCLOSED.log(2), delta, beta, Fraction(2), numbers=ENCLOSED)
        found.append(exactly(bound * bound < value))
        found.append(as_printed([(f"delta = {delta}", printed, ENCLOSED.ball(value))]))
    return every(found)


CLAIMS = (
    Claim(
        id="TRI-E2.1",
        source="Section 2.1, after Lemma 2.1.2",
        says="The gamma for which Theorem 2.1.1 is strongest: the free optimum, clipped.",
        latex=r"\gamma^*=\mathrm{clip}_{[16\beta,1/5]}\Big(\big(\tfrac{(\lambda-1)\tau}"
        r"{2\sinh\varepsilon}\big)^{1-1/\lambda}\Big)",
        domain="beta <= 1/80, eps > 0, lam > 1",
        status=Status.PROVED,
        checks=checks_of(slope_has_one_sign_change, gamma_values),
        steps=(
            ByCheck("slope_has_one_sign_change"),
            ByHand(
                "That expression rises in gamma, so the denominator falls and then rises: its least value on an interval is at the free optimum, or at the nearer end."
            ),
        ),
    ),
    Claim(
        id="TRI-C2.1.3",
        source="Corollary 2.1.3",
        says=(
            "Bias at most beta and root mean square error at most alpha on the class, under "
            "(eps, delta)-DP, need alpha at least of the stated size."
        ),
        latex=r"\alpha\ge\frac{1}{32n\sinh(\varepsilon)\frac{\lambda}{\lambda-1}\max\{"
        r"(16\beta)^{\frac1{\lambda-1}},(\frac{(\lambda-1)\sqrt\delta}{2\sinh\varepsilon})"
        r"^{\frac1\lambda}\}}",
        domain=(
            "lam > 1, beta <= 1/80, sqrt(delta) <= 2 sinh(eps)/(5^(1+1/(lam-1)) (lam-1)); for "
            "beta = delta = 0 the bound is infinite (no such estimator)"
        ),
        status=Status.PROVED,
        assumes=("TRI-T2.1.1", "TRI-L2.1.2", "TRI-E2.1"),
        checks=checks_of(
            corollary_follows, domain_of_the_corollary, corollary_values, approximate_optimum
        ),
        steps=(
            *by_checks(corollary_follows, domain_of_the_corollary),
            ByClaim("TRI-L2.1.2", "Lemma 2.1.2 with kappa = 2 gives tau = sqrt(delta)."),
            ByClaim(
                "TRI-T2.1.1",
                "Take gamma = max{16 beta, ((lam-1) sqrt(delta)/(2 sinh))^(1-1/lam)}, by definition in the domain of Theorem 2.1.1.",
            ),
        ),
        note="(The print does not quantify lam; lam > 1 is meant.)",
    ),
)
